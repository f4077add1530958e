"""Laws that hold for all metrics of all suites, taken from their cards."""

from __future__ import annotations

import importlib
import math
import pkgutil
import random
from collections.abc import Callable, Hashable, Iterable, Iterator
from pathlib import Path
from typing import Any, cast, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import inspect, structs

from adjudge.aggregate import Row, row
from adjudge.core.ask import Entailment, Pair, Question, Relation, Reply
from adjudge.core.card import Better, Metric, Pool
from adjudge.core.errors import Unanswered
from adjudge.core.mark import Score
from adjudge.core.record import Record
from adjudge.core.suite import Missing, Suite
from adjudge.core.tally import Tally
from adjudge.engines.local import Job, survey
from adjudge.score import Plan, Scorer, find_suite
from adjudge.suites.patient.rules.ratings import DUAL, SIMPLE
from adjudge.suites.service.data import Annotation, Goal, ServiceDialogue, ServiceTurn
from adjudge.suites.service.rules.database import Venues
from adjudge.tools.embed.calibrated import thresholds
from adjudge.tools.rubrics import Rubrics
from examples import few_examples
from own_suites import OWN_SUITES

SUITES = [find_suite(name) for name in OWN_SUITES]
EVERY_FIELD = {"reply", *(field for suite in SUITES for metric in suite.metrics() for field in metric.card.predicts)}
DB = Venues(
    {
        "hotel": [
            {"id": "1", "name": "acorn guest house", "area": "north"},
            {"id": "2", "name": "inn", "area": "east"},
        ],
        "restaurant": [{"id": "1", "name": "curry garden", "area": "centre", "food": "indian"}],
    }
)
FEW_EXAMPLES = few_examples()


class Grader:
    """A judge that draws a lawful answer to any question, and refuses some."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Hashable, Reply]] = []

    def ask(self, requests: Iterable[Hashable], asker: str = "") -> None:
        self.waiting += [(request, Reply(self.answer(request))) for request in requests]

    def wait(self) -> list[tuple[Hashable, Reply]]:
        ready, self.waiting = self.waiting, []
        return ready

    def answer(self, request: object) -> object:
        assert isinstance(request, Question)
        draw = random.Random(request.prompt + request.material)
        if not draw.randrange(6):
            return Unanswered("refusal", "would not say")
        return msgspec.convert(lawful(inspect.type_info(request.answer), draw), request.answer)


def lawful(kind: inspect.Type, draw: random.Random) -> object:
    """Something of a type, drawn within its bounds."""
    match kind:
        case inspect.StructType(fields=fields):
            return {field.name: lawful(field.type, draw) for field in fields}
        case inspect.IntType(ge=low, le=high):
            return draw.randint(1 if low is None else low, 4 if high is None else high)
        case inspect.LiteralType(values=values):
            return draw.choice(values)
        case inspect.UnionType(types=types):
            return lawful(types[0], draw)
        case inspect.BoolType():
            return draw.random() < 0.5
        case inspect.StrType():
            return "as it is"
    assert isinstance(kind, inspect.VarTupleType), kind
    return []


class Dice:
    """An embedder that draws a vector for each text."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def ask(self, requests: Iterable[str], asker: str = "") -> None:
        self.asked += requests

    def wait(self) -> list[tuple[str, Reply]]:
        ready, self.asked = self.asked, []
        return [(text, Reply(self.vector(text))) for text in ready]

    def vector(self, text: str) -> list[float]:
        drawn = [random.Random(f"{text}{place}").gauss(0, 1) for place in range(8)]
        return [item / math.hypot(*drawn) for item in drawn]


class Relations:
    """A model of entailment that draws a relation for each pair."""

    def __init__(self) -> None:
        self.asked: list[Pair] = []

    def ask(self, requests: Iterable[Pair], asker: str = "") -> None:
        self.asked += requests

    def wait(self) -> list[tuple[Pair, Reply]]:
        ready, self.asked = self.asked, []
        return [(pair, Reply(self.relation(pair))) for pair in ready]

    def relation(self, pair: Pair) -> Entailment:
        draw = random.Random(f"{pair.premise}|{pair.hypothesis}")
        return Entailment(draw.choice(get_args(Relation)), draw.random())


