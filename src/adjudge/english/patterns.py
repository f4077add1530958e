"""Regular expressions made from the phrases of a lexicon."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

# A placeholder such as "<not>", but not the name of a group as in "(?P<thing>".
_PART = re.compile(r"(?<!\?P)<(\w+)>")


def any_phrase(phrases: Iterable[str]) -> re.Pattern[str]:
    """A pattern for any of these phrases as whole words in any case; it prefers the longest phrase.

    >>> any_phrase(["no", "no way"]).findall("No way, no nonsense")
    ['No way', 'no']
    """
    return whole_words("|".join(map(re.escape, sorted(phrases, key=len, reverse=True))))


def whole_words(pattern: str) -> re.Pattern[str]:
    """The pattern, compiled to ignore case and to match whole words only.

    >>> whole_words("cat|dog").findall("Cat, cats, dog's, hotdog, dog")
    ['Cat', 'dog']
    """
    return re.compile(rf"(?<![\w'])(?:{pattern})(?![\w'])", re.IGNORECASE)


def fill_parts(pattern: str, parts: Mapping[str, str]) -> str:
    """The pattern with every <part> replaced by the pattern of that name; parts may contain parts.

    >>> fill_parts("<who> <not> eat", {"who": "i|we", "not": "(?:<never>|not)", "never": "never"})
    'i|we (?:never|not) eat'
    """
    whole = _PART.sub(lambda match: parts[match[1]], pattern)
    return pattern if whole == pattern else fill_parts(whole, parts)
