"""What a recipe is, said as of any other experiment. Its source is what the author wrote."""

from __future__ import annotations

from engine.computed.experiment import experiment
from engine.computed.recipe import Recipe
from engine.experiment import Description
from engine.source import Source


def describe(recipe: Recipe) -> Description:
    """Raises ComputeError where the recipe cannot be computed at its defaults."""
    made = experiment(recipe)
    source = Source(recipe.name, "", 1, recipe.source)
    known = (made.summary, recipe.parameters, made.deadline, (source,), made.measures, made.figures, (), made.arms)
    return Description(recipe.name, recipe.title.en, recipe.title, *known)
