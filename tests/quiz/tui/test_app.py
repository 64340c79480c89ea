"""Whole sessions on the screen, with the keyboard only and with the mouse only, in both languages."""

from __future__ import annotations

import asyncio
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import cast

import pytest
from textual.pilot import Pilot

from engine import Worker
from quiz.card.deck_paths import resolve_decks
from quiz.exit_codes import USAGE
from quiz.memory.scheduler import Grade
from quiz.memory.study_day import Moment
from quiz.progress.progress import open_progress
from quiz.progress.reviews import Review
from quiz.tui.app import QkvApp
from quiz.tui.learner_files import LearnerFiles
from quiz.tui.requests import GoHome, Start
from quiz.tui.screens.home import HomeScreen
from quiz.tui.screens.session import SessionScreen
from quiz.tui.screens.summary import SummaryScreen
from quiz.tui.widgets.action_row import ActionLabel
from quiz.tui.widgets.text_part import Pick
from quiz.words.i18n import Words
from tests.quiz.driving import NOON, FakeEngine, Running, press, screen_text, settled
from tests.quiz.tui.on_screen import grades, session


def app(pilot: Pilot[None]) -> QkvApp:
    return cast(QkvApp, pilot.app)


def solve(pilot: Pilot[None]) -> list[str]:
    """The letters that put the order card right."""
    turn = session(pilot).turn
    assert turn is not None
    return ["abc"[turn.shown.index(i)] for i in range(3)]


async def test_a_whole_session_with_the_keyboard(running: Running, own_data: Path) -> None:
    """Five kinds of cards, from the home screen to the summary, by keys alone; every grade is in the store."""
    async with running() as pilot:
        await press(pilot, "enter", "8", "enter", "3", "a", "4")  # predict 8, sure, tick one point, easy
        turn = session(pilot).turn
        assert turn is not None
        right = "abc"[turn.shown.index(0)]
        await press(pilot, right, "2", "space")
        await press(pilot, *solve(pilot), "1", "3")
        await press(pilot, "down", "down", "3", "3")
        await press(pilot, "4", "2", "enter", "2", "3")

        assert isinstance(pilot.app.screen, SummaryScreen)
        assert "5 cards · 5 of 5 right" in screen_text(pilot)
    assert [("scaling", 4, 3), ("pick", 3, 2), ("sort", 3, 1), ("line", 3, 3), ("count", 3, 2)] == grades(own_data)


async def test_a_whole_session_with_the_mouse(running: Running, own_data: Path) -> None:
    """Decks, options, lines, key points, confidence and grades can all be clicked."""

    async def click(label: str) -> None:
        widget = next(act for act in pilot.app.screen.query(ActionLabel) if act.action.label == label)
        assert await pilot.click(widget)
        await settled(pilot)

    async def pick(index: int) -> None:
        widget = next(pick for pick in pilot.app.screen.query(Pick) if pick.part.index == index)
        assert await pilot.click(widget)
        await settled(pilot)

    async with running() as pilot:
        await click("Begin: 5 cards, from easy to hard")
        await press(pilot, "escape")  # no number
        await click("think so")
        await pick(1)
        await click("answer")
        await click("good")
        await pick(0)
        await click("sure")
        await click("good")
        for item in range(3):
            await pick(item)
        await click("sure")
        await click("hard")
        await pick(2)
        await click("guess")
        await click("again")
        await click("just show")
        await click("easy")

        assert isinstance(pilot.app.screen, SummaryScreen)
    assert [("scaling", 3, 2), ("pick", 3, 3), ("sort", 2, 3), ("line", 1, 1), ("count", 4, None)] == grades(own_data)


@pytest.mark.parametrize(
    ("language", "question", "answer"), [("en", "Why divide by", "It is 8 at d_k = 64."), ("zh", "为什么要除以", "d_k = 64 时是 8。")]
)
async def test_a_card_is_shown_in_the_language(running: Running, language: str, question: str, answer: str) -> None:
    """Question, live numbers and interface are in the language that was asked for."""
    async with running(language=language) as pilot:
        await press(pilot, "enter")
        asked = screen_text(pilot)
        await press(pilot, "escape", "2", "space")

        assert question in asked
        assert answer in screen_text(pilot)


async def test_the_language_switches_in_the_middle_of_a_card(running: Running) -> None:
    """One key changes every word and nothing else: what was typed, ticked and answered stays."""
    async with running() as pilot:
        await press(pilot, "enter", "7", "l")
        assert "为什么要除以" in screen_text(pilot)
        assert "7" == pilot.app.screen.query_one("Guess").value  # type: ignore[attr-defined]
        await press(pilot, "enter", "3", "b")
        before = session(pilot)
        await press(pilot, "l")

        assert before == session(pilot)
        assert "☑ softmax saturates" in screen_text(pilot)


