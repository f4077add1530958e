"""What the documentation shows works: examples run, print what the page says, and links lead somewhere."""

from __future__ import annotations

import ast
import doctest
import html
import importlib
import io
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

import adjudge
from adjudge.cli.main import main
from adjudge.convert.registry import FORMATS
from adjudge.score import find_suite
from workspace import CommandResult

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
DATA = ROOT.parent / "shared" / "data"
FOLDERS = {
    "D": "multiwoz",
    "agentclinic": "patient/agentclinic_MIT",
    "delidata": "delidata",
    "crisis_mas": "crisis_mas",
    "primock57": "patient/primock57_CC-BY-4.0",
    "travelplanner": "travelplanner",
}
TINY = DOCS / "examples" / "tiny_suite"
ALL_PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md")), *sorted((ROOT / "changes").glob("*.md"))]

FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(?<!\\)\[[^\]]*\]\(([^)\s]+)\)")
FILE_NAME = re.compile(r"# (\S+\.py)\n")
# "--generate n=20,members=4", "--generate kind=hidden_profile,n=100"
GENERATED_CASES = re.compile(r"--generate \S*\bn=(\d+)")
# To play so many takes seconds.
MANY_CASES = 10
# What else takes seconds and is tested elsewhere: a play of a large sample, many questions, new vectors, all pages.
LONG_COMMANDS = (
    "$ adjudge play patient",
    "$ adjudge score patient runs/demo/records.jsonl --canaries -o runs/judged",
    "$ adjudge score service runs/demo/records.jsonl --metrics-file my_metrics.py --metrics closeness,taken_back "
    "-o runs/meaning",
    "$ adjudge view runs --export site",
)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    language: str
    text: str

    @property
    def data(self) -> list[str]:
        """The folders of real data that its commands read, by the names that pages give them."""
        return [name for name in FOLDERS if self.language == "console" and f" {name}/" in self.text]

    def without_long_commands(self, left_out: set[str]) -> Block:
        """The block without commands that take long and what uses their results, whose paths are noted."""
        if self.language != "console":
            return Block(self.language, "") if any(path in self.text for path in left_out) else self
        parts = re.split(r"^(?=\$ )", self.text, flags=re.MULTILINE)
        return Block(self.language, "".join(part for part in parts if not _is_left_out(part, left_out)))


def _is_left_out(part: str, left_out: set[str]) -> bool:
    """Whether a command takes long or uses results of one that does; then what it writes is not there either."""
    command = part.partition("\n")[0]
    words = command.split()
    used = any(word == path or word.startswith(f"{path}/") for word in words for path in left_out)
    generated = GENERATED_CASES.search(command)
    takes_long = command in LONG_COMMANDS or (generated is not None and int(generated.group(1)) >= MANY_CASES)
    if not takes_long and not used and not any(f" {name}/" in command for name in FOLDERS):
        return False
    left_out |= {target for option, target in pairwise(words) if option == "-o"}
    return True


def blocks(page: Path) -> list[Block]:
    found = FENCE.findall(page.read_text("utf-8"))
    return [Block(*parts) for parts in found if parts[0] in ("python", "pycon", "console")]


# Generated pages and decisions show commands that are not run; pages without a block have nothing to run.
NOT_RUN = ("decisions", "metrics", "command-line", "files")
PAGES = [
    ROOT / "README.md",
    *(page for page in sorted(DOCS.rglob("*.md")) if not {*page.parts} & {*NOT_RUN} and blocks(page)),
]


