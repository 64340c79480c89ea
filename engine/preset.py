"""A setting worth trying: where the sliders go, and what is to be seen there. Its sentence is proved, like every other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.conditions import comparisons
from engine.label import Label

if TYPE_CHECKING:
    from engine.parameter import Value


@dataclass(frozen=True)
class Preset:
    """`name` is two or three words for a key; `values` are the parameters that it sets, the others at their defaults.

    `watch` is one sentence that says what to look at; `when` makes it a claim: comparisons of parameters and of what the run returned
    (see conditions), which a test holds against a run at these values, and finds false at another one. `show` is the first thing
    that the figure draws in which it is seen, where that is not the hero.
    """

    name: Label
    values: Mapping[str, Value]
    watch: Label
    when: str
    show: str = ""

    def __post_init__(self) -> None:
        if not comparisons(self.when):  # raises ValueError where it is not of their form
            raise ValueError(f"{self.name.en}: what is to be seen needs a condition that can be false")
