"""Speculative decoding against the closed form, a token-by-token simulation in plain Python, and the reference numbers."""

from __future__ import annotations

import random

import pytest
import torch

from engine.experiments.speculative_decoding import DRAFT, EXPERIMENT, TARGET
from engine.textbook.speculative_sampling import acceptance, acceptance_rate, exact_output, residual, tokens_per_pass
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def drawn_distributions(seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    p, q = torch.randn(2, 7, generator=torch.Generator().manual_seed(seed), dtype=torch.float64).mul(2).softmax(-1)
    return p, q


@pytest.mark.parametrize("seed", range(5))
def test_output_is_the_target(seed: int) -> None:
    """For any two distributions, summed over all guesses and replacements, the residual gives p; redrawing from p does not."""
    p, q = drawn_distributions(seed)
    refused = sum(float(q[x] * (1 - acceptance(p, q)[x])) for x in range(7))
    expected = [float(q[x] * acceptance(p, q)[x]) + refused * float(residual(p, q)[x]) for x in range(7)]

    assert p.tolist() == pytest.approx(expected)
    assert p.tolist() == pytest.approx(exact_output(p, q, residual(p, q)).tolist())
    assert 1 - refused == pytest.approx(acceptance_rate(p, q))
    assert float((exact_output(p, q, p) - p).abs().max()) > 1e-3


def test_reference_numbers() -> None:
    """Target (.5, .3, .2), draft (.1, .3, .6): .60 of the guesses are kept, and 20,000 draws miss the target by no more than chance."""
    found = quantities()
    drawn = run().matrices[0].values[2]

    assert 0.6 == pytest.approx(found["acceptance"])
    assert found["residual_error"] < 1e-12
    assert 0.6 == pytest.approx(found["acceptance_sampled"], abs=0.015)
    assert list(TARGET) == pytest.approx(list(drawn), abs=0.015)
    assert 0.2 == pytest.approx(found["resample_target_error"])
    assert 0.4 == pytest.approx(found["draft_error"])


def test_tokens_a_pass() -> None:
    """The expected tokens of a pass are those of a simulation that stops at the first refusal: one if none is kept, γ + 1 if all are."""
    chance = random.Random(5)
    total = 0
    for _ in range(20_000):
        total += 1
        for _ in range(4):
            if chance.random() >= 0.6:
                break
            total += 1

    assert total / 20_000 == pytest.approx(tokens_per_pass(0.6, 4), rel=0.02)
    assert (1, 5) == (tokens_per_pass(0.0, 4), tokens_per_pass(1.0, 4))
    assert (1 - 0.6**5) / 0.4 == pytest.approx(quantities()["tokens_a_pass"])


def test_speed_up() -> None:
    """Free guesses speed up by the tokens of a pass; guesses as dear as the target's pass slow down, and a note says so."""
    assert quantities(draft_cost=0.0)["tokens_a_pass"] == quantities(draft_cost=0.0)["speed_up_factor"]
    assert quantities(draft_cost=1.0)["speed_up_factor"] < 1
    assert run(draft_cost=1.0).notes


def test_a_perfect_draft_is_always_kept() -> None:
    """When q = p every guess is kept and both arms agree."""
    found = quantities(agreement=1.0)

    assert 1.0 == pytest.approx(found["acceptance"]) == pytest.approx(found["acceptance_sampled"])
    assert found["resample_target_error"] < 1e-12


def test_a_draft_without_a_token() -> None:
    """Where the draft is too bold the guess is kept in part, where it is too shy always."""
    p, q = torch.tensor(TARGET, dtype=torch.float64), torch.tensor(DRAFT, dtype=torch.float64)

    assert [1.0, 1.0, pytest.approx(1 / 3)] == acceptance(p, q).tolist()
    assert [1.0, 0.0, 0.0] == residual(p, q).tolist()
