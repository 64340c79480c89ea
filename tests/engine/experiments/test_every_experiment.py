"""What holds for every experiment of the folder, whoever wrote it."""

from __future__ import annotations

import importlib
import math
import pkgutil
import time
from collections.abc import Generator, Iterator
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import cast

import pytest
import torch

from engine import experiments
from engine.experiment import Experiment
from engine.label import Label, MissingExtra, TooLarge
from engine.parameter import Parameter, Value
from engine.result import Matrix, Progress, Result

torch.set_num_threads(1)  # as the engine's process does: on shared cores two threads are slower than one

LONGEST = 5.0  # seconds, for the ones that train; a slow machine has a longer deadline

NAMES = sorted(module.name for module in pkgutil.iter_modules(experiments.__path__))


def load(name: str) -> Experiment:
    return cast(Experiment, importlib.import_module(f"engine.experiments.{name}").EXPERIMENT)


def run(experiment: Experiment, **given: Value) -> Result:
    """The Result, also of an experiment that yields Progress on its way. Skips where an optional package is not installed."""
    try:
        outcome = experiment.run(**experiment.accept(given))
        return outcome if isinstance(outcome, Result) else last(outcome)
    except MissingExtra as missing:
        pytest.skip(str(missing))


@lru_cache
def usual(name: str) -> Result:
    """The Result at the defaults, run once for all tests that only look at it."""
    return run(load(name))


def briefly(experiment: Experiment, given: dict[str, Value]) -> dict[str, Value]:
    """A trained experiment's other parameters are tried with its fewest training steps."""
    steps = next((parameter for parameter in experiment.parameters if parameter.name == "steps"), None)
    return given if steps is None or "steps" in given else given | {"steps": steps.value_at(0)}


def last(steps: Generator[Progress, None, Result]) -> Result:
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return cast(Result, end.value)


def ends(parameter: Parameter) -> tuple[Value, ...]:
    """Every choice, or the lowest and the highest number."""
    if parameter.scale == "choice":
        return tuple(choice.value for choice in parameter.choices)
    if parameter.scale == "text":
        return (parameter.default,)
    return parameter.value_at(0), parameter.value_at(parameter.ticks)


SETTINGS = [(name, parameter.name, value) for name in NAMES for parameter in load(name).parameters for value in ends(parameter)]
every = pytest.mark.parametrize("name", NAMES)


def numbers(result: Result) -> Iterator[tuple[str, float]]:
    """Every number of a Result with the name of its figure; -inf in a matrix is a masked score, and fine."""
    yield from ((quantity.name, quantity.value) for quantity in result.quantities)
    yield from ((series.name, value) for series in result.series for value in (*series.x, *series.y))
    yield from ((matrix.name, cell) for matrix in result.matrices for row in matrix.values for cell in row if cell != -math.inf)
    yield from ((table.name, cell) for table in result.tables for row in table.rows for cell in row if isinstance(cell, int | float))


def parts(value: object) -> Iterator[object]:
    """Everything in a Result that is not a tuple or one of its dataclasses."""
    if is_dataclass(value):
        for field in fields(value):
            yield from parts(getattr(value, field.name))
    elif type(value) is tuple:
        for part in value:
            yield from parts(part)
    else:
        yield value


def figures(result: Result) -> list[tuple[str, Label]]:
    """The name and the label of everything that a Result shows."""
    groups = (result.quantities, result.series, result.matrices, result.tables)
    return [(each.name, each.label) for group in groups for each in group]


@pytest.mark.parametrize(("name", "parameter", "value"), SETTINGS)
def test_runs_at_both_ends_of_every_parameter(name: str, parameter: str, value: Value) -> None:
    """At an end of any slider a run is affordable and gives finite numbers, or a note says why not."""
    experiment = load(name)
    experiment.afford(experiment.accept({parameter: value}))

    result = run(experiment, **briefly(experiment, {parameter: value}))

    assert result.quantities
    assert result.notes or [] == [found for found in numbers(result) if not math.isfinite(found[1])]


@every
def test_same_parameters_give_the_same_result(name: str) -> None:
    """A run neither reads nor moves torch's global random state: equal parameters give an equal Result."""
    experiment = load(name)
    first = usual(name)
    torch.manual_seed(2)
    before = torch.random.get_rng_state()

    second = run(experiment)

    assert first == second
    assert torch.equal(before, torch.random.get_rng_state())


