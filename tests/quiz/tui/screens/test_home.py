"""The home screen in its states, drawn; what its one big key does; the figure that plays before the first session.

The pictures are in golden/. Where a change is meant: QKV_GOLDEN=write and this file, then look at the difference.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest
from textual.pilot import Pilot

from engine import Description, Figure, Label, Matrix, Recipe, Result
from engine.measures import Grid
from engine.worker.worker import Worker
from quiz.card.deck_paths import resolve_decks
from quiz.memory.scheduler import Grade
from quiz.memory.study_day import Moment
from quiz.progress.decisions import Decision, Plan
from quiz.progress.progress import Progress, open_progress
from quiz.progress.reviews import Review
from quiz.tui.app import QkvApp
from quiz.tui.requests import Start
from quiz.tui.screens.home import HomeScreen
from quiz.tui.screens.lab import LabScreen
from quiz.tui.screens.live_screen import EXPERIMENT, STILL, SWEEPS, WIDTHS
from quiz.tui.screens.session import SessionScreen
from quiz.tui.widgets.action_row import ActionLabel
from tests.quiz.driving import FAKE, NOON, FakeEngine, Running, _settled, press, screen_text, settled

GOLDEN = Path(__file__).parent / "golden"
SIZES = ((60, 20), (80, 24), (100, 30), (160, 45))

TOPICS = (("masks", "Masks", "掩码"), ("heads", "Heads and their shapes", "多头与形状"), ("positions", "Positions", "位置"))


def decks(folder: Path) -> tuple[str, ...]:
    """Three decks of eight cards, each with two tags."""
    for name, en, zh in TOPICS:
        cards = "".join(
            f"  - {{id: c{n}, tags: [{name}, {'code' if n % 2 else 'theory'}],"
            f" question: {{en: Why is {en.lower()} number {n} so?, zh: 为什么{zh}第 {n} 条是这样？}}, answer: So.}}\n"
            for n in range(8)
        )
        (folder / f"{name}.yaml").write_text(f"deck: {name}\ntitle: {{en: {en}, zh: {zh}}}\ncards:\n{cards}", encoding="utf-8")
    return tuple(str(folder / f"{name}.yaml") for name, _, _ in TOPICS)


KEYS = [(name, f"c{n}") for name, _, _ in TOPICS for n in range(8)]


def halfway(store: Progress) -> None:
    """Two thirds of the cards met over three weeks, some of them failing, one sure and wrong; an interview in twelve days."""
    for place, key in enumerate(KEYS[:16]):
        for turn, days in enumerate((21 - place % 9, 12 - place % 5, 6 - place % 4, 3 - place % 3)):
            grade = Grade.again if place % 6 == 0 and turn % 2 else Grade.hard if place % 3 else Grade.good
            store.record(Review.new(Moment.of(NOON - timedelta(days=days)), key, grade, confidence=3 if grade is Grade.again else None))
    now = Moment.of(NOON)
    store.decide(Decision.plan(Plan(now.day + 12, now.day + 9), now))


def done(store: Progress) -> None:
    """Every card was answered today."""
    for place, key in enumerate(KEYS):
        store.record(Review.new(Moment.of(NOON - timedelta(days=5 - place % 4)), key, Grade.good))
    for key in KEYS:
        store.record(Review.new(Moment.of(NOON - timedelta(hours=1)), key, Grade.good))


def nothing(store: Progress) -> None:
    """A person who has not begun."""


STATES: dict[str, Callable[[Progress], None]] = {"newcomer": nothing, "halfway": halfway, "done": done, "no-decks": nothing}

# --- a figure that plays ---------------------------------------------------------------------------------------------

ARMS = (("raw_weights", "wrong", "unscaled", "未缩放"), ("scaled_weights", "right", "scaled", "缩放后"))
SWEPT = replace(
    FAKE,
    name=EXPERIMENT,
    measures=tuple(Grid(name, Label(en, zh), ("q1",), "k{1}", kind="weights", arm=arm) for name, arm, en, zh in ARMS),
    figures=(Figure("bars", tuple(name for name, *_ in ARMS)),),
)


def weights(d_k: int) -> Result:
    """A row that has all on one key as d_k grows, and one that stays."""
    sharp = tuple(round(1 - 0.9 / d_k if n == 0 else 0.9 / d_k / 3, 4) for n in range(4))
    flat = (0.4, 0.3, 0.2, 0.1)
    found = zip(ARMS, (sharp, flat), strict=True)
    made = [Matrix(name, (row,), Label(en, zh), ("q1",), ("k1", "k2", "k3", "k4"), "weights", arm) for (name, arm, en, zh), row in found]  # type: ignore[arg-type]
    return Result(matrices=tuple(made))


class Playing(FakeEngine):
    """Knows the experiment that is swept. `late` keeps its answers; `cancelled` counts the runs that were called back."""

    def __init__(self, late: bool = False) -> None:
        super().__init__()
        self.late, self.cancelled, self.played = late, 0, list[int]()

    def describe(self, experiment: str | Recipe) -> Future[Description]:
        return _settled(SWEPT) if experiment == EXPERIMENT else super().describe(experiment)

    def submit(self, name: str, parameters: object, progress: object = None) -> Future[Result]:
        if name != EXPERIMENT:
            return super().submit(name, cast(dict[str, object], parameters))
        self.played.append(int(str(cast(dict[str, object], parameters)["d_k"])))
        return Future() if self.late else _settled(self.failure or weights(self.played[-1]))

    def cancel(self) -> None:
        self.cancelled += 1


def home(engine: FakeEngine, names: Sequence[str] = (), language: str = "en", session: bool = False) -> QkvApp:
    return QkvApp(Start(resolve_decks(names), language, session), cast(Worker, engine), lambda: Moment.of(NOON))


def big_key(pilot: Pilot[None]) -> str:
    """What the suggested key says."""
    return next(label.action.label for label in pilot.app.screen.query("#now ActionLabel").results(ActionLabel) if label.action.suggested)


async def rested(pilot: Pilot[None]) -> None:
    """Waits until the figure stands where it rests."""
    await settled(pilot)
    async with asyncio.timeout(20):
        while not (frame := cast(HomeScreen, pilot.app.screen).frame) or frame.values["d_k"] != STILL or not rests(pilot):
            await pilot.pause(0.01)
    await pilot.pause()


def rests(pilot: Pilot[None]) -> bool:
    return all(worker.is_finished for worker in pilot.app.workers if worker.group == "live")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    return tmp_path


def names_in(state: str) -> tuple[str, ...]:
    return ("empty",) if state == "no-decks" else tuple(Path(name).name for name in decks(Path()))


def learned(state: str) -> None:
    with closing(open_progress()) as store:
        STATES[state](store)


# --- pictures --------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("playing", "here")
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("state", STATES)
async def test_home(state: str, size: tuple[int, int], language: str) -> None:
    """Somebody new, halfway, done for today, and without decks: at four sizes, in both languages."""
    names, golden = names_in(state), GOLDEN / f"home-{state}-{size[0]}x{size[1]}-{language}.txt"
    learned(state)
    app = home(Playing(), names, language)
    app.animation_level = "none"
    async with app.run_test(size=size) as pilot:
        await (rested if STATES[state] is nothing else settled)(pilot)
        shown = screen_text(pilot) + "\n"

    if os.environ.get("QKV_GOLDEN") == "write":
        golden.write_text(shown, encoding="utf-8")
    assert golden.read_text(encoding="utf-8") == shown


@pytest.mark.usefixtures("playing", "here")
async def test_a_long_list_of_decks_leaves_the_figure_its_room() -> None:
    """Somebody new with thirteen decks sees all bars at 80x24; with a whole list there was but their title."""
    names = [*decks(Path()), *(f"more{n}.yaml" for n in range(10))]
    for name in names[len(TOPICS) :]:
        Path(name).write_text(f"deck: {Path(name).stem}\ntitle: More\ncards: [{{id: c, question: Why?, answer: So.}}]\n", encoding="utf-8")
    app = home(Playing(), [Path(name).name for name in names])
    async with app.run_test(size=(80, 24)) as pilot:
        await rested(pilot)
        shown = screen_text(pilot)

    assert [True] * 4 == [f"k{n}" in shown for n in range(1, 5)]


# --- what to do now --------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("state", ["newcomer", "halfway"])
@pytest.mark.parametrize("row", range(4))
async def test_the_big_key_says_what_it_gives(state: str, row: int) -> None:
    """As many cards as the session has that it begins, over all decks and over the one that is chosen."""
    names = names_in(state)
    learned(state)
    async with home(FakeEngine(), names).run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press(pilot, *["down"] * row)
        said = big_key(pilot)
        await press(pilot, "enter")

        if isinstance(pilot.app.screen, SessionScreen):
            assert int(re.findall("[0-9]+", said)[0]) == pilot.app.screen.study.session.total
        else:
            assert said.startswith("Practise")


@pytest.mark.usefixtures("here")
async def test_the_sentence_and_the_key_agree() -> None:
    """Due and new of the sentence are together what the key says; today's bar is what is due."""
    learned("halfway")
    async with home(FakeEngine(), names_in("halfway")).run_test(size=(160, 45)) as pilot:
        await settled(pilot)
        shown, view = screen_text(pilot), cast(HomeScreen, pilot.app.screen)._today
        found = re.search("Today: ([0-9]+) due, ([0-9]+) new", shown)

        assert found
        assert view
        assert f"Study {int(found[1]) + int(found[2])} cards" == big_key(pilot)
        assert int(found[1]) == view.coming.days[0]
        assert [sum(each.new for each in view.standings[1:]) >= int(found[2])] == [True]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("state", "key", "screen"), [("done", "p", SessionScreen), ("no-decks", "e", LabScreen)])
