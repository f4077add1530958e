"""Encodings of text: what users name, what bytes fit, and what to say where they do not."""

from __future__ import annotations

import codecs

from adjudge.core.errors import BadInput
from adjudge.read.malformed import near


def codec_of(encoding: str) -> str:
    """The encoding by its usual name; raises BadInput unless lines can be told apart in it before it is decoded."""
    try:
        codec = codecs.lookup(encoding).name
        keeps_ascii = b'a,"\n'.decode(codec) == 'a,"\n'
    except (LookupError, ValueError):
        keeps_ascii = False
    if not keeps_ascii:
        raise BadInput(
            f"--encoding {encoding!r}: not a text encoding that keeps ASCII; expected one such as utf-8 or cp1252; "
            "convert the file to UTF-8"
        )
    return codec


def decode_with_halves(raw: bytes, fault: UnicodeDecodeError) -> str:
    """The text if its only faults are half characters, which make one row bad and not the file; else empty."""
    if fault.encoding != "utf-8":
        return ""
    # A file cut inside a character ends so; each of its bytes becomes half a surrogate pair.
    errors = "surrogateescape" if fault.reason == "unexpected end of data" else "surrogatepass"
    try:
        return raw.decode("utf-8", errors)
    except UnicodeDecodeError:
        return ""


def describe_undecodable(raw: bytes, byte: int, encoding: str) -> str:
    """Which byte of a line is not of an encoding, and which encoding is probable."""
    expected = encoding.upper() if encoding.startswith("utf") else encoding
    fault = (
        f"byte 0x{raw[byte]:02x} at byte {byte} of the line is not {expected}, near {near(raw, byte)}; "
        f"expected {expected}; "
    )
    if fits(raw, "utf-8"):
        return fault + "probably UTF-8: give --encoding utf-8"
    if fits(raw, "cp1252"):
        character = raw[byte : byte + 1].decode("cp1252")
        return fault + f"probably cp1252 (there it is {character!r}): give --encoding cp1252"
    return fault + "name the file's encoding with --encoding, or convert it to UTF-8"


def fits(raw: bytes, encoding: str) -> bool:
    """Whether bytes are text in an encoding."""
    try:
        raw.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
