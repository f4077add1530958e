"""The language of rules: what is read, and where a fault is."""

from __future__ import annotations

import math

import pytest
from gate_runs import CARDS, card
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.errors import BadInput
from adjudge.gate.rules import BadRule, Rule, parse, parse_all

NAMES = st.from_regex(r"[^\W\d]\w{0,8}", fullmatch=True)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
MARGINS = st.floats(min_value=0, exclude_min=True, allow_infinity=False)
SIGNS = st.sampled_from([">=", "<=", ">", "<"])
READINGS = st.sampled_from(["value", "lower", "upper", "every"])
RULES = st.one_of(
    st.builds(Rule, NAMES, READINGS, SIGNS, NUMBERS),
    st.builds(Rule, NAMES, st.just("value"), st.just("not worse"), MARGINS),
    st.builds(Rule, NAMES, st.just("value"), st.just("better"), st.just(0.0)),
)


@given(RULES)
def test_what_is_written_is_read_back(rule: Rule) -> None:
    assert parse(str(rule), {rule.metric: card(rule.metric, scale=(None, None))}) == rule


@given(RULES, st.text(" \t\n", max_size=3))
def test_white_space_does_not_matter(rule: Rule, space: str) -> None:
    written = str(rule).replace(" ", f" {space}").replace("(", f"{space}({space}").replace(")", f"{space})")
    assert parse(f"{space}{written}{space}", {rule.metric: card(rule.metric, scale=(None, None))}) == rule


@given(st.text(max_size=30))
def test_any_text_is_a_rule_or_refused(text: str) -> None:
    try:
        rule = parse(text, CARDS)
    except BadRule as fault:
        first, *_, caret = str(fault).split("\n")
        assert first.startswith("column ")
        assert caret.endswith("^")
    else:
        assert math.isfinite(rule.limit)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("inform >= 0.8", Rule("inform", "value", ">=", 0.8)),
        ("inform>=.8", Rule("inform", "value", ">=", 0.8)),
        ("slip<1e-1", Rule("slip", "value", "<", 0.1)),
        ("speed > -3", Rule("speed", "value", ">", -3.0)),
        ("lower(inform) >= 0.75", Rule("inform", "lower", ">=", 0.75)),
        ("upper( slip ) <= 0.1", Rule("slip", "upper", "<=", 0.1)),
        ("every(goal) >= 1", Rule("goal", "every", ">=", 1.0)),
        ("inform not worse by 0.02", Rule("inform", "value", "not worse", 0.02)),
        ("inform better", Rule("inform", "value", "better", 0.0)),
        ("length <= 20", Rule("length", "value", "<=", 20.0)),
    ],
)
def test_the_forms_of_rules(text: str, rule: Rule) -> None:
    assert parse(text, CARDS) == rule


@pytest.mark.parametrize(
    ("text", "column", "what"),
    [
        ("", 1, "found the end; expected a metric"),
        ("0.5 <= inform", 1, "found '0.5'; expected a metric"),
        ("infrom >= 0.5", 1, "no metric 'infrom' in the run; did you mean 'inform'?"),
        ("lower(infrom) >= 0.5", 7, "no metric 'infrom' in the run; did you mean 'inform'?"),
        ("zzz >= 0.5", 1, "no metric 'zzz' in the run; there are inform, goal"),
        ("lowr(inform) >= 0.5", 1, "no reading 'lowr'; did you mean 'lower'?"),
        ("inform", 7, "found the end; expected >=, <=, >, <, 'not worse by' or 'better'"),
        ("inform == 0.5", 8, "found '=='; expected >="),
        ("inform => 0.5", 8, "found '=>'; expected >="),
        ("inform ≥ 0.5", 8, "found '≥'; expected >="),
        ("inform >= high", 11, "found 'high'; expected a number"),
        ("inform >= inf", 11, "found 'inf'; expected a number"),
        ("inform >= 1_0", 12, "found '_0'; expected the end of the rule"),
        ("inform >= 80%", 13, "found '%'; expected the end of the rule"),
        ("inform >= 0.5 and slip < 1", 15, "found 'and'; expected the end of the rule"),
        ("inform >= __import__('os')", 11, "found '__import__'; expected a number"),
        ("lower(inform >= 0.5", 14, "found '>='; expected ')'"),
        ("lower() >= 0.5", 7, "found ')'; expected a metric"),
        ("inform not worse", 17, "found the end; expected 'by'"),
        ("inform not worse than 0.02", 18, "found 'than'; expected 'by'"),
        ("inform worse by 0.02", 8, "found 'worse'; expected >="),
        ("lower(inform) better", 15, "found 'better'; expected >=, <=, > or <"),
        ("every(inform) not worse by 0.1", 15, "found 'not'; expected >=, <=, > or <"),
        ("length not worse by 1", 8, "neither direction of 'length' is better"),
        ("length better", 8, "neither direction of 'length' is better"),
        ("every(drift) <= 0.1", 7, "'drift' is not a mean over conversations"),
        ("drift better", 1, "'drift' is not a mean over conversations"),
        ("inform >= 80", 11, "found 80; expected a number on the scale of 'inform', 0 to 1"),
        ("slip <= -0.1", 9, "found -0.1; expected a number on the scale of 'slip', 0 to 1"),
        ("length <= -1", 11, "found -1; expected a number on the scale of 'length', 0 to any"),
        ("speed > 1e999", 9, "found a number too large; expected a finite one"),
        ("inform not worse by 0", 21, "found a margin of 0; expected one above 0"),
        ("inform not worse by -0.1", 21, "found a margin of -0.1; expected one above 0"),
        ("inform not worse by 1", 21, "found a margin of 1; expected one below 1, the whole scale"),
    ],
)
def test_a_fault_is_shown_where_it_is(text: str, column: int, what: str) -> None:
    with pytest.raises(BadRule) as fault:
        parse(text, CARDS)
    first, line, caret = str(fault.value).split("\n")
    assert first.startswith(f"column {column} of the rule: {what}")
    assert (line, caret.index("^")) == (f"  {text}", column + 1)


def test_all_faults_are_told_together() -> None:
    with pytest.raises(BadInput) as fault:
        parse_all(["infrom > 0.5", "inform > 0.5", "inform !"], CARDS)
    assert str(fault.value).count("^") == 2


def test_a_rule_given_twice_is_one_rule() -> None:
    assert len(parse_all(["inform >= 0.50", "inform>=0.5", "inform > 0.5"], CARDS)) == 2


@pytest.mark.parametrize(
    ("sign", "below", "at", "above"),
    [(">=", False, True, True), (">", False, False, True), ("<=", True, True, False), ("<", True, False, False)],
)
def test_the_limit_itself_belongs_to_the_signs_that_say_so(sign: str, below: bool, at: bool, above: bool) -> None:
    rule = parse(f"inform {sign} 0.7", CARDS)
    assert [rule.holds(0.69), rule.holds(0.7), rule.holds(0.71)] == [below, at, above]
    assert rule.holds(0.1 + 0.2 + 0.4) is at  # 0.7000000000000001
