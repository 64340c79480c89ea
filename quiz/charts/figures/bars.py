"""Quantities beside each other on one scale: what they have in common above, the number at each bar's end."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from content.text.numbers import significant
from engine.result import Quantity
from quiz.charts.axes import shared
from quiz.charts.figures.distribution import distribution, panels
from quiz.charts.figures.subject import Cursor, Subject, named
from quiz.charts.level_bars import BarAxis, bar_axis, level_bar, with_mark
from quiz.charts.style import QUIET, STRONG, Pen, Row
from quiz.charts.text import left, paragraph, wrap
from quiz.words.numbers import group_thousands

__all__ = ["draw", "panels", "wish"]
LONGEST = 60  # characters of a bar
SHORTEST = 10
UNKNOWN = "?"
WISH = 56


def draw(subject: Subject, width: int, height: int, pen: Pen, cursor: Cursor | None) -> list[Row]:
    if subject.matrices:
        return distribution(subject, width, height, pen, cursor)
    common, names = shared([pen.words.label(one.label) for one in subject.quantities])
    title: list[Row] = paragraph(common, width, pen.look, STRONG) if common and any(names) else []
    if not any(names):
        names = (common,)
    values = [UNKNOWN if subject.covered else written(one) for one in subject.quantities]
    mark = subject.mark
    known = [one.value for one in (*subject.quantities, *([mark] if mark else []))]
    known += [subject.guess.number] if subject.guess and any(subject.guess_of(one.name) is not None for one in subject.quantities) else []
    known += [one.value for one in named(subject.figure.shows, subject.ghost.quantities)] if subject.ghost else []
    marks = 2 if any(one.arm for one in subject.quantities) else 0
    widest, digits = max(cell_len(pen.look.text(name)) for name in names), max(map(cell_len, values))
    room = width - marks - widest - 1 - digits - 1
    rows = title
    if room >= SHORTEST and widest <= width // 2:
        axis = bar_axis(known, min(room, LONGEST))
        for one, name, value, colour in zip(subject.quantities, names, values, colours(subject.quantities, pen), strict=True):
            arm = [Segment(left(pen.look.glyphs.arms[one.arm], marks, pen.look), colour)] if marks else []
            label = Segment(left(pen.look.text(name), widest + 1, pen.look))
            bar = _bar(subject, one, axis, pen, colour)
            rows.append([*arm, label, *bar, Segment(" " + value, STRONG)])
    else:
        axis = bar_axis(known, max(min(width - digits - 1, LONGEST), 1))
        for one, name, value, colour in zip(subject.quantities, names, values, colours(subject.quantities, pen), strict=True):
            rows += [[Segment(line)] for line in wrap(pen.look.text(name), width)]
            rows.append([*_bar(subject, one, axis, pen, colour), Segment(" " + value, STRONG)])
    return rows + (_marked(mark, width, pen) if mark and not subject.covered else [])


def _bar(subject: Subject, one: Quantity, axis: BarAxis, pen: Pen, colour: Style | None) -> Row:
    """A quantity's bar, the guess of it, and what bars are measured against."""
    guess, mark = subject.guess_of(one.name), subject.mark
    bar = level_bar(0.0 if subject.covered else one.value, axis, pen.look, colour, mark.value if mark and not subject.covered else None)
    ghost = next(iter(named((one.name,), subject.ghost.quantities)), None) if subject.ghost and not subject.covered else None
    if ghost and axis.low <= ghost.value <= axis.high and ghost.value != one.value:
        bar = with_mark(bar, ghost.value, axis, pen.look, pen.look.glyphs.axis)
    return bar if guess is None else with_mark(bar, guess, axis, pen.look, pen.look.glyphs.guess)


def wish(subject: Subject, width: int, pen: Pen) -> int:
    return min(WISH, width)


def written(one: Quantity) -> str:
    """A number with its unit."""
    return f"{group_thousands(one.value)} {one.unit}".rstrip() if one.unit != "%" else f"{significant(one.value, 3)} %"


def colours(quantities: Sequence[Quantity], pen: Pen) -> list[Style | None]:
    """The arm's, or the lines' by their order."""
    lines = pen.look.palette.lines
    return [pen.look.of_arm(one.arm) if one.arm else lines[i % len(lines)] for i, one in enumerate(quantities)]


def _marked(mark: Quantity, width: int, pen: Pen) -> list[Row]:
    return paragraph(f"{pen.look.glyphs.marker} {pen.words.label(mark.label)}: {written(mark)}", width, pen.look, QUIET)
