"""16-bit numbers against the definition of the formats and against counting step by step."""

from __future__ import annotations

import math

import numpy
import pytest
import torch

from engine.experiments.precision import BITS, EXPERIMENT
from engine.textbook.precision import DTYPES, counts_to, exp_overflows_at, row_sum_error, spacing, survives, updated_in
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


@pytest.mark.parametrize(("name", "limit"), [("fp16", 2048), ("bf16", 256), ("fp32", 2**24)])
def test_counting_stops(name: str, limit: int) -> None:
    """fp16 counts to 2048, bf16 to 256, fp32 to 2^24: one bit more than the fraction has."""
    assert limit == 2 ** (BITS[name][1] + 1) == counts_to(DTYPES[name])
    assert limit == quantities(numbers=name)["counts_to_limit"]


def test_counting_one_by_one() -> None:
    """Adding 1 three thousand times in 16 bits stops where the formula says."""
    assert (2048, 256) == tuple(updated_in(dtype, 0.0, 1.0, 3000) for dtype in (torch.float16, torch.bfloat16))


@pytest.mark.parametrize("magnitude", [0.001, 1.0, 3.9, 1000.0, 40000.0])
def test_spacing_is_numpys(magnitude: float) -> None:
    """The gap to the next number is the one that numpy measures; below a power of two as well."""
    assert float(numpy.spacing(numpy.float16(magnitude))) == spacing(torch.float16, magnitude)
    assert float(numpy.spacing(numpy.float32(magnitude))) == spacing(torch.float32, magnitude)


def test_limits() -> None:
    """fp16 ends at 65,504 and e^12 overflows; bf16 and fp32 reach 3.4e38 and overflow at e^89."""
    assert 65504 == quantities(numbers="fp16")["largest_number"]
    assert 3.4e38 == pytest.approx(quantities(numbers="bf16")["largest_number"], rel=0.01)
    assert (12, 89, 89) == tuple(exp_overflows_at(dtype) for dtype in DTYPES.values())
    assert math.ceil(math.log(65504)) == exp_overflows_at(torch.float16)


def test_lost_updates() -> None:
    """1 + 1000 updates of 1e-4 stays 1 in fp16 and in bf16; the master copy reaches 1.1."""
    for name in ("fp16", "bf16"):
        found = quantities(numbers=name, update=1e-4, updates=1000)
        assert 1.0 == found["updated_weight"]
        assert 1.1 == pytest.approx(found["master_weight"], abs=1e-3)
    assert 1.1 == pytest.approx(quantities(numbers="fp32")["updated_weight"], abs=1e-4)


def test_updates_survive_above_half_a_gap() -> None:
    """An update beyond half the gap at 1 is not lost in fp16, and is in bf16, whose gap is eight times as wide."""
    assert quantities(numbers="fp16", update=1e-3)["updated_weight"] > 1.5
    assert 1.0 == quantities(numbers="bf16", update=1e-3)["updated_weight"]


def test_small_gradients() -> None:
    """1e-8 is 0 in fp16 and survives times 1024; bf16 needs no loss scale."""
    assert (0, 1) == (quantities()["gradient_survives"], quantities()["scaled_gradient_survives"])
    assert 1 == quantities(numbers="bf16")["gradient_survives"]
    assert not survives(1e6, torch.float16)


def test_masks() -> None:
    """-1e9 is -inf in fp16 only; two masks of the lowest number add to -inf and NaN in any format, the smaller of them does not."""
    assert (1, 0, 0) == tuple(quantities(numbers=name)["billion_is_infinite"] for name in DTYPES)
    for name in DTYPES:
        found = quantities(numbers=name)
        assert (1, 1, 0) == (found["added_masks_are_infinite"], found["added_masks_give_nan"], found["minimum_of_masks_gives_nan"])


def test_row_sums() -> None:
    """Softmax rows miss 1 by more in bf16 than in fp16, and least in fp32."""
    errors = {name: quantities(numbers=name)["softmax_row_sum_error"] for name in DTYPES}

    assert errors["bf16"] > errors["fp16"] > 1e-6 > errors["fp32"] > 0
    assert 0 == row_sum_error(torch.zeros(1, 4), torch.bfloat16)


def test_lost_is_said() -> None:
    """When every update is rounded away a note gives the gap; when none is, another says so."""
    assert "0.00049" in run().notes[0].en
    assert ["Added in fp32 or to a 32-bit master, the updates come to the same here."] == [note.en for note in run(numbers="fp32").notes]
