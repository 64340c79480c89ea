"""Softmax's properties and its overflow, against torch and by hand."""

from __future__ import annotations

import math

import pytest
import torch
from torch.testing import assert_close

from engine.experiments.softmax import EXPERIMENT, keeps_order
from engine.parameter import Value
from engine.result import Matrix
from engine.textbook.softmax import divided_by_sum, log_sum_exp, naive_softmax, tempered_softmax
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)

SCORES = torch.tensor([[1.0, -2.0, 0.5, 3.0], [7.0, 7.0, -9.0, 2.0]], dtype=torch.float64)


def matrix(name: str, **given: Value) -> Matrix:
    return next(matrix for matrix in run(**given).matrices if matrix.name == name)


@pytest.mark.parametrize("temperature", [0.1, 1.0, 3.0])
def test_tempered_softmax_equals_torch(temperature: float) -> None:
    """softmax(s/T) is torch's softmax of the divided scores, row by row."""
    assert_close(tempered_softmax(SCORES, temperature), torch.softmax(SCORES / temperature, -1), rtol=0, atol=1e-12)


def test_naive_softmax_is_right_where_it_does_not_overflow() -> None:
    """The form as written equals torch's for moderate scores."""
    assert_close(naive_softmax(SCORES), torch.softmax(SCORES, -1), rtol=0, atol=1e-12)


def test_log_sum_exp_equals_torch() -> None:
    """ln Σ e^s equals torch's, also at ±1000, where e^s overflows or vanishes in float64 too."""
    for shift in (0.0, 1000.0, -1000.0):
        assert_close(log_sum_exp(SCORES + shift), torch.logsumexp(SCORES + shift, -1), rtol=0, atol=1e-12)


def test_naive_softmax_of_88_89_100() -> None:
    """In float32 the form as written gives 0, NaN, NaN for 88, 89, 100, and the stable one 0, 0, 1."""
    rows = next(table.rows for table in run(score_1=-6.0, score_2=-5.0, score_3=6.0, shift=94).tables)

    assert ["88.0", "89.0", "100.0"] == [str(row[0]) for row in rows]
    assert [0.0, "nan", "nan"] == [row[2] for row in rows]
    assert [0.0, 0.0, 1.0] == pytest.approx([row[4] for row in rows], abs=1e-4)


def test_float32_holds_e_to_the_88() -> None:
    """88 is the last whole number whose exponential float32 can hold."""
    assert 89 == quantities()["overflow_at"]
    assert math.exp(88) < torch.finfo(torch.float32).max < math.exp(89)


@pytest.mark.parametrize(("shift", "naive"), [(0, 0), (80, 0), (90, 3), (200, 3), (-90, 0), (-110, 3)])
def test_unusable_weights(shift: int, naive: float) -> None:
    """As written, 1, 2, 3 break once shifted by 90 (overflow) or by -110 (0/0); with the largest taken out they never do."""
    found = quantities(shift=shift)

    assert naive == found["naive_unusable"]
    assert 0 == found["stable_unusable"]


def test_weights_of_1_2_3() -> None:
    """The weights of 1, 2, 3 are e^(s-3)/(1 + 1/e + 1/e²): .090, .245, .665."""
    weights = matrix("weights").values[0]

    assert (0.0900, 0.2447, 0.6652) == pytest.approx(weights, abs=5e-5)
    assert 1.0 == pytest.approx(quantities()["weight_sum"], abs=1e-12)
    assert weights[0] == pytest.approx(quantities()["smallest_weight"])


def test_a_shift_changes_softmax_but_not_a_quotient() -> None:
    """Shifting by 100 moves no softmax weight; (1, 2, 3)/6 becomes (101, 102, 103)/306."""
    found = quantities()

    assert 0.0 == pytest.approx(found["shift_change"], abs=1e-12)
    assert 0.5 - 103 / 306 == pytest.approx(found["linear_shift_change"])
    assert 103 == math.floor(found["log_sum_exp"])


def test_a_quotient_needs_a_sum() -> None:
    """Where the scores sum to 0 there is no s / Σ s: the quantity is missing, and a note says why."""
    result = run(score_1=-3.0, score_2=1.0, score_3=2.0)

    assert "linear_shift_change" not in result.scope()
    assert ["s / Σ s divides by zero here: the scores, or the shifted ones, sum to 0."] == [note.en for note in result.notes]


def test_a_quotient_can_be_negative() -> None:
    """s / Σ s sums to 1 with a negative weight among them, which softmax never has."""
    weights = divided_by_sum(torch.tensor([[-1.0, 2.0, 3.0], [1.0, 1.0, 2.0]]))

    assert [[-0.25, 0.5, 0.75], [0.25, 0.25, 0.5]] == weights.tolist()
    assert quantities(score_1=-10.0)["smallest_weight"] > 0


def test_temperature() -> None:
    """Near 0 the largest score takes all, at 10 the weights are nearly the same, at 1 nothing changes."""
    by_temperature = dict(zip((0.1, 0.5, 1.0, 2.0, 10.0), matrix("weights_by_temperature").values, strict=True))

    assert by_temperature[0.1][2] > 0.9999
    assert max(by_temperature[10.0]) - min(by_temperature[10.0]) < 0.1
    assert by_temperature[1.0] == matrix("weights").values[0]
    assert by_temperature[2.0] == matrix("weights", temperature=2.0).values[0]


def test_entropy_grows_with_temperature() -> None:
    """The entropy curve rises from 0 towards ln 3 and passes through the quantity at T = 1."""
    curve = next(series for series in run().series if series.name == "entropy_over_temperature")

    assert list(curve.y) == sorted(curve.y)
    assert curve.y[0] < 0.01 < 1.09 < curve.y[-1] < quantities()["uniform_entropy"]
    assert quantities()["weight_entropy"] == pytest.approx(curve.y[curve.x.index(1.0)])


def test_order() -> None:
    """Larger scores never get smaller weights; the test itself sees an exchange."""
    assert 1.0 == quantities(score_1=4.0, score_2=-4.0)["order_kept"]
    assert not keeps_order(torch.tensor([1.0, 2.0]), torch.tensor([0.6, 0.4]))


def test_overflow_curves() -> None:
    """Over the shift the form as written breaks on both sides, and the stable form nowhere."""
    naive, stable = run().series[:2]

    assert (3.0, 3.0, 0.0) == (naive.y[0], naive.y[-1], naive.y[naive.x.index(0.0)])
    assert {0.0} == set(stable.y)
