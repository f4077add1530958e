"""What the patient cannot know, says again, or says too exactly: in plain words it is found, near misses pass."""

from collections.abc import Mapping
from typing import Any

import pytest
from patient_visits import visit

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
    [
        ("Acute pancreatitis", "How is it?", "It's my pancreas, it is inflamed and swollen up."),
        ("Pulmonary embolism", "What brings you in?", "I've got blood clots in both lungs."),
        ("Transient ischemic attack", "What happened?", "I had a mini-stroke this morning, my arm went dead."),
        ("Perforated appendicitis", "Where is the pain?", "Down here, my appendix has burst."),
        ("Acute pulmonary edema", "Can you lie flat?", "No, I have water on my lungs."),
        ("Cholelithiasis", "Does food matter?", "Yes, my gallstones don't like butter."),
        ("Acute pyelonephritis", "Any burning?", "Yes, the kidney infection does that."),
        ("Lumbar disc herniation", "What makes it worse?", "Sitting. The slipped disc presses on the nerve."),
        ("Herpes zoster", "Tell me about the rash.", "It's shingles, it follows the nerve."),
        ("Hyperthyroidism", "Have you lost weight?", "Ten pounds, from my overactive thyroid."),
        ("Femoral neck fracture", "Can you stand?", "No. My hip is broken."),
        ("Chronic obstructive pulmonary disease exacerbation", "Do you smoke?", "I quit, but my COPD is flaring up."),
        ("Urosepsis", "Fever?", "Yes. The infection got into my blood."),
        ("Sepsis due to pneumonia", "How do you feel?", "Awful, I'm septic."),
        ("Acute cholecystitis", "Where?", "Under the ribs, my gallbladder is infected."),
        ("Small bowel obstruction", "When did you last go?", "Four days ago, because my bowel is blocked."),
        ("Diverticulitis of the sigmoid colon", "Which side?", "Left side, that's where my diverticulitis sits."),
        ("Viral meningitis", "Does light bother you?", "Yes, the lining of my brain is inflamed."),
        ("Acute otitis media", "Which ear?", "The left, I have a middle ear infection."),
        ("Streptococcal pharyngitis", "Hard to swallow?", "Very hard, I have strep throat."),
        ("Right distal radius fracture", "How did it happen?", "I fell off a ladder and broke my wrist."),
        ("Benign prostatic hyperplasia", "How often do you get up?", "Five times, my prostate is enlarged."),
        ("Hypokalemia", "Any cramps?", "Yes, my potassium is too low."),
        ("Epilepsy", "What did your wife see?", "I shook all over. I am epileptic."),
        ("Schizophrenia", "Do you hear voices?", "Yes, I'm schizophrenic, so I hear them all day."),
        ("Aortic dissection", "What is the pain like?", "Tearing. I have a tear in my aorta."),
        ("Retinal detachment", "What do you see?", "A curtain, my retina has come off."),
        ("Testicular torsion", "When did it start?", "At two. My testicle is twisted."),
        ("Spontaneous pneumothorax", "Short of breath?", "Yes, one lung has collapsed."),
        ("Guillain-Barre syndrome", "Where did it begin?", "In my feet. It's Guillain-Barr\u00e9."),
        ("Ulcerative colitis flare", "How many stools?", "Ten a day with my ulcerative colitis."),
        ("Acute kidney injury", "Do you pass water?", "Hardly, my kidneys are failing."),
        ("Bell's palsy", "When did your face drop?", "Overnight. It's Bell's palsy."),
        ("Alcohol withdrawal", "When was your last drink?", "Two days ago, I am in withdrawal now."),
        ("Parkinson's disease", "Is the tremor worse at rest?", "Yes, Parkinson's is like that, and I've got it."),
        ("Influenza A", "Aches?", "Everywhere. I have the flu."),
        ("Peptic ulcer disease", "When does it hurt?", "When I'm empty, the ulcer burns then."),
        ("Colorectal cancer", "Any blood?", "Yes, from the tumor in my bowel."),
        ("Community-acquired pneumonia", "Do you cough?", "All day, I'm scared. It's pneumonia."),
        ("Community-acquired pneumonia", "Who came with you?", "My wife drove me here because I have pneumonia."),
        ("Acute diverticulitis", "Since when?", "Since Tuesday. My colon is infected."),
        ("Acute bacterial sinusitis", "Nose blocked?", "Completely, it's a sinus infection."),
        ("ST-elevation myocardial infarction", "Pain now?", "Yes, my heart attack hasn't stopped."),
        ("Acute ischemic stroke", "Can you lift the arm?", "No, I'm having a stroke."),
        ("Ruptured abdominal aortic aneurysm", "Where?", "In the belly, my aorta has ruptured."),
        ("Acute hepatitis B", "Are you tired?", "Very, with this hepatitis B."),
        ("Lower extremity cellulitis", "Is it red?", "Red and hot, the skin on my leg is infected."),
        ("Acute gastroenteritis", "Who else is ill?", "Nobody, I caught a stomach bug."),
        ("Graves' disease", "Your eyes?", "They stick out, that's Graves' for you, and I have it."),
        ("Rotator cuff tear", "Can you lift it?", "No, the rotator cuff is torn."),
        ("Meniscal tear", "What happened?", "I twisted it on the field and tore my meniscus."),
        ("Anterior shoulder dislocation", "Show me.", "Here, my shoulder is out of its socket."),
        ("Clavicle fracture", "Where?", "My collarbone is broken in two."),
        ("Tibial plateau fracture", "Can you walk?", "No, I have a fracture of the shin bone."),
        ("Colles fracture", "Where is the pain?", "In the wrist I broke this morning."),
        ("Hyponatremia", "Any cramps?", "Yes, since my sodium is so low."),
        ("Vitamin B12 deficiency anemia", "Tingling?", "Both feet. I'm low on B12, that's the cause."),
        ("Lung cancer", "Weight?", "I lost ten kilos because I have a tumor in my lung."),
        ("Acute lymphoblastic leukemia", "Bruises?", "All over, from the leukemia."),
        ("Systemic lupus erythematosus", "Joints?", "They all ache, it's lupus."),
        ("Acute angle-closure glaucoma", "Which eye?", "The right, the glaucoma is in that one."),
        ("Infective endocarditis", "Fever?", "Every night, there's an infection on my heart valve."),
        ("Acute pericarditis", "Better sitting?", "Yes, the sac around my heart is inflamed."),
        ("Opioid withdrawal", "Runny nose?", "Everything runs, I'm going through withdrawal."),
        ("Acute psychosis", "Do you sleep?", "No. I'm psychotic, doctor."),
        ("Major depressive disorder, recurrent", "Energy?", "None. I suffer from depression."),
        ("Panic attack", "Heart racing?", "Yes, this is a panic attack."),
        ("Upper GI bleed", "Black stool?", "Yes, because my stomach is bleeding."),
        ("Hyperosmolar hyperglycemic state", "Thirsty?", "Very thirsty, I am diabetic, it turns out."),
        ("Chronic kidney disease, stage 4", "Itching?", "All over, my CKD makes me itch."),
        ("Acute exacerbation of COPD", "More sputum?", "Green. The COPD got worse."),
        ("COVID-19", "Taste?", "Gone, I have Covid."),
        ("Ovarian torsion", "Which side?", "The right. The ovary has twisted."),
        ("Preeclampsia", "Headache?", "Strong, I've got preeclampsia."),
        ("Tension pneumothorax", "Breath?", "I can't get any, I have a collapsed lung."),
        ("Peritonsillar abscess", "Open your mouth.", "I can't, there's an abscess behind the tonsil."),
        ("Pulmonary embolism", "Calf?", "Swollen. The clot has gone to my lung."),
        ("Trigeminal neuralgia", "What sets it off?", "Chewing. It's trigeminal neuralgia."),
        ("Temporal arteritis", "Jaw?", "It aches when I chew, it is temporal arteritis."),
        ("Acute cholangitis", "Chills?", "Yes, the bile duct is infected."),
        ("Acute appendicitis", "Scared?", "A bit, I'm scared of needles. But it's appendicitis, so what can I do."),
        ("Acute appendicitis", "When?", "I thought it was gas, but it's my appendix, it's inflamed."),
        ("Gouty arthritis", "Can you walk?", "I can't walk with this gout."),
        ("Herpes zoster", "Sleep?", "I can't sleep from the shingles."),
        ("Pneumonia", "Cough?", "Yes, and my doctor friends would agree. Pneumonia is what I have."),
        ("Pulmonary embolism (PE)", "Breath?", "Short, from the PE."),
        ("Chronic obstructive pulmonary disease", "Smoke?", "Used to. Now I have emphysema."),
        ("Benign paroxysmal positional vertigo", "When?", "When I turn over, it's the crystals in my ear."),
        ("Pneumonia, right lower lobe", "Side?", "Right side, the pneumonia is in the right lung."),
        ("Deep vein thrombosis of the left leg", "Leg?", "There's a blood clot in my left calf."),
        ("Distal fibula fracture", "Ankle?", "I broke the ankle, the fibula to be exact."),
        ("Fracture of right humerus", "Arm?", "My upper arm is fractured."),
        ("Type 2 diabetes mellitus with hyperglycemia", "Thirst?", "Always. I've got diabetes."),
        ("Unstable angina", "When?", "On stairs, my angina gets worse."),
        ("Cerebral aneurysm rupture", "Head?", "Worst ever. An aneurysm burst in my brain."),
        ("Nephrolithiasis with hydronephrosis", "Waves?", "Yes, the stone in my kidney moves."),
        ("Acute urinary tract infection", "Pee?", "It burns, I have a urine infection."),
        ("Acute bacterial conjunctivitis", "Eye?", "Glued shut, I've got pink eye."),
        ("Tonsillitis", "Throat?", "Very sore, my tonsils are infected."),
        ("Acute liver failure", "Skin?", "Yellow. My liver is shutting down."),
        ("Crohn's disease", "Stool?", "Loose. It's my Crohn's."),
        ("Bacterial vaginosis", "Discharge?", "Yes, it's bacterial vaginosis."),
        ("Sickle cell crisis", "Pain?", "Everywhere, I'm in a sickle cell crisis."),
        ("Hypertensive emergency", "Vision?", "Blurry. I am in a hypertensive emergency."),
        ("Myasthenia gravis", "Eyes?", "They droop, since myasthenia gravis weakens them."),
        ("Foreign body in ear", "Ear?", "There is a foreign body in my ear."),
    ],
)
def test_a_diagnosis_in_plain_words_is_revealed(diagnosis: str, asked: str, said: str) -> None:
    record = visit((asked, said), profile={"diagnosis": diagnosis})
    assert last(diagnosis_revealed, record) == 1.0


