"""Seeds: what holds with the card's own draw must hold with others, and a number that is quoted must be a typical one."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from content.claims.evaluator import evaluate
from content.claims.parser import Expression
from content.deck.cards import Tolerance
from content.text.numbers import significant
from engine import Description, Recipe, Value, Worker
from quiz.card.card_run import claim_scope

Names = Mapping[str, object]
Seeded = Mapping[Value, Names]  # by seed: what a claim may name

SEED = "seed"
MOST = 0.9  # of the seeds must be near what is quoted
SPREAD = Tolerance("20%")  # near, for a number that has no tolerance of its own
NOISE = 1e-6  # what is smaller is a rounding error, and quoted as one
_NAMED = 8  # seeds in one sentence


def other_seeds(description: Description, parameters: Mapping[str, Value], count: int) -> tuple[Value, ...]:
    """The first seeds beside the card's own, `count` with it; none where the experiment draws nothing."""
    parameter = description.parameter(SEED)
    if parameter is None:
        return ()
    seeds = (parameter.value_at(tick) for tick in range(parameter.ticks + 1))
    return tuple(islice((seed for seed in seeds if seed != parameters[SEED]), max(count - 1, 0)))


def runs_with_seeds(
    worker: Worker, experiment: str | Recipe, parameters: Mapping[str, Value], seeds: Sequence[Value]
) -> Iterator[tuple[Value, Names]]:
    """What a claim may name, for each seed. Raises ExperimentError."""
    for seed in seeds:
        moved = {**parameters, SEED: seed}
        yield seed, claim_scope(moved, worker.submit(experiment, moved).result())


def lucky_sentence(expression: Expression, tried: Seeded) -> str:
    """A sentence where a claim that holds with the card's own seed is false with others; else nothing."""
    outcomes = {seed: evaluate(expression, names) for seed, names in tried.items()}
    unlucky = {seed: outcome for seed, outcome in outcomes.items() if not outcome.holds}
    if not unlucky:
        return ""
    first, outcome = next(iter(unlucky.items()))
    listed = ", ".join(map(str, islice(unlucky, _NAMED))) + (", ..." if len(unlucky) > _NAMED else "")
    counted = f"it is false with {len(unlucky)} of {len(tried) + 1} seeds ({listed})"
    return f"the claim holds only by luck: {counted}; with seed {first}: {outcome.told}"


def untypical_sentence(name: str, own: object, tried: Seeded, within: Tolerance = SPREAD) -> str:
    """A sentence where a number that is asked for or quoted is far from what most seeds give; else nothing."""
    others = [value for names in tried.values() if isinstance(value := names.get(name), int | float)]
    if not isinstance(own, int | float) or not others or max(map(abs, (own, *others))) < NOISE:
        return ""
    near = [value for value in others if within.covers(own, value)]
    if len(near) >= MOST * len(others):
        return ""
    median = significant(statistics.median([own, *others]))
    return (
        f"{name} is {significant(own)} with the card's own seed, and with {len(others) - len(near)} of {len(others)} others it is "
        f"further off than {within.root}; the median is {median}"
    )
