"""Other settings of an experiment."""

from __future__ import annotations

from dataclasses import replace

from engine import Label, Parameter
from quiz.card.settings import SEEDS, SETTINGS, random_settings
from tests.quiz.driving import FAKE


def test_other_settings_have_one_of_the_first_seeds() -> None:
    """Their models are there already: with any seed at all, each setting of an experiment that trains would train five anew. Every other
    slider goes anywhere."""
    seed = Parameter("seed", Label("seed", "种子"), default=3, low=0, high=100)
    settings = list(random_settings(replace(FAKE, parameters=(*FAKE.parameters, seed))))

    assert SETTINGS == len(settings)
    assert {True} == {0 <= given["seed"] < SEEDS for given in settings if isinstance(given["seed"], int)}
    assert len({given["d_k"] for given in settings}) > 2
