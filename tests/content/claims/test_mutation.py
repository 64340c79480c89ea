"""The changes of a run's results that show that a claim can fail."""

from __future__ import annotations

import pytest

from content.claims.mutation import Mutation, killing_mutations, mutations
from content.claims.outcome import Outcome
from content.claims.parser import parse
from tests.content.claims.scope import SCOPE, decide

RESULTS = {"raw_std", "rate", "zero", "row", "weights"}


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("close(raw_std, sqrt(d_k), 0.05)", {"raw_std": "raw_std ×0"}),
        ("zero == 0", {"zero": "zero +1"}),
        ("abs(raw_std) > 10", {"raw_std": "raw_std ×0"}),
        ("rate == 30 and zero < 10", {"rate": "rate ×0", "zero": "None"}),
        ("max(row) - min(row) < 3", {"row": "row ×2"}),
        ("row[1] - row[0] <= 2", {"row": "row[1] ×2"}),
        ("row[0] <= rate / 20", {"row": "row ×2", "rate": "rate ×0"}),
    ],
)
def test_the_first_killing_change_is_named(text: str, first: dict[str, str]) -> None:
    """For each named result the check can say which change made the claim fail."""
    assert first == {name: str(trial) for name, trial in killing_mutations(parse(text), SCOPE, RESULTS).items()}


@pytest.mark.parametrize(
    "text",
    [
        "d_k == 512",
        "1 < 2",
        "rate < 1000",
        "zero < 10",
        "rate == rate",
        "rate - rate == 0",
        "rate / rate == 1",
        "len(row) == 3",
        "rate > 1000 or d_k == 512",
        "row[0] < 100",
    ],
)
def test_a_claim_that_survives_every_change_is_loose(text: str) -> None:
    """A claim that names no result, or that no change of one makes false, proves nothing; a division by zero is no proof."""
    assert decide(text).holds
    assert not any(trial.kills for trial in mutations(parse(text), SCOPE, RESULTS))


def test_single_elements_are_changed_where_the_claim_reads_them() -> None:
    """An element that a claim takes by its index is among the elements that are changed alone."""
    scope = {"long": tuple(float(i) for i in range(100))}

    places = {trial.place for trial in mutations(parse("long[7] < long[8]"), scope, {"long"})}

    assert {(), (7,), (8,), (0,), (50,), (99,)} == places
    assert any(trial.kills for trial in mutations(parse("long[7] < long[8]"), scope, {"long"}))


def test_an_undecided_trial_kills_nothing() -> None:
    """Only a claim that came out false was killed."""
    undecided, false = Outcome(False, (), "1 / x divides by zero"), Outcome(False)

    assert [False, True] == [Mutation("x", (), "×0", outcome).kills for outcome in (undecided, false)]


def test_changes_of_huge_numbers_do_not_raise() -> None:
    """A result that is too large to compute with is reported by the claim, not by the changes."""
    assert {"huge": None} == killing_mutations(parse("huge > 1"), SCOPE, {"huge"})