async def test_the_lab_opens_with_the_answer(running: Running, engine: FakeEngine) -> None:
    """Tab does nothing before the answer is shown; after it the slider runs the claims against the learner's values, and r goes back."""
    async with running() as pilot:
        await press(pilot, "enter", "tab")
        assert not pilot.app.screen.has_class("-lab")
        await press(pilot, "escape", "2", "tab")
        assert not pilot.app.screen.has_class("-lab")
        await press(pilot, "space", "tab", "right", "tab")
        moved = screen_text(pilot)
        await press(pilot, "r")

        assert {"d_k": 128} == engine.asked[1]
        assert "Verification, with your settings" in moved
        assert "11.31 ≈ 11.31" in moved
        assert "It is 8 at d_k = 64." in moved
        assert "with your settings" not in screen_text(pilot)


@pytest.mark.parametrize("size", [(20, 5), (3, 2), (1, 1), (500, 200)])
async def test_no_size_crashes(running: Running, size: tuple[int, int]) -> None:
    """Every screen survives every size of window."""
    async with running(size=size) as pilot:
        await press(
            pilot,
            "enter",
            "enter",
            "2",
            "a",
            "space",
            "tab",
            "tab",
            "question_mark",
            "escape",
            "exclamation_mark",
            "x",
            "enter",
            "3",
            "q",
            "q",
        )

        assert pilot.app.is_running


async def test_resizing_keeps_the_card(running: Running) -> None:
    """Between narrow and wide the card, its stage and the lab stay."""
    async with running() as pilot:
        await press(pilot, "enter", "escape", "2", "space")
        await pilot.resize_terminal(140, 40)
        await settled(pilot)
        wide = screen_text(pilot)
        await pilot.resize_terminal(80, 24)
        await settled(pilot)

        assert "fake run" in wide
        assert "It is 8 at" in wide
        assert "fake run" not in screen_text(pilot)


async def test_the_help_names_the_keys_of_the_screen_below(running: Running) -> None:
    """The question mark explains the keys that work here, in the interface's language, and closes again."""
    async with running(language="zh") as pilot:
        await press(pilot, "question_mark")
        text = screen_text(pilot)
        await press(pilot, "escape")

        assert "练习整个题库" in text
        assert isinstance(pilot.app.screen, HomeScreen)


async def test_every_binding_is_explained(running: Running) -> None:
    """Every binding of ours has an id, and words in both languages."""
    from quiz.tui.bindings import help_panels

    async with running() as pilot:
        await press(pilot, "enter")
        ours = [active for active in pilot.app.screen.active_bindings.values() if active.binding.id]
        described = [active for active in ours if active.binding.tooltip]

        assert ours == described
        rows = [[len(panel) for _, panel in help_panels(ours, Words(language), pilot.app.get_key_display)] for language in ("en", "zh")]
        assert rows[0] == rows[1]


async def test_an_enter_before_the_decks_are_read_is_not_lost(deck: Path, engine: FakeEngine) -> None:
    """Someone who presses enter at once gets the session as soon as there is one."""
    read, gate = resolve_decks((str(deck),)), threading.Event()

    def slowly() -> object:
        gate.wait(5)
        return read()

    slow = QkvApp(Start(slowly, "en"), cast(object, engine))  # type: ignore[arg-type]
    async with slow.run_test() as pilot:
        await pilot.press("enter")
        gate.set()
        await settled(pilot)
        end = time.monotonic() + 5
        while not isinstance(slow.screen, SessionScreen) and time.monotonic() < end:
            await asyncio.sleep(0.01)

        assert isinstance(slow.screen, SessionScreen)


@pytest.mark.parametrize("key", ["enter", "p", "w"])
@pytest.mark.parametrize("blocks", ["reread", "begin"])
async def test_a_session_that_was_asked_for_begins_once(
    deck: Path, engine: FakeEngine, monkeypatch: pytest.MonkeyPatch, blocks: str, key: str
) -> None:
    """A key typed while the session of the command line is being made, before the decks are read or after, begins no second one."""
    gate, here, original = threading.Event(), threading.Event(), getattr(LearnerFiles, blocks)

    def slowly(files: LearnerFiles, *given: object) -> object:
        here.set()
        gate.wait(5)
        return original(files, *given)

    monkeypatch.setattr(LearnerFiles, blocks, slowly)
    early = QkvApp(Start(resolve_decks((str(deck),)), "en", session=True), cast(Worker, engine), lambda: Moment.of(NOON))
    async with early.run_test() as pilot:
        await asyncio.to_thread(here.wait, 5)
        await pilot.press(key)
        gate.set()
        await settled(pilot)
        await asyncio.sleep(0.1)
        await settled(pilot)

        assert ["HomeScreen", "SessionScreen"] == [type(screen).__name__ for screen in early.screen_stack]


async def test_leaving_closes_the_engine(running: Running, engine: FakeEngine) -> None:
    """No process of ours outlives the app."""
    async with running():
        assert (True, False) == (engine.started, engine.closed)
    assert engine.closed


