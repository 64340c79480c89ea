from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from quiz.memory.study_day import Moment, study_day

BERLIN = ZoneInfo("Europe/Berlin")
SHANGHAI = ZoneInfo("Asia/Shanghai")
LOS_ANGELES = ZoneInfo("America/Los_Angeles")


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (datetime(2026, 11, 29, 3, 59, 59, tzinfo=SHANGHAI), date(2026, 11, 28)),
        (datetime(2026, 11, 29, 4, 0, tzinfo=SHANGHAI), date(2026, 11, 29)),
        (datetime(2026, 11, 30, 0, 30, tzinfo=SHANGHAI), date(2026, 11, 29)),
        (datetime(2027, 1, 1, 1, 0, tzinfo=UTC), date(2026, 12, 31)),
    ],
)
def test_four_o_clock(at: datetime, expected: date) -> None:
    """A study day begins at 04:00 on the person's own clock."""
    assert expected == study_day(at)


@pytest.mark.parametrize("day", [date(2026, 3, 29), date(2026, 10, 25)])
def test_daylight_saving(day: date) -> None:
    """On the days when the clock changes, 04:00 on the wall is still the border."""
    four = datetime(day.year, day.month, day.day, 4, tzinfo=BERLIN)

    assert (day - timedelta(days=1), day) == (study_day(four.replace(hour=3, minute=59)), study_day(four))


def test_evening_and_next_morning() -> None:
    """22:00 and 08:00 are two study days, though ten hours apart."""
    evening = Moment.of(datetime(2026, 11, 29, 22, tzinfo=BERLIN))
    morning = Moment.of(datetime(2026, 11, 30, 8, tzinfo=BERLIN))

    assert 1 == morning.day - evening.day


def test_naive() -> None:
    """A time without a zone has no study day."""
    with pytest.raises(ValueError, match="no time zone"):
        study_day(datetime(2026, 11, 29, 12))


def test_moment_keeps_the_instant() -> None:
    """A moment is the instant in UTC to the millisecond, with the offset and the day of the place."""
    local = datetime(2026, 11, 29, 1, 2, 3, 456_789, tzinfo=LOS_ANGELES)

    moment = Moment.of(local)

    assert datetime(2026, 11, 29, 9, 2, 3, 456_000, tzinfo=UTC) == moment.at_utc
    assert (-480, date(2026, 11, 28).toordinal()) == (moment.offset_minutes, moment.day)


def test_before_1970() -> None:
    """A computer whose clock has lost its battery still gives a moment that comes back exactly."""
    lost = datetime(1969, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC)

    assert (-1, lost) == (Moment.of(lost).at_ms, Moment.of(lost).at_utc)


def test_now() -> None:
    """Now is between just before and just after, and knows its zone."""
    before = datetime.now(UTC)

    now = Moment.now()

    assert before - timedelta(milliseconds=1) <= now.at_utc <= datetime.now(UTC)
    assert now.day == study_day(now.at_utc.astimezone(timezone(timedelta(minutes=now.offset_minutes)))).toordinal()
