"""The lab's first line: what is being measured, and how far a run is; and the sentence of a run that failed."""

from __future__ import annotations

from rich.cells import cell_len
from rich.segment import Segment

from quiz.drawing.look import QUIET, STRONG, Look, Row
from quiz.drawing.text import clip, left, paragraph

BAR = 10  # characters of progress


def head(word: str, title: str, aside: str, width: int, look: Look) -> Row:
    """`Lab  softmax saturation          ━━━━━━      60%`"""
    word, title, aside = look.text(word) + "  ", look.text(title), look.text(aside)
    room = max(width - cell_len(word) - cell_len(aside), 0)
    return clip([Segment(word, QUIET), Segment(left(title, room, look), STRONG), Segment(aside, look.palette.accent)], width)


def progress(fraction: float | None, look: Look) -> str:
    """A bar for 0..1; without a fraction only a sign that something runs."""
    if fraction is None:
        return look.glyphs.more
    done = round(min(max(fraction, 0), 1) * BAR)
    return look.glyphs.rail * done + " " * (BAR - done) + f"{fraction:>5.0%}"


def failure(sentence: str, width: int, look: Look) -> list[Row]:
    """Why the last run gave nothing."""
    return paragraph(f"{look.glyphs.failed} {sentence}", width, look, look.of_arm("wrong")) if sentence else []
