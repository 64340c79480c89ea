"""A cell opens into the product, the softmax or the mask that made it, and never into what did not."""

from __future__ import annotations

from dataclasses import replace

from engine.result import Matrix
from quiz.charts.figures.subject import named_in
from quiz.charts.opened_cell import can_open, opened_cell, operand_cells
from quiz.words.i18n import Words
from tests.quiz.charts.figures.samples import MASKED, QUERIES, RESULT, SCORES, UNMASKED, WEIGHTS, pen, text

KNOWN = {matrix.name: matrix for matrix in RESULT.matrices}


def opened(matrix: Matrix, row: int, column: int, language: str = "en", known: dict[str, Matrix] = KNOWN) -> list[str]:
    rows = opened_cell(named_in(matrix, Words(language)), known, (row, column), 90, pen(language))
    return text(rows).splitlines() if rows else []


def test_a_softmax_shows_scores_powers_and_their_sum() -> None:
    """Three lines: the row of scores, e to them with the sum, the cell as one over the other."""
    assert [
        "s = scores[it] = 3, 0, 1.5, 0",
        "Σ e^s = 20.09 + 1 + 4.482 + 1 = 26.57",
        "unmasked[it, kitten] = e^3 / 26.57 = 20.09 / 26.57 = 0.756",
    ] == opened(UNMASKED, 3, 0)


def test_a_softmax_over_masked_scores_leaves_them_out() -> None:
    """The first matrix that is there counts: the masked scores where there are any."""
    assert "Σ e^s = 1 + 2.718 + 0 + 0 = 3.718" == opened(WEIGHTS, 1, 0)[1]


def test_a_forbidden_cell_says_why() -> None:
    """In the scores and in the weights, in the reader's language."""
    assert ["masked[kitten, fish] = -∞: a later key"] == opened(MASKED, 0, 2)
    assert ["weights[小猫, 鱼] = 0: 键在查询之后"] == opened(WEIGHTS, 0, 2, "zh")
    assert ["masked[fish, refused] = scores[fish, refused] = -1"] == opened(MASKED, 2, 1)


def test_a_product_shows_its_terms() -> None:
    """As before."""
    assert ["scores[it, fish] = 3·0.5 + 0·0.5 = 1.5"] == opened(SCORES, 3, 2)


def test_nothing_is_said_that_the_numbers_do_not_bear_out() -> None:
    """A matrix that claims to be a softmax and is none opens into nothing, nor one whose operand is missing."""
    assert [] == opened(replace(UNMASKED, values=((0.5,) * 4,) * 4), 0, 0)
    assert [] == opened(UNMASKED, 0, 0, known={})
    assert (False, True) == (can_open(UNMASKED, {}), can_open(UNMASKED, KNOWN))


def test_the_operands_of_a_cell_light_up() -> None:
    """A row and a column of a product, a row of a softmax, one cell of a mask."""
    row, column = frozenset({(3, 0), (3, 1)}), frozenset({(0, 2), (1, 2)})

    assert {"Q": row, "K_T": column} == operand_cells(SCORES, KNOWN, (3, 2))
    assert {"scores": frozenset((3, i) for i in range(4))} == operand_cells(UNMASKED, KNOWN, (3, 2))
    assert {"scores": frozenset({(2, 1)})} == operand_cells(MASKED, KNOWN, (2, 1))
    assert {} == operand_cells(QUERIES, KNOWN, (0, 0))
