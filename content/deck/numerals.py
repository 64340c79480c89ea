"""Numbers and dates as a deck writes them. Pydantic alone also takes 1_0 for ten and a bare number for seconds since 1970."""

from __future__ import annotations

import re
from collections.abc import Callable

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

from content.deck.cards import DECIMAL


def _written(pattern: str, error: str) -> Callable[[object], object]:
    """Refuses a text that is not written like this, as pydantic refuses one that it cannot read."""
    form = re.compile(pattern)

    def check(value: object) -> object:
        if isinstance(value, str) and not form.fullmatch(value):
            raise PydanticCustomError(error, "written in another form")
        return value

    return check


WHOLE = BeforeValidator(_written(r"[-+]?[0-9]+", "int_parsing"))
REAL = BeforeValidator(_written(DECIMAL, "float_parsing"))
DAY = BeforeValidator(_written(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", "date_parsing"))
