"""LoRA against autograd, gradient descent by torch, and the truncated singular value decomposition."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from engine.experiments.lora import EXPERIMENT, STEPS
from engine.textbook.lora import Adapter, best_share, gradients, train
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def drawn(*shapes: tuple[int, int]) -> list[Tensor]:
    generator = torch.Generator().manual_seed(4)
    return [torch.randn(*shape, generator=generator, dtype=torch.float64) for shape in shapes]


def autograd(adapter: Adapter, W: Tensor, x: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """The same gradients from the definition, a loss over W + α/r B A."""
    B, A = adapter.B.clone().requires_grad_(), adapter.A.clone().requires_grad_()
    y = torch.nn.functional.linear(x, W + adapter.alpha / len(A) * B @ A)
    torch.nn.functional.mse_loss(y, target, reduction="sum").div(2 * len(x)).backward()  # type: ignore[no-untyped-call]
    assert B.grad is not None
    assert A.grad is not None
    return B.grad, A.grad


@pytest.mark.parametrize("rank", [1, 3])
def test_gradients_are_autograds(rank: int) -> None:
    """The gradients of B and A, with α/r other than 1 and W not square, are those that autograd finds."""
    W, x, target, B, A = drawn((5, 4), (7, 4), (7, 5), (5, rank), (rank, 4))
    adapter = Adapter(B, A, alpha=2.5)

    for expected, actual in zip(autograd(adapter, W, x, target), gradients(adapter, adapter.apply(W, x) - target, x), strict=True):
        assert torch.allclose(expected, actual, atol=1e-12)


def test_training_is_gradient_descent() -> None:
    """Three steps move B and A together, each by its gradient at the same point, and leave W alone."""
    W, x, target, A = drawn((4, 4), (9, 4), (9, 4), (2, 4))
    before, adapter = W.clone(), Adapter(torch.zeros(4, 2, dtype=torch.float64), A, alpha=2.0)
    expected = adapter
    for _ in range(3):
        of_B, of_A = autograd(expected, W, x, target)
        expected = Adapter(expected.B - 0.1 * of_B, expected.A - 0.1 * of_A, 2.0)

    trained, losses = train(adapter, W, x, target, 0.1, 3)

    assert torch.allclose(expected.B, trained.B, atol=1e-12)
    assert torch.allclose(expected.A, trained.A, atol=1e-12)
    assert torch.equal(before, W)
    assert losses == sorted(losses, reverse=True)


@pytest.mark.parametrize("seed", range(3))
def test_starts(seed: int) -> None:
    """B = 0 changes no output and gives B a gradient; two random ones change outputs; two zeros never move."""
    found = quantities(seed=seed)

    assert 0.0 == found["start_change"] == found["start_gradient_a"] == found["start_gradient_zeros"]
    assert found["start_change_random"] > 0.1
    assert found["start_gradient_b"] > 0.1
    assert 100.0 == found["loss_left_zeros"]


@pytest.mark.parametrize("scale", [0.25, 1.0, 2.0])
def test_merged_is_unmerged(scale: float) -> None:
    """The merged matrix gives what the two paths give, at any α/r."""
    assert quantities(scale=scale)["merged_error"] < 1e-13


def test_enough_rank_learns_the_task() -> None:
    """A rank that the task needs learns it; one less leaves a part, and that part is out of reach of any such update."""
    enough, short = quantities(rank=2, needed_rank=2), quantities(rank=1, needed_rank=2)

    assert enough["loss_left"] < 1
    assert enough["share_in_reach"] == pytest.approx(100)
    assert short["loss_left"] > 5
    assert short["share_in_reach"] < 95
    assert (2, 1) == (enough["update_rank"], short["update_rank"])


def test_best_share_is_the_truncated_decomposition() -> None:
    """The share in reach is 1 minus the relative squared error of the singular value decomposition, cut off at the rank."""
    change = drawn((6, 6))[0]
    U, S, Vh = torch.linalg.svd(change)
    cut = U[:, :3] * S[:3] @ Vh[:3]

    assert 1 - float((change - cut).square().sum() / change.square().sum()) == pytest.approx(best_share(change, 3))


def test_parameters() -> None:
    """Rank 8 beside a 4096 x 4096 matrix trains 65,536 of 16.8 million, .39 %."""
    found = quantities(rank=8, width=4096)

    assert (65_536, 16_777_216) == (found["trained_parameters"], found["full_parameters"])
    assert 0.39 == pytest.approx(found["trained_percent"], abs=0.001)


def test_bytes_of_the_optimizer() -> None:
    """A parameter that is not trained saves 12 bytes, 4 each for the 32-bit copy and Adam's two moments: 191.25 MiB here."""
    assert 12 * (16_777_216 - 65_536) / 2**20 == 191.25 == quantities(rank=8, width=4096)["optimizer_mebibytes_saved"]


def test_every_setting_converges() -> None:
    """At the largest scale and full rank the loss still falls: the step is small enough."""
    for given in ({"scale": 2.0}, {"rank": 8, "needed_rank": 8}, {"scale": 2.0, "rank": 8, "needed_rank": 8}):
        losses = run(**given).series[0].y
        assert STEPS + 1 == len(losses)
        assert losses[-1] < losses[0] / 2
