"""What is computed of a card's runs, and the names that they give."""

from __future__ import annotations

from typing import Any

import pytest

from content.deck.cards import Run, Text, Verification
from engine import Description, Label, Parameter, ParameterError, Quantity, Result, Series
from quiz.card.planned_run import PlannedRun, other_seeds, plan_runs, prefixed, scope_of_runs

LABEL = Label("x", "x")
DRAWS = Description("draws", "", LABEL, LABEL, (Parameter("n", LABEL, 4, 1, 64), Parameter("seed", LABEL, 0, 0, 3)), 3, ())
SURE = Description("sure", "", LABEL, LABEL, (Parameter("n", LABEL, 4, 1, 64),), 3, ())


def result(value: float) -> Result:
    return Result((Quantity("loss", value, LABEL),), series=(Series("curve", (0.0,), (value,), LABEL, LABEL),))


def plan(*descriptions: Description, language: str = "en", **runs: Run) -> list[tuple[str, dict[str, Any]]]:
    return [(one.name, dict(one.values)) for one in plan_runs(Verification(runs=runs), descriptions, language=language)]


def test_every_run_with_every_seed() -> None:
    """The own run comes first; a run over seeds has its own seed and then the first others."""
    planned = plan(SURE, DRAWS, short=Run("sure", {"n": "8"}), long=Run("draws", {"n": "16", "seed": "1"}, 3))

    assert [("short", {"n": 8}), *(("long", {"n": 16, "seed": seed}) for seed in (1, 0, 2))] == planned


def test_what_is_set_for_a_reader() -> None:
    run = Run("sure", {"n": Text({"en": "8", "zh": "16"})})

    assert [[("a", {"n": 8})], [("a", {"n": 16})]] == [plan(SURE, language=language, a=run) for language in ("en", "zh")]


def test_seeds_of_what_draws_nothing() -> None:
    """Twenty equal runs would look like certainty."""
    with pytest.raises(ParameterError, match="sure draws nothing"):
        plan(SURE, a=Run("sure", seeds=20))


def test_the_names_of_several_runs() -> None:
    """Those of the first stand alone and behind its name, those of the others behind theirs."""
    verify = Verification(runs={"short": Run("sure"), "long": Run("sure")})
    scope = scope_of_runs(verify, [("short", {"n": 8}, result(1.0)), ("long", {"n": 16}, result(2.0))])

    assert {
        "n": 8, "loss": 1.0, "curve": (1.0,), "short.n": 8, "short.loss": 1.0, "short.curve": (1.0,),
        "long.n": 16, "long.loss": 2.0, "long.curve": (2.0,),
    } == scope  # fmt: skip
    assert 2.0 == scope.get("long.loss / short.loss")


def test_the_names_over_seeds() -> None:
    """Each number is the median, beside its range; a curve stays that of the own seed."""
    verify = Verification("draws", seeds=3)
    scope = scope_of_runs(verify, [("", {"seed": seed}, result(value)) for seed, value in enumerate((5.0, 1.0, 2.0))])

    assert {"seed": 0, "loss": 2.0, "loss_low": 1.0, "loss_high": 5.0, "curve": (5.0,)} == scope


def test_what_stands_before_a_name() -> None:
    """Each run once, whatever its seeds."""
    own, again, other = PlannedRun("a", "sure", SURE, {}), PlannedRun("a", "sure", SURE, {"n": 1}), PlannedRun("b", "draws", DRAWS, {})

    assert [("", own), ("a.", own), ("b.", other)] == prefixed([own, again, other])
    assert [("", PlannedRun("", "sure", SURE, {}))] == prefixed([PlannedRun("", "sure", SURE, {})])


@pytest.mark.parametrize(("own", "count", "expected"), [(0, 3, (1, 2)), (1, 3, (0, 2)), (2, 1, ()), (0, 9, (1, 2, 3))])
def test_the_other_seeds(own: int, count: int, expected: tuple[int, ...]) -> None:
    """`count` seeds with the card's own, as far as the experiment has them."""
    assert expected == other_seeds(DRAWS, {"seed": own}, count)


def test_without_a_seed_nothing_is_repeated() -> None:
    """An experiment that draws nothing runs once."""
    assert () == other_seeds(SURE, {}, 20)
