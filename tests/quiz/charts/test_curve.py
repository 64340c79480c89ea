"""A curve is readable without its colours."""

import math
from collections.abc import Iterable

import pytest
from rich.cells import cell_len

from engine.label import Label
from engine.result import Series
from quiz.charts.axes import Axis, shared, ticks
from quiz.charts.curve import curve
from quiz.charts.style import Arm, ChartStyle, Row, chart_style
from quiz.words.i18n import Words

UNICODE = chart_style(dark=True, colour=True, ascii_only=False)
PLAIN = chart_style(dark=True, colour=False, ascii_only=False)
ASCII = chart_style(dark=True, colour=False, ascii_only=True)
POWERS = tuple(float(2**i) for i in range(13))


def series(name: str, y: Iterable[float], arm: Arm = "", x: Iterable[float] = POWERS, log: bool = True) -> Series:
    return Series(name, tuple(x), tuple(y), Label(f"rows, {name}", f"行，{name}"), Label("d_k", "d_k"), "figure", log, arm)


ARMS = (series("unscaled", range(13), "wrong"), series("scaled", [0.5] * 13, "right"))


def text(rows: list[Row]) -> list[str]:
    return ["".join(segment.text for segment in row) for row in rows]


ARM_NAMES: tuple[Arm, ...] = ("right", "wrong")
GOLDEN = [
    "  |                  :     oooo unscaled",
    "10|                  oooooo",
    " 5|           ooooooo:",
    "  |    ooooooo       :",
    " 0|**************************** scaled",
    "   1         32     256     4096 d_k",
]


def test_a_curve_has_its_axes_its_marker_and_its_words() -> None:
    """Round numbers of y at the left, x below, the slider's place marked, the arms named at the lines' ends."""
    drawn = text(curve(ARMS, 40, 6, ASCII, Words("en"), 256.0))

    assert GOLDEN == drawn


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(("high", "low", "expected"), [(0.6, 0, [3, 4]), (5.4, 5, [2, 3]), (10, 9.6, [0, 1]), (10, 0, [0, 4])])
def test_words_stand_in_the_order_of_their_lines(high: float, low: float, expected: list[int], order: int) -> None:
    """Of two lines that end in one row the higher one's words are above, whichever is declared first; neither is left out."""
    lines = [series("high", [10, *[high] * 12]), series("low", [0, *[low] * 12])][::order]
    drawn = text(curve(lines, 40, 6, ASCII, Words("en")))

    assert expected == [i for word in ("high", "low") for i, row in enumerate(drawn) if word in row]


@pytest.mark.parametrize(("end", "expected"), [(0, [4, 3]), (10, [0, 1])])
def test_of_lines_that_end_at_one_dot_the_first_has_its_row(end: float, expected: list[int]) -> None:
    """At the bottom the other's words are above, at the top below."""
    drawn = text(curve([series(name, [10 - end, *[end] * 12]) for name in ("first", "other")], 40, 6, ASCII, Words("en")))

    assert expected == [i for word in ("first", "other") for i, row in enumerate(drawn) if word in row]


def test_the_arms_differ_without_colour() -> None:
    """The right arm is an unbroken line, the wrong one has gaps; with colours both are unbroken."""
    solid, dashed = (text(curve([series("a", range(13), arm)], 60, 12, PLAIN, Words("en"))) for arm in ARM_NAMES)
    coloured = text(curve([series("a", range(13), "wrong")], 60, 12, UNICODE, Words("en")))

    def drawn(rows: list[str]) -> int:
        return sum((ord(mark) - 0x2800).bit_count() for row in rows for mark in row if 0x2800 < ord(mark) < 0x2900)

    assert 0.5 * drawn(solid) < drawn(dashed) < 0.8 * drawn(solid)
    assert drawn(solid) == drawn(coloured)


def test_a_shared_character_has_the_colour_of_most_of_its_dots() -> None:
    """A line that rises through a character has four dots in it, one that only passes has two, whichever is drawn last."""
    flat, steep = series("flat", [0.0, 0.0], "wrong", (1, 9), log=False), series("steep", [0.0, 1.0], "right", (1, 1), log=False)
    for lines in ((flat, steep), (steep, flat)):
        corner = curve(lines, 60, 5, UNICODE, Words("en"))[-2][1]
        assert UNICODE.of_arm("right") == corner.style


def test_what_was_measured_is_a_dot_with_its_number() -> None:
    """At the slider's place stands the value, written on the side that has room."""
    assert any("O8 " in row for row in text(curve(ARMS, 40, 6, ASCII, Words("en"), 256.0, 8.0)))
    assert any("8 O" in row for row in text(curve(ARMS, 40, 6, ASCII, Words("en"), 4096.0, 8.0)))