def commands(text: str) -> Iterator[tuple[list[str], list[str]]]:
    """Each command of a console block, with the lines that the page shows below it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield shlex.split(command), shown.splitlines()


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


Runner = Callable[[list[str]], CommandResult]


@dataclass(frozen=True)
class MadeRun:
    """What a command printed, and a copy of the run folders that it made, by their names."""

    done: CommandResult
    folders: dict[str, Path]


@pytest.fixture(scope="session")
def made_runs() -> dict[str, MadeRun]:
    """The runs that pages have made, by their commands: many pages begin with the same one."""
    return {}


@pytest.fixture
def run_command(
    reader: Path,
    made_runs: dict[str, MadeRun],
    tmp_path_factory: pytest.TempPathFactory,
    capsys: pytest.CaptureFixture[str],
) -> Runner:
    """Runs a command in the reader's folder; a run that another page made with the same words is copied."""

    def run(arguments: list[str]) -> CommandResult:
        capsys.readouterr()
        return CommandResult(main(arguments), *capsys.readouterr())

    def make(arguments: list[str]) -> MadeRun:
        before = _runs_in(reader)
        done = run(arguments)
        folders = {name: tmp_path_factory.mktemp("made") / "run" for name in _runs_in(reader) - before}
        for name, copy in folders.items():
            shutil.copytree(reader / "runs" / name, copy)
        return MadeRun(done, folders)

    def run_or_copy(arguments: list[str]) -> CommandResult:
        if arguments[0] not in ("demo", "play", "score") or _has_own_files(reader):
            return run(arguments)
        key = shlex.join(arguments)
        if key not in made_runs:
            made_runs[key] = make(arguments)
            return made_runs[key].done
        for name, copy in made_runs[key].folders.items():
            shutil.copytree(copy, reader / "runs" / name)
        return made_runs[key].done

    return run_or_copy


def _runs_in(folder: Path) -> set[str]:
    return {path.name for path in (folder / "runs").glob("*")}


def _has_own_files(folder: Path) -> bool:
    """Whether a page has written files or settings of its own, which a command may read."""
    return any(path.name != "runs" and not path.is_symlink() for path in folder.iterdir())


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder in which a reader follows a page; modules imported from it are forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    before = set(sys.modules)
    yield tmp_path
    for module in set(sys.modules) - before:
        if module.partition(".")[0] in ("my_metrics", "tiny_suite"):
            del sys.modules[module]


def short_blocks(page: Path) -> list[Block]:
    """The blocks of a page without the commands that take long; the README is run whole."""
    left_out: set[str] = set()
    whole = blocks(page)
    return whole if page == ROOT / "README.md" else [block.without_long_commands(left_out) for block in whole]


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=name)
def test_examples_run_and_print_what_the_page_shows(page: Path, reader: Path, run_command: Runner) -> None:
    check_examples(page, short_blocks(page), reader, run_command)


@pytest.mark.trial
@pytest.mark.parametrize("page", [page for page in PAGES if short_blocks(page) != blocks(page)], ids=name)
def test_examples_that_take_long_print_what_the_page_shows(page: Path, reader: Path, run_command: Runner) -> None:
    check_examples(page, blocks(page), reader, run_command)


def check_examples(page: Path, shown: list[Block], reader: Path, run_command: Runner) -> None:
    if page.name == "own-suite.md":
        _install_tiny_suite(reader)
    names: dict[str, object] = {}
    for number, block in enumerate(shown):
        if missing := [folder for folder in block.data if not _link_data(reader, folder)]:
            pytest.skip(f"{name(page)}: from block {number + 1} on it needs {FOLDERS[missing[0]]}, which is not there")
        if block.language == "python":
            names = _run_python(block.text, reader, number, names)
        elif block.language == "pycon":
            _run_session(block.text, name(page), names)
        else:
            _run_console(block.text, run_command)


def _run_python(text: str, folder: Path, number: int, names: dict[str, object]) -> dict[str, object]:
    """Run a block with the names of those before it; one that begins with a file's name becomes that file."""
    named = FILE_NAME.match(text)
    path = folder / (named.group(1) if named else f"block_{number}.py")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    ran = runpy.run_path(str(path), init_globals=names)
    return {key: value for key, value in ran.items() if not key.startswith("__")}


def _run_session(text: str, page: str, names: dict[str, object]) -> None:
    """Run what a page shows of a Python session, with the names of the blocks before it, and compare what it prints."""
    session = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    session.globs = names
    report = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(session, out=report.write, clear_globs=False)
    assert not runner.failures, report.getvalue()


