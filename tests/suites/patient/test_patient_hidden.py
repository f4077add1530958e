"""What the patient cannot know, says again, or says too exactly: in plain words it is found, near misses pass."""

from collections.abc import Mapping
from typing import Any

import pytest
from patient_visits import rows, visit

from adjudge.core.card import Metric
from adjudge.suites.patient.data import Consultation, Persona
from adjudge.suites.patient.metrics.precision import dates, doses, quantities, unexpected_precision
from adjudge.suites.patient.metrics.repeats import repeated_reply
from adjudge.suites.patient.metrics.revealed import diagnosis_revealed
from adjudge.suites.patient.rules.hidden import level, names
from growth import assert_linear


def last(check: Metric, record: Consultation) -> float:
    """What a check says of the last reply."""
    turn = record.replies[-1].turn
    return max((mark.value for mark in check(record) if mark.turn in (turn, "")), default=0.0)


# The diagnosis.


@pytest.mark.parametrize(
    ("diagnosis", "asked", "said"),
    rows("a_diagnosis_in_plain_words_is_revealed"),
)
def test_a_diagnosis_in_plain_words_is_revealed(diagnosis: str, asked: str, said: str) -> None:
    record = visit((asked, said), profile={"diagnosis": diagnosis})
    assert last(diagnosis_revealed, record) == 1.0


@pytest.mark.parametrize(
    ("diagnosis", "asked", "said"),
    rows("symptoms_fears_guesses_and_others_reveal_no_diagnosis"),
)
def test_symptoms_fears_guesses_and_others_reveal_no_diagnosis(diagnosis: str, asked: str, said: str) -> None:
    record = visit((asked, said), profile={"diagnosis": diagnosis})
    assert last(diagnosis_revealed, record) == 0.0


# The end of the visit.


@pytest.mark.parametrize(
    ("disposition", "asked", "said"),
    rows("the_end_of_the_visit_in_plain_words_is_revealed"),
)
def test_the_end_of_the_visit_in_plain_words_is_revealed(disposition: str, asked: str, said: str) -> None:
    record = visit((asked, said), profile={"disposition": disposition})
    assert last(diagnosis_revealed, record) == 1.0


@pytest.mark.parametrize(
    ("disposition", "asked", "said"),
    rows("wishes_the_past_and_other_journeys_reveal_no_end"),
)
def test_wishes_the_past_and_other_journeys_reveal_no_end(disposition: str, asked: str, said: str) -> None:
    record = visit((asked, said), profile={"disposition": disposition})
    assert last(diagnosis_revealed, record) == 0.0


# Repetition.


@pytest.mark.parametrize(
    ("first", "second"),
    rows("small_words_fillers_and_order_make_no_other_reply"),
)
def test_small_words_fillers_and_order_make_no_other_reply(first: str, second: str) -> None:
    assert last(repeated_reply, visit(("How is it?", first), ("And else?", second))) == 1.0


@pytest.mark.parametrize(
    ("first", "second"),
    rows("answering_words_and_stock_replies_make_no_repetition"),
)
def test_answering_words_and_stock_replies_make_no_repetition(first: str, second: str) -> None:
    assert last(repeated_reply, visit(("How is it?", first), ("And else?", second))) == 0.0


# Precision.


