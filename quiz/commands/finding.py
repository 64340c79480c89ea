"""A line of `qkv doctor`, and what it says of the terminal."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from quiz.words.i18n import Words

State = Literal["ok", "warning", "problem"]
SMALLEST = (80, 24)


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at; `about` names it for programs, `says` is a sentence for a person."""

    about: str
    state: State
    says: str


def terminal(words: Words) -> Iterator[Finding]:
    """What the screens will find: a terminal, its size, its characters, its colours."""
    if not sys.stdout.isatty():
        yield Finding("terminal", "ok", words("doctor.pipe"))
        return
    columns, lines = shutil.get_terminal_size()
    small = columns < SMALLEST[0] or lines < SMALLEST[1]
    colours = _colours()
    sentence = words("doctor.terminal", name=os.environ.get("TERM", "?"), columns=columns, lines=lines, colours=colours)
    yield Finding("terminal", "warning" if small or colours == "0" else "ok", sentence)
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    if encoding != "utf8":
        yield Finding("unicode", "problem", words("doctor.encoding", name=sys.stdout.encoding))


def _colours() -> str:
    """How many colours the terminal says it has: 16M, 256, 16, or 0 where they are switched off."""
    name = os.environ.get("TERM", "")
    if os.environ.get("NO_COLOR") or name == "dumb":
        return "0"
    if os.environ.get("COLORTERM", "").lower() in ("truecolor", "24bit") or sys.platform == "win32":
        return "16M"
    return "256" if "256" in name or "kitty" in name else "16"
