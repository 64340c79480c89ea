"""Fits FSRS's parameters to a person's own reviews, and says how well parameters predict them. Computes for seconds; touches no file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fsrs_rs_python import FSRSItem, FSRSReview, filter_outlier

from quiz.memory.card_ids import Key
from quiz.memory.fsrs import DEFAULT, Parameters
from quiz.memory.scheduler import Grade

# Reviews from which the library learns. It fits all parameters from 64 on. But for 60 simulated learners, each with parameters of their
# own, a fit to 150..250 predicted what came later worse than the defaults did (log loss +0.002 on the average), one to 300..400 better
# (-0.004), and one to more than 1,000 the best (-0.008).
NEEDED = 300
LONGEST_HISTORY = 256  # reviews of a card; the library learns from no longer one


@dataclass(frozen=True)
class Accuracy:
    """How far predictions were from what happened, smaller is better: the mean of -log(probability of what happened), and the root mean
    square distance of predicted and real shares over groups of like reviews."""

    log_loss: float
    rmse_bins: float


def predictable_reviews(reviews: Iterable[tuple[Key, Grade, int]]) -> list[FSRSItem]:
    """Each review of a card last seen on an earlier study day, with the card's history, as scheduler.next_memory counts it.

    Reviews come in the log's order with the cards' current names.
    """
    histories: dict[Key, list[FSRSReview]] = {}
    last: dict[Key, tuple[int, Grade]] = {}
    found = []
    for key, grade, day in reviews:
        history = histories.setdefault(key, [])
        seen, before = last.get(key, (day, Grade.again))
        days = max(day - seen, 0)
        if days == 0 and before is not Grade.again and grade is not Grade.again:
            continue  # passed twice on a day: the second time moves nothing
        history.append(FSRSReview(int(grade), days))
        last[key] = (max(day, seen), grade)
        if days and len(history) <= LONGEST_HISTORY:
            found.append(FSRSItem(history))
    return found


def usable(items: Sequence[FSRSItem]) -> int:
    """From how many reviews the library learns: it leaves out the cards whose first grade and first wait hardly any other card has."""
    first = [item for item in items if item.long_term_review_cnt() == 1]
    later = [item for item in items if item.long_term_review_cnt() > 1]
    return sum(map(len, filter_outlier(first, later)))


def fitted(items: Sequence[FSRSItem]) -> Parameters:
    """The parameters that predict the reviews best, as the library finds them: the same for the same reviews. The defaults for too few."""
    return Parameters.rounded(DEFAULT.model.compute_parameters(items))


def accuracy(items: Sequence[FSRSItem], parameters: Parameters) -> Accuracy:
    """How well parameters predict the reviews, of which there is one at least."""
    found = parameters.model.evaluate(items)
    return Accuracy(found.log_loss, found.rmse_bins)
