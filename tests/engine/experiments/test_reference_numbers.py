"""The numbers that cards and traps quote, each computed once more: with the engine or with torch (parameters have a file of their own).

Where torch disagrees with a number that is often quoted, torch's stands here, and the reason beside it.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from engine.catalog import load
from engine.parameter import Value
from engine.textbook.absolute_positions import frequencies, sinusoidal
from engine.textbook.activations import gelu, gelu_sigmoid, gelu_tanh, minimum, silu
from engine.textbook.initialization import kaiming, signal_by_depth, xavier
from engine.textbook.normalization import layer_norm
from engine.textbook.optimizers import warmup_rate
from engine.textbook.relative_positions import alibi_slopes, t5_bucket
from engine.textbook.softmax import softmax_jacobian
from engine.textbook.weight_statistics import largest_weight, saturated_percent
from tests.engine.runs import runs_of

ROWS = {4: 4000, 16: 4000, 64: 2000, 256: 500, 1024: 250}  # queries, fewer where each is dearer


def quantities(name: str, **given: Value) -> dict[str, float]:
    """The quantities of an experiment."""
    return runs_of(load(name))[1](**given)


def test_loss_of_guessing() -> None:
    """ln V is 10.326 for BERT's vocabulary, 10.825 for GPT-2's."""
    uniform = [float(nn.functional.cross_entropy(torch.zeros(1, words), torch.tensor([7]))) for words in (30_522, 50_257)]

    assert [10.326, 10.825] == pytest.approx(uniform, abs=5e-4)


def argmax(values: Tensor, x: Tensor) -> tuple[float, float]:
    at = int(values.argmax())
    return float(values[at]), float(x[at])


@pytest.mark.parametrize(("other", "apart", "where"), [(gelu_tanh, 4.73e-4, 2.699), (gelu_sigmoid, 2.03e-2, 2.27)])
def test_three_gelus(other: Callable[[Tensor], Tensor], apart: float, where: float) -> None:
    """The tanh form misses the erf form by 4.73e-4 at 2.699, the sigmoid form by 2.03e-2 at 2.27."""
    x = torch.arange(0, 6, 1e-3, dtype=torch.float64)

    assert (apart, where) == pytest.approx(argmax((nn.functional.gelu(x) - other(x)).abs(), x), rel=3e-3)


def test_minima() -> None:
    """GELU falls to -0.16997 at -0.7518, SiLU to -0.2785 at -1.2785."""
    assert (-0.7518, -0.16997) == pytest.approx(minimum(gelu, -3, 0), abs=2e-4)
    assert (-1.2785, -0.2785) == pytest.approx(minimum(silu, -3, 0), abs=2e-4)


def scores(d_k: int) -> Tensor:
    """Queries (N, d_k), each with 64 keys of its own: (N, 64)."""
    generator = torch.Generator().manual_seed(0)
    query, key = (torch.randn(ROWS[d_k], count, d_k, generator=generator) for count in (1, 64))
    return (query * key).sum(-1).double()


@pytest.mark.parametrize(
    ("d_k", "std", "largest", "saturated"),
    [
        (4, 2.00, 0.274, 0.0),  # .25 is quoted; with keys of its own for each query the mean is .27
        (16, 4.01, 0.58, 2.1),  # 1.3 % is quoted, from few rows; 80,000 rows give 2.2 %
        (64, 7.96, 0.78, 19.4),
        (256, 16.06, 0.89, 48.5),
        (1024, 31.94, 0.94, 70.3),
    ],
)
def test_unscaled_scores(d_k: int, std: float, largest: float, saturated: float) -> None:
    """Unscaled, scores spread by √d_k and softmax saturates; scaled they spread by 1, the largest of 64 weights is .106, none saturates."""
    raw = scores(d_k)
    weights, scaled = torch.softmax(raw, -1), torch.softmax(raw / math.sqrt(d_k), -1)

    assert std == pytest.approx(float(raw.std()), rel=0.03)
    assert largest == pytest.approx(largest_weight(weights), abs=0.025)
    assert saturated == pytest.approx(saturated_percent(weights), abs=0.6 if d_k <= 16 else 6)
    assert 0.106 == pytest.approx(largest_weight(scaled), abs=0.006)
    assert 0.0 == saturated_percent(scaled)


def test_scores_are_normal_only_in_the_limit() -> None:
    """The fourth moment over the squared second is 3 + 6/d_k: 4.5 at d_k = 4 (4.4 is quoted), 3 in the limit."""
    few, many = (float((scores(d_k) ** 4).mean() / (scores(d_k) ** 2).mean() ** 2) for d_k in (4, 256))

    assert 4.5 == pytest.approx(few, abs=0.15)
    assert 3.02 == pytest.approx(many, abs=0.1)


@pytest.mark.parametrize(("keys", "largest"), [(2, 0.7235), (8, 0.362), (32, 0.163), (128, 0.069), (512, 0.027), (2048, 0.0099)])
def test_largest_of_normal_scores(keys: int, largest: float) -> None:
    """The mean largest weight of N(0, 1) scores falls from .7235 of 2 keys to .0099 of 2048."""
    drawn = torch.randn(max(1000, 100_000 // keys), keys, generator=torch.Generator().manual_seed(1))

    assert largest == pytest.approx(largest_weight(torch.softmax(drawn, -1)), rel=0.05)


@pytest.mark.parametrize(("a", "entry"), [(1, 0.244), (10, 9.1e-5), (100, 7.4e-44)])
def test_jacobian_of_a_saturated_row(a: int, entry: float) -> None:
    """For scores (a, a, 2a) the largest entry is p₃(1 - p₃) = 2e^-a/(1 + 2e^-a)², and the spectral norm is at most 1/2.

    At a = 100, 4e-44 is quoted: float64 rounds 1 - p₃ to 0, and what is left is half of it, the entry p₁(1 - p₁).
    """
    J = softmax_jacobian(torch.softmax(torch.tensor([a, a, 2 * a], dtype=torch.float64), -1))

    assert entry == pytest.approx(2 * math.exp(-a) / (1 + 2 * math.exp(-a)) ** 2, rel=0.01)
    assert entry / (2 if a == 100 else 1) == pytest.approx(float(J.abs().max()), rel=0.01)
    assert float(torch.linalg.matrix_norm(J, 2)) <= 0.5


def test_numbers_of_16_bits() -> None:
    """fp32's e^x overflows at 89; fp16 ends at 65,504, counts to 2048 and loses 1e-8; bf16 counts to 256."""
    half, brain = quantities("precision", numbers="fp16"), quantities("precision", numbers="bf16")

    assert 89 == quantities("precision", numbers="fp32")["exp_overflow"]
    assert (65_504, 2048, 0) == (half["largest_number"], half["counts_to_limit"], half["gradient_survives"])
    assert 256 == brain["counts_to_limit"]
    assert (2048, 256) == tuple(float(torch.tensor(n, dtype=t) + 1) for n, t in ((2048, torch.float16), (256, torch.bfloat16)))


