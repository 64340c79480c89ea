"""What an author's experiment is made of: plain data that crosses a pipe. Nothing here imports torch.

An expression arrives read already, as a tree of tuples. Each begins with its kind and the place in the text that it came from:

    ("number", start, end, 2.5)                 ("name", start, end, "logits")        ("list", start, end, (node, ...))
    ("unary", start, end, "-", node)            ("binary", start, end, "@", left, right)
    ("compare", start, end, ("<", ...), (node, ...))
    ("call", start, end, "softmax", (node, ...), (("dim", node), ...))
    ("index", start, end, node, (item, ...))    an item is a node, or ("slice", start, end, low, high, step) whose parts may be None
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from engine.figures import Figure
from engine.label import ExperimentError, Label
from engine.measures import ANY, Range
from engine.parameter import Parameter

Node = tuple[Any, ...]

POINTS = 25  # of a parameter's range, at which a curve is computed


GRADIENT = "grad"  # grad(y, x) names what it differentiates by


def nodes(part: object) -> Iterator[Node]:
    """A tree and all that is in it."""
    if not isinstance(part, tuple):
        return
    is_node = len(part) > 2 and isinstance(part[0], str) and isinstance(part[1], int)
    if is_node:
        yield part
    for each in part[3:] if is_node else part:
        yield from nodes(each)


def names_in(trees: object) -> frozenset[str]:
    """The names that trees hold."""
    return frozenset(node[3] for node in nodes(trees) if node[0] == "name")


@dataclass(frozen=True)
class Line:
    """What all lines have: the name that they make."""

    name: str

    @property
    def trees(self) -> tuple[Node, ...]:
        """Its expressions."""
        raise NotImplementedError

    @property
    def makes(self) -> frozenset[str]:
        """The names that have another value after it."""
        return frozenset((self.name,))

    @cached_property
    def reads(self) -> frozenset[str]:
        """The names that its expressions hold."""
        return names_in(self.trees)

    @cached_property
    def differentiates_by(self) -> frozenset[str]:
        """The names that it takes gradients by."""
        calls = (node[4] for node in nodes(self.trees) if node[0] == "call" and node[3] == GRADIENT)
        return frozenset(given[1][3] for given in calls if len(given) == 2 and given[1][0] == "name")


@dataclass(frozen=True)
class Step(Line):
    """One line of a recipe: a name and what it becomes."""

    tree: Node

    @property
    def trees(self) -> tuple[Node, ...]:
        return (self.tree,)


@dataclass(frozen=True)
class Repeat(Line):
    """Steps that are done `times` times, each turn with what the turn before has left; `name` is what `keep` was at the end of each."""

    times: Node
    steps: tuple[Step, ...]
    keep: Node

    @property
    def trees(self) -> tuple[Node, ...]:
        return (self.times, self.keep, *(step.tree for step in self.steps))

    @property
    def makes(self) -> frozenset[str]:
        return frozenset((self.name, *(step.name for step in self.steps)))


@dataclass(frozen=True)
class Sweep:
    """A curve: a quantity computed at points of a parameter's range."""

    quantity: str
    over: str

    @property
    def name(self) -> str:
        return f"{self.quantity}_over_{self.over}"


@dataclass(frozen=True)
class Recipe:
    """An experiment as data. `labels` and `ranges` are of steps; a step without a label goes by its name."""

    name: str
    title: Label
    parameters: tuple[Parameter, ...]
    steps: tuple[Step | Repeat, ...]
    arms: tuple[str, str]  # the wrong way, the right way
    figures: tuple[Figure, ...]
    sweeps: tuple[Sweep, ...] = ()
    labels: tuple[tuple[str, Label], ...] = ()
    ranges: tuple[tuple[str, Range], ...] = ()
    units: tuple[tuple[str, str], ...] = ()
    source: str = field(default="", compare=False)  # as the author wrote it

    def label(self, name: str) -> Label:
        return dict(self.labels).get(name, Label(name, name))

    def within(self, name: str) -> Range:
        return dict(self.ranges).get(name, ANY)


class ComputeError(ExperimentError):
    """What is wrong with a line of a recipe, and the part of its text that it is about."""

    def __init__(self, en: str, zh: str, step: str = "", place: tuple[int, int] = (0, 0)) -> None:
        super().__init__(en, zh)
        self.step, self.place = step, place

    def __reduce__(self) -> tuple[type[ComputeError], tuple[str, str, str, tuple[int, int]]]:  # type: ignore[override]  # the place, too
        return type(self), (self.label.en, self.label.zh, self.step, self.place)

    def at(self, step: str, place: tuple[int, int]) -> ComputeError:
        """The same, with the place that it is about where it had none."""
        return self if self.step else ComputeError(self.label.en, self.label.zh, step, self.place if self.place != (0, 0) else place)
