"""What every command prints with: data on stdout for people, sentences on stderr, card text as data and never as markup."""

from __future__ import annotations

import sys

from rich.text import Text

from content.yaml.clean import clean
from quiz.card.typeset import Line

WIDTH = 100  # columns of a printed page at most


def fail(sentence: str, code: int) -> int:
    """A sentence on stderr, and the exit code that goes with it."""
    print(clean(sentence), file=sys.stderr)
    return code


STYLES = {
    "strong": "bold",
    "emphasis": "italic",
    "code": "magenta",
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
    return Text.assemble(*((span.text, STYLES.get(span.style, "")) for span in line))
