"""The interval shown is the interval given: a table over time zones, both daylight-saving days, travel, and clocks that jump."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from content.deck.model import parse_card
from quiz.memory.scheduler import Grade, is_due
from quiz.memory.study_day import Moment, study_day
from quiz.progress.progress import Progress
from quiz.study import card_steps
from quiz.study import session as sessions
from quiz.study.study import Study
from quiz.study.turn import Item

BERLIN, PACIFIC, SHANGHAI = ZoneInfo("Europe/Berlin"), ZoneInfo("America/Los_Angeles"), ZoneInfo("Asia/Shanghai")
EAST, WEST = timezone(timedelta(hours=8)), timezone(timedelta(hours=-8))
HISTORY = (Grade.good, Grade.hard)
CARD = parse_card({"id": "card", "question": "Why?", "answer": "So."})
KEY = ("deck", "card")


@dataclass(frozen=True)
class Row:
    """Where a person is at each of three reviews, and when, on the clock of the wall."""

    name: str
    first: datetime
    second: datetime
    third: datetime


def at(zone: timezone | ZoneInfo, text: str, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone, fold=fold)


ROWS = (
    Row("UTC+8, noon", at(EAST, "2026-11-29T12:00"), at(EAST, "2026-12-01T12:00"), at(EAST, "2026-12-05T12:00")),
    Row("UTC+8, around 04:00", at(EAST, "2026-11-29T03:59"), at(EAST, "2026-12-01T04:00"), at(EAST, "2026-12-05T03:59")),
    Row("UTC-8, evening", at(WEST, "2026-11-29T23:30"), at(WEST, "2026-12-02T00:30"), at(WEST, "2026-12-06T20:00")),
    Row("UTC-8, morning", at(WEST, "2026-11-29T04:00"), at(WEST, "2026-12-01T05:00"), at(WEST, "2026-12-04T04:30")),
    Row("Berlin, spring", at(BERLIN, "2026-03-28T22:00"), at(BERLIN, "2026-03-29T03:30"), at(BERLIN, "2026-03-30T08:00")),
    Row("Berlin, the lost hour", at(BERLIN, "2026-03-29T01:59"), at(BERLIN, "2026-03-29T03:00"), at(BERLIN, "2026-03-29T04:00")),
    Row("Berlin, autumn", at(BERLIN, "2026-10-24T22:00"), at(BERLIN, "2026-10-25T02:30"), at(BERLIN, "2026-10-25T02:30", fold=1)),
    Row("Berlin, 23 hours later", at(BERLIN, "2026-03-28T12:00"), at(BERLIN, "2026-03-29T12:00"), at(BERLIN, "2026-03-31T12:00")),
    Row("Los Angeles, spring", at(PACIFIC, "2026-03-07T23:00"), at(PACIFIC, "2026-03-08T03:30"), at(PACIFIC, "2026-03-10T01:00")),
    Row("Los Angeles, autumn", at(PACIFIC, "2026-10-31T12:00"), at(PACIFIC, "2026-11-01T01:30", 1), at(PACIFIC, "2026-11-03T12:00")),
    Row("to the east", at(PACIFIC, "2026-11-29T20:00"), at(SHANGHAI, "2026-12-01T21:00"), at(SHANGHAI, "2026-12-04T08:00")),
    Row("to the west", at(SHANGHAI, "2026-11-29T20:00"), at(PACIFIC, "2026-11-29T10:00"), at(PACIFIC, "2026-12-02T08:00")),
    Row("over the date line", at(timezone(timedelta(hours=14)), "2026-11-30T05:00"), at(timezone(timedelta(hours=-12)), "2026-11-29T05:00"),
        at(EAST, "2026-12-03T12:00")),
    Row("a clock a year ahead", at(BERLIN, "2026-11-29T12:00"), at(BERLIN, "2027-11-29T12:00"), at(BERLIN, "2026-11-30T12:00")),
    Row("a clock back to 1970", at(BERLIN, "2026-11-29T12:00"), at(BERLIN, "1970-01-01T00:00"), at(BERLIN, "2026-11-30T12:00")),
    Row("new year, after midnight", at(BERLIN, "2026-12-31T23:50"), at(BERLIN, "2027-01-01T00:10"), at(BERLIN, "2027-01-03T09:00")),
)  # fmt: skip


class Clock:
    """A clock that stands still where it is put."""

    at: datetime

    def __call__(self) -> Moment:
        return Moment.of(self.at)


def shown_and_given(store: Progress, clock: Clock, grade: Grade) -> tuple[int, int, int, int]:
    """One card, asked and graded: days and minutes on the button, then days and minutes in the store."""
    item = Item("deck", CARD)
    study = Study(sessions.begin_session((item,)), store, clock, store.memories())
    study.start_clock()
    study.session = card_steps.reveal(study.session, None)
    shown = study.intervals()[grade]
    before = store.memory(KEY)
    study.grade(grade)
    given = store.memory(KEY)
    assert given is not None
    counted_from = max(clock().day, before.last_day if before else 0)
    wait = given.due_at - clock().at_utc if given.due_at else timedelta(0)
    return shown.days, shown.minutes, given.due_day - counted_from, wait // timedelta(minutes=1)


@pytest.mark.parametrize("grade", Grade)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_shown_is_given(row: Row, grade: Grade) -> None:
    """Wherever and whenever the reviews were, what the button shows is what the store holds after it."""
    with closing(Progress.in_memory()) as store:
        clock = Clock()
        for moment, given in zip((row.first, row.second, row.third), (*HISTORY, grade), strict=True):
            clock.at = moment
            days, minutes, stored_days, stored_minutes = shown_and_given(store, clock, given)

            assert (days, minutes) == (stored_days, stored_minutes)
        assert () == store.check()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_due_when_promised(row: Row) -> None:
    """A card is due from 04:00, on the clock of the wall, of the day that was promised, and not a minute earlier: wherever one is then."""
    with closing(Progress.in_memory()) as store:
        clock = Clock()
        clock.at = row.first
        days, *_ = shown_and_given(store, clock, Grade.good)
        memory = store.memory(KEY)
        assert memory is not None
        promised = study_day(row.first) + timedelta(days=days)
        for zone in (row.first.tzinfo, row.third.tzinfo, EAST, WEST):
            four = datetime(promised.year, promised.month, promised.day, 4, tzinfo=zone)

            assert [False, True] == [is_due(memory, Moment.of(moment)) for moment in (four.replace(hour=3, minute=59), four)]


def test_days_between() -> None:
    """How many study days the table's reviews are apart, by hand: travel and summer time bend none of them."""
    apart = {row.name: [(study_day(later) - study_day(row.first)).days for later in (row.second, row.third)] for row in ROWS}

    assert apart == {
        "UTC+8, noon": [2, 6],
        "UTC+8, around 04:00": [3, 6],
        "UTC-8, evening": [2, 7],
        "UTC-8, morning": [2, 5],
        "Berlin, spring": [0, 2],
        "Berlin, the lost hour": [0, 1],
        "Berlin, autumn": [0, 0],
        "Berlin, 23 hours later": [1, 3],
        "Los Angeles, spring": [0, 2],
        "Los Angeles, autumn": [0, 3],
        "to the east": [2, 5],
        "to the west": [0, 3],
        "over the date line": [-1, 3],
        "a clock a year ahead": [365, 1],
        "a clock back to 1970": [-20787, 1],
        "new year, after midnight": [0, 3],
    }
