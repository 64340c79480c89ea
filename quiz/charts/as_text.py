"""A figure as plain text, for a place without colours: its experiment, the settings, and the picture in characters."""

from __future__ import annotations

from collections.abc import Mapping

from content.yaml.clean import clean
from engine.experiment import Description
from engine.parameter import Value
from quiz.charts.result_figures import Draw
from quiz.charts.style import Pen, Row, Typeset, chart_style
from quiz.words.i18n import Words

WIDTH = 80


def figure_text(
    description: Description, values: Mapping[str, Value], draw: Draw, words: Words, typeset: Typeset, *, ascii_only: bool
) -> str:
    """What is pasted."""
    pen = Pen(chart_style(dark=True, colour=False, ascii_only=ascii_only), words, typeset)
    settings = "  ".join(f"{name}={value}" for name, value in values.items())
    return as_plain([words.label(description.title), settings, "", *map(_text, draw(WIDTH, pen))])


def as_plain(lines: list[str]) -> str:
    """Lines without what a terminal would obey, and without blanks at their ends."""
    return "\n".join(clean(line).rstrip() for line in lines).strip("\n") + "\n"


def _text(row: Row) -> str:
    return "".join(segment.text for segment in row)
