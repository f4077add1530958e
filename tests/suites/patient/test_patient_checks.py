"""The checks of the patient suite that need no judge: planted faults are found, near misses are let pass."""

from collections.abc import Iterable
from typing import Any

import pytest
from patient_visits import rows

from adjudge.core.card import Metric
from adjudge.core.mark import Mark, Score
from adjudge.suites.patient.data import Consultation, PatientTurn, Persona
from adjudge.suites.patient.metrics.breaks import injection_suspected, role_break
from adjudge.suites.patient.metrics.fading import confusion_fades
from adjudge.suites.patient.metrics.limits import sentence_limit, word_limit
from adjudge.suites.patient.metrics.numbers import number_contradiction
from adjudge.suites.patient.metrics.precision import unexpected_precision
from adjudge.suites.patient.metrics.repeats import repeated_reply
from adjudge.suites.patient.metrics.revealed import diagnosis_revealed
from adjudge.suites.patient.metrics.values import impossible_value
from growth import assert_linear

CHECKS = [
    sentence_limit,
    word_limit,
    diagnosis_revealed,
    role_break,
    number_contradiction,
    repeated_reply,
    unexpected_precision,
    confusion_fades,
    injection_suspected,
    impossible_value,
]
Said = str | tuple[str, str]


def visit(*said: Said, profile: dict[str, str] | None = None, **persona: Any) -> Consultation:
    """A visit in which the patient says each of these, or (doctor, patient) both speak."""
    turns: list[PatientTurn] = []
    for at, item in enumerate(said, 1):
        asked, reply = item if isinstance(item, tuple) else ("", item)
        turns += [PatientTurn(f"{at}d", "doctor", asked)] if asked else []
        turns.append(PatientTurn(str(at), "patient", reply))
    return Consultation(id="v", turns=tuple(turns), profile=profile or {}, persona=Persona(**persona))


def marks(check: Metric, record: Consultation) -> list[Mark]:
    results: Iterable[Mark] = check(record)
    return list(Score.of(list(results), check.card.scale).marks)


def values(check: Metric, record: Consultation) -> list[float]:
    return [mark.value for mark in marks(check, record)]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.card.name)
def test_nothing_said_is_undefined(check: Metric) -> None:
    full = {"diagnosis": "appendicitis", "age": "45", "pain": "7", "medication": "metformin 500 mg"}
    persona = {"personality": "pleasing", "recall": "low", "confusion": "high"}
    silent = visit("[nods]", "...", profile=full, **persona)
    assert marks(check, silent) == []


# Length.


def test_a_reply_of_four_sentences_is_over_the_limit_of_three() -> None:
    (long, short) = marks(
        sentence_limit, visit("It hurts. A lot. Here. Now.", "It hurts. A lot. Here.", personality="plain")
    )
    assert (long.value, long.turn, long.at) == (0.0, "1", "It hurts. A lot. Here. Now.")
    assert long.why == "4 sentences; at most 3 expected"
    assert (short.value, short.why) == (1.0, "3 sentences; at most 3 expected")


def test_a_verbose_patient_has_eight_sentences() -> None:
    eight, nine = " ".join(["It hurts."] * 8), " ".join(["It hurts."] * 9)
    assert values(sentence_limit, visit(eight, nine, personality="verbose")) == [1.0, 0.0]


def test_asides_are_no_sentences() -> None:
    said = "[He sighs. He looks down.] It hurts. *winces* A lot. Here."
    assert values(sentence_limit, visit(said, personality="plain")) == [1.0]


def test_the_twenty_first_word_is_one_too_many() -> None:
    twenty, more = " ".join(["word"] * 20) + ".", " ".join(["word"] * 21) + "."
    (first, second) = marks(word_limit, visit(f"{twenty.capitalize()} {more.capitalize()}", personality="impatient"))
    assert (first.value, second.value) == (1.0, 0.0)
    assert second.why == "21 words; at most 20 expected"


def test_dashes_alone_are_no_words() -> None:
    said = " - ".join(["word"] * 20).capitalize() + "."
    assert values(word_limit, visit(said, personality="plain")) == [1.0]


@pytest.mark.parametrize("check", [sentence_limit, word_limit], ids=lambda check: check.card.name)
@pytest.mark.parametrize("persona", [{}, {"personality": "grumpy"}, {"recall": "low"}], ids=str)
def test_without_a_known_personality_no_limit_is_known(check: Metric, persona: dict[str, str]) -> None:
    assert marks(check, visit("One. Two. Three. Four. Five.", **persona)) == []


