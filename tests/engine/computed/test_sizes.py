"""Which parameters decide a shape: where another one moves, no shape has to be found again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
import torch
from torch import Tensor

from content.deck.library import Given, load
from engine.computed.effort import Effort
from engine.computed.experiment import experiment
from engine.computed.functions import FUNCTIONS
from engine.computed.recipe import ComputeError, Recipe
from engine.computed.run import Parameters, lines, shapes
from engine.computed.sizes import SIZES, sizing_names
from engine.computed.values import Value
from quiz.card.recipes import recipe as recipe_of
from tests.engine.computed.recipes import recipe, repeat, step

DECKS = Path(__file__).parents[3] / "content" / "decks"


def deciding(own: Recipe) -> set[str]:
    return set(sizing_names(own)) & {parameter.name for parameter in own.parameters}


@pytest.mark.parametrize(
    ("text", "sizing"),
    [
        ("randn(8, n, seed)", {"n"}),
        ("rand(3, seed) * t", set()),
        ("exp(-eye(2) / t) + n", set()),
        ("reshape(ones(n, 2), 2 * n)", {"n"}),
        ("topk(randn(50, seed), n) / t", {"n"}),
        ("sum(ones(3, 3), dim=n)", {"n"}),
        ("sort(ones(3), descending=n > 2)", {"n"}),
        ("ones(50)[:n]", {"n"}),
        ("ones(50)[n + seed]", {"n", "seed"}),
        ("quantile(randn(50, seed), t)", set()),
        ("sum(randn(arange(n), seed))", {"n"}),  # refused, and not here
        ("softmax(t, n, seed)", {"n", "t", "seed"}),  # written otherwise: nothing is known of it
    ],
)
def test_what_reaches_a_size(text: str, sizing: set[str]) -> None:
    """A size, a dimension, an index or a bound; the seed of what is drawn is none, although it is the last of the sizes."""
    assert sizing == deciding(recipe(step("made", text)))


def test_what_reaches_a_size_by_other_lines() -> None:
    """Through lines above, and through turns of a loop; a number of turns is a size, too."""
    through = recipe(step("half", "floor(n / 2)"), step("made", "zeros(half) + t"))
    turns = recipe(step("w", "zeros(3)"), repeat("losses", "n", "sum(w)", w="w + t"))
    grown = recipe(step("k", "seed"), repeat("made", "5", "k", k="k + 1"), step("last", "zeros(k)"))

    assert [{"n"}, {"n"}, {"seed"}] == [deciding(each) for each in (through, turns, grown)]


def test_every_function_says_what_is_a_size() -> None:
    """A parameter that takes a number or a tensor is a value that is computed with, or one of those that are known to be sizes."""
    values = {"x", "values"}
    either = {key for each in FUNCTIONS.values() for key, kind in each.__annotations__.items() if kind == "Value" and key != "return"}

    assert {*values, *SIZES, "sizes_and_seed"} == either


def our_recipes() -> dict[str, Recipe]:
    library = load([Given(str(path), path.read_bytes()) for path in sorted(DECKS.glob("*.yaml"))])
    return {name: recipe_of(name, made) for loaded in library.decks for name, made in loaded.deck.experiments.items()}


def shapes_and_cost(own: Recipe, parameters: Parameters) -> tuple[object, Effort]:
    effort = Effort()
    with torch.device("meta"):
        found = lines(own, parameters, effort)
    return {name: tuple(value.shape) for name, value in found.items() if isinstance(value, Tensor)}, effort


def test_the_other_parameters_of_our_decks_move_no_shape() -> None:
    """At both ends of every slider that decides nothing, all lines have the shapes and the cost that they have at its default."""
    recipes = our_recipes()

    assert len(recipes) > 50
    for name, own in recipes.items():
        defaults = {parameter.name: parameter.default for parameter in own.parameters}
        expected = shapes_and_cost(own, defaults)
        for parameter in own.parameters:
            if parameter.name not in sizing_names(own):
                for end in (parameter.value_at(0), parameter.value_at(parameter.ticks)):
                    assert expected == shapes_and_cost(own, defaults | {parameter.name: end}), (name, parameter.name, end)


def test_shapes_are_found_once_for_all_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run with another seed or temperature is not walked through with shapes again; with another size it is, and may be refused."""
    made = experiment(recipe(step("right", "sum(randn(n, n, seed)) / t"), step("wrong", "1")))
    walked: list[object] = []

    def counted(own: Recipe, parameters: Mapping[str, int | float | str]) -> dict[str, Value]:
        walked.append(dict(parameters))
        return shapes(own, parameters)

    monkeypatch.setattr("engine.computed.experiment.shapes", counted)
    for given in ({"n": 4}, {"n": 4, "seed": 1}, {"n": 4, "t": 2.0}, {"n": 5, "seed": 1}):
        made.measure(made.accept(given))

    assert [4, 5] == [parameters["n"] for parameters in walked if isinstance(parameters, dict)]
    with pytest.raises(ComputeError, match="would need"):
        made.measure(made.accept({"n": 10**9, "seed": 1}))