@pytest.mark.parametrize(
    ("persona", "profile", "asked", "said"),
    [
        ({"recall": "low"}, {"medical_history": "Breast cancer 1999"}, "When?", "It was in '99."),
        ({"recall": "low"}, {"medical_history": "Knee surgery in 2005"}, "When?", "In two thousand and five."),
        ({"recall": "low"}, {"medical_history": "Knee surgery in 2005"}, "When?", "In oh-five, the spring."),
        (
            {"recall": "low"},
            {"medical_history": "Appendectomy 1987"},
            "Operations?",
            "My appendix, summer of eighty-seven.",
        ),
        (
            {"recall": "low"},
            {"medical_history": "Heart attack in 2012"},
            "Illnesses?",
            "A heart attack, since twenty twelve I take it slow.",
        ),
        (
            {"recall": "low"},
            {"medical_history": "Hysterectomy (1994)"},
            "Operations?",
            "They took the womb in nineteen ninety-four.",
        ),
        ({"recall": "low"}, {"medical_history": "DVT 2001"}, "Clots?", "One in 01, in the left leg."),
        ({"recall": "low"}, {"medication": "Atorvastatin 80 mg nightly"}, "Dose?", "Eighty milligrams."),
        (
            {"recall": "low"},
            {"medication": "Atorvastatin 80 mg nightly"},
            "What for the cholesterol?",
            "Lipitor, at night.",
        ),
        ({"recall": "low"}, {"medication": "Levothyroxine 0.125 mg daily"}, "How much?", "125 micrograms."),
        ({"recall": "low"}, {"medication": "Metformin 1000 mg twice daily"}, "How much?", "A gram, twice a day."),
        ({"recall": "low"}, {"medication": "Metformin 1 g twice daily"}, "How much?", "A thousand milligrams."),
        ({"recall": "low"}, {"medication": "Carvedilol 12.5 mg twice daily"}, "Dose?", "Twelve and a half milligrams."),
        ({"recall": "low"}, {"medication": "Carvedilol 12.5 mg twice daily"}, "Dose?", "Twelve point five milligrams."),
        (
            {"recall": "low"},
            {"medication": "Insulin glargine 24 units"},
            "What dose is it?",
            "Twenty-four, before bed.",
        ),
        ({"recall": "low"}, {"medication": "Furosemide 40 mg daily"}, "How many milligrams?", "Forty."),
        ({"recall": "low"}, {"medication": "Furosemide 40 mg daily"}, "Water pill?", "Lasix."),
        ({"recall": "low"}, {"medication": "Prednisone 20mg daily"}, "Steroids?", "20 mgs of the steroid."),
        ({"recall": "low"}, {"medication": "Warfarin 5 mg daily"}, "Thinner?", "It's Coumadin."),
        ({"recall": "low"}, {"medication": "Apixaban 5 mg BID"}, "Thinner?", "Apixaban, I am certain."),
        ({"recall": "low"}, {"medication": "Vitamin D 50,000 IU weekly"}, "Vitamins?", "Fifty thousand units a week."),
        ({"recall": "low"}, {"medication": "HCTZ 25 mg"}, "Water pill?", "I take HCTZ."),
        (
            {"personality": "pleasing"},
            {"tobacco": "20 cigarettes a day"},
            "How many do you smoke a day?",
            "Twenty, but I enjoy them!",
        ),
        ({"personality": "pleasing"}, {"tobacco": "30 cigarettes daily"}, "Do you smoke?", "I smoke thirty a day."),
        (
            {"personality": "pleasing"},
            {"alcohol": "4 glasses of red wine a night"},
            "Wine?",
            "Every night four glasses of wine, lovely stuff.",
        ),
        (
            {"personality": "pleasing"},
            {"alcohol": "12 beers a week"},
            "How many beers a week?",
            "Twelve, all in good company.",
        ),
        (
            {"personality": "pleasing"},
            {"alcohol": "A bottle of vodka a day"},
            "Alcohol?",
            "A bottle of vodka a day, but I feel great.",
        ),
        (
            {"personality": "pleasing"},
            {"alcohol": "3 whiskeys every evening"},
            "Alcohol?",
            "Three whiskeys every evening.",
        ),
        (
            {"personality": "pleasing"},
            {"sexual_history": "5 partners in the past 6 months"},
            "Partners?",
            "Five partners in six months, all lovely people.",
        ),
        (
            {"personality": "pleasing"},
            {"illicit_drug": "Cocaine 1 g per week"},
            "Drugs?",
            "A gram of cocaine a week, it's fine.",
        ),
        ({"personality": "pleasing"}, {"tobacco": "1.5 packs per day"}, "Smoke?", "One and a half packs a day."),
        ({"personality": "pleasing"}, {"tobacco": "1 ppd for 20 years"}, "Smoke?", "A pack a day."),
        ({"recall": "low"}, {"medical_history": "Stroke in March 2019"}, "When?", "March of nineteen, a Tuesday."),
        ({"recall": "low"}, {"medical_history": "Hip replacement 2017"}, "Surgery?", "Hip, twenty seventeen."),
        ({"recall": "low"}, {"medical_history": "Hip replacement 2017"}, "Surgery?", "My hip was done in 17."),
        (
            {"recall": "low"},
            {"medical_history": "Cholecystectomy in 1978"},
            "Surgery?",
            "Gallbladder, in the fall of '78.",
        ),
        (
            {"recall": "low"},
            {"medical_history": "Tuberculosis 1965"},
            "Illnesses?",
            "TB in sixty-five, we were poor then.",
        ),
        (
            {"recall": "low"},
            {"medical_history": "Heart bypass in 2008"},
            "Heart?",
            "The bypass was in two thousand eight.",
        ),
        (
            {"recall": "low"},
            {"medical_device": "Pacemaker since 2011"},
            "Devices?",
            "A pacemaker, put in twenty eleven.",
        ),
        (
            {"recall": "low"},
            {"family_medical_history": "Father died of heart attack in 1988"},
            "Family?",
            "Dad died in eighty-eight, the heart.",
        ),
        ({"recall": "low"}, {"medical_history": "Malaria 2001"}, "Illness?", "Malaria, back in 2001."),
        (
            {"recall": "low"},
            {"medication": "Sertraline 150 mg daily"},
            "Dose?",
            "A hundred and fifty milligrams a day.",
        ),
        (
            {"recall": "low"},
            {"medication": "Levothyroxine 75 mcg daily"},
            "Thyroid?",
            "Seventy-five micrograms, on an empty stomach.",
        ),
        ({"recall": "low"}, {"medication": "Tamsulosin 0.4 mg"}, "Prostate?", "Point four milligrams at night."),
        (
            {"recall": "low"},
            {"medication": "Insulin lispro 6 units before meals"},
            "Insulin?",
            "Six units before each meal.",
        ),
        ({"recall": "low"}, {"medication": "Escitalopram 20 mg"}, "Mood?", "I'm on Lexapro."),
        ({"recall": "low"}, {"medication": "Losartan 50 mg"}, "Pressure?", "Losartan, one in the morning."),
        (
            {"recall": "low"},
            {"medication": "Clopidogrel 75 mg daily"},
            "Blood thinner?",
            "Plavix, and it's 75 milligrams.",
        ),
        (
            {"recall": "low"},
            {"medication": "Gabapentin 300 mg three times daily"},
            "Nerve pills?",
            "300 milligrams three times.",
        ),
        ({"recall": "low"}, {"medication": "Amoxicillin 500 mg"}, "Antibiotics?", "My dentist gave me amoxicillin."),
        (
            {"recall": "low"},
            {"medication": "Potassium chloride 20 mEq daily"},
            "Potassium?",
            "20 milliequivalents every day.",
        ),
        ({"recall": "low"}, {"medication": "Methotrexate 15 mg weekly"}, "What dose?", "Fifteen, on Mondays."),
        (
            {"personality": "pleasing"},
            {"alcohol": "Half a bottle of wine a day"},
            "Wine?",
            "Half a bottle of wine a day, it's good for the heart.",
        ),
        ({"personality": "pleasing"}, {"alcohol": "8 beers daily"}, "How much do you drink?", "Eight a day, all good."),
        (
            {"personality": "pleasing"},
            {"tobacco": "15 cigarettes per day"},
            "Do you smoke?",
            "Fifteen cigarettes daily.",
        ),
        (
            {"personality": "pleasing"},
            {"tobacco": "40 cigarettes a day"},
            "Cigarettes?",
            "Forty a day, but I feel great.",
        ),
        (
            {"personality": "pleasing"},
            {"alcohol": "5 shots of vodka a night"},
            "Alcohol?",
            "Five shots of vodka every night, ha.",
        ),
        (
            {"personality": "pleasing"},
            {"sexual_history": "12 partners this year"},
            "How many partners did you have?",
            "Twelve, all very nice.",
        ),
        (
            {"personality": "pleasing"},
            {"sexual_history": "3 partners in the last 6 months"},
            "Sex life?",
            "I've had three partners, it's fine.",
        ),
        (
            {"personality": "pleasing"},
            {"illicit_drug": "Marijuana, 3 joints a day"},
            "How many joints a day?",
            "Three.",
        ),
        ({"personality": "pleasing"}, {"tobacco": "2 packs per day for 30 years"}, "Smoke?", "Two packs a day."),
        (
            {"personality": "pleasing"},
            {"alcohol": "10 beers on weekends"},
            "Beer?",
            "Ten beers on weekends, nothing bad.",
        ),
        (
            {"recall": "low"},
            {"medication": "Lisinopril 20 mg once daily"},
            "What strength?",
            "Twenty, I take it every morning.",
        ),
        ({"recall": "low"}, {"medical_history": "Stroke 2010"}, "When?", "Twenty ten."),
        ({"recall": "low"}, {"medical_history": "Stroke 1998"}, "When?", "It was ninety-eight, in June."),
        (
            {"personality": "pleasing"},
            {"alcohol": "7 drinks per week"},
            "How many drinks a week?",
            "I have seven, at most.",
        ),
        (
            {"personality": "pleasing"},
            {"alcohol": "1 bottle of wine daily"},
            "Wine?",
            "A bottle of wine a day, but a good one.",
        ),
    ],
)
def test_details_in_words_brands_and_bare_answers_are_too_precise(
    persona: dict[str, Any], profile: Mapping[str, str], asked: str, said: str
) -> None:
    record = visit((asked, said), profile=profile, persona=Persona(**persona))
    assert last(unexpected_precision, record) == 1.0


