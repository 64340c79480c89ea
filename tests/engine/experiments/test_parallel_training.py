"""One pass against all prefixes, and the losses of honest and of leaking training."""

from __future__ import annotations

import math
from collections.abc import Generator
from functools import cache
from itertools import islice
from typing import cast

import pytest
import torch
from torch.nn import functional

from engine.experiments.parallel_training import EXPERIMENT, shape_for, train_every_way, trainings
from engine.result import Progress, Result
from engine.textbook.attention import causal_mask
from engine.textbook.next_token import mean_loss, next_token_logits, prefix_logits, shifted, unshifted
from engine.textbook.tiny_transformer import Shape, encode, initial_weights, unpack
from engine.textbook.training_loop import seeds_beside
from tests.engine.runs import run

SHAPE = Shape(vocabulary=5, positions=6, width=8, layers=2, heads=2, hidden=16)
THETA = initial_weights(SHAPE, torch.Generator().manual_seed(0)).double()
TOKENS = torch.tensor([[1, 4, 2, 2, 0, 3], [0, 0, 3, 1, 4, 2]])


@cache
def played(tokens: int = 8, seed: int = 0) -> tuple[list[Progress], Result]:
    steps = cast(Generator[Progress, None, Result], EXPERIMENT.measure(EXPERIMENT.accept({"tokens": tokens, "seed": seed})))
    progress = []
    while True:
        try:
            progress.append(next(steps))
        except StopIteration as end:
            return progress, end.value


def quantities(tokens: int = 8, seed: int = 0) -> dict[str, float]:
    return {quantity.name: quantity.value for quantity in played(tokens, seed)[1].quantities}


def test_one_masked_pass_equals_all_prefixes() -> None:
    """With two layers each row of one masked pass is the last row of a pass over that prefix alone; without a mask it is not."""
    slow = torch.stack([next_token_logits(THETA, SHAPE, TOKENS[:, : end + 1], causal_mask(end + 1, end + 1))[:, -1] for end in range(6)], 1)
    fast = next_token_logits(THETA, SHAPE, TOKENS, causal_mask(6, 6))

    assert torch.allclose(slow, fast, rtol=0, atol=1e-12)
    assert torch.equal(slow, prefix_logits(THETA, SHAPE, TOKENS))
    assert float((next_token_logits(THETA, SHAPE, TOKENS, None) - slow).abs().max()) > 0.1


@pytest.mark.parametrize("tokens", [2, 8])
def test_the_result_says_so(tokens: int) -> None:
    """The difference is rounding with the mask and large without; one pass replaces T, T tokens replace T(T+1)/2."""
    found = quantities(tokens)

    assert found["masked_difference"] < 1e-12 < 0.1 < found["unmasked_difference"]
    assert (1, tokens, tokens) == (found["passes_at_once"], found["passes_step_by_step"], found["lessons_per_pass"])
    assert (tokens, tokens * (tokens + 1) / 2) == (found["tokens_at_once"], found["tokens_step_by_step"])


def test_logits_come_from_the_same_embeddings() -> None:
    """The output matrix is the embedding matrix: logits are hidden states times embeddings, (B, T, V)."""
    weights = unpack(THETA, SHAPE)
    hidden = encode(TOKENS, weights, SHAPE)[0]

    assert torch.equal(functional.linear(hidden, weights["words"]), next_token_logits(THETA, SHAPE, TOKENS, None))


def test_the_target_is_what_comes_next() -> None:
    """Shifted by one, place i is asked for token i+1; unshifted, for the token it reads."""
    inputs, targets = shifted(TOKENS)
    same, copied = unshifted(TOKENS)

    assert (TOKENS[:, :5].tolist(), TOKENS[:, 1:].tolist()) == (inputs.tolist(), targets.tolist())
    assert torch.equal(same, copied)


def test_every_place_is_a_lesson() -> None:
    """The loss is the mean over all places of all sequences."""
    logits = torch.randn(2, 5, 5, generator=torch.Generator().manual_seed(0))
    targets = TOKENS[:, 1:]
    by_hand = [-float(logits[b, t].log_softmax(-1)[targets[b, t]]) for b in range(2) for t in range(5)]

    assert sum(by_hand) / 10 == pytest.approx(float(mean_loss(logits, targets)))


@pytest.mark.parametrize("seed", [0, 1])
def test_random_tokens_cannot_be_predicted(seed: int) -> None:
    """Honest training ends at ln 8; without the shift the loss falls to 0, without the mask to (ln 8)/T: both read the answer."""
    found = quantities(seed=seed)

    assert math.log(8) == pytest.approx(found["least_honest_loss"])
    assert math.log(8) == pytest.approx(found["honest_loss"], abs=0.1)
    assert found["unshifted_loss"] < 0.02
    assert math.log(8) / 8 == pytest.approx(found["unmasked_loss"], abs=0.1)


def test_seeds_and_ways_trained_beside_each_other_are_those_trained_alone() -> None:
    """A seed's losses do not depend on those that are trained with it, rounding apart."""
    shape, beside = shape_for(4), trainings(4, seeds_beside(8)).first(10)
    alone = islice(train_every_way(shape, (8,)), 10)

    assert torch.allclose(torch.stack(list(alone))[:, 0], torch.stack(list(beside))[:, 3], rtol=1e-3, atol=1e-5)


def test_both_ways_are_shown() -> None:
    """The two matrices of logits are the same numbers."""
    at_once, one_by_one = played()[1].matrices

    assert [pytest.approx(row, abs=1e-9) for row in one_by_one.values] == list(at_once.values)


def test_streams_three_curves() -> None:
    """Every five steps all three curves grow by a point, and they end as the Result's, at its quantities."""
    progress, result = played()

    assert [1, 2] == [len(each.result.series[2].y) for each in progress[:2]]
    assert 20 == len(progress)
    assert progress[-1].result.series == result.series
    assert [quantities()[series.name.removesuffix("_over_steps")] for series in result.series] == [series.y[-1] for series in result.series]


def test_the_last_step_is_measured() -> None:
    """A number of steps between the curve's points ends at its own last step, of which the numbers are."""
    assert 52 == run(EXPERIMENT, steps=52).series[0].x[-1]
