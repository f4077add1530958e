"""Which judge a name means: the provider, the address, and the environment variable that holds the key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

from adjudge.core.errors import BadInput
from adjudge.tools.address import check_address

OWN_KEY = "ADJUDGE_JUDGE_KEY"
PLAY_KEY = "ADJUDGE_MODEL_KEY"
NATIVE = "native"


class JudgeSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A judge and how it is asked, without its key: `key_name` names the environment variable that holds it.

    `provider` is "native" for a judge that is reached through a provider's own library; then `model` has the
    provider's prefix and `url` is empty. `logprobs` says whether questions answered by yes or no are put as one token.
    """

    provider: str
    model: str
    url: str = ""
    key_name: str = ""
    temperature: float = 0.0
    max_tokens: int = 1024
    timeout: float = 120.0
    max_prompt_chars: int = 400_000
    logprobs: bool = True


class Use(NamedTuple):
    """What a model is used for: its word in messages, the option of its address, and the variable of its key."""

    word: str
    url_option: str
    key_name: str


JUDGING = Use("judge", "--judge-url", OWN_KEY)
PLAYING = Use("model", "--model-url", PLAY_KEY)


class Provider(NamedTuple):
    """Where a provider speaks the OpenAI protocol, and the environment variable of its key (empty: it takes none)."""

    url: str
    key_name: str


COMPATIBLE: Mapping[str, Provider] = {
    "openai": Provider("https://api.openai.com/v1", "OPENAI_API_KEY"),
    "openrouter": Provider("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    "groq": Provider("https://api.groq.com/openai/v1", "GROQ_API_KEY"),
    "mistral": Provider("https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
    "deepseek": Provider("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
    "gemini": Provider("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
    "ollama": Provider("http://127.0.0.1:11434/v1", ""),
}

# Providers without a variable take their credentials from several variables, a file, or a role of the machine.
NATIVE_KEYS: Mapping[str, str] = {
    "anthropic": "ANTHROPIC_API_KEY",
    "google": "",
    "google-cloud": "",
    "bedrock": "",
    "azure": "",
    "cerebras": "CEREBRAS_API_KEY",
    "cohere": "CO_API_KEY",
    "xai": "XAI_API_KEY",
    "fireworks": "",
    "github": "",
    "heroku": "",
    "huggingface": "",
    "moonshotai": "",
    "nebius": "",
    "sambanova": "",
    "together": "",
    "vercel": "",
    "zai": "",
}


def spec_of(name: str, url: str | None, environ: Mapping[str, str], use: Use = JUDGING) -> JudgeSpec:
    """The model that a name means; without a url (None or empty) the name's prefix says where it is.

    >>> spec_of("ollama:llama3.2:3b", None, {}).url
    'http://127.0.0.1:11434/v1'
    """
    prefix, colon, model = name.partition(":")
    if url:
        return _spec_at(url, name, environ, use)
    if colon and prefix in COMPATIBLE:
        provider = COMPATIBLE[prefix]
        _require_model(use, name, model)
        _require_key(use, name, provider.key_name, environ)
        return JudgeSpec(provider=prefix, model=model, url=provider.url, key_name=provider.key_name)
    if colon and prefix in NATIVE_KEYS:
        _require_model(use, name, model)
        _require_key(use, name, NATIVE_KEYS[prefix], environ)
        return JudgeSpec(provider=NATIVE, model=name, key_name=NATIVE_KEYS[prefix], logprobs=False)
    known = ", ".join(f"{known}:" for known in (*COMPATIBLE, *NATIVE_KEYS))
    raise BadInput(
        f"{use.word} {name!r}: no such provider; expected a name that starts with one of {known} "
        f"or the address of a server that speaks the OpenAI protocol ({use.url_option})"
    )


def key_name_of(name: str) -> str:
    """The environment variable with the key of the provider that a judge's name begins with; empty if there is none.

    >>> key_name_of("openai:gpt-4o"), key_name_of("mine")
    ('OPENAI_API_KEY', '')
    """
    prefix, colon, _ = name.partition(":")
    if not colon:
        return ""
    return COMPATIBLE[prefix].key_name if prefix in COMPATIBLE else NATIVE_KEYS.get(prefix, "")


def api_key(spec: JudgeSpec, environ: Mapping[str, str]) -> str:
    """The judge's key, from the environment; empty if it takes none."""
    return environ.get(spec.key_name, "").strip() if spec.key_name else ""


def _spec_at(url: str, name: str, environ: Mapping[str, str], use: Use) -> JudgeSpec:
    # A provider's key is never sent to an address that the user gave; only OWN_KEY is.
    prefix, _, model = name.partition(":")
    known = prefix in COMPATIBLE
    model = model if known else name
    _require_model(use, name, model)
    check_address(f"{use.word} url", url, use.key_name)
    return JudgeSpec(
        provider=prefix if known else "openai-compatible",
        model=model,
        url=url.rstrip("/"),
        key_name=use.key_name if environ.get(use.key_name) else "",
    )


def _require_model(use: Use, name: str, model: str) -> None:
    if not model.strip():
        raise BadInput(f"{use.word} {name!r}: no model is named; expected PROVIDER:MODEL")


def _require_key(use: Use, name: str, key_name: str, environ: Mapping[str, str]) -> None:
    if key_name and not environ.get(key_name, "").strip():
        raise BadInput(
            f"{use.word} {name!r}: the environment variable {key_name} is not set; set it to the provider's key"
        )
