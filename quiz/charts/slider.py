"""One row for one parameter: its label, a rail with a thumb or the choices side by side, its value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import cell_len
from rich.segment import Segment

from content.text.numbers import significant
from engine.parameter import Parameter, Value
from quiz.charts.style import QUIET, STRONG, ChartStyle, Row
from quiz.charts.text import clip, cut, left, right
from quiz.words.i18n import Words

FOCUS = 2  # characters before the label
GAP = 2
SHORTEST = 4  # a rail


@dataclass(frozen=True)
class Columns:
    """Where the rail is; all sliders of a lab share it, so that their rails line up."""

    label: int
    value: int

    def rail(self, width: int) -> tuple[int, int]:
        """The rail's first character and its length; 0 where there is no room."""
        start = FOCUS + self.label + GAP
        length = width - start - GAP - self.value
        return start, length if length >= SHORTEST else 0


def columns(parameters: tuple[Parameter, ...], look: ChartStyle, words: Words) -> Columns:
    """The columns that suit some parameters: labels at most 24 characters, values as wide as they can become."""
    labels = [cell_len(look.text(words.label(parameter.label))) for parameter in parameters]
    numeric = [parameter for parameter in parameters if parameter.scale in ("linear", "log")]
    values = [cell_len(written(parameter, value, look)) for parameter in numeric for value in _widest(parameter)]
    return Columns(min(max(labels, default=0), 24), max(values, default=0))


def _widest(parameter: Parameter) -> Iterator[Value]:
    middle = parameter.ticks // 2
    return (parameter.value_at(tick) for tick in (0, 1, middle, middle + 1, parameter.ticks))


def written(parameter: Parameter, value: Value, look: ChartStyle) -> str:
    """A value with its unit."""
    text = value if isinstance(value, str) else str(value) if isinstance(value, int) else significant(value)
    return look.text(f"{text} {parameter.unit}".rstrip())


def label(parameter: Parameter, wide: int, look: ChartStyle, words: Words, focused: bool) -> Row:
    """The focus mark and the label."""
    name = left(look.text(words.label(parameter.label)), wide, look)
    return [
        Segment((look.glyphs.focus if focused else " ").ljust(FOCUS), look.palette.accent),
        Segment(name + " " * GAP, STRONG if focused else None),
    ]


def rail_row(parameter: Parameter, value: Value, width: int, where: Columns, look: ChartStyle, words: Words, focused: bool) -> Row:
    """`▸ d_k   ━━━━━━━━●━━━━   512`"""
    _, length = where.rail(width)
    start = label(parameter, where.label, look, words, focused)
    shown = Segment(right(written(parameter, value, look), where.value, look), STRONG if focused else None)
    if not length:
        return clip([*start, shown], width)
    at = round(_fraction(parameter, value) * (length - 1))
    rail, accent = look.glyphs.rail, look.palette.accent
    thumb = Segment(look.glyphs.thumb, accent + STRONG)
    return [*start, Segment(rail * at, accent), thumb, Segment(rail * (length - 1 - at), QUIET), Segment(" " * GAP), shown]


def _fraction(parameter: Parameter, value: Value) -> float:
    return parameter.tick_of(value) / parameter.ticks if parameter.ticks else 0.0


def tick_at(parameter: Parameter, x: int, width: int, where: Columns) -> int | None:
    """The tick under a character of the rail, also left and right of it; None where there is no rail."""
    start, length = where.rail(width)
    return round(min(max((x - start) / (length - 1), 0), 1) * parameter.ticks) if length else None


def choices_row(parameter: Parameter, value: Value, width: int, where: Columns, look: ChartStyle, words: Words, focused: bool) -> Row:
    """`▸ mask    none ▐causal▌ padding`; where they do not fit, only the chosen one between arrows."""
    row = label(parameter, where.label, look, words, focused)
    before, after = look.glyphs.cursor
    names = _names(parameter, look, words)
    chosen = parameter.tick_of(value)
    if not _fits(names, width, where):
        name = cut(names[chosen], max(width - FOCUS - where.label - GAP - 4, 1), look)
        return clip([*row, Segment("< ", QUIET), Segment(name, STRONG), Segment(" >", QUIET)], width)
    for i, name in enumerate(names):
        if i == chosen:
            row += [Segment(before, look.palette.accent), Segment(name, STRONG + look.palette.accent), Segment(after, look.palette.accent)]
        else:
            row += [Segment(f" {name} ", QUIET)]
    return row


def choice_at(parameter: Parameter, value: Value, x: int, width: int, where: Columns, look: ChartStyle, words: Words) -> int | None:
    """The choice under a character; between arrows the one before or after the chosen one."""
    names = _names(parameter, look, words)
    end = FOCUS + where.label + GAP
    if not _fits(names, width, where):
        return parameter.tick_of(value) + (0 if x < end else -1 if x < end + 2 else 1)
    for i, name in enumerate(names):
        start, end = end, end + cell_len(name) + 2
        if start <= x < end:
            return i
    return None


def _names(parameter: Parameter, look: ChartStyle, words: Words) -> list[str]:
    return [look.text(words.label(choice.label)) for choice in parameter.choices]


def _fits(names: list[str], width: int, where: Columns) -> bool:
    return FOCUS + where.label + GAP + sum(cell_len(name) + 2 for name in names) <= width