def tools_of(suite: Suite) -> dict[str, object]:
    asked = {"judge": Grader(), "embed": Dice(), "nli": Relations(), "thresholds": thresholds("minilm"), "db": DB}
    own = {name: tool for name, tool in suite.tools({}).items() if not isinstance(tool, Missing)}
    both = {"dual": DUAL, "simple": SIMPLE, "with_diagnosis": DUAL} if suite.name == "patient" else {}
    return {**own, **asked, **both}


def scorer_of(suite: Suite, fields: Iterable[str] = EVERY_FIELD) -> Scorer:
    return Scorer(suite.metrics(), tools_of(suite), {"ours": set(fields)})


def scored(suite: Suite, records: Iterable[Record]) -> dict[str, dict[str, Score]]:
    """Scores by record and metric."""
    return {record.id: scores for record, scores in scorer_of(suite).score(records)}


DOMAINS = ("hotel", "restaurant", "train")
VALUES = {
    "area": ("north", "centre", "center", "dontcare", "none"),
    "pricerange": ("cheap", "moderate", "not mentioned"),
    "name": ("acorn guest house", "acorn", "curry garden"),
    "bookpeople": ("1", "10", "two", "2"),
    "bookday": ("friday", "monday"),
    "leaveat": ("9:15", "09:15", "5 pm"),
}
INTENTS = ["find_hotel", "book_hotel", "find_restaurant", "book_restaurant", "book_train"]
ACTS = ["Hotel-Inform", "Booking-Book", "Train-OfferBooked", "Restaurant-Request", "general-bye"]
PAIRS = [(f"{domain}-{slot}", value) for domain in DOMAINS for slot, known in VALUES.items() for value in known]
REPLIES = ["", "try the acorn guest house", "[value_name] on [value_phone]", "call 01223 351241"]


def maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


def sets_of(names: Iterable[str]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(list(names)), max_size=2, unique=True).map(tuple)


STATES = st.lists(st.sampled_from(PAIRS), max_size=6).map(dict)
ACTED = sets_of(ACTS).map(lambda names: dict.fromkeys(names, (("phone", "01223"),)))
GOLD = st.builds(
    Annotation,
    intents=maybe(sets_of(INTENTS)),
    state=maybe(STATES),
    requested=maybe(sets_of(["hotel-phone", "train-ref"])),
    acts=maybe(ACTED),
    booked=maybe(sets_of(DOMAINS)),
)
PREDICTED = st.builds(
    Annotation,
    domains=maybe(sets_of(DOMAINS)),
    intents=maybe(sets_of(INTENTS)),
    state=maybe(STATES),
    acts=maybe(ACTED),
    action=maybe(st.sampled_from(["search", "book", "request", "inform"])),
    unparsed=maybe(st.just("{")),
)
GOALS = st.dictionaries(
    st.sampled_from(DOMAINS),
    st.builds(
        Goal,
        informable=st.sampled_from([{}, {"area": "north"}]),
        requestable=st.sampled_from([(), ("PHONE",), ("PHONE", "REFERENCE")]),
        booking=st.sampled_from([{}, {"people": "2"}]),
    ),
    max_size=2,
)
TURNS = st.tuples(maybe(GOLD), maybe(PREDICTED), maybe(GOLD), st.sampled_from(REPLIES))


def dialogue(name: str, turns: list[Any], goal: dict[str, Goal] | None) -> ServiceDialogue:
    made: list[ServiceTurn] = []
    for place, (gold, predicted, replied, reply) in enumerate(turns):
        made.append(ServiceTurn(f"{place}u", "user", "please", gold, predicted))
        made.append(ServiceTurn(f"{place}s", "system", reply, replied))
    return ServiceDialogue(id=name, arm="ours", turns=tuple(made), goal=goal)


DIALOGUES = st.lists(st.tuples(st.lists(TURNS, max_size=5), maybe(GOALS)), max_size=8).map(
    lambda drawn: [dialogue(str(place), turns, goal) for place, (turns, goal) in enumerate(drawn)]
)
SERVICE = find_suite("service")