@pytest.mark.parametrize(
    ("diagnosis", "asked", "said"),
    [
        ("Pulmonary embolism", "What worries you?", "My aunt had a blood clot in her lung, so I came quickly."),
        ("Pulmonary embolism", "Anything else?", "Could there be clots in my lungs?"),
        ("Acute pancreatitis", "What do you think?", "Maybe my pancreas is inflamed, I drink too much."),
        ("Acute pancreatitis", "Where?", "Up here, right where the pancreas is."),
        ("Acute appendicitis", "Operations?", "They took my appendix out when I was nine."),
        ("Acute appendicitis", "What worries you?", "That my appendix bursts."),
        ("Acute pyelonephritis", "Kidney trouble?", "My kidneys are fine as far as I know."),
        ("Acute pyelonephritis", "Where is the pain?", "In my back, near the kidney, and I have a fever."),
        ("Femoral neck fracture", "What happened?", "I fell on my hip and I can't stand up."),
        ("Femoral neck fracture", "Is it broken?", "I hope my hip isn't broken."),
        ("Distal radius fracture", "What happened?", "I landed on my wrist, it swelled up at once."),
        ("Hyperthyroidism", "Family illnesses?", "My sister has an overactive thyroid."),
        ("Myocardial infarction", "Does your heart race?", "My heart is pounding and my chest feels tight."),
        ("Myocardial infarction", "Family?", "Dad had a heart attack at sixty."),
        ("Gout", "What did you eat?", "Steak and beer, my toe is on fire."),
        ("Herpes zoster", "Vaccines?", "I had the shingles shot last fall."),
        ("Cholelithiasis", "What worries you?", "My neighbor had gallstones and it looked the same."),
        ("Cholelithiasis", "Surgery?", "My gallbladder was taken out in 2003."),
        ("Stroke", "What do you do for work?", "I'm a nurse on the stroke unit."),
        ("Stroke", "What happened?", "My arm went weak and my words came out wrong."),
        ("Urinary tract infection", "Any infections?", "I get a lot of bladder infections, the last one years ago."),
        ("Urinary tract infection", "Burning?", "It burns when I pee and I go every hour."),
        ("Multiple sclerosis", "Who referred you?", "Ms Miller from the clinic down the road."),
        ("Depression", "How is your mood?", "I feel low and I cry a lot."),
        ("Bipolar disorder", "Sleep?", "I slept two hours and my thoughts race."),
        ("Iron deficiency anemia", "Tired?", "All the time, and my nails break."),
        ("Iron deficiency anemia", "Supplements?", "I take iron pills from the drugstore."),
        ("Ectopic pregnancy", "Could you be pregnant?", "I'm pregnant, about seven weeks."),
        ("Pneumonia", "What are you afraid of?", "Pneumonia."),
        ("Pneumonia", "Did anybody say what it is?", "The nurse on the phone said to get checked for pneumonia."),
        ("Lung cancer", "What worries you?", "Cancer, honestly, it runs in my family."),
        ("Lung cancer", "Do you smoke?", "Yes, and I know it gives you lung cancer."),
        ("Deep vein thrombosis", "Tell me about the leg.", "It's swollen and hot and my calf hurts."),
        ("Deep vein thrombosis", "Flights?", "I wore stockings so I wouldn't get a clot in my leg."),
        ("Small bowel obstruction", "Gas?", "Nothing comes out, I feel blocked up."),
        ("Migraine without aura", "Headaches before?", "I used to get migraines as a teenager."),
        ("Otitis media", "Which ear?", "The left ear hurts and it's blocked."),
        ("Panic disorder", "What happened?", "I had a panic when the doors closed, I felt like dying."),
        ("Heart failure", "Swelling?", "My ankles swell and I sleep on three pillows."),
        ("Appendicitis", "Did you look it up?", "I looked it up and everybody writes appendicitis."),
        ("Kidney stone", "What is it like?", "My brother said his kidney stone hurt just like this."),
        ("Diabetic ketoacidosis", "Illnesses?", "I'm diabetic."),
        ("Asthma exacerbation", "Wheeze?", "I wheeze and my chest is tight."),
        ("Influenza", "Vaccines?", "I got my flu shot in October."),
        ("Anxiety disorder", "How are you?", "I'm anxious about the needle."),
        ("Concussion", "What happened?", "I hit my head on the door and saw stars."),
        ("Acute diverticulitis", "Where?", "Low on the left, in the gut somewhere."),
        ("Acute bacterial sinusitis", "Nose?", "My sinuses are blocked and my face hurts."),
        ("Appendicitis", "Scared?", "I'm scared it's appendicitis."),
        ("Appendicitis", "What did the nurse say?", "She asked me about appendicitis."),
        ("Acute ischemic stroke", "Work?", "I raise money for a stroke charity."),
        ("Acute ischemic stroke", "Sports?", "I swim, mostly breast stroke."),
        ("Lower extremity cellulitis", "Is it red?", "Red and hot and it spreads up my leg."),
        ("Acute gastroenteritis", "Who else is ill?", "My kids had a stomach bug last week."),
        ("Rotator cuff tear", "What happened?", "I lifted a box and something went in my shoulder."),
        ("Meniscal tear", "What happened?", "I twisted my knee and heard a pop."),
        ("Clavicle fracture", "What happened?", "I fell off my bike onto my shoulder."),
        ("Colles fracture", "Worried?", "I hope the wrist isn't broken."),
        ("Colles fracture", "Ever broken a bone?", "I broke my arm when I was ten."),
        ("Hyponatremia", "Diet?", "I eat low salt, my wife cooks that way."),
        ("Lung cancer", "Family?", "Dad died of lung cancer."),
        ("Lung cancer", "Worry?", "You always think of cancer, don't you."),
        ("Leukemia", "Bruises?", "All over, and my gums bleed."),
        ("Lupus", "Idea?", "I googled and it said lupus."),
        ("Glaucoma", "Tests?", "They check me for glaucoma every year."),
        ("Major depressive disorder", "Mood?", "I feel depressed since the divorce."),
        ("Panic attack", "What happened?", "My heart raced and I got in a panic."),
        ("COVID-19", "Test?", "I did a Covid test and it was negative."),
        ("COVID-19", "Vaccines?", "Three Covid shots."),
        ("Influenza", "Ill contacts?", "My daughter has the flu."),
        ("Chronic kidney disease", "Kidneys?", "My kidneys were fine at the last check."),
        ("Upper GI bleed", "Stool?", "Black like tar since yesterday."),
        ("Myocardial infarction", "How did you feel?", "The bill nearly gave me a heart attack."),
        ("Myocardial infarction", "Heart?", "Nobody ever told me I had a heart attack."),
        ("Pneumonia", "X-ray?", "They did an X-ray to rule out pneumonia."),
        ("Pneumonia", "Fear?", "I don't want pneumonia again."),
        ("Gallstones", "Food?", "Fried food kills me, right under the ribs."),
        ("Sepsis", "How do you feel?", "Cold, shaky and confused."),
        ("Heart failure", "Idea?", "I wonder whether it is my heart failing."),
        ("Pyelonephritis", "Idea?", "It could be the kidneys, an infection perhaps."),
        ("Hypothyroidism", "Tired?", "Tired, cold, and I put on weight."),
        ("Kidney stone", "Pain?", "It comes in waves, I can't sit still."),
        ("Kidney stone", "Idea?", "A friend of mine says it's a kidney stone."),
        ("DVT", "Idea?", "If it's a clot in my leg, tell me."),
        ("Ectopic pregnancy", "Test?", "The test was positive, so I'm pregnant."),
        ("Concussion", "Memory?", "I can't remember the fall."),
        ("Shingles", "Pain?", "It burns in a stripe around my chest."),
        ("Gout", "Who has gout?", "My grandfather had gout all his life."),
        ("Parkinson's disease", "Tremor?", "My hand shakes when I rest it."),
        ("Epilepsy", "Work?", "I teach kids, one of them is epileptic."),
        ("Allergic reaction", "Allergies?", "I'm allergic to nuts."),
        ("Alcohol withdrawal", "Drinks?", "I quit drinking two days ago and I shake."),
        ("Dehydration", "Drinking?", "I feel dried out and my mouth is like paper."),
        ("Asthma exacerbation", "Idea?", "My mum thinks it's asthma."),
        ("Migraine", "Headache?", "It throbs and light hurts."),
        ("Hip fracture", "Falls?", "I slipped in the bath and landed on my hip."),
        ("Acute appendicitis", "Why now?", "My colleague's appendix burst last month and he nearly died."),
        ("Acute appendicitis", "Fear?", "That it's my appendix."),
        ("Gouty arthritis", "Medicine?", "I don't suffer from gout."),
        ("Pneumonia", "Sleep?", "No, I don't have pneumonia, I just cough."),
        ("Pneumonia", "Past?", "Pneumonia twice."),
        ("Pulmonary embolism", "Gym?", "We do PE at school, I teach it."),
        ("Deep vein thrombosis", "Leg?", "My leg is thick and the veins stand out."),
        ("Distal fibula fracture", "Ankle?", "It's blue and I can't put weight on it."),
        ("Distal fibula fracture", "What then?", "The chair broke and I fell on my ankle."),
        ("Fracture of right humerus", "What happened?", "A branch broke and hit my arm."),
        ("Unstable angina", "Family?", "Angina and diabetes on my mother's side."),
        ("Nephrolithiasis", "What happened?", "I slipped on a stone and hit my back over the kidney."),
        ("Gastric ulcer", "Food?", "I have a hole in my stomach, I'm so hungry."),
        ("Lung cancer", "Fear?", "Lung cancer, of course."),
        ("Lung cancer", "Smoke?", "I smoke, so I might get lung cancer one day."),
        ("Colon cancer", "Tests?", "I had a colon cancer screening two years back."),
        ("Breast cancer", "Fear?", "I found a lump and I'm thinking the worst."),
        ("Concussion", "Feel?", "I feel concussed."),
        ("Sepsis", "Toilet?", "We have a septic tank at home."),
        ("Influenza", "Feel?", "Like the flu."),
        ("Influenza", "Feel?", "It's flu-like, aches and chills."),
        ("Strep throat", "Contacts?", "There's strep going around at my son's school."),
        ("Pulmonary edema", "Bed?", "I wake up gasping and need water."),
        ("Pulmonary edema", "Drinks?", "I swallowed some water and it went into my lungs as a kid."),
        ("Heart failure", "Mood?", "My heart is broken and I feel a failure."),
        ("Small bowel obstruction", "Bowels?", "My bowels haven't moved in days."),
        ("Hyperthyroidism", "Thyroid?", "They checked my thyroid, it was normal."),
        ("Hypokalemia", "Diet?", "I eat bananas for the potassium."),
        ("Anemia", "Diet?", "I eat low fat and iron-rich food."),
        ("Meniscal tear", "Pain?", "A tearing pain in the knee."),
        ("Aortic dissection", "Pain?", "It's like something tears in my back."),
        ("Ankle sprain", "What happened?", "I twisted my ankle on the curb."),
        ("Shoulder dislocation", "What happened?", "I fell and my shoulder looks odd."),
        ("Cellulitis", "Cut?", "I cut my leg gardening and it got red."),
        ("Stroke", "Worried?", "My wife said I might be having a stroke."),
        ("Stroke", "History?", "No strokes, no heart trouble."),
        ("Diabetic ketoacidosis", "Breath?", "My breath smells like fruit."),
        ("Meningitis", "Neck?", "My neck is stiff and light hurts, is that meningitis?"),
        ("Tuberculosis", "Travel?", "I worked in a TB clinic in India."),
        ("HIV infection", "Test?", "My HIV test was negative last year."),
        ("Bronchitis", "Before?", "I get bronchitis every winter, this is different."),
    ],
)
def test_symptoms_fears_guesses_and_others_reveal_no_diagnosis(diagnosis: str, asked: str, said: str) -> None:
    record = visit((asked, said), profile={"diagnosis": diagnosis})
    assert last(diagnosis_revealed, record) == 0.0