async def test_where_nothing_is_to_study(state: str, key: str, screen: type[object]) -> None:
    """The key practises when today is done, and opens the experiments where there is no deck; no other key is offered for studying."""
    names = names_in(state)
    learned(state)
    async with home(FakeEngine(), names).run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        shown = [label.action.binding for label in pilot.app.screen.query("#now ActionLabel").results(ActionLabel)]
        await press(pilot, key)

        assert [{"p": "home.practice", "e": "home.lab"}[key]] == shown
        assert isinstance(pilot.app.screen, screen)


# --- the figure that plays -------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("playing", "here")
async def test_the_figure_plays() -> None:
    """Each step is computed once; after so many sweeps it rests."""
    engine = Playing()
    app = home(engine, names_in("newcomer"))
    async with app.run_test(size=(80, 24)) as pilot:
        await rested(pilot)
        frame = cast(HomeScreen, app.screen).frame

        assert list(WIDTHS) == engine.played
        assert SWEEPS > 1
        assert frame
        assert STILL == frame.values["d_k"]
        assert f"d_k = {STILL}" in screen_text(pilot)


@pytest.mark.usefixtures("playing", "here")
@pytest.mark.parametrize("wish", ["motion", "colour"])
async def test_the_figure_is_still_where_it_should_be(wish: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without animations or without colours there is one picture, and it does not change."""
    if wish == "colour":
        monkeypatch.setenv("NO_COLOR", "1")
    engine = Playing()
    app = home(engine, names_in("newcomer"))
    if wish == "motion":
        app.animation_level = "none"
    async with app.run_test(size=(80, 24)) as pilot:
        await rested(pilot)

        assert [STILL] == engine.played
        assert f"d_k = {STILL}" in screen_text(pilot)


@pytest.mark.usefixtures("playing", "here")
@pytest.mark.parametrize("key", ["enter", "p", "e"])
async def test_whoever_begins_something_has_the_engine(key: str) -> None:
    """A run that is awaited is called back, and there is no other."""
    engine = Playing(late=True)
    app = home(engine, names_in("newcomer"))
    async with app.run_test(size=(80, 24)) as pilot:
        while not engine.played:
            await pilot.pause(0.01)
        await pilot.press(key)
        await settled(pilot)

        assert not isinstance(app.screen, HomeScreen)
        assert [1] == engine.played
        assert engine.cancelled == 1


@pytest.mark.usefixtures("playing", "here")
@pytest.mark.parametrize(("state", "session"), [("halfway", False), ("newcomer", True)])
async def test_the_figure_plays_before_the_first_session_only(state: str, session: bool) -> None:
    """Not for who has begun, nor behind a session that the command line has begun."""
    engine, names = Playing(), names_in(state)
    learned(state)
    async with home(engine, names, session=session).run_test(size=(80, 24)) as pilot:
        await settled(pilot)

        assert [] == engine.played


@pytest.mark.usefixtures("playing", "here")
async def test_home_without_an_engine() -> None:
    """An engine that cannot compute leaves a home without a figure, and says nothing here."""
    from engine import WorkerDied

    engine = Playing()
    engine.failure = WorkerDied("gone", "没了")
    async with home(engine, names_in("newcomer")).run_test(size=(80, 24)) as pilot:
        await settled(pilot)

        assert "Begin: 20 cards" in screen_text(pilot)
        assert not pilot.app._notifications


async def test_home_tells_how_to_find_anything(running: Running) -> None:
    """Where there is room; the key opens the palette, as does a click."""
    async with running(size=(120, 40)) as pilot:
        assert "^p find" in screen_text(pilot)
