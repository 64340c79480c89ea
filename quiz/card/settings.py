"""Other settings of a card's experiment: what is the same at all of them says nothing about any."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping

from engine import Description, ExperimentError, Recipe, Value, Worker
from engine.experiment import DEADLINE
from quiz.card.card_run import claim_scope

Names = Mapping[str, object]

SETTINGS = 10
OF_SLOW_ONES = 5  # of an experiment that may take longer than others


class OtherSettings:
    """Runs at random settings, made once for each experiment: the cards of a deck share them."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._made: dict[str | Recipe, tuple[Names, ...]] = {}
        self._defaults: dict[str | Recipe, Names] = {}

    def at_defaults(self, experiment: str | Recipe, description: Description) -> Names:
        """What a run with the experiment's own parameters gives; nothing where it fails."""
        if experiment not in self._defaults:
            self._defaults[experiment] = next(self._runs(experiment, [default_settings(description)]), {})
        return self._defaults[experiment]

    def of(self, experiment: str | Recipe, description: Description) -> tuple[Names, ...]:
        """What runs at other settings give a claim to name; a setting that is refused or fails is left out."""
        if experiment not in self._made:
            self._made[experiment] = tuple(self._runs(experiment, random_settings(description)))
        return self._made[experiment]

    def _runs(self, experiment: str | Recipe, settings: Iterable[dict[str, Value]]) -> Iterator[Names]:
        for parameters in settings:
            try:
                yield claim_scope(parameters, self._worker.submit(experiment, parameters).result())
            except ExperimentError:
                continue


def default_settings(description: Description) -> dict[str, Value]:
    return {parameter.name: parameter.default for parameter in description.parameters}


def random_settings(description: Description) -> Iterator[dict[str, Value]]:
    """Every slider at a random tick; the same settings each time."""
    chance = random.Random(description.name)
    for _ in range(SETTINGS if description.deadline <= DEADLINE else OF_SLOW_ONES):
        yield {parameter.name: parameter.value_at(chance.randint(0, parameter.ticks)) for parameter in description.parameters}
