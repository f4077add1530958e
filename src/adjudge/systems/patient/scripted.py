"""The rule-based patients: one who follows its profile and persona, and one who lies about some profile items."""

from __future__ import annotations

from random import Random

from msgspec import structs

from adjudge.core.play import Decision, Said, View
from adjudge.core.system import Cast, system
from adjudge.suites.patient.data import NO_PERSONA, Persona
from adjudge.systems.patient.answers import AnswerFacts, find_answer
from adjudge.systems.patient.data import Lie, PatientBrief, PatientFacts
from adjudge.systems.patient.lies import choose_lies
from adjudge.systems.patient.memory import PatientMemory, begin_memory
from adjudge.systems.patient.topics import facts_of
from adjudge.systems.patient.wording import daze, read_out, speak

SOURCE = "Kyung et al. 2025, PatientSim: personas of simulated patients; by rule, our own"
PARTS = ("persona", "realiser")


@system("patient", plays=("patient",), source=SOURCE, parts=PARTS)
def scripted() -> Cast:
    """A rule-based patient who answers questions in the first person, as its persona would.

    Low recall forgets most of history, medicines, devices and family. A pleasing patient understates, an overanxious
    one overstates, a distrustful one withholds personal matters, an impatient one complains and cuts short, a verbose
    one adds. The level of language limits the words of a sentence. A dazed patient finds its bearings by a step every
    four or five replies. Without `persona` it is plain, remembers all and is clear; without `realiser` it reads its
    profile out as somebody else wrote it.
    """
    return Cast({"patient": reply})


@system("patient", plays=("patient",), source=SOURCE, parts=PARTS)
def liar() -> Cast:
    """The rule-based patient, but it lies about some items of its profile (`--lies`, default 3).

    The lies are drawn by case and noted as facts of the turn in which they are told. They show what the checks for
    contradictions find.
    """
    return Cast({"patient": reply_with_lies})


def reply(view: View[PatientMemory], parts: frozenset[str], rng: Random) -> Said[PatientMemory]:
    """One turn of the patient."""
    persona = _persona(view.facts, parts)
    memory = view.notes or begin_memory(facts_of(view.facts.profile), persona, (), rng)
    return _take_turn(view, persona, memory, parts, rng)


def reply_with_lies(view: View[PatientMemory], parts: frozenset[str], lies: int, rng: Random) -> Said[PatientMemory]:
    """One turn of the patient who lies."""
    persona = _persona(view.facts, parts)
    if view.notes is None:
        chosen = choose_lies(view.facts.profile, persona, lies, rng)
        memory = begin_memory(facts_of(_with_lies(view.facts, chosen)), persona, chosen, rng)
    return _take_turn(view, persona, view.notes or memory, parts, rng)


def _take_turn(
    view: View[PatientMemory], persona: Persona, memory: PatientMemory, parts: frozenset[str], rng: Random
) -> Said[PatientMemory]:
    level = memory.confusion(persona)
    after = structs.replace(memory, replies=memory.replies + 1)
    if level == "high":
        return Said(daze(level, rng), notes=after, decisions=(Decision("persona", "dazed: answers nothing"),))
    facts = facts_of(_with_lies(view.facts, memory.lies))
    question = view.turns[-1].text if view.turns else ""
    answer = find_answer(question, facts, persona, memory)
    if "realiser" in parts:
        text = speak(answer, view.facts.profile.get("gender", ""), persona, level, rng)
    else:
        text = read_out(answer, rng)
    disclosed = (*memory.disclosed, *(place for place in answer.places if place not in memory.disclosed))
    return Said(text, facts=_facts(answer, memory.lies), notes=structs.replace(after, disclosed=disclosed))


def _facts(answer: AnswerFacts, lies: tuple[Lie, ...]) -> PatientFacts:
    items = tuple(dict.fromkeys(fact.item for fact in answer.facts))
    return PatientFacts(items, answer.withheld, tuple(lie for lie in lies if lie.item in items))


def _with_lies(brief: PatientBrief, lies: tuple[Lie, ...]) -> dict[str, str]:
    return {**brief.profile, **{lie.item: lie.stated for lie in lies}}


def _persona(brief: PatientBrief, parts: frozenset[str]) -> Persona:
    return brief.persona if "persona" in parts else NO_PERSONA
