"""Everything that there is to say about a person's learning, computed at once from a log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from quiz.gc_pause import gc_paused
from quiz.history.activity import Activity, Forecast, activity, forecast
from quiz.history.calibration import Surety, calibration
from quiz.history.estimates import Estimates, estimates
from quiz.history.mastery import Topic, topics
from quiz.history.retention import Retention, retention
from quiz.memory.card_ids import Key
from quiz.memory.scheduler import Memory
from quiz.progress.reviews import Review
from quiz.study.leeches import WeakCard, confident_errors, effective_dues, weak_first

DAYS = 182  # of the log that are looked at: half a year
AHEAD = 28  # days of the forecast
REPLAYED = 10_000  # reviews at most: of more, a sample says as much


@dataclass(frozen=True)
class Log:
    """What the store holds: grades that were not taken back, oldest first; memories; suspended cards. All under current names."""

    reviews: Sequence[Review] = ()
    memories: Mapping[Key, Memory] = field(default_factory=dict)
    suspended: frozenset[Key] = frozenset()

    def only(self, cards: Mapping[Key, object]) -> Log:
        """The log of some cards."""
        memories = {key: memory for key, memory in self.memories.items() if key in cards}
        return Log([review for review in self.reviews if review.key in cards], memories, self.suspended)


@dataclass(frozen=True)
class Statistics:
    """The last `days` study days up to `today` (ordinal), fewer since the first review; forecast, topics and weak cards are as of today."""

    today: int
    days: int
    activity: Activity
    forecast: Forecast
    retention: Retention
    topics: tuple[Topic, ...]
    calibration: tuple[Surety, ...]
    estimates: Estimates
    weak: tuple[WeakCard, ...]


@gc_paused()
def statistics(log: Log, tags: Mapping[Key, Sequence[str]], today: int, days: int = DAYS) -> Statistics:
    """`tags` are those of every card that there is. A card that is gone counts as work done; it does not come back."""
    begun = min((review.when.day for review in log.reviews), default=0)
    days = max(min(days, today - begun + 1), 1)
    since = today - days + 1
    lately = [review for review in log.reviews if review.when.day >= since]
    errors = confident_errors(log.reviews)
    coming = {key: memory for key, memory in log.memories.items() if key in tags and key not in log.suspended}
    return Statistics(
        today=today,
        days=days,
        activity=activity(lately, today, days),
        forecast=forecast(effective_dues(coming, errors).values(), today, AHEAD),
        retention=retention(log.reviews, since, REPLAYED),
        topics=topics(tags, log.memories, today),
        calibration=calibration(lately),
        estimates=estimates(lately, today),
        weak=weak_first(log.memories, errors, tags.keys() - log.suspended),
    )
