"""The form of a deck's own computations: sliders, lines, arms, figures. What a line says is read elsewhere."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from content.deck import cards
from content.deck.model_parts import Model, Name, Short, becomes
from content.deck.numerals import REAL
from content.format import CLAIM_LIMIT, FIGURE_KINDS, LINES_LIMIT, FigureKind, Scale
from content.messages.sentence import say
from content.text.nearest import nearest
from content.yaml.yaml_mistakes import excerpt

Line = Annotated[str, Field(max_length=CLAIM_LIMIT)]
NameOrNone = Annotated[str, Field(pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$", max_length=80)]
Written = Annotated[str, Field(max_length=40)]  # a number, kept as it was written: 1 means whole numbers, 1.0 any


class ComputedParameter(Model):
    """A slider. Where all its numbers are whole, it has whole numbers only; a parameter called seed needs no range."""

    default: Written = Field(description="Where the slider stands at first.")
    low: Written | None = Field(default=None, description="Its lowest value.")
    high: Written | None = Field(default=None, description="Its highest value.")
    step: Written | None = Field(default=None, description="What a step adds; on a log scale, what it multiplies with.")
    scale: Scale = Field(default="linear", description="Whether steps are added or multiplied.")
    label: Short | None = Field(default=None, description="Its words on the screen; without them, its name.")
    unit: str = Field(default="", max_length=20, description="What it counts.")


class Turns(Model):
    """Lines that are done several times, each turn with what the turn before has left."""

    repeat: Line = Field(description="How many turns: a number or an expression of parameters.")
    do: dict[Name, Line] = Field(min_length=1, max_length=LINES_LIMIT, description="The lines of a turn, from top to bottom.")
    keep: Line = Field(description="What is noted at the end of each turn: these numbers are the curve.")


class Arms(Model):
    """The two ways that the experiment compares."""

    wrong: Name = Field(description="The line that does it the wrong way.")
    right: Name = Field(description="The line that does it the right way.")


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


def _figure(value: object) -> object:
    """{curve: entropy, over: T} says the kind by the key that holds the names."""
    if not isinstance(value, dict):
        return value
    kinds = [kind for kind in FIGURE_KINDS if kind in value]
    other = next((key for key in value if isinstance(key, str) and key not in (*FIGURE_KINDS, "over", "mark")), "")
    if not kinds and (near := nearest(other, FIGURE_KINDS)):
        raise ValueError(say("{key} is no kind of figure; did you mean {near}?", key=excerpt(other), near=near[0]))
    if len(kinds) != 1:
        raise ValueError(say("a figure has one of {names}: write {{curve: entropy, over: T}}", names=FIGURE_KINDS))
    if reserved := next((key for key in ("kind", "shows") if key in value), ""):
        raise ValueError(say("{key} is not a key of a figure: write {{curve: entropy, over: T}}", key=reserved))
    rest: dict[str, Any] = {key: inner for key, inner in value.items() if key != kinds[0]}
    return {**rest, "kind": kinds[0], "shows": value[kinds[0]]}


class ComputedFigure(Model):
    """What is drawn together."""

    kind: FigureKind = Field(description="How it is drawn.")
    shows: Annotated[tuple[Name, ...], BeforeValidator(_listed)] = Field(min_length=1, max_length=6, description="The lines that it draws.")
    over: NameOrNone = Field(default="", description="The parameter that a curve goes over.")
    mark: NameOrNone = Field(default="", description="The quantity that is marked in it.")


class Computation(Model):
    """An experiment of the deck's own: lines from top to bottom, each a name and what it becomes."""

    title: Short = Field(description="What it shows, in a sentence.")
    parameters: dict[Name, Annotated[ComputedParameter, becomes(cards.ComputedParameter)]] = Field(
        default_factory=dict, max_length=12, description="Its sliders."
    )
    compute: dict[Name, Line | Annotated[Turns, becomes(cards.Turns)]] = Field(
        min_length=1, max_length=LINES_LIMIT, description="Names and expressions; a line may use what stands above it."
    )
    arms: Annotated[Arms, becomes(cards.Arms)] | None = Field(default=None, description="The wrong way and the right way.")
    figures: tuple[Annotated[ComputedFigure, BeforeValidator(_figure), becomes(cards.ComputedFigure)], ...] = Field(
        default=(), max_length=6, description="What is drawn, the most important first."
    )
    labels: dict[Name, Short] = Field(default_factory=dict, description="Words for lines; without them, their names.")
    units: dict[Name, Annotated[str, Field(max_length=20)]] = Field(default_factory=dict, description="What lines count.")
    ranges: dict[Name, tuple[Annotated[float, REAL], Annotated[float, REAL]]] = Field(
        default_factory=dict, description="The lowest and the highest value that a number can have, such as [0, 1] for a share."
    )

    @model_validator(mode="after")
    def _names_are_free(self) -> Computation:
        made = [name for name, line in self.compute.items() for name in ([name] if isinstance(line, str) else [*line.do, name])]
        if taken := next((name for name in made if name in self.parameters), None):
            raise ValueError(say("{taken} is a parameter and a line; give the line another name", taken=taken))
        return self
