"""What an experiment suggests to try can be set, shows what its sentence says, and is worth the key."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from rich.cells import cell_len

from engine.catalog import load, names
from engine.conditions import comparisons, holds
from engine.label import Label, MissingExtra
from engine.parameter import Value
from engine.preset import Preset
from tests.engine.experiments.observed import SKIPPED, last

every = pytest.mark.parametrize("name", [name for name in names() if load(name).presets])

# Being rebuilt: a name leaves this list with its hero's caption and its presets.
OPEN = {
    "additive_vs_dot",
    "adam_warmup",
    "attention_sink",
    "batch_norm",
    "cross_entropy",
    "dropout",
    "feed_forward",
    "layer_norm",
    "masking_rule",
    "parameter_count",
    "perplexity",
    "positions_learned",
    "positions_relative",
    "pre_vs_post_norm",
    "recurrent_dilution",
    "sequential_vs_parallel",
    "span_corruption",
}


@cache
def seen(name: str, given: tuple[tuple[str, Value], ...]) -> dict[str, Any]:
    """All that may be compared: the parameters, and what the run returned."""
    experiment = load(name)
    parameters = experiment.accept(dict(given))
    try:
        return {**parameters, **last(experiment.run(**parameters))}
    except MissingExtra:
        pytest.skip(SKIPPED)


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

    assert name in OPEN or (experiment.presets and experiment.figures[0].caption)


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
