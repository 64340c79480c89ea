"""What a plan says: in sentences with a picture of the days to come, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from statistics import fmean
from typing import Any

from quiz.card.today import iso_date
from quiz.charts.bars import Tick, upright_bars
from quiz.charts.style import ChartStyle, Row
from quiz.progress.decisions import Plan
from quiz.study.plan import DailyShare
from quiz.study.plan_load import DayLoad, Doubt, LoadForecast, busiest_day, daily_loads, new_cards_that_fit, plan_doubts
from quiz.words.i18n import Words

HEIGHT = 4  # rows of the picture
BARS = 62  # days that stand beside each other; where there are more, a bar is a week


@dataclass(frozen=True)
class Advice:
    """A plan with all that is said about it: `most` is how many new cards a day the person has met at most."""

    aim: Plan
    seen: LoadForecast
    days: tuple[DayLoad, ...]
    share: DailyShare
    doubts: tuple[Doubt, ...]
    most: int

    @property
    def new_a_day(self) -> int:
        """New cards on the days that have most of them."""
        return max(load.new for load in self.days)

    @property
    def minutes(self) -> float:
        """Minutes on an average day."""
        return fmean(load.minutes for load in self.days)

    @property
    def once_more(self) -> float:
        """Cards a day in the last days; 0 without such days."""
        return max((load.once_more for load in self.days if load.day >= self.aim.final), default=0.0)


def advice(aim: Plan, seen: LoadForecast, share: DailyShare, most: int) -> Advice:
    """Raises ValueError when the aim is over."""
    days = daily_loads(aim, seen)
    return Advice(aim, seen, days, share, plan_doubts(aim, seen, days, most), most)


def sentences(given: Advice, words: Words) -> Iterator[str]:
    """What the plan is, what it takes, and whether it can be done: one sentence a line."""
    aim, seen, most = given.aim, given.seen, busiest_day(given.days)
    topic = words("plan.topic", tag=aim.tag) if aim.tag else ""
    yield words("plan.title", date=iso_date(aim.until), count=len(given.days), cards=seen.unmet + seen.met, new=seen.unmet) + topic
    if seen.unmet:
        yield words("plan.new", count=given.new_a_day, date=iso_date(_eve(given)))
    if aim.final < aim.until:
        yield words("plan.final", date=iso_date(max(aim.final, seen.day)), count=ceil(given.once_more))
    yield words("plan.minutes", minutes=_minutes(given.minutes), most=_minutes(most.minutes), date=iso_date(most.day))
    pace = {"new": round(seen.pace.new), "review": round(seen.pace.review)}
    yield words("plan.pace" if seen.pace.timed else "plan.pace_default", **pace)
    yield words("plan.share", new=given.share.new, again=given.share.again)


def judgement(given: Advice, words: Words) -> Iterator[str]:
    """Every doubt as a sentence, or that it can be done."""
    if not given.doubts:
        yield "✔ " + words("plan.fits")
    for doubt in given.doubts:
        yield "✖ " + _doubted(doubt, given, words)


def _doubted(doubt: Doubt, given: Advice, words: Words) -> str:
    aim, seen = given.aim, given.seen
    if doubt == "too_many":
        return words("plan.too_many" if given.most else "plan.too_many_first", count=given.new_a_day, most=given.most)
    if doubt == "one_round":
        return words("plan.one_round")
    minutes = _minutes(busiest_day(given.days).minutes)
    if aim.minutes is None:
        return words("plan.too_long", minutes=minutes)
    return words("plan.too_long_for", minutes=minutes, yours=aim.minutes, fit=new_cards_that_fit(aim, seen, aim.minutes), new=seen.unmet)


def by_weeks(given: Advice) -> bool:
    """Whether a bar of the picture is the average day of a week."""
    return len(given.days) > BARS


def picture(given: Advice, width: int, look: ChartStyle, words: Words) -> list[Row]:
    """The minutes of the days to come; of the weeks, where there are many days."""
    step = 7 if by_weeks(given) else 1
    bars = [fmean(load.minutes for load in given.days[i : i + step]) for i in range(0, len(given.days), step)]
    ticks: list[Tick] = [(0, words("plan.today"))]
    if given.seen.day + step < given.aim.final < given.aim.until:
        ticks.append(((given.aim.final - given.seen.day) // step, words("plan.last_days")))
    return upright_bars(bars, HEIGHT, width, look, ticks)


def as_data(given: Advice) -> dict[str, Any]:
    """The plan as JSON: days as ISO dates; `once_more_from` is null where there are no last days, `fits` is whether there is no doubt."""
    aim, seen, most = given.aim, given.seen, busiest_day(given.days)
    return {
        "until": iso_date(aim.until),
        "once_more_from": iso_date(aim.final) if aim.final < aim.until else None,
        "tag": aim.tag,
        "minutes": aim.minutes,
        "today": iso_date(seen.day),
        "cards": seen.unmet + seen.met,
        "new": seen.unmet,
        "new_a_day": given.new_a_day,
        "minutes_a_day": round(given.minutes, 1),
        "busiest": {"day": iso_date(most.day), "minutes": round(most.minutes, 1)},
        "pace": {name: getattr(seen.pace, name) for name in ("new", "review", "timed", "first_sight")},
        "share": {"new": given.share.new, "again": given.share.again},
        "fits": not given.doubts,
        "doubts": list(given.doubts),
        "days": [
            {"day": iso_date(load.day), "new": load.new, "reviews": round(load.reviews, 1), "minutes": round(load.minutes, 1)}
            for load in given.days
        ],
    }


def _eve(given: Advice) -> int:
    """The last day with new cards."""
    return max(load.day for load in given.days if load.new)


def _minutes(minutes: float) -> int:
    return ceil(minutes)
