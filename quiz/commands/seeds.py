"""Claims that hold only by luck: a card's run once more with other seeds, and the seeds with which a claim is false."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from content.claims.evaluator import evaluate
from content.claims.parser import Expression
from engine import Description, Value, Worker
from quiz.verification import scope

SEED = "seed"
_NAMED = 8  # seeds in one sentence

Names = Mapping[str, object]


def others(description: Description, parameters: Mapping[str, Value], count: int) -> tuple[Value, ...]:
    """The first seeds beside the card's own, `count` with it; none where the experiment draws nothing."""
    parameter = description.parameter(SEED)
    if parameter is None:
        return ()
    seeds = (parameter.value_at(tick) for tick in range(parameter.ticks + 1))
    return tuple(islice((seed for seed in seeds if seed != parameters[SEED]), max(count - 1, 0)))


def runs(worker: Worker, experiment: str, parameters: Mapping[str, Value], seeds: tuple[Value, ...]) -> Iterator[tuple[Value, Names]]:
    """What a claim may name, for each seed. Raises ExperimentError."""
    for seed in seeds:
        moved = {**parameters, SEED: seed}
        yield seed, scope(moved, worker.submit(experiment, moved).result())


def luck(expression: Expression, tried: Mapping[Value, Names]) -> str:
    """A sentence where a claim that holds with the card's own seed is false with others; else nothing."""
    outcomes = {seed: evaluate(expression, names) for seed, names in tried.items()}
    unlucky = {seed: outcome for seed, outcome in outcomes.items() if not outcome.holds}
    if not unlucky:
        return ""
    first, outcome = next(iter(unlucky.items()))
    listed = ", ".join(map(str, islice(unlucky, _NAMED))) + (", ..." if len(unlucky) > _NAMED else "")
    counted = f"it is false with {len(unlucky)} of {len(tried) + 1} seeds ({listed})"
    return f"the claim holds only by luck: {counted}; with seed {first}: {outcome.told}"
