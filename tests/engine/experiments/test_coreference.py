"""The live-trained model: it resolves a pair it never saw, and only by reading it."""

from __future__ import annotations

from collections.abc import Generator
from functools import cache
from typing import cast

import pytest
import torch

from engine.experiments.coreference import BATCH, EXPERIMENT, RATE, resolver, trainings
from engine.label import Label, ParameterError
from engine.result import Matrix, Progress, Result
from engine.textbook.coreference_model import cut, only_the_pronoun_reads
from engine.textbook.optimizers import adam
from engine.textbook.pronoun_sentences import LANGUAGES, held_out_examples, training_examples
from engine.textbook.tiny_transformer import initial_weights
from engine.textbook.training_loop import seeds_beside, train
from tests.engine.runs import run

both = pytest.mark.parametrize("language", ["en", "zh"])


@cache
def played(language: str, edge: str = "referent", reason: str = "hungry", seed: int = 0) -> tuple[list[Progress], Result]:
    steps = EXPERIMENT.measure(EXPERIMENT.accept({"language": language, "edge": edge, "reason": reason, "seed": seed}))
    progress = []
    while True:
        try:
            progress.append(next(cast(Generator[Progress, None, Result], steps)))
        except StopIteration as end:
            return progress, cast(Result, end.value)


def quantities(language: str, edge: str = "referent", reason: str = "hungry", seed: int = 0) -> dict[str, float]:
    return {quantity.name: quantity.value for quantity in played(language, edge, reason, seed)[1].quantities}


def matrix(name: str, language: str, edge: str = "referent") -> Matrix:
    return next(matrix for matrix in played(language, edge)[1].matrices if matrix.name == name)


@both
def test_resolves_a_pair_it_never_saw(language: str) -> None:
    """After 300 steps the held-out pair is resolved in every sentence: the animal is not hungry, the food is not fresh."""
    found = quantities(language)

    assert 100.0 == found["held_out_percent"] == found["resolved_percent"]
    assert found["hungry_probability"] > 0.9
    assert found["fresh_probability"] > 0.9


@both
@pytest.mark.parametrize("seed", [1, 2])
def test_other_seeds_learn_it_too(language: str, seed: int) -> None:
    """It is not the luck of one seed."""
    assert 100.0 == quantities(language, seed=seed)["held_out_percent"]


@both
def test_the_pair_is_never_trained_on(language: str) -> None:
    """No training sentence has both words of the pair, yet each of them occurs with others; all other stories are there."""
    words = LANGUAGES[language]
    animal, food = words.vocabulary.index(words.animals[0]), words.vocabulary.index(words.foods[0])
    trained, asked = training_examples(words).tokens, held_out_examples(words).tokens
    has_animal, has_food = (trained == animal).any(-1), (trained == food).any(-1)

    assert not bool((has_animal & has_food).any())
    assert 5 * 6 == int(has_animal.sum()) == int(has_food.sum())
    assert (35 * 6, 6) == (len(trained), len(asked))
    assert bool(((asked == animal).any(-1) & (asked == food).any(-1)).all())


def test_the_notes_own_sentences() -> None:
    """The sentences read as a person writes them, and the reason decides the referent."""
    zh, en = LANGUAGES["zh"], LANGUAGES["en"]

    assert "小猫没有吃鱼，因为它不新鲜" == zh.space.join(zh.words("小猫", "鱼", "新鲜"))
    assert "the kitten did not eat the fish because it was not hungry" == en.space.join(en.words("kitten", "fish", "hungry"))
    assert ("小猫", "鱼") == (zh.referent("小猫", "鱼", "饿"), zh.referent("小猫", "鱼", "新鲜"))


@both
def test_without_the_edge_it_cannot_know(language: str) -> None:
    """Cut from the referent, it no longer names the kitten, its weight there is 0, and of six nouns it gets at most one right."""
    found = quantities(language)
    whole, wounded = matrix("reading", language).values[1], matrix("reading", language).values[3]
    place = LANGUAGES[language].sentence.index(0)

    assert found["cut_probability"] < 0.5 < found["probability"]
    assert found["cut_resolved_percent"] <= 100 / 6 + 1e-9
    assert (True, 0.0) == (whole[place] > 0.5, wounded[place])
    assert found["referent_weight"] == whole[place]


