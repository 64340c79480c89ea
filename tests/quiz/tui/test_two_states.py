"""A screen is drawn from one state: what comes too late is dropped, and what comes in the middle of something else finds it whole."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.pilot import Pilot

import quiz.tui.screens.turn_screen
from engine import ExperimentError, Label, Progress, Result, Worker
from engine.result import Step
from quiz.card.card_run import CardRun
from quiz.card.deck_paths import resolve_decks
from quiz.memory.study_day import Moment
from quiz.study.study import Study
from quiz.tui import actions
from quiz.tui.app import QkvApp
from quiz.tui.requests import Start
from quiz.tui.screens.help import HelpScreen
from quiz.tui.screens.home import HomeScreen
from quiz.tui.screens.lab import LabScreen
from quiz.tui.screens.session import SessionScreen
from quiz.tui.screens.source import SourceScreen
from quiz.tui.screens.summary import SummaryScreen
from quiz.tui.widgets.action_row import ActionLabel, ActionRow
from quiz.tui.widgets.figure import FigureWidget
from quiz.tui.widgets.lab import Lab
from quiz.tui.widgets.slider import Slider
from quiz.words.i18n import Words
from tests.quiz.driving import FAKE, NOON, FakeEngine, Running, fake_result, press, screen_text, settled
from tests.quiz.tui.on_screen import session

BROKEN = ExperimentError("The bench burnt down.", "实验台烧了。")


def steps(number: int) -> Result:
    """A Result with other figures for every second number."""
    return replace(fake_result(16), steps=(Step(Label(f"step {number}", f"第 {number} 步"), "x", (number,)),) if number % 2 else ())


class LateEngine(FakeEngine):
    """Answers when it is told to, and has other figures for every second value."""

    def __init__(self, seconds: float = 0.003) -> None:
        super().__init__()
        self.seconds = seconds
        self.report: Callable[[Progress], None] = lambda progress: None

    def submit(self, name: str, parameters: Mapping[str, object], progress: Any = None) -> Future[Result]:
        self.asked.append(dict(parameters))
        self.report = progress
        future: Future[Result] = Future()
        future.set_running_or_notify_cancel()
        result = steps(int(str(parameters["d_k"])).bit_length())
        threading.Timer(self.seconds, lambda: future.set_result(result)).start()
        return future


class Bench(App[None]):
    def compose(self) -> ComposeResult:
        yield Lab(Words("en"))


def drawn(pilot: Pilot[None]) -> list[str]:
    """The figures that have a place on the screen."""
    return [type(figure).__name__ for figure in pilot.app.screen.query_one("#lab-figures").query(FigureWidget) if figure.display]


async def hold(pilot: Pilot[None], key: str, times: int, pause: float) -> None:
    """A key that is held: it waits for nothing."""
    for _ in range(times):
        pilot.app.post_message(events.Key(key, None))
        await asyncio.sleep(pause)


async def at_rest(pilot: Pilot[None]) -> None:
    """Waits until no key and no run is on its way; some runs give way to others meanwhile."""
    quiet = 0
    async with asyncio.timeout(20):
        while quiet < 10:
            await pilot.pause(0.02)
            quiet = 0 if any(not worker.is_finished for worker in pilot.app.workers) else quiet + 1


async def ready(pilot: Pilot[None], screen: type) -> None:
    async with asyncio.timeout(20):
        while not isinstance(pilot.app.screen, screen):
            await pilot.pause(0.01)
    await settled(pilot)


def app_with(deck: Path, engine: FakeEngine, **start: Any) -> QkvApp:
    return QkvApp(Start(resolve_decks((str(deck),)), "en", **start), cast(Worker, engine), lambda: Moment.of(NOON))


@pytest.mark.parametrize("turns", range(8))
async def test_a_drawing_in_the_middle_of_another(turns: int) -> None:
    """Whenever the next Result comes, it finds the lab whole: this was the ValueError of a slider that was held."""
    app = Bench()
    async with app.run_test() as pilot:
        lab = app.query_one(Lab)
        lab.describe(FAKE, {})
        lab.show(steps(2))
        await pilot.pause()
        lab.show(steps(3))
        for _ in range(turns):
            await asyncio.sleep(0)
        lab.show(steps(5))
        await pilot.pause()

        assert ["FigureView", "FigureView", "Block"] == drawn(pilot)


async def test_two_drawings_at_once() -> None:
    """The one that began last is on the screen, alone."""
    app = Bench()
    async with app.run_test() as pilot:
        lab = app.query_one(Lab)
        lab.describe(FAKE, {})
        await pilot.pause()
        for number in (1, 2, 3, 4):
            lab.show(steps(number))
        await pilot.pause()

        assert ["FigureView", "Block"] == drawn(pilot)
        assert 1 == len(app.query(Slider))


@pytest.mark.parametrize("pause", [0.0, 0.002, 0.01, 0.033])
async def test_a_slider_that_is_held(deck: Path, pause: float) -> None:
    """Figures that come and go at every step end nothing, and at rest those of the last value are there."""
    engine = LateEngine()
    async with app_with(deck, engine, session=False).run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(pilot, "e", "tab")
        for key in ("right", "left", "right"):
            await hold(pilot, key, 12, pause)
        await at_rest(pilot)
        lab = pilot.app.screen.query_one(Lab)

        assert lab.values == engine.asked[-1]
        assert len(drawn(pilot)) == 2 + bool(lab.result.steps)
        assert lab.result == steps(int(str(lab.values["d_k"])).bit_length())


async def test_rows_of_actions_drawn_at_once(running: Running) -> None:
    """A row shows the actions that were offered last, each once."""
    async with running() as pilot:
        row = pilot.app.screen.query_one("#keys", ActionRow)
        for words in (Words("zh"), Words("en"), Words("zh"), Words("en")):
            row.offer(actions.at_home(words))
        await pilot.pause()

        assert [action.label for action in actions.at_home(Words("en"))] == [label.action.label for label in row.query(ActionLabel)]


async def test_a_click_on_an_action_that_is_gone(running: Running) -> None:
    """It is still on the screen, but no more in the row: Textual's selection asked for its place ('NoneType' has no attribute 'region')."""
    async with running(size=(120, 40)) as pilot:
        screen, row = pilot.app.screen, pilot.app.screen.query_one("#keys", ActionRow)
        x, y = next(act for act in row.query(ActionLabel) if act.region).region.offset
        with pilot.app.batch_update():
            await row.remove_children()
            for turn in range(4):
                screen._forward_event(events.MouseDown(None, x, y, 0, 0, 1, False, False, False, x, y))
                screen._forward_event(events.MouseMove(None, x + turn, y, 1, 0, 1, False, False, False, x + turn, y))
                await asyncio.sleep(0)
        await settled(pilot)

        assert pilot.app.is_running


