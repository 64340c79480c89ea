"""A slider moves by whole ticks, and speaks only when a person moved it."""

import pytest
from textual.app import App, ComposeResult
from textual.events import MouseScrollDown, MouseScrollUp
from textual.pilot import Pilot
from textual.widgets import Input

import quiz.tui.widgets.slider
from engine.label import Label
from engine.parameter import Choice, Parameter, Value
from quiz.charts.slider import Columns, columns
from quiz.charts.style import Pen
from quiz.tui.widgets.figure import style_of_app
from quiz.tui.widgets.slider import Changed, Slider, TextField, control
from quiz.words.i18n import Words
from tests.quiz.keys import Keys

D_K = Parameter("d_k", Label("d_k", "d_k"), 64, 1, 4096, 2, "log")
SIGMA = Parameter("sigma", Label("σ", "σ"), 1.0, 0.1, 10, 0.1)
CHOICES = (Choice("none", Label("none", "无")), Choice("causal", Label("causal", "因果")), Choice("padding", Label("padding", "填充")))
MASK = Parameter("mask", Label("mask", "掩码"), "causal", scale="choice", choices=CHOICES)
TEXT = Parameter("sentence", Label("sentence", "句子"), "小猫", scale="text")


class Bench(App[None]):
    """One slider, and what it said."""

    def __init__(self, parameter: Parameter, value: Value) -> None:
        super().__init__()
        self.parameter = parameter
        self.start = value
        self.heard: list[Value] = []

    def compose(self) -> ComposeResult:
        yield control(self.pen, self.parameter, self.start, self.place)

    def pen(self) -> Pen:
        return Pen(style_of_app(self), Keys("en"))

    def place(self) -> Columns:
        return columns((self.parameter,), self.pen().look, Words("en"))

    def on_changed(self, event: Changed) -> None:
        self.heard.append(event.value)

    @property
    def slider(self) -> Slider:
        return self.query_one(Slider)

    def line(self) -> str:
        return self.slider.render_line(0).text


async def focused(app: Bench, pilot: Pilot[None]) -> None:
    app.slider.focus()
    await pilot.pause()


@pytest.mark.parametrize(
    ("parameter", "start", "key", "expected"),
    [
        (D_K, 64, "right", 128),
        (D_K, 64, "left", 32),
        (D_K, 64, "shift+right", 256),
        (D_K, 64, "shift+left", 16),
        (D_K, 64, "home", 1),
        (D_K, 64, "end", 4096),
        (D_K, 80, "right", 128),
        (D_K, 80, "left", 64),
        (D_K, 100, "right", 128),
        (D_K, 100, "left", 64),
        (SIGMA, 0.2, "right", 0.3),
        (SIGMA, 1.0, "shift+right", 2.0),
        (MASK, "causal", "right", "padding"),
        (MASK, "causal", "home", "none"),
    ],
)
async def test_keys_move_by_ticks(parameter: Parameter, start: Value, key: str, expected: Value) -> None:
    """Each key moves as it says; from between two ticks a step goes to the next tick on that side; 0.2 + 0.1 is 0.3."""
    app = Bench(parameter, start)
    async with app.run_test(size=(80, 3)) as pilot:
        await focused(app, pilot)
        await pilot.press(key)

        assert [expected] == app.heard


async def test_only_a_person_is_heard() -> None:
    """Mounting, setting a value and moving past an end say nothing."""
    app = Bench(D_K, 80)
    async with app.run_test(size=(80, 3)) as pilot:
        await focused(app, pilot)
        assert app.line().endswith("80")
        app.slider.set(4096)
        await pilot.press("right", "end")

        assert [] == app.heard


async def test_click_and_drag_find_the_tick() -> None:
    """A press on the rail's start is the least value, dragging to its end the largest."""
    app = Bench(D_K, 64)
    async with app.run_test(size=(80, 3)) as pilot:
        rail = app.line().index("━")
        await pilot.mouse_down(Slider, offset=(rail, 0))
        await pilot.hover(Slider, offset=(79, 0))
        await pilot.mouse_up(Slider, offset=(79, 0))
        await pilot.hover(Slider, offset=(rail, 0))

        assert [1, 4096] == [app.heard[0], app.heard[-1]]


async def test_a_drag_is_drawn_some_times_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all the cells that the mouse passes in a moment the first counts, and that where it is let go."""
    monkeypatch.setattr(quiz.tui.widgets.slider, "PICTURES", 0.01)
    app = Bench(D_K, 64)
    async with app.run_test(size=(80, 3)) as pilot:
        rail = app.line().index("━")
        await pilot.mouse_down(Slider, offset=(rail, 0))
        for cell in (79, 70, 60, 50, 40, rail):
            await pilot.hover(Slider, offset=(cell, 0))
        before = list(app.heard)
        await pilot.mouse_up(Slider, offset=(rail, 0))

        assert ([1, 4096], [1, 4096, 1]) == (before, app.heard)


async def test_a_click_on_a_choice_takes_it() -> None:
    """The word under the pointer is chosen."""
    app = Bench(MASK, "causal")
    async with app.run_test(size=(80, 3)) as pilot:
        await pilot.click(Slider, offset=(app.line().index("padding"), 0))

        assert ["padding"] == app.heard
        assert "▐padding▌" in app.line()


@pytest.mark.parametrize(("has_focus", "heard"), [(True, [128, 64]), (False, [])])
async def test_the_wheel_moves_only_a_focused_slider(has_focus: bool, heard: list[Value]) -> None:
    """Scrolling through the lab does not move the sliders that pass under the pointer."""
    app = Bench(D_K, 64)
    async with app.run_test(size=(80, 3)) as pilot:
        app.set_focus(app.slider if has_focus else None)
        await pilot.pause()
        for event in (MouseScrollUp, MouseScrollDown):
            app.slider.post_message(event(app.slider, 5, 0, 0, 0, 0, False, False, False))
        await pilot.pause()

        assert heard == app.heard


async def test_focus_shows_without_colour() -> None:
    """The focused slider has a mark before its label."""
    app = Bench(D_K, 64)
    async with app.run_test(size=(80, 3)) as pilot:
        app.set_focus(None)
        await pilot.pause()
        assert app.line().startswith("  d_k")
        await focused(app, pilot)
        assert app.line().startswith("▸ d_k")


@pytest.mark.parametrize("parameter", [D_K, SIGMA, MASK])
@pytest.mark.parametrize("size", [(20, 5), (3, 2), (1, 1)])
async def test_small_screens_do_not_break_it(parameter: Parameter, size: tuple[int, int]) -> None:
    """A slider without room for its rail still has keys."""
    app = Bench(parameter, parameter.default)
    async with app.run_test(size=size) as pilot:
        await focused(app, pilot)
        await pilot.press("right")

        assert 1 == len(app.heard)


@pytest.mark.parametrize("start", ["小猫", "unclean\u200b"])
async def test_typing_is_a_change_and_setting_is_none(start: str) -> None:
    """A text parameter says each new text once; a text that the program set, clean or not, is not said."""
    app = Bench(TEXT, start)
    async with app.run_test(size=(60, 3)) as pilot:
        field = app.query_one(TextField)
        field.set("鱼\u200b")
        field.set("鱼")
        await pilot.pause()
        assert ([], "鱼") == (app.heard, app.query_one(Input).value)
        app.query_one(Input).focus()
        await pilot.press("end", *"饿!")

        assert ["鱼饿", "鱼饿!"] == app.heard
