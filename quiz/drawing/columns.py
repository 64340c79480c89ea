"""Numbers as upright bars beside each other: a day or a week a bar, its height in eighths of a row."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from content.text.numbers import significant
from quiz.drawing.look import QUIET, Look, Row
from quiz.drawing.text import clip

LEVELS = {"braille": " ▁▂▃▄▅▆▇█", "characters": " .-=#"}
Tick = tuple[int, str]  # the bar it stands below, and what it says


def columns(
    values: Sequence[float],
    height: int,
    width: int,
    look: Look,
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
        bars = [_part(value / most if most else 0.0, height - 1 - row, height, look).ljust(across) for value in values]
        rows.append([Segment(label.rjust(margin - 2) + look.glyphs.axis + " ", QUIET), *_coloured(bars, first, style)])
    return [clip(row, width) for row in [*rows, [Segment(" " * margin + _floor(ticks, across, look), QUIET)]]]


def _coloured(bars: Sequence[str], first: Style | None, style: Style | None) -> Row:
    return [Segment(bars[0], first or style), Segment("".join(bars[1:]), style)] if bars else []


def _part(share: float, row: int, height: int, look: Look) -> str:
    """What of a bar is in a row, counted from below; a bar that is not zero can be seen."""
    levels = LEVELS[look.glyphs.dots]
    top = len(levels) - 1
    filled = max(round(share * height * top), 1) if share > 0 else 0
    return levels[min(max(filled - row * top, 0), top)]


def _floor(ticks: Sequence[Tick], across: int, look: Look) -> str:
    line = ""
    for bar, text in ticks:
        if not line or cell_len(line) < bar * across:
            line += " " * (bar * across - cell_len(line)) + look.text(text)
    return line
