"""Numbers in columns, terms of a cell, and a whole Result on one page."""

import io
import math
from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.console import Console

from engine.experiment import Description
from engine.label import Label
from engine.parameter import Choice, Parameter
from engine.result import Matrix, Quantity, Result, Series, Step, Table
from quiz.charts.dot_product import product_terms
from quiz.charts.flow import FlowPlace, flow
from quiz.charts.result_figures import ResultPicture, subjects
from quiz.charts.slider import choice_at, choices_row, columns, rail_row, tick_at
from quiz.charts.style import Pen, Row, chart_style
from quiz.charts.svg import widen_chinese
from quiz.charts.table import quantities, steps, table
from quiz.words.i18n import Words
from tests.quiz.keys import Keys

LOOK = chart_style(dark=True, colour=True, ascii_only=False)
DIMS = ("d1", "d2")
Q = Matrix("Q", ((1.0, -2.0), (0.0, 1.0), (3.0, 1.0)), Label("Q", "Q"), ("a", "b", "c"), DIMS)
K = Matrix("K", ((2.0, 0.0), (1.0, 1.0), (0.0, 4.0)), Label("K", "K"), ("a", "b", "c"), DIMS)
HEADS = Parameter("h", Label("heads", "头数"), 8, 1, 16, 2, "log")
D_K = Parameter("d_k", Label("d_k", "d_k"), 64, 1, 4096, 2, "log")
MASK = Parameter(
    "mask",
    Label("mask", "掩码"),
    "none",
    scale="choice",
    choices=(Choice("none", Label("none", "无")), Choice("causal", Label("causal", "因果"))),
)


def text(rows: list[Row]) -> list[str]:
    return ["".join(segment.text for segment in row) for row in rows]


def scores(of: str, factor: float) -> Matrix:
    values = tuple(tuple(factor * sum(a * b for a, b in zip(q, k, strict=True)) for k in K.values) for q in Q.values)
    return Matrix("S", values, Label("S", "S"), ("a", "b", "c"), ("a", "b", "c"), product_of=("Q", of), factor=factor)


K_T = Matrix("K_T", tuple(zip(*K.values, strict=True)), Label("K", "K"), DIMS, ("a", "b", "c"))


@pytest.mark.parametrize("operand", [K, K_T])
def test_an_opened_cell_shows_its_sum(operand: Matrix) -> None:
    """The terms are row times column, whether B was given transposed or not, then the factor."""
    opened = product_terms(scores(operand.name, 0.5), {"Q": Q, operand.name: operand}, (0, 1), 80, LOOK)

    assert ["S[a, b] = 1·1 + (-2)·1 = -1 → ×1/2 = -0.5"] == text(opened)


def test_a_cell_that_is_not_the_product_stays_shut() -> None:
    """A masked cell has no sum that would explain it."""
    masked = Matrix("S", ((-math.inf,) * 3,) * 3, Label("S", "S"), ("a", "b", "c"), ("a", "b", "c"), product_of=("Q", "K"))

    assert [] == product_terms(masked, {"Q": Q, "K": K}, (0, 1), 80, LOOK)
    assert [] == product_terms(scores("gone", 1.0), {"Q": Q}, (0, 1), 80, LOOK)


def test_quantities_line_up() -> None:
    """Numbers end in one column, and each arm has its line style."""
    measured = (
        Quantity("a", 22.576, Label("spread, unscaled", "标准差"), arm="wrong"),
        Quantity("b", 0.998, Label("spread", "差"), "%", "right"),
        Quantity("c", 2362368, Label("parameters", "参数")),
    )

    assert [
        "╍ spread, unscaled      22.58",
        "━ spread                0.998 %",
        "  parameters        2,362,368",
    ] == text(quantities(measured, 60, LOOK, Words("en")))


def test_tables_align_numbers_and_wrap_words() -> None:
    """Numbers stand at the right, words at the left, and a long word cell takes more lines instead of losing its end."""
    data = Table(
        "t", Label("t", "t"), (Label("way", "方式"), Label("error", "误差")), ((Label("view, then transpose it", "转置"), 0.5), ("x", 12.0))
    )

    assert ["way           error", "view, then      0.5", "transpose it", "x                12"] == text(table(data, 19, LOOK, Words("en")))


def test_steps_show_shape_and_formula() -> None:
    """Each step has its number, its shape, and below it the formula as it was typeset."""
    walk = (Step(Label("project", "投影"), "Q", (6, 4)), Step(Label("softmax of the rows", "归一化")))

    assert [" 1  project              (6, 4)", "    <Q>", " 2  softmax of the rows  "] == text(
        steps(walk, 60, LOOK, Words("en"), lambda tex: [f"<{tex}>"])
    )


