"""Figures of a deck's own computation that cannot be drawn as they say: bars of a matrix, a curve of one number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from content.deck.cards import Computation, ComputedFigure
from content.format import FigureKind
from content.yaml.tree import Location
from engine import Description
from engine.measures import Curve, Grid, Measure, Scalar
from quiz.words.problems import say

SHAPES: Mapping[type[Measure] | None, str] = {
    Scalar: say("one number"), Curve: say("a vector"), Grid: say("a matrix"), None: say("a larger tensor"),
}  # fmt: skip
DRAWN: Mapping[FigureKind, tuple[type[Measure], ...]] = {
    "bars": (Scalar, Curve), "curve": (Curve,), "heatmap": (Curve, Grid), "strip": (Curve, Grid), "waves": (Curve, Grid),
}  # fmt: skip


def misfits(name: str, computation: Computation, description: Description) -> Iterator[tuple[Location, str, str]]:
    """The place, what is wrong and what to do, for every line that its figure cannot draw."""
    shapes = {measure.name: type(measure) for measure in description.measures if isinstance(measure, Scalar | Curve | Grid)}
    for i, figure in enumerate(computation.figures):
        for j, line in enumerate(figure.shows if not figure.over else ()):  # over a slider the engine has looked
            shape = shapes.get(line)
            if shape not in DRAWN[figure.kind] or (figure.kind == "bars" and shape is not shapes.get(figure.shows[0])):
                place: Location = ("experiments", name, "figures", i, figure.kind, j)
                message = say("{line} is {shape}; {drawn}", line=line, shape=SHAPES[shape], drawn=_drawn(figure))
                yield place, message, _instead(line, shape)


def _drawn(figure: ComputedFigure) -> str:
    if figure.kind == "bars":
        return say("bars are of numbers, or of vectors")
    return say("without over, a curve is of vectors") if figure.kind == "curve" else say("{kind} draws matrices", kind=figure.kind)


def _instead(line: str, shape: type[Measure] | None) -> str:
    if shape is Scalar:
        return say("over a slider it is a curve: {{curve: {line}, over: PARAMETER}}", line=line)
    if shape is Curve:
        return say("write {{curve: {line}}} or {{bars: {line}}}", line=line)
    return say("write {{heatmap: {line}}}", line=line) if shape is Grid else say("let a line take a part of it")
