"""Decodes the bytes of a transcript, or says what is wrong with them."""

from __future__ import annotations

import re

from adjudge.core.errors import BadInput, Complaint, Warnings
from adjudge.core.suite import Refuse
from adjudge.read.encodings import codec_of, decode_with_halves, fits
from adjudge.read.malformed import near

# Half of a surrogate pair, which is not a character on its own.
_HALF = re.compile("[\ud800-\udfff]")


class Encoding:
    """The encoding of text transcripts."""

    def __init__(self, name: str, lenient: bool = False) -> None:
        self.name = codec_of(name)
        self.lenient = lenient

    def text(self, name: str, raw: bytes, warnings: Warnings, refuse: Refuse) -> str:
        """The text of a file; empty if it was refused. Raises BadInput if the file is in another encoding."""
        if b"\0" in raw:
            line = 1 + raw.count(b"\n", 0, raw.index(b"\0"))
            raise BadInput(f"{name}:{line}: a NUL byte; expected JSON or text; is this another kind of file?")
        try:
            return raw.decode(self.name)
        except UnicodeDecodeError as fault:
            if self.name == "utf-8" and fault.reason == "unexpected end of data":
                refuse(Complaint(_at(name, raw, fault.start), "ends inside a character (truncated); write it again"))
                return ""
            if text := decode_with_halves(raw, fault):
                return self._replace_surrogates(name, text, warnings, refuse)
            raise BadInput(f"{_at(name, raw, fault.start)}: {self._wrong(raw, fault.start)}") from None

    def _replace_surrogates(self, name: str, text: str, warnings: Warnings, refuse: Refuse) -> str:
        """The text with lone surrogates replaced if `lenient` is set; otherwise the file is refused."""
        for half in _HALF.finditer(text):
            where = f"{name}:{1 + text.count(chr(10), 0, half.start())}"
            if not self.lenient:
                expected = "expected a whole pair; half a character cannot be written as UTF-8; --lenient replaces it"
                refuse(Complaint(where, f"lone surrogate U+{ord(half[0]):04X}; {expected}"))
                return ""
            warnings.add("surrogate", f"{where}: a lone surrogate was replaced by U+FFFD")
        return _HALF.sub("\ufffd", text)

    def _wrong(self, raw: bytes, byte: int) -> str:
        """A message with the byte that does not fit, the probable encoding, and what to do."""
        expected = self.name.upper() if self.name.startswith("utf") else self.name
        problem = f"byte 0x{raw[byte]:02x} is not {expected}, near {near(raw, byte)}; expected {expected}; "
        if fits(raw, "utf-8"):
            return problem + "probably UTF-8: leave --encoding out"
        if fits(raw, "cp1252"):
            character = raw[byte : byte + 1].decode("cp1252")
            return problem + f"cp1252 is probable (there it is {character!r}): give --encoding cp1252"
        return problem + "name the file's encoding with --encoding, or convert it to UTF-8"


def _at(name: str, raw: bytes, byte: int) -> str:
    return f"{name}:{1 + raw.count(10, 0, byte)}"