def _run_console(text: str, run: Runner) -> None:
    """Run the commands of a block. One may fail if `echo $?` follows and shows its exit code."""
    listed = list(commands(text))
    for number, (command, shown) in enumerate(listed):
        program, *arguments = command
        if program == "adjudge":
            done = run(arguments)
            after = listed[number + 1] if number + 1 < len(listed) else ([], [])
            expected = after[1] if after[0] == ["echo", "$?"] else ["0"]
            assert [str(done.code)] == expected, f"{shlex.join(command)}\n{done.err}"
            _assert_shown(shown, done.out, command)
        elif program == "jq" and shutil.which("jq"):
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            _assert_shown(shown, done.stdout, command)


def _assert_shown(shown: list[str], printed: str, command: list[str]) -> None:
    """What is shown is printed in that order; a line `...` stands for anything, and white space does not matter."""
    rest = " ".join(printed.split())
    for part in re.split(r"^\.\.\.$", "\n".join(shown), flags=re.MULTILINE):
        wanted = " ".join(part.split())
        place = rest.find(wanted)
        assert place >= 0, f"{shlex.join(command)}\ndoes not print, after what is shown before:\n{part}\n{printed}"
        rest = rest[place + len(wanted) :]


def _link_data(folder: Path, name: str) -> bool:
    data = DATA / FOLDERS[name]
    if not data.is_dir():
        return False
    if not (folder / name).exists():
        (folder / name).symlink_to(data, target_is_directory=True)
    return True


def _install_tiny_suite(folder: Path) -> None:
    """What `pip install docs/examples/tiny_suite` leaves: the package and its entry point."""
    shutil.copytree(TINY, folder / "docs" / "examples" / "tiny_suite")
    shutil.copytree(TINY / "tiny_suite", folder / "tiny_suite")
    info = folder / "tiny_suite-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tiny-suite\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text("[adjudge.suites]\ntiny = tiny_suite:suite\n")
    importlib.invalidate_caches()


@pytest.mark.slow
def test_the_notebook_runs_from_data_to_a_plot(tmp_path: Path) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(DOCS / "examples" / "first_look.ipynb", as_version=4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # The messages of the kernel's libraries are not ours.
        nbclient.NotebookClient(notebook, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])]
    assert sum("srcdoc" in data.get("text/html", "") for data in shown) == 2
    assert sum("image/png" in data for data in shown) == 1
    assert any("gate not passed: 1 failed" in data.get("text/html", "") for data in shown)


def test_the_picture_shows_what_the_demo_prints(run_command: Runner) -> None:
    done = run_command(["demo"])
    assert done.code == 0
    printed = {" ".join(line.split()) for line in done.out.splitlines()}
    picture = (DOCS / "pictures" / "terminal.svg").read_text("utf-8")
    pieces = re.findall(r"<text [^>]*clip-path=\"url\(#[\w-]*line-(\d+)\)\"[^>]*>(.*?)</text>", picture)
    lines: dict[str, str] = {}
    for number, piece in pieces:
        lines[number] = f"{lines.get(number, '')}{html.unescape(piece)} "
    for shown in (" ".join(line.split()) for line in lines.values()):
        if shown not in ("", "...", "$ adjudge demo") and set(shown) != {"─"}:
            assert shown in printed


def test_the_tiny_suite_is_shown_as_it_is() -> None:
    page = (DOCS / "guides" / "own-suite.md").read_text("utf-8")
    for path in (TINY / "pyproject.toml", *sorted((TINY / "tiny_suite").rglob("*.py"))):
        if path.name != "__init__.py" or path.parent.name == "tiny_suite":
            assert f"# {path.relative_to(TINY).as_posix()}\n{path.read_text('utf-8')}```" in page


@pytest.mark.parametrize("table", ["policy.toml", "actions.toml"])
def test_default_rules_are_shown_as_they_are(table: str) -> None:
    default = (ROOT / "src" / "adjudge" / "suites" / "service" / "lexicon" / table).read_text("utf-8")
    rules = "\n".join(line for line in default.splitlines() if not line.startswith("#")).strip()
    assert rules in (DOCS / "suites" / "service.md").read_text("utf-8")


