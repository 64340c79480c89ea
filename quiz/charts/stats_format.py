"""How the statistics are told: shares only as exact as their cases allow, days as dates, a card by its question, rows with bars."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from rich.cells import cell_len
from rich.segment import Segment

from quiz.charts.style import QUIET, Pen, Row
from quiz.charts.text import clip, left, paragraph, right
from quiz.statistics.retention import ENOUGH, Proportion

GAP = 2
FACTORS_FROM = 10.0  # a relative error that large is said as a factor


def fraction_text(share: Proportion, pen: Pen) -> str:
    """`88 %`, or `7 of 9` where the cases are few."""
    return pen.words("stats.of", part=share.part, whole=share.whole) if share.few else f"{100 * share.part / share.whole:.0f} %"


def count_text(share: Proportion, pen: Pen) -> str:
    """`88 % of 142`, or `7 of 9`."""
    return fraction_text(share, pen) if share.few else pen.words("stats.counted", share=fraction_text(share, pen), count=share.whole)


def error_text(error: float, count: int = ENOUGH) -> str:
    """A relative error: `35 %`, and `25×` where a percentage would be a long number; to one digit where the median is of few."""
    exact = error if count >= ENOUGH else float(f"{error:.0e}")
    return f"{exact * 100:.0f} %" if exact < FACTORS_FROM else f"{min(exact, 10**6):.0f}×"


def date_text(day: int, pen: Pen) -> str:
    """A study day as a date without its year."""
    at = date.fromordinal(day)
    return pen.words("stats.date", day=at.day, month=pen.words("stats.months").split()[at.month - 1])


def duration_text(seconds: float, pen: Pen) -> str:
    """Hours and minutes, or minutes."""
    hours, minutes = divmod(round(seconds / 60), 60)
    return pen.words("stats.hours", hours=hours, minutes=minutes) if hours else pen.words("stats.minutes", minutes=minutes)


def quiet_rows(sentence: str, width: int, pen: Pen) -> list[Row]:
    """A sentence below a heading, if there is one."""
    return [clip(row, width) for row in paragraph(sentence, width, pen.look, QUIET)] if sentence else []


def aligned_rows(rows: Sequence[tuple[str, Row, str]], width: int, pen: Pen, wide: int) -> list[Row]:
    """A row each: a label, a bar, what it says; a label is shortened only where the others leave no room, and never below `wide` cells."""
    labels = [pen.look.text(label) for label, _, _ in rows]
    beside = max((sum(part.cell_length for part in bar) + cell_len(pen.look.text(said)) for _, bar, said in rows), default=0) + 2 * GAP
    room = min(max(map(cell_len, labels), default=0), max(width - beside, wide))
    return [
        clip([Segment(left(label, room, pen.look)), Segment(" " * GAP), *bar, Segment(" " * GAP + pen.look.text(said), QUIET)], width)
        for label, (_, bar, said) in zip(labels, rows, strict=True)
    ]


def list_rows(rows: Sequence[tuple[str, str]], width: int, pen: Pen) -> list[Row]:
    """A text at the left and what is said of it at the right; the text is what is shortened, each by what stands beside it alone."""
    return [clip(_listed(pen.look.text(text), pen.look.text(aside), width, pen), width) for text, aside in rows]


def _listed(text: str, aside: str, width: int, pen: Pen) -> Row:
    room = max(width - cell_len(aside) - GAP, width // 3)
    return [Segment(left(text, room, pen.look)), Segment(" " * GAP + right(aside, width - room - GAP, pen.look), QUIET)]