def of_every_metric(law: Callable[[Suite, Metric], None]) -> Callable[[Suite], None]:
    """A test for each suite that names the first of its metrics to break a law."""

    @pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.name)
    def check(suite: Suite) -> None:
        for metric in suite.metrics():
            try:
                law(suite, metric)
            except AssertionError as broken:
                raise AssertionError(f"{metric.card.name}: {broken}") from broken

    check.__name__ = law.__name__
    return check


@of_every_metric
def test_a_card_says_all_that_is_needed(suite: Suite, metric: Metric) -> None:
    card = metric.card
    assert card.name.isidentifier()
    assert card.name == card.name.lower()
    assert card.question.endswith("?")
    assert card.question[0].isupper()
    assert card.formula
    assert card.source
    assert card.unit
    assert card.symbol
    assert card.better in get_args(Better)
    assert card.pool in get_args(Pool)
    assert card.version >= 1
    assert (metric.__doc__ or "").startswith(card.question)


@of_every_metric
def test_bands_go_up_within_the_scale(suite: Suite, metric: Metric) -> None:
    low, high = metric.card.scale
    lows = [band.low for band in metric.card.bands]
    assert lows == sorted(set(lows))
    assert low is None or high is None or low < high
    assert all((low is None or low <= at) and (high is None or at <= high) for at in lows)


@of_every_metric
def test_a_variant_has_a_ruled_metric_beside_it(suite: Suite, metric: Metric) -> None:
    ruled = {other.card.source for other in suite.metrics() if not other.card.variant}
    assert not metric.card.variant or metric.card.source in ruled


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.name)
def test_names_and_symbols_are_unique(suite: Suite) -> None:
    cards = [metric.card for metric in suite.metrics()]
    assert len({card.name for card in cards}) == len(cards)
    assert len({card.symbol for card in cards}) == len(cards)


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.name)
def test_every_file_of_the_metrics_folder_declares_a_metric(suite: Suite) -> None:
    modules = {metric.function.__module__.rpartition(".")[2] for metric in suite.metrics()}
    folder = importlib.import_module(f"{suite.package}.metrics").__path__
    assert modules == {info.name for info in pkgutil.iter_modules(folder)}


@of_every_metric
def test_a_record_with_nothing_in_it_is_undefined(suite: Suite, metric: Metric) -> None:
    nothing = suite.record(id="nothing", arm="ours")
    ((_, scores),) = Scorer([metric], tools_of(suite), {"ours": EVERY_FIELD}).score([nothing])
    assert scores == {metric.card.name: Score()}


@of_every_metric
def test_a_metric_without_its_tools_is_skipped_with_a_reason(suite: Suite, metric: Metric) -> None:
    for tool in metric.card.needs:
        tools = {name: result for name, result in tools_of(suite).items() if name != tool}
        ((_, scores),) = Scorer([metric], tools, {"ours": EVERY_FIELD}).score([suite.record(id="r", arm="ours")])
        skipped = scores[metric.card.name].skipped
        assert skipped is not None
        assert skipped.status == "no_tool"
        assert tool in skipped.why


@of_every_metric
def test_a_field_that_the_arm_never_predicts_is_skipped_with_a_reason(suite: Suite, metric: Metric) -> None:
    for field in metric.card.predicts:
        ((_, scores),) = Scorer([metric], tools_of(suite), {"ours": EVERY_FIELD - {field}}).score(
            [suite.record(id="r", arm="ours")]
        )
        skipped = scores[metric.card.name].skipped
        assert skipped is not None
        assert (skipped.status, skipped.why) == ("no_prediction", f"the arm never gives {field}")


def assert_lawful(metric: Metric, score: Score) -> None:
    """A value within the scale made of finite, weighted marks; or undefined; or skipped, but not by a crash."""
    if score.skipped is not None:
        assert score.skipped.status != "error", score.skipped.why
        assert score.skipped.why
    if score.value is None:
        assert (score.n, score.weight, score.marks) == (0, 0.0, ())
        return
    low, high = metric.card.scale
    assert score.n == len(score.marks) > 0
    for value in (score.value, *(mark.value for mark in score.marks)):
        assert type(value) is float
        assert math.isfinite(value)
        assert low is None or value >= low
        assert high is None or value <= high
    assert all(type(mark.weight) is float and mark.weight > 0 for mark in score.marks)
    assert score.weight == pytest.approx(sum(mark.weight for mark in score.marks))


