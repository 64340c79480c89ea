"""The styles of typeset text in an app's theme: a name such as `heading-key` to a colour and a weight, made once a theme."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rich.style import Style
from textual.app import App
from textual.color import Color

INKS: Mapping[str, tuple[str, bool]] = {  # name -> theme variable, bold
    "code": ("attention", False),
    "math": ("attention", False),
    "code-comment": ("quiet", False),
    "code-keyword": ("attention", False),
    "code-string": ("value", False),
    "code-number": ("warning", False),
    "code-name": ("query", False),
    "dim": ("quiet", False),
    "letter": ("query", True),
    "picked": ("attention", True),
    "good": ("value", True),
    "bad": ("key", True),
    "measured": ("value", False),
    "heading-query": ("query", True),
    "heading-key": ("key", True),
    "heading-value": ("value", True),
    "heading-trap": ("warning", True),
    "heading-detail": ("attention", True),
    "heading-quiet": ("quiet", True),
}


def text_styles(app: App[Any]) -> Mapping[str, Style]:
    """Every style by its name; a name that is not here is plain text."""
    variables = app.theme_variables
    return _inks(tuple((name, variables[name]) for name in sorted({variable for variable, _ in INKS.values()})))


@lru_cache(8)
def _inks(colours: tuple[tuple[str, str], ...]) -> Mapping[str, Style]:
    rich = {name: Color.parse(colour).rich_color for name, colour in colours}
    made = {name: Style(color=rich[variable], bold=bold or None) for name, (variable, bold) in INKS.items()}
    return {**made, "strong": Style(bold=True), "emphasis": Style(italic=True)}
