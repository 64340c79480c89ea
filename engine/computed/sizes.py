"""What the shapes of a recipe's lines depend on: the parameters that reach a size, a dimension, an index or a number of turns.

With other values for the rest (seeds, temperatures, rates) every line keeps its shape, and costs what it did.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from engine.computed.functions import NAMES, rule_of
from engine.computed.recipe import GRADIENT, ComputeError, Node, Recipe, Repeat, names_in, nodes

DRAWN = ("randn", "rand")  # of which the last value is the seed
COUNTED = (int, bool, int | None)  # the kinds of values that may decide a shape: a size, a dimension, an index
SIZES = ("sizes", "bounds")  # and the parameters that take several


@lru_cache(64)
def sizing_names(recipe: Recipe) -> frozenset[str]:
    """The names, parameters among them, that any shape may depend on."""
    turns = [line.times for line in recipe.steps if isinstance(line, Repeat)]
    needed, grown = names_in((*turns, *_sizes(tuple(line.trees for line in recipe.steps)))), frozenset[str]()
    while needed != grown:
        grown = needed
        needed = grown.union(*(line.reads for line in recipe.steps if not grown.isdisjoint(line.makes)))
    return needed


def _sizes(trees: object) -> tuple[Node, ...]:
    """The parts that are sizes, dimensions or indices."""
    found: list[Node] = []
    for node in nodes(trees):
        if node[0] == "index":
            found += node[4]
        elif node[0] == "call" and node[3] != GRADIENT and node[3] in NAMES:
            found += _sizes_of_call(*node[3:])
    return tuple(found)


def _sizes_of_call(name: str, values: tuple[Node, ...], named: tuple[tuple[str, Node], ...]) -> Iterator[Node]:
    if name in DRAWN:
        yield from values[:-1]
        return
    try:
        places, types = rule_of(name, len(values), tuple(key for key, _ in named))
    except ComputeError:  # which the walk over the lines will say
        yield from (*values, *(node for _, node in named))
        return
    for key, node in (*zip(places, values, strict=True), *named):
        if key in SIZES or types[key] in COUNTED:
            yield node