def sample_of(suite: Suite) -> list[Record]:
    job = Job.open(Plan(suite=suite.name, files=(str(suite.sample),)))
    return [record for records in survey(job).kept or [] for record in records]


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.name)
def test_the_sample_is_scored_lawfully_and_most_metrics_have_a_value_there(suite: Suite) -> None:
    records = [structs.replace(record, arm="ours") for record in sample_of(suite)]
    scores = scored(suite, records)
    for metric in suite.metrics():
        for result in scores.values():
            assert_lawful(metric, result[metric.card.name])
    valued = {name for result in scores.values() for name, score in result.items() if score.value is not None}
    assert len(valued) > len(suite.metrics()) / 2


class RubricsRead(Rubrics):
    """The rubrics of a suite, noting which of them are read."""

    def __init__(self, rubrics: Rubrics) -> None:
        self.rubrics, self.names = rubrics, set[str]()

    def text(self, name: str) -> str:
        self.names.add(name)
        return self.rubrics.text(name)


@pytest.mark.parametrize("suite", [suite for suite in SUITES if "rubrics" in suite.tools({})], ids=lambda s: s.name)
def test_a_card_names_the_rubrics_that_its_judge_is_told(suite: Suite) -> None:
    sample, named = [structs.replace(record, arm="ours") for record in sample_of(suite)[:6]], set[str]()
    for metric in suite.metrics():
        read = RubricsRead(cast("Rubrics", suite.tools({})["rubrics"]))
        assert list(Scorer([metric], tools_of(suite) | {"rubrics": read}, {"ours": EVERY_FIELD}).score(sample))
        assert read.names <= set(metric.card.rubrics), metric
        assert bool(metric.card.rubrics) == ("rubrics" in metric.card.needs), metric
        named |= set(metric.card.rubrics)
    (folder,) = importlib.import_module(suite.package).__path__
    # The rubric "own" frames those of users, whose metrics are made from their files.
    assert {path.stem for path in (Path(folder) / "rubrics").glob("*.md")} - {"own"} == named


@FEW_EXAMPLES
@given(DIALOGUES)
def test_every_value_is_within_the_scale(dialogues: list[ServiceDialogue]) -> None:
    scores = scored(SERVICE, dialogues)
    for metric in SERVICE.metrics():
        for result in scores.values():
            assert_lawful(metric, result[metric.card.name])


@FEW_EXAMPLES
@given(DIALOGUES)
def test_scoring_again_and_after_a_round_trip_gives_the_same(dialogues: list[ServiceDialogue]) -> None:
    encoded = msgspec.json.encode(dialogues)
    first = scored(SERVICE, dialogues)
    again = scored(SERVICE, msgspec.json.decode(encoded, type=list[ServiceDialogue]))
    assert first == again
    assert msgspec.json.encode(dialogues) == encoded


def tallied(scores: Iterable[dict[str, Score]]) -> dict[str, Tally]:
    tallies = {metric.card.name: Tally() for metric in SERVICE.metrics()}
    for result in scores:
        for name, score in result.items():
            tallies[name].add(score)
    return tallies


def rows_of(tallies: dict[str, Tally]) -> Iterator[Row]:
    return (row(metric.card, "ours", tallies[metric.card.name]) for metric in SERVICE.metrics())


def assert_same(ours: dict[str, Tally], theirs: dict[str, Tally]) -> None:
    for item, other in zip(rows_of(ours), rows_of(theirs), strict=True):
        counts = (item.n, item.marks, item.conversations, item.undefined, item.skipped, item.errors, item.reasons)
        assert counts == (
            *(other.n, other.marks, other.conversations, other.undefined),
            *(other.skipped, other.errors, other.reasons),
        )
        assert item.method == other.method
        assert item.over_marks == pytest.approx(other.over_marks, abs=1e-12)
        assert item.over_conversations == pytest.approx(other.over_conversations, abs=1e-12)
        assert (item.low, item.high) == pytest.approx((other.low, other.high), abs=1e-9)


