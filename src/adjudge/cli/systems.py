"""Systems as `adjudge list` and `adjudge describe` show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.core.errors import BadInput, did_you_mean

if TYPE_CHECKING:
    from rich.console import Console

    from adjudge.core.system import Setup, SystemCard


def print_systems(suite: str, console: Console) -> None:
    """Print the systems of a suite; nothing where it cannot be played."""
    from rich.table import Column, Table

    from adjudge.play.registry import find_setup, find_systems, setup_names

    if suite not in setup_names():
        return
    table = Table(Column("system", overflow="fold"), "plays", "parts", "what it is", box=None, pad_edge=False)
    for name, system in find_systems(find_setup(suite)).items():
        card = system.card
        table.add_row(name, ", ".join(card.plays), ", ".join(card.parts), card.title + _asks_note(card))
    console.print()
    console.print(table)
    console.print(f"adjudge play {suite} --arm SYSTEM plays one; adjudge describe {suite}/SYSTEM describes it")


def _asks_note(card: SystemCard) -> str:
    if not card.asks:
        return ""
    return " (asks a model)" if set(card.asks) - set(card.by_rule) else " (asks a model where one is named)"


def system_lines(name: str) -> list[str]:
    """All that can be said about the system `SUITE/NAME`."""
    from adjudge.play.registry import find_setup, find_systems

    suite, _, system = name.partition("/")
    setup = find_setup(suite)
    systems = find_systems(setup)
    if system not in systems:
        hint = did_you_mean(system, systems)
        raise BadInput(f"no system {system!r} in suite {suite!r}{hint} (adjudge list {suite})")
    return _card_lines(setup, systems[system].card)


def _card_lines(setup: Setup, card: SystemCard) -> list[str]:
    required = f"cannot do without {', '.join(card.fixed)}" if card.fixed else ""
    facts = {
        "suite": card.suite,
        "plays": ", ".join(card.plays),
        "parts": ", ".join(card.parts),
        "leave out": _without_example(card),
        "required": required,
        "asks": f"{', '.join(card.asks)} ask a model" if card.asks else "no model",
        "by rule": f"{', '.join(card.by_rule)} where no model is named" if card.by_rule else "",
        "prompts": _prompt_files(setup, card),
        "source": card.source,
        "version": str(card.version),
    }
    body = [f"  {name:<9} {fact}" for name, fact in facts.items() if fact]
    notes = ["", *(f"  {line}".rstrip() for line in card.notes.splitlines())] if card.notes else []
    return [f"{card.suite}/{card.name}", f"  {card.title}", "", *body, *notes]


def _without_example(card: SystemCard) -> str:
    parts = [part for part in card.parts if part not in card.fixed]
    return f"--arm {card.name}-{parts[0]} plays it without {parts[0]}" if parts else ""


def _prompt_files(setup: Setup, card: SystemCard) -> str:
    """The prompt files of a system, one under the other."""
    if setup.prompts is None:
        return ""
    return "\n            ".join(str(setup.prompts / f"{name}.md") for name in card.prompts)
