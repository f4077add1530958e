from __future__ import annotations

from pathlib import Path

import pytest

from adjudge.core.errors import BadInput
from adjudge.tools.settings import ToolSettings, load_settings, load_with_origin


def write_settings(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "adjudge.toml"
    path.write_text(text, "utf-8")
    return path


def test_without_anything_the_defaults_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = load_settings(None, {}, {})
    assert settings == ToolSettings()
    assert (settings.judge, settings.temperature, settings.samples, settings.concurrency) == ((), 0.0, 1, 32)


def test_the_command_line_goes_over_the_environment_over_the_file(tmp_path: Path) -> None:
    path = write_settings(tmp_path, "concurrency = 1\nsamples = 1\ntimeout = 1\n")
    settings = load_settings(
        path, {"ADJUDGE_CONCURRENCY": "2", "ADJUDGE_SAMPLES": "2"}, {"concurrency": 3, "samples": None}
    )
    assert (settings.concurrency, settings.samples, settings.timeout) == (3, 2, 1.0)


def test_the_length_of_replies_is_no_secret(tmp_path: Path) -> None:
    assert load_settings(write_settings(tmp_path, "max_tokens = 4096"), {}, {}).max_tokens == 4096
    assert (
        load_settings(write_settings(tmp_path, "max-tokens = 4096"), {"ADJUDGE_MAX_TOKENS": "9000"}, {}).max_tokens
        == 9000
    )


def test_a_file_in_the_current_folder_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_settings(
        tmp_path, 'judge = "openai:gpt-4o"\njudge-url = "http://127.0.0.1:8000/v1"\ncache = "shared.sqlite"\n'
    )
    monkeypatch.chdir(tmp_path)
    settings = load_settings(None, {}, {})
    assert settings.judge == ("openai:gpt-4o",)
    assert settings.judge_url == "http://127.0.0.1:8000/v1"
    assert settings.cache == "shared.sqlite"


def test_places_in_a_named_file_are_meant_from_its_folder(tmp_path: Path) -> None:
    settings = load_settings(
        write_settings(tmp_path, 'cache = "c.sqlite"\nrubrics = "/elsewhere"\n'), {}, {"rubrics": None}
    )
    assert (settings.cache, settings.rubrics) == (str(tmp_path / "c.sqlite"), "/elsewhere")


def test_a_panel_comes_as_a_list_or_with_commas(tmp_path: Path) -> None:
    panel = ("openai:a", "groq:b")
    assert load_settings(write_settings(tmp_path, 'judge = ["openai:a", "groq:b"]'), {}, {}).judge == panel
    assert load_settings(write_settings(tmp_path, ""), {"ADJUDGE_JUDGE": "openai:a, groq:b"}, {}).judge == panel
    assert load_settings(write_settings(tmp_path, ""), {}, {"judge": ["openai:a", "groq:b"]}).judge == panel


def test_the_environment_is_text_with_types(tmp_path: Path) -> None:
    environ = {
        "ADJUDGE_JUDGE_URL": "https://judge.example/v1",
        "ADJUDGE_MAX_COST": "5.00",
        "ADJUDGE_MAX_CALLS": "100",
        "ADJUDGE_EMBEDDER": "wordllama",
        "ADJUDGE_CANARIES": "true",
        "ADJUDGE_NLI": "",
    }
    settings = load_settings(write_settings(tmp_path, ""), environ, {})
    assert (settings.max_cost, settings.max_calls, settings.embedder) == (5.0, 100, "wordllama")
    assert (settings.canaries, settings.nli) == (True, None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("concurency = 3", r"adjudge\.toml: concurency: no such setting; did you mean 'concurrency'\?"),
        ("[judge-url]\nx = 1", r"adjudge\.toml: judge-url: expected `str"),
        ("zzz = 1", r"adjudge\.toml: zzz: no such setting; expected one of judge, judge_url"),
        ('concurrency = "many"', r"adjudge\.toml: concurrency: expected `int`, got `str`, found 'many'"),
        ("concurrency = 0", r"adjudge\.toml: concurrency: expected `int` >= 1, found 0"),
        ("max_cost = nan", r"adjudge\.toml: max_cost: expected `float` > 0\.0, found nan"),
        ("max_cost = inf", r"adjudge\.toml: max_cost: expected `float`"),
        ("temperature = -1", r"adjudge\.toml: temperature: expected `float` >= 0\.0, found -1"),
        ('judge = [""]', r"adjudge\.toml: judge: expected `str` of length >= 1"),
        ('judge_url = "localhost:8000"', r"adjudge\.toml: judge_url: found 'localhost:8000'; expected an address"),
        ("a = = 1", r"adjudge\.toml: not TOML: .*line 1"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        load_settings(write_settings(tmp_path, text), {}, {})


@pytest.mark.parametrize(
    "text",
    [
        'api_key = "sk-1234"',
        'OPENAI_API_KEY = "sk-1234"',
        'key = "sk-1234"',
        'token = "sk-1234"',
        '[openai]\napi-key = "sk-1234"',
        '[[judge]]\nname = "a"\nsecret = "sk-1234"',
        'judge_url = "http://me:sk-1234@host/v1"',
        'judge_url = "http://host/v1?api-key=sk-1234"',
    ],
)
def test_a_key_in_the_file_is_refused_and_not_repeated(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadInput, match="keys come only from the environment") as refused:
        load_settings(write_settings(tmp_path, text), {}, {})
    assert "sk-1234" not in str(refused.value)


def test_what_is_wrong_elsewhere_is_told_with_its_name(tmp_path: Path) -> None:
    path = write_settings(tmp_path, "")
    with pytest.raises(BadInput, match=r"ADJUDGE_CONCURRENCY: expected `int`.*found 'x'"):
        load_settings(path, {"ADJUDGE_CONCURRENCY": "x"}, {})
    with pytest.raises(BadInput, match="--max-calls: expected `int` >= 1, found 0"):
        load_settings(path, {}, {"max_calls": 0})


def test_a_named_file_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"none\.toml: no such file"):
        load_settings(tmp_path / "none.toml", {}, {})
    with pytest.raises(BadInput, match="cannot be read"):
        load_settings(tmp_path, {}, {})


@pytest.mark.parametrize("value", ['"openai"', '["http://127.0.0.1:8000/v1"]', "[]"])
@pytest.mark.parametrize("name", ["allow_credentialed", "allow-credentialed", "ALLOW_CREDENTIALED"])
def test_permissions_come_from_the_user_alone(tmp_path: Path, name: str, value: str) -> None:
    path = write_settings(tmp_path, f"{name} = {value}")
    with pytest.raises(BadInput, match=f"{name}: permissions come only from the command line or the environment"):
        load_settings(path, {"ADJUDGE_ALLOW_CREDENTIALED": "openai"}, {})
    allowed = load_settings(write_settings(tmp_path, ""), {"ADJUDGE_ALLOW_CREDENTIALED": "a, b"}, {})
    assert allowed.allow_credentialed == ("a", "b")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('judge = "m"\njudge_url = "http://10.0.0.1/v1"', "ADJUDGE_JUDGE_KEY"),
        ('judge_url = "http://127.0.0.1/v1"', "ADJUDGE_JUDGE_KEY"),
        ('judge = ["m", "openai:gpt-4o"]\njudge-url = "http://10.0.0.1/v1"', "OPENAI_API_KEY"),
        ('judge = "anthropic:x"\njudge_url = "http://10.0.0.1/v1"', "ANTHROPIC_API_KEY"),
        ('embedder = "m"\nembedder_url = "http://10.0.0.1/v1"', "ADJUDGE_EMBED_KEY"),
        ('nli_url = "http://10.0.0.1"', "ADJUDGE_NLI_KEY"),
    ],
)
def test_a_file_gives_no_address_to_a_tool_whose_key_is_set(tmp_path: Path, text: str, key: str) -> None:
    path = write_settings(tmp_path, text)
    with pytest.raises(BadInput, match=rf"adjudge\.toml: \w+_url: {key} is set, and a file does not decide"):
        load_settings(path, {key: "sk-1234"}, {})
    load_settings(path, {key: " "}, {})


def test_a_file_does_not_lead_a_named_provider_elsewhere(tmp_path: Path) -> None:
    path = write_settings(tmp_path, 'judge_url = "http://10.0.0.1/v1"')
    with pytest.raises(BadInput, match="OPENAI_API_KEY is set"):
        load_settings(path, {"OPENAI_API_KEY": "sk-1"}, {"judge": ["openai:gpt-4o"]})
    given = {"judge": ["openai:gpt-4o"], "judge_url": "http://10.0.0.2/v1"}
    assert load_settings(path, {"OPENAI_API_KEY": "sk-1"}, given).judge_url == "http://10.0.0.2/v1"


def test_settings_know_what_a_file_decided(tmp_path: Path) -> None:
    path = write_settings(tmp_path, 'judge = "a"\nsamples = 2\ncache = "c.sqlite"')
    loaded = load_with_origin(path, {"ADJUDGE_SAMPLES": "3"}, {"judge": None})
    assert (loaded.file, loaded.from_file) == (path, ("judge", "cache"))
