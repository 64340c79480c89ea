"""What was done and what comes: the calendar of reviews, the cards that come back, the time spent."""

from __future__ import annotations

from rich.segment import Segment

from quiz.charts.bars import Tick, upright_bars
from quiz.charts.calendar import calendar, scale
from quiz.charts.legend import headline
from quiz.charts.stats_format import date_text, duration_text, list_rows, quiet_rows
from quiz.charts.stats_view import StatsView
from quiz.charts.style import QUIET, Pen, Row

HEIGHT = 4  # rows of bars
DAILY = 35  # days; a longer time is drawn by weeks
WEEK = 7
SLOWEST = 3  # cards


def reviews_figure(told: StatsView, width: int, pen: Pen) -> list[Row]:
    """The calendar."""
    done, say = told.statistics.activity, pen.words
    counts = [day.reviews for day in done.days]
    title = headline(say("stats.reviews"), "", width, pen.look, scale(max(counts, default=0), pen.look) if done.reviews else [])
    sentence = say("stats.reviews.said", count=done.reviews, studied=done.studied, days=len(counts))
    days = calendar(counts, told.statistics.today, width, pen.look, say("stats.weekdays").split(), say("stats.months").split())
    return [title, *quiet_rows(sentence, width, pen), *days]


def coming_figure(told: StatsView, width: int, pen: Pen) -> list[Row]:
    """The cards due on each of the next days, today's in its own colour."""
    ahead, say = told.statistics.forecast, pen.words
    now = ahead.days[0]
    sentence = say("stats.due.said", now=now, soon=ahead.cards - now, days=len(ahead.days) - 1, later=ahead.later)
    late = [Segment(say("stats.due.overdue", count=ahead.overdue), pen.look.of_arm("wrong"))] if ahead.overdue else []
    above = [headline(say("stats.due"), "", width, pen.look, late), *quiet_rows(sentence, width, pen)]
    ticks: list[Tick] = [(0, say("stats.today"))]
    ticks += [(place, date_text(ahead.first + place, pen)) for place in range(WEEK, len(ahead.days), WEEK)]
    colours = pen.look.palette
    style = colours.lines[1 % len(colours.lines)]
    return above + upright_bars(ahead.days, HEIGHT, width, pen.look, ticks, colours.arms.get("wrong"), style) if ahead.cards else above


def time_figure(told: StatsView, width: int, pen: Pen) -> list[Row]:
    """Minutes by day, or by week where the days are many; the cards that took most."""
    spent, say = told.statistics.activity, pen.words
    if spent.typical is None:
        return [headline(say("stats.time"), "", width, pen.look, []), *quiet_rows(say("stats.time.none"), width, pen)]
    sentence = say("stats.time.said", total=duration_text(spent.seconds, pen), typical=round(spent.typical))
    daily = len(spent.days) <= DAILY
    each = 1 if daily else WEEK
    first = len(spent.days) % each  # whole weeks, the last of them ends today
    starts = range(first, len(spent.days), each)
    minutes = [sum(day.seconds for day in spent.days[start : start + each]) / 60 for start in starts]
    ticks = [(place, date_text(spent.days[start].day, pen)) for place, start in enumerate(starts) if place % (WEEK if daily else 4) == 0]
    bars = upright_bars(minutes, HEIGHT, width, pen.look, ticks, style=pen.look.palette.lines[0])
    unit = Segment(say("stats.time.daily" if daily else "stats.time.weekly"), QUIET)
    slowest = [(told.question(card.key, pen.words), duration_text(card.seconds, pen)) for card in spent.cards[:SLOWEST]]
    head = headline(say("stats.time"), "", width, pen.look, [unit])
    below = quiet_rows(say("stats.time.slowest"), width, pen)
    return [head, *quiet_rows(sentence, width, pen), *bars, [], *below, *list_rows(slowest, width, pen)]
