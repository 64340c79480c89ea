"""Lines from top to bottom, turns of a loop, and what a run may cost."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from engine.computed.effort import Effort
from engine.computed.recipe import ComputeError
from engine.computed.run import lines, shapes
from engine.experiment import FLOPS_LIMIT
from tests.engine.computed.recipes import recipe, repeat, step

GIVEN = {"n": 4, "t": 0.5, "seed": 0}
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
        ("eye(5000) @ eye(5000)", "This would need 381 MiB; the limit is 256 MiB. Choose smaller values"),
        ("sum(eye(3000) @ eye(3000))", "This would take 5.4e+10 operations; the limit is 2e+10. Choose smaller values"),
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


def test_every_gradient_goes_back_once() -> None:
    """A gradient costs the way forth once more; the way back of another is none of its business."""
    line = step("loss", "sum((v @ v) ** 2)")
    costs = []
    for count in (0, 1, 2, 20):
        effort = Effort()
        lines(recipe(step("v", "randn(100, 100, seed)"), line, *(step(f"g{i}", "grad(loss, v)") for i in range(count))), GIVEN, effort)
        costs.append(effort.flops)

    forth = costs[0]
    assert [forth, 2 * forth, 3 * forth, 21 * forth] == costs


def test_the_numbers_are_held_to_the_limits_too() -> None:
    """What the shapes do not show is refused while it is computed, and named by its line."""
    effort = Effort(flops=FLOPS_LIMIT)
    with pytest.raises(ComputeError, match="the limit is 2e\\+10") as refused:
        lines(recipe(step("v", "[1, 2]"), step("w", "-v")), GIVEN, effort)

    assert ("v", (0, 6)) == (refused.value.step, refused.value.place)


@pytest.mark.parametrize(
    "text",
    [
        "dot(ones(10000, 1), ones(1, 10000))",
        "dot(ones(10000, 1, 1), ones(10000, 1))",
        "cosine(ones(10000, 1, 1), ones(10000, 1))",
        "ones(1000, 1, 200, 2) @ ones(500, 2, 1)",
        "where(ones(10000, 1), ones(1, 10000), 0)",
        "masked_fill(ones(10000, 1), ones(1, 10000), 0)",
        "close(ones(10000, 1), ones(1, 10000), 0.1)",
        "max(ones(10000, 1), ones(1, 10000))",
        "ones(30000, 10)[zeros(5000)][:, zeros(10000)]",
    ],
)
def test_what_is_made_on_the_way_is_limited_too(text: str) -> None:
    """Two small tensors make a large one, in the result or before it is summed: refused by shapes alone."""
    with pytest.raises(ComputeError, match="the limit is 256 MiB"):
        shapes(recipe(step("big", text)), GIVEN)


def test_a_turn_s_numbers_are_gone_when_the_next_begins() -> None:
    """Two thousand turns need the room of one, and the time of all."""
    turned = recipe(step("w", "zeros(1000)"), repeat("turns", "2000", "sum(w)", w="w + ones(1000)"))
    shaped, walked = Effort(), Effort()
    with torch.device("meta"):
        lines(turned, GIVEN, shaped)
    lines(turned, GIVEN, walked)

    assert (shaped.flops, shaped.bytes) == (walked.flops, walked.bytes)
    assert 2000 * 3000 < walked.flops < 2000 * 3100
    assert walked.bytes < 10 * 8 * 1000


def test_all_turns_are_counted() -> None:
    slow = recipe(step("m", "ones(500, 500)"), repeat("turns", "2000", "sum(m)", m="m @ m / 500"))
    with pytest.raises(ComputeError, match="the limit is 2e\\+10") as refused:
        shapes(slow, GIVEN)

    assert "turns" == refused.value.step


def test_a_turn_keeps_one_number() -> None:
    with pytest.raises(ComputeError) as refused:
        shapes(recipe(step("w", "zeros(2)"), repeat("turns", "3", "w + 1", w="w + 1")), GIVEN)

    assert "what a turn keeps is one number; this is (2,)" == str(refused.value)
    assert ("turns", (0, 5)) == (refused.value.step, refused.value.place)


def test_a_kept_number_does_not_keep_its_turn() -> None:
    """What `keep` was has no history: the graphs of two thousand turns would not fit."""
    found = lines(DESCENT, {"n": 4, "t": 0.5, "seed": 0})

    assert isinstance(found["losses"], Tensor)
    assert not found["losses"].requires_grad


@pytest.mark.parametrize(
    ("text", "flops"),
    [
        ("dot(ones(3000, 1), ones(1, 3000))", 9_000_000),
        ("cosine(ones(3000, 1, 2), ones(3000, 2))", 18_000_000),
        ("svdvals(ones(300, 200))", 20 * 300 * 200 * 200),
        ("sum(ones(3000))", 3000),
        ("cat(ones(2000), ones(3000))", 5000),
        ("outer(ones(30), ones(40))", 1200),
    ],
)
def test_a_function_costs_what_it_goes_over(text: str, flops: int) -> None:
    """Not what it is given: two columns spread over each other are a matrix, though only its sums are left."""
    effort = Effort()
    with torch.device("meta"):
        lines(recipe(step("y", text)), GIVEN, effort)

    assert flops <= effort.flops < 1.1 * flops + 6100


@pytest.mark.parametrize("made", ["loss", "2 * loss + sum(losses)"])
def test_a_gradient_through_repeat_says_why_there_is_none(made: str) -> None:
    """A turn does not remember how the turn before came to its numbers; whoever differentiates behind the turns is told so."""
    turns = repeat("losses", "n", "loss", u="u * w", loss="sum(u ** 2)")
    with pytest.raises(ComputeError, match="only through repeat, which no gradient goes back through"):
        lines(recipe(step("w", "ones(2)"), step("u", "ones(2)"), turns, step("slope", f"grad({made}, u)")), {"n": 3})


def test_a_gradient_without_repeat_says_no_more() -> None:
    """What no turn has touched is simply not there."""
    with pytest.raises(ComputeError, match=r"this does not depend on w$"):
        lines(recipe(step("w", "ones(2)"), step("u", "ones(2)"), step("slope", "grad(sum(u), w)")), {})
