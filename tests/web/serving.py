"""A real server for tests, on a free port of this machine, asked as a browser or a stranger would ask it."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import msgspec
import uvicorn
from example_run import CARDS, make_run, manifest

from adjudge.core.mark import Mark, Score, ScoreRow
from adjudge.run import RECORDS
from adjudge.web.catalogue import Catalogue, make_id
from adjudge.web.security import Guard
from adjudge.web.server import Site, make_app


class Served:
    """A folder of runs that is being served."""

    def __init__(self, root: Path, port: int, guard: Guard) -> None:
        self.root, self.port, self.guard = root, port, guard
        self.address = f"http://127.0.0.1:{port}"

    def ask(self, path: str, method: str = "GET", body: str | None = None, **headers: str) -> tuple[HTTPResponse, str]:
        """The answer to a request and its text; names of headers are written with underscores."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            sent = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            return answer, answer.read().decode("utf-8", "replace")
        finally:
            connection.close()

    def page(self, path: str) -> str:
        """A page that is there."""
        answer, text = self.ask(path)
        assert answer.status == 200, (path, answer.status, text[:500])
        return text

    def run(self, name: str) -> str:
        """The address of a run."""
        return f"/run/{make_id(name)}"


@contextmanager
def serving(root: Path, token: str = "") -> Iterator[Served]:
    """Serve the runs below a folder."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        guard = Guard.of(root, "127.0.0.1", port, token)
        app = make_app(Site(Catalogue(root), guard))
        config = uvicorn.Config(app, log_level="error", access_log=False, lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield Served(root, port, guard)
        finally:
            server.should_exit = True
            thread.join(60)


def small_run(folder: Path, cases: int = 6, texts: tuple[str, str] = ("Hello, a pizza?", "Here you are.")) -> Path:
    """A run of two arms: in `b` every second case is wrong in its first turn."""
    rows, records = [], []
    for number in range(cases):
        for arm in ("a", "b"):
            wrong = arm == "b" and number % 2 == 0
            marks = [Mark(float(not wrong), "belief", "0", "gold west" if wrong else "", "hotel"), Mark(1.0, turn="2")]
            success = [] if number == 1 else [Mark(float(not wrong))]
            scores = {
                "joint_goal_accuracy": Score.of(marks),
                "hallucination": Score.of([Mark(0.25 if wrong else 0.0, turn="0")]),
                "intent_accuracy": Score.skip("no_prediction", "never predicts intents"),
                "success": Score.of(success),
                "turns_taken": Score.of([Mark(4.0)]),
            }
            rows.append(ScoreRow(f"c{number}", arm, scores, facets={"field": "odd" if number % 2 else "even"}))
            records.append(_record(f"c{number}", arm, texts, wrong))
    cards = {name: CARDS[name] for name in rows[0].scores}
    described = manifest(cards=cards, coverage=msgspec.convert({"arms": {"a": {}, "b": {}}}, type(manifest().coverage)))
    make_run(folder, rows, described)
    (folder / RECORDS).write_bytes(b"".join(msgspec.json.encode(record) + b"\n" for record in records))
    return folder


def _record(case: str, arm: str, texts: tuple[str, str], wrong: bool) -> dict[str, object]:
    asked, answered = texts
    turns = [
        {
            "id": "0",
            "speaker": "user",
            "text": f"{asked} It is {case}.",
            "predicted": {"area": "east" if wrong else "west"},
        },
        {"id": "1", "speaker": "system", "text": f"{answered} {'In the east.' if wrong else 'In the west.'}"},
        {"id": "2", "speaker": "user", "text": "Thank you."},
        {"id": "3", "speaker": "system", "text": "Goodbye."},
    ]
    people = [{"id": "user", "role": "customer", "kind": "simulated"}, {"id": "system", "role": "assistant"}]
    return {"id": case, "case": case, "arm": arm, "participants": people, "turns": turns}
