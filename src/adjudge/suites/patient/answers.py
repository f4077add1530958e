"""Types of a judge's answers that depend on what is asked: so many sentences, these items, those dimensions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec


def answer_of(name: str, fields: Mapping[str, Any], check: Any = None) -> Any:
    """A type with exactly these fields in this order; `check` raises ValueError for an answer that is none.

    Whatever does not fit the type is asked again, so that nothing has to be guessed afterwards.
    """
    return msgspec.defstruct(
        name,
        list(fields.items()),
        namespace={"__post_init__": check} if check else None,
        frozen=True,
        forbid_unknown_fields=True,
        module=__name__,
    )
