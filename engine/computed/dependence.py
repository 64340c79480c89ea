"""Which lines need which: a curve walks those alone that lead from its slider to its quantity; the others are what they were."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from engine.computed.recipe import Recipe


def moved_names(recipe: Recipe, over: str) -> frozenset[str]:
    """A parameter and all that lines make that depend on it. A name that a loop makes anew is made from its start."""
    moved, grown = frozenset((over,)), frozenset[str]()
    while moved != grown:
        grown = moved
        moved = grown.union(*(line.makes for line in recipe.steps if not grown.isdisjoint(line.reads | line.makes)))
    return moved


def between(recipe: Recipe, moved: Collection[str], quantities: Collection[str]) -> Recipe:
    """The lines that make names that move, as far as quantities are made of them."""
    lines = [line for line in recipe.steps if not line.makes.isdisjoint(moved)]
    needed, grown = frozenset(quantities), frozenset[str]()
    while needed != grown:
        grown = needed
        needed = grown.union(*(line.reads | line.makes for line in lines if not grown.isdisjoint(line.makes)))
    return replace(recipe, steps=tuple(line for line in lines if not needed.isdisjoint(line.makes)))
