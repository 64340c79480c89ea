"""A person walks through a figure by keys or mouse, and opens a cell."""

import time
from dataclasses import replace

import pytest
from textual.app import App, ComposeResult

from engine.figures import Figure, Kind
from engine.label import Label
from engine.parameter import Value
from engine.result import Matrix, Result
from quiz.charts.figures.subject import Subject
from quiz.charts.style import Pen, chart_style
from quiz.tui.widgets.figure import style_of_app
from quiz.tui.widgets.figure_view import HERO, FigureView
from quiz.words.i18n import Words
from tests.quiz.charts.figures.samples import FIGURES, subject
from tests.quiz.keys import Keys

NAMES = ("a", "b", "c")
Q = Matrix("Q", ((1.0, 2.0), (0.0, 1.0), (3.0, 1.0)), Label("Q", "Q"), NAMES, ("1", "2"))
SCORES = Matrix(
    "S", tuple(tuple(x * u + y * v for u, v in Q.values) for x, y in Q.values), Label("scores", "分数"), NAMES, NAMES, product_of=("Q", "Q")
)


def of(matrix: Matrix) -> Subject:
    return Subject(Figure("heatmap", (matrix.name,)), None, Result(matrices=(matrix, Q)), {})


def large(shift: int) -> Matrix:
    values = tuple(tuple(((i * 7 + j * 13 + shift) % 64) / 64 for j in range(64)) for i in range(64))
    names = tuple(map(str, range(64)))
    return Matrix("large", values, Label("large", "大"), names, names, kind="weights")


class Bench(App[None]):
    def __init__(self, matrix: Matrix) -> None:
        super().__init__()
        self.matrix = matrix

    def compose(self) -> ComposeResult:
        yield FigureView(lambda: Pen(style_of_app(self), Keys("en")), of(self.matrix), "hero")

    @property
    def heatmap(self) -> FigureView:
        return self.query_one(FigureView)

    @property
    def cell(self) -> tuple[int, int] | None:
        return self.heatmap.cursor.within(0)

    def text(self) -> list[str]:
        return [self.heatmap.render_line(y).text.rstrip() for y in range(self.heatmap.size.height)]


async def test_arrows_move_the_cursor_and_a_line_says_the_value() -> None:
    """The value under the cursor stands below the cells with its row and column."""
    app = Bench(SCORES)
    async with app.run_test(size=(60, 20)) as pilot:
        app.heatmap.focus()
        await pilot.press("down", "down", "right", "left", "right")

        assert (2, 1) == app.cell
        assert "c → b  1" in app.text()


async def test_the_cursor_stays_inside() -> None:
    """Arrows at the edge do not leave the matrix."""
    app = Bench(SCORES)
    async with app.run_test(size=(60, 20)) as pilot:
        app.heatmap.focus()
        await pilot.press("up", "left", *["right"] * 9, *["down"] * 9)

        assert (2, 2) == app.cell


async def test_enter_opens_the_sum_and_closes_it() -> None:
    """The terms of the product appear below the matrix, and the widget grows by their row."""
    app = Bench(SCORES)
    async with app.run_test(size=(60, 20)) as pilot:
        app.heatmap.focus()
        await pilot.press("enter")
        await pilot.pause()
        assert "S[a, a] = 1·1 + 2·2 = 5" == app.text()[-1]
        await pilot.press("enter")
        await pilot.pause()

        assert "S[" not in app.text()[-1]


async def test_the_mouse_points_at_cells() -> None:
    """The cell under the pointer is the one that is told; leaving shows the legend again."""
    app = Bench(SCORES)
    async with app.run_test(size=(60, 20)) as pilot:
        app.set_focus(None)
        await pilot.hover(FigureView, offset=(app.text()[3].index("1"), 3))
        assert (1, 1) == app.cell
        await pilot.hover(offset=(50, 19))

        assert app.cell is None


async def test_an_update_keeps_the_cursor() -> None:
    """New numbers in the same place: the cursor stays, and the line below says the new value."""
    app = Bench(SCORES)
    async with app.run_test(size=(60, 20)) as pilot:
        app.heatmap.focus()
        await pilot.press("down")
        app.heatmap.update(of(Matrix("S", ((0.5,) * 3,) * 3, Label("scores", "分数"), NAMES, NAMES)), "hero")
        await pilot.pause()

        assert "b → a  0.5" in app.text()


