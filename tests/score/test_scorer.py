"""The scorer: metrics that ask, tools that answer, and what goes wrong on the way."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator
from threading import Event
from typing import Any

import pytest

from adjudge.core.ask import About, Embedder, Judge, Question, Reply
from adjudge.core.card import Metric, metric
from adjudge.core.errors import Unanswered
from adjudge.core.mark import Mark, Score
from adjudge.core.record import Key, Record
from adjudge.core.suite import Missing
from adjudge.score import IN_FLIGHT, Scorer

FACTS: dict[str, Any] = {"formula": "as given", "unit": "record", "better": "higher", "source": "this test"}


class Bench:
    """An answerer that answers in bulk what it was asked; `order` chooses whose answers come first."""

    def __init__(
        self, answer: Callable[[Any], object], order: Callable[[Any], Any] | None = None, at_once: int = 1000
    ) -> None:
        self.answer = answer
        self.order = order
        self.at_once = at_once
        self.calls: list[list[Hashable]] = []
        self.waiting: list[Hashable] = []

    def ask(self, requests: Iterable[Hashable], asker: str = "") -> None:
        batch = list(requests)
        self.calls.append(batch)
        self.waiting += batch

    def wait(self) -> Iterator[tuple[Hashable, Reply]]:
        if self.order:
            self.waiting.sort(key=self.order)
        ready, self.waiting = self.waiting[: self.at_once], self.waiting[self.at_once :]
        assert ready, "waited for nothing"
        for request in ready:
            yield request, Reply(self.answer(request))

    @property
    def asked(self) -> list[Hashable]:
        return [request for batch in self.calls for request in batch]


def length(text: str) -> list[float]:
    return [float(len(text))]


@metric("L", scale=(0.0, None), **FACTS)
def id_length(record: Record, embed: Embedder) -> Iterable[Mark]:
    """How long is the id?"""
    (vector,) = embed([record.id])
    yield Mark(vector[0])


@metric("T", scale=(0.0, None), **FACTS)
def twice(record: Record, embed: Embedder) -> Iterable[Mark]:
    """How long are the id and the case?"""
    yield from [Mark(vector[0]) for vector in embed([record.id, record.case, record.id])]


@metric("V", **FACTS)
def verdict(record: Record, judge: Judge) -> Iterable[Mark]:
    """What does the judge say?"""
    (value,) = judge([Question(record.id, float)])
    yield Mark(value)


@metric("C", scale=(0.0, None), **FACTS)
def chain(record: Record, judge: Judge) -> Iterable[Mark]:
    """What does the judge say to its own answer?"""
    (first,) = judge([Question(record.id, str)])
    (second,) = judge([Question(first, str)])
    yield Mark(float(len(second)))


@metric("P", **FACTS)
def plain(record: Record) -> Iterable[Mark]:
    """Is there a record?"""
    yield Mark(1.0)


def ids(*names: str) -> list[Record]:
    return [Record(id=name) for name in names]


def score(metrics: list[Metric], records: list[Record], **tools: object) -> dict[str, dict[str, Score]]:
    return {record.id: scores for record, scores in Scorer(metrics, tools, {}).score(records)}


def status(outcome: Score) -> tuple[str, str]:
    assert outcome.skipped is not None
    assert (outcome.value, outcome.n, outcome.marks) == (None, 0, ())
    return outcome.skipped.status, outcome.skipped.why


def test_answers_are_asked_for_in_bulk_and_without_repetition() -> None:
    bench = Bench(length)
    scores = score([twice], [Record(id="abc", case="x")], embed=bench)
    assert [mark.value for mark in scores["abc"]["twice"].marks] == [3.0, 1.0, 3.0]
    assert [sorted(map(str, call)) for call in bench.calls] == [["abc", "x"]]


def test_two_metrics_that_ask_the_same_share_one_call() -> None:
    bench = Bench(length)
    scores = score([id_length, twice], [Record(id="abc", case="x")], embed=bench)
    assert (scores["abc"]["id_length"].value, scores["abc"]["twice"].n) == (3.0, 3)
    assert sorted(map(str, bench.asked)) == ["abc", "x"]


def test_two_records_in_flight_that_ask_the_same_share_one_call() -> None:
    bench = Bench(length)
    records = [Record(id="a", case="same"), Record(id="b", case="same")]
    scores = score([twice], records, embed=bench)
    assert sorted(map(str, bench.asked)) == ["a", "b", "same"]
    assert [scores[name]["twice"].marks[1].value for name in "ab"] == [4.0, 4.0]


@metric("G", **FACTS)
def greeting(record: Record, judge: Judge) -> Iterable[Mark]:
    """Is the greeting polite?"""
    (value,) = judge([Question("Polite?", float, about=(About("score", record.key),))])
    yield Mark(value)


def test_a_judge_is_told_what_each_of_two_equal_questions_is_about() -> None:
    labels = {Key("a", ""): 1.0, Key("b", ""): 0.0}
    bench = Bench(lambda question: labels[question.about[0].record])
    scores = score([greeting], ids("a", "b"), judge=bench)
    assert [scores[name]["greeting"].value for name in "ab"] == [1.0, 0.0]
    assert len(set(bench.asked)) == 1


def test_the_same_prompt_with_another_type_of_answer_is_another_question() -> None:
    @metric("I", scale=(0.0, None), **FACTS)
    def whole(record: Record, judge: Judge) -> Iterable[Mark]:
        """What does the judge say in whole numbers?"""
        yield Mark(float(judge([Question(record.id, int)])[0]))

    bench = Bench(lambda question: 0.5 if question.answer is float else 1)
    scores = score([verdict, whole], ids("a"), judge=bench)
    assert len(bench.asked) == 2
    assert (scores["a"]["verdict"].value, scores["a"]["whole"].value) == (0.5, 1.0)


def test_a_metric_may_ask_on_from_an_answer() -> None:
    bench = Bench(lambda question: question.prompt + "!")
    assert score([chain], ids("why"), judge=bench)["why"]["chain"].value == 5.0
    assert bench.calls == [[Question("why", str)], [Question("why!", str)]]


def test_a_record_whose_answers_are_ready_does_not_wait_for_another() -> None:
    bench = Bench(length, order=lambda text: (text == "slow", text), at_once=1)
    records = ids("slow", "b", "a")
    assert [record.id for record, _ in Scorer([id_length], {"embed": bench}, {}).score(records)] == ["a", "b", "slow"]


def test_a_record_that_asks_nothing_comes_at_once() -> None:
    @metric("S", scale=(0.0, None), **FACTS)
    def some(record: Record, embed: Embedder) -> Iterable[Mark]:
        """How long is the id, if it is asked for?"""
        if record.id != "free":
            yield Mark(embed([record.id])[0][0])

    scored = Scorer([some], {"embed": Bench(length)}, {}).score(ids("a", "free"))
    assert [record.id for record, _ in scored] == ["free", "a"]


def test_a_long_chain_does_not_hold_up_others() -> None:
    bench = Bench(lambda question: question.prompt + "!", order=lambda question: len(question.prompt), at_once=1)

    @metric("S", scale=(0.0, None), **FACTS)
    def chain_length(record: Record, judge: Judge) -> Iterable[Mark]:
        """How far does the chain go?"""
        text = record.id
        for _ in range(3 if record.id == "a" else 1):
            (text,) = judge([Question(text, str)])
        yield Mark(float(len(text)))

    scored = Scorer([chain_length], {"judge": bench}, {}).score(ids("a", "bb"))
    assert [(record.id, scores["chain_length"].value) for record, scores in scored] == [("bb", 3.0), ("a", 4.0)]


class Slow(Bench):
    """An answerer that answers only when it is released, at the latest after a minute."""

    def __init__(self, answer: Callable[[Any], object]) -> None:
        super().__init__(answer)
        self.released = Event()

    def wait(self) -> Iterator[tuple[Hashable, Reply]]:
        self.released.wait(60.0)
        yield from super().wait()


@metric("E", **FACTS)
def either(record: Record, embed: Embedder, judge: Judge) -> Iterable[Mark]:
    """What does the tool say that the record names?"""
    yield Mark(embed([record.id])[0][0] if record.id == "embed" else judge([Question(record.id, float)])[0])


def test_a_slow_tool_does_not_hold_up_records_that_wait_for_another() -> None:
    answers: dict[str, Callable[[Any], object]] = {"embed": lambda text: [1.0], "judge": lambda question: 1.0}
    orders = []
    for slow, fast in (("embed", "judge"), ("judge", "embed")):
        late = Slow(answers[slow])
        for record, _ in Scorer([either], {slow: late, fast: Bench(answers[fast])}, {}).score(ids(slow, fast)):
            orders.append(record.id)
            late.released.set()
    assert orders == ["judge", "embed", "embed", "judge"]


def test_only_so_many_records_are_in_flight_at_a_time() -> None:
    read = 0

    def endless() -> Iterator[Record]:
        nonlocal read
        while True:
            read += 1
            yield Record(id=str(read))

    scored = Scorer([id_length], {"embed": Bench(length)}, {}).score(endless())
    next(scored)
    assert read == IN_FLIGHT


def test_a_failure_skips_the_score_that_asked_with_its_status_and_no_other() -> None:
    bench = Bench(lambda question: Unanswered("refusal", "would not say") if question.prompt == "b" else 0.5)
    scores = score([plain, verdict], ids("a", "b", "c"), judge=bench)
    assert status(scores["b"]["verdict"]) == ("refusal", "would not say")
    assert [scores[name]["verdict"].value for name in "ac"] == [0.5, 0.5]
    assert [scores[name]["plain"].value for name in "abc"] == [1.0] * 3


def test_one_failure_among_the_answers_of_a_metric_skips_its_score() -> None:
    bench = Bench(lambda text: Unanswered("timeout", "took too long") if text == "x" else length(text))
    scores = score([twice, id_length], [Record(id="abc", case="x")], embed=bench)["abc"]
    assert status(scores["twice"]) == ("timeout", "took too long")
    assert scores["id_length"].value == 3.0


def test_a_metric_may_do_without_an_answer_it_does_not_get() -> None:
    @metric("D", **FACTS)
    def forgiving_verdict(record: Record, judge: Judge) -> Iterable[Mark]:
        """Does the judge agree, as far as it says?"""
        try:
            yield Mark(judge([Question(record.id, float)])[0])
        except Unanswered:
            return

    bench = Bench(lambda question: Unanswered("refusal", "no"))
    outcome = score([forgiving_verdict], ids("a"), judge=bench)["a"]["forgiving_verdict"]
    assert (outcome.value, outcome.skipped) == (None, None)


def test_a_metric_that_crashes_is_an_error_and_others_go_on() -> None:
    @metric("B", **FACTS)
    def failing_metric(record: Record) -> Iterable[Mark]:
        """Does it work?"""
        yield Mark(1 / 0)

    scores = score([failing_metric, plain], ids("a"))["a"]
    assert status(scores["failing_metric"]) == ("error", "failing_metric failed: ZeroDivisionError: division by zero")
    assert scores["plain"].value == 1.0


def test_a_metric_that_crashes_after_an_answer_is_an_error() -> None:
    @metric("B", **FACTS)
    def failing_metric(record: Record, judge: Judge) -> Iterable[Mark]:
        """Does it work?"""
        (answer,) = judge([Question(record.id, float)])
        yield Mark(answer.no_such_thing)  # type: ignore[attr-defined]

    scores = score([failing_metric, verdict], ids("a"), judge=Bench(lambda question: 0.5))["a"]
    assert status(scores["failing_metric"])[0] == "error"
    assert scores["verdict"].value == 0.5


def given_marks(*marks: Mark, scale: tuple[float | None, float | None] = (0.0, 1.0)) -> Score:
    @metric("G", scale=scale, **FACTS)
    def given_values(record: Record) -> Iterable[Mark]:
        """What is given?"""
        return marks

    return score([given_values], ids("a"))["a"]["given_values"]


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, -0.1, 1.1])
def test_a_value_outside_the_scale_is_an_error(value: float) -> None:
    assert status(given_marks(Mark(value))) == (
        "error",
        f"given_values failed: ValueError: value {value!r} is outside the scale 0.0 to 1.0",
    )


def test_a_mark_outside_the_scale_is_an_error_even_if_the_mean_is_inside() -> None:
    assert status(given_marks(Mark(-1.0), Mark(2.0)))[0] == "error"


def test_a_mark_that_is_not_a_number_is_an_error_wherever_it_stands() -> None:
    for marks in ([Mark(math.nan), Mark(0.5)], [Mark(0.5), Mark(math.nan)]):
        assert status(given_marks(*marks))[0] == "error"


def test_an_open_end_of_the_scale_has_no_bound() -> None:
    assert given_marks(Mark(1e9), scale=(0.0, None)).value == 1e9
    assert status(given_marks(Mark(-1.0), scale=(0.0, None)))[0] == "error"


def test_truth_values_become_numbers() -> None:
    scores = given_marks(Mark(True), Mark(False))
    assert scores.value == 0.5
    assert [(type(mark.value), mark.value) for mark in scores.marks] == [(float, 1.0), (float, 0.0)]


def test_no_marks_are_undefined() -> None:
    assert given_marks() == Score()


def test_a_tool_that_is_missing_skips_with_its_reason() -> None:
    kind, why = status(score([id_length], ids("a"))["a"]["id_length"])
    assert kind == "no_tool"
    assert why.startswith("no embedder is installed")
    scores = score([id_length, plain], ids("a"), embed=Missing("the embedder is on holiday"))["a"]
    assert status(scores["id_length"]) == ("no_tool", "the embedder is on holiday")
    assert scores["plain"].value == 1.0


def test_a_tool_with_a_default_may_be_missing() -> None:
    @metric("O", **FACTS)
    def optional(record: Record, judge: Judge | None = None) -> Iterable[Mark]:
        """Is there a judge?"""
        yield Mark(float(judge is not None))

    assert score([optional], ids("a"))["a"]["optional"].value == 0.0
    assert score([optional], ids("a"), judge=Missing("no"))["a"]["optional"].value == 0.0
    assert score([optional], ids("a"), judge=Bench(length))["a"]["optional"].value == 1.0


def test_a_field_that_an_arm_never_predicts_skips_for_that_arm_only() -> None:
    @metric("F", predicts=("intents",), **FACTS)
    def with_intents(record: Record) -> Iterable[Mark]:
        """Are there intents?"""
        yield Mark(1.0)

    records = [Record(id="a", arm="with"), Record(id="b", arm="without")]
    scored = Scorer([with_intents], {}, {"with": {"intents"}, "without": {"state"}}).score(records)
    first, second = [scores["with_intents"] for _, scores in scored]
    assert first.value == 1.0
    assert status(second) == ("no_prediction", "the arm never gives intents")


class Letter(Record, frozen=True, kw_only=True):
    text: str = "Estimado doctor: desde hace tres días me duele la cabeza y no puedo dormir. ¿Qué debo hacer? " * 2

    @property
    def prose(self) -> Iterable[str]:
        return [self.text]


def test_a_metric_for_english_is_skipped_on_other_text_unless_it_cannot_be_given_anyway() -> None:
    @metric("E", english=True, **FACTS)
    def by_words(record: Record) -> Iterable[Mark]:
        """Does it read well?"""
        yield Mark(1.0)

    @metric("J", english=True, **FACTS)
    def by_judge(record: Record, judge: Judge) -> Iterable[Mark]:
        """What does the judge say?"""
        yield Mark(1.0)

    metrics = [by_words, by_judge, plain]
    records = [Letter(id="a"), Letter(id="b", text="Dear doctor"), Letter(id="c", text="")]
    foreign, english, empty = [scores for _, scores in Scorer(metrics, {}, {}).score(records)]
    assert status(foreign["by_words"]) == (
        "not_english",
        "the text is in Spanish (es); this check knows English only",
    )
    assert status(foreign["by_judge"])[0] == status(english["by_judge"])[0] == "no_tool"
    assert list(foreign) == ["by_words", "by_judge", "plain"]
    assert (english["by_words"].value, empty["by_words"].value) == (1.0, 1.0)
    (asked,) = [scores for _, scores in Scorer(metrics, {"judge": Bench(length)}, {}).score(records[:1])]
    assert status(asked["by_judge"])[0] == "not_english"


def test_scores_come_in_the_order_of_the_metrics() -> None:
    scores = score([verdict, plain, chain], ids("a"), judge=Bench(lambda q: 1.0 if q.answer is float else "x"))
    assert list(scores["a"]) == ["verdict", "plain", "chain"]