async def test_progress_that_comes_after_the_result(deck: Path) -> None:
    """The last figures are those of the result, and nothing says that something is running."""
    engine = LateEngine()
    async with app_with(deck, engine, session=False).run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(pilot, "e")
        engine.report(Progress(0.5, steps(2)))
        await settled(pilot)

        assert ["FigureView", "FigureView", "Block"] == drawn(pilot)
        assert "50%" not in screen_text(pilot)


@pytest.mark.parametrize("after", [0.0, 0.001, 0.003, 0.01])
async def test_quitting_while_a_run_draws(deck: Path, after: float) -> None:
    """The first figures of a long run may arrive at any moment of the end."""
    engine = LateEngine(5.0)
    for _ in range(4):
        async with app_with(deck, engine, session=False).run_test(size=(120, 40)) as pilot:
            await settled_reading(pilot)
            await pilot.press("e")
            await ready_lab(pilot, engine)
            engine.report(Progress(0.1, steps(1)))
            await asyncio.sleep(after)
            pilot.app.exit()
            for number in range(1, 6):
                engine.report(Progress(number / 10, steps(number)))
                await asyncio.sleep(0.001)

        assert 0 == (pilot.app.return_code or 0)


async def settled_reading(pilot: Pilot[None]) -> None:
    async with asyncio.timeout(20):
        while cast(QkvApp, pilot.app).files.store is None:
            await pilot.pause(0.01)