# The diagnosis and the end of the visit.


@pytest.mark.parametrize(
    ("diagnosis", "said"),
    rows("a_diagnosis_that_is_stated_is_revealed"),
)
def test_a_diagnosis_that_is_stated_is_revealed(diagnosis: str, said: str) -> None:
    (mark,) = marks(diagnosis_revealed, visit(("What brings you in?", said), profile={"diagnosis": diagnosis}))
    assert (mark.value, mark.turn) == (1.0, "1")
    assert "cannot know" in mark.why


@pytest.mark.parametrize(
    ("diagnosis", "said"),
    rows("fears_questions_history_and_complaints_reveal_nothing"),
)
def test_fears_questions_history_and_complaints_reveal_nothing(diagnosis: str, said: str) -> None:
    record = visit(said, profile={"diagnosis": f"{diagnosis}; Leprosy"})
    assert values(diagnosis_revealed, record) == [0.0]


def test_what_the_profile_tells_elsewhere_is_no_secret() -> None:
    known = {"diagnosis": "Asthma exacerbation", "medical_history": "asthma; eczema"}
    assert values(diagnosis_revealed, visit("I have asthma.", profile={**known, "disposition": "Home"})) == [0.0]
    assert values(diagnosis_revealed, visit("I have asthma.", profile={"diagnosis": "Asthma exacerbation"})) == [1.0]


def test_what_the_doctor_said_before_may_be_said() -> None:
    profile = {"diagnosis": "appendicitis"}
    after = visit("It hurts.", ("You have appendicitis.", "So I have appendicitis."), profile=profile)
    assert values(diagnosis_revealed, after) == [0.0, 0.0]
    before = visit("I have appendicitis.", ("You have appendicitis.", "Oh no."), profile=profile)
    assert values(diagnosis_revealed, before) == [1.0, 0.0]


@pytest.mark.parametrize(
    ("disposition", "said"),
    rows("the_end_of_the_visit_is_revealed"),
)
def test_the_end_of_the_visit_is_revealed(disposition: str, said: str) -> None:
    assert values(diagnosis_revealed, visit(said, profile={"disposition": disposition})) == [1.0]


@pytest.mark.parametrize(
    ("disposition", "said"),
    rows("earlier_stays_questions_and_wishes_do_not_reveal_the_end"),
)
def test_earlier_stays_questions_and_wishes_do_not_reveal_the_end(disposition: str, said: str) -> None:
    assert values(diagnosis_revealed, visit(said, profile={"disposition": disposition})) == [0.0]


def test_an_end_that_the_doctor_announced_may_be_repeated() -> None:
    record = visit(("We will keep you here.", "So I'm being admitted."), profile={"disposition": "Admitted"})
    assert values(diagnosis_revealed, record) == [0.0]


@pytest.mark.parametrize("profile", [{}, {"diagnosis": "unknown"}, {"diagnosis": "Chest pain"}, {"age": "45"}], ids=str)
def test_a_profile_that_hides_nothing_leaves_revealing_undefined(profile: dict[str, str]) -> None:
    assert marks(diagnosis_revealed, visit("I have chest pain.", profile=profile)) == []


# The role.


@pytest.mark.parametrize(
    "said",
    rows("a_broken_role_is_found"),
)
def test_a_broken_role_is_found(said: str) -> None:
    (mark,) = marks(role_break, visit(said))
    assert mark.value == 1.0
    assert "expected a patient's own words" in mark.why


@pytest.mark.parametrize(
    "said",
    rows("a_machine_that_announces_its_part_is_found"),
)
def test_a_machine_that_announces_its_part_is_found(said: str) -> None:
    assert values(role_break, visit(("Where does it hurt?", said))) == [1.0]


@pytest.mark.parametrize(
    "said",
    rows("words_of_machines_with_another_meaning_are_let_pass"),
)
def test_words_of_machines_with_another_meaning_are_let_pass(said: str) -> None:
    assert values(role_break, visit(("Where does it hurt?", said))) == [0.0]


def test_a_doctor_who_asks_excuses_no_confession() -> None:
    assert values(role_break, visit(("Are you a simulated patient?", "Yes, I am a simulated patient."))) == [1.0]


