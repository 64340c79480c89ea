"""Recurrent steps against torch's own, and how far news travels."""

from __future__ import annotations

import math
from functools import partial

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.testing import assert_close

from engine.experiments.recurrent_dilution import DISTANCES, EXPERIMENT
from engine.textbook.recurrent import Recurrent, last_attends, lstm, random_recurrent, rnn, sensitivity
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)

TOKENS = torch.randn(2, 5, 4, generator=torch.Generator().manual_seed(0), dtype=torch.float64)


def some(gates: int) -> Recurrent:
    generator = torch.Generator().manual_seed(1)
    weights = random_recurrent(4, gates, 1.3, generator)
    return Recurrent(weights.W_x, weights.W_h, torch.randn(4 * gates, generator=generator, dtype=torch.float64))


def torchs(module: nn.RNNBase, weights: Recurrent) -> Tensor:
    """The last state of torch's module with the same weights; it has a second bias, which is 0 here."""
    with torch.no_grad():
        for name, value in (("ih", weights.W_x.T), ("hh", weights.W_h.T)):
            getattr(module, f"weight_{name}_l0").copy_(value)
        module.bias_ih_l0.copy_(weights.bias)  # type: ignore[operator]
        module.bias_hh_l0.zero_()  # type: ignore[operator]
        return torch.as_tensor(module(TOKENS)[0][:, -1])


def test_rnn_is_torchs() -> None:
    """Our RNN gives the last state of nn.RNN with the same weights."""
    assert_close(torchs(nn.RNN(4, 4, batch_first=True, dtype=torch.float64), some(1)), rnn(some(1), TOKENS))


def test_lstm_is_torchs() -> None:
    """Our LSTM gives the last state of nn.LSTM with the same weights, its gates in the same order."""
    assert_close(torchs(nn.LSTM(4, 4, batch_first=True, dtype=torch.float64), some(4)), lstm(some(4), TOKENS))


def test_the_last_token_attends_as_in_torch() -> None:
    """last_attends is the last row of torch's attention over the whole sequence, with three different projections."""
    W_Q, W_K, W_V = torch.randn(3, 4, 4, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    theirs = functional.scaled_dot_product_attention(TOKENS @ W_Q, TOKENS @ W_K, TOKENS @ W_V)[:, -1]

    assert_close(theirs, last_attends(W_Q, W_K, W_V, TOKENS))


@pytest.mark.parametrize(
    "layer", [partial(rnn, some(1)), partial(lstm, some(4)), partial(last_attends, *torch.eye(4).double().expand(3, 4, 4))]
)
def test_sensitivity_is_the_jacobians_norm(layer: partial[Tensor]) -> None:
    """One backward pass gives the norms of all Jacobians, as torch's own jacobian does one by one."""
    found = sensitivity(layer, TOKENS)

    for index, sentence in enumerate(TOKENS):
        full = torch.autograd.functional.jacobian(layer, sentence[None])  # type: ignore[no-untyped-call]  # (1, D, 1, T, D)
        assert_close(torch.linalg.matrix_norm(full[0, :, 0].transpose(0, 1)), found[index])


def test_an_rnns_jacobian_is_a_product() -> None:
    """∂h_T/∂x_1 of an RNN is diag(1-h²)·W_h multiplied once for every step: a second way to the same norm."""
    weights, state = some(1), torch.zeros(4, dtype=torch.float64)
    jacobian = torch.eye(4, dtype=torch.float64)
    for step, token in enumerate(TOKENS[0]):
        state = torch.tanh(token @ weights.W_x + state @ weights.W_h + weights.bias)
        jacobian = (jacobian @ (weights.W_h if step else weights.W_x)) * (1 - state**2)

    assert float(jacobian.norm()) == pytest.approx(float(sensitivity(partial(rnn, weights), TOKENS[:1])[0, 0]))


@pytest.mark.parametrize("seed", range(5))
def test_only_recurrence_fades_geometrically(seed: int) -> None:
    """Over 40 tokens almost nothing is left in an RNN, more in an LSTM; attention keeps a share that no step multiplies."""
    found = quantities(seed=seed)

    assert found["rnn_gradient"] < 1e-3 < 1e-2 < found["attention_gradient"]
    assert found["rnn_kept_per_step"] < 0.8 < 0.95 < found["attention_kept_per_step"]
    assert (40, 1) == (found["rnn_path"], found["attention_path"])


def test_an_open_forget_gate_keeps_the_news() -> None:
    """With a bias of 6 the forget gate is open and the LSTM's gradient hardly fades; with -2 it does at once."""
    opened, shut = quantities(forget_bias=6.0), quantities(forget_bias=-2.0)

    assert opened["lstm_kept_per_step"] > 0.97
    assert shut["lstm_gradient"] < 1e-9 < 1e-2 < opened["lstm_gradient"]


def test_the_gain_makes_it_vanish_faster() -> None:
    """A smaller W_h leaves less at every step."""
    assert quantities(gain=0.5)["rnn_kept_per_step"] < 0.8 * quantities()["rnn_kept_per_step"]


@pytest.mark.parametrize("distance", [1, 20, 100])
def test_curves_pass_through_the_quantities(distance: int) -> None:
    """Each curve at the chosen distance is the logarithm of the quantity."""
    result = run(distance=distance)
    found = {quantity.name: quantity.value for quantity in result.quantities}
    place = DISTANCES.index(distance)

    for series in (each for each in result.series if each.name.endswith("_over_distance")):
        name = series.name.removesuffix("_over_distance")
        assert math.log10(max(found[f"{name}_gradient"], 1e-30)) == pytest.approx(series.y[place])


def test_a_convolution_does_not_reach_that_far() -> None:
    """One convolution of 3 feels the token two before the last and nothing further back; 20 layers cover a distance of 40."""
    assert quantities(distance=2)["convolution_gradient"] > 0
    assert 0.0 == quantities(distance=3)["convolution_gradient"]
    assert 20 == quantities(distance=40)["convolution_layers_needed"]


def test_a_short_path_costs_more_work() -> None:
    """41 tokens of width 16: 4·n·d² + 2·n²·d multiply-adds against 2·n·d², also below n = d more than a recurrent layer."""
    found = quantities(distance=40)

    assert 4 * 41 * 16**2 + 2 * 41**2 * 16 == found["attention_multiply_adds"]
    assert 2 * 41 * 16**2 == found["rnn_multiply_adds"]
    assert quantities(distance=9)["work_ratio"] > 2