async def ready_lab(pilot: Pilot[None], engine: FakeEngine) -> None:
    before = len(engine.asked)
    async with asyncio.timeout(20):
        while not (isinstance(pilot.app.screen, LabScreen) and (len(engine.asked) > before or engine.asked)):
            await pilot.pause(0.01)


@pytest.mark.parametrize("opens", ["question_mark", "s"])
@pytest.mark.parametrize("where", ["e", "enter"])
async def test_a_page_is_closed_once(running: Running, opens: str, where: str) -> None:
    """Two keys typed at once close the help or the source, not the screen below."""
    async with running(size=(120, 40)) as pilot:
        await press(pilot, where, *(("escape", "2", "space") if where == "enter" else ()))
        below = pilot.app.screen
        await press(pilot, opens)
        assert isinstance(pilot.app.screen, HelpScreen | SourceScreen)
        for _ in range(6):
            pilot.app.post_message(events.Key("escape", None))
        await settled(pilot)

        assert below is pilot.app.screen


async def test_the_source_is_opened_once(running: Running) -> None:
    """Two keys typed at once open one page."""
    async with running(size=(120, 40)) as pilot:
        await press(pilot, "e")
        await hold(pilot, "s", 3, 0.0)
        await settled(pilot)
        await press(pilot, "escape")

        assert isinstance(pilot.app.screen, LabScreen)


@pytest.mark.parametrize("keys", [("tab", "right"), ("r",)])
async def test_the_lab_after_a_run_that_failed(running: Running, engine: FakeEngine, keys: tuple[str, ...]) -> None:
    """A slider and the key that puts them back both try once more."""
    engine.failure = BROKEN
    async with running(size=(120, 40)) as pilot:
        await press(pilot, "e")
        assert "burnt" in screen_text(pilot)
        engine.failure = None
        await press(pilot, *keys)

        assert "burnt" not in screen_text(pilot)
        assert ["FigureView", "Block"] == drawn(pilot)


@pytest.mark.parametrize(("keys", "own"), [(("tab", "right"), False), (("r",), True), (("tab", "right", "r"), True)])
async def test_a_card_after_a_run_that_failed(running: Running, engine: FakeEngine, keys: tuple[str, ...], own: bool) -> None:
    """Its lab is alive: a slider shows the learner's run, and `r` runs the card's own again, whose numbers the answer then has."""
    engine.failure = BROKEN
    async with running(size=(120, 40)) as pilot:
        await press(pilot, "enter", "escape", "2", "space")
        assert "burnt" in screen_text(pilot)
        engine.failure = None
        await press(pilot, *keys)

        assert "burnt" not in screen_text(pilot)
        assert ["FigureView", "Block"] == drawn(pilot)
        assert own == ("It is 8 at d_k = 64." in screen_text(pilot))


async def test_a_card_whose_run_fails_is_run_once_for_many_steps(running: Running, engine: FakeEngine) -> None:
    """Its own values are not tried again at each step of a slider: a deadline each would be a long time."""
    engine.failure = BROKEN
    async with running(size=(120, 40)) as pilot:
        await press(pilot, "enter", "escape", "2", "space", "tab", "right", "right")

        assert [64, 128, 256] == [asked["d_k"] for asked in engine.asked]


async def test_a_slider_moved_while_the_cards_run_goes_on(deck: Path) -> None:
    """The card's own run is begun anew before the learner's: the answer has its numbers in any case."""
    engine = LateEngine()
    async with app_with(deck, engine, session=True).run_test(size=(120, 40)) as pilot:
        await ready(pilot, SessionScreen)
        await press(pilot, "escape", "2", "space", "tab")
        screen = cast(SessionScreen, pilot.app.screen)
        assert screen.turn
        engine.asked.clear()
        engine.seconds = 2.0  # on a busy machine a key alone takes half a second
        screen.put(CardRun(screen.turn.card))
        screen.compute()
        await pilot.pause(0.05)
        screen.query_one(Lab).take_focus()
        await pilot.press("right")
        await settled(pilot)

        assert [64, 64, 128] == [asked["d_k"] for asked in engine.asked]
        assert screen.card_run
        assert (True, True) == (screen.card_run.result is not None, screen.card_run.trial is not None)


