"""Numbers in columns: tables, measured quantities, the steps of a walk-through."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from engine.label import Label
from engine.result import Quantity, Step, Table
from quiz.charts.code_lines import hanging
from quiz.charts.style import QUIET, STRONG, ChartStyle, Pen, Row, Typeset, as_latex
from quiz.charts.text import clip, left, paragraph, right, wrap
from quiz.words.i18n import Words
from quiz.words.numbers import group_thousands

GAP = 2
NARROWEST = 6
QUESTION = re.compile(r"\s*[(（]1 = (?:yes|是)[)）]$")


def table(data: Table, width: int, look: ChartStyle, words: Words) -> list[Row]:
    """A header and the rows; numbers at the right, words at the left and wrapped when they must."""
    header = [look.text(words.label(column)) for column in data.columns]
    body = [[_cell(cell, words, look) for cell in row] for row in data.rows]
    numeric = [bool(data.rows) and all(isinstance(row[i], int | float) for row in data.rows) for i in range(len(header))]
    widths = _widths([header, *body], width)
    rows = [_line(header, widths, numeric, look, QUIET)]
    for row in body:
        wrapped = [[text] if numeric[i] else wrap(text, widths[i]) or [""] for i, text in enumerate(row)]
        for i in range(max(map(len, wrapped), default=0)):
            rows.append(_line([lines[i] if i < len(lines) else "" for lines in wrapped], widths, numeric, look, None))
    return [clip(row, width) for row in rows]


def titled_table(data: Table, width: int, pen: Pen) -> list[Row]:
    return [*paragraph(pen.words.label(data.label), width, pen.look, STRONG), *table(data, width, pen.look, pen.words)]


def _cell(cell: float | str | Label, words: Words, look: ChartStyle) -> str:
    if isinstance(cell, Label):
        return look.text(words.label(cell))
    return group_thousands(cell) if isinstance(cell, int | float) else look.text(cell)


def _widths(rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """Each column as wide as its widest cell, the widest shortened first until all fit."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    while widths and sum(widths) + GAP * (len(widths) - 1) > width and max(widths) > NARROWEST:
        widths[widths.index(max(widths))] -= 1
    return widths


def _line(texts: Sequence[str], widths: Sequence[int], numeric: Sequence[bool], look: ChartStyle, style: Style | None) -> Row:
    cells = [(right if numeric[i] else left)(text, widths[i], look) for i, text in enumerate(texts)]
    return [Segment((" " * GAP).join(cells).rstrip(), style)]


def quantities(measured: Sequence[Quantity], width: int, look: ChartStyle, words: Words) -> list[Row]:
    """One line a number: the arm's line style, the label, the number, the unit."""
    said = [_yes_or_no(words.label(quantity.label), quantity.value, words) for quantity in measured]
    labels, values = [look.text(label) for label, _ in said], [value for _, value in said]
    arms = 2 if any(quantity.arm for quantity in measured) else 0
    units = max((cell_len(look.text(quantity.unit)) + 1 for quantity in measured if quantity.unit), default=0)
    digits = max(map(cell_len, values), default=0)
    room = min(max(map(cell_len, labels), default=0), max(width - arms - GAP - digits - units, 1))
    rows = []
    for quantity, label, value in zip(measured, labels, values, strict=True):
        colour = look.of_arm(quantity.arm)
        mark = [Segment(look.glyphs.arms[quantity.arm] + " ", colour)] if arms else []
        unit = [Segment(" " + look.text(quantity.unit), QUIET)] if quantity.unit else []
        rows.append(clip([*mark, Segment(left(label, room, look)), Segment(" " * GAP + right(value, digits, look), STRONG), *unit], width))
    return rows


def _yes_or_no(label: str, value: float, words: Words) -> tuple[str, str]:
    """A label without its "(1 = yes)", and then yes or no for the number."""
    asked = QUESTION.sub("", label)
    return (asked, words("figure.yes" if value else "figure.no")) if asked != label and value in (0, 1) else (label, group_thousands(value))


def shape_of(step: Step) -> str:
    """`(6, 4)`"""
    return f"({', '.join(map(str, step.shape))})" if step.shape else ""


def steps(walk: Sequence[Step], width: int, look: ChartStyle, words: Words, typeset: Typeset = as_latex, first: int = 1) -> list[Row]:
    """A walk-through: what happens, the shape it gives, the formula below and its line of torch."""
    labels = [look.text(words.label(step.label)) for step in walk]
    shapes = [shape_of(step) for step in walk]
    room = min(max(map(cell_len, labels), default=0), max(width - 4 - GAP - max(map(len, shapes), default=0), 1))
    rows: list[Row] = []
    for i, (step, label, shape) in enumerate(zip(walk, labels, shapes, strict=True), first):
        rows.append(
            clip([Segment(f"{i:>2}  ", QUIET), Segment(left(label, room, look)), Segment(" " * GAP + shape, look.palette.accent)], width)
        )
        if step.formula:
            rows.extend(clip([Segment("    " + look.text(line), QUIET)], width) for line in typeset(step.formula))
        rows.extend(code_rows(step, width, look))
    return rows


def code_rows(step: Step, width: int, look: ChartStyle) -> list[Row]:
    """The step's line of torch, if it says one."""
    parts = hanging("    " + look.text(step.code), width) if step.code else []
    code = "    " + look.text(step.code)
    return [[Segment(" " * before + code[part], look.palette.accent)] for before, part in parts]


def notes(texts: Sequence[Label], width: int, look: ChartStyle, words: Words) -> list[Row]:
    """Sentences, quietly."""
    return [row for text in texts for row in paragraph(words.label(text), width, look, QUIET)]
