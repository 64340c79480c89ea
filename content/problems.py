"""A problem of a deck: where it is, what it is, what to do. One line for editors, a caret for people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, order=True)
class Problem:
    """`line` and `column` count from 1; `source` is the line itself, for the caret."""

    path: str
    line: int
    column: int
    message: str
    hint: str = ""
    severity: Literal["error", "warning"] = "error"
    source: str = ""
