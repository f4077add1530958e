"""The sample of the service suite, played offline: arms that meet the same goals can be compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudge.cli.main import main
from workspace import Workspace


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("service") / "run"
    assert main(["play", "service", "--arm", "rules", "--arm", "rules-memory", "-o", str(folder), "-q"]) == 0
    return folder


def test_arms_that_were_played_on_the_same_cases_are_compared(run: Path, desk: Workspace) -> None:
    compared = desk.adjudge("compare", run, "--metrics", "success")

    assert compared.code == 0, compared.err
    assert "rules" in compared.out


def test_a_user_may_be_named_by_its_model_alone(desk: Workspace) -> None:
    arguments = (
        "--user",
        "openai:gpt-4.1-mini",
        "--model-url",
        "http://127.0.0.1:1/v1",
        "--arm",
        "rules",
        "--limit",
        1,
    )

    done = desk.adjudge("play", "service", *arguments, "--estimate")

    assert done.code == 0, done.err
    assert "rules, openai:gpt-4.1-mini: about" in done.out
