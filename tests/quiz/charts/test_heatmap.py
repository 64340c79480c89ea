"""A heatmap shows every number it can, and says what it had to leave out."""

import math
from typing import Literal

import pytest
from rich.cells import cell_len

from engine.figures import Figure
from engine.label import Label
from engine.result import Matrix, Result
from quiz.charts.cell_numbers import cell_texts
from quiz.charts.colour_scale import scale
from quiz.charts.downsample import Downsampled, Values, fit_matrix
from quiz.charts.figures.kinds import draw_figure
from quiz.charts.figures.subject import Cursor, Subject
from quiz.charts.heatmap import heatmap, plan
from quiz.charts.legend import legend, shrunk_text, under_cursor
from quiz.charts.palette import DARK, LIGHT, Palette, luminance
from quiz.charts.style import ChartStyle, Pen, Row, chart_style
from quiz.words.i18n import Words

COLOUR = chart_style(dark=True, colour=True, ascii_only=False)
PLAIN = chart_style(dark=True, colour=False, ascii_only=False)
ASCII = chart_style(dark=True, colour=False, ascii_only=True)
Kind = Literal["weights", "signed", "magnitude"]
TOKENS = ("小猫", "没有", "它")


def say(key: str, **values: object) -> str:
    return f"{key} {values}"


def matrix(values: Values, kind: Kind = "weights", names: tuple[str, ...] = ()) -> Matrix:
    names = names or tuple(f"t{i + 1}" for i in range(max(len(values), len(values[0]))))
    return Matrix("m", values, Label("m", "m"), names[: len(values)], names[: len(values[0])], kind=kind)


def grid(n: int) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple((i * n + j) / (n * n) for j in range(n)) for i in range(n))


def text(rows: list[Row]) -> list[str]:
    return ["".join(segment.text for segment in row) for row in rows]


def test_small_matrices_show_numbers_under_their_columns() -> None:
    """Up to 12 x 12 each cell is its number, and a Chinese label takes two cells a character."""
    weights = matrix(((1.0, 0.0, 0.0), (0.25, 0.75, 0.0), (0.97, 0.02, 0.01)), names=TOKENS)

    assert [
        "      小猫 没有  它      Σ",
        "小猫  1.0    ·    ·      1",
        "没有  .25  .75    ·      1",
        "它    .97  .02  .01      1",
    ] == text(heatmap(weights, 60, 16, COLOUR))


def test_masked_cells_are_dots() -> None:
    """-inf is a dot, and says `masked` under the cursor."""
    scores = matrix(((1.0, -math.inf), (-1.5, 2.0)), "signed")

    assert "·" in text(heatmap(scores, 60, 16, COLOUR))[1]
    assert "lab.masked" in text([under_cursor(scores, (0, 1), COLOUR, say)])[0]


def test_negative_numbers_carry_their_sign_without_colour() -> None:
    """Without colours a tile of a signed matrix is a sign and a density."""
    signs = matrix(tuple(tuple(-1.0 if (i + j) % 2 else 1.0 for j in range(14)) for i in range(2)), "signed")

    assert ["+@-@" * 7, "-@+@" * 7] == [row[3:] for row in text(heatmap(signs, 60, 16, PLAIN))[1:]]


def test_large_matrices_are_pooled_and_say_so() -> None:
    """A 64 x 64 matrix in 17 rows is 32 x 32 half blocks under the names of its columns, and the line below tells."""
    placed = plan(matrix(grid(64)), 70, 17, COLOUR)

    assert (32, 32, 17) == (placed.pool.height, placed.pool.width, placed.height)
    assert "lab.pooled {'size': '64×64', 'shown': '32×32', 'block': '2×2'}" == shrunk_text(placed, COLOUR, say)
    assert "" == shrunk_text(plan(matrix(grid(8)), 70, 16, COLOUR), COLOUR, say)


def test_pooling_keeps_the_largest_with_its_sign() -> None:
    """A block shows its cell farthest from zero; a masked cell never wins."""
    pool = Downsampled(((1.0, -3.0, 0.0, -math.inf), (2.0, 0.0, 0.5, 0.0)), 2, 2)

    assert ((-3.0, 0.5),) == pool.shown()
    assert (0, 1) == pool.cell(0, 0)


def test_a_square_stays_square() -> None:
    """A square matrix is pooled by the same number both ways."""
    assert (2, 2) == (fit_matrix(grid(30), 30, 16).rows, fit_matrix(grid(30), 30, 16).columns)


