"""A card's runs, ready to be computed: each with every parameter, and once for each of its seeds; and the names that they give."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from content.claims.scope import Scope
from engine.label import ParameterError

if TYPE_CHECKING:
    from content.deck.cards import Run, Verification
    from engine import Description, Recipe, Result, Value

SEED = "seed"


@dataclass(frozen=True)
class PlannedRun:
    """One computation: of the run that the card calls `name`, with these values."""

    name: str
    experiment: str | Recipe
    description: Description
    values: Mapping[str, Value]


def asked_experiment(run: Run) -> str | Recipe:
    """What a run is asked of: an experiment of the program's by its name, or the deck's own."""
    if run.computation is None:
        return run.experiment
    from quiz.card.recipes import recipe  # most cards compute nothing of their own

    return recipe(run.experiment, run.computation)


def accepted(given: Mapping[str, str], description: Description) -> dict[str, Value]:
    """Every parameter: what is given, checked, and the experiment's defaults. Raises ParameterError."""
    known = {parameter.name: parameter for parameter in description.parameters}
    for name in given:
        if name not in known:
            raise ParameterError(
                f"{description.name} has no parameter {name}; it has {', '.join(known)}.",
                f"{description.name} 没有参数 {name}；可用的有 {'、'.join(known)}。",
            )
    values = {name: parameter.accept(given.get(name, parameter.default)) for name, parameter in known.items()}
    for rule in description.rules:
        rule.check(values)
    return values


def run_parameters(given: Mapping[str, str], description: Description, beside: Path | None = None) -> dict[str, Value]:
    """The same for a run of a deck whose file is in the folder `beside`: a model is looked for nowhere else.

    Blocks where there is a large one.
    """
    values = accepted(given, description)
    for parameter in description.parameters:
        if parameter.names_model and parameter.name in given:
            from quiz.card.allowed_models import model_of_deck

            values[parameter.name] = model_of_deck(given[parameter.name], beside)
    return values


def plan_runs(
    verify: Verification, descriptions: Sequence[Description], beside: Path | None = None, language: str = "en"
) -> tuple[PlannedRun, ...]:
    """All that is to be computed, the card's own run first. The descriptions are those of its runs, in order. Raises ParameterError."""
    plan: list[PlannedRun] = []
    for (name, run), description in zip(verify.every_run.items(), descriptions, strict=True):
        values = run_parameters(run.settings(language), description, beside)
        draws = [values, *({**values, SEED: seed} for seed in _seeds(run, description, values))]
        experiment = asked_experiment(run)
        plan += [PlannedRun(name, experiment, description, draw) for draw in draws]
    return tuple(plan)


def _seeds(run: Run, description: Description, values: Mapping[str, Value]) -> tuple[Value, ...]:
    if run.seeds > 1 and description.parameter(SEED) is None:
        raise ParameterError(f"{description.name} draws nothing: it has no seed.", f"{description.name} 不含随机性：没有 seed 参数。")
    return other_seeds(description, values, run.seeds)


def other_seeds(description: Description, values: Mapping[str, Value], count: int) -> tuple[Value, ...]:
    """The first seeds beside the run's own, `count` with it; none where the experiment draws nothing."""
    parameter = description.parameter(SEED)
    if parameter is None:
        return ()
    seeds = (parameter.value_at(tick) for tick in range(parameter.ticks + 1))
    return tuple(islice((seed for seed in seeds if seed != values[SEED]), max(count - 1, 0)))


def claim_scope(parameters: Mapping[str, Value], result: Result) -> Scope:
    """The names that claims and live numbers may use of one computation."""
    return Scope({**parameters, **result.scope()})


def scope_of_runs(verify: Verification, computed: Iterable[tuple[str, Mapping[str, Value], Result]]) -> Scope:
    """The names of all runs, by what was computed of each: the own run's names alone, those of every named run behind its name."""
    drawn: dict[str, list[tuple[Mapping[str, Value], Result]]] = {}
    for name, values, result in computed:
        drawn.setdefault(name, []).append((values, result))
    found = Scope()
    for place, (name, draws) in enumerate(drawn.items()):
        scope = {**claim_scope(*draws[0]), **(_over_seeds([result for _, result in draws]) if verify.every_run[name].seeds > 1 else {})}
        if place == 0:
            found.update(scope)
        if name:
            found.update({f"{name}.{inner}": value for inner, value in scope.items()})
    return found


def _over_seeds(results: Sequence[Result]) -> dict[str, float]:
    """The median of each number, and its range."""
    import statistics  # few cards have several seeds

    found: dict[str, float] = {}
    for quantity in results[0].quantities:
        values = [one.value for result in results for one in result.quantities if one.name == quantity.name]
        found |= {quantity.name: statistics.median(values), f"{quantity.name}_low": min(values), f"{quantity.name}_high": max(values)}
    return found


def prefixed(plan: Iterable[PlannedRun]) -> list[tuple[str, PlannedRun]]:
    """What stands before the names of each run: nothing before the own run's, and before every named run's its name."""
    first = {one.name: one for one in reversed(list(plan))}
    runs = list(reversed(first.values()))
    return [("", runs[0]), *((f"{one.name}.", one) for one in runs if one.name)]
