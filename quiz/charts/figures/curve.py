"""Series on common axes: what they measure above, what tells them apart at their ends, or above where their words are long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from engine.label import Label
from engine.result import Series
from quiz.charts.axes import shared
from quiz.charts.curve import curve
from quiz.charts.curve_lines import style_of
from quiz.charts.figures.subject import Cursor, Subject, named
from quiz.charts.style import STRONG, Pen, Row
from quiz.charts.text import paragraph, right

TALLEST = 10  # rows for the lines and their axis
LOWEST = 3
WISH = 56  # characters


def draw(subject: Subject, width: int, height: int, pen: Pen, cursor: Cursor | None) -> list[Row]:
    series, mark = subject.series, subject.mark
    common, names = shared([pen.words.label(line.label) for line in series])
    unit = mark.unit if mark else ""
    longest = max((cell_len(pen.look.text(name)) for name in names), default=0)
    keyed = len(series) > 1 and longest >= width // 3
    title = common or (unit if keyed or subject.covered else ", ".join(names))
    if unit and unit not in title:
        title = f"{title} ({unit})" if pen.words.language == "en" else f"{title}（{unit}）"
    above: list[Row] = paragraph(title, width, pen.look, STRONG) if title else []
    beside: Sequence[str] | None = names
    if keyed:
        above += [] if subject.covered else _key(subject, names, width, pen)
        beside = [""] * len(names)
    room = max(min(height - len(above), TALLEST), LOWEST)
    percent = "%" in unit or "%" in title
    value, guess = (mark.value, subject.guess_of(mark.name)) if mark else (None, None)
    ghosts = named(subject.figure.shows, subject.ghost.series) if subject.ghost and subject.ghost is not subject.result else ()

    def lines(series: Sequence[Series]) -> list[Row]:
        return curve(
            *(series, width, room, pen.look, pen.words, subject.at, value),
            percent=percent,
            names=beside,
            guess=guess,
            covered=subject.covered,
            ghosts=ghosts,
        )

    rows, axis = lines(series), pen.look.text(pen.words.label(series[0].x_label))
    if axis and not any(axis in segment.text for segment in rows[-1]):
        rows = [*lines([replace(one, x_label=Label("", "")) for one in series]), [Segment(right(axis, width, pen.look), Style(dim=True))]]
    return above + rows


def wish(subject: Subject, width: int, pen: Pen) -> int:
    return min(WISH, width)


def _key(subject: Subject, names: Sequence[str], width: int, pen: Pen) -> list[Row]:
    """`━ unscaled   ━ scaled`, in as many rows as it takes."""
    rows: list[Row] = [[]]
    for index, name in enumerate(names):
        text = f"{pen.look.glyphs.rail} {pen.look.text(name)}"
        used = sum(segment.cell_length for segment in rows[-1])
        if used and used + 3 + cell_len(text) > width:
            rows.append([])
            used = 0
        rows[-1] += [Segment(("   " if used else "") + text, style_of(subject.series, index, pen.look)[1])]
    return rows
