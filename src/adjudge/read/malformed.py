"""What is wrong with text that is not JSON: the byte, what stands there, and what to do."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator

import msgspec

AROUND = 10
RECURSION = "nested too deeply to be read; expected a record with fewer levels of lists and objects"

# Possessive, and matched to the end of the text where a quote is never closed: linear on any input.
STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|(?P<cut>\\?\Z))'
# A whole string, so that brackets in it are passed over, or one bracket.
TOKEN = re.compile(STRING + rb"|(?P<open>[\[{])|(?P<close>[\]}])", re.DOTALL)
# A constant of Python or JavaScript outside of strings: `NaN` in {"a": NaN}.
WORD = re.compile(STRING + rb"|[-+]?\b(?P<word>NaN|nan|Infinity|inf|None|True|False)\b", re.DOTALL)
WORDS = {"None": "null", "True": "true", "False": "false"}
# A pair and any other escape are matched too, so that a backslash before \ud800 is not misread.
SURROGATE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(?P<lone>\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\xed[\xa0-\xbf][\x80-\xbf])"
    rb"|\\.",
    re.DOTALL,
)
# The start of an escape that the end of the text has cut off: \\ud8.
HALF_ESCAPE = re.compile(rb"(\\(u[0-9a-fA-F]{0,3})?)?")
# A message of msgspec: "JSON is malformed: invalid character (byte 17)".
FAULT = re.compile(r"JSON is malformed: (?P<reason>.*) \(byte (?P<byte>\d+)\)")


def describe_malformed(raw: bytes, fault: Exception | None = None) -> str:
    """What is wrong with text that could not be decoded; `fault` is what the decoder raised."""
    fault = fault or _fault(raw)
    if isinstance(fault, RecursionError):
        return RECURSION
    if isinstance(fault, UnicodeDecodeError):
        return not_utf8(raw)
    located = FAULT.fullmatch(str(fault))
    reason, byte = (located["reason"], int(located["byte"])) if located else ("", len(raw))
    if not reason or "surrogate" in reason or "escape" in reason:
        lone = next(lone_surrogates(raw), None)
        if lone is not None:
            return _lone(raw, lone)
    return _foreign_word(raw, byte) or (_syntax(raw, reason, byte) if reason else _truncation(raw))


def lone_surrogates(raw: bytes) -> Iterator[int]:
    """Where halves of surrogate pairs stand alone, as escapes or as bytes."""
    for match in SURROGATE.finditer(raw):
        # At the very end of the text the other half may have been cut off.
        if match["lone"] and not HALF_ESCAPE.fullmatch(raw, match.end()):
            yield match.start()


def not_utf8(raw: bytes) -> str:
    """Which byte is not UTF-8, which encoding is probable, and how to convert."""
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as fault:
        byte = fault.start
    else:
        return "not UTF-8"
    if raw[byte] == 0xED and byte in lone_surrogates(raw):
        return f"lone surrogate (bytes {raw[byte : byte + 3].hex(' ')}) at byte {byte}; expected a whole pair"
    return f"byte 0x{raw[byte]:02x} at byte {byte} is not UTF-8, near {near(raw, byte)}; expected UTF-8; " + _probable(
        raw[byte]
    )


def near(raw: bytes, byte: int) -> str:
    """About twenty characters around a byte, quoted."""
    return repr(raw[max(0, byte - AROUND) : byte + AROUND].decode("utf-8", "replace"))


def depth(raw: bytes) -> int:
    """How deep the lists and objects of a JSON text are nested."""
    level = deepest = 0
    for match in TOKEN.finditer(raw):
        level += bool(match["open"]) - bool(match["close"])
        deepest = max(deepest, level)
    return deepest


def _fault(raw: bytes) -> Exception | None:
    try:
        msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        return fault
    return None


def _probable(byte: int) -> str:
    try:
        character = bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return "convert the file to UTF-8"
    return f"probably cp1252 (there it is {character!r}); convert the file: iconv -f CP1252 -t UTF-8"


def _lone(raw: bytes, byte: int) -> str:
    escape = raw[byte : byte + 6].decode("latin-1")
    return (
        f"lone surrogate {escape} at byte {byte}, near {near(raw, byte)}; "
        "expected a whole pair; half a character cannot be written as UTF-8; --lenient replaces it"
    )


def _foreign_word(raw: bytes, byte: int) -> str:
    """A word of another language where JSON expects a value, if that is what the fault is."""
    word = next((match for match in WORD.finditer(raw) if match["word"]), None)
    if word is None or word.start() > byte:
        return ""
    text = word[0].decode()
    instead = WORDS.get(text, "null, or leave the field out")
    return f"{text} at byte {word.start()}; JSON has no {text}; write {instead}"


def _truncation(raw: bytes) -> str:
    if not raw.strip():
        return "empty; expected a JSON value"
    return f"ends in the middle of {_open_part(raw)} (truncated at byte {len(raw)})"


def _open_part(raw: bytes) -> str:
    """What the text ends in the middle of."""
    opened: list[bytes] = []
    for match in TOKEN.finditer(raw):
        if match["cut"] is not None:
            return "a string"
        if match["open"]:
            opened.append(match["open"])
        elif match["close"] and opened:
            opened.pop()
    if not opened:
        return "a value"
    return "an object" if opened[-1] == b"{" else "a list"


def _syntax(raw: bytes, reason: str, byte: int) -> str:
    if reason == "trailing characters":
        return _trailing(raw, byte)
    if byte < len(raw) and raw[byte] < 0x20:
        reason = f"control character 0x{raw[byte]:02x} where only its escape is allowed"
    return f"not JSON at byte {byte}, near {near(raw, byte)}: {reason}"


def _trailing(raw: bytes, byte: int) -> str:
    text = raw.decode("latin-1")
    with contextlib.suppress(ValueError, RecursionError):
        _, byte = json.JSONDecoder(strict=False).raw_decode(text, len(text) - len(text.lstrip()))
    return f"more text after the JSON value at byte {byte}, near {near(raw, byte)}; expected one record"