@pytest.mark.parametrize(("marker", "expected"), [(64.0, "●6 ◆5.9"), (4096.0, "11.9 ◆ 12 ●")])
def test_a_guess_in_the_row_of_what_was_measured(marker: float, expected: str) -> None:
    """One after the other: what was measured was written over the guess, `●1 123` for 1 and 0.123."""
    measured = math.log2(marker)
    drawn = text(curve(ARMS, 56, 6, UNICODE, Words("en"), marker, measured, guess=measured - 0.1))

    assert 1 == sum(expected in row for row in drawn)


def test_percentages_go_to_100() -> None:
    """An axis of percentages ends at 100, with three or four numbers beside it; small ones keep their own axis."""
    large, small = (text(curve([series("a", [0, top])], 60, 9, ASCII, Words("en"), percent=True)) for top in (84.0, 12.0))

    assert ["100|", " 50|", "  0|"] == [row[:4] for row in large if row[:3].strip() and "|" in row]
    assert "100|" not in [row[:4] for row in small]


def test_rising_numbers_rise() -> None:
    """On a log axis, powers of two at even steps are a straight line from the lower left to the upper right."""
    rows = text(curve([series("a", range(13), "right")], 60, 13, ASCII, Words("en")))[:-1]
    ends = [row.rstrip().rfind("*") for row in rows]

    assert ends == sorted(ends, reverse=True)
    assert min(ends) < 8


@pytest.mark.parametrize("marker", [None, 0.5, 5000.0])
def test_a_marker_outside_is_not_drawn(marker: float | None) -> None:
    """A slider beyond the curve's ends marks nothing."""
    assert not any(":" in row for row in text(curve(ARMS, 40, 7, ASCII, Words("en"), marker)))


def test_a_value_that_is_no_number_breaks_the_line() -> None:
    """nan and inf leave a gap, and do not stretch the axis."""
    rows = text(curve([series("a", [1, 1, math.nan, math.inf, 1, 1], x=range(6), log=False)], 40, 5, ASCII, Words("en")))

    assert any("* " in row.strip().rstrip() and "*" in row.split("* ", 1)[1] for row in rows)


@pytest.mark.parametrize("drawn_with", [UNICODE, ASCII])
@pytest.mark.parametrize("points", [0, 1, 2, 300])
@pytest.mark.parametrize(("width", "height"), [(80, 8), (20, 5), (8, 3), (3, 2), (1, 1), (0, 0)])
def test_no_size_overflows(drawn_with: ChartStyle, points: int, width: int, height: int) -> None:
    """At any size, and with any number of points, a curve stays inside its place."""
    lines = [series(name, [math.sin(i) for i in range(points)], x=range(points), log=False) for name in ("a", "b", "c")]
    rows = curve(lines, width, height, drawn_with, Words("zh"), 2.0)

    assert len(rows) <= height
    assert all(cell_len(row) <= width for row in text(rows))


def test_ascii_is_ascii() -> None:
    """--ascii draws nothing beyond ASCII."""
    assert all(row.isascii() for row in text(curve(ARMS, 60, 8, ASCII, Words("en"), 64.0)))


def test_labels_share_their_title() -> None:
    """What all labels of a figure say is its title; what differs is written at the lines."""
    assert ("saturated rows", ("unscaled", "scaled")) == shared(["saturated rows, unscaled", "saturated rows, scaled"])
    assert ("饱和的行", ("未缩放", "已缩放")) == shared(["饱和的行，未缩放", "饱和的行，已缩放"])
    assert ("", ("a", "b")) == shared(["a", "b"])
    assert ("a, b", ("",)) == shared(["a, b"])


def test_ticks_are_round_numbers() -> None:
    """On a linear axis the numbers below are multiples of 1, 2 or 5."""
    assert [0, 50, 100, 150, 200, 250] == ticks(Axis(0, 299), range(300), 8)
    assert [1, 16, 256, 4096] == ticks(Axis(1, 4096, log=True), POWERS, 4)


def test_the_last_number_of_the_axis_is_whole() -> None:
    """Without words at the line's end the axis' last number still fits: 199 was once cut to 19."""
    line = Series("s", tuple(map(float, range(200))), tuple(map(float, range(200))), Label("", ""), Label("", ""))
    drawn = curve([line], 60, 6, chart_style(dark=True, colour=False, ascii_only=False), Words("en"))

    assert all(sum(len(segment.text) for segment in row) <= 60 for row in drawn)
    assert "".join(segment.text for segment in drawn[-1]).rstrip().endswith("199")
