"""Cases that may be under a data use agreement: no model gets them unless the user has allowed it by name."""

from __future__ import annotations

from typing import Any

import pytest
from playing import lines, thinks

from adjudge.systems.service.cases import SAMPLE_DB
from tools.judge.chat_server import ChatServer, chat
from workspace import CommandResult, Workspace

GOAL = {"hotel": {"info": {"area": "east"}, "reqt": ["phone"]}}
CASE: dict[str, Any] = {"dialogue_id": "a1", "services": ["hotel"], "turns": [], "goal": GOAL}
PROTECTED = {
    "an identifier that the suite does not read": ("cases.jsonl", {**CASE, "hadm_id": 7}, "the field 'hadm_id'"),
    "the name of the file": ("mimic.jsonl", CASE, "the name 'mimic' of the file 'mimic.jsonl:1'"),
    "the id of the case": ("cases.jsonl", {**CASE, "dialogue_id": "hadm_28651902"}, "which looks like an admission"),
    "the name of the data set": ("cases.jsonl", {**CASE, "source": "MIMIC-IV"}, "the name 'MIMIC-IV'"),
}


def play(desk: Workspace, server: ChatServer, case: object, *more: object) -> CommandResult:
    server.script = lambda body, number: chat("no")
    own = ("--db", SAMPLE_DB, "--arm", f"mine=url:{server.url}@small")
    return desk.adjudge("play", "service", case, *own, "--no-score", "--max-turns", 2, "-o", desk.run, *more)


@pytest.mark.parametrize("sign", PROTECTED)
def test_a_case_that_looks_protected_is_sent_to_no_model(desk: Workspace, server: ChatServer, sign: str) -> None:
    name, case, why = PROTECTED[sign]

    done = play(desk, server, desk.write(name, (case,)))

    assert (done.code, server.bodies) == (3, [])
    assert f"warning: {case['dialogue_id']}: taken as credentialed because of " in done.err
    assert why in done.err
    assert "played 1 conversation with 1 turn (seed 0)" in done.out
    assert lines(desk.run / "ends.jsonl")[0]["end"]["status"] == "not_allowed"
    assert lines(desk.run / "conversations.jsonl")[0]["credentialed"] is True


def test_a_protected_case_goes_to_the_server_that_is_allowed(desk: Workspace, server: ChatServer) -> None:
    file = desk.write("mimic.jsonl", (CASE,))
    play(desk, server, file)

    # The same command with the permission plays what was held back.
    assert play(desk, server, file, "--allow-credentialed", server.url).code == 0
    assert len(server.bodies) == 1


def test_a_case_that_does_not_look_protected_is_sent(desk: Workspace, server: ChatServer) -> None:
    done = play(desk, server, desk.write("cases.jsonl", (CASE,)))

    assert (done.code, len(server.bodies)) == (0, 1)
    assert "credentialed" not in done.err


def test_cases_of_json_lines_are_recognised_too(desk: Workspace, server: ChatServer) -> None:
    server.script = thinks
    file = desk.write("cases.jsonl", ({"id": "n3", "number": 3, "hint": "taken from MIMIC-III"},))

    done = desk.adjudge("play", "guessing", file, "--arm", "thinking@small", "--model-url", server.url, "-o", desk.run)

    assert (done.code, server.bodies) == (3, [])
    assert "warning: n3: taken as credentialed because of the name 'MIMIC-III'" in done.err