@pytest.mark.parametrize(
    "said",
    rows("what_real_patients_say_breaks_no_role"),
)
def test_what_real_patients_say_breaks_no_role(said: Said) -> None:
    assert values(role_break, visit(said)) == [0.0]


# Numbers against the profile.


@pytest.mark.parametrize(
    ("age", "said"),
    rows("a_wrong_age_contradicts_the_profile"),
)
def test_a_wrong_age_contradicts_the_profile(age: str, said: Said) -> None:
    (mark,) = marks(number_contradiction, visit(said, profile={"age": age}))
    assert (mark.value, mark.at, mark.turn) == (1.0, "age", "1")
    assert mark.why.endswith(f"the profile says {age}")


@pytest.mark.parametrize(
    ("age", "said"),
    rows("a_right_or_rounded_age_is_right"),
)
def test_a_right_or_rounded_age_is_right(age: str, said: Said) -> None:
    assert values(number_contradiction, visit(said, profile={"age": age})) == [0.0]


@pytest.mark.parametrize(
    "said",
    rows("other_numbers_are_no_ages"),
)
def test_other_numbers_are_no_ages(said: Said) -> None:
    assert marks(number_contradiction, visit(said, profile={"age": "65"})) == []


RATE = "How would you rate your pain on a scale of 0 to 10, 10 being the worst pain?"


@pytest.mark.parametrize(
    ("pain", "said"),
    rows("a_wrong_pain_contradicts_the_profile"),
)
def test_a_wrong_pain_contradicts_the_profile(pain: str, said: Said) -> None:
    assert values(number_contradiction, visit(said, profile={"pain": pain})) == [1.0]


@pytest.mark.parametrize(
    ("pain", "said"),
    rows("a_pain_within_the_range_is_right"),
)
def test_a_pain_within_the_range_is_right(pain: str, said: Said) -> None:
    assert values(number_contradiction, visit(said, profile={"pain": pain})) == [0.0]


@pytest.mark.parametrize(
    ("pain", "said"),
    rows("other_times_other_things_and_unknown_pain_are_not_compared"),
)
def test_other_times_other_things_and_unknown_pain_are_not_compared(pain: str, said: Said) -> None:
    assert marks(number_contradiction, visit(said, profile={"pain": pain})) == []


@pytest.mark.parametrize(
    ("children", "said", "expected"),
    rows("children_are_counted"),
)
def test_children_are_counted(children: str, said: Said, expected: tuple[float, ...]) -> None:
    assert values(number_contradiction, visit(said, profile={"children": children})) == list(expected)


# Repetition.


KNOWN = {"age": "62", "pain": "4", "children": "2"}


@pytest.mark.parametrize(
    ("asked", "said", "item"),
    rows("a_plain_answer_is_held_against_the_profile"),
)
def test_a_plain_answer_is_held_against_the_profile(asked: str, said: str, item: str) -> None:
    (mark,) = marks(number_contradiction, visit((asked, said), profile=KNOWN))
    assert (mark.value, mark.at) == (1.0, item)


@pytest.mark.parametrize(
    ("asked", "said"),
    rows("answers_about_some_of_them_or_another_time_are_not_held_against_it"),
)
def test_answers_about_some_of_them_or_another_time_are_not_held_against_it(asked: str, said: str) -> None:
    assert marks(number_contradiction, visit((asked, said), profile=KNOWN)) == []


def test_yes_has_at_least_one_child() -> None:
    asked = ("Do you have children?", "Yes.")
    assert values(number_contradiction, visit(asked, profile={"children": "none"})) == [1.0]
    assert values(number_contradiction, visit(asked, profile={"children": "2"})) == [0.0]


def test_a_profile_that_says_yes_and_a_number_gives_the_number() -> None:
    asked = "How many children do you have?"
    record = visit((asked, "Three."), (asked, "Two."), profile={"children": "yes, 2"})
    assert values(number_contradiction, record) == [1.0, 0.0]


