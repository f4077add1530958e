"""The patient by rule: it tells what it is asked for, as its persona would."""

from __future__ import annotations

import pytest
from visits import PLAIN, PROFILE, ask

from adjudge.suites.patient.data import Consultation, PatientTurn, Persona
from adjudge.suites.patient.metrics.fading import is_confused
from adjudge.systems.patient.memory import PatientMemory
from adjudge.systems.patient.questions import likely_causes
from adjudge.systems.patient.topics import facts_of, find_topic, topics

SEEDS = range(20)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How old are you?", "45"),
        ("What brings you in today?", "headache"),
        ("When did the headache start?", "The pain began on Monday"),
        ("Does anything make it worse?", "Worse in the morning"),
        ("How bad is it, from 0 to 10 on a scale?", "6"),
        ("Have you vomited?", "I vomited"),
        ("Any fever?", "no fever"),
        ("What do you do for a living?", "Baker"),
        ("Do you have kids?", "2 children"),
        ("Which medicines do you take?", "Lisinopril 10 mg once daily"),
        ("Are you allergic to anything?", "No"),
        ("Any illnesses in your family?", "Father: stroke"),
    ],
)
def test_a_question_gets_the_item_that_answers_it(question: str, told: str) -> None:
    assert told.lower() in ask(question).text.lower()


def test_nothing_is_told_that_was_not_asked_for() -> None:
    answer = ask("Do you drink alcohol?")
    assert answer.facts.items == ("alcohol",)
    others = [value for item, value in PROFILE.items() if item not in ("alcohol", "age", "pain", "allergies")]
    assert not [value for value in others if value in answer.text]


def test_what_was_told_is_not_told_again_to_an_open_question() -> None:
    memory, texts = PatientMemory(), []
    for _ in range(5):
        answer = ask("Have you noticed anything else?", memory=memory)
        assert answer.notes is not None
        memory = answer.notes
        texts.append(answer.text)
    assert "began on Monday" in texts[0]
    assert "I vomited" in texts[1]
    assert not [text for text in texts[2:] if "Monday" in text or "vomited" in text]


def test_a_question_that_is_asked_again_is_answered_again() -> None:
    first = ask("How old are you?")
    assert "45" in ask("Sorry, how old are you?", memory=first.notes).text


def test_a_question_beside_the_profile_gets_no_invention() -> None:
    assert ask("Do you own a parrot?").facts.items == ()


def test_low_recall_forgets_most_of_history_and_never_names_a_medicine() -> None:
    low = Persona("plain", "C", "low", "normal")
    histories = [ask("Any illnesses or operations?", low, seed=seed) for seed in SEEDS]
    forgotten = [answer for answer in histories if not answer.facts.items]
    assert 5 <= len(forgotten) < len(SEEDS)
    assert not [answer.text for answer in histories if "2014" in answer.text or "2019" in answer.text]
    medicines = [ask("Which medicines do you take?", low, seed=seed) for seed in SEEDS]
    assert not [answer.text for answer in medicines if "isinopril" in answer.text]
    assert medicines[0].facts.withheld == ("medication",)


def test_what_was_forgotten_once_stays_forgotten() -> None:
    low = Persona(recall="low")
    first = ask("How old are you?", low)
    assert first.notes is not None
    answers = {ask("Any illnesses?", low, first.notes, seed=seed).facts.items for seed in SEEDS}
    assert len(answers) == 1


@pytest.mark.parametrize(("personality", "pain"), [("plain", "6"), ("pleasing", "4"), ("overanxious", "8")])
def test_personalities_shift_the_pain(personality: str, pain: str) -> None:
    assert pain in ask("How bad is it on a scale from 0 to 10?", Persona(personality)).text