async def test_the_experiments_after_a_survey_that_failed(running: Running, engine: FakeEngine) -> None:
    """The reason stays on the screen, and `r` asks again."""
    good, bad = engine.survey, Future[Any]()
    bad.set_exception(BROKEN)
    engine.survey = bad
    async with running(size=(120, 40)) as pilot:
        await press(pilot, "e")
        assert "The bench burnt down." in screen_text(pilot)
        engine.survey = good
        await press(pilot, "r")

        assert "burnt" not in screen_text(pilot)
        assert ["FigureView", "Block"] == drawn(pilot)


async def test_the_lab_of_the_card_before(running: Running, engine: FakeEngine) -> None:
    """While the engine has not yet said what the next card's experiment is, its lab is empty, and `r` sets nothing of the card before."""
    async with running(size=(120, 40), session=True) as pilot:
        await press(pilot, "escape", "2", "space", "tab", "right", "3")
        lab = pilot.app.screen.query_one(Lab)

        assert (None, [], []) == (lab.description, drawn(pilot), [slider for slider in pilot.app.screen.query(Slider) if slider.display])


async def test_claims_are_judged_with_the_values_of_their_run(deck: Path) -> None:
    """Between a slider's step and its result the numbers are of the run before, and so is what they are compared with."""
    engine = LateEngine(0.0)
    async with app_with(deck, engine, session=True).run_test(size=(120, 40)) as pilot:
        await ready(pilot, SessionScreen)
        await press(pilot, "escape", "2", "space", "tab", "right")
        screen = cast(SessionScreen, pilot.app.screen)
        assert screen.card_run
        before = screen.card_run.verdicts()
        engine.seconds = 5.0
        await pilot.press("right", "right")
        await pilot.pause()

        assert before == screen.card_run.verdicts()


