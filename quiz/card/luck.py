"""Seeds: what holds with the card's own draw must hold with others, and a number that is quoted must be a typical one."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping
from itertools import islice

from content.claims.evaluator import evaluate
from content.claims.parser import Expression
from content.deck.cards import Tolerance
from content.text.numbers import significant
from engine import Value
from quiz.card.card_run import CardRun
from quiz.card.planned_run import SEED, other_seeds, scope_of_runs
from quiz.card.shared_runs import Computing
from quiz.words.problems import say

Names = Mapping[str, object]
Seeded = Mapping[Value, Names]  # by seed: what a claim may name

MOST = 0.9  # of the seeds must be near what is quoted
SPREAD = Tolerance("20%")  # near, for a number that has no tolerance of its own
NOISE = 1e-6  # what is smaller is a rounding error, and quoted as one
_NAMED = 8  # seeds in one sentence


def runs_with_seeds(worker: Computing, card_run: CardRun, count: int) -> Iterator[tuple[Value, Names]]:
    """What a claim may name, with each of `count` seeds but the card's own; a run over several seeds stays what it is.

    Raises ExperimentError.
    """
    verify = card_run.card.verify
    assert verify is not None
    drawn = card_run.drawn
    seeds = [other_seeds(one.description, one.values, count if verify.every_run[one.name].seeds == 1 else 1) for one, _ in drawn]
    for place in range(max(map(len, seeds))):
        moved = [({**one.values, SEED: own[place]} if place < len(own) else one.values) for (one, _), own in zip(drawn, seeds, strict=True)]
        results = [
            worker.submit(one.experiment, values).result() if values is not one.values else result
            for (one, result), values in zip(drawn, moved, strict=True)
        ]
        computed = [(one.name, values, result) for (one, _), values, result in zip(drawn, moved, results, strict=True)]
        yield next(own[place] for own in seeds if place < len(own)), scope_of_runs(verify, computed)


def lucky_sentence(expression: Expression, tried: Seeded) -> str:
    """A sentence where a claim that holds with the card's own seed is false with others; else nothing."""
    outcomes = {seed: evaluate(expression, names) for seed, names in tried.items()}
    unlucky = {seed: outcome for seed, outcome in outcomes.items() if not outcome.holds}
    if not unlucky:
        return ""
    first, outcome = next(iter(unlucky.items()))
    listed = [*map(str, islice(unlucky, _NAMED)), *(["..."] if len(unlucky) > _NAMED else [])]
    counted = say("it is false with {count} of {all} seeds ({seeds})", count=len(unlucky), all=len(tried) + 1, seeds=listed)
    return say("the claim holds only by luck: {counted}; with seed {first}: {reason}", counted=counted, first=first, reason=outcome.told)


def untypical_sentence(name: str, own: object, tried: Seeded, within: Tolerance = SPREAD) -> str:
    """A sentence where a number that is asked for or quoted is far from what most seeds give; else nothing."""
    others = [value for names in tried.values() if isinstance(value := names.get(name), int | float)]
    if not isinstance(own, int | float) or not others or max(map(abs, (own, *others))) < NOISE:
        return ""
    near = [value for value in others if within.covers(own, value)]
    if len(near) >= MOST * len(others):
        return ""
    median = significant(statistics.median([own, *others]))
    return say(
        "{name} is {value} with the card's own seed, and with {count} of {others} others it is further off than {within}; "
        "the median is {median}",
        name=name,
        value=significant(own),
        count=len(others) - len(near),
        others=len(others),
        within=within.root,
        median=median,
    )
