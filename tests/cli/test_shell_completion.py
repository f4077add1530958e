from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudge.cli.main import VERBS, main

Complete = Callable[[Path, str], list[str]]


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the script of each shell."""
    folder = tmp_path_factory.mktemp("completion")
    for shell in ("bash", "zsh", "fish"):
        with (folder / shell).open("w") as file, pytest.MonkeyPatch.context() as patch:
            patch.setattr("sys.stdout", file)
            assert main(["completion", shell]) == 0
    return folder


def run_shell(shell: str, *arguments: str) -> str:
    path = shutil.which(shell)
    if path is None:
        pytest.skip(f"{shell} is not installed")
    return subprocess.run([path, *arguments], capture_output=True, text=True, check=True, timeout=60).stdout


def completed_by_bash(scripts: Path, line: str) -> list[str]:
    words = line.split(" ")
    setup = f"COMP_WORDS=({' '.join(words[:-1])} '{words[-1]}'); COMP_CWORD={len(words) - 1}"
    code = f"source '{scripts / 'bash'}'; {setup}; _adjudge; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    return run_shell("bash", "--norc", "-c", code).split()


def completed_by_fish(scripts: Path, line: str) -> list[str]:
    code = f"source '{scripts / 'fish'}'; complete -C '{line}'"
    return [row.split("\t")[0] for row in run_shell("fish", "--no-config", "-c", code).splitlines()]


@pytest.mark.parametrize("complete", [completed_by_bash, completed_by_fish])
def test_verbs_suites_options_and_their_words_are_completed(
    complete: Callable[[Path, str], list[str]], scripts: Path
) -> None:
    assert complete(scripts, "adjudge re") == ["report"]
    assert complete(scripts, "adjudge score pa") == ["patient"]
    assert complete(scripts, "adjudge score service --goa") == ["--goals"]
    assert "--goals" not in complete(scripts, "adjudge score patient --")
    assert complete(scripts, "adjudge score service --match lea") == ["leaderboard"]
    assert sorted(complete(scripts, "adjudge completion ")) == ["bash", "fish", "zsh"]


def test_every_verb_is_completed(scripts: Path) -> None:
    assert completed_by_bash(scripts, "adjudge ") == list(VERBS)


def test_zsh_takes_its_script(scripts: Path) -> None:
    run_shell("zsh", "-n", str(scripts / "zsh"))
    code = f"autoload -U compinit; compinit -u -D; source '{scripts / 'zsh'}'; print $_comps[adjudge]"

    assert run_shell("zsh", "-f", "-c", code).strip() == "_adjudge"


def test_files_are_completed_where_no_word_is_fixed(scripts: Path) -> None:
    assert completed_by_bash(scripts, "adjudge report ru") == []
    assert "complete -o default" in (scripts / "bash").read_text()


def test_an_unknown_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["completion", "tcsh"])

    assert stopped.value.code == 2
    assert "choose from" in capsys.readouterr().err