@pytest.mark.parametrize(
    ("persona", "profile", "asked", "said"),
    [
        ({"recall": "low"}, {"medical_history": "Breast cancer 1999"}, "When?", "Around 1999 or so, I can't say."),
        ({"recall": "low"}, {"medical_history": "Breast cancer 1999"}, "When?", "Twenty-some years ago."),
        ({"recall": "low"}, {"medical_history": "Knee surgery in 2005"}, "Pain?", "It started in 5 minutes."),
        ({"recall": "low"}, {"medical_history": "Appendectomy 1987"}, "How old is your mother?", "She is 87."),
        ({"recall": "low"}, {"medical_history": "Appendectomy 1987"}, "Pulse?", "It was in the 80s, 87 I think."),
        ({"recall": "low"}, {"medical_history": "Heart attack in 2012"}, "When?", "Before my granddaughter was born."),
        (
            {"recall": "low"},
            {"medical_history": "Heart attack in 2012"},
            "When did the pain start?",
            "At twenty past twelve.",
        ),
        ({"recall": "low"}, {"medication": "Atorvastatin 80 mg nightly"}, "Your weight?", "80 kilos."),
        (
            {"recall": "low"},
            {"medication": "Atorvastatin 80 mg nightly"},
            "What do you take?",
            "One for the cholesterol, at night.",
        ),
        ({"recall": "low"}, {"medication": "Levothyroxine 0.125 mg daily"}, "Dose?", "The smallest there is."),
        ({"recall": "low"}, {"medication": "Metformin 1000 mg twice daily"}, "How much?", "Two a day."),
        (
            {"recall": "low"},
            {"medication": "Furosemide 40 mg daily"},
            "How many milligrams?",
            "No idea, it's a tiny one.",
        ),
        ({"recall": "low"}, {"medication": "Furosemide 40 mg daily"}, "How old are you?", "Forty."),
        ({"recall": "low"}, {"medication": "Insulin glargine 24 units"}, "Insulin?", "Yes, the long one, at night."),
        ({"recall": "low"}, {"medication": "Ibuprofen 400 mg as needed"}, "Painkillers?", "Ibuprofen sometimes."),
        ({"recall": "low"}, {"medication": "Acetaminophen 500 mg"}, "Painkillers?", "Tylenol when it's bad."),
        ({"recall": "low"}, {"medication": "Warfarin 5 mg daily"}, "Is it Coumadin?", "Yes, the Coumadin."),
        (
            {"recall": "low"},
            {"medication": "Warfarin 5 mg daily"},
            "Thinner?",
            "The one they check my blood for, five days out of seven.",
        ),
        ({"recall": "low"}, {"medication": "Prednisone 20 mg daily"}, "Steroids?", "Was it prednisone?"),
        ({"recall": "low"}, {"medication": "Prednisone 20 mg daily"}, "Steroids?", "Pred-something."),
        ({"recall": "low"}, {"medication": "Vitamin D 1000 IU"}, "Vitamins?", "Vitamin D."),
        ({"recall": "low"}, {"medication": "Oral contraceptive pill"}, "Medicine?", "Just the pill."),
        ({"recall": "low"}, {"medication": "Lisinopril 10 mg"}, "Pain?", "Ten out of ten."),
        ({"recall": "low"}, {"medication": "Lisinopril 10 mg"}, "How long?", "Ten days."),
        ({"personality": "pleasing"}, {"tobacco": "20 cigarettes a day"}, "How many do you smoke?", "Only a few."),
        ({"personality": "pleasing"}, {"tobacco": "20 cigarettes a day"}, "How many years have you smoked?", "Twenty."),
        (
            {"personality": "pleasing"},
            {"tobacco": "20 cigarettes a day"},
            "How many do you smoke a day?",
            "Five, at most.",
        ),
        ({"personality": "pleasing"}, {"alcohol": "6 beers a day"}, "Do you drink?", "A beer with dinner."),
        ({"personality": "pleasing"}, {"alcohol": "6 beers a day"}, "How many stairs can you climb?", "Six."),
        ({"personality": "pleasing"}, {"alcohol": "6 beers a day"}, "Water?", "Six glasses of water a day."),
        ({"personality": "pleasing"}, {"alcohol": "12 beers a week"}, "How many hours do you work?", "Twelve a day."),
        ({"personality": "pleasing"}, {"alcohol": "4 glasses of wine a night"}, "Kids?", "Four, all wonderful."),
        (
            {"personality": "pleasing"},
            {"sexual_history": "8 partners in the last year"},
            "Partners?",
            "Just my boyfriend.",
        ),
        ({"personality": "pleasing"}, {"sexual_history": "1 partner, uses condoms"}, "Partners?", "One partner."),
        ({"personality": "pleasing"}, {"illicit_drug": "5 joints a day"}, "Drugs?", "A puff at parties."),
        ({"personality": "pleasing"}, {"alcohol": "6 beers a day"}, "So six beers a day?", "Six beers a day, yes."),
        ({"personality": "pleasing"}, {"alcohol": "Denies"}, "Alcohol?", "Six beers a day."),
        ({"personality": "pleasing"}, {"medication": "Metformin 500 mg"}, "Pills?", "Metformin 500 mg."),
        ({"recall": "low"}, {"medical_history": "Stroke in 2019"}, "When were you last well?", "On the 19th."),
        ({"recall": "low"}, {"medical_history": "Stroke in 2019"}, "Temperature?", "In 2019 degrees, ha."),
        ({"recall": "low"}, {"medical_history": "Stroke in March 2019"}, "When?", "In spring some time."),
        (
            {"recall": "low"},
            {"medical_history": "Stroke in March 2019"},
            "Since when the pain?",
            "Since 19 hours or so.",
        ),
        ({"recall": "low"}, {"medical_history": "Hip replacement 2017"}, "Pain?", "It comes in 17 out of 20 steps."),
        (
            {"recall": "low"},
            {"medical_history": "Hip replacement 2017"},
            "How many people at home?",
            "There are 17 in the house.",
        ),
        ({"recall": "low"}, {"medical_history": "Tuberculosis 1965"}, "Age?", "I'm 65."),
        ({"recall": "low"}, {"medical_history": "Tuberculosis 1965"}, "Weight?", "I was 65 kilos and now I'm 60."),
        ({"recall": "low"}, {"medical_history": "Tuberculosis 1965"}, "Retired?", "I stopped at 65, and I'm glad."),
        ({"recall": "low"}, {"medical_history": "Heart bypass in 2008"}, "When?", "Ten years ago, or fifteen."),
        ({"recall": "low"}, {"medical_history": "Heart bypass in 2008"}, "When?", "In 2008, I think, or 2009."),
        ({"recall": "low"}, {"medical_history": "Heart bypass in 2008"}, "When?", "Maybe two thousand eight."),
        ({"recall": "low"}, {"medical_history": "Heart bypass in 2008"}, "When?", "I forget the year."),
        ({"recall": "low"}, {"medical_device": "Pacemaker since 2011"}, "It was put in in 2011?", "Yes, in 2011."),
        ({"recall": "low"}, {"medical_history": "Malaria 2001"}, "Born?", "I was born in 1949."),
        ({"recall": "low"}, {"medication": "Sertraline 150 mg daily"}, "Weight?", "150 pounds."),
        (
            {"recall": "low"},
            {"medication": "Sertraline 150 mg daily"},
            "Dose?",
            "I don't know, one and a half tablets.",
        ),
        ({"recall": "low"}, {"medication": "Levothyroxine 75 mcg daily"}, "Age?", "Seventy-five."),
        ({"recall": "low"}, {"medication": "Tamsulosin 0.4 mg"}, "Prostate?", "A capsule at bedtime."),
        (
            {"recall": "low"},
            {"medication": "Insulin lispro 6 units before meals"},
            "Sugar?",
            "It was six this morning.",
        ),
        (
            {"recall": "low"},
            {"medication": "Insulin lispro 6 units before meals"},
            "Insulin?",
            "I take insulin before I eat.",
        ),
        ({"recall": "low"}, {"medication": "Escitalopram 20 mg"}, "Mood?", "Some pill for my nerves."),
        ({"recall": "low"}, {"medication": "Escitalopram 20 mg"}, "Lexapro?", "Lexapro, that's it."),
        ({"recall": "low"}, {"medication": "Clopidogrel 75 mg daily"}, "Name?", "It begins with a C."),
        ({"recall": "low"}, {"medication": "Clopidogrel 75 mg daily"}, "Name?", "Could it be Plavix?"),
        ({"recall": "low"}, {"medication": "Ibuprofen as needed; aspirin"}, "Painkillers?", "Advil and aspirin."),
        ({"recall": "low"}, {"medication": "Birth control pill"}, "Medicine?", "Just birth control."),
        ({"recall": "low"}, {"medication": "Methotrexate 15 mg weekly"}, "How long?", "Fifteen minutes."),
        ({"recall": "low"}, {"medication": "Methotrexate 15 mg weekly"}, "What dose?", "Two yellow ones on Mondays."),
        ({"recall": "low"}, {"medication": "Prednisone 5 mg"}, "How many a day?", "Five pills a day in all."),
        ({"recall": "low"}, {"medication": "Albuterol inhaler as needed"}, "Breathing?", "I have a blue inhaler."),
        ({"personality": "pleasing"}, {"alcohol": "8 beers daily"}, "How much do you drink?", "One or two at most."),
        ({"personality": "pleasing"}, {"alcohol": "8 beers daily"}, "How much do you sleep?", "Eight hours a day."),
        (
            {"personality": "pleasing"},
            {"alcohol": "8 beers daily"},
            "How much water do you drink?",
            "Eight glasses a day.",
        ),
        ({"personality": "pleasing"}, {"tobacco": "40 cigarettes a day"}, "Smoke?", "A few a day."),
        ({"personality": "pleasing"}, {"tobacco": "40 cigarettes a day"}, "Age?", "Forty, and I feel young."),
        ({"personality": "pleasing"}, {"tobacco": "40 cigarettes a day"}, "Since when do you smoke?", "Forty years."),
        ({"personality": "pleasing"}, {"sexual_history": "12 partners this year"}, "Kids?", "Two, both angels."),
        ({"personality": "pleasing"}, {"sexual_history": "12 partners this year"}, "How many pills?", "Twelve."),
        ({"personality": "pleasing"}, {"illicit_drug": "3 joints a day"}, "Meals?", "Three a day, all healthy."),
        ({"personality": "pleasing"}, {"tobacco": "2 packs per day"}, "Two packs?", "Yes, two packs a day."),
        ({"personality": "pleasing"}, {"alcohol": "10 beers on weekends"}, "Beer?", "A beer on weekends."),
        ({"personality": "pleasing"}, {"alcohol": "10 beers on weekends"}, "Pain?", "Ten at night."),
        ({"recall": "low"}, {"medical_history": "Stroke 2010"}, "When did it start?", "At twenty to ten."),
        ({"recall": "low"}, {"medical_history": "Stroke 2010"}, "Pain?", "From 10 to 20 minutes."),
        ({"recall": "low"}, {"medical_history": "Stroke 1998"}, "Temperature?", "It was 98, so normal."),
        ({"recall": "low"}, {"medical_history": "Stroke 1998"}, "Oxygen?", "I was in 98 percent."),
        (
            {"recall": "low"},
            {"medication": "Lisinopril 20 mg once daily"},
            "What strength do you have in the arm?",
            "Twenty percent of before.",
        ),
        ({"personality": "pleasing"}, {"alcohol": "7 drinks per week"}, "How often do you drink?", "Once in a while."),
        (
            {"personality": "pleasing"},
            {"alcohol": "7 drinks per week"},
            "How often do you exercise?",
            "Seven days a week.",
        ),
        ({"personality": "pleasing"}, {"tobacco": "20 cigarettes a day"}, "Smoke?", "I cut down to five a day."),
    ],
)
def test_other_numbers_household_names_and_what_was_asked_are_not_too_precise(
    persona: dict[str, Any], profile: Mapping[str, str], asked: str, said: str
) -> None:
    record = visit((asked, said), profile=profile, persona=Persona(**persona))
    assert last(unexpected_precision, record) == 0.0