@both
def test_the_other_edge_matters_less(language: str) -> None:
    """Cut from the noun that is not meant, the answer stays: attention cut at random is no proof, the right edge is."""
    found = quantities(language, "other")

    assert found["cut_probability"] > 0.5 > quantities(language)["cut_probability"]
    assert found["cut_resolved_percent"] > 80


@both
def test_without_the_reason_it_cannot_choose(language: str) -> None:
    """Cut from the reason, it cannot tell an animal from a food: at most half of the answers are right."""
    assert quantities(language, "reason")["cut_resolved_percent"] <= 50


def test_no_cut_changes_nothing() -> None:
    """Without a cut both answers are the same, and a note says so."""
    found = quantities("zh", "none")

    assert found["probability"] == found["cut_probability"]
    assert played("zh", "none")[1].notes


def test_the_reason_chooses_the_sentence() -> None:
    """Training does not depend on the question; the sentence asked about does."""
    hungry, fresh = quantities("zh"), quantities("zh", reason="fresh")

    assert hungry["hungry_probability"] == hungry["probability"] == fresh["hungry_probability"]
    assert fresh["fresh_probability"] == fresh["probability"] == hungry["fresh_probability"]


def test_only_the_pronoun_reads() -> None:
    """In that mask the other tokens see themselves; a cut takes one edge and leaves the mask it was given."""
    mask = only_the_pronoun_reads(4, 2)
    wounded = cut(mask, 2, 0)

    assert [[1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 1, 1], [0, 0, 0, 1]] == mask.int().tolist()
    assert [0, 1, 1, 1] == wounded[2].int().tolist()


def test_nothing_reaches_the_pronoun_around_a_cut() -> None:
    """Where only the pronoun reads, a noun that it is cut from may be any noun: the answer is the same."""
    model = resolver("zh", "pronoun")
    theta = torch.randn(model.shape.count(), generator=torch.Generator().manual_seed(0))
    tokens = held_out_examples(model.language).tokens[:1]
    other = tokens.clone()
    other[0, 0] = 1  # another animal
    mask = cut(model.mask, model.pronoun, 0)

    assert torch.equal(model.answer(theta, tokens, mask)[0], model.answer(theta, other, mask)[0])
    assert not torch.equal(model.answer(theta, tokens)[0], model.answer(theta, other)[0])


def test_streams_its_loss() -> None:
    """Every ten steps a fraction and the curves so far, which end as the Result's curves."""
    progress, result = played("zh")

    assert [step / 30 for step in range(1, 31)] == pytest.approx([each.fraction for each in progress])
    assert [1, 2, 3] == [len(each.result.series[0].y) for each in progress[:3]]
    assert progress[-1].result.series == result.series
    assert result.series[0].y[0] > 1.0 > result.series[0].y[-1]


def test_steps_are_those_of_the_curve() -> None:
    """Only what is a point of the curve can be asked for: the weights are kept after every tenth step."""
    assert 60 == run(EXPERIMENT, steps=60).series[0].x[-1]
    with pytest.raises(ParameterError, match="a multiple of 10; not 55"):
        run(EXPERIMENT, steps=55)


def test_seeds_trained_beside_each_other_are_those_trained_alone() -> None:
    """A seed's numbers do not depend on those that are trained with it: rounding apart, they are the numbers of a training of its own."""
    model = resolver("en", "pronoun")
    generator = torch.Generator().manual_seed(3)
    start = initial_weights(model.shape, generator)
    *_, (alone, loss) = train(start[None], model.lesson(BATCH, [generator]), adam(start[None], RATE), 20)
    *_, (beside, losses) = trainings("en", "pronoun", seeds_beside(3)).first(2)

    assert torch.allclose(alone[0], beside[3], rtol=0, atol=1e-4)
    assert float(loss) == pytest.approx(float(losses[3]), rel=1e-4)


def test_reads_in_both_languages() -> None:
    """A Chinese sentence is glossed word by word for who reads English, and stays what it is for who reads Chinese."""
    words = [word for word in matrix("reading", "zh").columns if isinstance(word, Label)]

    assert ["kitten", "did not", "eat", "fish", ",", "because", "it", "not", "hungry"] == [
        word.en for word in words if isinstance(word, Label)
    ]
    assert ["小猫", "没有", "吃", "鱼", "，", "因为", "它", "不", "饿"] == [word.zh for word in words]
