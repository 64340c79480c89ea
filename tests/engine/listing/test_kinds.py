"""What an input is when a listing gets it: what compares is true or false, what counts places is whole, all else is a float."""

from __future__ import annotations

import pytest
import torch

from content.claims.computation import parse_computation
from engine.listing.kinds import as_python, kind_of

KNOWN = {"mask": torch.bool, "place": torch.int64, "x": torch.float64}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("x > 0", torch.bool),
        ("tril(ones(4, 4)) == 1", torch.bool),
        ("mask and x < 1", torch.bool),
        ("not x", torch.bool),
        ("mask", torch.bool),
        ("reshape(mask, 1, 4)", torch.bool),
        ("mask[0, :]", torch.bool),
        ("true", torch.bool),
        ("arange(4)", torch.int64),
        ("argsort(x)", torch.int64),
        ("transpose(place)", torch.int64),
        ("place + 1", torch.int64),
        ("-place * 2 + mask", torch.int64),
        ("-mask", torch.int64),
        ("3", torch.int64),
        ("place / 2", torch.float64),
        ("place * 0.5", torch.float64),
        ("[1, 0, 0]", torch.float64),
        ("one_hot(0, 4)", torch.float64),
        ("softmax(mask)", torch.float64),
        ("d_k", torch.float64),
    ],
)
def test_kinds(line: str, expected: torch.dtype) -> None:
    """As Python would have it of the same expression, but for lists: they are vectors."""
    assert expected == kind_of(parse_computation(line), KNOWN)


@pytest.mark.parametrize(("value", "kind", "expected"), [(3, torch.float64, 3), (1, torch.bool, True), (0.5, torch.float64, 0.5)])
def test_numbers_alone(value: float, kind: torch.dtype, expected: object) -> None:
    """A size stays whole, also where a run's parameter gave it."""
    found = as_python(value, kind)

    assert (expected, type(expected)) == (found, type(found))


def test_each_run_has_its_own() -> None:
    """What the corrected listing does to an input, the listing does not see."""
    tensor = torch.zeros(3, dtype=torch.float64)
    as_python(tensor, torch.float64).add_(1)

    assert [0, 0, 0] == tensor.tolist()
