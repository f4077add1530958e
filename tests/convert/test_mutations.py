"""Damaged files give no traceback, and nothing that they still hold is lost in silence."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from adjudge.convert.reading import CANNOT_BE_READ
from mutation import damage, lost_texts, read_file

LOGS = Path(__file__).parents[3] / "shared" / "data" / "logs"
REFUSED = (
    "LICENSE",
    "SOURCES",
    "console_",
    "voice_",
    "reasoning_streaming",
    "refusal_streaming",
    "strands_bedrock_spans",
)
FILES = [
    path
    for path in sorted(LOGS.glob("*/*"))
    if not path.name.startswith(REFUSED) and not path.name.endswith(".annotations.json")
]
# Small enough for the normal run; together they are of ten formats.
SMALL = 60_000


def check(files: list[Path], seeds: range, folder: Path) -> None:
    """Damage files and read them: an exception other than a refusal would fail here, and so does a silent loss."""
    rng = random.Random(len(seeds))
    for seed in seeds:
        path = rng.choice(files)
        kind, content = damage(path, seed)
        damaged = folder / path.name
        damaged.write_bytes(content)
        after = read_file(damaged)
        assert not any(CANNOT_BE_READ in text for text in after.complaints), f"{path.name}, seed {seed}, {kind}"
        lost = lost_texts(read_file(path), after, path.read_bytes(), content)
        assert not lost, f"{path.name}, seed {seed}, {kind}: {lost[0][:80]}"


@pytest.mark.skipif(not FILES, reason="no logs in the shared data")
def test_damaged_files_give_no_traceback_and_no_silent_loss(tmp_path: Path) -> None:
    check([path for path in FILES if path.stat().st_size < SMALL], range(40), tmp_path)


@pytest.mark.trial
@pytest.mark.skipif(not FILES, reason="no logs in the shared data")
def test_three_hundred_damaged_files_give_no_traceback_and_no_silent_loss(tmp_path: Path) -> None:
    check(FILES, range(1000, 1300), tmp_path)


def test_a_loss_is_found(tmp_path: Path) -> None:
    """The check itself: a reader that drops a message without a word would be noticed."""
    whole = b'[{"role": "user", "content": "This is a sentence that is long."}, {"role": "user", "content": "Short."}]'
    path = tmp_path / "chat.json"
    path.write_bytes(whole)
    before = read_file(path)
    path.write_bytes(b'[{"role": "user", "content": "Short."}]')
    assert lost_texts(before, read_file(path), whole, whole) == ["This is a sentence that is long."]
