"""The lab asks for runs and shows what they measured."""

from dataclasses import replace

import pytest

from content.claims.outcome import Outcome
from content.deck.cards import Claim, Text
from engine.figures import Figure
from engine.label import Label
from engine.result import Quantity, Result, Step
from quiz.card.card_run import Verdict
from quiz.charts.legend import lab_head
from quiz.charts.style import chart_style
from quiz.tui.widgets.figure import Block, FigureWidget
from quiz.tui.widgets.figure_view import FigureView
from quiz.tui.widgets.slider import Slider, TextField
from quiz.words.i18n import Words
from tests.quiz.tui.widgets.lab_bench import DESCRIPTION, Bench, result, shown


async def test_it_shows_title_sliders_and_figures() -> None:
    """Given values stand on their sliders, other parameters at their defaults; figures follow."""
    app = Bench()
    async with app.run_test(size=(80, 40)) as pilot:
        await shown(app, pilot)
        text = app.text()

        assert {"d_k": 512, "mask": "none", "sentence": "小猫"} == app.lab.values
        assert text.startswith("Lab  softmax saturation")
        assert all(word in text for word in ("512", "▐none▌", "weights", ".50", "┊", "22.5"))
        assert [] == app.asked


async def test_it_says_what_the_experiment_shows() -> None:
    """One sentence under the title, in the reader's language; the declared figure stands first, then what is not declared."""
    app = Bench()
    declared = replace(DESCRIPTION, figures=(Figure("curve", ("s",), over="d_k"),))
    async with app.run_test(size=(80, 40)) as pilot:
        app.lab.describe(declared, {})
        app.lab.show(result())
        await pilot.pause()

        assert "Wide heads go blind." == app.text().splitlines()[1].strip()
        assert ["curve", "heatmap"] == [view.subject.figure.kind for view in app.query(FigureView)]


async def test_numbers_are_folded_until_they_are_asked_for() -> None:
    """A dozen at once; the same widget shows all of them."""
    app = Bench()
    many = tuple(Quantity(f"q{i}", float(i), Label(f"number {i}", f"数 {i}")) for i in range(30))
    async with app.run_test(size=(80, 60)) as pilot:
        app.lab.describe(DESCRIPTION, {})
        app.lab.show(Result(quantities=many))
        await pilot.pause()
        assert 12 == app.text().count("number ")
        app.lab.action_numbers()
        await pilot.pause()

        assert 30 == app.text().count("number ")


async def test_the_same_figures_are_updated_in_place() -> None:
    """A Result of the same shape keeps every widget, its focus and its cursor."""
    app = Bench()
    async with app.run_test(size=(80, 40)) as pilot:
        await shown(app, pilot)
        before = list(app.query(FigureWidget))
        app.query(FigureView).first().focus()
        app.lab.show(result(0.25))
        await pilot.pause()

        assert before == list(app.query(FigureWidget))
        assert ".75" in app.text()
        assert app.focused is app.query(FigureView).first()


async def test_other_figures_replace_them() -> None:
    """A Result of another shape has its own widgets."""
    app = Bench()
    async with app.run_test(size=(80, 40)) as pilot:
        await shown(app, pilot)
        app.lab.show(Result(steps=(Step(Label("project", "投影"), "Q = X W_Q", (6, 4)),)))
        await pilot.pause()

        assert ["steps"] == [view.subject.figure.kind for view in app.query(FigureView)]
        assert "(6, 4)" in app.text()


async def test_a_moved_slider_asks_with_all_values() -> None:
    """A moved slider asks for a run with every value; the curve and its marker wait for the result."""
    app = Bench()
    async with app.run_test(size=(80, 40)) as pilot:
        await shown(app, pilot)
        app.lab.take_focus()
        await pilot.press("right")

        assert [{"d_k": 1024, "mask": "none", "sentence": "小猫"}] == app.asked
        assert 512.0 == app.query(FigureView).last().subject.at


async def test_reset_goes_back_to_the_given_values() -> None:
    """All sliders return, and the lab asks once."""
    app = Bench()
    async with app.run_test(size=(80, 40)) as pilot:
        await shown(app, pilot)
        app.lab.take_focus()
        await pilot.press("right", "down", "right")
        app.lab.action_reset()
        app.lab.action_reset()
        await pilot.pause()

        assert {"d_k": 512, "mask": "none", "sentence": "小猫"} == app.asked[-1]
        assert (3, 512) == (len(app.asked), app.query(Slider).first().value)


async def test_up_and_down_walk_through_everything() -> None:
    """Without tab (the card's) every slider and matrix is reached, and left again."""
    app = Bench()
    async with app.run_test(size=(80, 40)) as pilot:
        await shown(app, pilot)
        app.lab.take_focus()
        visited = []
        for key in ("down", "down", "down", "up", "up", "up"):
            await pilot.press(key)
            await pilot.pause()
            assert app.focused
            visited.append(type(app.focused).__name__)

        assert ["Slider", "Input", "FigureView", "Input", "Slider", "Slider"] == visited