@pytest.mark.parametrize("suite", ["service", "decision", "patient", "trip", "team"])
def test_the_readme_counts_the_metrics_of_each_suite(suite: str) -> None:
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    (row,) = [line for line in lines if line.startswith(f"| [`{suite}`]")]
    cards = [metric.card for metric in find_suite(suite).metrics()]
    assert f"[{len(cards)}](docs/reference/metrics/{suite}.md)" in row
    for tool, words in (("judge", "ask a judge"), ("embed", "embed texts")):
        if words in row:
            assert f" {sum(tool in card.needs for card in cards)} of them {words}" in row


@pytest.mark.parametrize("page", ["README.md", "docs/start/paper.md", "docs/start/product.md"])
def test_pages_count_the_formats_of_logs(page: str) -> None:
    assert f"[{len(FORMATS)} formats](" in (ROOT / page).read_text("utf-8")


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the generator and the pages that it writes."""
    copy = tmp_path_factory.mktemp("checkout") / "docs"
    copy.mkdir()
    shutil.copy(DOCS / "generate.py", copy)
    shutil.copytree(DOCS / "generators", copy / "generators")
    subprocess.run([sys.executable, copy / "generate.py"], check=True)
    return copy


def test_generated_pages_are_up_to_date(generated: Path) -> None:
    folders = [Path("reference") / name for name in ("metrics", "command-line", "files")]
    there, expected = (
        {
            page.relative_to(root): page.read_text("utf-8")
            for folder in folders
            for page in (root / folder).rglob("*.md")
        }
        for root in (DOCS, generated)
    )
    assert expected
    assert there == expected, "run `make docs`"


def test_a_missing_a_stale_and_a_left_over_page_are_named(generated: Path, tmp_path: Path) -> None:
    copy = tmp_path / "docs"
    shutil.copytree(generated, copy)
    (copy / "reference" / "metrics" / "service" / "inform.md").unlink()
    (copy / "reference" / "command-line" / "score.md").write_text("old")
    (copy / "reference" / "metrics" / "service" / "gone.md").write_text("left")

    done = subprocess.run([sys.executable, copy / "generate.py", "--check"], capture_output=True, text=True)

    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "docs/reference/metrics/service/inform.md: missing",
        "docs/reference/command-line/score.md: stale",
        "docs/reference/metrics/service/gone.md: left over, nothing generates it",
        "run `make docs` to fix them",
    ]


def test_relative_links_resolve() -> None:
    assert [fault for page in ALL_PAGES for fault in _dead_links(page)] == []


def _dead_links(page: Path) -> Iterator[str]:
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    for link in LINK.findall(text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, heading = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists():
            yield f"{name(page)}: {link}: no such file"
        elif heading and heading not in _headings(target):
            yield f"{name(page)}: {link}: no such heading"


@cache
def _headings(page: Path) -> set[str]:
    """The anchors of a page's headings."""
    titles = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_decision_is_in_their_index() -> None:
    index = (DOCS / "decisions" / "index.md").read_text("utf-8")
    for page in (DOCS / "decisions").glob("0*.md"):
        assert f"({page.name})" in index


@pytest.mark.parametrize("public", adjudge.__all__)
def test_every_public_name_is_in_the_reference(public: str) -> None:
    pages = [page.read_text("utf-8").splitlines() for page in (DOCS / "reference" / "python").glob("*.md")]
    assert sum(f"::: {getattr(adjudge, public).__module__}.{public}" in lines for lines in pages) == 1


def test_all_lists_the_public_names() -> None:
    source = ast.parse(Path(adjudge.__file__).read_text("utf-8"))
    imported = [
        alias.asname or alias.name
        for node in ast.walk(source)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("adjudge.")
        for alias in node.names
        if alias.name != "__version__"
    ]
    assert sorted(adjudge.__all__) == sorted(imported)


@pytest.mark.parametrize("public", adjudge.__all__)
def test_every_public_name_has_a_docstring(public: str) -> None:
    assert (getattr(adjudge, public).__doc__ or "").strip()


@pytest.mark.parametrize("public", adjudge.__all__)
def test_every_public_name_has_an_example_in_its_docstring(public: str) -> None:
    # The examples themselves run with the doctests of all modules.
    assert ">>> " in (getattr(adjudge, public).__doc__ or "")


def test_an_unknown_public_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Marks'"):
        adjudge.Marks  # noqa: B018
