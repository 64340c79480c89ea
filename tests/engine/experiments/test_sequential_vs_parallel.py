"""What waits for what, counted; and that computing all at once changes nothing."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch
from torch import nn
from torch.nn import functional
from torch.testing import assert_close
from torch.utils.flop_counter import FlopCounterMode

from engine.catalog import load
from engine.experiments._sequential_vs_parallel import LENGTHS, attention_work, rnn_work
from engine.textbook import stopwatch
from engine.textbook.critical_path import Waiting, attention_at_once, attention_step_by_step, recurrent_states, steps_to_wait
from engine.textbook.recurrent import random_recurrent
from engine.textbook.stopwatch import fastest_run
from tests.engine.runs import runs_of

run, quantities = runs_of(load("sequential_vs_parallel"))

GENERATOR = torch.Generator().manual_seed(0)
X = torch.randn(7, 4, generator=GENERATOR, dtype=torch.float64)
PROJECTIONS = torch.randn(3, 4, 4, generator=GENERATOR, dtype=torch.float64)
WEIGHTS = random_recurrent(4, 1, 1.0, GENERATOR)


def test_counts_the_longest_chain() -> None:
    """A chain of three beside a chain of one is three long; what both use counts once, and a leaf is no operation."""
    x = torch.ones(2, requires_grad=True)
    shared = x.exp()

    assert Waiting(operations=5, chain=4) == steps_to_wait(shared.sin().cos() + shared.tanh())
    assert Waiting(operations=1, chain=1) == steps_to_wait(x.exp())


def test_the_recurrence_waits_at_every_step() -> None:
    """Each step adds the same number of waiting operations; one attention layer has as many at every length."""
    chains = {length: quantities(tokens=length) for length in (1, 2, 10, 64)}
    step = chains[2]["rnn_chain"] - chains[1]["rnn_chain"]

    assert step >= 3  # a product, a sum, tanh
    assert [1, 10, 64] == [1 + (chains[length]["rnn_chain"] - chains[1]["rnn_chain"]) / step for length in (1, 10, 64)]
    assert 1 == len({found["attention_chain"] for found in chains.values()})
    assert 1 == len({found["attention_operations"] for found in chains.values()})


def test_a_deep_recurrence_can_be_counted() -> None:
    """Counting is a loop: a chain of 3,000 operations is no problem for Python's recursion limit."""
    x = torch.ones(1, requires_grad=True)
    y = x
    for _ in range(3000):
        y = y.tanh()

    assert 3000 == steps_to_wait(y).chain


def test_all_at_once_is_torchs_causal_attention() -> None:
    """At once and step by step the layer is torch's attention with is_causal=True."""
    q, k, v = (X @ W for W in PROJECTIONS)
    theirs = functional.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=True)[0]

    assert_close(theirs, attention_at_once(PROJECTIONS, X))
    assert_close(theirs, attention_step_by_step(PROJECTIONS, X))


def test_states_are_torchs() -> None:
    """The recurrent pass gives every state of nn.RNN with the same weights."""
    module = nn.RNN(4, 4, bias=False, dtype=torch.float64)
    module.load_state_dict({"weight_ih_l0": WEIGHTS.W_x.T, "weight_hh_l0": WEIGHTS.W_h.T})
    with torch.no_grad():
        theirs = module(X[:, None])[0][:, 0]

    assert_close(theirs, recurrent_states(WEIGHTS, X))


@pytest.mark.parametrize("tokens", [1, 7])
def test_work_is_what_torch_counts(tokens: int) -> None:
    """The formulas for multiply-adds are half the floating-point operations that torch's own counter sees."""
    x = X[:tokens]
    with FlopCounterMode(display=False) as attention:
        attention_at_once(PROJECTIONS, x)
    with FlopCounterMode(display=False) as recurrent:
        recurrent_states(WEIGHTS, x)

    assert attention.get_total_flops() == 2 * attention_work(tokens, 4)
    assert recurrent.get_total_flops() == 2 * rnn_work(tokens, 4)


@pytest.mark.parametrize("tokens", [2, 33])
def test_nothing_is_lost(tokens: int) -> None:
    """With the mask one pass equals T passes; without it the outputs differ."""
    found = quantities(tokens=tokens)

    assert found["masked_difference"] < 1e-12 < 1e-2 < found["unmasked_difference"]
    assert (1, tokens) == (found["passes_at_once"], found["passes_step_by_step"])


def test_more_work_but_no_waiting() -> None:
    """Once T exceeds d attention does more work than the recurrence, and still waits less."""
    found = quantities(tokens=64, d=8)

    assert found["attention_layer_multiply_adds"] > 5 * found["rnn_layer_multiply_adds"]
    assert found["attention_chain"] * 10 < found["rnn_chain"]


@pytest.mark.parametrize("tokens", [4, 64])
def test_curves_pass_through_the_quantities(tokens: int) -> None:
    """Each curve at T tokens is the quantity of that name."""
    result = run(tokens=tokens)
    found = {quantity.name: quantity.value for quantity in result.quantities}

    for series in (each for each in result.series if each.name.endswith("_over_tokens")):
        name = series.name.removesuffix("_over_tokens").replace("work", "layer_multiply_adds")
        assert found[name] == series.y[LENGTHS.index(tokens)]


def test_the_ratio_is_that_of_the_times() -> None:
    """Both ways are timed on the same tokens, and the ratio is theirs."""
    times = {timing.name: timing.value for timing in run().timings}

    assert times["rnn_microseconds"] / times["attention_microseconds"] == pytest.approx(times["rnn_over_attention"])


def test_the_fastest_run_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first run is not timed; of the others the fastest is the answer."""
    clock = iter((0.0, 5.0, 10.0, 12.0, 20.0, 23.0))
    monkeypatch.setattr(stopwatch, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    runs: list[None] = []

    assert 2.0 == fastest_run(lambda: runs.append(None), runs=3)
    assert 4 == len(runs)