def test_positions() -> None:
    """|PE|² = D/2, wavelengths 2π to 60,611; 23 of 64 rotary frequencies never turn in 2048; ALiBi 2^(-8i/h); T5 0 to 7 exact."""
    assert 256 == pytest.approx(float(sinusoidal(torch.tensor([77]), 512).square().sum()))
    assert 60_611 == pytest.approx(2 * math.pi / float(frequencies(512)[-1]), abs=1)
    assert quantities("positions_sinusoidal")["turn_error"] < 5e-14
    assert 23 == int((frequencies(128) * 2048 < 2 * math.pi).sum())
    assert quantities("positions_rotary")["shift_change"] < 1e-13
    assert [2 ** (-8 * i / 4) for i in range(1, 5)] == alibi_slopes(4).tolist()
    assert [*range(8), 8] == t5_bucket(-torch.arange(9)).tolist()


def test_masks_and_heads() -> None:
    """A mask of -1e-9 leaks as much as none; 2,362,368 parameters for every number of heads; a head's scores have rank d_head."""
    leaking = quantities("attention_mask", fill="-1e-9")

    assert leaking["unmasked_leak"] == pytest.approx(leaking["leak"], abs=1e-8)
    for heads in (1, 4, 8):
        found = quantities("multi_head", heads=heads, d_model=16)
        assert 2_362_368 == found["parameters_bert"]
        assert found["score_rank"] <= 16 // heads


def test_serving() -> None:
    """LLaMA-7B caches .5 MiB a token, 1 GiB of 2048; LLaMA-2-70B .3125 instead of 2.5 MiB; MLA 34,560 numbers."""
    seven, grouped = quantities("kv_cache"), quantities("grouped_query_attention")

    assert (0.5, 1.0) == (seven["mebibytes_per_token"], seven["cache_gibibytes"])
    assert (0.3125, 2.5, 34_560) == (grouped["gqa_mebibytes"], grouped["mha_mebibytes"], grouped["mla_numbers"])
    assert max(seven["cached_error"], quantities("flash_attention")["online_error"]) < 1e-14


