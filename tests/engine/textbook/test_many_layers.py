"""Many layers in one call, against each of them by itself."""

from __future__ import annotations

import pytest
import torch

from engine.experiments._multi_head_checks import MERGES, SPLITS
from engine.textbook.attention import causal_mask
from engine.textbook.many_layers import ManyLayers
from engine.textbook.multi_head_variants import Probe, head_similarity, random_layer, rewired, without_head


@pytest.mark.parametrize(("split", "merge"), [("right", "right"), ("view", "view"), ("right", "transpose")])
def test_means_are_those_of_single_layers(split: str, merge: str) -> None:
    """Leak, reach, error, change and similarity are means of what each layer gives alone."""
    right = random_layer(16, 4, 0)
    chosen, silent = rewired(right, SPLITS[split], MERGES[merge]), without_head(right, 2)
    many = ManyLayers.random(right, 5, 6, causal_mask(6, 6), torch.Generator().manual_seed(3))
    expected: dict[str, list[float]] = {name: [] for name in ("leak", "reach", "error", "change", "similarity")}
    for place in range(5):
        for layer in (right, chosen, silent):
            layer.load_state_dict({name: each[place] for name, each in many.weights.items()})
        probe = Probe(many.x[place, None], many.first_changed[place, None], many.last_changed[place, None], many.mask)
        output = probe.output(right)
        expected["leak"].append(probe.leak(chosen))
        expected["reach"].append(probe.reach(right))
        expected["error"].append(float((probe.output(chosen) - output).abs().max()))
        expected["change"].append(float((probe.output(silent) - output).norm() / output.norm()))
        expected["similarity"].append(head_similarity(probe.weights(right)[0]))

    actual = {
        "leak": many.leak(chosen),
        "reach": many.reach(),
        "error": many.error(chosen),
        "change": many.change(silent),
        "similarity": many.similarity(),
    }

    assert {name: pytest.approx(sum(values) / 5, abs=1e-12) for name, values in expected.items()} == actual


def test_a_single_head_is_like_itself() -> None:
    """There is no second head to compare it with."""
    many = ManyLayers.random(random_layer(8, 1, 0), 2, 4, None, torch.Generator().manual_seed(0))

    assert 1.0 == many.similarity()
