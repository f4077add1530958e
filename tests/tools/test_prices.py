from __future__ import annotations

import subprocess
import sys

import pytest

from adjudge.tools.prices import Prices, Rate

pytest.importorskip("genai_prices")


def test_a_known_model_costs_its_published_price() -> None:
    # OpenAI's price list: gpt-4o-mini takes $0.15 for a million input tokens and $0.60 for a million output tokens.
    assert Prices.of("openai", "gpt-4o-mini").cost(2_000_000, 500_000) == pytest.approx(2 * 0.15 + 0.5 * 0.60)


@pytest.mark.parametrize(
    ("provider", "model"),
    [("openai", "gpt-nonesuch"), ("nobody", "gpt-4o"), ("openai-compatible", "gpt-4o"), ("ollama", "llama3"), ("", "")],
)
def test_an_unknown_model_has_an_unknown_price(provider: str, model: str) -> None:
    prices = Prices.of(provider, model)
    assert prices.cost(1000, 100) is None
    assert prices.cost(0, 0) is None
    assert not prices.known


@pytest.mark.parametrize(
    ("provider", "model"),
    [
        ("anthropic", "claude-sonnet-4-5"),
        ("azure", "gpt-4o"),
        ("bedrock", "anthropic.claude-3-5-sonnet-20241022-v2:0"),
        ("deepseek", "deepseek-chat"),
        ("gemini", "gemini-2.5-flash"),
        ("google", "gemini-2.5-flash"),
        ("groq", "llama-3.1-8b-instant"),
        ("mistral", "mistral-large-latest"),
        ("openrouter", "openai/gpt-4o"),
        ("xai", "grok-4"),
    ],
)
def test_the_providers_of_judges_are_known(provider: str, model: str) -> None:
    assert Prices.of(provider, model).known


def test_a_model_priced_by_characters_is_not_free() -> None:
    assert Prices.of("groq", "canopylabs/orpheus-v1-english").cost(1000, 100) is None


def test_a_model_without_an_output_price_can_be_priced_without_output() -> None:
    prices = Prices.of("openai", "text-embedding-3-small")
    assert prices.cost(1_000_000, 0) == pytest.approx(0.02)
    assert prices.cost(1_000_000, 1) is None


def test_a_step_holds_for_all_tokens_above_its_threshold() -> None:
    prices = Prices("p", "m", Rate(3.0, ((200_000, 6.0),)), Rate(15.0, ((200_000, 22.5),)))
    assert prices.cost(200_000, 10_000) == pytest.approx(0.2 * 3 + 0.01 * 15)
    assert prices.cost(200_001, 10_000) == pytest.approx(0.200001 * 6 + 0.01 * 22.5)


def test_prices_equal_those_of_the_package_for_all_its_models() -> None:
    from genai_prices import Usage, calc_price
    from genai_prices.data_snapshot import get_snapshot

    compared = 0
    for provider in get_snapshot().providers:
        for model in provider.models:
            prices = Prices.of(provider.id, model.id)
            if not prices.known:
                continue
            for tokens in ((1000, 100), (300_000, 5000)):
                usage = Usage(input_tokens=tokens[0], output_tokens=tokens[1])
                theirs = calc_price(usage, model.id, provider_id=provider.id).total_price
                assert prices.cost(*tokens) == pytest.approx(float(theirs)), f"{provider.id}:{model.id}"
            compared += 1
    assert compared > 1000


def test_without_the_package_prices_are_unknown() -> None:
    code = (
        "import sys; sys.modules['genai_prices'] = None\n"
        "from adjudge.tools.prices import Prices\n"
        "assert Prices.of('openai', 'gpt-4o').cost(1, 1) is None"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_the_package_is_imported_only_when_a_price_is_asked_for() -> None:
    code = "import sys, adjudge.tools.budget; sys.exit('genai_prices' in sys.modules or 'pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
