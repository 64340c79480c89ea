"""Part of softmax_saturation: the weights of one query, the one in the middle, of which half of all are more peaked."""

from __future__ import annotations

from torch import Tensor

from engine.assemble import Numbers
from engine.experiments._saturation_over_d_k import ROWS
from engine.label import Label
from engine.measures import Grid, Measure

SHOWN = 8


def middling_row(raw: Tensor, scaled: Tensor) -> Numbers:
    """The row in the middle: half of the rows are more peaked, unscaled. Its largest weights, in the same order for both arms."""
    middle = int(raw.amax(-1).argsort(stable=True)[ROWS // 2])
    largest = raw[middle].argsort(descending=True, stable=True)[:SHOWN]
    return {
        "raw_weights": raw[middle, largest][None],
        "scaled_weights": scaled[middle, largest][None],
        "row": middle + 1,
        "columns": [f"#{rank + 1}" for rank in range(len(largest))],  # places: which key has one changes with every width
        "count": len(largest),
    }


ROW_GRIDS: tuple[Measure, ...] = (
    Grid(
        "raw_weights",
        Label("unscaled: the {count} largest weights of a middling row", "未缩放：居中一行里最大的 {count} 个权重"),
        rows=("q{row}",),
        columns="{columns}",
        formula=r"\mathrm{softmax}(q K^\top)",
        kind="weights",
        arm="wrong",
    ),
    Grid(
        "scaled_weights",
        Label("scaled: the {count} largest weights of a middling row", "缩放后：居中一行里最大的 {count} 个权重"),
        rows=("q{row}",),
        columns="{columns}",
        formula=r"\mathrm{softmax}\left(\frac{q K^\top}{\sqrt{d_k}}\right)",
        kind="weights",
        arm="right",
    ),
)
