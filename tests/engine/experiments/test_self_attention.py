"""Queries, keys and values: what each decides, against torch's own function and by hand."""

from __future__ import annotations

import math

import pytest
import torch
from torch.nn import functional
from torch.testing import assert_close

from engine.experiments.self_attention import EXPERIMENT, attention_with_changed, lookup
from engine.parameter import Value
from engine.textbook.projections import random_projections, self_attention
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def matrix(name: str, **given: Value) -> tuple[tuple[float, ...], ...]:
    return next(matrix.values for matrix in run(**given).matrices if matrix.name == name)


def moved(rows: tuple[tuple[float, ...], ...]) -> list[int]:
    """Which rows (from 1) are not all 0."""
    return [index for index, row in enumerate(rows, 1) if any(row)]


def test_output_equals_torchs_attention() -> None:
    """The output shown is F.scaled_dot_product_attention of the Q, K and V shown."""
    shown = {each.name: torch.tensor(each.values, dtype=torch.float64) for each in run(tokens=5, width=3).matrices}

    expected = functional.scaled_dot_product_attention(shown["Q"][None], shown["K_T"].T[None], shown["V"][None])[0]

    assert_close(expected, shown["output"], rtol=0, atol=1e-12)


@pytest.mark.parametrize("position", [1, 3, 5])
def test_a_query_moves_its_own_row_only(position: int) -> None:
    """Another query changes the weights and the output of that one token."""
    given: dict[str, Value] = {"changed": "query", "position": position, "tokens": 5}

    assert [position] == moved(matrix("weight_change", **given)) == moved(matrix("output_change", **given))
    assert 1 == quantities(**given)["query_outputs_moved"]


def test_a_key_moves_every_row() -> None:
    """Another key changes all weights, its own column and through the denominator the others, and so all outputs."""
    change = matrix("weight_change", changed="key", position=2)

    assert all(cell for row in change for cell in row)
    assert [0.0] * 4 == pytest.approx([sum(row) for row in change], abs=1e-12)
    assert 4 == quantities()["key_outputs_moved"]


def test_a_value_moves_no_weight() -> None:
    """Another value leaves every weight exactly as it was and moves each output by its weight times the value's change."""
    change, weights = matrix("output_change", changed="value", position=2), matrix("weights")

    assert 0.0 == quantities()["value_weight_change"]
    assert 4 == quantities()["value_outputs_moved"]
    assert [row[1] / weights[0][1] for row in weights] == pytest.approx([row[0] / change[0][0] for row in change])


def test_a_token_has_all_three_roles() -> None:
    """Another token is attention over the changed sequence: all three roles at once."""
    generator = torch.Generator().manual_seed(3)
    x, other = torch.randn(4, 3, generator=generator, dtype=torch.float64), torch.ones(3, dtype=torch.float64)
    p = random_projections(generator, 3, 3)
    x2 = x.clone()
    x2[2] = other

    for expected, found in zip(self_attention(x2, p), attention_with_changed("token", x, other, 2, p), strict=True):
        assert_close(expected, found, rtol=0, atol=0)


@pytest.mark.parametrize("seed", range(5))
def test_q_k_v_are_not_x(seed: int) -> None:
    """Q = K = V = X gives symmetric scores, whatever the tokens; three projections do not."""
    found = quantities(seed=seed)

    assert 0.0 == pytest.approx(found["bare_asymmetry"], abs=1e-12)
    assert found["projected_asymmetry"] > 0.1


def test_without_projections_a_token_prefers_itself() -> None:
    """Over 20 seeds at d = 8 a token without projections gives itself most of its weight, with them about 1/4."""
    found = [quantities(width=8, seed=seed) for seed in range(20)]

    assert sum(each["bare_self_weight"] for each in found) / 20 > 0.6
    assert 0.25 == pytest.approx(sum(each["projected_self_weight"] for each in found) / 20, abs=0.1)


def test_lookup() -> None:
    """With one-hot keys and a query of length 10 the weight on the key is e^10/(e^10 + 3) and the output nearly its value."""
    value = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]], dtype=torch.float64)

    output, weights = lookup(value, 2, 10.0)

    assert math.exp(10) / (math.exp(10) + 3) == pytest.approx(float(weights[2]))
    assert [5.0, 6.0] == pytest.approx(output.tolist(), abs=1e-3)
    assert [4.0, 5.0] == pytest.approx(lookup(value, 2, 0.0)[0].tolist())


def test_lookup_curve() -> None:
    """The curve starts at 1/n, rises to 1, and passes through the quantity."""
    curve = run(tokens=5).series[0]

    assert 0.2 == pytest.approx(curve.y[0])
    assert list(curve.y) == sorted(curve.y)
    assert quantities(tokens=5, sharpness=3.0)["lookup_weight"] == curve.y[3]
    assert quantities(tokens=5, sharpness=20.0)["lookup_error"] < 1e-6


def test_table_counts_rows() -> None:
    """Rows of weights and outputs that move: none and all for a value, all and all for a key and a token, one and one for a query."""
    table = run().tables[0]

    assert {"its value": (0, 4), "its key": (4, 4), "its query": (1, 1), "the token itself": (4, 4)} == {
        getattr(label, "en", label): (weights, outputs) for label, weights, outputs in table.rows
    }


def test_a_token_that_does_not_exist_is_said() -> None:
    """A position beyond the last token means the last one, and a note says so."""
    assert ["There is no token 6; token 4 changes."] == [note.en for note in run(position=6).notes]
    assert run(position=6).quantities == run(position=4).quantities
    assert () == run().notes
