"""First weights against torch.nn.init and torch's modules, and what twenty layers make of them."""

from __future__ import annotations

import math

import pytest
import torch
from torch import nn
from torch.nn.functional import linear

from engine.experiments.initialization import EXPERIMENT
from engine.textbook.initialization import bert, kaiming, score_std, signal_by_depth, torch_attention, torch_linear, xavier
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def test_rules_are_torchs() -> None:
    """Each rule is the spread that torch gives a matrix of 300 inputs and 500 outputs."""
    generator, empty = torch.Generator().manual_seed(0), torch.empty(500, 300)

    assert float(nn.init.kaiming_normal_(empty, nonlinearity="relu", generator=generator).std()) == pytest.approx(
        kaiming(300, 500), rel=0.01
    )
    assert float(nn.init.xavier_normal_(empty, generator=generator).std()) == pytest.approx(xavier(300, 500), rel=0.01)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        assert float(nn.Linear(300, 500).weight.detach().std()) == pytest.approx(torch_linear(300, 500), rel=0.01)
        attention = nn.MultiheadAttention(96, 4)
        assert float(attention.in_proj_weight.detach().std()) == pytest.approx(torch_attention(96, 96), rel=0.01)
    assert 0.02 == bert(300, 500)


@pytest.mark.parametrize("seed", range(5))
def test_twenty_relu_layers(seed: int) -> None:
    """After 20 ReLU layers of width 256 Kaiming's signal is there, Xavier's is at 7e-4, that of N(0, .02²) at 1e-13."""
    found = quantities(seed=seed)

    assert 0.4 < found["kaiming_std"] < 1.3
    assert 3e-4 < found["xavier_std"] < 1.5e-3
    assert 2e-14 < found["normal_std"] < 3e-13


def test_a_relu_layer_halves_the_power() -> None:
    """Xavier loses √2 per ReLU layer against Kaiming: 2^10 over 20 layers, in the same stack."""
    found = quantities()

    assert 2**10 == pytest.approx(found["kaiming_std"] / found["xavier_std"])


def test_signal_is_what_modules_do() -> None:
    """The spreads are those of a loop of linear layers and ReLUs with the scaled weights."""
    generator = torch.Generator().manual_seed(0)
    x, weights = torch.randn(6, 5, generator=generator), torch.randn(3, 5, 5, generator=generator)
    signal, expected = x, []
    for W in weights:
        signal = torch.relu(linear(signal, 0.5 * W.T))
        expected.append(float(signal.std()))

    assert expected == pytest.approx(signal_by_depth(x, weights, 0.5, torch.relu).tolist())


@pytest.mark.parametrize("seed", range(3))
def test_scores_at_the_first_step(seed: int) -> None:
    """At D = 768 scaled scores spread by .333 in nn.Linear, .50 in nn.MultiheadAttention, 1.0 with Xavier, .307 with 0.02: not always 1."""
    found = quantities(seed=seed)

    assert 0.333 == pytest.approx(found["linear_score_std"], abs=0.02)
    assert 0.50 == pytest.approx(found["attention_score_std"], abs=0.03)
    assert 1.0 == pytest.approx(found["xavier_score_std"], abs=0.05)
    assert 0.307 == pytest.approx(found["bert_score_std"], abs=0.02)
    assert found["bert_score_formula"] == pytest.approx(found["bert_score_std"], rel=0.05)


def test_scores_by_hand() -> None:
    """With two heads each score is the dot product of one half of a query with the same half of a key, over √2."""
    x = torch.tensor([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 2.0, 0.0], [0.0, 1.0, 0.0, 3.0]])
    W = torch.arange(16.0).view(4, 4)
    Q, K = x @ W, x @ W.T
    scores = [float(Q[i, h : h + 2] @ K[j, h : h + 2]) / math.sqrt(2) for h in (0, 2) for i in range(3) for j in range(3) if i != j]

    assert float(torch.tensor(scores).std()) == pytest.approx(score_std(x, W, W.T, 1.0, 2))
    assert 4 * score_std(x, W, W.T, 1.0, 2) == pytest.approx(score_std(x, W, W.T, 2.0, 2))


def test_without_an_activation_xavier_is_right() -> None:
    """Without ReLU it is Xavier that keeps the signal, and Kaiming that makes it explode; a note says so."""
    found = quantities(activation="none")

    assert 0.7 < found["xavier_std"] < 1.4
    assert 700 < found["kaiming_std"] < 1400
    assert run(activation="none").notes
    assert not run().notes


def test_curves_end_at_the_quantities() -> None:
    """Each curve has a point for every layer and ends at its quantity."""
    result = run(layers=7)
    found = {quantity.name: quantity.value for quantity in result.quantities}

    for series in result.series:
        assert 7 == len(series.y)
        assert math.log10(found[series.name.replace("over_layers", "std")]) == pytest.approx(series.y[-1])