async def test_another_theme_has_other_colours() -> None:
    """The cells are drawn again when the theme turns from dark to light."""
    app = Bench(SCORES)
    async with app.run_test(size=(60, 20)) as pilot:
        app.theme = "textual-dark"
        await pilot.pause()
        dark = app.heatmap.render_line(2)
        app.theme = "textual-light"
        await pilot.pause()

        assert dark != app.heatmap.render_line(2)


@pytest.mark.parametrize("matrix", [SCORES, large(0)])
@pytest.mark.parametrize("size", [(20, 5), (3, 2), (1, 1)])
async def test_small_screens_do_not_break_it(matrix: Matrix, size: tuple[int, int]) -> None:
    """Keys work at any size."""
    app = Bench(matrix)
    async with app.run_test(size=size) as pilot:
        app.heatmap.focus()
        await pilot.press("right", "down", "enter")

        assert app.cell is not None


async def test_a_large_matrix_is_drawn_quickly() -> None:
    """64 x 64 takes 17 ms here; the limit is generous, because what it must catch is a widget a cell."""
    app = Bench(large(0))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        times = []
        for shift in range(1, 6):
            before = time.perf_counter()
            app.heatmap.update(of(large(shift)), "hero")
            app.text()
            times.append(time.perf_counter() - before)

        assert min(times) < 0.2


class Walk(App[None]):
    """A figure of several kinds, and what it asks for."""

    def __init__(self, kind: Kind) -> None:
        super().__init__()
        self.kind = kind
        self.chosen: list[dict[str, Value]] = []

    def compose(self) -> ComposeResult:
        yield FigureView(lambda: Pen(style_of_app(self), Words("en")), subject(FIGURES[self.kind]), "hero")

    def on_figure_view_chosen(self, event: FigureView.Chosen) -> None:
        self.chosen.append(event.values)

    def text(self) -> str:
        view = self.query_one(FigureView)
        return "\n".join(view.render_line(y).text.rstrip() for y in range(view.size.height))


async def test_a_stage_is_turned() -> None:
    """n and p go through a walk-through, to its ends; a stage shows its matrix beside what it was made of, and its cell opens."""
    app = Walk("steps")
    async with app.run_test(size=(90, 40)) as pilot:
        app.query_one(FigureView).focus()
        await pilot.press("p", "n", "n")
        assert "step 2 of 2" in app.text()
        assert "masked scores" in app.text()
        await pilot.press("down", "down", "down", "enter")
        assert "weights[it, kitten] = e^3 / 26.57" in app.text()
        await pilot.press("p")

        assert "step 1 of 2" in app.text()


async def test_a_cell_of_a_grid_sets_both_sliders() -> None:
    """Enter asks for the layer and the head of the cell under the cursor."""
    app = Walk("grid")
    async with app.run_test(size=(80, 30)) as pilot:
        app.query_one(FigureView).focus()
        await pilot.press("down", "right", "right", "right", "enter")
        await pilot.pause()

        assert [{"layer": 1, "head": 3}] == app.chosen


async def test_the_row_of_a_strip_is_the_one_under_the_cursor() -> None:
    """Its weights stand below its words."""
    app = Walk("strip")
    async with app.run_test(size=(80, 30)) as pilot:
        app.query_one(FigureView).focus()
        await pilot.press("down")
        second = app.text().splitlines()
        await pilot.press("down")

        assert ".27   .73" in " ".join(next(line for line in second if ".27" in line).split()).replace(" .", "   .")
        assert app.text().splitlines() != second


@pytest.mark.parametrize(("kind", "enters"), [("curve", False), ("table", False), ("heatmap", True), ("steps", True), ("strip", True)])
def test_only_what_has_cells_takes_the_focus(kind: Kind, enters: bool) -> None:
    """Walking past the figures stops where something can be pointed at."""
    assert (
        enters
        == FigureView(lambda: Pen(chart_style(dark=True, colour=True, ascii_only=False), Words("en")), subject(FIGURES[kind]), "").can_focus
    )


def test_the_heros_sentence_is_copied_with_it() -> None:
    """On the screen it stands above the figure, by itself; what is copied has it."""
    shown = of(SCORES)
    said = Subject(replace(shown.figure, caption=Label("Look at the row of a.", "看 a 那一行。")), None, shown.result, {})
    pen = Pen(chart_style(dark=True, colour=True, ascii_only=False), Words("en"))
    view = FigureView(lambda: pen, said, HERO)
    texts = [" ".join("".join(segment.text for segment in row) for row in rows) for rows in (view.draw(60, pen), view.whole(60, pen))]

    assert [False, True] == ["Look at the row of a." in text for text in texts]
