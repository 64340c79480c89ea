"""What an experiment suggests to try can be set, shows what its sentence says, and is worth the key."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import pytest
from rich.cells import cell_len

from engine.assemble import assemble
from engine.catalog import load, names
from engine.conditions import comparisons, holds
from engine.figures import Figure
from engine.label import Label, MissingExtra
from engine.parameter import Value
from engine.preset import Preset
from quiz.charts.figures.subject import named
from tests.engine.experiments.observed import SKIPPED, last

every = pytest.mark.parametrize("name", [name for name in names() if load(name).presets])

# What is to be seen there is that nothing has moved.
SAME = {("positions_rotary", "both 95 further")}
VISIBLE = 0.04  # of a picture's range: half a row where it is twelve rows high


@cache
def numbers_of(name: str, given: tuple[tuple[str, Value], ...]) -> dict[str, Any]:
    """What a run returned."""
    experiment = load(name)
    try:
        return dict(last(experiment.run(**experiment.accept(dict(given)))))
    except MissingExtra:
        pytest.skip(SKIPPED)


def seen(name: str, given: tuple[tuple[str, Value], ...]) -> dict[str, Any]:
    """All that may be compared: the parameters, and what the run returned."""
    return {**load(name).accept(dict(given)), **numbers_of(name, given)}


def at(name: str, preset: Preset) -> dict[str, Any]:
    return seen(name, tuple(preset.values.items()))


class TestPreset:
    def test_needs_a_condition(self) -> None:
        """A sentence that nothing proves is refused when the file is imported."""
        with pytest.raises(ValueError, match="needs a condition"):
            Preset(Label("wide", "宽"), {"d_k": 512}, Label("Look.", "看。"), "")


@pytest.mark.parametrize("name", names())
def test_says_what_it_shows_and_what_to_try(name: str) -> None:
    """A hero has its sentence, and an experiment settings worth trying."""
    experiment = load(name)

    assert experiment.presets
    assert experiment.figures[0].caption


@every
def test_there_are_two_or_three(name: str) -> None:
    """Each with other values, and with other words."""
    presets = load(name).presets

    assert len(presets) in (2, 3)
    assert len(presets) == len({tuple(preset.values.items()) for preset in presets})
    assert len(presets) == len({preset.name.en for preset in presets})


@every
def test_they_can_be_set(name: str) -> None:
    """Parameters of the experiment, values that they accept."""
    experiment = load(name)
    for preset in experiment.presets:
        accepted = experiment.accept(preset.values)

        assert dict(preset.values) == {parameter: accepted[parameter] for parameter in preset.values}


@every
def test_their_words_fit_a_row(name: str) -> None:
    """A name of some words, a sentence that ends."""
    for preset in load(name).presets:
        assert max(map(cell_len, (preset.name.en, preset.name.zh))) <= 24
        assert preset.watch.en.endswith((".", "?"))
        assert preset.watch.zh.endswith(("。", "？"))


@every
def test_they_show_what_they_say(name: str) -> None:
    """A condition names what there is and holds at the preset's values; at the defaults or at another preset it does not."""
    presets = load(name).presets
    for preset in presets:
        values, others = at(name, preset), [seen(name, ()), *(at(name, other) for other in presets if other is not preset)]

        assert [] == [left for left, _, _ in comparisons(preset.when) if left not in values]
        assert holds(preset.when, values), preset.when
        assert not all(holds(preset.when, other) for other in others), preset.when


@every
def test_what_is_to_be_seen_is_in_the_picture(name: str) -> None:
    """The figure that stands above a preset's sentence, the hero or the one that it shows, is another there than at the defaults."""
    experiment = load(name)
    for preset in experiment.presets:
        figure = next((one for one in experiment.figures if not preset.show or preset.show in one.shows[:1]), None)
        assert figure is not None, preset.show
        there, usual = (picture(name, figure, tuple(given.items())) for given in (preset.values, {}))

        assert moves(there, usual) >= VISIBLE or (name, preset.name.en) in SAME, preset.name.en


Picture = tuple[list[object], list[float], float, float]  # what is written, the numbers, where the slider's mark is, and at which height


def picture(name: str, figure: Figure, given: tuple[tuple[str, Value], ...]) -> Picture:
    """What a figure draws: its words, its numbers, its mark along the slider from 0 to 1, and the mark's height."""
    experiment = load(name)
    parameters = experiment.accept(dict(given))
    result = assemble(experiment.measures, numbers_of(name, given), parameters)
    matrices, curves, quantities = named(figure.shows, result.matrices), named(figure.shows, result.series), result.quantities
    written: list[object] = [(matrix.rows, matrix.columns) for matrix in matrices]
    written += [curve.x for curve in curves] + [table.rows for table in named(figure.shows, result.tables)]
    written += [result.steps] if figure.kind in ("steps", "blocks") else []
    cells = [cell for matrix in matrices for row in matrix.values for cell in row]
    numbers = [cell if math.isfinite(cell) else -1e9 for cell in cells] + [y for curve in curves for y in curve.y]
    numbers += [one.value for one in named(figure.shows, quantities) if figure.kind == "bars"]
    over = next((parameter for parameter in experiment.parameters if parameter.name == figure.over), None)
    at = over.tick_of(parameters[over.name]) / max(over.ticks, 1) if over else 0.0
    return written, numbers, at, next((one.value for one in result.quantities if one.name == figure.mark), 0.0)


def moves(there: Picture, usual: Picture) -> float:
    """By which part of the picture's range it differs; 1 where other words are written."""
    if there[0] != usual[0] or len(there[1]) != len(usual[1]):
        return 1.0
    known = [number for one in (there, usual) for number in (*one[1], one[3]) if number > -1e9]
    span = max(known) - min(known) or 1.0
    numbers = max((abs(a - b) for a, b in zip(there[1], usual[1], strict=True)), default=0.0) / span
    return max(numbers, abs(there[2] - usual[2]), abs(there[3] - usual[3]) / span)
