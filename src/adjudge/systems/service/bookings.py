"""The booking desk: what is free, and the reference number of a booking. Both follow from what is booked alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from msgspec import Struct

# Without I and O, 0 and 1, which look alike.
_SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
# The signs that are letters come first: a reference begins with one.
_LETTERS = 24


class BookingDesk(Struct, frozen=True):
    """Takes bookings; `availability` is the share of venues that are free on a day at a time."""

    availability: float = 1.0

    def is_free(self, case: str, booking: Mapping[str, str]) -> bool:
        """Whether a venue is free for a case on a day at a time."""
        drawn = _digest(case, "free", *(booking.get(slot, "") for slot in ("venue", "day", "time")))
        return int.from_bytes(drawn[:6]) < self.availability * 2**48

    def reference(self, case: str, domain: str, booking: Mapping[str, str]) -> str:
        """The reference number: eight letters and digits, at least one of each; the last four check the others."""
        drawn = _digest(case, "reference", domain, *(text for pair in sorted(booking.items()) for text in pair))
        number = f"{_SIGNS[drawn[0] % _LETTERS]}{_signs(drawn[1:4])}"
        return number + _check(case, domain, number)

    def car(self, case: str, booking: Mapping[str, str], taxis: Mapping[str, str]) -> Mapping[str, str]:
        """The car and the phone number of a taxi."""
        drawn = _digest(case, "taxi", *(text for pair in sorted(booking.items()) for text in pair))
        colours = taxis.get("taxi_colors", "white").split("\n")
        types = taxis.get("taxi_types", "car").split("\n")
        car = f"{colours[drawn[0] % len(colours)]} {types[drawn[1] % len(types)]}"
        return {"car": car, "phone": "07" + "".join(str(byte % 10) for byte in drawn[2:11])}


def booked_domains(case: str, domains: Iterable[str], reference: str) -> tuple[str, ...]:
    """The domains in which the desk gave a reference number for a case: none where somebody made it up.

    One of 300,000 invented numbers passes.
    """
    number = reference[:4]
    return tuple(domain for domain in domains if number + _check(case, domain, number) == reference)


def booking_of(domain: str, venue: str, state: Mapping[str, str]) -> dict[str, str]:
    """What the desk books: the venue, and day, time, people and nights where the state has them."""
    slots = {"day": ("bookday", "day"), "time": ("booktime",), "people": ("bookpeople",), "stay": ("bookstay",)}
    booking = {"venue": venue}
    for name, names in slots.items():
        for slot in names:
            if value := state.get(f"{domain}-{slot}"):
                booking[name] = value
    return booking


def _check(case: str, domain: str, number: str) -> str:
    drawn = _digest(case, "check", domain, number)
    return f"{_signs(drawn[:3])}{drawn[3] % 10}"


def _signs(drawn: bytes) -> str:
    return "".join(_SIGNS[byte % len(_SIGNS)] for byte in drawn)


def _digest(*parts: str) -> bytes:
    return hashlib.sha256("\x1f".join(parts).encode()).digest()
