"""ALiBi against Hugging Face's BLOOM and the closed form of a geometric window."""

from __future__ import annotations

import math

import pytest
import torch

from engine.experiments.positions_alibi import EXPERIMENT
from engine.textbook.relative_positions import alibi_bias, alibi_slopes
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


@pytest.mark.parametrize("heads", [1, 2, 3, 8, 12, 16])
def test_slopes_are_the_librarys(heads: int) -> None:
    """Up to a shift of each row, which softmax ignores, the biases are those of Hugging Face's BLOOM, also for 3 and 12 heads."""
    from transformers.models.bloom.modeling_bloom import build_alibi_tensor

    theirs = build_alibi_tensor(torch.ones(1, 5), heads, torch.float64)[:, 0]  # (h, S): slope times position
    ours = alibi_bias(heads, 5, 5)[:, -1]

    assert torch.allclose(theirs - theirs[:, -1:], ours, atol=1e-6)


def test_slopes_of_eight_heads() -> None:
    """Eight heads have 1/2, 1/4 ... 1/256."""
    assert [2.0**-i for i in range(1, 9)] == alibi_slopes(8).tolist()
    found = quantities()
    assert (1 / 2, 1 / 8, 1 / 256) == (found["first_slope"], found["slope"], found["last_slope"])


def test_bias_is_lined_up_with_the_last_key() -> None:
    """With fewer queries than keys (decoding) the last query's own key gets 0 and earlier ones a slope less each."""
    assert [[-0.75, -0.5, -0.25, -0.0, 0.25], [-1.0, -0.75, -0.5, -0.25, -0.0]] == alibi_bias(4, 2, 5)[0].tolist()


@pytest.mark.parametrize("head", [1, 3])
def test_window_of_equal_scores(head: int) -> None:
    """On equal scores the weights are geometric: with r = e^-slope the entropy of (1 - r) r^k is known."""
    r = math.exp(-(2.0**-head))
    nats = -math.log(1 - r) - r * math.log(r) / (1 - r)

    assert math.exp(nats) == pytest.approx(quantities(sigma=0.0, head=head, length=1024)["alibi_window"], rel=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_window_does_not_grow(seed: int) -> None:
    """In a text twice as long a head uses as many tokens as before; without positions it uses twice as many."""
    found = quantities(seed=seed)

    assert 2.0 == pytest.approx(found["plain_growth"], abs=0.15)
    assert 1.0 == pytest.approx(found["alibi_growth"], abs=1e-6)
    assert found["alibi_window"] < 40 < 100 < found["plain_window"]


def test_later_heads_look_further() -> None:
    """The window widens from head to head."""
    windows = [quantities(head=head)["alibi_window"] for head in range(1, 9)]

    assert sorted(windows) == windows


def test_weight_halves() -> None:
    """At the half distance a weight has halved: half_distance · slope = ln 2."""
    found = quantities(head=5)

    assert math.log(2) == pytest.approx(found["half_distance"] * found["slope"])
    assert 0.0 == found["shift_change"]


def test_weights_are_those_of_biased_scores() -> None:
    """Where the plain weights are p, the biased ones are proportional to p·e^bias, and later keys get 0."""
    bias, alibi, plain = (torch.tensor(matrix.values, dtype=torch.float64) for matrix in run().matrices)
    expected = plain * bias.exp()

    assert torch.allclose(expected / expected.sum(-1, keepdim=True), alibi, atol=1e-12)
    assert 0.0 == float(alibi.triu(1).max())
