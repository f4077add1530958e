from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudge.core.install import install_command

Install = Callable[[dict[str, object] | None], None]


@pytest.fixture
def installed_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """A function that makes this Python believe that adjudge was installed in some way."""

    def install(origin: dict[str, object] | None) -> None:
        info = tmp_path / "site" / "adjudge-9.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: adjudge\nVersion: 9\n")
        if origin is not None:
            (info / "direct_url.json").write_text(json.dumps(origin))
        monkeypatch.syspath_prepend(tmp_path / "site")

    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    return install


def test_from_an_index_the_extra_has_the_name_of_the_package(installed_from: Install) -> None:
    installed_from(None)

    assert install_command("judge") == "pip install 'adjudge[judge]'"


@pytest.mark.parametrize(("editable", "flag"), [(True, "-e "), (False, "")])
def test_from_a_checkout_the_extra_is_that_of_the_folder(
    installed_from, tmp_path: Path, editable: bool, flag: str
) -> None:
    checkout = tmp_path / "my code"
    checkout.mkdir()
    (checkout / "pyproject.toml").touch()
    installed_from({"url": checkout.as_uri(), "dir_info": {"editable": editable}})

    assert install_command("judge") == f"pip install {flag}'{checkout}[judge]'"


def test_a_checkout_that_is_gone_is_not_named(installed_from: Install, tmp_path: Path) -> None:
    installed_from({"url": (tmp_path / "gone").as_uri(), "dir_info": {}})

    assert install_command("embed") == "pip install 'adjudge[embed]'"


def test_another_python_is_named_by_its_path(installed_from: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    installed_from(None)
    monkeypatch.setenv("PATH", "")

    assert install_command("embed") == f"{sys.executable} -m pip install 'adjudge[embed]'"
