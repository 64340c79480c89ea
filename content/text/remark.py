"""What can be said of a text, with the place in it."""

from __future__ import annotations

from typing import Literal, NamedTuple

Severity = Literal["error", "warning"]


class Remark(NamedTuple):
    """Something to say about a text; `offset` counts characters from 0."""

    offset: int
    message: str
    hint: str = ""
    severity: Severity = "error"