async def test_a_foreign_progress_file_is_left_alone(running: Running, own_data: Path) -> None:
    """A file that is not ours stays as it is; the session goes on in memory and says that it is not saved."""
    own_data.mkdir()
    (own_data / "progress.sqlite3").write_bytes(b"somebody's diary")
    async with running() as pilot:
        await press(pilot, "enter", "escape", "2", "3")

        assert 2 == session(pilot).position
        files = app(pilot).files
    assert files.unsaved
    assert b"somebody's diary" == (own_data / "progress.sqlite3").read_bytes()


async def test_the_lab_without_questions(running: Running, engine: FakeEngine) -> None:
    """From the home screen: the experiments, their sliders, their code, and back; by keys alone."""
    async with running() as pilot:
        await press(pilot, "e")
        listed = screen_text(pilot)
        await press(pilot, "tab", "right")
        moved = screen_text(pilot)
        await press(pilot, "s")
        code = screen_text(pilot)
        await press(pilot, "escape", "r", "l")
        reset = screen_text(pilot)
        await press(pilot, "tab", "q")

        assert "fake run" in listed
        assert [{"d_k": 16}, {"d_k": 32}, {"d_k": 16}] == engine.asked
        assert "32" in moved
        assert "return d_k**0.5  # [/]" in code
        assert "假实验" in reset
        assert isinstance(pilot.app.screen, HomeScreen)


async def test_the_code_behind_a_card(running: Running) -> None:
    """After the reveal, s shows the functions that computed the figures, with file and line; before it, nothing."""
    async with running() as pilot:
        await press(pilot, "enter", "escape", "s")
        before = screen_text(pilot)
        await press(pilot, "2", "space", "s")

        assert "engine/fake.py:7" not in before
        assert "engine/fake.py:7" in screen_text(pilot)


async def test_enter_pressed_twice_begins_one_session(running: Running) -> None:
    """The second press comes while the first session is being put together: it must not lay another one over it."""
    async with running() as pilot:
        home = cast(HomeScreen, pilot.app.screen)
        home.action_study()
        home.action_study()
        await settled(pilot)

        assert ["SessionScreen"] == [type(screen).__name__ for screen in pilot.app.screen_stack if isinstance(screen, SessionScreen)]


async def test_a_broken_deck_that_was_named(running: Running, tmp_path: Path) -> None:
    """A session over a deck that cannot be read ends as the plain mode does: with what is wrong, and the code for it."""
    broken = tmp_path / "broken.yaml"
    broken.write_text("deck: broken\ntitle: Broken\ncards:\n  - {id: a, qestion: Misspelt, answer: A.}\n", encoding="utf-8")
    async with running(decks=(str(broken),), session=True) as pilot:
        told = app(pilot).files.unreadable(Words("en"))

    assert f"{broken}:4:" in told
    assert "qestion" in told
    assert USAGE == pilot.app.return_code


@pytest.mark.parametrize("name", ["missing.yaml", "empty", "list.yaml"])
async def test_a_deck_that_is_none(running: Running, tmp_path: Path, name: str) -> None:
    """The same for a file that is not there, for a folder without decks and for what is no deck."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "list.yaml").write_text("- a\n- b\n", encoding="utf-8")
    async with running(decks=(str(tmp_path / name),), session=True) as pilot:
        told = app(pilot).files.unreadable(Words("en"))

    assert str(tmp_path / name) in told
    assert USAGE == pilot.app.return_code


async def test_a_broken_deck_beside_a_sound_one(running: Running, deck: Path, tmp_path: Path) -> None:
    """The session begins with the other one, and says what to type to see what is wrong."""
    broken = tmp_path / "my broken.yaml"
    broken.write_text("deck: [x", encoding="utf-8")
    async with running(decks=(str(deck), str(broken)), session=True, size=(160, 30)) as pilot:
        said = [notification.message for notification in pilot.app._notifications]

        assert session(pilot).turn is not None
        assert [f"1 problem in your decks; `qkv check '{broken}'` shows it."] == said


async def test_home_says_what_is_gone_from_its_deck(running: Running) -> None:
    """Cards that were learned and are no longer in a deck that is there are said on the home screen."""
    with closing(open_progress()) as opened:
        opened.record(Review.new(Moment.of(NOON), ("sample", "renamed"), Grade.good))
        opened.record(Review.new(Moment.of(NOON), ("elsewhere", "a"), Grade.good))
    async with running(size=(120, 30)) as pilot:
        assert "1 learned card is no longer in its deck; `qkv doctor` says what helps." in screen_text(pilot)


async def test_a_request_that_comes_while_the_program_ends(running: Running) -> None:
    """Enter in the moment of quitting was a ScreenStackError: the request arrives when the last screen is gone, and is nobody's."""
    async with running() as pilot:
        home = cast(HomeScreen, pilot.app.screen)
    assert [] == list(pilot.app.screen_stack)

    await app(pilot).answer(HomeScreen.Asked(home, GoHome()))
