"""When something happened: the instant, and the study day that the person was in, which begins at 04:00 on their own clock."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

DAY_STARTS_AT = 4  # o'clock; a card reviewed at 01:30 belongs to the evening before
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FIRST_DAY = date(2025, 1, 1).toordinal()  # nobody had graded a card before: an earlier day is that of a clock without a battery
LEEWAY = 1  # days by which dates may differ where no clock is wrong: a flight, two machines in two time zones


def study_day(at: datetime) -> date:
    """The study day of an aware local time. Wall time decides, so a day may last 23 or 25 hours. Raises ValueError if naive."""
    if at.utcoffset() is None:
        raise ValueError(f"{at.isoformat()} has no time zone; a study day is a matter of local time")
    return at.date() - timedelta(days=1 if at.hour < DAY_STARTS_AT else 0)


class Moment(NamedTuple):
    """An instant (UTC milliseconds) and its study day (proleptic ordinal, as date.toordinal).

    The day is stored and never computed again: after a flight or a change to summer time the past stays as it was lived.
    """

    at_ms: int
    day: int
    offset_minutes: int = 0

    @classmethod
    def of(cls, local: datetime) -> Moment:
        """The moment of an aware local time. Raises ValueError if naive."""
        day = study_day(local).toordinal()
        offset = local.utcoffset() or timedelta(0)
        return cls((local - EPOCH) // timedelta(milliseconds=1), day, offset // timedelta(minutes=1))

    @classmethod
    def now(cls) -> Moment:
        """This moment, on this computer's clock and in its time zone."""
        return cls.of(datetime.now().astimezone())

    @property
    def at_utc(self) -> datetime:
        """The instant, aware, in UTC."""
        return EPOCH + timedelta(milliseconds=self.at_ms)
