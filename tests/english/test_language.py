"""In which language a conversation is, and that checks for English leave the others alone."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest

from adjudge.core.errors import Warnings
from adjudge.core.record import Record
from adjudge.english import language
from adjudge.english.language import LIKELY_ENGLISH, foreign_language
from adjudge.score import find_suite
from workspace import Workspace

DATA = Path(__file__).parents[3] / "shared" / "data"
HELD_BY_PEOPLE = ("primock57_CC-BY-4.0/primock57.jsonl.gz", "aci_bench_CC-BY-4.0/valid.jsonl.gz")
VISITS = {
    "Spanish (es)": [
        "Buenos días, ¿qué le trae hoy por aquí?",
        "Doctor, me duele mucho la cabeza desde hace tres días y no puedo dormir.",
        "¿Ha tenido fiebre?",
        "No, pero tengo náuseas y la luz me molesta.",
    ],
    "German (de)": [
        "Guten Tag, was führt Sie heute zu mir?",
        "Ich habe seit drei Tagen starke Kopfschmerzen und kann nicht schlafen.",
        "Hatten Sie Fieber?",
        "Nein, aber mir ist übel und das Licht stört mich.",
    ],
    "French (fr)": [
        "Bonjour, qu'est-ce qui vous amène aujourd'hui ?",
        "J'ai très mal à la tête depuis trois jours et je n'arrive pas à dormir.",
        "Avez-vous eu de la fièvre ?",
        "Non, mais j'ai des nausées.",
    ],
    "Chinese (zh)": [
        "您好，今天哪里不舒服？",
        "医生，我头疼了三天，晚上睡不着觉。",
        "有没有发烧？",
        "没有，但是我觉得恶心，看到光就难受。",
    ],
    "Japanese (ja)": [
        "こんにちは、今日はどうされましたか。",
        "三日前から頭がとても痛くて、夜眠れません。",
        "熱はありますか。",
        "いいえ、でも吐き気がします。",
    ],
    "Arabic (ar)": [
        "مرحبا، ما الذي أتى بك اليوم؟",
        "عندي صداع شديد منذ ثلاثة أيام ولا أستطيع النوم.",
        "هل عندك حرارة؟",
        "لا، لكنني أشعر بالغثيان والضوء يزعجني.",
    ],
}
ODD_ENGLISH = [
    "Pain. Stomach. Yesterday. Very bad pain. No eat. No sleep. Medicine no help. Wife bring me. Small pill, white.",
    "amoxicillin lisinopril metformin atorvastatin amlodipine omeprazole losartan gabapentin hydrochlorothiazide",
    "tapas\npaella\nsushi\npizza margherita\ncoq au vin\nflamenco\nopera\nLouvre\nUffizi\nPrado\nChez Michel\nhotel",
    "nah mate dunno wot im on bout lol gotta lotta pain innit aint nuffin 2 do wiv me eatin proper like u no wot im",
    "uh uh um hmm no no no yeah yeah mm mm uh-huh okay okay ow ow ow aah hmm no nah um um um yes uh yes uh no um okay",
    "12 120/80 98.6 7/10 " * 20,
]
RULES = ("role_break", "injection_suspected", "impossible_value")


def records(suite: str, *paths: Path) -> list[Record]:
    described = find_suite(suite)
    source = described.open(
        list(paths), {option.name.replace("-", "_"): option.default for option in described.options}
    )
    return list(chain.from_iterable(source.records(where, row, Warnings()) for where, row in source.rows(Warnings())))


@pytest.mark.parametrize("name", VISITS)
def test_a_short_visit_shows_its_language(name: str) -> None:
    assert foreign_language(VISITS[name]) == name


@pytest.mark.parametrize("text", ODD_ENGLISH)
def test_odd_english_is_no_other_language(text: str) -> None:
    assert foreign_language([text]) == ""


def test_a_greeting_does_not_show_its_language() -> None:
    assert foreign_language(["Buenos días, ¿qué le trae hoy por aquí?"]) == ""


@pytest.mark.parametrize("suite", ["patient", "trip"])
def test_the_model_alone_takes_every_sample_for_english(suite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "COMMON_SHARE", 2.0)
    language._foreign_language.cache_clear()
    texts = ["\n".join(record.prose) for record in records(suite, find_suite(suite).sample)]
    assert {foreign_language([text]) for text in texts} == {""}
    assert all(dict(language._identifier().rank(text))["en"] > 1000 * LIKELY_ENGLISH for text in texts)


@pytest.mark.skipif(not DATA.exists(), reason=f"{DATA} is not there")
def test_no_consultation_that_people_held_is_in_another_language() -> None:
    visits = records("patient", *(DATA / "patient" / name for name in HELD_BY_PEOPLE))
    assert len(visits) == 77
    assert {foreign_language(visit.prose) for visit in visits} == {""}


def test_checks_for_english_are_skipped_on_a_visit_in_spanish(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = Workspace(tmp_path, capsys)
    turns = [
        {"id": str(place), "speaker": ("doctor", "patient")[place % 2], "text": text}
        for place, text in enumerate(VISITS["Spanish (es)"])
    ]
    visits = workspace.write("visits.jsonl", ({"id": "v1", "turns": turns},))
    assert workspace.adjudge("score", "patient", visits, "-o", workspace.run).code == 0
    (row,) = map(json.loads, (workspace.run / "scores.jsonl").read_text("utf-8").splitlines())
    skip = {"status": "not_english", "why": "the text is in Spanish (es); this check knows English only"}
    assert [row["scores"][name]["skipped"] for name in RULES] == [skip] * len(RULES)
    assert row["scores"]["repeated_reply"]["value"] == 0.0


def test_english_and_suites_without_such_checks_do_not_load_the_model(tmp_path: Path) -> None:
    commands = [
        ["score", suite, str(find_suite(suite).sample), "-o", str(tmp_path / suite), "--metrics", name]
        for suite, name in (("service", "joint_goal_accuracy"), ("patient", "role_break"))
    ]
    script = (
        f"import sys\nfrom adjudge.cli.main import main\n"
        f"assert [main(command) for command in {commands!r}] == [0, 0]\n"
        "assert 'adjudge.english.language' in sys.modules and 'py3langid' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.DEVNULL)
