"""A search as a tree, from a table of its leaves: the way to one, what each step of it was worth, and the whole."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from rich.cells import cell_len
from rich.segment import Segment

from content.text.numbers import significant
from engine.label import Label
from quiz.charts.figures.subject import Cursor, Subject
from quiz.charts.level_bars import bar_axis, level_bar
from quiz.charts.style import QUIET, STRONG, Pen, Row
from quiz.charts.table import titled_table
from quiz.charts.text import clip, left, paragraph

Leaf = tuple[tuple[str, ...], tuple[float, ...], float]  # the words of a way, what its steps are worth, what its end is
BAR = 24  # characters
BRANCHES = (("├─ ", "└─ "), ("│  ", "   "))
PLAIN_BRANCHES = (("|- ", "`- "), ("|  ", "   "))


def draw(subject: Subject, width: int, height: int, pen: Pen, cursor: Cursor | None) -> list[Row]:
    (data, *_) = subject.tables
    leaves = [_leaf(row, pen) for row in data.rows]
    if any(len(words) != len(steps) for words, steps, _ in leaves):
        return titled_table(data, width, pen)
    best = max((end for _, _, end in leaves), default=0.0)
    lines = list(_lines(leaves, 0, "", pen))
    wide = max((cell_len(text) for text, *_ in lines), default=0)
    axis = bar_axis([best], min(max(width - wide - 18, 1), BAR))
    rows: list[Row] = [*paragraph(pen.words.label(data.label), width, pen.look, STRONG)]
    head = pen.look.text(pen.words.label(data.columns[-1]))
    rows.append([Segment(left("", wide + 10, pen.look)), Segment(head, QUIET)])
    for text, step, end in lines:
        row: Row = [Segment(left(text, wide, pen.look)), Segment(significant(step, 2).rjust(8) + "  ", QUIET)]
        if end is not None:
            style = pen.look.of_arm("right") if end == best else pen.look.palette.lines[0]
            row += [*level_bar(end, axis, pen.look, style), Segment(" " + significant(end, 3), STRONG if end == best else None)]
        rows.append(clip(row, width))
    return rows


def wish(subject: Subject, width: int, pen: Pen) -> int:
    return min(64, width)


def _leaf(row: Sequence[float | str | Label], pen: Pen) -> Leaf:
    words = pen.words.label(row[0]) if isinstance(row[0], Label) else str(row[0])
    numbers = [float(cell) for cell in row[1:] if isinstance(cell, int | float)]
    return tuple(words.split()), tuple(numbers[:-1]), numbers[-1] if numbers else 0.0


def _lines(leaves: Sequence[Leaf], depth: int, before: str, pen: Pen) -> list[tuple[str, float, float | None]]:
    """Each node: its branch and word, what the step to it is worth, and for a leaf what its end is."""
    lines: list[tuple[str, float, float | None]] = []
    longer = [leaf for leaf in leaves if len(leaf[0]) > depth]
    groups = [(word, list(group)) for word, group in groupby(longer, key=lambda leaf: leaf[0][depth])]
    (fork, last), (along, beyond) = BRANCHES if pen.look.glyphs.half else PLAIN_BRANCHES
    for at, (word, group) in enumerate(groups):
        end = at == len(groups) - 1
        leaf = next((one for one in group if len(one[0]) == depth + 1), None)
        lines.append((before + (last if end else fork) + word, group[0][1][depth], leaf[2] if leaf else None))
        lines += _lines(group, depth + 1, before + (beyond if end else along), pen)
    return lines
