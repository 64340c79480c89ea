"""What the home screen draws beside its decks: the days to come, topics, the cards in trouble; or a figure that plays."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style

from quiz.card.home_view import HomeView
from quiz.charts.bars import bar_cell, stacked_bar
from quiz.charts.legend import headline
from quiz.charts.memory_figures import known_kinds, weak_reason
from quiz.charts.stats_format import aligned_rows, list_rows
from quiz.charts.style import QUIET, Pen, Row
from quiz.charts.text import centre, clip

if TYPE_CHECKING:
    from quiz.charts.figures.subject import Subject

WIDEST, NARROWEST = 6, 3  # cells of a day
BAR, NAMES = 16, 24  # cells
TOPICS = 8
TALL = ((30, 4), (14, 2), (0, 1))  # from so many rows on the bars of the days are so many rows high, with their numbers below if several
LIVE = 4  # rows around the bars of a live figure: its question, two of headings, and what runs it


def home_rows(view: HomeView, width: int, height: int, pen: Pen) -> list[Row]:
    """As much as fits in `height` rows: the days first, then topics and the cards in trouble, a blank row before each."""
    tall = next(tall for least, tall in TALL if height >= least)
    rows = forecast_rows(view, width, pen, tall)
    left = height - len(rows) - bool(rows)
    named = min(len(view.weak), max(left - 5, 0))
    shown = min(TOPICS, left - 1 - (named + 2 if named else 0))
    for section in (topic_rows(view, width, pen, shown), weak_rows(view, width, pen, named)):
        if section:
            rows += [[], *section] if rows else section
    return rows[:height]


def forecast_rows(view: HomeView, width: int, pen: Pen, tall: int) -> list[Row]:
    """A small bar a day, `tall` rows high, today's in the colour of what is due; nothing where no card comes back at all."""
    coming, look, say = view.coming, pen.look, pen.words
    days = len(coming.days)
    each = min(WIDEST, width // days)
    if not (coming.cards or coming.later) or each < NARROWEST:
        return []
    aside = [Segment(say("home.coming", count=coming.cards), QUIET)]
    colours = look.palette
    styles = [look.of_arm("wrong"), *[colours.lines[1 % len(colours.lines)]] * (days - 1)]
    names = [_weekday(coming.first + day, each, pen) for day in range(days)]
    most = max(coming.days)
    bars = [
        [
            _cell(bar_cell(count / most if most else 0.0, row, tall, look) * (each - 1), each, style)
            for count, style in _each(coming.days, styles)
        ]
        for row in range(tall - 1, -1, -1)
    ]
    numbers = (
        [[Segment(centre(str(count or look.glyphs.masked), each - 1, look) + " ", QUIET) for count in coming.days]] if tall > 1 else []
    )
    weekdays = [Segment(name, None if day == 0 else QUIET) for day, name in enumerate(names)]
    head = headline(say("home.days", count=days), "", min(width, each * days), look, aside)
    return [clip(row, width) for row in [head, *bars, *numbers, weekdays]]


def _each(counts: Sequence[int], styles: Sequence[Style | None]) -> list[tuple[int, Style | None]]:
    return list(zip(counts, styles, strict=True))


def _cell(bar: str, width: int, style: Style | None) -> Segment:
    return Segment(bar.ljust(width), style)


def _weekday(day: int, width: int, pen: Pen) -> str:
    """A weekday in the cells of its bar: the first letters, or the one character that says which."""
    name = pen.words("stats.weekdays").split()[date.fromordinal(day).weekday()]
    short = name[: width - 1] if name.isascii() else name[-1]
    return centre(short, width - 1, pen.look) + " "


def topic_rows(view: HomeView, width: int, pen: Pen, most: int) -> list[Row]:
    """The weakest topics: how much of each is known and being learned, and the share that would be answered today."""
    if most < 1 or not view.topics:
        return []
    rows = []
    for topic in view.topics[:most]:
        bar = stacked_bar(known_kinds((topic.known, topic.learning, topic.new), pen), BAR)
        rows.append((topic.name, bar, f"{100 * topic.expected:.0f} %"))
    say = pen.words
    return [headline(say("home.topics"), "", width, pen.look, []), *aligned_rows(rows, width, pen, NAMES)]


def weak_rows(view: HomeView, width: int, pen: Pen, most: int) -> list[Row]:
    """The cards in trouble, each with its reason."""
    if most < 1 or not view.weak:
        return []
    rows = [(question[pen.words.language], weak_reason(card, pen)) for question, card in view.weak[:most]]
    return [headline(pen.words("home.trouble"), "", width, pen.look, []), *list_rows(rows, width, pen)]


def live_rows(subject: Subject, width: int, height: int, pen: Pen) -> list[Row]:
    """A card's question with its figure as it plays, and the value that is swept."""
    from quiz.charts.figures.kinds import draw_figure

    swept = f"d_k = {subject.values['d_k']}"
    head = headline(pen.words("home.live"), "", width, pen.look, [Segment(swept, pen.look.palette.accent)])
    figure = draw_figure(subject, width, max(height - LIVE, 2), pen)
    return [head, *figure[: max(height - 2, 0)], [Segment(pen.look.text(pen.words("home.live.run")), QUIET)]][: max(height, 0)]
