"""Days as a heatmap: a column a week from Monday to Sunday, months above, darker or brighter where there was more."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from rich.cells import cell_len
from rich.segment import Segment

from quiz.charts.palette import DENSITY, STEPS, ground
from quiz.charts.style import QUIET, ChartStyle, Row
from quiz.charts.text import clip, left

RAMP = "weights"
LEAST = 0.3  # of the ramp: one review is seen well apart from none
NAMED = (0, 2, 4)  # Monday, Wednesday, Friday: enough to find a row


def calendar(counts: Sequence[int], last: int, width: int, look: ChartStyle, weekdays: Sequence[str], months: Sequence[str]) -> list[Row]:
    """A header and seven rows for the days up to `last` (ordinal); what does not fit is the oldest weeks."""
    margin = max(cell_len(weekdays[row]) for row in NAMED) + 1
    first = last - len(counts) + 1
    weeks = range(_week(first), _week(last) + 1)
    across = 2 if margin + 2 * len(weeks) <= width else 1
    weeks = weeks[-max((width - margin) // across, 1) :]
    most = max(counts, default=0)
    rows = [[Segment(" " * margin + _months(weeks, first, last, across, months, look), QUIET)]]
    for weekday in range(7):
        name = weekdays[weekday] if weekday in NAMED else ""
        row = [Segment(left(look.text(name), margin, look), QUIET)]
        days = (_monday(week) + weekday - first for week in weeks)
        row += [_tile(counts[day] if 0 <= day < len(counts) else None, most, across, look) for day in days]
        rows.append(row)
    return [clip(row, width) for row in rows]


def scale(most: int, look: ChartStyle) -> Row:
    """What the tiles mean: `0 ▒▒▒▒ 48`."""
    steps = [0, *(max(round(most * part / 4), 1) for part in (1, 2, 3, 4))] if most else [0]
    return [Segment("0 ", QUIET), *(_tile(step, most, 2, look) for step in steps), Segment(f" {most}", QUIET)]


def _week(day: int) -> int:
    return (day - 1) // 7  # day 1, 0001-01-01, was a Monday


def _monday(week: int) -> int:
    return week * 7 + 1


def _tile(count: int | None, most: int, across: int, look: ChartStyle) -> Segment:
    """A day; without colours a character whose density says as much. None is a day that is not in the calendar."""
    if count is None:
        return Segment(" " * across)
    level = LEAST + (1 - LEAST) * count / most if count else 0.0
    ramp = look.palette.ramps.get(RAMP)
    if ramp:
        return Segment(" " * across, ground(ramp[round(level * (STEPS - 1))]))
    if not count:
        return Segment(look.glyphs.masked.ljust(across), QUIET)
    return Segment(DENSITY[round(level * (len(DENSITY) - 1))] * across)


def _months(weeks: range, first: int, last: int, across: int, names: Sequence[str], look: ChartStyle) -> str:
    """Each month's name above the week in which it begins; the first week's too, where the next name leaves room for it."""
    inside = [[date.fromordinal(day) for day in range(_monday(week), _monday(week) + 7) if first <= day <= last] for week in weeks]
    begun = [(place * across, day.month) for place, days in enumerate(inside) for day in days if day.day == 1]
    opening = (0, inside[0][0].month)
    if not begun or begun[0][0] > cell_len(names[opening[1] - 1]):
        begun.insert(0, opening)
    line = ""
    for column, month in begun:
        if not line or cell_len(line) < column:
            line += " " * (column - cell_len(line)) + look.text(names[month - 1])
    return line
