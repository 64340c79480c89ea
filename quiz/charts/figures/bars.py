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
from quiz.charts.figures.subject import Cursor, Subject
from quiz.charts.level_bars import bar_axis, level_bar
from quiz.charts.style import QUIET, STRONG, Pen, Row
from quiz.charts.text import left, paragraph, wrap
from quiz.words.numbers import group_thousands

__all__ = ["draw", "panels", "wish"]
LONGEST = 60  # characters of a bar
SHORTEST = 10
WISH = 56


def draw(subject: Subject, width: int, height: int, pen: Pen, cursor: Cursor | None) -> list[Row]:
    if subject.matrices:
        return distribution(subject, width, height, pen, cursor)
    common, names = shared([pen.words.label(one.label) for one in subject.quantities])
    title: list[Row] = paragraph(common, width, pen.look, STRONG) if common and any(names) else []
    if not any(names):
        names = (common,)
    values = [written(one) for one in subject.quantities]
    mark = subject.mark
    known = [one.value for one in (*subject.quantities, *([mark] if mark else []))]
    marks = 2 if any(one.arm for one in subject.quantities) else 0
    named, digits = max(cell_len(pen.look.text(name)) for name in names), max(map(cell_len, values))
    room = width - marks - named - 1 - digits - 1
    rows = title
    if room >= SHORTEST and named <= width // 2:
        axis = bar_axis(known, min(room, LONGEST))
        for one, name, value, colour in zip(subject.quantities, names, values, colours(subject.quantities, pen), strict=True):
            arm = [Segment(left(pen.look.glyphs.arms[one.arm], marks, pen.look), colour)] if marks else []
            label = Segment(left(pen.look.text(name), named + 1, pen.look))
            bar = level_bar(one.value, axis, pen.look, colour, mark.value if mark else None)
            rows.append([*arm, label, *bar, Segment(" " + value, STRONG)])
    else:
        axis = bar_axis(known, max(min(width - digits - 1, LONGEST), 1))
        for one, name, value, colour in zip(subject.quantities, names, values, colours(subject.quantities, pen), strict=True):
            rows += [[Segment(line)] for line in wrap(pen.look.text(name), width)]
            rows.append([*level_bar(one.value, axis, pen.look, colour, mark.value if mark else None), Segment(" " + value, STRONG)])
    return rows + (_marked(mark, width, pen) if mark else [])


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
