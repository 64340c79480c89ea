"""Numbers and dates as a deck writes them. Pydantic alone also takes 1_0 for ten and a bare number for seconds since 1970."""

from __future__ import annotations

import re
from collections.abc import Callable

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

from content.text.numerals import real, whole


def _read(read: Callable[[str], object], error: str) -> Callable[[object], object]:
    """What a text is read as; refuses one that is not written as it must be, as pydantic refuses one that it cannot read."""

    def check(value: object) -> object:
        if not isinstance(value, str):
            return value
        if (found := read(value)) is None:
            raise PydanticCustomError(error, "written in another form")
        return found

    return check


def _day(text: str) -> str | None:
    return text if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text) else None


WHOLE = BeforeValidator(_read(whole, "int_parsing"))
REAL = BeforeValidator(_read(real, "float_parsing"))
DAY = BeforeValidator(_read(_day, "date_parsing"))
