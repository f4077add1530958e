"""Labels beside what they are about: how they are matched, and what is said of those that are not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from labelled_runs import LENGTH, PER_CONVERSATION, QUALITY, RIGHT, card, dialogue, of_marks, write_run

from adjudge.calibrate.items import JoinedLabels, join
from adjudge.calibrate.transcript import TurnTexts
from adjudge.core.errors import BadInput
from adjudge.core.mark import Mark, Score, ScoreRow
from adjudge.read.labels import Label
from adjudge.run import Run


def label(case: str, said: str | float, number: int = 2, **where: object) -> Label:
    facts: dict[str, object] = {"where": f"labels.csv:{number}", "metric": "quality", **where}
    return Label(case=case, label=said, **facts)  # type: ignore[arg-type]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return write_run(tmp_path / "run", [of_marks("s1", [4, 2]), of_marks("s2", [3])], QUALITY)


@pytest.fixture
def arms(tmp_path: Path) -> Run:
    rows = [of_marks(case, [3, 4], arm=arm, trial=trial) for case in ("s1", "s2") for arm in "ab" for trial in (0, 1)]
    return write_run(tmp_path / "arms", rows, QUALITY)


def reasons(joined: JoinedLabels) -> list[str]:
    return [item.why for item in joined.unmatched]


def test_a_label_with_a_turn_is_about_the_mark_and_one_without_about_the_conversation(run: Run) -> None:
    joined = join(run, [label("s1", 5.0, turn="2", rater="ann"), label("s1", 3.0, rater="ann")])
    marks, conversations = joined.labelled
    assert (marks.level, conversations.level) == ("mark", "conversation")
    assert [(item.value, item.labels) for item in marks.items] == [(4.0, {}), (2.0, {"ann": 5.0}), (3.0, {})]
    assert [(item.value, item.labels) for item in conversations.items] == [(3.0, {"ann": 3.0}), (3.0, {})]


def test_several_raters_may_label_one_mark(run: Run) -> None:
    joined = join(run, [label("s1", 5.0, turn="0", rater="ann"), label("s1", 4.0, 3, turn="0", rater="bob")])
    assert joined.labelled[0].items[0].labels == {"ann": 5.0, "bob": 4.0}


@pytest.mark.parametrize("rater", ["ann", ""])
def test_one_rater_labels_a_thing_once(run: Run, rater: str) -> None:
    with pytest.raises(BadInput, match=r"labels\.csv:9: .*before, at labels\.csv:2 \(5\.0, here 4\.0\)"):
        join(run, [label("s1", 5.0, turn="0", rater=rater), label("s1", 4.0, 9, turn="0", rater=rater)])


def test_labels_without_a_match_are_kept_with_the_reason_in_their_order(run: Run) -> None:
    joined = join(
        run,
        [
            label("s1", 4.0, 2, turn="8"),
            label("s9", 4.0, 3, turn="0"),
            label("s1", 4.0, 4, turn="0"),
            label("s1", 4.0, 5, turn="0", arm="b"),
            label("s1", 4.0, 6, turn="0", trial=7),
        ],
    )
    assert [str(item) for item in joined.unmatched] == [
        "labels.csv:2: quality, case 's1', turn '8': no mark there (there are: turn 0, turn 2)",
        "labels.csv:3: quality, case 's9', turn '0': no case 's9'; did you mean 's2'?",
        "labels.csv:5: quality, case 's1', arm 'b', turn '0': no arm 'b' has this case",
        "labels.csv:6: quality, case 's1', trial 7, turn '0': no such trial (there is only 0)",
    ]


def test_no_match_at_all_is_refused(run: Run) -> None:
    with pytest.raises(BadInput, match=r"the only label matches nothing in the run:\n.*no case 'x'"):
        join(run, [label("x", 4.0)])
    with pytest.raises(BadInput, match=r"none of 2 labels matches anything in the run; the first:\n.*no case 'x'"):
        join(run, [label("x", 4.0), label("y", 4.0, 3)])
    with pytest.raises(BadInput, match="no labels"):
        join(run, [])


def test_arm_and_trial_must_be_named_where_there_are_several(arms: Run) -> None:
    joined = join(
        arms,
        [
            label("s1", 4.0, 2, turn="0"),
            label("s1", 4.0, 3, turn="0", arm="a"),
            label("s1", 4.0, 4, turn="0", arm="a", trial=1),
        ],
    )
    assert reasons(joined) == [
        "no arm is named; the run has a, b; name one in the column arm",
        "trials 0, 1; name one in the column trial",
    ]
    assert {item.arm for item in joined.labelled[0].items} == {"a"}, "an arm without labels has nothing to say"


def test_a_turn_may_be_written_as_data_frames_write_it(run: Run) -> None:
    assert join(run, [label("s1", 4.0, turn="2.0")]).unmatched == []


def test_marks_of_one_turn_are_told_apart_by_at(tmp_path: Path) -> None:
    marks = [Mark(1.0, "area", "0"), Mark(0.0, "price", "0"), Mark(1.0, "name", "2"), Mark(0.0, "name", "2")]
    run = write_run(tmp_path / "run", [ScoreRow("s1", "a", {"right": Score.of(marks)})], RIGHT)
    joined = join(
        run,
        [
            label("s1", 1.0, 2, metric="right", turn="0"),
            label("s1", 1.0, 3, metric="right", turn="0", at="price"),
            label("s1", 1.0, 4, metric="right", at="area"),
            label("s1", 1.0, 5, metric="right", turn="2", at="name"),
        ],
    )
    assert reasons(joined) == [
        "2 marks there (area, price); name one in the column at",
        "2 marks there that cannot be told apart",
    ]
    assert [item.labels for item in joined.labelled[0].items] == [{"": 1.0}, {"": 1.0}, {}, {}]


def test_undefined_and_skipped_scores_have_nothing_to_label(tmp_path: Path) -> None:
    rows = [
        of_marks("s1", [3]),
        ScoreRow("s2", "a", {"quality": Score()}),
        ScoreRow("s3", "a", {"quality": Score.skip("refusal", "it would not")}),
    ]
    run = write_run(tmp_path / "run", rows, QUALITY)
    joined = join(run, [label(f"s{number}", 3.0, number) for number in (1, 2, 3)])
    assert reasons(joined) == ["the metric is undefined there", "the metric was skipped there (refusal)"]


def test_an_unknown_metric_is_refused_with_a_hint(run: Run) -> None:
    with pytest.raises(BadInput, match="no metric 'qualty' in the run; did you mean 'quality'"):
        join(run, [label("s1", 4.0, metric="qualty")])


@pytest.mark.parametrize(
    ("metric", "said", "expected"),
    [
        ("quality", "great", "quality expects a number from 1 to 5, or one of poor, weak, fair, good"),
        ("quality", "yes", "quality expects a number from 1 to 5"),
        ("quality", 0.0, "found '0'; quality expects a number from 1 to 5"),
        ("right", "maybe", "right expects a number from 0 to 1, or yes or no"),
        ("right", "nan", "right expects a number from 0 to 1, or yes or no"),
        ("words", -1.0, "words expects a number from 0 up"),
    ],
)
def test_a_label_off_the_scale_is_refused(tmp_path: Path, metric: str, said: str | float, expected: str) -> None:
    scores = {name: Score.of([Mark(1.0)]) for name in ("quality", "right", "words")}
    run = write_run(tmp_path / "run", [ScoreRow("s1", "a", scores)], QUALITY, RIGHT, LENGTH)
    with pytest.raises(BadInput, match=r"labels\.csv:2: label: found .*") as error:
        join(run, [label("s1", said, metric=metric)])
    assert expected in str(error.value)


def test_words_and_numbers_for_one_metric_are_refused(run: Run) -> None:
    with pytest.raises(BadInput, match=r"found 'good', but 4\.0 at labels\.csv:2; expected numbers only or words only"):
        join(run, [label("s1", 4.0, turn="0"), label("s1", "GOOD", 3, turn="2")])


def test_yes_and_no_are_one_and_zero(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", [of_marks("s1", [1, 0], "right")], RIGHT)
    said = [label("s1", word, metric="right", turn=turn) for word, turn in (("Yes", "0"), ("FALSE", "2"))]
    assert [item.labels[""] for item in join(run, said).labelled[0].items] == [1.0, 0.0]


@pytest.mark.parametrize(
    ("pool", "of_mark", "of_conversation"), [("marks", 2.0, 6.0), ("conversations", 1 / 3, 1.0), ("groups", 2.0, 1.0)]
)
def test_weights_are_those_of_the_value_in_the_report(
    tmp_path: Path, pool: str, of_mark: float, of_conversation: float
) -> None:
    marks = [Mark(3.0, turn=str(turn), weight=2.0) for turn in range(3)]
    scored = card("quality", pool=pool)
    run = write_run(tmp_path / "run", [ScoreRow("s1", "a", {"quality": Score.of(marks)})], scored)
    by_mark, whole = join(run, [label("s1", 3.0, turn="0"), label("s1", 3.0, 3)]).labelled
    assert by_mark.items[0].weight == pytest.approx(of_mark)
    assert whole.items[0].weight == pytest.approx(of_conversation)


def test_length_is_that_of_the_reply_and_turns_count_from_one(tmp_path: Path) -> None:
    row = of_marks("s1", [3, 4])
    run = write_run(tmp_path / "run", [row], PER_CONVERSATION, records=[dialogue(row, [10, 25])])
    marks, whole = join(run, [label("s1", 3.0, turn="2"), label("s1", 3.0, 3)]).labelled
    assert (marks.items[1].length, marks.items[1].turn) == (25, 3)
    assert (whole.items[0].length, whole.items[0].turn) == (35, None)


def test_a_transcript_takes_what_agents_say() -> None:
    turns = [
        {"id": "0", "speaker": "user", "text": "Hello"},
        {"id": "1", "speaker": "search", "text": "17 rows"},
        {"id": "2", "speaker": "system", "text": "Seventeen."},
        {"id": "3", "speaker": "other", "text": "Indeed."},
        {"id": "4", "speaker": "user", "text": "Thanks"},
    ]
    parties = [{"id": "user", "kind": "human"}, {"id": "search", "kind": "tool"}, {"id": "system"}]
    told = TurnTexts(json.dumps({"participants": parties, "turns": turns}).encode())
    assert told.length("0") == 17
    assert told.length("2") == 10
    assert told.length("4") is None
    assert told.length("9") is None
    assert told.whole == 17
    assert (told.place("4"), told.place("9")) == (5, None)


def test_a_record_with_other_turns_shows_nothing() -> None:
    told = TurnTexts(b'{"turns": 12}')
    assert (told.whole, told.length("0"), told.place("0")) == (None, None, None)