def test_speculative_decoding() -> None:
    """The target (.5, .3, .2) comes out exactly, at an acceptance of .60."""
    found = quantities("speculative_decoding")

    assert found["residual_error"] < 1e-12
    assert 0.60 == pytest.approx(found["acceptance"])


def test_masked_tokens() -> None:
    """Of all tokens 12 % become [MASK], 1.5 % another word, 1.5 % stay and are predicted all the same."""
    generator = torch.Generator().manual_seed(0)
    predicted, kind = torch.rand(2, 400_000, generator=generator)
    shares = [(predicted < 0.15) & (low <= kind) & (kind < high) for low, high in ((0, 0.8), (0.8, 0.9), (0.9, 1))]

    assert [0.12, 0.015, 0.015] == pytest.approx([float(share.double().mean()) for share in shares], abs=0.002)


def test_warm_up() -> None:
    """The original schedule peaks at 6.99e-4, in step 4000, for d_model = 512."""
    rates = [warmup_rate(step, 512, 4000) for step in range(1, 10_001)]

    assert 4000 == 1 + rates.index(max(rates))
    assert 6.99e-4 == pytest.approx(max(rates), rel=1e-3)


@pytest.mark.parametrize(("how", "std"), [("linear", 0.333), ("attention", 0.5), ("xavier", 1.0), ("bert", 0.307)])
def test_scores_at_initialisation(how: str, std: float) -> None:
    """At d = 768 scaled scores spread by .333 (nn.Linear), .5 (nn.MultiheadAttention), 1 (a square Xavier) or .307 (N(0, .02))."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        W_Q, W_K = drawn(how)
    x = torch.randn(64, 768, generator=torch.Generator().manual_seed(0))

    found = (x @ W_Q.T) @ (x @ W_K.T).T / math.sqrt(768)

    assert std == pytest.approx(float(found[~torch.eye(64, dtype=torch.bool)].std()), rel=0.06)


def drawn(how: str) -> tuple[Tensor, Tensor]:
    """W_Q and W_K (768, 768) as torch itself makes them."""
    if how == "attention":
        W_Q, W_K, _ = nn.MultiheadAttention(768, 12).in_proj_weight.detach().chunk(3)
        return W_Q, W_K
    first, second = (nn.Linear(768, 768).weight.detach() for _ in range(2))
    if how == "linear":
        return first, second
    fill = nn.init.xavier_uniform_ if how == "xavier" else lambda each: nn.init.normal_(each, 0, 0.02)
    return fill(first), fill(second)


def test_variance_by_depth() -> None:
    """Pre-norm, the residual's variance grows by 1 a layer, from 2 to 49 after 48 (47 is quoted, one draw); post-norm it stays at 1."""
    generator = torch.Generator().manual_seed(0)
    before = after = torch.randn(64, 128, generator=generator, dtype=torch.float64)
    for _ in range(48):
        W = torch.randn(128, 128, generator=generator, dtype=torch.float64) / math.sqrt(128)
        before, after = before + layer_norm(before) @ W, layer_norm(after + after @ W)

    assert 49 == pytest.approx(float(before.var()), rel=0.08)
    assert 1 == pytest.approx(float(after.var()), abs=0.01)


@pytest.mark.parametrize(("std", "left"), [(kaiming(256, 256), 0.83), (xavier(256, 256), 8e-4), (0.02, 1.0e-13)])
def test_twenty_relu_layers(std: float, left: float) -> None:
    """Of a signal .83 is left with Kaiming's weights, 8e-4 with Xavier's, 1e-13 with N(0, .02).

    .76 and 7e-4 are quoted, from one draw, and single draws wander by half: this is the geometric mean of eight,
    near √(1 - 1/π) for a power that every layer keeps, and that times (std/Kaiming's)^20.
    """
    logs = []
    for seed in range(8):
        generator = torch.Generator().manual_seed(seed)
        x, weights = torch.randn(16, 256, generator=generator), torch.randn(20, 256, 256, generator=generator)
        logs.append(math.log(float(signal_by_depth(x, weights, std, torch.relu)[-1])))

    assert left == pytest.approx(math.sqrt(1 - 1 / math.pi) * (std / kaiming(256, 256)) ** 20, rel=0.03)
    assert left == pytest.approx(math.exp(sum(logs) / len(logs)), rel=0.3)
