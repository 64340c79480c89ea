"""The line above a figure: what it is at the left, what its colours mean, or the value under the cursor, at the right."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from rich.cells import cell_len
from rich.segment import Segment

from content.text.numbers import significant
from engine.label import Label
from engine.result import Matrix
from quiz.charts.downsample import Cell
from quiz.charts.heatmap import Plan
from quiz.charts.palette import DENSITY, STEPS, ground
from quiz.charts.style import QUIET, STRONG, Arm, ChartStyle, Row
from quiz.charts.text import clip, cut, left, paragraph, wrap

Say = Callable[..., str]  # an interface string's key, and the values in it -> the string in the interface's language
RAMP = 8  # characters
GAP = 3  # between a title and what is beside it


def extent(text: str, arm: Arm, aside: Row, look: ChartStyle) -> int:
    """The width at which a headline says everything."""
    return (2 if arm else 0) + cell_len(look.text(text)) + GAP + sum(segment.cell_length for segment in aside)


def headline(text: str, arm: Arm, width: int, look: ChartStyle, aside: Row) -> Row:
    """A figure's title after its arm's line style; `aside` is at the right and is kept where both cannot be."""
    mark = [Segment(look.glyphs.arms[arm] + " ", look.of_arm(arm))] if arm else []
    taken = sum(segment.cell_length for segment in aside)
    room = width - (2 if mark else 0)
    title = cut(look.text(text), max(room - taken - (GAP if aside else 0), 0), look)
    gap = " " * max(room - taken - cell_len(title), 0)
    return clip([*mark, Segment(title, STRONG), *([Segment(gap), *aside] if aside else [])], width)


def titles(text: str, arm: Arm, width: int, look: ChartStyle) -> list[str]:
    """A title after its arm's line style, in as many lines as it takes."""
    mark = look.glyphs.arms[arm] + " " if arm else ""
    lines = wrap(look.text(text), max(width - len(mark), 2))
    return [(mark if i == 0 else " " * len(mark)) + line for i, line in enumerate(lines)]


def legend(matrix: Matrix, placed: Plan, look: ChartStyle) -> Row:
    """The ends of the colours with the ramp between them: `0 ▒▒▒▒▒▒▒▒ .97`; of uncoloured numbers their least and largest."""
    if placed.numbered and not look.palette.ramps:
        finite = [value for row in matrix.values for value in row if math.isfinite(value)] or [0.0]
        return [Segment(f"{significant(min(finite), 3)} .. {significant(max(finite), 3)}", QUIET)]
    ends = placed.ends
    return [Segment(significant(ends.low, 3) + " ", QUIET), *_ramp(matrix, look), Segment(" " + significant(ends.high, 3), QUIET)]


def _ramp(matrix: Matrix, look: ChartStyle) -> Row:
    colours = look.palette.ramps.get(matrix.kind)
    if colours:
        return [Segment(" ", ground(colours[step * (STEPS - 1) // (RAMP - 1)])) for step in range(RAMP)]
    if matrix.kind == "signed":
        return [Segment(f"-{DENSITY[:0:-2]} {DENSITY[1::2]}+", QUIET)]
    return [Segment(DENSITY, QUIET)]


def under_cursor(matrix: Matrix, cell: Cell, look: ChartStyle, say: Say) -> Row:
    """The value of one cell of the matrix: `it → kitten  0.9712`."""
    row, column = cell
    value = matrix.values[row][column]
    names = [look.text(name) for name in (_name(matrix.rows, row), _name(matrix.columns, column)) if name]
    measured = say("lab.masked") if value == -math.inf else significant(value)
    return [Segment(f" {look.glyphs.arrow} ".join(names) + "  ", QUIET), Segment(measured, STRONG + look.palette.accent)]


def _name(names: tuple[Label | str, ...], index: int) -> Label | str:
    return names[index] if index < len(names) else str(index + 1)


def shrunk_text(placed: Plan, look: ChartStyle, say: Say) -> str:
    """What a pooled matrix says about itself, or nothing: `64×64, shown 32×32 (largest of 2×2)`."""
    pool = placed.pool
    if pool.rows == pool.columns == 1:
        return ""
    times = look.glyphs.times
    return say(
        "lab.pooled",
        size=f"{len(pool.values)}{times}{len(pool.values[0])}",
        shown=f"{pool.height}{times}{pool.width}",
        block=f"{pool.rows}{times}{pool.columns}",
    )


BAR = 10  # characters of progress


def lab_head(word: str, title: str, aside: str, width: int, look: ChartStyle, claims: Sequence[bool] = ()) -> Row:
    """`Lab  softmax saturation    ✔ ✔ ✖    ━━━━━━      60%`; the claims of a card stay where not all of it can."""
    word, title, aside = look.text(word) + "  ", look.text(title), look.text(aside)
    judged = [
        Segment(f" {look.glyphs.holds if claim else look.glyphs.failed}", look.of_arm("right" if claim else "wrong")) for claim in claims
    ]
    room = max(width - cell_len(word) - cell_len(aside) - 2 * len(claims), 0)
    gap = Segment("  " if claims and aside else "")
    title = left(title, max(room - len(gap.text), 0), look)
    return clip([Segment(word, QUIET), Segment(title, STRONG), *judged, gap, Segment(aside, look.palette.accent)], width)


def progress_text(fraction: float | None, look: ChartStyle) -> str:
    """A bar for 0..1; without a fraction only a sign that something runs."""
    if fraction is None:
        return look.glyphs.more
    done = round(min(max(fraction, 0), 1) * BAR)
    return look.glyphs.rail * done + " " * (BAR - done) + f"{fraction:>5.0%}"


def failure_rows(sentence: str, width: int, look: ChartStyle) -> list[Row]:
    """Why the last run gave nothing."""
    return paragraph(f"{look.glyphs.failed} {sentence}", width, look, look.of_arm("wrong")) if sentence else []