@pytest.mark.parametrize(
    "said",
    [
        "\u80c3\u304c\u75db\u304f\u3066\u3001\u6628\u65e5\u304b\u3089\u4f55\u3082\u98df\u3079\u3089\u308c\u307e\u305b\u3093\u3002",
        "\u6211\u4ece\u6628\u5929\u5f00\u59cb\u5934\u75bc\uff0c\u800c\u4e14\u4e00\u76f4\u60f3\u5410\u3002",
        "Headache, nausea, blurry vision.",
        "Breathlessness. Wheezing. Coughing fits.",
    ],
    ids=["Japanese", "Chinese", "four words", "four long words"],
)
def test_a_long_reply_in_few_words_is_repeated_too(said: str) -> None:
    assert values(repeated_reply, visit(said, said)) == [1.0]


@pytest.mark.parametrize("said", ["\u306f\u3044\u3002", "\u4e0d\u77e5\u9053\u3002", "Thank you, doctor."])
def test_a_short_reply_in_any_script_may_come_again(said: str) -> None:
    assert values(repeated_reply, visit(said, said)) == [0.0]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Well, my chest feels tight when I climb stairs.", "My chest feels tight when I climb the stairs."),
        ("It has been two weeks with this cough.", "It's been 2 weeks with this cough."),
    ],
)
def test_small_words_and_the_spelling_of_numbers_make_no_other_reply(first: str, second: str) -> None:
    assert values(repeated_reply, visit(first, second)) == [1.0]


def test_the_same_words_again_are_a_repeated_reply() -> None:
    said = "My chest hurts when I breathe in."
    first, second, third = marks(
        repeated_reply, visit(said, "No.", "My chest hurts, when I breathe in!", "Only at night.")
    )
    assert [first.value, second.value, third.value] == [0.0, 1.0, 0.0]
    assert (second.turn, second.why) == ("3", "as in turn 1; expected other words")


def test_a_nearly_equal_reply_is_repeated() -> None:
    again = visit("My head hurts badly since I fell yesterday.", "Well, my head hurts badly since I fell yesterday!")
    assert values(repeated_reply, again) == [1.0]


def test_a_long_reply_that_differs_in_one_word_is_repeated() -> None:
    long = "I was walking home from the shop when I fell over the kerb and hit my knee and my elbow on the {}."
    assert values(repeated_reply, visit(long.format("street"), long.format("ground"))) == [1.0]


@pytest.mark.parametrize(
    ("first", "second"),
    rows("short_stock_and_other_answers_are_not_repeated"),
)
def test_short_stock_and_other_answers_are_not_repeated(first: str, second: str) -> None:
    assert values(repeated_reply, visit(first, second)) == [0.0]


def test_one_reply_alone_cannot_be_repeated() -> None:
    assert marks(repeated_reply, visit("My chest hurts when I breathe in.")) == []


# Precision beyond the persona.

DRUGS = {"medication": "Lisinopril 10 mg tablet daily; metformin 500 mg; aspirin; acetaminophen for the knees"}
DRINKS = {"alcohol": "6 beers a day", "tobacco": "1 ppd"}


@pytest.mark.parametrize(
    "said",
    rows("low_recall_with_names_or_doses_is_too_precise"),
)
def test_low_recall_with_names_or_doses_is_too_precise(said: str) -> None:
    (mark,) = marks(unexpected_precision, visit("Hello.", said, profile=DRUGS, recall="low"))
    assert (mark.value, mark.at, mark.turn, mark.group) == (1.0, "medication", "2", "current visit")
    assert said in mark.why
    assert "does not remember the names" in mark.why


@pytest.mark.parametrize(
    "said",
    rows("vague_asked_and_household_names_are_not_too_precise"),
)
def test_vague_asked_and_household_names_are_not_too_precise(said: Said) -> None:
    assert values(unexpected_precision, visit(said, profile=DRUGS, recall="low")) == [0.0]


def test_each_item_that_holds_a_detail_gets_a_mark() -> None:
    profile = {**DRUGS, "medical_history": "appendectomy in 2015; asthma", "family_medical_history": "diabetes"}
    record = visit("In twenty fifteen they took my appendix out.", profile=profile, recall="low")
    assert [(mark.at, mark.value) for mark in marks(unexpected_precision, record)] == [
        ("medication", 0.0),
        ("medical_history", 1.0),
    ]


@pytest.mark.parametrize(
    ("said", "expected"),
    rows("a_pleasing_patient_does_not_give_true_amounts"),
)
def test_a_pleasing_patient_does_not_give_true_amounts(said: str, expected: tuple[float, ...]) -> None:
    assert values(unexpected_precision, visit(said, profile=DRINKS, personality="pleasing")) == list(expected)


