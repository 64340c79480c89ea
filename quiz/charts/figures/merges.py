"""A segmentation that grows: the same letters in the same columns, the walls between them falling one by one."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.segment import Segment

from engine.label import Label
from engine.result import Table
from quiz.charts.figures.subject import Cursor, Subject
from quiz.charts.palette import ground
from quiz.charts.style import QUIET, STRONG, Pen, Row
from quiz.charts.table import titled_table
from quiz.charts.text import clip, left, paragraph, right

GAP = 2


def draw(subject: Subject, width: int, height: int, pen: Pen, cursor: Cursor | None) -> list[Row]:
    """A table of stages: a number or a name, and symbols with blanks between them."""
    rows: list[Row] = []
    for data in subject.tables:
        stages = [(_text(row[0], pen), _text(row[-1], pen).split(" ")) for row in data.rows]
        whole = {"".join(symbols) for _, symbols in stages}
        if len(whole) != 1 or cell_len(whole.pop()) * 2 + GAP > width:
            rows += titled_table(data, width, pen)
        else:
            rows += [*paragraph(pen.words.label(data.label), width, pen.look, STRONG), *_stages(data, stages, width, height, pen)]
    return rows


def wish(subject: Subject, width: int, pen: Pen) -> int:
    return min(56, width)


def _stages(data: Table, stages: Sequence[tuple[str, list[str]]], width: int, height: int, pen: Pen) -> list[Row]:
    head = pen.look.text(pen.words.label(data.columns[0]))
    before = max(cell_len(head), *(cell_len(name) for name, _ in stages))
    rows: list[Row] = [[Segment(left(head, before, pen.look), QUIET)]]
    earlier: list[str] = []
    shown = stages if len(stages) < height else [*stages[: max(height - 3, 1)], stages[-1]]
    for name, symbols in shown:
        row = [Segment(right(name, before, pen.look) + " " * GAP, QUIET), *_symbols(stages[0][1], symbols, earlier, pen)]
        rows.append(clip([*row, Segment(f"  {len(symbols)}", QUIET)], width))
        earlier = symbols
    return rows


def _symbols(first: Sequence[str], symbols: Sequence[str], earlier: Sequence[str], pen: Pen) -> Row:
    """The symbols, a wall after each; where a wall of the first stage has fallen its place stays, inside of the symbol."""
    walls, ramp = _ends(first), pen.look.palette.ramps.get("weights", ())
    before, row, at = _ends(earlier), [], 0
    for symbol in symbols:
        new = bool(earlier) and not ({at, at + len(symbol)} <= before | {0} and _unbroken(before, at, at + len(symbol)))
        text = "".join(character + (" " if at + i + 1 in walls and i + 1 < len(symbol) else "") for i, character in enumerate(symbol))
        if ramp:
            style = ground(ramp[len(ramp) * 3 // 5 if new else len(ramp) // 4])
            row += [Segment(text, style + STRONG if new else style), Segment(" ")]
        else:
            row.append(Segment(text + pen.look.glyphs.axis, STRONG if new else None))
        at += len(symbol)
    return row


def _ends(symbols: Sequence[str]) -> set[int]:
    found, at = set(), 0
    for symbol in symbols:
        at += len(symbol)
        found.add(at)
    return found


def _unbroken(ends: set[int], start: int, end: int) -> bool:
    """Whether it was one symbol before."""
    return not any(start < wall < end for wall in ends)


def _text(cell: float | str | Label, pen: Pen) -> str:
    return pen.look.text(pen.words.label(cell) if isinstance(cell, Label) else str(cell))
