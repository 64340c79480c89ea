"""Lines of computations: the numbers are torch's, and what cannot be is said at its place."""

from __future__ import annotations

import contextlib

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from content.claims.computation import USAGE, parse_computation
from content.claims.tokens import ClaimError
from engine.computed.interpreter import Interpreter
from engine.computed.recipe import ComputeError
from engine.computed.values import DTYPE, Value

A = torch.arange(6, dtype=DTYPE).reshape(2, 3)
V = torch.tensor([3.0, 1.0, 2.0], dtype=DTYPE)
SCOPE: dict[str, Value] = {"A": A, "v": V, "n": 4, "t": 0.5, "seed": 7}


WORTH: list[tuple[str, object]] = [
    ("2 ** 3 + n % 3 - t / 2", 8.75),
    ("sqrt(16) * log2(8)", 12.0),
    ("max(n, 9) - min(n, t)", 8.5),
    ("len(A) * size(A, 1)", 6),
    ("1 < 2 < 3", 1),
    ("not (n > 3 and t > 1)", 1.0),
    ("sum(A)", 15.0),
    ("mean(A, dim=0)", A.mean(0)),
    ("std(v)", V.std(correction=0)),
    ("var(v) - std(v) ** 2 + std(v)", V.std(correction=0)),
    ("A @ v", A @ V),
    ("A @ transpose(A)", A @ A.T),
    ("A[1]", A[1]),
    ("A[:, 0]", A[:, 0]),
    ("A[-1, 1:]", A[-1, 1:]),
    ("A[:, [2, 0]]", A[:, [2, 0]]),
    ("A[argmax(A[:, 0])]", A[1]),
    ("v[[-1, 0, -3]]", V[[2, 0, 0]]),
    ("v[sum(v) - 7]", V[2]),
    ("sort(v, descending=true)", torch.tensor([3.0, 2.0, 1.0])),
    ("v[argsort(v)]", torch.tensor([1.0, 2.0, 3.0])),
    ("cumsum(v)", torch.tensor([3.0, 4.0, 6.0])),
    ("softmax(A / t)", torch.softmax(A / 0.5, -1)),
    ("(A > 2) * 1", (A > 2).double()),
    ("count(A > 2)", 3.0),
    ("where(A > 2, A, 0)", torch.where(A > 2, A, 0.0)),
    ("masked_fill(A, tril(ones(2, 3)) == 0, -inf)", A.masked_fill(torch.tril(torch.ones(2, 3)) == 0, -torch.inf)),
    ("layer_norm(A)", torch.nn.functional.layer_norm(A, (3,))),
    ("cat(v, [9], dim=0)", torch.tensor([3.0, 1.0, 2.0, 9.0])),
    ("stack(v, v)[1, 0]", 3.0),
    ("outer(v, [1, 2])", torch.outer(V, torch.tensor([1.0, 2.0], dtype=DTYPE))),
    ("one_hot([0, 2], 3)", torch.tensor([[1.0, 0, 0], [0, 0, 1]])),
    ("reshape(A, 3, -1)", A.reshape(3, 2)),
    ("diagonal(A) + column(A, 1) + row(A, 0)[:2]", torch.tensor([1.0, 9.0])),
    ("topk(v, 2)", torch.tensor([3.0, 2.0])),
    ("arange(1, n)", torch.tensor([1.0, 2.0, 3.0])),
    ("svdvals(outer(v, v))[0]", 14.0),
    ("gelu(v)", torch.nn.functional.gelu(V)),
    ("cosine(v, -2 * v)", -1.0),
    ("close(v, v * 1.01, 0.05)", torch.ones(3)),
]


def worth(text: str) -> Value:
    return Interpreter(dict(SCOPE)).value(parse_computation(text))


@pytest.mark.parametrize(("text", "expected"), WORTH)
def test_a_line_is_worth_what_torch_says(text: str, expected: float | Tensor) -> None:
    found = torch.as_tensor(worth(text), dtype=DTYPE)

    torch.testing.assert_close(found, torch.as_tensor(expected, dtype=DTYPE))


def test_equal_seeds_give_equal_numbers() -> None:
    """A number is drawn from its seed and from nothing else."""
    drawn = worth("randn(3, 2, seed)")

    assert torch.equal(torch.randn(3, 2, generator=torch.Generator().manual_seed(7), dtype=DTYPE), torch.as_tensor(drawn))
    assert not torch.equal(torch.as_tensor(worth("rand(3, seed)")), torch.as_tensor(worth("rand(3, seed + 1)")))