# The end of the visit.


@pytest.mark.parametrize(
    ("disposition", "asked", "said"),
    [
        ("Admitted to cardiology", "Any plans today?", "None, I'm staying in the hospital tonight on cardiology."),
        ("Admitted for surgery", "Have you eaten?", "No, I'm going to the operating room this afternoon."),
        ("Admitted to intensive care", "Is your family here?", "They're on the way, I'm going to the ICU."),
        ("Discharged with antibiotics", "Any questions?", "No, I go home today with antibiotics."),
        ("Discharged home", "Who picks you up?", "My son, because you're sending me home this evening."),
        ("Observation", "Are you comfortable?", "Yes, they are keeping me overnight anyway."),
        ("Transferred to a burn center", "Are you cold?", "A bit. I'm being moved to the burn center soon."),
        ("Admitted to psychiatry", "How do you feel?", "Bad. You will admit me to the psych ward at the end."),
        ("Discharged home with crutches", "Can you walk?", "With the crutches I'll be sent home with, yes."),
        ("Left against medical advice", "Will you stay?", "No, in the end I sign myself out against advice."),
        ("Admitted", "How is the pain?", "Bad. At the end of this visit I get admitted."),
        ("Transferred to another hospital", "Anything else?", "They're shipping me to another hospital later."),
        ("Admitted to telemetry", "Do you live alone?", "Yes, but tonight I'll be on telemetry, they're admitting me."),
        ("Admitted to the stroke unit", "Any questions?", "No. I'm going up to the stroke unit next."),
        ("Discharged with iron tablets", "Tired?", "Yes. I leave here with iron tablets."),
        ("Discharged home on a blood thinner", "Anything else?", "No, I'm going home on a blood thinner."),
        ("Transferred to neurosurgery", "How is the head?", "It hurts. They will transfer me to neurosurgery."),
        ("Admitted for observation", "Comfortable?", "Yes. I'm staying overnight for observation."),
        ("Discharged home", "Do you have crutches?", "No. You'll discharge me without them."),
        ("Admitted", "Hungry?", "No. The end of it is that I'm hospitalized."),
        ("Admitted for surgery", "Allergies?", "None. They're operating on me tonight."),
        ("Admitted to ICU", "Who is with you?", "Nobody. They're taking me to intensive care."),
        ("Left without being seen", "Will you wait?", "No, I'm leaving before anyone sees me."),
        (
            "Transferred to psychiatric hospital",
            "How do you feel?",
            "Empty. I will be transferred to a psychiatric hospital.",
        ),
        ("Discharged with follow-up in cardiology", "Pain?", "None. This visit ends with me going home."),
        ("Observation unit", "Pain?", "Less. I'm being kept for observation."),
        ("Discharged home", "Rest?", "I'll rest when they release me this afternoon."),
        ("Admitted", "Questions?", "No. You are going to admit me."),
        ("Transferred to trauma center", "Pain?", "Bad. They are flying me to the trauma center."),
    ],
)
def test_the_end_of_the_visit_in_plain_words_is_revealed(disposition: str, asked: str, said: str) -> None:
    record = visit((asked, said), profile={"disposition": disposition})
    assert last(diagnosis_revealed, record) == 1.0