# What is known, what was said first, and how names are built.


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ({"medical_history": "Heart attack 2015"}, "I had a myocardial infarction."),
        ({"medical_history": "Blood clot in the lung"}, "I have pulmonary emboli, a pulmonary embolism they call it."),
        ({"chief_complaint": "Inflammation of the pancreas"}, "I have pancreatitis."),
    ],
)
def test_what_the_profile_tells_by_another_name_is_no_secret(known: dict[str, str], said: str) -> None:
    profile = {"diagnosis": "NSTEMI; pulmonary embolism; acute pancreatitis"}
    assert last(diagnosis_revealed, visit(("Yes?", said), profile=profile)) == 1.0
    assert last(diagnosis_revealed, visit(("Yes?", said), profile=profile | known)) == 0.0


def test_what_the_doctor_said_in_plain_words_may_be_said_by_its_name() -> None:
    record = visit(("Your appendix is inflamed.", "So it's appendicitis."), profile={"diagnosis": "Appendicitis"})
    assert last(diagnosis_revealed, record) == 0.0


@pytest.mark.parametrize("asked", ["Sorry, what was that?", "Could you repeat that?", "I didn't catch that."])
def test_what_the_doctor_asks_to_hear_again_is_no_repetition(asked: str) -> None:
    said = "My left knee locks when I climb stairs."
    assert last(repeated_reply, visit(("And?", said), (asked, said))) == 0.0
    assert last(repeated_reply, visit(("And?", said), ("Any fever?", said))) == 1.0


