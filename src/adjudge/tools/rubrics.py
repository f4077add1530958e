"""Rubrics: the instructions to a judge, as Markdown files that users can replace."""

from __future__ import annotations

import hashlib
from pathlib import Path

from adjudge.core.errors import BadInput


class Rubrics:
    """The rubrics of a suite by name; a file of the same name in the user's own folder replaces one."""

    def __init__(self, folder: Path, own: Path | None = None) -> None:
        known = sorted(path.name for path in folder.glob("*.md"))
        if own is not None and not any((own / name).is_file() for name in known):
            raise BadInput(f"{own}: none of this suite's rubrics is there; expected one or more of {', '.join(known)}")
        self._texts = {
            name.removesuffix(".md"): _read(own / name if own is not None and (own / name).is_file() else folder / name)
            for name in known
        }

    def text(self, name: str) -> str:
        """The rubric of a name."""
        return self._texts[name]

    @property
    def identity(self) -> str:
        """A hash over all rubrics, since other rubrics give other scores."""
        digest = hashlib.sha256()
        for name, text in sorted(self._texts.items()):
            digest.update(f"{name}\0{text}\0".encode())
        return digest.hexdigest()[:16]


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: cannot be read as a rubric ({error}); expected Markdown in UTF-8") from error