@pytest.mark.parametrize(
    ("disposition", "asked", "said"),
    [
        ("Admitted", "Ever in hospital?", "I was admitted for two nights after my son was born."),
        ("Admitted", "What worries you?", "I don't want to stay overnight."),
        ("Discharged home", "Where do you live?", "At home with my two cats."),
        ("Discharged home", "Anything else?", "I'd like to go home soon."),
        ("Discharged home", "How did you get here?", "My boss sent me home and then I drove here."),
        ("Discharged home", "What did you do?", "I went home and lay down."),
        ("Admitted for surgery", "Operations?", "I had surgery on my knee."),
        ("Admitted for surgery", "What do you expect?", "Do I need surgery?"),
        ("Admitted to intensive care", "Work?", "I'm a nurse in intensive care."),
        ("Transferred", "Work?", "I got transferred to the night shift at work."),
        (
            "Transferred to another hospital",
            "Before?",
            "They transferred me to another hospital after the crash in 1998.",
        ),
        ("Observation", "What do you want?", "Keep an eye on me, please."),
        ("Left against medical advice", "How are you?", "I'm tired of waiting, I have things to do."),
        ("Admitted to psychiatry", "Help so far?", "I saw a psychiatrist two years ago."),
        ("Home", "Help at home?", "A nurse comes to my home twice a week."),
        ("Admitted", "Anything else?", "If you admit me, somebody has to feed the dog."),
        ("Discharged home", "Plans?", "I have to be home by five for my kids."),
        ("Discharged home", "Who is at home?", "My mother, she keeps me company at home."),
        ("Discharged home", "Work?", "They sent me home from work."),
        ("Discharged home", "What do you want?", "Can you just send me home with some pills?"),
        ("Discharged home", "Sleep?", "When I go home from work I fall asleep."),
        ("Admitted", "Fear?", "I'm afraid you will keep me here."),
        ("Admitted", "Fear?", "I won't be admitted, I have a dog."),
        ("Admitted", "Before?", "The last time they admitted me for three days."),
        ("Admitted", "Waiting long?", "You're keeping me waiting for hours."),
        ("Admitted to cardiology", "Before?", "I saw cardiology two years ago."),
        ("Admitted for surgery", "Scared?", "I don't want surgery."),
        ("Admitted for surgery", "Plans?", "I was supposed to have surgery on my knee next month."),
        ("Transferred to another hospital", "Why here?", "The other hospital was full, so they brought me here."),
        ("Transferred", "How did you get here?", "An ambulance brought me to the hospital."),
        ("Admitted to ICU", "Family?", "My son is in the ICU upstairs."),
        ("Left against medical advice", "Wait?", "I've been here for hours, hurry up."),
        ("Admitted for observation", "Where do you live?", "I'm staying at my sister's for a few days."),
        ("Observation", "What do you think?", "I suppose they'll keep me overnight."),
        ("Discharged home", "Rest?", "I just want to be discharged."),
        ("Discharged home", "When?", "As soon as I get home I take my shoes off."),
        ("Discharged home", "How are you?", "I go home with my daughter on Sundays."),
        ("Admitted", "Fear?", "They might admit me."),
        ("Admitted", "Plan?", "I can't stay overnight, who feeds my cat?"),
        ("Admitted", "Plan?", "My doctor is admitting patients again."),
        ("Admitted", "Smoke?", "I admit I smoke."),
        ("Admitted for surgery", "Past?", "They operated on me when I was five."),
        ("Transferred", "Pain?", "The pain moved to my shoulder."),
        ("Referred to orthopedics", "Who sent you?", "My GP referred me here."),
        ("Admitted to medicine", "Habit?", "I am going to take my medicine."),
    ],
)
def test_wishes_the_past_and_other_journeys_reveal_no_end(disposition: str, asked: str, said: str) -> None:
    record = visit((asked, said), profile={"disposition": disposition})
    assert last(diagnosis_revealed, record) == 0.0


