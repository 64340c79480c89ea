"""How well one judges oneself: confidence against what was right, guessed numbers against what was measured."""

from __future__ import annotations

from engine.label import Label
from engine.result import Series
from quiz.drawing.bars import bar
from quiz.drawing.curve import curve
from quiz.drawing.legend import headline
from quiz.drawing.look import QUIET, Row
from quiz.drawing.picture import Pen
from quiz.drawing.told import Told, aligned, counted, listed, off, quietly
from quiz.history.calibration import Surety
from quiz.history.estimates import WEEK, Off

BAR = 24  # cells
NAMES = 16  # cells for a confidence
WORST = 3  # cards
HEIGHT = 5  # rows of the curve, its axis included
TREND_FROM = 4  # weeks
TELLING = 3  # predictions in a week; the median of fewer is noise
PLOTTED = 200  # percent; what is farther off is drawn there


def confidence(told: Told, width: int, pen: Pen) -> list[Row]:
    """Sure, think so, guess: how often each was right."""
    given, say = told.statistics.calibration, pen.say
    above = headline(say("stats.confidence"), "", width, pen.look, [])
    if not any(level.right.whole for level in given):
        return [above, *quietly(say("stats.confidence.none"), width, pen)]
    rows = [_sure(level, pen) for level in reversed(given) if level.right.whole]
    return [above, *quietly(say("stats.confidence.said"), width, pen), *aligned(rows, width, pen, NAMES)]


def _sure(level: Surety, pen: Pen) -> tuple[str, Row, str]:
    right = level.right
    colour = QUIET if right.few else pen.look.of_arm("right")
    return pen.say(f"confidence.{level.confidence}"), bar(right.value or 0.0, BAR, pen.look, colour), counted(right, pen)


def numbers(told: Told, width: int, pen: Pen) -> list[Row]:
    """How far off the guesses were: in all, week by week, and the cards with the worst."""
    found, say = told.statistics.estimates, pen.say
    above = headline(say("stats.numbers"), "", width, pen.look, [])
    if found.all is None:
        return [above, *quietly(say("stats.numbers.none"), width, pen)]
    weeks = [(start, week) for start, week in found.weeks if week.count >= TELLING]
    rows = [above, *quietly(say("stats.numbers.said", count=found.all.count, error=off(found.all.error, found.all.count)), width, pen)]
    if len(weeks) >= TREND_FROM:
        rows += curve([_trend(weeks, told.statistics.today, pen)], width, HEIGHT, pen.look, pen.language)
    worst = [(told.question(key, pen.language), say("stats.numbers.off", error=off(card.error))) for key, card in found.cards[:WORST]]
    return [*rows, [], *quietly(say("stats.numbers.worst"), width, pen), *listed(worst, width, pen)]


def _trend(weeks: list[tuple[int, Off]], today: int, pen: Pen) -> Series:
    ago = tuple(float((start - today) // WEEK + 1) for start, _ in weeks)
    errors = tuple(float(min(round(100 * week.error), PLOTTED)) for _, week in weeks)
    words = pen.say("stats.numbers.curve"), pen.say("stats.numbers.weeks")
    label, x_label = (Label(word, word) for word in words)
    return Series("error", ago, errors, label, x_label)
