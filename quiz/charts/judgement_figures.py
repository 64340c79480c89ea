"""How well one judges oneself: confidence against what was right, guessed numbers against what was measured."""

from __future__ import annotations

from engine.label import Label
from engine.result import Series
from quiz.charts.bars import share_bar
from quiz.charts.curve import curve
from quiz.charts.legend import headline
from quiz.charts.stats_format import aligned_rows, count_text, error_text, list_rows, quiet_rows
from quiz.charts.stats_view import StatsView
from quiz.charts.style import QUIET, Pen, Row
from quiz.statistics.calibration import ConfidenceBin
from quiz.statistics.prediction_error import WEEK, PredictionError

BAR = 24  # cells
NAMES = 16  # cells for a confidence
WORST = 3  # cards
HEIGHT = 5  # rows of the curve, its axis included
TREND_FROM = 4  # weeks
TELLING = 3  # predictions in a week; the median of fewer is noise
PLOTTED = 200  # percent; what is farther off is drawn there


def confidence_figure(told: StatsView, width: int, pen: Pen) -> list[Row]:
    """Sure, think so, guess: how often each was right."""
    given, say = told.statistics.calibration, pen.words
    above = headline(say("stats.confidence"), "", width, pen.look, [])
    if not any(level.right.whole for level in given):
        return [above, *quiet_rows(say("stats.confidence.none"), width, pen)]
    rows = [_sure(level, pen) for level in reversed(given) if level.right.whole]
    return [above, *quiet_rows(say("stats.confidence.said"), width, pen), *aligned_rows(rows, width, pen, NAMES)]


def _sure(level: ConfidenceBin, pen: Pen) -> tuple[str, Row, str]:
    right = level.right
    colour = QUIET if right.few else pen.look.of_arm("right")
    return pen.words(f"confidence.{level.confidence}"), share_bar(right.value or 0.0, BAR, pen.look, colour), count_text(right, pen)


def predictions_figure(told: StatsView, width: int, pen: Pen) -> list[Row]:
    """How far off the guesses were: in all, week by week, and the cards with the worst."""
    found, say = told.statistics.estimates, pen.words
    above = headline(say("stats.numbers"), "", width, pen.look, [])
    if found.all is None:
        return [above, *quiet_rows(say("stats.numbers.none"), width, pen)]
    weeks = [(start, week) for start, week in found.weeks if week.count >= TELLING]
    rows = [
        above,
        *quiet_rows(say("stats.numbers.said", count=found.all.count, error=error_text(found.all.error, found.all.count)), width, pen),
    ]
    if len(weeks) >= TREND_FROM:
        rows += curve([_trend(weeks, told.statistics.today, pen)], width, HEIGHT, pen.look, pen.words)
    worst = [(told.question(key, pen.words), say("stats.numbers.off", error=error_text(card.error))) for key, card in found.cards[:WORST]]
    return [*rows, [], *quiet_rows(say("stats.numbers.worst"), width, pen), *list_rows(worst, width, pen)]


def _trend(weeks: list[tuple[int, PredictionError]], today: int, pen: Pen) -> Series:
    ago = tuple(float((start - today) // WEEK + 1) for start, _ in weeks)
    errors = tuple(float(min(round(100 * week.error), PLOTTED)) for _, week in weeks)
    names = pen.words("stats.numbers.curve"), pen.words("stats.numbers.weeks")
    label, x_label = (Label(name, name) for name in names)
    return Series("error", ago, errors, label, x_label)