@FEW_EXAMPLES
@given(DIALOGUES, st.randoms(use_true_random=False))
def test_the_order_of_conversations_does_not_matter(dialogues: list[ServiceDialogue], dice: Any) -> None:
    scores = list(scored(SERVICE, dialogues).values())
    shuffled = dice.sample(scores, len(scores))
    assert_same(tallied(scores), tallied(shuffled))


@FEW_EXAMPLES
@given(DIALOGUES, st.lists(st.integers(0, 3), min_size=8, max_size=8))
def test_merging_the_tallies_of_any_split_equals_one_pass(dialogues: list[ServiceDialogue], split: list[int]) -> None:
    scores = list(scored(SERVICE, dialogues).values())
    merged = tallied([])
    for part in range(4):
        for name, result in tallied(score for score, at in zip(scores, split, strict=False) if at == part).items():
            merged[name].merge(result)
    assert_same(merged, tallied(scores))


BEST = {
    "domain_accuracy": 1.0,
    "domain_accuracy_all_turns": 1.0,
    "intent_accuracy": 1.0,
    "intent_accuracy_all_turns": 1.0,
    "intent_precision": 1.0,
    "intent_recall": 1.0,
    "intent_f1": 1.0,
    "act_accuracy": 1.0,
    "act_precision": 1.0,
    "act_recall": 1.0,
    "act_f1": 1.0,
    "slot_accuracy": 1.0,
    "slot_precision": 1.0,
    "slot_recall": 1.0,
    "slot_f1": 1.0,
    "joint_goal_accuracy": 1.0,
    "joint_goal_accuracy_strict": 1.0,
    "joint_goal_accuracy_canonical": 1.0,
    "joint_goal_accuracy_fuzzy": 1.0,
    "hallucination": 0.0,
    "memory_transfer": 1.0,
}


def perfect(record: ServiceDialogue) -> ServiceDialogue:
    """The dialogue with gold as its prediction."""
    turns = tuple(structs.replace(turn, predicted=turn.gold) for turn in record.turns)
    return structs.replace(record, turns=turns)


def test_the_best_value_is_the_better_end_of_the_scale() -> None:
    cards = {metric.card.name: metric.card for metric in SERVICE.metrics()}
    ends = {"higher": 1, "lower": 0}
    assert all(cards[name].scale[ends[cards[name].better]] == best for name, best in BEST.items())


@FEW_EXAMPLES
@given(DIALOGUES)
def test_a_perfect_prediction_gets_the_best_value(dialogues: list[ServiceDialogue]) -> None:
    for result in scored(SERVICE, map(perfect, dialogues)).values():
        assert {name: result[name].value for name in BEST if result[name].value not in (None, BEST[name])} == {}


def test_all_of_them_are_defined_on_the_sample() -> None:
    records = [structs.replace(record, arm="ours") for record in sample_of(SERVICE)]
    result = scored(SERVICE, [perfect(record) for record in records if isinstance(record, ServiceDialogue)])
    for name, best in BEST.items():
        assert {scores[name].value for scores in result.values()} - {None} == {best}


@FEW_EXAMPLES
@given(DIALOGUES)
def test_precision_recall_and_exact_match_agree_with_each_other(dialogues: list[ServiceDialogue]) -> None:
    for result in scored(SERVICE, dialogues).values():
        strict, canonical, fuzzy = (
            result[f"joint_goal_accuracy_{policy}"] for policy in ("strict", "canonical", "fuzzy")
        )
        assert strict.n == canonical.n == fuzzy.n
        for item, other, third in zip(strict.marks, canonical.marks, fuzzy.marks, strict=True):
            assert item.value <= other.value <= third.value
        if result["policy_violation"].value is not None:
            assert result["policy_violation"].value == pytest.approx(1 - (result["policy_compliance"].value or 0.0))
        if result["success"].value is not None:
            assert result["success"].value <= (result["inform"].value or 0.0)
