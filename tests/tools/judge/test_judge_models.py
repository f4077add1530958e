"""Which judge a name means."""

from __future__ import annotations

import subprocess
import sys

import pytest

from adjudge.core.errors import BadInput
from adjudge.tools.judge.models import OWN_KEY, api_key, spec_of


def test_a_known_provider_has_its_address_and_key() -> None:
    spec = spec_of("openai:gpt-4.1-mini", None, {"OPENAI_API_KEY": "sk-1"})
    assert (spec.provider, spec.model, spec.url) == ("openai", "gpt-4.1-mini", "https://api.openai.com/v1")
    assert api_key(spec, {"OPENAI_API_KEY": "sk-1\n"}) == "sk-1"
    assert "sk-1" not in repr(spec)


def test_ollama_takes_no_key() -> None:
    spec = spec_of("ollama:llama3.2:3b", None, {})
    assert (spec.model, spec.key_name, api_key(spec, {})) == ("llama3.2:3b", "", "")


@pytest.mark.parametrize(
    "name", ["openai:gpt", "groq:x", "mistral:x", "deepseek:x", "openrouter:a/b:free", "anthropic:x"]
)
def test_a_missing_key_names_the_variable(name: str) -> None:
    with pytest.raises(BadInput, match=rf"{name.partition(':')[0].upper()}_API_KEY is not set"):
        spec_of(name, None, {})


def test_any_name_goes_with_an_address() -> None:
    spec = spec_of("Qwen/Qwen3-8B:awq", "http://127.0.0.1:8000/v1/", {})
    assert (spec.model, spec.url, spec.key_name) == ("Qwen/Qwen3-8B:awq", "http://127.0.0.1:8000/v1", "")


def test_a_typed_address_gets_its_own_key_and_never_a_providers() -> None:
    environ = {"OPENAI_API_KEY": "sk-provider", OWN_KEY: "sk-own"}
    spec = spec_of("openai:gpt", "http://127.0.0.1:8000/v1", environ)
    assert (spec.model, api_key(spec, environ)) == ("gpt", "sk-own")
    without = {"OPENAI_API_KEY": "sk-provider"}
    assert api_key(spec_of("openai:gpt", "http://127.0.0.1:8000/v1", without), without) == ""


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "ftp://x/v1", "http://"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(BadInput, match="expected an address such as"):
        spec_of("m", url, {})


@pytest.mark.parametrize("url", ["http://user:sk-2@host/v1", "http://host/v1?api_key=sk-2"])
def test_a_key_in_the_address_is_refused_without_showing_it(url: str) -> None:
    with pytest.raises(BadInput, match=OWN_KEY) as caught:
        spec_of("m", url, {})
    assert "sk-2" not in str(caught.value)


@pytest.mark.parametrize("name", ["gpt-4", "opneai:gpt", ":x"])
def test_an_unknown_provider_lists_the_known_ones(name: str) -> None:
    with pytest.raises(BadInput, match=r"openai:, openrouter:.*anthropic:.*--judge-url"):
        spec_of(name, None, {})


def test_a_provider_without_a_model_is_refused() -> None:
    with pytest.raises(BadInput, match="no model is named"):
        spec_of("ollama:", None, {})


def test_native_providers_are_told_apart() -> None:
    spec = spec_of("bedrock:anthropic.claude", None, {})
    assert (spec.provider, spec.model) == ("native", "bedrock:anthropic.claude")


def test_naming_a_judge_imports_no_library_for_it() -> None:
    code = (
        "import sys; import adjudge.tools.judge.answerer, adjudge.tools.judge.client;"
        "print([name for name in ('httptools', 'pydantic_ai', 'httpx', 'asyncio.sslproto_') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
