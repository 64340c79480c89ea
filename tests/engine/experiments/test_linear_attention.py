"""Linear attention, against a loop over pairs, torch's attention and torch's counter of operations."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor
from torch.nn import functional
from torch.testing import assert_close
from torch.utils.flop_counter import FlopCounterMode

from engine.experiments._linear_costs import multiply_adds
from engine.experiments.linear_attention import EXPERIMENT
from engine.parameter import Value
from engine.result import Series
from engine.textbook.linear_attention import features, linear_weights, scores_first, scores_first_causal, summary_first, token_by_token
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def curve(name: str, **given: Value) -> Series:
    return next(series for series in run(**given).series if series.name == name)


def normal(rows: int, columns: int, seed: int) -> Tensor:
    return 2 * torch.randn(rows, columns, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


Q, K, V = normal(5, 3, 0), normal(5, 3, 1), normal(5, 4, 2)


def pair_by_pair(last: bool) -> Tensor:
    """Σ_j φ(q_i)·φ(k_j) v_j / Σ_j φ(q_i)·φ(k_j) with Python's own loops; with last=False over j <= i only."""

    def phi(x: float) -> float:
        return x + 1 if x > 0 else math.exp(x)

    rows = []
    for i, q in enumerate(Q.tolist()):
        keys = K.tolist() if last else K.tolist()[: i + 1]
        weights = [sum(phi(a) * phi(b) for a, b in zip(q, k, strict=True)) for k in keys]
        rows.append([sum(w * float(V[j, c]) for j, w in enumerate(weights)) / sum(weights) for c in range(4)])
    return torch.tensor(rows, dtype=torch.float64)


def test_both_brackets_equal_a_loop_over_pairs() -> None:
    """With d_v != d both bracketings are the weighted mean, pair by pair."""
    assert_close(pair_by_pair(last=True), scores_first(Q, K, V), rtol=0, atol=1e-12)
    assert_close(pair_by_pair(last=True), summary_first(Q, K, V), rtol=0, atol=1e-12)


def test_both_causal_forms_equal_a_loop_over_pairs() -> None:
    """Token by token with a state of fixed size, or by n×n products without the later keys: the same sums."""
    assert_close(pair_by_pair(last=False), token_by_token(Q, K, V), rtol=0, atol=1e-12)
    assert_close(pair_by_pair(last=False), scores_first_causal(Q, K, V), rtol=0, atol=1e-12)


def test_features_are_positive() -> None:
    """φ is 1 at 0, x + 1 above, e^x below, and never 0 or less."""
    assert [math.exp(-3), 1.0, 3.0] == pytest.approx(features(torch.tensor([-3.0, 0.0, 2.0], dtype=torch.float64)).tolist())
    assert_close(linear_weights(Q, K).sum(-1), torch.ones(5, dtype=torch.float64), rtol=0, atol=1e-12)
    assert float(linear_weights(Q, K).min()) > 0


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("tokens", [6, 64])
def test_equal_brackets_unequal_to_softmax(tokens: int, seed: int) -> None:
    """The brackets agree to rounding; softmax attention is something else."""
    found = quantities(tokens=tokens, seed=seed)

    assert 0.0 == pytest.approx(found["bracket_difference"], abs=1e-12)
    assert 0.0 == pytest.approx(found["recurrent_difference"], abs=1e-12)
    assert found["softmax_difference"] > 0.02


def test_softmax_difference_is_to_torchs_attention() -> None:
    """The difference is taken to F.scaled_dot_product_attention."""
    shown = {matrix.name: torch.tensor(matrix.values, dtype=torch.float64) for matrix in run(spread=1.0).matrices}
    by_features = shown["linear_weights"] @ shown["V"]
    generator = torch.Generator().manual_seed(0)
    query, key, value = torch.randn(3, 64, 8, generator=generator, dtype=torch.float64)[:, :6, :4]

    by_softmax = functional.scaled_dot_product_attention(query[None], key[None], value[None])[0]

    assert float((by_softmax - by_features).abs().max()) == pytest.approx(quantities()["softmax_difference"])
    assert_close(by_features, shown["output"], rtol=0, atol=1e-12)


def test_rank_is_at_most_the_width() -> None:
    """Sixty-four tokens at d = 4: linear weights of rank 4, softmax weights of a much higher one."""
    found = quantities(tokens=64)

    assert 4 == found["linear_rank"]
    assert found["softmax_rank"] > 40


def test_it_cannot_single_out_a_key() -> None:
    """At ten times the spread softmax puts nearly all on one of 64 keys, linear attention a small part."""
    found = quantities(tokens=64, spread=10.0)

    assert found["softmax_top_weight"] > 0.9
    assert found["linear_top_weight"] < 0.2


def test_costs_are_those_of_the_products() -> None:
    """torch's counter sees 2·n²·d and 2·n·d² multiply-adds in the two bracketings of QKᵀV; they are equal at n = d."""
    a, b, c = normal(6, 4, 0), normal(6, 4, 1), normal(6, 4, 2)
    with FlopCounterMode(display=False) as first:
        (a @ b.T) @ c
    with FlopCounterMode(display=False) as second:
        a @ (b.T @ c)

    assert (first.get_total_flops() // 2, second.get_total_flops() // 2) == multiply_adds(6, 4)
    found = quantities(tokens=8, width=8)
    assert found["quadratic_multiply_adds"] == found["linear_multiply_adds"] == 1024


def test_state_does_not_grow() -> None:
    """A cache of keys and values grows with the tokens, the state does not."""
    short, long = quantities(tokens=6), quantities(tokens=60)

    assert (48, 480) == (short["cached_numbers"], long["cached_numbers"])
    assert 20 == short["state_numbers"] == long["state_numbers"]


def test_curves() -> None:
    """The curves pass through the quantities; over n one cost rises twice as fast as the other."""
    found = quantities(spread=2.0)

    for name in ("softmax_top_weight", "linear_top_weight", "softmax_difference"):
        assert found[name] == pytest.approx(curve(f"{name}_over_spread").y[4])
    quadratic, linear = curve("quadratic_log_over_tokens").y, curve("linear_log_over_tokens").y
    assert 2 * (linear[-1] - linear[0]) == pytest.approx(quadratic[-1] - quadratic[0])
    assert quadratic[1] == linear[1]  # n = d = 4


def test_notes() -> None:
    """Equal scores, a short sequence and a cut matrix are said."""
    assert () == run().notes
    assert 0.0 == pytest.approx(quantities(spread=0.0)["softmax_difference"], abs=1e-12)
    assert "plain average" in run(spread=0.0).notes[0].en
    assert "cheaper" in run(tokens=3).notes[0].en
    assert (["linear_weights", "softmax_weights"], 1) == ([matrix.name for matrix in run(tokens=7).matrices], len(run(tokens=7).notes))
