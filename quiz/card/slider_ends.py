"""Whether a deck's own computations survive their sliders: each is tried at both ends and one tick beside where it stands at first.

The ends are run, since `log` and `/` go wrong with numbers; beside the default shapes are enough. Between ticks any number can be typed:
a whole slider without a step of its own is tried at the next whole number. What random settings of all sliders show is quiz.card.settings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from content.deck.cards import Computation
from content.deck.library import Draft, LoadedDeck
from content.yaml.problems import Problem
from engine import ComputeError, Description, ExperimentError, Parameter, Recipe, Value
from engine.errors import DeadlineExceeded
from quiz.card.planned_run import SEED
from quiz.card.recipes import recipe, step_place
from quiz.card.settings import default_settings
from quiz.card.shared_runs import Computing
from quiz.words.problems import reason, say

Try = Callable[[Recipe, Mapping[str, Value]], object]  # raises ExperimentError


def slider_problems(
    loaded: LoadedDeck | Draft, described: Mapping[str, Description], worker: Computing, *, runs: bool
) -> Iterator[Problem]:
    """The lines that fail where a slider can go; a line once for each slider. Without `runs` by their shapes alone, where it moves any."""

    def run(asked: Recipe, values: Mapping[str, Value]) -> object:
        return worker.submit(asked, values).result()

    def walk(asked: Recipe, values: Mapping[str, Value]) -> object:
        moved = tuple(replace(one, default=values[one.name]) for one in asked.parameters)
        return worker.describe(replace(asked, parameters=moved)).result()

    for name, description in described.items():
        computation = loaded.computations[name]
        yield from _of_one(loaded, name, computation, description, run if runs else walk, walk)


def _of_one(
    loaded: LoadedDeck | Draft, name: str, computation: Computation, description: Description, at_ends: Try, beside: Try
) -> Iterator[Problem]:
    asked, defaults = recipe(name, computation), default_settings(description)
    if found := _failure(asked, defaults, at_ends):
        yield _problem(loaded, name, computation, found, {})
        return
    for parameter in description.parameters:
        said = set[tuple[str, tuple[int, int]]]()
        for value, attempt in _tried(parameter, computation, at_ends, beside):
            if attempt is beside and parameter.name not in description.sizing:
                continue  # every shape is what it is at the default
            if found := _failure(asked, {**defaults, parameter.name: value}, attempt):
                where = (found.step, found.place) if isinstance(found, ComputeError) else ("", (0, 0))
                if where not in said:
                    yield _problem(loaded, name, computation, found, {parameter.name: value})
                said.add(where)


def _tried(parameter: Parameter, computation: Computation, at_ends: Try, beside: Try) -> Iterator[tuple[Value, Try]]:
    """Where a slider is put; not where it stands anyway. Seeds have no ends that matter."""
    if parameter.name == SEED or parameter.scale not in ("linear", "log"):
        return
    tick = parameter.tick_of(parameter.default)
    near = [parameter.value_at(each) for each in (tick - 1, tick + 1) if 0 < each < parameter.ticks][-1:]
    if isinstance(parameter.default, int) and not computation.parameters[parameter.name].step and parameter.default < parameter.high:
        near.append(parameter.default + 1)
    for value in dict.fromkeys((parameter.value_at(0), parameter.value_at(parameter.ticks))):
        if value != parameter.default:
            yield value, at_ends
    for value in dict.fromkeys(near):
        yield value, beside


def _failure(asked: Recipe, values: Mapping[str, Value], attempt: Try) -> ExperimentError | None:
    try:
        attempt(asked, values)
    except DeadlineExceeded:
        return None  # on this machine, now: what is too much anywhere is refused by its size
    except ExperimentError as error:
        return error
    return None


def _problem(
    loaded: LoadedDeck | Draft, name: str, computation: Computation, error: ExperimentError, moved: Mapping[str, Value]
) -> Problem:
    """At the line, with the setting."""
    told = reason(error)
    if not moved:
        hint = say("it fails at the defaults already")
    else:
        parameter, value = next(iter(moved.items()))
        told = say("with {name} = {value}: {reason}", name=parameter, value=value if isinstance(value, int) else f"{value:g}", reason=told)
        hint = say("end the slider {name} before that, or write the line so that it holds there, too", name=parameter)
    if isinstance(error, ComputeError):
        return loaded.problem_in(step_place(name, computation, error.step), error.place[0], told, hint)
    return loaded.problem(("experiments", name), told, hint)
