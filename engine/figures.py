"""Figures as data: which of a run's numbers are drawn together, and as what. The first of an experiment is its hero.

No colour, no size, no terminal: whoever draws decides how.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.label import Label

Kind = Literal[
    "bars",  # a distribution or sizes: matrices of one row, or quantities beside each other
    "heatmap",  # matrices, cell by cell; several share one scale
    "strip",  # words, each on its weight: the rows of a matrix over tokens
    "curve",  # series on common axes
    "waves",  # a matrix as an image: smooth in both directions
    "grid",  # layer x head, each cell a choice of both sliders
    "tree",  # a search: a table of its nodes
    "merges",  # a segmentation that grows: a table of its stages
    "blocks",  # blocks that light up in turn
    "steps",  # the whole walk-through, one stage at a time: matrices that its steps make, or nothing
    "table",  # rows to read
]


@dataclass(frozen=True)
class Figure:
    """`shows` names quantities, series, matrices or tables of the experiment, in the order in which they are drawn.

    A figure of steps draws every step without naming it: it lists the matrices that the steps make, and nothing where they make none.
    `over` is the parameter whose slider moves a marker along the x axis; `mark` the quantity that stands at the marker, or that bars are
    measured against. `caption` is the one sentence that stands below it: the idea that is to be seen, true at every setting.
    """

    kind: Kind
    shows: tuple[str, ...]
    over: str = ""
    mark: str = ""
    caption: Label | None = None
