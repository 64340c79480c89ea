"""Whether a claim holds, and both sides of every comparison in it, as people read them."""

from __future__ import annotations

from dataclasses import dataclass, field

from content.claims.arithmetic import Value, flat
from content.text.numbers import DIGITS, significant


@dataclass(frozen=True)
class Side:
    """One comparison with its numbers. For vectors: the element that decided it, or the closest one."""

    left: float
    relation: str
    right: float
    holds: bool

    @property
    def text(self) -> str:
        """Both numbers with as many digits as it takes to tell them apart: `0.0021 < 0.1`; for ≈ they may look the same, and what is not
        near enough is said to differ: `5 ≠ 8.06`."""
        relation = "≠" if self.relation == "≈" and not self.holds else self.relation
        digits = DIGITS
        while (
            relation != "≈"
            and self.left != self.right
            and digits < 17
            and significant(self.left, digits) == significant(self.right, digits)
        ):
            digits += 1
        return f"{significant(self.left, digits)} {relation} {significant(self.right, digits)}"


@dataclass(frozen=True)
class Outcome:
    """Whether a claim holds. A `reason` says why it could not be decided; then it does not hold.

    `reads` are the elements that the claim took one by one: ("row", (3,)), ("weights", (0, -1)).
    """

    holds: bool
    sides: tuple[Side, ...] = ()
    reason: str = ""
    reads: tuple[tuple[str, tuple[int, ...]], ...] = field(default=(), repr=False)

    @property
    def told(self) -> str:
        """Why it does not hold: the reason, or the comparisons that are false with both sides' numbers; all of them where none is."""
        false = [side.text for side in self.sides if not side.holds]
        return self.reason or "; ".join(false or [side.text for side in self.sides])


def deciding_side(left: Value, sign: str, right: Value, truth: Value, holds: bool) -> Side:
    """The pair of elements that made a comparison of vectors come out as it did; the closest pair where all agree."""
    truths = list(flat(truth))
    lefts, rights = (list(flat(side)) if isinstance(side, tuple) else [side] * len(truths) for side in (left, right))
    if all(truths) or not any(truths):
        gaps = [0.0 if a == b else abs(float(a) - float(b)) for a, b in zip(lefts, rights, strict=True)]
        index = gaps.index(min(gaps))
    else:
        index = truths.index(holds)
    return Side(lefts[index], sign, rights[index], truths[index])
