"""What a recipe is, said as of any other experiment. Its source is what the author wrote."""

from __future__ import annotations

from engine.computed.experiment import experiment
from engine.computed.recipe import Recipe, Repeat
from engine.computed.sizes import sizing_names
from engine.experiment import Description
from engine.measures import Curve, Grid, Measure, Scalar
from engine.source import Source


def describe(recipe: Recipe) -> Description:
    """Raises ComputeError where the recipe cannot be computed at its defaults."""
    made = experiment(recipe)
    source = Source(recipe.name, "", 1, recipe.source)
    known = (made.summary, recipe.parameters, made.deadline, (source,), made.measures, made.figures, (), made.arms)
    return Description(
        recipe.name,
        recipe.title.en,
        recipe.title,
        *known,
        fixed=_fixed(recipe),
        helpers=_helpers(recipe, made.measures),
        sizing=tuple(parameter.name for parameter in recipe.parameters if parameter.name in sizing_names(recipe)),
    )


def _helpers(recipe: Recipe, measures: tuple[Measure, ...]) -> tuple[str, ...]:
    """Lines on the way to others: those without words, where some have words, that nothing else of the recipe names."""
    shown = [name for figure in recipe.figures for name in (*figure.shows, figure.mark)]
    spoken = {*(name for pairs in (recipe.labels, recipe.ranges, recipe.units) for name, _ in pairs), *recipe.arms, *shown}
    named = [measure.name for measure in measures if isinstance(measure, Scalar | Curve | Grid)]
    return tuple(name for name in named if name not in spoken) if recipe.labels else ()


def _fixed(recipe: Recipe) -> tuple[str, ...]:
    """The lines that no parameter reaches."""
    moved = {parameter.name for parameter in recipe.parameters}
    still: list[str] = []
    for line in recipe.steps:
        names = [line.name, *(step.name for step in line.steps)] if isinstance(line, Repeat) else [line.name]
        if moved.isdisjoint(line.reads):
            still += names
        else:
            moved.update(names)
    return tuple(name for name in still if name not in moved)
