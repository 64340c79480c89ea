"""One figure drawn, whatever its kind: a module a kind, and this table of them.

    draw_figure(Subject(figure, description, result, values), width, height, pen)

gives its rows, for the screen, a pipe and a picture alike. With a Cursor it is drawn for somebody who walks through it; `panels` says where
its cells are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.figures import Kind
from quiz.charts.figures import bars, blocks, curve, grid, heatmap, merges, steps, strip, table, tree, waves
from quiz.charts.figures.cover import draw_covered
from quiz.charts.figures.panel import Panel, kept
from quiz.charts.figures.subject import Cursor, Subject
from quiz.charts.style import Pen, Row
from quiz.charts.text import clip, paragraph


def no_panels(subject: Subject, width: int, height: int, pen: Pen, cursor: Cursor | None) -> list[Panel]:
    """Nothing in it can be pointed at."""
    return []


@dataclass(frozen=True)
class DrawnKind:
    """How a kind is drawn, how wide it wants to be, and where its cells are."""

    draw: Callable[[Subject, int, int, Pen, Cursor | None], list[Row]]
    wish: Callable[[Subject, int, Pen], int]
    panels: Callable[[Subject, int, int, Pen, Cursor | None], list[Panel]] = no_panels


KINDS: dict[Kind, DrawnKind] = {
    "bars": DrawnKind(bars.draw, bars.wish, bars.panels),
    "heatmap": DrawnKind(heatmap.draw, heatmap.wish, heatmap.panels),
    "strip": DrawnKind(strip.draw, strip.wish, strip.panels),
    "curve": DrawnKind(curve.draw, curve.wish),
    "waves": DrawnKind(waves.draw, waves.wish),
    "grid": DrawnKind(grid.draw, grid.wish, grid.panels),
    "tree": DrawnKind(tree.draw, tree.wish),
    "merges": DrawnKind(merges.draw, merges.wish),
    "blocks": DrawnKind(blocks.draw, blocks.wish, blocks.panels),
    "steps": DrawnKind(steps.draw, steps.wish, steps.panels),
    "table": DrawnKind(table.draw, table.wish),
}


def draw_figure(subject: Subject, width: int, height: int, pen: Pen, cursor: Cursor | None = None) -> list[Row]:
    """Rows of at most `width` characters, the caption below. `height` is for one picture of it: matrices below each other take it each."""
    if width < 1 or not subject.is_there:
        return []
    if subject.covered:
        return [clip(row, width) for row in draw_covered(subject, width, max(height, 2), pen)]
    if cursor and cursor.focused:  # a run or a width may have left it outside
        panels = figure_panels(subject, width, height, pen, cursor)
        cursor = kept(panels, cursor) if panels else replace(cursor, focused=False)
    caption = subject.figure.caption
    below = paragraph(pen.words.label(caption), width, pen.look) if caption else []
    return [clip(row, width) for row in [*KINDS[subject.figure.kind].draw(subject, width, max(height, 2), pen, cursor), *below]]


def figure_wish(subject: Subject, width: int, pen: Pen) -> int:
    """How wide it wants to be, of at most `width`."""
    return min(KINDS[subject.figure.kind].wish(subject, width, pen), width) if subject.is_there else 0


def figure_panels(subject: Subject, width: int, height: int, pen: Pen, cursor: Cursor | None) -> list[Panel]:
    """Where a cursor can go, as the figure is drawn with the same arguments."""
    if width < 1 or not subject.is_there or subject.covered:
        return []
    found = KINDS[subject.figure.kind].panels(subject, width, max(height, 2), pen, cursor)
    return [panel for panel in found if panel.rows and panel.columns]
