"""Where a report goes: a file that is there whole or not at all, and never one of the run's own."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from adjudge.core.errors import BadInput
from adjudge.run import MANIFEST, RECORDS, SCORES, Run


def ending(target: Path, known: Collection[str]) -> str:
    """The ending of the file's name, which names the format; raises BadInput for one not known."""
    found = target.suffix.lower()
    if found not in known:
        form = f"format {found!r}" if found else "ending that names a format"
        raise BadInput(f"{target}: no {form}; expected a name that ends in {_listed(known)}")
    return found


def guard(run: Run, target: Path) -> None:
    """Refuse to write over what the run is made of."""
    own = [(run.folder / name).resolve() for name in (MANIFEST, RECORDS, SCORES)]
    if target.resolve() in own:
        raise BadInput(f"{target}: belongs to the run itself; choose another name")


@contextmanager
def complaints(target: Path) -> Iterator[None]:
    """Make the folders of a file, and say as BadInput why it cannot be written."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise BadInput(f"{target}: cannot be written ({error.strerror or error}); choose another place") from error


def _listed(known: Collection[str]) -> str:
    *most, last = known
    return f"{', '.join(most)} or {last}" if most else last
