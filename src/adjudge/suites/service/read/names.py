"""How files name dialogues, slots and arms."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import PurePath

from adjudge.core.errors import BadInput

ENDINGS = (".gz", ".zip", ".json", ".jsonl")


def dialogue_key(id: str) -> str:
    """The id as prediction files write it: lower case, without `.json`.

    >>> dialogue_key("SNG0073.json")
    'sng0073'
    """
    return id.lower().removesuffix(".json")


@lru_cache(maxsize=1 << 14)
def slot_key(domain: str, slot: str) -> str:
    """The full name of a slot: domain and slot without case, blanks and underscores.

    >>> slot_key("taxi", "leave at"), slot_key("events_1", "event_name")
    ('taxi-leaveat', 'events_1-eventname')
    """
    slot = slot.lower().replace(" ", "").replace("_", "")
    return slot if slot.startswith(f"{domain}-") else f"{domain}-{slot}"


def slot_map(arguments: Iterable[str]) -> dict[str, str]:
    """The renaming in `--map old=new` arguments.

    >>> slot_map(["people=bookpeople", "hotel-day=hotel-bookday"])
    {'people': 'bookpeople', 'hotel-day': 'hotel-bookday'}
    """
    renames: dict[str, str] = {}
    for pair in arguments:
        old, sign, new = pair.partition("=")
        if not (old and sign and new) or ("-" in old) != ("-" in new):
            raise BadInput(
                f"--map {pair}: expected old=new, both with or both without their domain, such as people=bookpeople"
            )
        renames[old] = new
    return renames


def arm_name(path: str) -> str:
    """The name of an arm: its file's name without endings.

    >>> arm_name("predictions/ubar.json.gz"), arm_name("gpt-3.5.jsonl")
    ('ubar', 'gpt-3.5')
    """
    name = PurePath(path).name
    while (suffix := PurePath(name).suffix) in ENDINGS:
        name = name.removesuffix(suffix)
    return name