@pytest.mark.parametrize(
    ("text", "said", "part"),
    [
        ("1 + A @ A", "(2, 3) @ (2, 3): inner sizes 3 and 2 differ; transpose the second?", "A @ A"),
        ("A @ ones(4, 4)", "(2, 3) @ (4, 4): inner sizes 3 and 4 differ", "A @ ones(4, 4)"),
        ("A + ones(4)", "(2, 3) + (4,): sizes 3 and 4 differ", "A + ones(4)"),
        (
            "2 * zeros(10**9, 10**9)",
            "(1,000,000,000, 1,000,000,000) would need 7,629,394,531,250 MiB; the limit is 256 MiB",
            "zeros(10**9, 10**9)",
        ),
        (
            "ones(10**6) + ones(10**6, 1)",
            "(1,000,000, 1,000,000) would need 7,629,395 MiB; the limit is 256 MiB",
            "ones(10**6) + ones(10**6, 1)",
        ),
        (
            "ones(10**5, 1) @ ones(1, 10**5)",
            "(100,000, 100,000) would need 76,294 MiB; the limit is 256 MiB",
            "ones(10**5, 1) @ ones(1, 10**5)",
        ),
        ("softmax(A, dim=2)", "(2, 3) has no dimension 2; it lies in -2..1", "softmax(A, dim=2)"),
        ("softmax(A, 1, 2)", "this is written softmax(x, dim=-1); it has 3 values", "softmax(A, 1, 2)"),
        ("A[2]", "an index is 2; it lies in -2..1", "A[2]"),
        ("v[v - 1.3]", "an index is a whole number, not 1.7", "v[v - 1.3]"),
        ("v[v]", "an index is 3; it lies in -3..2", "v[v]"),
        ("v[v - 6]", "an index is -5; it lies in -3..2", "v[v - 6]"),
        ("v[v / 0]", "an index is a whole number, not inf", "v[v / 0]"),
        ("v[(v - v) / 0]", "an index is a whole number, not nan", "v[(v - v) / 0]"),
        ("zeros(sum(v))", "a size is computed from a tensor", "zeros(sum(v))"),
        ("zeros(n / 3)", "a size is a whole number, not 1.33333", "zeros(n / 3)"),
        ("randn(n)", "randn takes sizes and then a seed: randn(8, 64, seed)", "randn(n)"),
        ("B + 1", "there is nothing of the name B yet; lines are computed from top to bottom", "B"),
        ("1 / (n - 4)", "this divides by zero", "1 / (n - 4)"),
        ("10 ** 400", "this is too large", "10 ** 400"),
        ("log(-1)", "this has no value there", "log(-1)"),
        ("n @ 2", "a number @ a number: @ multiplies matrices; write * for numbers", "n @ 2"),
        ("[1, [2]]", "the parts of a list have one shape; these have a number, (1,)", "[1, [2]]"),
        ("grad(A, A)", "a gradient is of one number; this is (2, 3): write grad(sum(...), A)", "A"),
        ("grad(sum(v), A)", "this does not depend on A", "sum(v)"),
        ("svdvals(A / 0)", "svdvals needs finite numbers", "svdvals(A / 0)"),
        ("std([])", "std has no values to look at", "std([])"),
        ("grad(v)", "this is written grad(y, x); it has 1 values", "grad(v)"),
        ("svdvals(v)", "svdvals takes a matrix of at most 512 rows and columns, not (3,)", "svdvals(v)"),
        ("svdvals(ones(2, 513))", "svdvals takes a matrix of at most 512 rows and columns, not (2, 513)", "svdvals(ones(2, 513))"),
        ("topk(v, 9)", "torch refuses this: selected index k out of range", "topk(v, 9)"),
    ],
)
def test_what_cannot_be_computed_is_said_at_its_place(text: str, said: str, part: str) -> None:
    """The innermost part that is wrong is named, with both shapes or with its bytes."""
    with pytest.raises(ComputeError) as refused:
        worth(text)

    start, end = refused.value.place
    assert said in str(refused.value)
    assert part == text[start:end]


FRAGMENTS = [
    *("A", "v", "n", "t", "seed", "1", "0", "2.5", "10**9", "inf", "-", "+", "*", "/", "@", "**", "%", "<", "=="),
    *("(", ")", "[", "]", ",", ":", " and ", "not ", "dim=", *(f"{name}(" for name in USAGE)),
]


@settings(deadline=None, max_examples=500)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join))
def test_any_line_ends_in_a_value_or_in_a_sentence(text: str) -> None:
    """Nothing but ClaimError and ComputeError leaves, whatever is written."""
    with contextlib.suppress(ClaimError, ComputeError):
        worth(text)


@pytest.mark.parametrize("text", [text for text, _ in WORTH])
def test_a_shape_is_known_without_numbers(text: str) -> None:
    """A walk on the meta device ends at the shape that there is with numbers, also where torch is not asked for it."""
    expected = worth(text)
    with torch.device("meta"):
        scope = {name: value.to("meta") if isinstance(value, Tensor) else value for name, value in SCOPE.items()}
        found = Interpreter(scope).value(parse_computation(text))

    assert isinstance(expected, Tensor) == isinstance(found, Tensor)
    assert not isinstance(found, Tensor) or (found.is_meta and torch.as_tensor(expected).shape == found.shape and DTYPE == found.dtype)


def test_a_gradient_keeps_its_way_back_without_numbers() -> None:
    """Where a gradient is taken torch walks by itself: what does not depend on a tensor is refused by shapes alone."""
    with torch.device("meta"):
        scope: dict[str, Value] = {"w": torch.zeros(3, dtype=DTYPE).requires_grad_(), "x": torch.zeros(3, dtype=DTYPE)}
        found = Interpreter(scope).value(parse_computation("grad(sum(exp(w) * x + layer_norm(w)), w)"))
        with pytest.raises(ComputeError, match="does not depend on w"):
            Interpreter(scope).value(parse_computation("grad(sum(x), w)"))

    assert isinstance(found, Tensor)
    assert (3,) == tuple(found.shape)
