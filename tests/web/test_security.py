"""Who may ask the server for what."""

from __future__ import annotations

from pathlib import Path

import pytest
from serving import Served, serving

from adjudge.cli.main import main
from adjudge.web.security import Guard

FORM = "application/x-www-form-urlencoded"


def test_every_answer_carries_the_headers_that_lock_the_page(served: Served) -> None:
    for path in ("/", served.run("small"), "/static/view.css", "/nothing", "/run/../../etc/passwd"):
        answer, _ = served.ask(path)
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'")
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in answer.headers
        assert "server" not in answer.headers or "uvicorn" in answer.headers["server"]


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1.evil.example", "localhost:1", "", "a\tb"])
def test_a_foreign_name_is_refused(served: Served, host: str) -> None:
    assert served.ask("/", host=host)[0].status in (400, 421)


def test_the_names_of_this_machine_are_answered(served: Served) -> None:
    for name in ("127.0.0.1", "localhost", "[::1]", "LOCALHOST"):
        assert served.ask("/", host=f"{name}:{served.port}")[0].status == 200


@pytest.mark.parametrize(
    "path",
    [
        "/run/..%2f..%2fetc",
        "/run/%2e%2e/conversations",
        "/run/small",
        "/run/small-000000",
        "/static/../server.py",
        "/static/..%2fserver.py",
        "/static/view.py",
        "/run/{run}/c/12",
        "/run/{run}/c/-1",
        "/run/{run}/c/99999999999999999999",
        "/run/{run}/c/abc",
    ],
)
def test_only_ids_of_what_is_there_lead_anywhere(served: Served, path: str) -> None:
    answer, text = served.ask(path.replace("/run/{run}", served.run("small")))
    assert answer.status == 404
    assert "root:" not in text


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"content_type": FORM, "origin": "https://evil.example"}, 403),
        ({"content_type": FORM, "origin": "null"}, 403),
        ({"content_type": FORM, "sec_fetch_site": "cross-site"}, 403),
        ({"content_type": FORM, "sec_fetch_site": "same-site"}, 403),
        ({"content_type": FORM}, 403),
        ({"content_type": "text/plain", "sec_fetch_site": "same-origin"}, 415),
        ({"content_type": "multipart/form-data", "sec_fetch_site": "same-origin"}, 415),
    ],
)
def test_writes_from_elsewhere_are_refused(served: Served, headers: dict[str, str], status: int) -> None:
    answer, _ = served.ask(f"{served.run('small')}/label", "POST", "a=b", **headers)
    assert answer.status == status


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"])
def test_other_methods_are_refused(served: Served, method: str) -> None:
    assert served.ask("/", method)[0].status == 405


def test_a_user_token_is_asked_for_and_kept_in_a_cookie(runs: Path) -> None:
    with serving(runs, token="geheim") as served:
        assert served.ask("/")[0].status == 401
        assert served.ask("/?token=wrong")[0].status == 401
        answer, _ = served.ask("/?token=geheim&sort=name")
        assert answer.status == 303
        assert answer.headers["location"] == "/?sort=name"
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "samesite=strict" in cookie.lower()
        assert served.ask("/", cookie=cookie.split(";")[0])[0].status == 200


def test_another_host_is_refused_without_a_token(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", str(runs), "--host", "0.0.0.0", "--no-open"]) == 2
    assert "expected --token as well" in capsys.readouterr().err


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", str(tmp_path / "nowhere"), "--no-open"]) == 2
    assert "no such folder" in capsys.readouterr().err


def test_the_token_of_pages_survives_a_restart_and_differs_between_folders(tmp_path: Path) -> None:
    first, again = (Guard.of(tmp_path, "127.0.0.1", port) for port in (1, 2))
    other = Guard.of(tmp_path / "other", "127.0.0.1", 1)
    assert first.page_token == again.page_token != other.page_token
    assert first.accepts(again.page_token)
    assert not first.accepts("é")


@pytest.mark.parametrize("port", [99_999, -1])
def test_a_port_that_cannot_be_is_refused_in_a_sentence(
    runs: Path, capsys: pytest.CaptureFixture[str], port: int
) -> None:
    assert main(["view", str(runs), "--no-open", "--port", str(port)]) == 2
    assert f"--port {port}: " in capsys.readouterr().err


def test_a_port_that_is_taken_is_refused_in_a_sentence(
    served: Served, runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["view", str(runs), "--no-open", "--port", str(served.port)]) == 2
    assert "name another, or none to take a free one" in capsys.readouterr().err
