"""Arcs from the word that reads to those that it reads most, above the sentence."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style

from quiz.charts.style import ASCII, QUIET, Pen, Row

MOST = 2  # arcs: more cannot be told apart
LEAST = 0.1  # of the row's sum, for one
PLAIN = str.maketrans("╭╮─│├┤", "..-|++")


def targets(reader: int, weights: Sequence[float]) -> list[int]:
    """The words that get an arc, the farthest first: they are drawn around the nearer ones."""
    whole = sum(weights) or 1.0
    others = [at for at, weight in enumerate(weights) if at != reader and weight >= LEAST * whole]
    return sorted(sorted(others, key=lambda at: -weights[at])[:MOST], key=lambda at: -abs(at - reader))


def arcs(centres: Sequence[int], reader: int, weights: Sequence[float], width: int, pen: Pen) -> list[Row]:
    """A row an arc; `centres` are the columns of the words."""
    ends = targets(reader, weights)
    strongest = max(ends, key=lambda at: weights[at], default=-1)
    rows: list[list[tuple[str, Style]]] = [[(" ", QUIET)] * width for _ in ends]
    start = centres[reader]
    for place, at in enumerate(ends):
        end, style = centres[at], pen.look.palette.accent if at == strongest else QUIET
        row = rows[place]
        for column in range(min(start, end) + 1, max(start, end)):
            row[column] = ("─", style)
        row[end] = ("╭" if end < start else "╮", style)
        turn = ("╭" if end > start else "╮") if place == 0 else ("├" if end > start else "┤")
        row[start] = (turn, style)
        for lower in rows[place + 1 :]:
            lower[end] = ("│", style)
    table = PLAIN if pen.look.glyphs is ASCII else {}
    return [[Segment(sign.translate(table), style) for sign, style in row] for row in rows]
