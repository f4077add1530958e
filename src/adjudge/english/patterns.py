"""Regular expressions made from the phrases of a lexicon."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

# Where a part is put in: "<not>", but not the name of a group, "(?P<thing>".
_PART = re.compile(r"(?<!\?P)<(\w+)>")


def any_phrase(phrases: Iterable[str]) -> re.Pattern[str]:
    """Any of these phrases in any case, as whole words, the longest where several begin at one place.

    >>> any_phrase(["no", "no way"]).findall("No way, no nonsense")
    ['No way', 'no']
    """
    return whole_words("|".join(map(re.escape, sorted(phrases, key=len, reverse=True))))


def whole_words(pattern: str) -> re.Pattern[str]:
    """A pattern in any case that neither begins nor ends inside a word.

    >>> whole_words("cat|dog").findall("Cat, cats, dog's, hotdog, dog")
    ['Cat', 'dog']
    """
    return re.compile(rf"(?<![\w'])(?:{pattern})(?![\w'])", re.IGNORECASE)


def fill_parts(pattern: str, parts: Mapping[str, str]) -> str:
    """A pattern in which every <part> is replaced by its own pattern, also within parts.

    >>> fill_parts("<who> <not> eat", {"who": "i|we", "not": "(?:<never>|not)", "never": "never"})
    'i|we (?:never|not) eat'
    """
    whole = _PART.sub(lambda match: parts[match[1]], pattern)
    return pattern if whole == pattern else fill_parts(whole, parts)
