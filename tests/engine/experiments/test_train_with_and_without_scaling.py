"""The side-by-side training: the same start and questions, another scale, another fate."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from functools import cache
from typing import cast

import pytest
import torch
from torch.nn import functional
from torch.testing import assert_close

from engine.experiments.train_with_and_without_scaling import BATCH, EXPERIMENT, RATE, train_arms
from engine.result import Progress, Result
from engine.textbook.lookup_task import KEYS, PAIRS, VALUES, WIDTH, draw_head, draw_lookup, head_logits, head_losses
from engine.textbook.optimizers import adam
from engine.textbook.training_loop import train


@cache
def played(d_k: int = 256, steps: int = 200, seed: int = 0) -> tuple[list[Progress], Result]:
    run = cast(Generator[Progress, None, Result], EXPERIMENT.measure(EXPERIMENT.accept({"d_k": d_k, "steps": steps, "seed": seed})))
    progress = []
    while True:
        try:
            progress.append(next(run))
        except StopIteration as end:
            return progress, cast(Result, end.value)


def quantities(d_k: int = 256, steps: int = 200, seed: int = 0) -> dict[str, float]:
    return {quantity.name: quantity.value for quantity in played(d_k, steps, seed)[1].quantities}


@pytest.mark.parametrize("seed", [0, 1])
def test_the_unscaled_head_lags_behind(seed: int) -> None:
    """At d_k = 256 every scaled head solves the task in 200 steps; the unscaled ones still lose twenty times as much."""
    found = quantities(seed=seed)

    assert 100.0 == found["scaled_solved_percent_lowest"] == found["scaled_solved_percent"] > found["raw_solved_percent_highest"]
    assert found["raw_loss"] > 20 * found["scaled_loss"]
    assert found["raw_loss_lowest"] > 5 * found["scaled_loss_highest"]


@pytest.mark.parametrize("arm", ["raw", "scaled"])
def test_a_range_and_its_mean(arm: str) -> None:
    """No number of a trained head is that of one run: unscaled runs lie far apart, and the mean lies between them."""
    found = quantities()
    ranges = [tuple(found[f"{arm}_{name}{end}"] for end in ("_lowest", "", "_highest")) for name in ("loss", "solved_percent")]

    assert all(lowest <= mean <= highest for lowest, mean, highest in ranges)
    assert (arm == "raw") == (found[f"{arm}_solved_percent_highest"] - found[f"{arm}_solved_percent_lowest"] > 20)


def test_heads_are_apart() -> None:
    """Many heads that learn together learn what each would learn alone, from its own task and questions."""
    generators = [torch.Generator().manual_seed(seed) for seed in (0, 1)]
    tasks = [draw_lookup(each) for each in generators]
    starts = torch.stack([draw_head(4, each) for each in generators])
    *_, (both, losses) = train_arms(tasks, starts, 4, 3, generators)

    generator = torch.Generator().manual_seed(1)
    task, start = draw_lookup(generator), draw_head(4, generator)
    *_, (alone, loss) = train(start, lambda theta: head_losses(theta, 4, 0.5, task.questions(BATCH, generator)), adam(start, RATE), 3)

    assert_close(alone, both[1, 1], rtol=1e-4, atol=1e-6)
    assert loss == pytest.approx(float(losses[1, 1]), rel=1e-5)


def test_it_starts_saturated() -> None:
    """Before any step most unscaled rows have .99 on one pair and pass little gradient; no scaled row does."""
    found = quantities()

    assert found["raw_saturated_percent"] > 50
    assert 0.0 == found["scaled_saturated_percent"]
    assert found["raw_jacobian_trace"] < 0.15 < 0.7 < found["scaled_jacobian_trace"]


def test_at_a_small_width_both_learn() -> None:
    """At d_k = 4 there is little to divide by: both heads solve the task, and a note says so."""
    found = quantities(d_k=4)

    assert min(found["raw_solved_percent_lowest"], found["scaled_solved_percent_lowest"]) > 97
    assert played(4)[1].notes


def test_the_answer_is_attention() -> None:
    """A head's logits are those of torch's own attention with the three matrices that lie in θ, at any scale."""
    generator = torch.Generator().manual_seed(0)
    questions, theta = draw_lookup(generator).questions(3, generator), draw_head(6, generator)
    W_Q, W_K, W_V = theta[: WIDTH * 6].view(-1, 6), theta[WIDTH * 6 : 2 * WIDTH * 6].view(-1, 6), theta[2 * WIDTH * 6 :].view(-1, VALUES)
    q, k, v = questions.asked @ W_Q, questions.pairs @ W_K, questions.pairs @ W_V

    assert_close(functional.scaled_dot_product_attention(q, k, v, scale=0.7)[:, 0], head_logits(theta, 6, 0.7, questions)[0])


def test_questions_have_one_answer() -> None:
    """The keys of a question differ, the asked one is among them, and the answer is its value."""
    task = draw_lookup(torch.Generator().manual_seed(0))
    questions = task.questions(50, torch.Generator().manual_seed(1))
    keys, values = torch.meshgrid(torch.arange(KEYS), torch.arange(VALUES), indexing="ij")
    all_pairs = functional.layer_norm(task.keys[keys.flatten()] + task.values[values.flatten()], (WIDTH,))  # (keys·values, D)
    all_keys = functional.layer_norm(task.keys, (WIDTH,))
    for asked, pairs, right in zip(questions.asked, questions.pairs, questions.answers, strict=True):
        shown = torch.cdist(pairs, all_pairs).argmin(-1)
        place = (shown // VALUES == torch.cdist(asked, all_keys).argmin()).nonzero()

        assert PAIRS == len(set((shown // VALUES).tolist()))
        assert int(right) == int(shown[int(place)] % VALUES)


def test_both_arms_see_the_same() -> None:
    """With d_k = 1 nothing is divided, and both arms are the same, step by step."""
    generators = [torch.Generator().manual_seed(0)]
    tasks, starts = [draw_lookup(generators[0])], draw_head(1, generators[0])[None]
    *_, (thetas, losses) = train_arms(tasks, starts, 1, 5, generators)

    assert torch.equal(thetas[0], thetas[1])
    assert torch.equal(losses[0], losses[1])


def test_training_is_torchs() -> None:
    """Three steps of the loop end where torch.optim.Adam ends on the same losses."""
    task, start = draw_lookup(torch.Generator().manual_seed(0)), draw_head(4, torch.Generator().manual_seed(1))

    def loss(generator: torch.Generator) -> Callable[[torch.Tensor], torch.Tensor]:
        return lambda theta: head_losses(theta, 4, 0.5, task.questions(8, generator))

    *_, (theta, _) = train(start, loss(torch.Generator().manual_seed(2)), adam(start, 0.01), 3)
    parameter = torch.nn.Parameter(start.clone())
    optimizer, again = torch.optim.Adam([parameter], lr=0.01), loss(torch.Generator().manual_seed(2))
    for _ in range(3):
        (parameter.grad,) = torch.autograd.grad(again(parameter), parameter)
        optimizer.step()

    assert_close(parameter.detach(), theta)


def test_streams_both_curves() -> None:
    """Every five steps all curves grow by a point, and they end as the Result's: the mean between the lowest and the highest."""
    progress, result = played()

    assert 40 == len(progress)
    assert [1, 2] == [len(series.y) for each in progress[:2] for series in each.result.series[:1]]
    assert 1.0 == pytest.approx(progress[-1].fraction)
    assert progress[-1].result.series == result.series
    curves = {series.name: series.y for series in result.series}
    assert math.log(8) == pytest.approx(curves["scaled_loss_over_steps"][0], abs=0.3)
    assert curves["raw_loss_over_steps"][-1] == quantities()["raw_loss"]
    for lowest, mean, highest in zip(*(curves[f"raw{end}_loss_over_steps"] for end in ("_lowest", "", "_highest")), strict=True):
        assert lowest < mean < highest