@pytest.mark.parametrize("drawn_with", [COLOUR, PLAIN, ASCII])
@pytest.mark.parametrize("n", [1, 5, 8, 9, 64])
@pytest.mark.parametrize(("width", "height"), [(80, 16), (20, 5), (3, 2), (1, 1), (0, 0)])
def test_no_size_overflows(drawn_with: ChartStyle, n: int, width: int, height: int) -> None:
    """At any size a heatmap stays inside its place."""
    rows = heatmap(matrix(grid(n)), width, height, drawn_with, cursor=(0, 0))

    assert len(rows) <= height
    assert all(cell_len(line) <= width for line in text(rows))


def test_ascii_is_ascii() -> None:
    """--ascii draws nothing beyond ASCII, large or small."""
    scores = matrix(((1.0, -math.inf), (-1.5, 2.0)), "signed")
    drawn = [
        *heatmap(scores, 60, 16, ASCII, (0, 0)),
        *heatmap(matrix(grid(64)), 60, 16, ASCII),
        legend(scores, plan(scores, 60, 16, ASCII), ASCII),
    ]

    assert all(line.isascii() for line in text(drawn))


def test_the_cursor_shows_without_colour() -> None:
    """The cell under the cursor is framed by characters."""
    assert "[.97]" in text(heatmap(matrix(((0.97, 0.03),)), 40, 5, ASCII, (0, 0)))[1]


@pytest.mark.parametrize("n", [3, 12, 64])
def test_the_mouse_finds_the_cell_that_is_drawn(n: int) -> None:
    """Every block has a character, and that character leads back to it (with half blocks to the upper of the two)."""
    placed = plan(matrix(grid(n)), 70, 16, COLOUR)
    for row in range(0, placed.pool.height, placed.down):
        for column in range(placed.pool.width):
            at = placed.labels + column * placed.across, placed.header + row // placed.down
            assert (row, column) == placed.cell_at(*at)


@pytest.mark.parametrize("palette", [DARK, LIGHT])
@pytest.mark.parametrize("kind", ["weights", "magnitude"])
def test_ramps_survive_greys(palette: Palette, kind: str) -> None:
    """The lightness of a one-way ramp only rises or only falls."""
    lights = [luminance(colour) for colour in palette.ramps[kind]]

    assert lights in (sorted(lights), sorted(lights, reverse=True))


@pytest.mark.parametrize("palette", [DARK, LIGHT])
def test_signed_ramps_have_their_extreme_in_the_middle(palette: Palette) -> None:
    """Zero is nearest to the background, and lightness goes one way from it to both ends."""
    lights = [luminance(colour) for colour in palette.ramps["signed"]]
    down, up = lights[: len(lights) // 2 + 1], lights[len(lights) // 2 :]

    assert {down == sorted(down), up == sorted(up)} == {False, True}


def test_signed_colours_are_symmetric() -> None:
    """Zero of a signed matrix is always the middle of the ramp."""
    assert 0.5 == scale(matrix(((3.0, -1.0),), "signed")).level(0.0)


@pytest.mark.parametrize(
    ("values", "written"),
    [
        ((0.97, 0.0, 0.004), [".97", "0", ".00"]),
        ((1.0, -2.0, 0.0), ["1", "-2", "0"]),
        ((-1.42, 0.5, -0.04), ["-1.4", ".5", ".0"]),
        ((123.4, -5.0), ["123", "-5"]),
        ((12345.0, 0.5), ["1e4", "5e-1"]),
    ],
)
def test_numbers_of_a_matrix_are_written_alike(values: tuple[float, ...], written: list[str]) -> None:
    """Two or three digits, one way for the whole matrix; only an exact zero is `0`."""
    show = cell_texts(values)

    assert written == [show(value) for value in values]


@pytest.mark.parametrize(("language", "shown", "hidden"), [("en", "kitten", "小猫"), ("zh", "小猫", "kitten")])
def test_names_of_rows_and_columns_are_in_the_readers_language(language: str, shown: str, hidden: str) -> None:
    """A token that has a name in both languages is shown, beside its row and under the cursor, in the reader's."""
    names = (Label("kitten", "小猫"), "q2")
    matrix = Matrix("weights", ((0.9, 0.1), (0.5, 0.5)), Label("weights", "权重"), names, names)
    pen = Pen(chart_style(dark=True, colour=False, ascii_only=False), Words.of(language))

    figure = Subject(Figure("heatmap", ("weights",)), None, Result(matrices=(matrix,)), {})
    for cursor in (None, Cursor()):
        drawn = "".join(segment.text for row in draw_figure(figure, 60, 16, pen, cursor) for segment in row)
        assert shown in drawn
        assert hidden not in drawn
