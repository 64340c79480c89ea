"""What is known of a person, and what they chose: the day's limits and the retention."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from quiz.memory.scheduler import Grade
from quiz.memory.study_day import Moment
from quiz.progress.progress import open_progress
from quiz.progress.reviews import Review
from quiz.settings.file import store
from quiz.study.learner import LearnerState, Limits
from tests.quiz.driving import NOON


def test_the_limits_are_those_of_the_settings(path: Path) -> None:
    """Read when a session is put together: what was chosen a moment ago counts."""
    with closing(open_progress(path)) as progress:
        first = LearnerState.of(progress).limits
        store("new", 3)
        store("reviews", 10)

        assert [Limits(20, None), Limits(3, 10)] == [first, LearnerState.of(progress).limits]


def test_another_retention_gives_other_days(path: Path) -> None:
    """All dates are computed anew, in a window that is open too; the old retention gives the old dates."""
    key = ("deck", "card")
    with closing(open_progress(path)) as progress:
        progress.record(Review.new(Moment.of(NOON), key, Grade.easy))
        before = LearnerState.of(progress).memories[key].due_day
        store("retention", 0.97)
        strict = LearnerState.of(progress)
        store("retention", None)
        after = LearnerState.of(progress).memories[key].due_day

    assert (True, before, 0.97) == (strict.memories[key].due_day < before, after, strict.decisions.parameters.retention)


@pytest.mark.parametrize("retention", [0.7, 0.97])
def test_the_next_start_has_it(path: Path, retention: float) -> None:
    """Memories of another retention are not taken for those of this one."""
    key = ("deck", "card")
    with closing(open_progress(path)) as progress:
        progress.record(Review.new(Moment.of(NOON), key, Grade.easy))
        before = progress.memory(key)
    store("retention", retention)
    with closing(open_progress(path)) as progress:
        after = progress.memory(key)

    assert before is not None
    assert after is not None
    assert (retention < 0.9) == (after.due_day > before.due_day)
