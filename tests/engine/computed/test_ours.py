"""The program's own experiments, written as an author writes one: the language can say them, and says the same numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from content.deck.computations import computation_problems
from content.deck.library import Given, LoadedDeck, load
from engine.catalog import load as ours
from engine.computed.experiment import experiment
from engine.experiment import Experiment
from engine.parameter import Value
from engine.result import Result
from quiz.card.recipes import recipe

DECK = Path(__file__).parents[2] / "computed_decks" / "ours.yaml"
SETTINGS: dict[str, tuple[int, tuple[dict[str, Value], dict[str, Value]]]] = {  # how many quantities both have, and two settings
    "gelu": (20, ({"x": 0.0}, {"x": 4.3})),
    "kl_divergence": (11, ({"distance": 2.0, "share": 0.3}, {"distance": 7.0, "spread": 0.5})),
    "cross_entropy": (9, ({"gap": 3.5, "smoothing": 0.0}, {"gap": -16.0, "classes": 50257})),
    "perplexity": (9, ({"loss": 0.25, "pieces": 2.3, "seed": 5}, {"loss": 8.0, "pieces": 1.0, "seed": 99})),
    "softmax_jacobian": (10, ({"keys": 64, "seed": 7}, {"keys": 16, "spread": 30.0})),
    "positions_sinusoidal": (12, ({"width": 8, "distance": 77, "seed": 2}, {"width": 128, "position": 0, "shift": 500})),
    "query_key_symmetry": (11, ({"tokens": 2, "d_model": 2, "seed": 3}, {"tokens": 64, "d_model": 256})),
    "quantization": (12, ({"bits": 2, "outlier": 256.0}, {"bits": 5, "outlier": 1.0, "seed": 4})),
    "layer_norm": (17, ({"width": 512, "scale": 0.001, "seed": 1}, {"shift": -10.0, "epsilon": 0.1})),
    "lora": (9, ({"rank": 1, "needed_rank": 8, "seed": 9}, {"rank": 8, "scale": 0.25, "width": 16384})),
    "sampling": (17, ({"temperature": 0.1, "top_p": 1.0, "min_p": 0.0}, {"top_k": 200, "penalty": 3.0, "top_p": 0.35, "seed": 6})),
    "linear_attention": (10, ({"tokens": 64, "width": 8, "spread": 10.0}, {"tokens": 2, "width": 2, "spread": 0.0, "seed": 8})),
}


@pytest.fixture(scope="module")
def deck() -> LoadedDeck:
    library = load([Given(str(DECK), DECK.read_bytes())])
    assert library.decks, library.problems
    return library.decks[0]


def numbers(made: Experiment, given: dict[str, Value]) -> dict[str, float]:
    found = made.measure(made.accept(given))
    assert isinstance(found, Result)
    return {each.name: each.value for each in found.quantities}


def test_every_line_can_be_read(deck: LoadedDeck) -> None:
    """A deck with twelve computations has no problem, and each of the twelve is compared."""
    assert [] == list(computation_problems(deck, SETTINGS))
    assert [f"own_{name}" for name in SETTINGS] == list(deck.deck.experiments)


@pytest.mark.parametrize("name", SETTINGS)
def test_yaml_and_python_have_the_same_numbers(deck: LoadedDeck, name: str) -> None:
    """At the defaults and at two other settings every quantity that both have is the same, with the same random numbers."""
    count, others = SETTINGS[name]
    written, own = ours(name), experiment(recipe(f"own_{name}", deck.deck.experiments[f"own_{name}"]))
    for given in ({}, *others):
        expected, found = numbers(written, given), numbers(own, given)
        shared = expected.keys() & found.keys()

        assert count == len(shared)
        assert {each: expected[each] for each in shared} == pytest.approx({each: found[each] for each in shared}, rel=1e-9, abs=1e-12)
