"""The lab asks for runs and shows what they measured."""

from dataclasses import replace

import pytest
from textual import on
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from content.claims.outcome import Outcome
from content.deck.cards import Claim, Text
from engine.experiment import Description
from engine.figures import Figure
from engine.label import Label
from engine.parameter import Choice, Parameter, Value
from engine.result import Matrix, Quantity, Result, Series, Step
from quiz.card.card_run import Verdict
from quiz.card.typeset import text_of
from quiz.charts.legend import lab_head
from quiz.charts.style import chart_style
from quiz.tui.base import BaseApp
from quiz.tui.widgets.figure import Block, FigureWidget
from quiz.tui.widgets.figure_view import FigureView
from quiz.tui.widgets.lab import Lab
from quiz.tui.widgets.slider import Slider, TextField
from quiz.tui.widgets.text_part import TextPart
from quiz.words.i18n import Words

CHOICES = (Choice("none", Label("none", "无")), Choice("causal", Label("causal", "因果")))
PARAMETERS = (
    Parameter("d_k", Label("d_k", "d_k"), 64, 1, 4096, 2, "log"),
    Parameter("mask", Label("mask", "掩码"), "none", scale="choice", choices=CHOICES),
    Parameter("sentence", Label("sentence", "句子"), "小猫", scale="text"),
)
DESCRIPTION = Description(
    "x", "", Label("softmax saturation", "softmax 饱和"), Label("Wide heads go blind.", "宽的头会失明。"), PARAMETERS, 3.0, ()
)
POWERS = tuple(float(2**i) for i in range(13))


def result(shift: float = 0.0) -> Result:
    return Result(
        quantities=(Quantity("std", 22.5 + shift, Label("spread", "标准差")),),
        matrices=(Matrix("w", ((0.5 + shift, 0.5 - shift),), Label("weights", "权重"), ("",), ("k1", "k2"), kind="weights"),),
        series=(Series("s", POWERS, POWERS, Label("spread", "标准差"), Label("d_k", "d_k"), log_x=True),),
    )


class Bench(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.asked: list[dict[str, Value]] = []

    def compose(self) -> ComposeResult:
        yield Lab(Words("en"))

    @on(Lab.Changed)
    def changed(self, event: Lab.Changed) -> None:
        self.asked.append(event.values)

    @property
    def lab(self) -> Lab:
        return self.query_one(Lab)

    def text(self) -> str:
        drawn = self.query(FigureWidget).results()
        return "\n".join(widget.render_line(y).text.rstrip() for widget in drawn for y in range(widget.size.height))


async def shown(app: Bench, pilot: Pilot[None]) -> None:
    app.lab.describe(DESCRIPTION, {"d_k": 512})
    app.lab.show(result())
    await pilot.pause()


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


MARKED = replace(DESCRIPTION, figures=(Figure("curve", ("s",), over="d_k", mark="std"),))
WIDE = Label("d_k = 1024", "d_k = 1024")


class AskingBench(Bench, BaseApp):
    """With the themes and the keys of every app of ours, which a number's input needs."""

    def __init__(self) -> None:
        BaseApp.__init__(self, "en")
        self.asked = []


async def asked(app: Bench, pilot: Pilot[None], *, sweeps: bool = False) -> None:
    """A number is asked for before the slider goes to 1024."""
    app.lab.describe(MARKED, {"d_k": 512})
    app.lab.show(result())
    await pilot.pause()
    app.lab.take_focus()
    app.lab.expect(WIDE, {"d_k": 1024}, ("std",), sweeps=sweeps)
    await pilot.pause()


async def test_a_guess_comes_before_the_sliders_move() -> None:
    """Nothing runs while it is typed: the picture alone is left, covered, with the mark; then the sliders go and the gap is seen."""
    app = AskingBench()
    async with app.run_test(size=(80, 50)) as pilot:
        await asked(app, pilot)
        await pilot.press("3", "0")
        await pilot.pause()
        covered, typed, before = app.lab.figure, app.text(), list(app.asked)
        assert covered is not None
        subjects = [view.subject for view in app.query(FigureView) if view.display]
        await pilot.press("enter")
        await pilot.pause()
        waiting = app.lab.figure
        assert waiting is not None
        still = waiting.subject.covered
        app.lab.show(result(8.5))
        await pilot.pause()
        seen = app.lab.figure
        assert seen is not None
        said = "\n".join(text_of(line) for part in app.query(TextPart) for line in part.rows(70))

        assert [(True, 30.0, 1024.0)] == [(one.covered, one.guess and one.guess.number, one.at) for one in subjects]
        assert ([], "spread" in typed, "weights" in typed) == (before, True, False)
        assert ([{"d_k": 1024, "mask": "none", "sentence": "小猫"}], True, False) == (app.asked, still, seen.subject.covered)
        assert "you 30   ● measured 31" in said
        assert isinstance(app.focused, Slider)


async def test_without_a_number_the_sliders_go_at_once() -> None:
    """Enter on an empty input is one key, and nothing is marked."""
    app = AskingBench()
    async with app.run_test(size=(80, 50)) as pilot:
        await asked(app, pilot)
        await pilot.press("enter")
        await pilot.pause()

        assert (1, None) == (len(app.asked), app.lab.expected)


@pytest.mark.parametrize("ended", ["escape", "slider", "reset", "preset"])
async def test_a_guess_is_not_insisted_on(ended: str) -> None:
    """Esc leaves the sliders where they are; whoever moves them elsewhere is not asked any more, and sees everything again."""
    app = AskingBench()
    async with app.run_test(size=(80, 50)) as pilot:
        await asked(app, pilot)
        await pilot.press("7")
        match ended:
            case "escape":
                await pilot.press("escape")
            case "slider":
                app.query(Slider).first().action_step(-1)
            case "reset":
                app.lab.action_reset()
            case "preset":
                app.lab.try_out({"mask": "causal"})
        for _ in range(4):  # from the slider over the lab to the app
            await pilot.pause()

        assert app.lab.expected is None
        assert not [view for view in app.query(FigureView) if view.subject.covered or view.subject.guess]
        assert "weights" in app.text()
        assert [0, 1, 0, 1][["escape", "slider", "reset", "preset"].index(ended)] == len(app.asked)


async def test_a_guess_of_a_sweep_is_about_its_end() -> None:
    """The slider goes its way after the number was given; where nothing moves by itself it is at the end at once."""
    app = AskingBench()
    app.animation_level = "none"
    async with app.run_test(size=(80, 50)) as pilot:
        await asked(app, pilot)
        app.lab.expect_sweep(("std",))
        await pilot.press("9", "enter")
        await pilot.pause()
        at_once = dict(app.lab.values)
        app.lab.action_reset()
        app.animation_level = "full"
        app.lab.expect_sweep(("std",))
        await pilot.press("9", "enter")
        sweep = app.lab.sweep
        assert sweep
        sweep.step()

        assert 4096 == at_once["d_k"]
        assert app.lab.expected is not None
        assert (9.0, True) == (app.lab.expected.number, app.lab.values["d_k"] != 512)


async def test_what_is_no_number_is_said_below_the_question() -> None:
    """And nothing moves."""
    app = AskingBench()
    async with app.run_test(size=(80, 50)) as pilot:
        await asked(app, pilot)
        await pilot.press("3", "x", "enter")
        await pilot.pause()

        assert [] == app.asked
        assert "3x is not a number" in " ".join(text_of(line) for part in app.query(TextPart) for line in part.rows(70))