@pytest.fixture
def slow_disk(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Grades and undos are written when the event is set."""
    written = threading.Event()
    for name in ("grade", "undo"):
        real = getattr(Study, name)
        monkeypatch.setattr(Study, name, lambda study, *given, real=real: (written.wait(20), real(study, *given))[1])
    return written


@pytest.mark.parametrize("meanwhile", [("l", "l"), ("a",), ("a", "b", "l"), ("2",), ("space",), ("t",), ("r",)])
async def test_keys_while_a_grade_is_written(
    running: Running, slow_disk: threading.Event, monkeypatch: pytest.MonkeyPatch, meanwhile: tuple[str, ...]
) -> None:
    """The grade counts once, and the next card is on the table as it should be."""
    async with running(session=True) as pilot:
        await press(pilot, "escape", "2")
        monkeypatch.setattr(quiz.tui.screens.turn_screen, "HOLD", 0.25)
        pilot.app.post_message(events.Key("3", "3"))
        await pilot.pause(0.05)
        for key in meanwhile:
            pilot.app.post_message(events.Key(key, key))
        await asyncio.sleep(0.05)
        slow_disk.set()
        await settled(pilot)

        assert ("pick", 1) == (session(pilot).turn and session(pilot).turn.card.id, len(session(pilot).steps))  # type: ignore[union-attr]
        assert "Which sums to one?" in screen_text(pilot) or "哪个总和为一" in screen_text(pilot)


async def test_leaving_while_a_grade_is_written(running: Running, slow_disk: threading.Event) -> None:
    """The summary counts the grade."""
    async with running(session=True) as pilot:
        await press(pilot, "escape", "2")
        pilot.app.post_message(events.Key("3", "3"))
        await pilot.pause(0.05)
        pilot.app.post_message(events.Key("q", "q"))
        await asyncio.sleep(0.05)
        slow_disk.set()
        await ready(pilot, SummaryScreen)

        assert 1 == len(session(pilot).steps)


async def test_undo_twice_at_the_end(running: Running, slow_disk: threading.Event) -> None:
    """One key takes one grade back, also when a second is typed while it is written."""
    slow_disk.set()
    async with running(session=True) as pilot:
        await press(pilot, "escape", "2", "3", "space", "space", "3", "q")
        assert isinstance(pilot.app.screen, SummaryScreen)
        slow_disk.clear()
        for _ in range(3):
            pilot.app.post_message(events.Key("u", "u"))
        await asyncio.sleep(0.1)
        slow_disk.set()
        await ready(pilot, SessionScreen)

        assert 1 == len(session(pilot).steps)


async def test_home_while_the_decks_are_read_again(running: Running, deck: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decks and their numbers come from one reading: an editor may have taken a deck away in between."""
    async with running(decks=(str(deck), "attention")) as pilot:
        app = cast(QkvApp, pilot.app)
        real, files = asyncio.to_thread, app.files

        async def late(call: Any, *given: Any) -> Any:
            if call.__name__ == "_counted":
                files.read = resolve_decks((str(deck),))
                files.reread()
            return await real(call, *given)

        monkeypatch.setattr(asyncio, "to_thread", late)
        home = cast(HomeScreen, app.screen)
        await home.fill()
        await pilot.pause()

        assert "Sample" in screen_text(pilot)


async def test_of_two_counts_the_later_one_is_shown(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever is done first."""
    async with running() as pilot:
        home, real, calls = cast(HomeScreen, pilot.app.screen), asyncio.to_thread, [0.3, 0.0]

        async def late(call: Any, *given: Any) -> Any:
            pause = calls.pop(0)
            found = await real(call, *given)
            await asyncio.sleep(pause)
            return replace(found, decks=(), standings=()) if pause else found

        monkeypatch.setattr(asyncio, "to_thread", late)
        await asyncio.gather(home.fill(), home.fill())
        await pilot.pause()

        assert "Sample" in screen_text(pilot)


@pytest.mark.parametrize("key", ["pageup", "pagedown", "home", "end", "up", "down", "enter"])
async def test_a_list_that_has_no_room(running: Running, key: str) -> None:
    """PgUp in a list of no lines was a KeyError in Textual: the experiments behind the lab, the palette before it is drawn."""
    async with running(size=(80, 24)) as pilot:
        await press(pilot, "e")
        screen = cast(LabScreen, pilot.app.screen)
        screen.query_one("#experiments").focus()
        screen.query_one("#experiments").styles.height = 0
        await hold(pilot, key, 3, 0.0)
        pilot.app.post_message(events.Key("ctrl+p", None))
        await hold(pilot, key, 5, 0.0)
        await asyncio.sleep(0.2)

        assert pilot.app.is_running


async def test_the_mouse_is_not_kept_by_a_slider_that_is_gone(running: Running) -> None:
    """Another experiment while a slider is dragged: the next click is not the old slider's."""
    async with running(size=(120, 40)) as pilot:
        await press(pilot, "e")
        slider = pilot.app.screen.query(Slider).first()
        await pilot.mouse_down(slider, offset=(20, 0))
        assert pilot.app.mouse_captured is slider
        pilot.app.screen.query_one(Lab).describe(FAKE, {})
        await settled(pilot)

        assert pilot.app.mouse_captured is None


async def test_a_text_field_in_another_language_before_it_is_there() -> None:
    """The language may change between a control's making and its mounting."""
    text = replace(FAKE, parameters=(replace(FAKE.parameters[0], name="s", default="小猫", scale="text"),))
    app = Bench()
    async with app.run_test() as pilot:
        lab = app.query_one(Lab)
        for language in ("zh", "en", "zh"):
            lab.describe(text, {})
            lab.words = Words(language)
        await pilot.pause()
        began = time.monotonic()

        assert "小猫" in screen_text(pilot)
        assert time.monotonic() - began < 60
