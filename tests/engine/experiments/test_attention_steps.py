"""The walk-through: every cell against arithmetic that a person can do."""

from __future__ import annotations

import math

import pytest
import torch

from engine.experiments._attention_sentences import SENTENCES
from engine.experiments.attention_steps import EXPERIMENT
from engine.label import Label
from engine.parameter import Value
from engine.textbook.attention_checks import hull_excess
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def matrices(**given: Value) -> dict[str, tuple[tuple[float, ...], ...]]:
    return {matrix.name: matrix.values for matrix in run(**given).matrices}


def test_pronoun_row_by_hand() -> None:
    """ "it" asks (4, 0, 0, 0), so its scores are 4 times the keys' first numbers: 8 for kitten, 4 for fish, 0 for the rest."""
    found = matrices()
    total = math.exp(4) + math.exp(2) + 4

    assert (4, 0, 0, 0) == found["Q"][3]
    assert (8, 0, 4, 0, 0, 0) == found["scores"][3]
    assert (4, 0, 2, 0, 0, 0) == found["scaled"][3]
    assert [math.exp(4) / total, 1 / total, math.exp(2) / total] == pytest.approx(found["weights"][3][:3], abs=1e-12)


@pytest.mark.parametrize("sentence", SENTENCES)
@pytest.mark.parametrize("mask", ["none", "causal"])
def test_pronoun_finds_its_referent(sentence: str, mask: str) -> None:
    """With the hand-set weights the pronoun gives the animal more than everything else together, in every sentence."""
    found = quantities(sentence=sentence, mask=mask)

    assert found["pronoun_to_referent"] > 0.8 > found["pronoun_runner_up"]
    assert "en" != sentence or Label("kitten", "小猫") == SENTENCES[sentence].tokens[SENTENCES[sentence].referent]


def test_hand_weights_make_whole_numbers() -> None:
    """All entries up to the scores are whole numbers, so that a person can check them."""
    found = matrices()

    for name in ("X", "W_Q", "W_K", "W_V", "Q", "K", "V", "scores"):
        assert all(cell == int(cell) for row in found[name] for cell in row), name


@pytest.mark.parametrize("seed", range(5))
def test_softmax_keeps_outputs_inside_the_values(seed: int) -> None:
    """With softmax rows sum to 1 and outputs stay inside the values; without it neither holds."""
    found = quantities(projections="random", seed=seed)

    assert 0.0 == pytest.approx(found["row_sum_error"], abs=1e-12)
    assert 0.0 == pytest.approx(found["hull_excess"], abs=1e-12)
    assert found["unnormalised_row_sum_error"] > 0.5
    assert found["unnormalised_hull_excess"] > 0.1


def test_hull_excess_measures_the_worst_dimension() -> None:
    """An output 2 above the largest value of its dimension and 3 below the smallest of another exceeds by 3."""
    value = torch.tensor([[0.0, 0.0], [1.0, 1.0]])

    assert 3.0 == hull_excess(torch.tensor([[3.0, 0.5], [0.5, -3.0]]), value)


def test_equals_torch() -> None:
    """The steps give what torch's own function gives, masked or not."""
    for mask in ("none", "causal"):
        assert 0.0 == pytest.approx(quantities(mask=mask, projections="random")["torch_difference"], abs=1e-12)


def test_causal_mask_forbids_the_future() -> None:
    """Masked scores are -inf above the diagonal only, and their weights exactly 0; without a mask later tokens get weight."""
    masked = matrices(mask="causal")["masked"]

    assert [[column > row for column in range(6)] for row in range(6)] == [[cell == -math.inf for cell in row] for row in masked]
    assert 0.0 == quantities(mask="causal")["future_weight"]
    assert quantities()["future_weight"] > 0.1
    assert "masked" not in matrices()


def test_steps_follow_the_computation() -> None:
    """A step for every operation, the mask between scaling and softmax, each with the shape of its matrix."""
    steps = run(mask="causal").steps

    assert ["X", "Q", "K", "V", "scores", "scaled", "masked", "weights", "output"] == [step.matrix for step in steps]
    assert [(6, 4)] * 4 + [(6, 6)] * 4 + [(6, 4)] == [step.shape for step in steps]


def test_seed_moves_random_projections_only() -> None:
    """Another seed gives other random weights and the same hand-set ones."""
    assert run(seed=1) == run(seed=2)
    assert run(projections="random", seed=1) != run(projections="random", seed=2)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_is_shown_in_the_readers_language(sentence: str) -> None:
    """Every token has a name in both languages, and the rows of the weights bear them."""
    weights = next(matrix for matrix in run(sentence=sentence).matrices if matrix.name == "weights")

    assert all(isinstance(name, Label) and name.en.isascii() and not name.zh.isascii() for name in weights.rows)
    assert SENTENCES[sentence].tokens == weights.rows == weights.columns


@pytest.mark.parametrize("sentence", SENTENCES)
def test_keys_decide_the_weights_and_values_do_not(sentence: str) -> None:
    """Two keys exchanged move the pronoun's weights; two values exchanged move its output and no weight."""
    found = quantities(sentence=sentence)

    assert 0.0 == found["values_exchanged_weight_change"]
    assert found["keys_exchanged_weight_change"] > 0.5
    assert found["values_exchanged_output_change"] > 0.5


@pytest.mark.parametrize("sentence", SENTENCES)
def test_one_matrix_for_both_makes_scores_symmetric(sentence: str) -> None:
    """The pronoun scores its referent 8 and itself 0; with the keys' matrix for both it would score itself 4 and the referent 0."""
    found = quantities(sentence=sentence)

    assert (8, 0, 0) == (found["pronoun_score"], found["pronoun_self_score"], found["referent_to_pronoun_score"])
    assert (0, 4, 0) == (found["shared_pronoun_score"], found["shared_pronoun_self_score"], found["shared_asymmetry"])


def test_softmax_along_another_direction_makes_no_weights() -> None:
    """Down the columns, or over the whole matrix, rows do not sum to 1."""
    found = quantities()

    assert found["column_softmax_row_sum_error"] > 0.5
    assert found["whole_softmax_row_sum_error"] > 0.5


@pytest.mark.parametrize("sentence", SENTENCES)
@pytest.mark.parametrize("mask", ["none", "causal"])
@pytest.mark.parametrize("projections", ["hand", "random"])
def test_every_step_says_the_line_of_torch_that_makes_it(sentence: str, mask: str, projections: str) -> None:
    """Run one after the other, from X and the projections on, the lines give the matrices of their steps."""
    result = run(sentence=sentence, mask=mask, projections=projections)
    made = {matrix.name: torch.tensor(matrix.values, dtype=torch.float64) for matrix in result.matrices}
    tokens = torch.nn.Embedding.from_pretrained(made["X"])  # type: ignore[no-untyped-call]
    known = {"torch": torch, "math": math, "embedding": tokens, "ids": torch.arange(len(made["X"]))}
    known |= {name: made[name] for name in ("W_Q", "W_K", "W_V")}
    for step in result.steps:
        exec(step.code, known)
        name = step.code.partition(" = ")[0]

        assert torch.allclose(known[name], made[step.matrix], atol=1e-12), step.code
