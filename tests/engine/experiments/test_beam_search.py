"""Greedy, beam search and the exact search, against the enumeration of every text."""

from __future__ import annotations

import itertools
import math

import pytest
import torch

from engine.experiments.beam_search import EXPERIMENT, random_models, two_words
from engine.textbook.sequence_search import END, Bigrams, Text, beam_search, greedy, likeliest, penalised
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def model(seed: int) -> Bigrams:
    logits = 2 * torch.randn(5, 4, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    logs = logits.log_softmax(-1).tolist()
    return Bigrams(logs[0], logs[1:])


def every_text(words: int, longest: int) -> list[Text]:
    """All that end with END, and all of full length without one."""
    texts = [text for length in range(1, longest + 1) for text in itertools.product(range(words), repeat=length)]
    return [text for text in texts if END not in text[:-1] and (text[-1] == END or len(text) == longest)]


@pytest.mark.parametrize("seed", range(6))
def test_the_likeliest_text_is_the_best_of_all(seed: int) -> None:
    """Dynamic programming finds what enumeration finds, and the probabilities of all texts sum to 1."""
    texts = every_text(4, 4)

    assert 1.0 == pytest.approx(sum(math.exp(model(seed).score(text)) for text in texts))
    assert max(texts, key=model(seed).score) == likeliest(model(seed), 4)


@pytest.mark.parametrize("seed", range(6))
def test_a_beam_is_between_greedy_and_exact(seed: int) -> None:
    """A beam of 1 is greedy; one that holds every beginning is exact; and with α it maximises ln p / length^α over all texts."""
    wide = 4**4

    assert greedy(model(seed), 4) == beam_search(model(seed), 4, 1)
    assert likeliest(model(seed), 4) == beam_search(model(seed), 4, wide)
    assert max(every_text(4, 4), key=lambda text: penalised(model(seed).score(text), len(text), 1.0)) == beam_search(
        model(seed), 4, wide, 1.0
    )


def test_a_beam_may_miss_the_best() -> None:
    """A narrow beam drops a beginning that turns out best: it is not exact."""
    misses = [each for each in random_models(0) if beam_search(each, 6, 2) != likeliest(each, 6)]

    assert misses
    assert all(each.score(beam_search(each, 6, 2)) < each.score(likeliest(each, 6)) for each in misses)


def test_reference_numbers() -> None:
    """Greedy takes .6 x .55 = .33, a beam of two .4 x .95 = .38."""
    found = quantities(width=2)

    assert (0.33, 0.38, 0.38) == pytest.approx((found["greedy_probability"], found["beam_probability"], found["best_probability"]))
    assert 0.33 == pytest.approx(quantities(width=1)["beam_probability"])
    assert math.log(0.4 * 0.95) == pytest.approx(two_words(0.6).score((2, 3, END)), abs=1e-9)


def test_greedy_may_be_right() -> None:
    """Where .55·p > .95·(1 - p), greedy finds the best text, and a note says so."""
    found = quantities(first=0.65)

    assert found["best_probability"] == found["greedy_probability"]
    assert run(first=0.65).notes
    assert not run(first=0.6).notes


@pytest.mark.parametrize("seed", [0, 7, 99])
def test_wide_beams_find_more_and_write_less(seed: int) -> None:
    """A wider beam finds the likeliest text more often, and by probability it is shorter; a length penalty mends that."""
    found, series = quantities(seed=seed, width=16), {each.name: each.y for each in run(seed=seed).series}

    assert found["beam_found"] > found["greedy_found"] + 20
    assert found["beam_length"] < found["greedy_length"] - 0.5
    assert found["beam_length_normalised"] > found["beam_length"] + 0.5
    assert series["length_over_width"][-1] < series["length_over_width"][0]


def test_length_bias() -> None:
    """By probability two tokens of p = .3 beat six of p = .2; per token the six win."""
    by_probability, by_mean = quantities(alpha=0.0), quantities(alpha=1.0)

    assert math.log(0.3) == pytest.approx(by_probability["short_score"])
    assert math.log(0.2) / 6 == pytest.approx(by_mean["long_score"])
    assert by_probability["short_score"] > by_probability["long_score"]
    assert by_mean["short_score"] < by_mean["long_score"]


@pytest.mark.parametrize("width", [1, 2, 4, 8, 16])
def test_a_curve_goes_through_its_quantities(width: int) -> None:
    """Over the width the mean lengths are those of the same forty models, and a beam of one is as long as greedy's texts."""
    found, series = quantities(width=width), {each.name: dict(zip(each.x, each.y, strict=True)) for each in run(width=width).series}

    assert found["beam_length"] == series["length_over_width"][width]
    assert found["beam_length_normalised"] == series["length_normalised_over_width"][width]
    assert found["greedy_length"] == series["length_over_width"][1]
