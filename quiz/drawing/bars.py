"""Shares as level bars: how much of a whole, of which kinds it is made, where it was expected."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style

from quiz.drawing.look import QUIET, STRONG, Look, Row

Kind = tuple[int, str, Style | None]  # how many, the character of one of its cells, its colour


def bar(share: float, width: int, look: Look, style: Style | None, mark: float | None = None) -> Row:
    """A bar of `width` cells filled to `share` (0..1), with a mark at another share."""
    full = round(min(max(share, 0.0), 1.0) * width)
    text, styles = look.glyphs.rail * full + look.glyphs.masked * (width - full), [style] * full + [QUIET] * (width - full)
    row = [Segment(character, colour) for character, colour in zip(text, styles, strict=True)]
    if mark is not None and width:
        row[min(round(mark * width), width - 1)] = Segment(look.glyphs.marker, STRONG)
    return list(Segment.simplify(row))


def stacked(kinds: Sequence[Kind], width: int) -> Row:
    """A bar of `width` cells shared by kinds as their numbers are, the rounding carried on, so that the cells add up."""
    whole, before, row = sum(count for count, _, _ in kinds), 0, []
    for count, glyph, style in kinds:
        start, before = round(before * width / whole) if whole else 0, before + count
        row.append(Segment(glyph * ((round(before * width / whole) if whole else 0) - start), style))
    return row
