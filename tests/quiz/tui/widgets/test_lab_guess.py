"""A guess in the lab comes before its sliders move: it is typed, withdrawn, or left out."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from engine.figures import Figure
from engine.label import Label
from quiz.card.typeset import text_of
from quiz.tui.base import BaseApp
from quiz.tui.widgets.figure_view import FigureView
from quiz.tui.widgets.slider import Slider
from quiz.tui.widgets.text_part import TextPart
from tests.quiz.tui.widgets.lab_bench import DESCRIPTION, Bench, result

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
