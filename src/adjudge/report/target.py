"""The file that a report goes to: written completely or not at all, and never over a file of the run."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from adjudge.core.errors import BadInput
from adjudge.run import MANIFEST, RECORDS, SCORES, Run, write_whole


def format_of(target: Path, formats: Collection[str]) -> str:
    """The ending of the file's name, which names the format; raises BadInput for an unknown one."""
    ending = target.suffix.lower()
    if ending not in formats:
        problem = f"format {ending!r}" if ending else "ending that names a format"
        raise BadInput(f"{target}: no {problem}; expected a name that ends in {_alternatives(formats)}")
    return ending


def write_target(target: Path, content: bytes, runs: Iterable[Run]) -> None:
    """Write a report of runs to a file."""
    for run in runs:
        refuse_run_files(run, target)
    with bad_input_on_failure(target):
        write_whole(target, content)


def refuse_run_files(run: Run, target: Path) -> None:
    """Refuse to write over the files that a run is made of."""
    own = [(run.folder / name).resolve() for name in (MANIFEST, RECORDS, SCORES)]
    if target.resolve() in own:
        raise BadInput(f"{target}: belongs to the run itself; choose another name")


@contextmanager
def bad_input_on_failure(target: Path) -> Iterator[None]:
    """Make the folders of a file, and raise BadInput with the reason where it cannot be written."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise BadInput(f"{target}: cannot be written ({error.strerror or error}); choose another place") from error


def _alternatives(endings: Collection[str]) -> str:
    *most, last = endings
    return f"{', '.join(most)} or {last}" if most else last
