"""Proxies of the environment, with a real proxy that notes what passes through it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from chat_server import ChatServer, chat
from judging import Verdict, answer, client_of, verdict

from adjudge.cli.main import main
from adjudge.core.errors import BadInput
from adjudge.suites.service import suite
from adjudge.tools.proxy import proxy_for

QUALITY = {"correctness": 4, "completeness": 4, "clarity": 5, "policy_adherence": 5, "overall": 4}
VARIABLES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def proxy() -> Iterator[ChatServer]:
    running = ChatServer()
    running.script = lambda body, number: chat(verdict())
    yield running
    running.stop()


def address(server: ChatServer) -> str:
    return server.url.removesuffix("/v1")


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "LOCALHOST", "localhost.", "judge.localhost", "localhost.localdomain"),
        *("127.0.0.1", "127.8.9.10", "127.1", "0x7f.1", "2130706433", "0177.0.0.1", "0.0.0.0"),
        *("[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::]"),
    ],
)
@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
def test_this_machine_is_reached_without_a_proxy(host: str, variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, "http://proxy.example:3128")
    assert proxy_for(f"http://{host}:8000/v1") is None


@pytest.mark.parametrize(
    "host", ["127.0.0.1.example", "localhost.example", "128.0.0.1", "mylocalhost", "[2001:db8::1]", "10.0.0.1"]
)
def test_everything_else_goes_through_the_proxy(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "proxy.example:3128")
    assert proxy_for(f"http://{host}:8000/v1") == "http://proxy.example:3128"


@pytest.mark.parametrize(
    ("exempt", "host", "direct"),
    [
        ("judge.example", "judge.example", True),
        ("judge.example:8000", "judge.example", True),
        ("judge.example:9000", "judge.example", False),
        (".example", "judge.example", True),
        ("other, example", "judge.example", True),
        ("*", "judge.example", True),
        ("10.0.0.0/8", "10.1.2.3", True),
        ("10.0.0.0/8", "11.1.2.3", False),
        ("10.1.2.3", "10.1.2.3", True),
        ("2001:db8::/32", "[2001:db8::1]", True),
        ("", "judge.example", False),
    ],
)
def test_no_proxy_is_obeyed(exempt: str, host: str, direct: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.example:3128")
    monkeypatch.setenv("NO_PROXY", exempt)
    assert (proxy_for(f"http://{host}:8000/v1") is None) is direct


def test_a_proxy_that_is_not_supported_is_refused_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://ann:secret@proxy.example:1080")
    with pytest.raises(BadInput, match=r"socks5://proxy\.example:1080 .* 'socks5' is not supported") as refused:
        proxy_for("https://judge.example/v1")
    assert "secret" not in str(refused.value)


def test_a_server_of_this_machine_is_asked_directly(
    server: ChatServer, proxy: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, address(proxy))
    server.script = lambda body, number: chat(verdict())
    for host in ("127.0.0.1", "localhost"):
        assert answer(client_of(server.url.replace("127.0.0.1", host))) == Verdict("fine", 4)
    assert (len(server.bodies), len(proxy.bodies)) == (2, 0)


def test_another_server_is_asked_through_the_proxy(proxy: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", address(proxy))
    assert answer(client_of("http://judge.example/v1")) == Verdict("fine", 4)
    assert proxy.headers[0]["Host"] == "judge.example"


JUDGE = "http://judge.example/v1"


@pytest.mark.parametrize("allows_proxy", [False, True])
def test_a_proxy_gets_credentialed_records_only_if_it_is_allowed(
    proxy: ChatServer,
    allows_proxy: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HTTP_PROXY", address(proxy).replace("//", "//ann:secret@"))
    proxy.script = lambda body, number: chat(json.dumps({"reasoning": "fine", **QUALITY}))
    record = {**json.loads(suite.sample.read_text("utf-8").splitlines()[0]), "credentialed": True}
    Path("held.jsonl").write_text(json.dumps(record), "utf-8")
    allowed = ["--allow-credentialed", JUDGE, *(["--allow-credentialed", address(proxy)] if allows_proxy else [])]
    options = ["--only", "response_quality", "--judge", "small", "--judge-url", JUDGE, *allowed, "-o", "run"]
    assert main(["score", "service", "held.jsonl", *options]) == (0 if allows_proxy else 3)
    printed = capsys.readouterr()
    assert f"questions to the judge small go to {JUDGE} through the proxy {address(proxy)}\n" in printed.err
    assert bool(proxy.bodies) is allows_proxy
    assert (f"not sent through the proxy {address(proxy)}" in printed.out.replace("\n", " ")) is not allows_proxy
    assert "secret" not in printed.out + printed.err