@pytest.mark.parametrize("persona", [{}, {"recall": "high"}, {"personality": "impatient"}], ids=str)
def test_personas_that_blur_nothing_leave_precision_undefined(persona: dict[str, str]) -> None:
    assert marks(unexpected_precision, visit("I take lisinopril 10 mg.", profile=DRUGS, **persona)) == []


def test_a_profile_without_such_details_leaves_precision_undefined() -> None:
    record = visit("I take a pill.", profile={"medication": "one pill daily"}, recall="low")
    assert marks(unexpected_precision, record) == []


# Confusion.

CLEAR = ["My head hurts.", "I fell this morning.", "I take one pill.", "No.", "Yes, since Monday.", "Thank you."]


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (["Where am I?", "What's happening?"], CLEAR[:2], 1.0),
        (["Where am I?", "Who are you?"], ["What day is it?", "It hurts."], 1.0),
        (["Where am I?", "It hurts."], ["I don't understand.", "It hurts."], 0.0),
        (["Huh?", "It hurts."], ["Where am I?", "I'm so confused."], 0.0),
        (["It hurts.", "I fell."], ["Where am I?", "Who are you?"], 0.0),
    ],
)
def test_confusion_must_fade(first: list[str], last: list[str], expected: float) -> None:
    (mark,) = marks(confusion_fades, visit(*first, *CLEAR[:2], *last, confusion="high"))
    assert mark.value == expected
    assert "of the last 2" in mark.why


@pytest.mark.parametrize(
    "record",
    [
        visit("Where am I?", *CLEAR, confusion="normal"),
        visit("Where am I?", *CLEAR),
        visit("Where am I?", *CLEAR[:4], confusion="high"),
        visit(*CLEAR, confusion="high"),
        visit("I'm not confused.", "I know what happened.", *CLEAR[:4], confusion="high"),
    ],
    ids=["not confused", "nothing known", "five replies", "clear from the start", "says that it is clear"],
)
def test_where_nothing_can_fade_it_is_undefined(record: Consultation) -> None:
    assert marks(confusion_fades, record) == []


# Long replies and long visits.

OFTEN = [
    "On day {} I had pain in my chest for three days and took two pills at home.",
    "My pressure was 130 over {} that day.",
    "I am {} years old, I take lisinopril 20 mg, and it began {} days ago.",
    "My wife died, and my wife cooks for me on day {}.",
]
FULL = {
    "age": "62",
    "pain": "4",
    "children": "2",
    "medication": "lisinopril 10 mg daily",
    "medical_history": "appendectomy in 1998",
    "alcohol": "6 beers a day",
    "diagnosis": "appendicitis",
    "disposition": "admitted",
}


def test_the_time_for_a_reply_grows_with_its_sentences() -> None:
    asked = "How long have you had the chest pain? Did anyone take your blood pressure?"

    def long_reply(sentences: int) -> None:
        reply = " ".join(OFTEN[at % len(OFTEN)].replace("{}", str(at)) for at in range(sentences))
        record = visit((asked, "My wife cooks."), (asked, reply), profile=FULL, personality="pleasing", recall="low")
        assert len(record.replies[1].sentences) == sentences
        for check in CHECKS:
            marks(check, record)

    assert_linear(long_reply, 150)


def test_the_time_for_a_visit_grows_with_its_questions() -> None:
    asked = "And on day {}, was it 5 mg? How long have you had the chest pain?"
    # Whether a reply comes again is asked of every two of them.
    linear = [check for check in CHECKS if check.card.name != "repeated_reply"]

    def long_visit(questions: int) -> None:
        said = [(asked.format(at), OFTEN[at % len(OFTEN)].replace("{}", str(at))) for at in range(questions)]
        record = visit(*said, profile=FULL, personality="pleasing", recall="low")
        for check in linear:
            marks(check, record)

    assert_linear(long_visit, 80)


# Cards.


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.card.name)
def test_every_check_probes_a_part_that_the_suite_knows(check: Metric) -> None:
    parts = {
        "number_contradiction": "facts",
        "impossible_value": "facts",
        "repeated_reply": "drift",
    }
    assert check.card.probes == (parts.get(check.card.name, "role-play"),)


def test_the_formula_of_fading_says_what_is_counted() -> None:
    assert (
        confusion_fades.card.formula
        == "1 if the share of confused replies is lower in the last third than in the first"
    )
