"""What attention knows of order, against torch's encoder layer and convolution, and by hand."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from engine.experiments.order_blindness import EXPERIMENT
from engine.label import Label
from engine.parameter import Value
from engine.result import Matrix
from engine.textbook.permutation_symmetry import ORDERS, equivariance_error, invariance_error, mean_pooled
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def matrix(name: str, **given: Value) -> Matrix:
    return next(matrix for matrix in run(**given).matrices if matrix.name == name)


X = torch.randn(5, 4, generator=torch.Generator().manual_seed(0), dtype=torch.float64)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("n", [1, 2, 5])
def test_orders_are_permutations(order: str, n: int) -> None:
    """Every order has each index once, and moves something as soon as there are two."""
    indices = ORDERS[order](n).tolist()

    assert list(range(n)) == sorted(indices)
    assert (n > 1) == (indices != list(range(n)))


def test_orders_by_hand() -> None:
    """Reversed, rotated to the left, first two swapped."""
    assert {"reverse": [3, 2, 1, 0], "rotate": [1, 2, 3, 0], "swap": [1, 0, 2, 3]} == {
        name: order(4).tolist() for name, order in ORDERS.items()
    }


def test_errors_on_layers_whose_answer_is_known() -> None:
    """A layer of torch without positions is equivariant, a sum over tokens invariant, a running sum neither."""
    encoder = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True, dtype=torch.float64).eval()
    order = ORDERS["rotate"](5)

    def torchs(x: Tensor) -> Tensor:
        return torch.as_tensor(encoder(x[None])[0])

    with torch.no_grad():
        assert 0.0 == pytest.approx(equivariance_error(torchs, X, order), abs=1e-12)
        assert 0.0 == pytest.approx(invariance_error(mean_pooled(torchs), X, order), abs=1e-12)
        assert invariance_error(torchs, X, order) > 0.1
    assert equivariance_error(lambda x: x.cumsum(0), X, order) > 0.1
    assert invariance_error(mean_pooled(lambda x: x.cumsum(0)), X, order) > 0.1


def test_rotation_needs_the_order_and_not_its_inverse() -> None:
    """A layer that looks up each token is equivariant under a rotation, which is not its own inverse."""
    assert 0.0 == equivariance_error(lambda x: 2 * x + 1, X, ORDERS["rotate"](5))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("order", ["reverse", "rotate", "swap"])
@pytest.mark.parametrize("tokens", [2, 3, 6])
def test_equivariant_not_invariant(tokens: int, order: str, seed: int) -> None:
    """Without positions Attn(PX) = P·Attn(X), which is not Attn(X); the mean stays. Positions and a causal mask break both."""
    found = quantities(tokens=tokens, order=order, seed=seed)

    assert 0.0 == pytest.approx(found["equivariance_error"], abs=1e-12)
    assert 0.0 == pytest.approx(found["pooled_change"], abs=1e-12)
    broken = ("invariance_error", "positions_error", "causal_error", "positions_pooled_change", "causal_pooled_change")
    assert [] == [name for name in broken if found[name] < 1e-3]


def test_words_keep_their_weights() -> None:
    """Without positions "man bites dog" has the weights of "dog bites man", word by word; with positions it has others."""

    def by_words(matrix: Matrix) -> dict[tuple[Label | str, Label | str], float]:
        return {
            (row, column): cell
            for row, cells in zip(matrix.rows, matrix.values, strict=True)
            for column, cell in zip(matrix.columns, cells, strict=True)
        }

    plain, reordered = by_words(matrix("weights")), by_words(matrix("reordered_weights"))
    placed, reordered_placed = by_words(matrix("positions_weights")), by_words(matrix("reordered_positions_weights"))

    assert (Label("man", "人"), Label("bites", "咬"), Label("dog", "狗")) == matrix("reordered_weights").rows
    assert plain == pytest.approx(reordered)
    assert plain != pytest.approx(placed, abs=1e-3)
    assert placed != pytest.approx(reordered_placed, abs=1e-3)


def test_no_positions_no_order() -> None:
    """Position vectors of length 0 change nothing, and a note says so."""
    found = quantities(strength=0.0)

    assert 0.0 == pytest.approx(found["positions_error"], abs=1e-12)
    assert 1 == len(run(strength=0.0).notes)
    assert () == run().notes


def test_curves_pass_through_the_quantities() -> None:
    """Both curves start at 0 and reach the quantities at their strength."""
    errors, pooled = run().series
    found = quantities(strength=1.5)

    assert 0.0 == pytest.approx(max(errors.y[0], pooled.y[0]), abs=1e-12)
    assert found["positions_error"] == pytest.approx(errors.y[15])
    assert found["positions_pooled_change"] == pytest.approx(pooled.y[15])


def test_both_sentences() -> None:
    """Both sentences begin with the same three words, in both languages, and are the same computation."""
    assert matrix("reordered_weights").rows == matrix("reordered_weights", sentence="zh").rows
    assert run(sentence="zh").quantities == run().quantities
