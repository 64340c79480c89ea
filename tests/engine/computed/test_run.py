"""Lines from top to bottom, turns of a loop, and what a run may cost."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from engine.computed.recipe import ComputeError
from engine.computed.run import lines, shapes
from tests.engine.computed.recipes import recipe, repeat, step

DESCENT = recipe(
    step("x", "randn(32, 3, seed)"),
    step("y", "x @ [1, -2, 3]"),
    step("w", "zeros(3)"),
    repeat("losses", "200", "loss", loss="mean((x @ w - y) ** 2)", w="w - 0.1 * grad(loss, w)"),
)


def test_a_loop_trains() -> None:
    """Gradient descent by its own rule finds the weights that made the data; each turn's loss is kept."""
    found = lines(DESCENT, {"n": 4, "t": 0.5, "seed": 0})

    assert isinstance(found["w"], Tensor)
    torch.testing.assert_close(found["w"], torch.tensor([1.0, -2.0, 3.0], dtype=torch.float64), atol=1e-4, rtol=0)
    assert isinstance(found["losses"], Tensor)
    assert 200 == found["losses"].numel()
    assert found["losses"][0] > 1000 * found["losses"][-1]


def test_a_gradient_is_autograd_s() -> None:
    found = lines(recipe(step("w", "[1, 2, 3]"), step("g", "grad(sum(w ** 3), w)")), {"n": 4})

    torch.testing.assert_close(torch.as_tensor(found["g"]), torch.tensor([3.0, 12.0, 27.0], dtype=torch.float64))


def test_shapes_are_found_without_numbers() -> None:
    """The walk on the meta device gives every line's shape, a loop's too, and no number."""
    found = shapes(DESCENT, {"n": 4, "t": 0.5, "seed": 0})

    assert {"x": (32, 3), "y": (32,), "w": (3,), "loss": (), "losses": (200,)} == {
        name: tuple(value.shape) for name, value in found.items() if isinstance(value, Tensor)
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("eye(5000) @ eye(5000)", "all lines together need 572 MiB; the limit is 256 MiB"),
        ("sum(eye(3000) @ eye(3000))", "this takes 5.4e+10 operations; the limit is 2e+10"),
    ],
)
def test_what_is_too_much_is_refused_before_it_is_made(text: str, said: str) -> None:
    with pytest.raises(ComputeError) as refused:
        shapes(recipe(step("big", text)), {})

    assert said == str(refused.value)


def test_a_turn_that_changes_a_shape_is_refused() -> None:
    grows = recipe(step("w", "zeros(2)"), repeat("turns", "3", "sum(w)", w="cat(w, w)"))
    with pytest.raises(ComputeError) as refused:
        shapes(grows, {})

    assert "w was (2,) before this turn and is (4,) after it" == str(refused.value)
    assert "w" == refused.value.step
