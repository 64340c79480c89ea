"""Online softmax against torch's attention, in any block size, with masks, with rows that cannot see the first blocks."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from engine.experiments.flash_attention import EXPERIMENT
from engine.textbook.online_softmax import online_attention, states
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def drawn(queries: int, keys: int, width: int, spread: float = 1.0) -> tuple[Tensor, Tensor, Tensor]:
    generator = torch.Generator().manual_seed(6)
    Q, K, V = (torch.randn(count, width, generator=generator, dtype=torch.float64) for count in (queries, keys, keys))
    return spread * Q, K, V + 5


@pytest.mark.parametrize("block", [1, 7, 32, 100, 200])
@pytest.mark.parametrize("spread", [1.0, 300.0])
def test_any_block_gives_softmax(block: int, spread: float) -> None:
    """Blocks of 1, 7, 32, 100 (not a divisor) and more than all keys give torch's attention, also for scores beyond exp's range."""
    Q, K, V = drawn(5, 130, 8, spread)

    expected = functional.scaled_dot_product_attention(Q[None], K[None], V[None])[0]

    assert torch.allclose(expected, online_attention(Q, K, V, block), atol=1e-12)


@pytest.mark.parametrize("block", [1, 2, 5])
def test_masked_blocks(block: int) -> None:
    """A row whose first blocks are all forbidden is right all the same, and one that sees nothing is 0, not NaN."""
    Q, K, V = drawn(3, 6, 4)
    mask = torch.tensor([[0, 0, 0, 0, 1, 1], [1, 0, 0, 1, 0, 0], [0, 0, 0, 0, 0, 0]], dtype=torch.bool)

    expected = functional.scaled_dot_product_attention(Q[None], K[None], V[None], mask)[0]

    assert torch.allclose(expected, online_attention(Q, K, V, block, mask), atol=1e-12)
    assert [0.0] * 4 == online_attention(Q, K, V, block, mask)[2].tolist()


@pytest.mark.parametrize("causal", ["yes", "no"])
@pytest.mark.parametrize("seed", range(5))
def test_arms(causal: str, seed: int) -> None:
    """Block by block the error is rounding; without rescaling it is not."""
    found = quantities(causal=causal, seed=seed, keys=12)

    assert found["online_error"] < 1e-14
    assert found["no_rescaling_error"] > 1e-3
    assert found["rescalings"] > 0


def test_running_table() -> None:
    """Each line's maximum and denominator are those of the scores so far, and its factor is e to the power of what the maximum rose."""
    Q, K, V = drawn(2, 6, 4)
    scores = (Q @ K.T / 2)[0]

    for state, seen in zip(states(Q, K, V, 2, None), (2, 4, 6), strict=True):
        assert scores[:seen].max() == pytest.approx(float(state.largest[0]))
        assert math.exp(torch.logsumexp(scores[:seen], 0) - scores[:seen].max()) == pytest.approx(float(state.denominator[0]))
    rows = run().tables[0].rows
    for before, after in pairwise(rows):
        assert isinstance(before[1], float)
        assert isinstance(after[1], float)
        assert math.exp(before[1] - after[1]) == pytest.approx(after[2])


def test_last_line_is_the_output() -> None:
    """After the last block the early output of the first row is its output."""
    early, output, *_ = run(keys=7, block=3).matrices

    assert 3 == len(early.values)
    assert list(output.values[0]) == pytest.approx(early.values[-1])


def test_one_block_is_ordinary() -> None:
    """With all keys in one block nothing is rescaled, both arms agree, and a note says so."""
    found = quantities(keys=6, block=6)

    assert 0 == found["rescalings"]
    assert found["no_rescaling_error"] < 1e-14
    assert run(keys=6, block=6).notes


def test_memory() -> None:
    """At n = 8192 with 32 heads all scores take 4 GiB, the statistics 2 MiB: linear in n instead of quadratic."""
    found, twice = quantities(length=8192, heads=32), quantities(length=16384, heads=32)

    assert (4096, 2) == (found["score_mebibytes"], found["statistics_mebibytes"])
    assert (4, 2) == (twice["score_mebibytes"] / found["score_mebibytes"], twice["statistics_mebibytes"] / found["statistics_mebibytes"])