# Repetition.


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("It hurts most when I bend down to tie my shoes.", "It hurts the most when I bend down to tie my shoes."),
        ("My nose runs all day and my eyes itch.", "My eyes itch and my nose runs all day."),
        ("I feel dizzy. I fell twice this week.", "I fell twice this week. I feel dizzy."),
        (
            "The rash started on my belly and went to my back.",
            "Like I said, the rash started on my belly and went to my back.",
        ),
        ("I can't sleep because of the itching.", "I can't sleep because of this itching."),
        ("My left knee locks when I climb stairs.", "My left knee locks when I climb stairs, to be honest."),
        ("I threw up three times since breakfast.", "I threw up three times since breakfast, I swear."),
        ("It only hurts in my lower back.", "No, it only hurts in my lower back."),
        ("It burns whenever I pee, and I go often.", "It burns whenever I pee and I go really often."),
        ("I ran out of my pills on Tuesday.", "I ran out of my pills on Tuesday, that's all."),
        ("My husband found me on the kitchen floor.", "Again, my husband found me on the kitchen floor."),
        ("There is blood on the paper when I wipe.", "There's some blood on the paper when I wipe."),
        ("The pain goes from my hip down to my foot.", "The pain goes from the hip down to the foot."),
        ("My vision got blurry while I was driving.", "My vision got all blurry while I was driving."),
        ("I can hardly lift my right arm over my head.", "I can hardly lift my right arm over my head now."),
        ("I haven't eaten anything solid since Sunday.", "I have not eaten anything solid since Sunday."),
        ("My throat is sore and I lost my voice.", "My throat's sore and I lost my voice."),
        ("I cut my thumb with the bread knife.", "I cut my thumb on the bread knife."),
        ("My heart races when I lie on my left side.", "You see, my heart races when I lie on my left side."),
        ("I take the bus to work every single day.", "I take the bus to work every day."),
        ("The cough keeps my wife awake at night.", "The cough is keeping my wife awake at night."),
        ("My feet swell up in the evening.", "My feet are swelling up in the evening."),
        ("I get short of breath on the stairs.", "I get short of breath on the stairs!!"),
        ("It's like a band around my head.", "It is like a band around my head, yeah."),
        ("I dropped a box on my foot at work yesterday.", "I told you, I dropped a box on my foot at work yesterday."),
        ("The pain woke me at four this morning.", "The pain woke me up at four this morning."),
        ("My skin itches everywhere after a shower.", "My skin itches everywhere after I shower."),
        ("My tooth aches when I drink cold water.", "My tooth aches whenever I drink cold water."),
        ("My stomach cramps and then I have to run.", "My stomach cramps, and then I've got to run."),
        ("I'm so tired that I fall asleep at my desk.", "I'm so tired I fall asleep at my desk."),
        ("The swelling goes down when I put my leg up.", "The swelling goes down if I put my leg up."),
        ("The stairs are the worst, I stop twice.", "The stairs are the worst. I stop twice."),
        ("I get a sharp pain under my ribs after meals.", "I get this sharp pain under my ribs after meals."),
        ("My hands go numb at night and I shake them.", "At night my hands go numb, and I shake them."),
        ("I vomited blood this morning. I'm scared.", "I'm scared. I vomited blood this morning."),
        ("It itches between my toes.", "It itches in between my toes, doctor."),
        ("My daughter says I snore and stop breathing.", "My daughter says that I snore and stop breathing."),
        (
            "I fell off the ladder and landed on my heel.",
            "As I mentioned, I fell off the ladder and landed on my heel.",
        ),
        ("The baby has not kept anything down since noon.", "The baby hasn't kept anything down since noon."),
        ("I have had this lump in my neck for months.", "I've had that lump in my neck for months now."),
        ("It feels like someone sits on my chest.", "It feels like someone is sitting on my chest."),
        ("I use my inhaler four times a day.", "Um, I use my inhaler four times a day."),
        ("My ear hurts and there is fluid coming out.", "My ear hurts and fluid is coming out."),
        ("I can't keep water down, nothing stays in.", "Honestly, I can't keep water down, nothing stays in."),
        ("My back locked when I picked up my son.", "My back locked up when I picked up my son."),
        ("I see flashes in the corner of my eye.", "I see flashes at the corner of my eye."),
        ("I wake up drenched in sweat every night.", "I wake up drenched in sweat every night, believe me."),
        ("The headache is behind my eyes and never stops.", "The headache is behind my eyes. It never stops."),
        ("A dog bit me on the hand in the park.", "Well, a dog bit me on the hand in the park."),
        ("My period is two weeks late.", "My period is two weeks late, yes."),
        ("I bruise when somebody just touches me.", "I bruise if somebody just touches me."),
        ("It's none of your business what I drink.", "It is none of your business what I drink!"),
        ("I stopped my tablets because they made me sick.", "I stopped the tablets because they made me sick."),
        ("My eyes are dry and they burn in the office.", "My eyes are dry, they burn in the office."),
        ("The pain shoots down my leg like lightning.", "The pain shoots down my leg, like lightning."),
        ("I sit down, and then the room spins.", "I sit down and the room spins."),
        ("There's a clicking sound in my jaw when I chew.", "There is a clicking sound in my jaw when I'm chewing."),
        ("My hair is falling out in the shower.", "My hair falls out in the shower."),
        ("I've been coughing since the flight from Rome.", "I have been coughing ever since the flight from Rome."),
        ("My chest tightens when I shovel snow.", "My chest tightens when I shovel the snow, I mean."),
        ("I just want to sleep and see nobody.", "I only want to sleep and see nobody."),
        ("I have pain here and it is getting worse.", "I have pain here, and it's getting worse."),
        ("I want to know what is wrong with me.", "I just want to know what's wrong with me."),
        (
            "My neighbor called the ambulance. I was on the floor.",
            "I was on the floor. My neighbor called the ambulance.",
        ),
        (
            "It started after I ate at the new place on Main Street.",
            "It all started after I ate at the new place on Main Street.",
        ),
        ("I can't tell you more than that it hurts all over.", "I can't tell you more than that, it hurts all over."),
    ],
)
def test_small_words_fillers_and_order_make_no_other_reply(first: str, second: str) -> None:
    assert last(repeated_reply, visit(("How is it?", first), ("And else?", second))) == 1.0


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I have not had any chills.", "I have not had any sweats."),
        ("It hurts more in the morning than in the evening.", "It hurts more in the evening than in the morning."),
        ("I take it with food.", "I take it without food."),
        ("My left knee hurts when I walk.", "My right knee hurts when I walk."),
        ("I smoke ten cigarettes a day.", "I smoked ten years ago a day here and there."),
        ("Yes, that's right, doctor.", "Yes, that's right, doctor."),
        ("Okay, I will do that.", "Okay, I will do that."),
        ("I don't think so, no.", "I don't think so, no."),
        ("Thank you very much, doctor.", "Thank you very much, doctor."),
        ("No, nothing like that at all.", "No, nothing like that at all."),
        ("It started on Monday after lunch.", "It started on Friday after lunch."),
        ("My mother had high blood pressure.", "My father had high blood pressure."),
        ("I can eat bread but not meat.", "I can eat meat but not bread."),
        ("It is worse when I sit.", "It is worse when I stand."),
        ("I drink two coffees a day.", "I drink three coffees a day."),
        ("The pain is in my chest.", "The pain is in my chest and it goes to my arm."),
        ("I have pain when I swallow.", "I have no pain when I swallow."),
        ("I can walk to the corner now.", "I could walk to the church before."),
        ("I never had an operation.", "I had an operation on my hip."),
        ("Not that I know of.", "Not that I know of."),
        ("I take one pill in the morning.", "I take one pill in the evening."),
        ("My stomach hurts after I eat.", "My stomach hurts before I eat."),
        ("It gets better with rest.", "It gets better with heat."),
        ("I live with my husband and two kids.", "I work with my husband in the shop."),
        ("My cough is dry.", "My cough is dry, and at night I bring up a bit of yellow slime."),
        ("I feel fine in the morning.", "I feel sick in the morning."),
        ("The pain comes and goes.", "The pain stays all day."),
        ("He gave me some pills for it.", "He gave me some cream for it."),
        ("I lost weight without trying.", "I gained weight without trying."),
        ("I sleep with two pillows.", "I sleep with four pillows."),
        ("No, I don't have any.", "No, I don't have any."),
        ("I am not allergic to anything.", "I am allergic to nuts."),
        ("It lasts about ten minutes each time.", "It lasts about an hour each time."),
        ("I hurt my right ankle playing football.", "I hurt my right wrist playing football."),
        ("My wife is worried about me.", "My son is worried about me."),
        ("I had a fever of 39 last night.", "I had a fever of 38 last night."),
        ("I work in an office all day.", "I used to work in a mine all day."),
        ("Yes, sometimes in the evening.", "Yes, mostly in the morning."),
        ("I saw blood once.", "I saw blood twice."),
        ("I'm sorry, I don't remember.", "I'm sorry, I don't remember."),
        ("It is worse in the morning.", "It is worse in the evening."),
        ("No, I have not had any chest pain.", "No, I have not had any leg pain."),
        ("I have two sisters and a brother.", "I have two brothers and a sister."),
        ("I take the red one at night.", "I take the blue one at night."),
        ("I drink coffee but no tea.", "I drink tea but no coffee."),
        ("My left ear hurts and my right ear is fine.", "My right ear hurts and my left ear is fine."),
        ("Yes, I can do that, thank you.", "Yes, I can do that, thank you."),
        ("All right, thank you very much.", "All right, thank you very much."),
        ("Not that I'm aware of, no.", "Not that I'm aware of, no."),
        ("No, not that I have noticed.", "No, not that I have noticed."),
        ("It hurts when I breathe in.", "It hurts when I breathe out."),
        ("The swelling goes down at night.", "The swelling goes up at night."),
        ("I walk every day for an hour.", "I walk every week for an hour."),
        ("My mother died of a stroke.", "My mother died of cancer."),
        ("I always eat breakfast at home.", "I never eat breakfast at home."),
        ("I was able to sleep last night.", "I was not able to sleep last night."),
        ("It's on the inside of my knee.", "It's on the outside of my knee."),
        ("I get dizzy when I stand up.", "I get sick when I stand up."),
        ("He is five and goes to school.", "She is five and goes to school."),
        ("The first time it lasted a day.", "The second time it lasted a day."),
        ("I quit smoking in May.", "I quit drinking in May."),
        ("I like it here, thank you.", "I work here, thank you."),
        ("I took one pill and it helped.", "I took one pill and it did not help."),
        ("I had the scan yesterday at noon.", "I have the scan tomorrow at noon."),
        ("It burns before I pee.", "It burns after I pee."),
        ("Sure, go ahead, that's fine.", "Sure, go ahead, that's fine."),
        ("No, never, thank God.", "No, never, thank God."),
        ("I eat more than my wife.", "My wife eats more than I."),
        ("I can bend it but I can't stretch it.", "I can stretch it but I can't bend it."),
        ("It comes on slowly and goes fast.", "It comes on fast and goes slowly."),
        ("I sleep on my back.", "I sleep on my side."),
        ("I threw up once on Monday.", "I threw up twice on Monday."),
        ("It's about a six out of ten.", "It's about a nine out of ten."),
        ("My son is two years old.", "My son is ten years old."),
        ("The rash is on my arms.", "The rash is on my legs."),
        ("I'd rather not talk about work.", "I'd rather not talk about home."),
        ("They said that it was benign.", "They said that it was cancer."),
        ("I fell down the stairs yesterday.", "I fell down the stairs in March."),
        ("I do drink, but not much.", "I do smoke, but not much."),
        ("Nothing makes it better.", "Nothing makes it worse."),
        ("I can see fine with my left eye.", "I can't see well with my left eye."),
        ("I eat meat and no fish.", "I eat fish and no meat."),
        ("I don't have any pain.", "I don't have any pain, but I itch a lot."),
        ("It goes from my neck to my arm.", "It goes from my arm to my neck."),
        ("Yes, I have had that before.", "Yes, I have had that before."),
        ("I can't say for sure, doctor.", "I can't say for sure, doctor."),
        ("I feel a bit better today.", "I feel a bit worse today."),
        ("Only when I cough.", "Only when I laugh."),
        ("I do, yes, every day.", "I do, yes, every week."),
        ("It hurts if I press.", "It hurts if I move."),
        ("I have one cat at home.", "I have one kid at home."),
        ("He hit me on the head.", "I hit him on the head."),
        ("My wife had the flu before me.", "I had the flu before my wife."),
        ("No, I don't think I have.", "No, I don't think I have."),
    ],
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
