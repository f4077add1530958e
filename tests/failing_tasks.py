"""Tasks of workers that fail, or end their process."""

from __future__ import annotations

import os
from pathlib import Path


def double(number: int) -> int:
    return 2 * number


def fail() -> float:
    return 1 / 0


def end_once(mark: str) -> str:
    if not Path(mark).exists():
        Path(mark).touch()
        os._exit(8)
    return "done"


def end_each_time(folder: str) -> None:
    Path(folder, f"try{os.getpid()}").touch()
    os._exit(9)