def test_a_distrustful_patient_withholds_and_a_pleasing_one_plays_down() -> None:
    withheld = ask("Do you drink alcohol?", Persona("distrustful"))
    assert withheld.facts.withheld == ("alcohol",)
    assert "beer" not in withheld.text
    assert "beer" not in ask("Do you drink alcohol?", Persona("pleasing")).text
    assert "beer" in ask("Do you drink alcohol?", Persona("impatient")).text


@pytest.mark.parametrize(("level", "most"), [("A", 8), ("B", 14), ("C", 20)])
def test_the_level_of_language_limits_the_words_of_a_sentence(level: str, most: int) -> None:
    long = "The patient reports that the pain began on Monday, when she was carrying heavy boxes up to the attic, and "
    profile = {**PROFILE, "present_illness_positive": f"{long}that it has been getting worse with every hour since."}
    persona = Persona("plain", level, "high", "normal")  # type: ignore[arg-type]
    text = ask("When did it begin?", persona, profile=profile).text
    assert "began on Monday" in text
    visit = Consultation(id="v", turns=(PatientTurn("1", "patient", text),))
    assert max(len(sentence.text.split()) for sentence in visit.replies[0].sentences) <= most


def test_plain_words_take_the_place_of_medical_ones_at_the_lowest_level() -> None:
    profile = {**PROFILE, "medical_history": "Hypertension"}
    assert "igh blood pressure" in ask("Any illnesses?", Persona("plain", "A"), profile=profile).text
    assert "Hypertension" in ask("Any illnesses?", Persona("plain", "C"), profile=profile).text


@pytest.mark.parametrize(
    ("begins", "levels"), [("high", "hhhhmmmmnn"), ("moderate", "mmmmnnnnnn"), ("normal", "n" * 10)]
)
def test_a_dazed_patient_finds_its_bearings_by_a_step_in_four_replies(begins: str, levels: str) -> None:
    persona = Persona(confusion=begins)  # type: ignore[arg-type]
    assert "".join(PatientMemory(replies=count).confusion(persona)[0] for count in range(10)) == levels


def test_a_dazed_patient_answers_nothing_at_first() -> None:
    answers = [ask("How old are you?", Persona(confusion="high"), seed=seed) for seed in SEEDS]
    for answer in answers:
        visit = Consultation(id="v", turns=(PatientTurn("1", "patient", answer.text),))
        assert is_confused(visit.replies[0]), answer.text
        assert "45" not in answer.text


def test_without_its_persona_a_patient_tells_all() -> None:
    persona = Persona("distrustful", "A", "low", "high")
    answer = ask("Do you drink alcohol?", persona, parts=frozenset({"realiser"}))
    assert "beers a day" in answer.text


def test_without_the_realiser_a_patient_reads_out_its_profile() -> None:
    answer = ask("When did it begin?", PLAIN, parts=frozenset({"persona"}))
    assert answer.text == "The patient reports that the pain began on Monday."


@pytest.mark.parametrize("name", [name for name, topic in topics().items() if topic.means and topic.asks])
def test_the_patient_understands_every_question_of_the_doctor_by_rule(name: str) -> None:
    assert {find_topic(question.lower()) for question in topics()[name].asks} == {name}


def test_items_of_the_users_own_are_read_for_what_they_are_about() -> None:
    profile = {"social_history": "Non-smoker, drinks wine occasionally. Works as a graphic designer."}
    assert ask("What is your job?", profile=profile).text == "I work as a graphic designer."
    assert "wine" in ask("Do you drink?", profile=profile).text


def test_long_items_are_told_sentence_by_sentence() -> None:
    facts = facts_of({"medical_history": "Gout. He had a fall; asthma", "age": "40"})
    assert [fact.text for fact in facts] == ["Gout.", "He had a fall", "asthma", "40"]


def test_the_doctor_by_rule_thinks_of_the_complaint_that_it_hears_first() -> None:
    assert likely_causes("It's the sore throat. I have no cough.")[0] == "Viral pharyngitis"
    assert likely_causes("Nothing is wrong.") == ()
