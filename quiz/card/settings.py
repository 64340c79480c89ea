"""Other settings of a card's experiment: what is the same at all of them says nothing about any.

A claim that fails at the first one is proved to say something: the further ones are run only for claims that have not failed yet.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from engine import Description, ExperimentError, Recipe, Value
from engine.experiment import DEADLINE
from quiz.card.card_run import CardRun
from quiz.card.planned_run import SEED, PlannedRun, claim_scope, prefixed
from quiz.card.shared_runs import Computing

Names = Mapping[str, object]

SETTINGS = 10
OF_SLOW_ONES = 5  # of an experiment that may take longer than others
SEEDS = 5  # among the first, of which what trains has models already: that others hold is tried by itself


class OtherSettings:
    """Runs at random settings, made when they are asked for, and once for each experiment: the cards of a deck share them. Thread-safe."""

    def __init__(self, worker: Computing) -> None:
        self._worker = worker
        self._made: dict[tuple[str | Recipe, int], Names] = {}

    def at_defaults(self, card_run: CardRun) -> Names:
        """What runs with the experiments' own parameters give; nothing where one fails."""
        parts = [(prefix, self._at_defaults(one)) for prefix, one in _runs_of(card_run)]
        names = _together(parts) if all(names for _, names in parts) else {}
        return {name + end: value for end in ("_low", "_high", "") for name, value in names.items()}  # one run stands for its seeds

    def of(self, card_run: CardRun, most: int = SETTINGS) -> tuple[Names, ...]:
        """What runs at other settings give a claim to name, each of several at another one; what is refused or fails is left out."""
        parts = [(prefix, self._at_random(one, most)) for prefix, one in _runs_of(card_run)]
        count = min(len(made) for _, made in parts)
        own = parts[0][1]
        turned = [(prefix, [made[(place + turn) % len(made)] for place in range(count)]) for turn, (prefix, made) in enumerate(parts[1:])]
        columns = [("", own), *turned]
        return tuple(_together([(prefix, made[place]) for prefix, made in columns]) for place in range(count))

    def _at_defaults(self, one: PlannedRun) -> Names:
        return self._run(one.experiment, -1, default_settings(one.description))

    def _at_random(self, one: PlannedRun, most: int) -> list[Names]:
        runs = (self._run(one.experiment, place, given) for place, given in enumerate(random_settings(one.description)))
        return list(islice(filter(None, runs), most))

    def _run(self, experiment: str | Recipe, place: int, parameters: dict[str, Value]) -> Names:
        """What a run gives a claim to name; nothing where it is refused or fails."""
        if (experiment, place) not in self._made:
            try:
                names: Names = claim_scope(parameters, self._worker.submit(experiment, parameters).result())
            except ExperimentError:
                names = {}
            self._made[experiment, place] = names
        return self._made[experiment, place]


def _runs_of(card_run: CardRun) -> list[tuple[str, PlannedRun]]:
    return prefixed(one for one, _ in card_run.drawn)


def _together(parts: Iterable[tuple[str, Names]]) -> Names:
    """The names of several runs."""
    return {prefix + name: value for prefix, names in parts for name, value in names.items()}


def default_settings(description: Description) -> dict[str, Value]:
    return {parameter.name: parameter.default for parameter in description.parameters}


def random_settings(description: Description) -> Iterator[dict[str, Value]]:
    """Every slider at a random tick; the same settings each time."""
    chance = random.Random(description.name)
    for _ in range(SETTINGS if description.deadline <= DEADLINE else OF_SLOW_ONES):
        ticks = {parameter: chance.randint(0, parameter.ticks) for parameter in description.parameters}
        yield {one.name: one.value_at(tick % SEEDS if one.name == SEED else tick) for one, tick in ticks.items()}
