"""A claim that cannot fail proves nothing: each result that it names is changed a little, and one change must make it fail.

A result is changed within the range that it can have: that a share might be 7 is no reason to believe in a claim.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from content.claims.evaluator import evaluate
from content.claims.outcome import Outcome
from content.claims.parser import Expression
from content.claims.ranges import EVERYTHING, Range

Change = Callable[[float], float]
Path = tuple[int, ...]
Ranges = Mapping[str, Range]

CHANGES: tuple[tuple[str, Change], ...] = (
    ("×0", lambda value: value * 0),
    ("×-1", lambda value: -value),
    ("×0.5", lambda value: value * 0.5),
    ("×2", lambda value: value * 2),
    ("+1", lambda value: value + 1),
)
_ANYWHERE: Ranges = {}


@dataclass(frozen=True)
class Mutation:
    """A claim beside a changed result. `place` is the one element that was changed, empty where all of them were."""

    name: str
    place: Path
    change: str
    outcome: Outcome

    @property
    def kills(self) -> bool:
        """Whether the claim came out false; a claim that could not be decided proves nothing."""
        return not self.outcome.holds and not self.outcome.reason

    def __str__(self) -> str:
        return f"{self.name}{''.join(f'[{index}]' for index in self.place)} {self.change}"


def mutations(
    expression: Expression, scope: Mapping[str, object], results: Collection[str], ranges: Ranges = _ANYWHERE
) -> Iterator[Mutation]:
    """Every change of every result that the claim names: all elements alike first, then single elements alone."""
    untouched = evaluate(expression, scope)
    for name in expression.names:
        if name not in results or untouched.reason:
            continue
        value, within = scope[name], ranges.get(name, EVERYTHING)
        for place in dict.fromkeys(((), *(path for read, path in untouched.reads if read == name), *_corners(value))):
            for label, change in changes(within):
                changed = {**scope, name: _changed(value, place, _kept(change, within))}
                yield Mutation(name, place, label, evaluate(expression, changed))


def killing_mutations(
    expression: Expression, scope: Mapping[str, object], results: Collection[str], ranges: Ranges = _ANYWHERE
) -> dict[str, Mutation | None]:
    """For each named result the first change that makes a holding claim fail; None where no change of it does."""
    return {
        name: next((trial for trial in mutations(expression, scope, [name], ranges) if trial.kills), None)
        for name in expression.names
        if name in results
    }


def changes(within: Range) -> tuple[tuple[str, Change], ...]:
    """All that is tried of a result, by what it is called."""
    return (*CHANGES, *_ends(within))


def _ends(within: Range) -> tuple[tuple[str, Change], ...]:
    """The ends of a range are values that a result can have."""
    return tuple((f"={end:g}", lambda value, end=end: end) for end in within if math.isfinite(end))


def _kept(change: Change, within: Range) -> Change:
    low, high = within
    return lambda value: min(max(change(value), low), high)


def _corners(value: object) -> Iterator[Path]:
    """The first, the middle and the last element, enough for a claim about all of them."""
    if not isinstance(value, tuple) or not value:
        return
    for index in dict.fromkeys((0, len(value) // 2, len(value) - 1)):
        inner = list(_corners(value[index]))
        yield from ((index, *path) for path in inner) if inner else [(index,)]


def _changed(value: object, place: Path, change: Change) -> object:
    if isinstance(value, tuple):
        if not place:
            return tuple(_changed(part, (), change) for part in value)
        index = place[0] % len(value)
        return (*value[:index], _changed(value[index], place[1:], change), *value[index + 1 :])
    return change(value) if isinstance(value, int | float) else value
