"""Perplexity, against torch's cross_entropy, arithmetic on three tokens, and the chain rule."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
import torch
from torch.nn import functional

from engine.experiments.perplexity import ASKED, EXPERIMENT, LEARNED, WORDS, asked, cut, cut_text, log_probabilities
from engine.textbook.bigram import ALPHA, START, train_bigram
from engine.textbook.perplexity import bits_per, mean_of_perplexities, perplexity, perplexity_per
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def test_perplexity_is_e_to_torchs_cross_entropy() -> None:
    """exp of torch's mean cross-entropy over the tokens that came."""
    logits = 2 * torch.randn(9, 5, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    tokens = torch.tensor([0, 1, 2, 3, 4, 0, 1, 2, 3])
    logs = logits.log_softmax(-1).gather(-1, tokens[:, None]).squeeze(-1)

    assert math.exp(float(functional.cross_entropy(logits, tokens))) == pytest.approx(perplexity(logs))


def test_three_tokens_by_hand() -> None:
    """p = 1/2, 1/4, 1/8: perplexity 4, the mean of 2, 4 and 8 is not; per word of two words 8, 3 bits a word."""
    logs = torch.tensor([0.5, 0.25, 0.125], dtype=torch.float64).log()

    assert 4.0 == pytest.approx(perplexity(logs))
    assert 14 / 3 == pytest.approx(mean_of_perplexities(logs))
    assert 8.0 == pytest.approx(perplexity_per(2, logs))
    assert 3.0 == pytest.approx(bits_per(2, logs))


@pytest.mark.parametrize("vocabulary", [2, 50257])
def test_a_guess_has_perplexity_v(vocabulary: int) -> None:
    """A uniform guess among V tokens has perplexity V."""
    assert vocabulary == pytest.approx(quantities(vocabulary=vocabulary)["uniform_perplexity"])


@pytest.mark.parametrize("loss", [0.25, 3.0, 8.0])
@pytest.mark.parametrize("pieces", [1.3, 2.0, 3.0])
def test_more_pieces_look_easier(loss: float, pieces: float) -> None:
    """In more pieces the text is as probable, its perplexity per token is the 1/pieces-th power, per word nothing changes."""
    found = quantities(loss=loss, pieces=pieces)

    assert WORDS * pieces == pytest.approx(found["token_count"])
    assert math.exp(loss) == pytest.approx(found["word_perplexity"]) == pytest.approx(found["token_perplexity_per_word"])
    assert math.exp(loss / pieces) == pytest.approx(found["token_perplexity"])
    assert found["bits_per_character_words"] == pytest.approx(found["bits_per_character_pieces"])
    assert float(cut(log_probabilities(loss, 3), pieces).sum()) == pytest.approx(float(log_probabilities(loss, 3).sum()))


@pytest.mark.parametrize("seed", [0, 7, 99])
def test_the_mean_of_perplexities_is_ruled_by_the_worst(seed: int) -> None:
    """The mean of 1/p is several times the perplexity, and a single word makes up much of it; all probabilities are below 1."""
    found = quantities(seed=seed)

    assert found["mean_of_perplexities"] > 2 * found["word_perplexity"]
    assert found["worst_share"] > 5
    assert float(log_probabilities(3.0, seed).max()) < 0


def test_curves_and_note() -> None:
    """The curves pass through the quantities; one piece a word is noted."""
    found, curves = quantities(), {series.name: series.y for series in run().series}

    assert found["token_perplexity"] == pytest.approx(curves["token_perplexity_over_pieces"][5])
    assert found["word_perplexity"] == pytest.approx(curves["perplexity_over_loss"][12])
    assert (1, 0) == (len(run(pieces=1.0).notes), len(run().notes))


def test_a_bigram_model_by_hand() -> None:
    """a b a b a: after a came b twice of two times; an unseen pair gets α, and all that may come, the unknown with it, sums to 1."""
    model = train_bigram([list("ababa")], "ab")

    assert (2 + ALPHA) / (2 + 3 * ALPHA) == pytest.approx(model.probability("a", "b"))
    assert (1 + ALPHA) / (1 + 3 * ALPHA) == pytest.approx(model.probability(START, "a"))
    assert 1.0 == pytest.approx(sum(model.probability("b", token) for token in ("a", "b", "☃")))


def test_the_model_of_characters_by_counting() -> None:
    """Without merges every character of the text is predicted from the one before it, counted in the sentences with str.count."""
    sentences = ["^" + "".join(word + "$" for word in sentence.split()) for sentence in LEARNED]
    signs = len(set("".join(sentences))) - 1  # ^ comes nowhere
    text = "^" + "".join(word + "$" for word in ASKED.split())

    def probability(before: str, sign: str) -> float:
        pair, first = (sum(sentence[:end].count(what) for sentence in sentences) for what, end in ((before + sign, None), (before, -1)))
        return (pair + ALPHA) / (first + ALPHA * (signs + 1))

    expected = [math.log(probability(*pair)) for pair in pairwise(text)]

    assert expected == pytest.approx(asked(ASKED, 0).tolist())


@pytest.mark.parametrize("merges", [0, 5, 30, 60])
def test_two_tokenizers(merges: int) -> None:
    """Pieces spell the text, whatever their number; per character the perplexity is the same loss shared out over other units."""
    found = quantities(merges=merges)

    assert ASKED.split() == "".join(cut_text(ASKED, merges)).split("</w>")[:-1]
    assert found["piece_count"] * math.log(found["piece_perplexity"]) == pytest.approx(
        found["character_count"] * math.log(found["piece_perplexity_per_character"])
    )


def test_larger_pieces_look_harder() -> None:
    """With 60 merges a piece is harder to guess than a character, and the text is easier."""
    found = quantities(merges=60)

    assert found["piece_perplexity"] > found["character_perplexity"] > found["piece_perplexity_per_character"]
