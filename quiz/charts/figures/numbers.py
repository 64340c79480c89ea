"""The numbers below the figures: those that a slider moves and no figure shows, a dozen at once; the others on request."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from engine.experiment import Description
from engine.figures import Figure
from engine.result import Result
from quiz.charts import table
from quiz.charts.figures.subject import named
from quiz.charts.style import QUIET, Pen, Row
from quiz.charts.text import paragraph

AT_ONCE = 12


def numbers_rows(description: Description | None, result: Result, width: int, pen: Pen, *, everything: bool, key: str = "") -> list[Row]:
    """`everything` is what paper shows; `key` is the one that shows it on a screen."""
    fixed, helpers = (description.fixed, description.helpers) if description else ((), ())
    if everything and not key:  # paper has the main ones alone
        result = replace(result, quantities=tuple(one for one in result.quantities if one.name not in helpers))
    moving = [one for one in result.quantities if one.name not in fixed]
    still = [one for one in result.quantities if one.name in fixed]
    if not everything:
        moving = [one for one in moving if one.name not in helpers]
        drawn = _drawn(description.figures if description else (), result)
        moving = [one for one in moving if one.name not in drawn][:AT_ONCE]
    rows = table.quantities(moving, width, pen.look, pen.words) if moving else []
    if everything and still:
        title = paragraph(pen.words("figure.fixed", count=len(still)), width, pen.look, QUIET)
        rows += [*([[]] if rows else []), *title, *table.quantities(still, width, pen.look, pen.words)]
    hidden = len(result.quantities) - len(moving)
    if not everything and hidden:
        said = pen.words("figure.more", key=key, count=hidden, fixed=len(still), all=len(result.quantities))
        rows += paragraph(said, width, pen.look, QUIET)
    elif everything and key and foldable(description, result):
        rows += paragraph(pen.words("figure.less", key=key), width, pen.look, QUIET)
    return rows


def foldable(description: Description | None, result: Result) -> bool:
    """Whether there are more numbers than are shown at once."""
    fixed = (*description.fixed, *description.helpers) if description else ()
    drawn = _drawn(description.figures if description else (), result)
    shown = [one for one in result.quantities if one.name not in fixed and one.name not in drawn]
    return len(shown[:AT_ONCE]) < len(result.quantities)


def _drawn(figures: Sequence[Figure], result: Result) -> Collection[str]:
    """The numbers that bars show."""
    bars = [figure for figure in figures if figure.kind == "bars"]
    return {one.name for figure in bars for one in named((*figure.shows, figure.mark), result.quantities)}
