"""Characters that people do not see and models read: they reach a model as escapes that anybody can see."""

from __future__ import annotations

import re

# The characters that Unicode calls default ignorable (zero-width, bidirectional controls, variation selectors, tags),
# line and paragraph separators, interlinear annotations, and controls other than tab and line feed.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
# The invisible ones among the characters of ASCII.
_CONTROLS = bytes(code for code in range(128) if _INVISIBLE.match(chr(code)))


def escape_invisible(text: str) -> str:
    r"""Text in which every invisible character is replaced by its JSON escape, so that JSON keeps its meaning.

    >>> print(escape_invisible("a\u200bb\U000e0041"), escape_invisible("Grüße, 你好"))
    a\u200bb\udb40\udc41 Grüße, 你好
    """
    # Most texts are plain ASCII, and this look at them takes a quarter of the time of the pattern or less.
    if text.isascii() and len(text.encode().translate(None, _CONTROLS)) == len(text):
        return text
    return _INVISIBLE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be")
    return "".join(f"\\u{units[place : place + 2].hex()}" for place in range(0, len(units), 2))