@every
def test_arms_differ(name: str) -> None:
    """The wrong way and the right way are quantities, and their numbers differ."""
    experiment = load(name)
    values = {quantity.name: quantity.value for quantity in usual(name).quantities}

    wrong, right = experiment.arms

    assert abs(values[wrong] - values[right]) > 1e-6


@every
def test_result_holds_plain_values(name: str) -> None:
    """A Result holds Python's own numbers and strings, no tensors."""
    assert {type(part) for part in parts(usual(name))} <= {int, float, str, bool, type(None)}


@every
def test_names_are_an_interface(name: str) -> None:
    """Quantities, series, matrices and parameters have distinct names that a claim can write."""
    experiment = load(name)
    result = usual(name)
    used = [name for name, _ in figures(result)] + [parameter.name for parameter in experiment.parameters]

    assert len(set(used)) == len(used)
    assert [] == [each for each in used if not each.isidentifier()]


@every
def test_speaks_both_languages(name: str) -> None:
    """Every label has an English and a Chinese text of one line, and the module's docstring states the claim."""
    experiment = load(name)
    labels = [experiment.title, experiment.summary, *(each.label for each in experiment.parameters)]
    labels += [choice.label for parameter in experiment.parameters for choice in parameter.choices]
    result = usual(name)
    labels += [label for _, label in figures(result)] + [step.label for step in result.steps]
    labels += [*(series.x_label for series in result.series), *result.notes]

    assert [] == [label for label in labels if not says_it(label)]
    assert (importlib.import_module(f"engine.experiments.{name}").__doc__ or "").strip()


def says_it(label: Label) -> bool:
    return all(text.strip() and "\n" not in text for text in (label.en, label.zh))


@every
def test_figures_fit_together(name: str) -> None:
    """Labels match the matrix, x matches y, a step names an existing matrix."""
    result = usual(name)
    shapes = {matrix.name: (len(matrix.values), {len(row) for row in matrix.values}) for matrix in result.matrices}

    assert {matrix.name: (len(matrix.rows), {len(matrix.columns)}) for matrix in result.matrices} == shapes
    assert [len(series.x) for series in result.series] == [len(series.y) for series in result.series]
    assert {step.matrix for step in result.steps if step.matrix} <= set(shapes)
    assert [] == [table.name for table in result.tables if any(len(row) != len(table.columns) for row in table.rows)]


@every
def test_a_product_is_the_product(name: str) -> None:
    """A matrix that says product_of=(A, B) is A times B times its factor, cell by cell."""
    result = usual(name)
    known = {matrix.name: torch.tensor(matrix.values, dtype=torch.float64) for matrix in result.matrices}

    for matrix in result.matrices:
        if matrix.product_of:
            assert multiplied(matrix, known).tolist() == [pytest.approx(row, abs=1e-9) for row in matrix.values]


def multiplied(matrix: Matrix, known: dict[str, torch.Tensor]) -> torch.Tensor:
    assert matrix.product_of is not None
    left, right = matrix.product_of
    return matrix.factor * (known[left] @ known[right])


@every
def test_the_cost_formula_refuses_what_is_too_large(name: str) -> None:
    """A billion times a slider's highest value is refused before anything is allocated, or costs nothing more."""
    experiment = load(name)
    for parameter in experiment.parameters:
        if parameter.scale in ("choice", "text") or parameter.high <= 0:
            continue
        highest = experiment.accept({parameter.name: parameter.high})
        beyond = highest | {parameter.name: int(parameter.high) * 10**9}
        if experiment.cost(**highest) != experiment.cost(**beyond):
            with pytest.raises(TooLarge):
                experiment.afford(beyond)


@every
def test_is_quick_enough(name: str) -> None:
    """A warm run at the defaults stays within the deadline, of processor time; it is printed (pytest -s) for those who compare."""
    experiment = load(name)
    usual(name)
    start = time.process_time()

    run(experiment)

    seconds = time.process_time() - start
    print(f"{name}: {1000 * seconds:.1f} ms warm at the defaults")
    assert seconds < min(experiment.deadline, LONGEST)
