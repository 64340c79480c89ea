"""Everything that there is to say about a person's learning, computed at once from a log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from quiz.gc_pause import gc_paused
from quiz.memory.card_ids import Key
from quiz.memory.fsrs import DEFAULT, Parameters
from quiz.memory.scheduler import Memory
from quiz.progress.decisions import Fit
from quiz.progress.progress import Progress
from quiz.progress.review_columns import ReviewColumns, read_columns
from quiz.progress.reviews import Review
from quiz.statistics.activity import Activity, ReviewForecast, activity, forecast_reviews
from quiz.statistics.calibration import ConfidenceBin, calibration
from quiz.statistics.prediction_error import PredictionErrors, prediction_errors
from quiz.statistics.retention import Retention, retention
from quiz.statistics.topics import Topic, topics
from quiz.study.leeches import WeakCard, confident_errors, effective_dues, weak_first

DAYS = 182  # of the log that are looked at: half a year
AHEAD = 28  # days of the forecast
REPLAYED = 10_000  # reviews at most: of more, a sample says as much


@dataclass(frozen=True)
class LearningLog:
    """What the store holds: grades that were not taken back, oldest first; memories; suspended cards; the fit of FSRS's parameters.

    All under current names.
    """

    reviews: Sequence[Review] | ReviewColumns = ()
    memories: Mapping[Key, Memory] = field(default_factory=dict)
    suspended: frozenset[Key] = frozenset()
    fit: Fit | None = None

    @property
    def parameters(self) -> Parameters:
        """What the memories were computed by."""
        return self.fit.parameters if self.fit else DEFAULT

    def only(self, cards: Mapping[Key, object]) -> LearningLog:
        """The log of some cards."""
        memories = {key: memory for key, memory in self.memories.items() if key in cards}
        chosen = ReviewColumns.of(ReviewColumns.of(self.reviews).chosen(cards=cards.__contains__))
        return LearningLog(chosen, memories, self.suspended, self.fit)


@dataclass(frozen=True)
class Statistics:
    """The last `days` study days up to `today` (ordinal), fewer since the first review; forecast, topics and weak cards are as of today.

    `fit` is where FSRS's parameters come from; None are its own.
    """

    today: int
    days: int
    activity: Activity
    forecast: ReviewForecast
    retention: Retention
    topics: tuple[Topic, ...]
    calibration: tuple[ConfidenceBin, ...]
    estimates: PredictionErrors
    weak: tuple[WeakCard, ...]
    fit: Fit | None = None


@gc_paused()
def statistics(log: LearningLog, tags: Mapping[Key, Sequence[str]], today: int, days: int = DAYS) -> Statistics:
    """`tags` are those of every card that there is. A card that is gone counts as work done; it does not come back."""
    reviews = ReviewColumns.of(log.reviews)
    begun = min(reviews.days, default=0)
    days = max(min(days, today - begun + 1), 1)
    since = today - days + 1
    lately = reviews.chosen(since=since)
    errors = confident_errors(reviews)
    coming = {key: memory for key, memory in log.memories.items() if key in tags and key not in log.suspended}
    return Statistics(
        today=today,
        days=days,
        activity=activity(lately, today, days),
        forecast=forecast_reviews(effective_dues(coming, errors).values(), today, AHEAD),
        retention=retention(reviews, since, REPLAYED, log.parameters),
        topics=topics(tags, log.memories, today, log.parameters),
        calibration=calibration(lately),
        estimates=prediction_errors(lately, today),
        weak=weak_first(log.memories, errors, tags.keys() - log.suspended),
        fit=log.fit,
    )


@gc_paused()
def read_log(store: Progress) -> LearningLog:
    """The log of a store. Blocks on the disk; raises ProgressError."""
    decisions = store.decisions()
    return LearningLog(read_columns(store), store.memories(), decisions.suspended, decisions.fit)
