"""Where a number is between two ends, and which ends an axis has."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from engine.label import Label
from engine.result import Series
from quiz.charts.axes import Axis, levels, ticks, x_axis, y_axis


def line(x: Sequence[float], y: Sequence[float], log_x: bool = False) -> Series:
    return Series("s", tuple(x), tuple(y), Label("s", "s"), Label("x", "x"), log_x=log_x)


@pytest.mark.parametrize(
    ("y", "expected"),
    [
        ((1, 12), Axis(0, 12)),
        ((5.9, 12), Axis(0, 12)),
        ((6, 12), Axis(6, 12)),
        ((100, 101), Axis(100, 101)),
        ((-1, 12), Axis(-1, 12)),
        ((0, 12), Axis(0, 12)),
        ((3, 3), Axis(2.5, 3.5)),
        ((1, math.nan, math.inf, 12), Axis(0, 12)),
        ((math.nan,), Axis(0, 1)),
    ],
)
def test_a_curve_starts_at_zero_unless_it_is_far_from_it(y: tuple[float, ...], expected: Axis) -> None:
    """From zero where the least number is less than half of the greatest, so that a height is a size; else the difference is the point."""
    assert expected == y_axis([line(range(len(y)), y)])


def test_lines_of_one_figure_share_their_axes() -> None:
    """The ends are those of all lines together."""
    lines = [line((1, 2), (4, 5)), line((2, 8), (6, 7))]

    assert (Axis(1, 8), Axis(4, 7)) == (x_axis(lines), y_axis(lines))


def test_a_log_axis_leaves_out_what_has_no_logarithm() -> None:
    """Zero and less are not on a logarithmic axis; half of the way from 1 to 16 is 4."""
    axis = x_axis([line((0, 1, 16), (1, 1, 1), log_x=True)])

    assert Axis(1, 16, log=True) == axis
    assert 0.5 == axis.place(4)
    assert None is axis.place(17)


@pytest.mark.parametrize(
    ("high", "room", "expected"),
    [
        (8, 8, list(range(9))),
        (16, 8, list(range(0, 17, 2))),
        (40, 8, list(range(0, 41, 5))),
        (80, 8, list(range(0, 81, 10))),
        (10, 1, [0, 10]),
        (10, 0, [0]),
        (0, 8, [0]),
    ],
)
def test_a_linear_axis_counts_in_ones_twos_and_fives(high: int, room: int, expected: list[int]) -> None:
    """As many as there is room for, whatever the x values themselves are."""
    assert expected == ticks(Axis(0, high), (0, high), room)


def test_a_log_axis_writes_its_own_values_where_they_are_few() -> None:
    """Up to 32 of them, every so many; of more, round numbers."""
    few, many = ([float(n) for n in range(1, count + 1)] for count in (32, 33))

    assert few[::8] == ticks(Axis(1, 32, log=True), few, 4)
    assert [10, 20, 30] == ticks(Axis(1, 33, log=True), many, 4)
    assert Axis(0, 1) == x_axis([])


def test_a_low_axis_has_round_numbers_too() -> None:
    """Where the usual step leaves one number, closer ones stand there, not the ends of the data."""
    assert [{0: 0.4, 1: 0.2, 2: 0.0}, {0: 0.0, 1: -10.0}] == [levels(Axis(0.0, 0.466), 3), levels(Axis(-19.9, 0.466), 3)]
