"""Figures of a deck's own computation that cannot be drawn as they say: bars of a matrix, a curve of one number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from content.deck.cards import Computation, ComputedFigure
from content.format import FigureKind
from content.yaml.tree import Location
from engine import Description
from engine.measures import Curve, Grid, Measure, Scalar

SHAPES: Mapping[type[Measure] | None, str] = {Scalar: "one number", Curve: "a vector", Grid: "a matrix", None: "a larger tensor"}
DRAWN: Mapping[FigureKind, tuple[type[Measure], ...]] = {
    "bars": (Scalar, Curve), "curve": (Curve,), "heatmap": (Curve, Grid), "strip": (Curve, Grid), "waves": (Curve, Grid),
}  # fmt: skip
HINTS: Mapping[type[Measure] | None, str] = {
    Scalar: "over a slider it is a curve: {{curve: {name}, over: PARAMETER}}",
    Curve: "write {{curve: {name}}} or {{bars: {name}}}",
    Grid: "write {{heatmap: {name}}}",
    None: "let a line take a part of it",
}


def misfits(name: str, computation: Computation, description: Description) -> Iterator[tuple[Location, str, str]]:
    """The place, what is wrong and what to do, for every line that its figure cannot draw."""
    shapes = {measure.name: type(measure) for measure in description.measures if isinstance(measure, Scalar | Curve | Grid)}
    for i, figure in enumerate(computation.figures):
        for j, line in enumerate(figure.shows if not figure.over else ()):  # over a slider the engine has looked
            shape = shapes.get(line)
            if shape not in DRAWN[figure.kind] or (figure.kind == "bars" and shape is not shapes.get(figure.shows[0])):
                place: Location = ("experiments", name, "figures", i, figure.kind, j)
                yield place, f"{line} is {SHAPES[shape]}; {_draws(figure)}", HINTS[shape].format(name=line)


def _draws(figure: ComputedFigure) -> str:
    drawn = {"bars": "bars are of numbers, or of vectors", "curve": "without over, a curve is of vectors"}
    return drawn.get(figure.kind, f"{figure.kind} draws matrices")
