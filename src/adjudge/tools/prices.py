"""Prices of models, from bundled price data; a price that is not known is unknown, never 0."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

_MILLION = 1_000_000
# The names that the package of prices has for some providers.
_LISTED_AS = {"gemini": "google", "google-cloud": "google", "bedrock": "aws", "xai": "x-ai"}


class Rate(Struct, frozen=True):
    """US dollars for a million tokens.

    A step (tokens, price) sets the price of all tokens of a call that has more input tokens than that.
    """

    base: float
    steps: tuple[tuple[int, float], ...] = ()

    def at(self, input_tokens: int) -> float:
        """The rate for a call with this number of input tokens."""
        return max((step for step in self.steps if input_tokens > step[0]), default=(0, self.base))[1]


class Prices(Struct, frozen=True):
    """What one model costs at the time of the lookup; a rate of None is unknown."""

    provider: str
    model: str
    input: Rate | None = None
    output: Rate | None = None
    per_call: float = 0.0

    @classmethod
    def of(cls, provider: str, model: str) -> Prices:
        """The prices of a provider's model; all are unknown if the model or the package of prices is missing."""
        price = _bundled_price(provider, model)
        if price is None:
            return cls(provider, model)
        return cls(
            provider,
            model,
            _rate(getattr(price, "input_mtok", None)),
            _rate(getattr(price, "output_mtok", None)),
            float(getattr(price, "requests_kcount", None) or 0) / 1000,
        )

    @property
    def known(self) -> bool:
        """Whether every call can be priced."""
        return self.input is not None and self.output is not None

    def cost(self, input_tokens: int, output_tokens: int, calls: int = 1) -> float | None:
        """The cost of calls in US dollars; None if a price they need is unknown.

        Prices that step up with the length of a prompt are taken at the mean length of the calls.
        """
        if self.input is None or (output_tokens and self.output is None):
            return None
        length = input_tokens // max(calls, 1)
        total = input_tokens * self.input.at(length)
        if self.output is not None:
            total += output_tokens * self.output.at(length)
        return total / _MILLION + calls * self.per_call


def _bundled_price(provider: str, model: str) -> Any:
    """The bundled price of a model today; None if there is none."""
    try:
        from genai_prices import Usage, calc_price
    except ImportError:
        return None
    name = _LISTED_AS.get(provider, provider)
    try:
        calculation = calc_price(Usage(input_tokens=1, output_tokens=1), model, provider_id=name)
    except LookupError:
        return None
    # The package also matches similar names: it takes "openai-compatible", which may be any server, for OpenAI.
    return calculation.model_price if calculation.provider.id == name else None


def _rate(price: Any) -> Rate | None:
    if price is None:
        return None
    if hasattr(price, "tiers"):
        return Rate(float(price.base), tuple((int(tier.start), float(tier.price)) for tier in price.tiers))
    return Rate(float(price))