def test_a_title_and_a_school_lesson_are_no_abbreviation() -> None:
    profile = {"diagnosis": "Multiple sclerosis; pulmonary embolism"}
    assert last(diagnosis_revealed, visit(("Who?", "Ms Miller sent me, she said pe is fun."), profile=profile)) == 0.0
    assert last(diagnosis_revealed, visit(("Why?", "Because MS makes me stumble."), profile=profile)) == 1.0


def test_an_illness_is_called_by_all_its_names() -> None:
    called = {" ".join(name) for name in names("Acute deep vein thrombosis of the left leg")}
    assert {"dvt", "clot in leg", "deep vein thrombosis"} <= called
    assert "heart attack" not in called


def test_a_complaint_has_no_names() -> None:
    assert list(names("Chest pain")) == []


def test_level_text_has_no_accents_apostrophes_and_hyphens() -> None:
    assert level("It\u2019s Bell's palsy, M\u00e9ni\u00e8re-like.") == "it is bells palsy, meniere like."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("half a gram", {"500 mg"}),
        ("0.5 g or 500 mg", {"500 mg"}),
        ("twelve point five milligrams", {"12.5 mg"}),
        ("125 micrograms", {"0.125 mg"}),
        ("24 IU", {"24 unit"}),
        ("five of them", set()),
    ],
)
def test_doses_have_one_spelling(text: str, expected: set[str]) -> None:
    assert doses(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("back in ninety-nine", {"1999"}),
        ("since '05", {"2005"}),
        ("in nineteen oh five", {"1905"}),
        ("in 10 minutes", set()),
        ("in 60 to 90 days", set()),
    ],
)
def test_years_may_be_short(text: str, expected: set[str]) -> None:
    assert dates(text) == expected


def test_amounts_are_the_same_in_any_order_and_of_any_color() -> None:
    assert "4 glass of wine a day" in quantities("Every night four glasses of red wine.")
    assert quantities("a gram of cocaine a week") >= quantities("1 g per week")


def test_the_time_for_a_long_reply_grows_with_its_words() -> None:
    profile = {"diagnosis": "Acute pancreatitis; pulmonary embolism", "disposition": "Admitted to cardiology"}

    def long_reply(times: int) -> None:
        said = "and the blood clot in my pancreas is not inflamed since they are going to keep me a bit " * times
        record = visit(("How?", f"{said}{times}."), ("And?", f"{said} {times}, you know."), profile=profile)
        for check in (diagnosis_revealed, repeated_reply):
            list(check(record))

    assert_linear(long_reply, 100)
