"""Shares as level bars: how much of a whole, of which kinds it is made, where it was expected."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from content.text.numbers import significant
from quiz.charts.style import QUIET, STRONG, ChartStyle, Row
from quiz.charts.text import clip

Kind = tuple[int, str, Style | None]  # how many, the character of one of its cells, its colour


def share_bar(share: float, width: int, look: ChartStyle, style: Style | None, mark: float | None = None) -> Row:
    """A bar of `width` cells filled to `share` (0..1), with a mark at another share."""
    full = round(min(max(share, 0.0), 1.0) * width)
    text, styles = look.glyphs.rail * full + look.glyphs.masked * (width - full), [style] * full + [QUIET] * (width - full)
    row = [Segment(character, colour) for character, colour in zip(text, styles, strict=True)]
    if mark is not None and width:
        row[min(round(mark * width), width - 1)] = Segment(look.glyphs.marker, STRONG)
    return list(Segment.simplify(row))


def stacked_bar(kinds: Sequence[Kind], width: int) -> Row:
    """A bar of `width` cells shared by kinds as their numbers are, the rounding carried on, so that the cells add up."""
    whole, before, row = sum(count for count, _, _ in kinds), 0, []
    for count, glyph, style in kinds:
        start, before = round(before * width / whole) if whole else 0, before + count
        row.append(Segment(glyph * ((round(before * width / whole) if whole else 0) - start), style))
    return row


LEVELS = {"braille": " ▁▂▃▄▅▆▇█", "characters": " .-=#"}
Tick = tuple[int, str]  # the bar it stands below, and what it says


def upright_bars(
    values: Sequence[float],
    height: int,
    width: int,
    look: ChartStyle,
    ticks: Sequence[Tick],
    first: Style | None = None,
    style: Style | None = None,
) -> list[Row]:
    """`height` rows of bars and a row of ticks; the largest value is written at the top. `first` colours the first bar alone."""
    most = max(values, default=0.0)
    highest = significant(most, 2) if most < 10 else f"{most:,.0f}"
    margin = len(highest) + 2
    across = 2 if margin + 2 * len(values) <= width else 1
    rows: list[Row] = []
    for row in range(height):
        label = highest if row == 0 and most else "0" if row == height - 1 else ""
        bars = [bar_cell(value / most if most else 0.0, height - 1 - row, height, look).ljust(across) for value in values]
        rows.append([Segment(label.rjust(margin - 2) + look.glyphs.axis + " ", QUIET), *_coloured(bars, first, style)])
    return [clip(row, width) for row in [*rows, [Segment(" " * margin + _floor(ticks, across, look), QUIET)]]]


def _coloured(bars: Sequence[str], first: Style | None, style: Style | None) -> Row:
    return [Segment(bars[0], first or style), Segment("".join(bars[1:]), style)] if bars else []


def bar_cell(share: float, row: int, height: int, look: ChartStyle) -> str:
    """What of an upright bar is in a row, counted from below; a bar that is not zero can be seen."""
    levels = LEVELS[look.glyphs.dots]
    top = len(levels) - 1
    filled = max(round(share * height * top), 1) if share > 0 else 0
    return levels[min(max(filled - row * top, 0), top)]


def _floor(ticks: Sequence[Tick], across: int, look: ChartStyle) -> str:
    line = ""
    for bar, text in ticks:
        if not line or cell_len(line) < bar * across:
            line += " " * (bar * across - cell_len(line)) + look.text(text)
    return line
