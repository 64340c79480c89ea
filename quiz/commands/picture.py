"""A card's picture, its sentence and what is worth trying, as text for a terminal or a pipe."""

from __future__ import annotations

from collections.abc import Iterable

from rich.segment import Segment
from rich.text import Text

from content.yaml.clean import clean
from quiz.card.card_run import CardRun
from quiz.card.hero import Trial, said
from quiz.charts.card_picture import card_picture, offered_trials, whole
from quiz.charts.style import QUIET, Pen, Row
from quiz.charts.text import paragraph
from quiz.commands.printer import Printer
from quiz.words.i18n import Words


def picture_rows(run: CardRun, guess: float | None, width: int, pen: Pen) -> list[Row]:
    """Nothing where the card has no run, or it gave no numbers."""
    picture = card_picture(run, guess)
    tries = trial_lines(offered_trials(run), pen.words) if picture else []
    return [*(whole(picture, width, pen) if picture else []), *(row for line in tries for row in paragraph(line, width, pen.look, QUIET))]


def trial_lines(found: Iterable[Trial], words: Words) -> list[str]:
    """`try d_k = 4096: ...`, a line a setting."""
    return [words("try.line", name=clean(said(trial.name, words)), watch=clean(said(trial.watch, words))) for trial in found]


def print_rows(console: Printer, rows: Iterable[Row]) -> None:
    """Rows of a figure as they are, with a blank line above and below where there are some."""
    drawn = list(rows)
    if not drawn:
        return
    console.print()
    for row in drawn:
        console.print(Text.assemble(*((segment.text, segment.style or "") for segment in _stripped(row))), no_wrap=True, crop=False)


def _stripped(row: Row) -> Row:
    """Without the spaces at its end, which a pipe would keep."""
    kept = list(row)
    while kept and not kept[-1].text.strip():
        kept.pop()
    return [*kept[:-1], Segment(kept[-1].text.rstrip(), kept[-1].style)] if kept else kept