async def test_pages_scroll_whatever_has_the_focus() -> None:
    """A slider that has the focus stays as it is."""
    app = Bench()
    async with app.run_test(size=(80, 12)) as pilot:
        await shown(app, pilot)
        app.lab.take_focus()
        await pilot.press("pagedown")
        await pilot.wait_for_animation()
        below = app.lab.scroll_y
        await pilot.press("pageup")
        await pilot.wait_for_animation()

        assert ([], 512, True, 0) == (app.asked, app.lab.values["d_k"], below > 5, app.lab.scroll_y)


async def test_a_figure_more_leaves_what_is_in_view() -> None:
    """A sweep passes values where a figure or a note comes or goes: the others keep their widgets, their place and the focus."""
    app = Bench()
    async with app.run_test(size=(80, 12)) as pilot:
        await shown(app, pilot)
        figure = app.query(FigureView).first()
        figure.focus()
        app.lab.scroll_to(y=8, animate=False)
        await pilot.pause()
        more = replace(result(0.25), notes=(Label("None is blind.", "没有。"),), steps=(Step(Label("project", "投影"), "Q", ()),))
        views = [len(app.query(FigureView))]
        for measured in (more, result()):
            app.lab.show(measured)
            for _ in range(3):
                await pilot.pause()
            assert (figure, 8) == (app.focused, app.lab.scroll_y)
            views.append(len(app.query(FigureView)))

        assert [2, 3, 2] == views


async def test_language_turns_in_place() -> None:
    """Every label changes and no widget is replaced."""
    app = Bench()
    async with app.run_test(size=(80, 40)) as pilot:
        await shown(app, pilot)
        before = list(app.query(FigureWidget))
        app.lab.words = Words("zh")
        await pilot.pause()
        text = app.text()

        assert all(word in text for word in ("softmax 饱和", "掩码", "▐无▌", "句子", "权重", "标准差"))
        assert before == list(app.query(FigureWidget))


async def test_a_failure_is_a_sentence_below_the_sliders() -> None:
    """It is shown as typed, the old figures look old, the sliders do not move, and the next result clears it."""
    app = Bench()
    async with app.run_test(size=(80, 40)) as pilot:
        await shown(app, pilot)
        before = app.query(Slider).first().region
        app.lab.fail("Too large: [CLS] x[/]y [@click=app.quit]z[/]")
        await pilot.pause()
        assert "✖ Too large: [CLS] x[/]y [@click=app.quit]z[/]" in app.text()
        assert before == app.query(Slider).first().region
        assert app.query_one("#lab-figures").has_class("-stale")
        app.lab.show(result())
        await pilot.pause()

        assert "✖" not in app.text()
        assert not app.query_one("#lab-figures").has_class("-stale")


def verdict(*, holds: bool) -> Verdict:
    return Verdict(Claim(Text({"": "It is."}), "x > 1"), Outcome(holds, ()))


async def test_claims_are_beside_the_title() -> None:
    """Whether each holds, also while a run goes on; another experiment has none of them."""
    app = Bench()
    async with app.run_test(size=(80, 40)) as pilot:
        await shown(app, pilot)
        head = app.query_one("#lab-head", Block)
        app.lab.judge([verdict(holds=True), verdict(holds=True), verdict(holds=False)])
        assert head.render_line(0).text.rstrip().endswith("saturation" + " " * 49 + "✔ ✔ ✖")
        app.lab.busy(None)
        assert head.render_line(0).text.rstrip().endswith("✔ ✔ ✖  …")
        app.lab.clear()

        assert "✔" not in head.render_line(0).text


def test_claims_in_ascii() -> None:
    """And the title gives way to them."""
    look = chart_style(dark=True, colour=False, ascii_only=True)
    row = lab_head("Lab", "a title that is long", "", 20, look, (True, False))

    assert "Lab  a title th~ + x" == "".join(segment.text for segment in row)


async def test_progress_is_beside_the_title() -> None:
    """How far a run is stands at the right of the title until it is over."""
    app = Bench()
    async with app.run_test(size=(80, 40)) as pilot:
        await shown(app, pilot)
        head = app.query_one("#lab-head", Block)
        app.lab.busy(0.42)
        assert head.render_line(0).text.rstrip().endswith("━━━━        42%")
        app.lab.busy(None)
        assert head.render_line(0).text.rstrip().endswith("…")
        app.lab.idle()

        assert head.render_line(0).text.rstrip().endswith("saturation")


@pytest.mark.parametrize("size", [(20, 5), (3, 2), (1, 1)])
async def test_small_screens_do_not_break_it(size: tuple[int, int]) -> None:
    """The lab lives through any size."""
    app = Bench()
    async with app.run_test(size=size) as pilot:
        await shown(app, pilot)
        app.lab.take_focus()
        await pilot.press("down", "down", "down", "right")

        assert 1 == len(app.query(TextField))


async def test_no_color_draws_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under NO_COLOR cells have no ground, and the legend is in numbers."""
    monkeypatch.setenv("NO_COLOR", "1")
    app = Bench()
    async with app.run_test(size=(80, 40)) as pilot:
        await shown(app, pilot)

        assert "0.5 .. 0.5" in app.text()
