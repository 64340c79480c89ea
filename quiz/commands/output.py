"""What every command prints with: data on stdout for people, sentences on stderr, card text as data and never as markup."""

from __future__ import annotations

import json
import re
import sys
from datetime import date
from math import isfinite
from typing import TYPE_CHECKING, Any

from content.yaml.clean import clean, replaced
from quiz.memory.fsrs import DEFAULT
from quiz.progress.decisions import Fit
from quiz.settings.chosen import settings
from quiz.terminal.spelling import in_ascii

if TYPE_CHECKING:
    from rich.text import Text

    from quiz.card.typeset import Line

_BEYOND_ASCII = re.compile("[^\x00-\x7e]")
WIDTH = 100  # columns of a printed page at most


def fail(sentence: str, code: int) -> int:
    """A sentence on stderr, and the exit code that goes with it."""
    print(clean(sentence), file=sys.stderr)
    return code


def tell(text: str, *, end: str = "\n") -> None:
    """A text on stdout; it may have come from anywhere."""
    print(in_ascii(clean(text)) if settings().ascii else clean(text), end=end, flush=True)


def print_json(data: object, indent: int | None = None) -> None:
    """Data on stdout, for programs."""
    print_json_text(json.dumps(data, ensure_ascii=False, allow_nan=False, indent=indent))


def print_json_text(text: str) -> None:
    """JSON on stdout: what a terminal would obey is an escape, and so is all that is not ASCII where stdout is not UTF-8."""
    print(json_for(text.removesuffix("\n"), sys.stdout.encoding))


def json_for(text: str, encoding: str) -> str:
    """JSON that says the same in an encoding. Its own characters are ASCII, so that only what stands in strings is changed."""
    if encoding.lower().replace("-", "").replace("_", "") != "utf8":
        return _BEYOND_ASCII.sub(lambda found: json_escape(found.group()), text)
    return replaced(text, json_escape)


def json_escape(character: str) -> str:
    """A character as any JSON may hold it: two escapes beyond U+FFFF."""
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def finite(value: float) -> float | None:
    """A number as JSON; null for one that it has no word for."""
    return value if isfinite(value) else None


def fit_as_data(fit: Fit | None) -> dict[str, Any]:
    """Which parameters FSRS uses, as JSON: its own, or from which day on those that were fitted to how many reviews."""
    if fit is None:
        return {"source": "default", "since": None, "reviews": None, "values": DEFAULT.w}
    return {"source": "fitted", "since": date.fromordinal(fit.day).isoformat(), "reviews": fit.reviews, "values": fit.parameters.w}


STYLES = {
    "strong": "bold",
    "emphasis": "italic",
    "code": "magenta",
    "code-comment": "dim",
    "code-keyword": "magenta",
    "code-string": "green",
    "code-number": "yellow",
    "code-name": "blue",
    "math": "magenta",
    "dim": "dim",
    "letter": "blue",
    "picked": "magenta",
    "good": "green",
    "bad": "red",
    "measured": "green",
    "heading-query": "bold blue",
    "heading-key": "bold red",
    "heading-value": "bold green",
    "heading-trap": "bold yellow",
    "heading-detail": "bold magenta",
    "heading-quiet": "bold dim",
}


def rich_line(line: Line) -> Text:
    """A typeset line for a rich console: text as data, never as markup."""
    from rich.text import Text

    return Text.assemble(*((span.text, STYLES.get(span.style, "")) for span in line))