def test_figures_share_a_shelf_while_they_fit() -> None:
    """Figures of one kind stand beside each other in their order; a new kind starts a shelf."""
    assert [[FlowPlace(0, 0, 37), FlowPlace(1, 40, 37)], [FlowPlace(2, 0, 80)]] == flow([("matrix", 30), ("matrix", 30), ("curve", 10)], 80)
    assert [[FlowPlace(0, 0, 40)], [FlowPlace(1, 0, 40)]] == flow([("matrix", 30), ("matrix", 30)], 40)


def test_the_marker_is_the_sliders_place() -> None:
    """The parameter whose label (in both languages) is the x axis' label is pointed out."""
    series = Series("s", (1.0,), (1.0,), Label("s", "s"), HEADS.label)
    description = Description("x", "", Label("x", "x"), Label("x", "x"), (MASK, HEADS), 3.0, ())

    steps = replace(series, x_label=Label("step", "步"))

    assert [4.0] == [subject.at for subject in subjects(description, Result(series=(series,)), {"h": 4})]
    assert [None] == [subject.at for subject in subjects(description, Result(series=(steps,)), {"d_k": 512})]


def test_a_rail_shows_and_finds_its_value() -> None:
    """The thumb is where a click on it would set the value it has."""
    where = columns((D_K, MASK), LOOK, Words("en"))
    drawn = text([rail_row(D_K, 512, 60, where, LOOK, Words("en"), True)])[0]

    assert drawn.startswith("▸ d_k   ━")
    assert drawn.endswith("   512")
    assert 512 == D_K.value_at(tick_at(D_K, drawn.index("●"), 60, where) or 0)


def test_choices_show_the_chosen_one_without_colour() -> None:
    """The chosen one is framed; a click on a word finds it, also behind a Chinese label."""
    where = columns((MASK,), LOOK, Words("zh"))
    drawn = text([choices_row(MASK, "causal", 40, where, LOOK, Words("zh"), False)])[0]

    assert "  掩码   无 ▐因果▌" == drawn
    assert 1 == choice_at(MASK, "none", cell_len(drawn) - 2, 40, where, LOOK, Words("zh"))
    assert choice_at(MASK, "none", 1, 40, where, LOOK, Words("zh")) is None
    assert 1 == choice_at(MASK, "none", 12, 16, columns((MASK,), LOOK, Words("en")), LOOK, Words("en"))
    assert "  mask  < causal >" == text([choices_row(MASK, "causal", 18, columns((MASK,), LOOK, Words("en")), LOOK, Words("en"), False)])[0]


def test_long_whole_numbers_are_grouped() -> None:
    """Nobody reads 109482240; a number that is not whole keeps four digits."""
    quantities_ = [Quantity("a", 109_482_240.0, Label("parameters", "参数")), Quantity("b", 12345.67, Label("other", "其他"))]

    assert ["parameters  109,482,240", "other             12346"] == text(quantities(quantities_, 40, LOOK, Words("en")))


@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize("width", [120, 80, 20, 3, 1])
def test_a_console_prints_a_whole_result(colour: bool, width: int) -> None:
    """Every figure is printed, none wider than the console."""
    result = Result(
        (Quantity("q", 1.0, Label("number", "数")),),
        (Q, K, scores("K", 0.5)),
        (Series("s", (1.0, 2.0), (1.0, 2.0), Label("line", "线"), Label("x", "x")),),
        (Table("t", Label("table", "表"), (Label("a", "a"),), ((1.0,),)),),
        (Step(Label("step", "步")),),
        (Label("note", "注"),),
        (Quantity("t", 1.0, Label("time", "用时")),),
    )
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=colour, color_system="truecolor" if colour else None)
    console.print(ResultPicture(result, Pen(chart_style(dark=True, colour=colour, ascii_only=False), Keys("en"))))
    plain = out.getvalue()

    assert colour == ("\x1b[" in plain)
    if not colour:
        assert all(cell_len(line) <= width for line in plain.splitlines())
        assert width < 20 or all(word in plain for word in ("number", "lab.timings", "time", "line", "table", "step", "note"))


def test_chinese_in_an_svg_is_as_wide_as_its_cells() -> None:
    """A text's length counts a Chinese character twice, and an entity once."""
    assert '<text textLength="50" y="1">小猫&lt;</text>' == widen_chinese('<text textLength="30" y="1">小猫&lt;</text>')
