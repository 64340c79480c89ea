"""Figures beside each other, like books: as many on a shelf as fit, in their order, the spare room shared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.segment import Segment

from quiz.charts.style import Row

GAP = 3  # between two figures
Wish = tuple[str, int]  # a figure's kind, and how wide it wants to be
WIDEST = 84  # a figure that is wider is no easier to read


@dataclass(frozen=True)
class FlowPlace:
    """Where a figure stands on its shelf."""

    index: int
    x: int
    width: int


def flow(wishes: Sequence[Wish], width: int) -> list[list[FlowPlace]]:
    """The shelves for figures that want to be at least so wide; only figures of one kind share one."""
    shelves: list[list[int]] = []
    for index, (kind, wish) in enumerate(wishes):
        neighbours = shelves[-1] if shelves else []
        fits = sum(wishes[i][1] + GAP for i in neighbours) + wish <= width
        if neighbours and fits and wishes[neighbours[0]][0] == kind:
            neighbours.append(index)
        else:
            shelves.append([index])
    return [_spread([(index, wishes[index][1]) for index in shelf], width) for shelf in shelves]


def _spread(shelf: Sequence[tuple[int, int]], width: int) -> list[FlowPlace]:
    if len(shelf) == 1:
        index, wish = shelf[0]
        return [FlowPlace(index, 0, min(width, max(WIDEST, wish)))]
    spare = (width - sum(wish for _, wish in shelf) - GAP * (len(shelf) - 1)) // len(shelf)
    spots, x = [], 0
    for index, wish in shelf:
        spots.append(FlowPlace(index, x, wish + min(spare, wish // 4)))
        x += spots[-1].width + GAP
    return spots


def side_by_side(figures: Sequence[Sequence[Row]], spots: Sequence[FlowPlace]) -> list[Row]:
    """The rows of figures that stand on one shelf."""
    rows: list[Row] = []
    for y in range(max(map(len, figures), default=0)):
        row: Row = []
        for figure, spot in zip(figures, spots, strict=True):
            before = spot.x - sum(segment.cell_length for segment in row)
            row += [Segment(" " * before)] if before > 0 else []
            row += figure[y] if y < len(figure) else []
        rows.append(row)
    return rows
