"""What holds for every experiment of the folder before it runs: names, ranges, sliders and figures."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from engine.assemble import COUNTER
from engine.catalog import load, names
from engine.experiment import Experiment
from engine.figures import Kind
from engine.measures import Curve, Grid, Measure, Rows, Scalar, Walk

every = pytest.mark.parametrize("name", names())

FITS: dict[str, tuple[type[Measure], ...]] = {
    "bars": (Grid, Scalar),
    "heatmap": (Grid,),
    "strip": (Grid,),
    "curve": (Curve,),
    "waves": (Grid,),
    "grid": (Grid,),
    "tree": (Rows,),
    "merges": (Rows,),
    "blocks": (Grid, Rows),
    "steps": (Grid,),
    "table": (Rows,),
}


def named(experiment: Experiment) -> dict[str, Measure]:
    return {measure.name: measure for measure in experiment.measures if not isinstance(measure, Walk)}


def shown(experiment: Experiment) -> list[str]:
    return [name for figure in experiment.figures for name in figure.shows]


def test_every_kind_of_figure() -> None:
    """The table above knows all kinds."""
    assert set(get_args(Kind)) == set(FITS)


@every
def test_names_are_used_once(name: str) -> None:
    """Measures and parameters share one scope of names."""
    experiment = load(name)
    used = [measure.name for measure in experiment.measures if not isinstance(measure, Walk)]

    assert len(used) == len(set(used))
    assert set() == set(used) & {parameter.name for parameter in experiment.parameters}


@every
def test_arms_are_declared(name: str) -> None:
    """Two quantities, the wrong way and the right way."""
    experiment = load(name)
    measures = [named(experiment)[arm] for arm in experiment.arms]

    assert [Scalar, Scalar] == [type(measure) for measure in measures]


@every
def test_figures_name_what_there_is(name: str) -> None:
    """Figures show measures, a marker moves with a parameter, and stands at a quantity."""
    experiment = load(name)
    known, sliders = named(experiment), {parameter.name for parameter in experiment.parameters if parameter.scale in ("linear", "log")}

    assert [] == [each for each in shown(experiment) if each not in known]
    assert {""} | sliders >= {figure.over for figure in experiment.figures}
    assert {Scalar} >= {type(known[figure.mark]) for figure in experiment.figures if figure.mark}


@every
def test_a_figure_fits_what_it_shows(name: str) -> None:
    """A curve draws series, a heatmap matrices, a table rows; only steps may be without anything, and nothing is mixed in bars."""
    known, figures = named(load(name)), load(name).figures
    drawn = [(figure.kind, {type(known[each]) for each in figure.shows}) for figure in figures]

    assert [] == [figure for figure, types in drawn if not types <= set(FITS[figure])]
    assert [] == [figure for figure, types in drawn if not types and figure != "steps"]
    assert [] == [types for figure, types in drawn if figure == "bars" and len(types) > 1]
    assert [] == [figure for figure in figures if figure.over and figure.kind != "curve"]


@every
def test_everything_that_can_be_drawn_is(name: str) -> None:
    """Every series, matrix and table stands in a figure, no figure twice; the first figure is the hero."""
    experiment = load(name)
    drawable = {measure.name for measure in experiment.measures if isinstance(measure, Curve | Grid | Rows)}

    assert experiment.figures
    assert set() == drawable - set(shown(experiment))
    assert len(experiment.figures) == len(set(experiment.figures))


@every
def test_a_walk_has_its_figure(name: str) -> None:
    """Where there are steps, one figure walks through them and lists the matrices that they make."""
    experiment = load(name)
    made = {step.matrix for step in experiment.measures if isinstance(step, Walk) and step.matrix}
    walks = [figure for figure in experiment.figures if figure.kind == "steps"]

    assert len(walks) == any(isinstance(measure, Walk) for measure in experiment.measures)
    for figure in walks:
        assert [] == [name for name in figure.shows if not any(belongs(each, name) for each in made)]
        assert [] == [each for each in made if not any(belongs(each, name) for name in figure.shows)]


def belongs(matrix: str, name: str) -> bool:
    """Whether a matrix has the name, or is one of the family that has it."""
    return re.fullmatch(COUNTER.sub(r"\\d+", name), matrix) is not None


@every
def test_ranges(name: str) -> None:
    """A range begins below its end, or is the one value that a number always has."""
    assert [] == [each.name for each in load(name).measures if isinstance(each, Scalar) and not each.within[0] <= each.within[1]]


@every
def test_every_tick_is_accepted(name: str) -> None:
    """What a slider shows, its own default among it, is a value that the experiment takes."""
    for parameter in load(name).parameters:
        for tick in range(parameter.ticks + 1):
            assert parameter.value_at(tick) == parameter.accept(parameter.value_at(tick))
        assert parameter.default == parameter.accept(parameter.default)
