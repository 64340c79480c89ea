"""A session on the screen: which keys count when, undo, cards that come back, runs that fail."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine import ExperimentError
from quiz.card.typeset import text_of
from quiz.study.turn import Turn
from quiz.tui.app import QkvApp
from quiz.tui.screens.session import SessionScreen
from quiz.tui.screens.summary import SummaryScreen
from quiz.tui.screens.turn_screen import HOLD
from quiz.tui.widgets.action_row import ActionLabel, ActionRow
from quiz.tui.widgets.card import CardView
from quiz.tui.widgets.text_part import Pick, TextPart
from tests.quiz.driving import FakeEngine, Running, press, screen_text, settled
from tests.quiz.tui.on_screen import grades, session


def turn_of(pilot: Pilot[None]) -> Turn:
    turn = session(pilot).turn
    assert turn is not None
    return turn


def keys_of(pilot: Pilot[None]) -> str:
    """The row below the card."""
    return screen_text(pilot).split("\n")[-2].rstrip()


async def test_nothing_of_the_answer_shows_before_the_reveal(running: Running) -> None:
    """The question screen holds no key point, no answer, no lab: not even when the run is done."""
    async with running(size=(140, 40)) as pilot:
        await press(pilot, "enter")
        text = screen_text(pilot)

        assert [] == [word for word in ("variance grows", "It is 8", "exploding", "about the root", "weights") if word in text]


async def test_space_goes_on_at_once(running: Running) -> None:
    """As the line of keys says: one space is enough where nothing is typed; another shows the answer."""
    async with running() as pilot:
        await press(pilot, "enter", "space")
        stages = [turn_of(pilot).stage]
        await press(pilot, "space")

        assert ["recall", "reveal"] == [*stages, turn_of(pilot).stage]
        assert turn_of(pilot).response.number is None


async def test_two_keys_grade_a_card(running: Running, own_data: Path) -> None:
    """How sure one is, then how it went: at the key points a grade counts at once."""
    async with running(session=True) as pilot:
        await press(pilot, "escape", "3", "4")

    assert [("scaling", 4, 3)] == grades(own_data)


@pytest.mark.parametrize("before", [(), ("2",)], ids=["key-points", "answer"])
@pytest.mark.parametrize("keys", [("3", "3", "space", "enter"), ("space", "space", "3"), ("2", "4")])
async def test_keys_pressed_too_fast_do_not_grade(
    running: Running, monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...], before: tuple[str, ...]
) -> None:
    """What was typed before a step had been on the screen for a moment neither grades it nor goes on, however slow the machine is."""
    async with running() as pilot:
        await press(pilot, "enter", "escape", *before)
        monkeypatch.setattr("quiz.tui.screens.turn_screen.HOLD", 60.0)
        await press(pilot, *(("space", *keys) if before else keys))

        assert (1, "reveal" if before else "recall") == (session(pilot).position, turn_of(pilot).stage)


async def test_a_guess_without_a_pick_is_warned_of_once(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not picked is asked for twice: the first key says so and a second in a moment does nothing; a later one shows the answer."""
    async with running(session=True) as pilot:
        await press(pilot, "escape", "2", "3")
        monkeypatch.setattr("quiz.tui.screens.turn_screen.HOLD", 60.0)
        await press(pilot, "space", "space", "3")
        assert ("pick", "ask", True) == (turn_of(pilot).card.id, turn_of(pilot).stage, turn_of(pilot).warned)
        assert "Nothing is picked yet." in screen_text(pilot)
        monkeypatch.setattr(SessionScreen, "steady", property(lambda screen: True))
        await press(pilot, "space")

        assert "reveal" == turn_of(pilot).stage


async def test_the_keys_of_a_number(running: Running) -> None:
    """While it is typed the row says how it is handed over, and no key means how sure one is; afterwards it does."""
    async with running() as pilot:
        await press(pilot, "enter")
        empty = keys_of(pilot)
        await press(pilot, "1")
        typed = keys_of(pilot)
        await press(pilot, "enter")

        assert "  Type a number, then  enter  space just show" == empty
        assert "  Type a number, then  enter" == typed
        assert "  How sure are you?  1 guess  2 think so  3 sure  space just show" == keys_of(pilot)


async def test_how_sure_is_asked_once_there_is_an_answer(running: Running) -> None:
    """On every card: first the answer, then how sure; before that a digit leaves the question as little as Enter does."""
    rows = {}
    async with running(session=True) as pilot:
        for card, keys in {"pick": "a", "sort": "abc", "line": "j", "count": "7"}.items():
            await press(pilot, "at", "escape")
            before = keys_of(pilot)
            await press(pilot, *(("2", "enter", "2") if card != "count" else ()), *keys, "enter")
            rows[card] = [turn_of(pilot).stage, before.partition("  space")[0].strip(), keys_of(pilot).partition("  1")[0].strip()]

    assert {
        "pick": ["ask", "Pick an option", "How sure are you?"],
        "sort": ["ask", "Press the letters in order", "How sure are you?"],
        "line": ["ask", "Move to the wrong line", "How sure are you?"],
        "count": ["ask", "Type a number", "How sure are you?"],
    } == rows


@pytest.mark.parametrize(("key", "text"), [("backspace", "1"), ("5", "125"), (".", "12."), ("4", "124")])
async def test_the_number_can_still_be_changed(running: Running, key: str, text: str) -> None:
    """While it is asked how sure one is, Backspace and what of a number is no answer to that go back to it."""
    async with running() as pilot:
        await press(pilot, "enter", "1", "2", "enter", key)

        guess = pilot.app.screen.query_one(CardView).guess
        assert guess is not None
        assert (text, True, "ask") == (guess.value, guess.has_focus, turn_of(pilot).stage)


async def test_enter_is_a_click_too(running: Running) -> None:
    """The number is handed over, and the keys are for the confidence."""
    async with running() as pilot:
        await press(pilot, "enter", "8")
        label = next(each for each in pilot.app.screen.query(ActionLabel) if each.action.binding == "guess.submit")
        await pilot.click(label)
        await settled(pilot)

        assert (8.0, "ask") == (turn_of(pilot).response.number, turn_of(pilot).stage)
        assert "How sure are you?" in keys_of(pilot)


async def test_space_turns_pages_first(running: Running, own_data: Path) -> None:
    """What is below is shown and counted before the key goes on; at its end it grades, and a key pressed twice does not."""
    async with running(size=(60, 10), session=True) as pilot:
        await press(pilot, "escape", "3", "a", "b")
        while turn_of(pilot).stage == "recall":
            await press(pilot, "space")
        first, pages = keys_of(pilot), 0
        while pilot.app.screen.query_one(CardView).below:
            pages += 1
            await press(pilot, "space")

        assert "▼ " in first
        assert pages > 1
        assert "▼ " not in keys_of(pilot)
        assert [] == grades(own_data)
        await press(pilot, "space")
    assert [("scaling", 3, 3)] == grades(own_data)


async def test_more_room_leaves_less_below(running: Running) -> None:
    """The row follows the size of the screen."""
    async with running(size=(80, 14)) as pilot:
        await press(pilot, "enter", "escape", "3", "space")
        small = keys_of(pilot)
        await pilot.resize_terminal(80, 60)
        await settled(pilot)

        assert "▼ " in small
        assert "▼ " not in keys_of(pilot)


async def test_practice_promises_nothing(running: Running) -> None:
    """Its grades have no interval, and the head says practice first, also on a narrow screen."""
    async with running() as pilot:
        await press(pilot, "p", "escape", "2")

        assert "  space answer  1 again  2 hard  3 good  4 easy" == keys_of(pilot)
        assert screen_text(pilot).startswith("  practice · Sample · 1 of 5 · scaling")


async def test_grades_count_after_half_a_second(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """A digit that was meant as how sure one was, a moment too late, does not grade."""
    seconds = time.monotonic() + 60.0
    async with running() as pilot:
        await press(pilot, "enter", "escape", "3")
        monkeypatch.setattr("quiz.tui.screens.turn_screen.HOLD", HOLD)
        monkeypatch.setattr(QkvApp, "now", property(lambda app: seconds))
        monkeypatch.setattr(QkvApp, "typed", property(lambda app: seconds, lambda app, moment: None))
        await press(pilot, "space")
        seconds += 0.49
        await press(pilot, "3")
        assert 1 == session(pilot).position
        seconds += 0.02
        await press(pilot, "3")
        assert 2 == session(pilot).position


@pytest.mark.parametrize("ahead", [-1e6, 1e6])
async def test_the_clock_of_the_keys(running: Running, monkeypatch: pytest.MonkeyPatch, ahead: float) -> None:
    """Textual's clock is not time.monotonic's on every system: what is on the screen long enough is held against the clock of the keys."""
    monkeypatch.setattr("textual._time.get_time", lambda: time.monotonic() + ahead)
    async with running() as pilot:
        await press(pilot, "enter", "escape", "3", "3")
        assert 2 == session(pilot).position
        monkeypatch.setattr("quiz.tui.screens.turn_screen.HOLD", 60.0)
        await press(pilot, "3", "3")
        assert 2 == session(pilot).position


async def test_a_grade_pressed_twice_does_not_reveal_the_next_card(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second press of a grade does not answer the next question as sure."""
    async with running() as pilot:
        await press(pilot, "enter", "escape", "2")
        monkeypatch.setattr("quiz.tui.screens.turn_screen.HOLD", 60.0)
        await press(pilot, "3", "3", "space")

        assert 2 == session(pilot).position
        turn = session(pilot).turn
        assert turn is not None
        assert "ask" == turn.stage


async def test_undo_goes_back_to_the_card_as_it_was(running: Running, own_data: Path) -> None:
    """Undo restores the reveal of the card with its ticks, and the store forgets the grade; also for the last card of all."""
    async with running(session=True) as pilot:
        await press(pilot, "escape", "3", "a")
        before = session(pilot)
        await press(pilot, "3", "u")

        assert before == session(pilot)
        assert [] == grades(own_data)


async def test_undo_works_on_the_summary(running: Running) -> None:
    """The last grade of a session can be taken back where the session ended."""
    async with running(session=True) as pilot:
        await press(pilot, "q")
        await press(pilot, "enter", "escape", "2", "space", "3")
        await press(pilot, "q")
        assert isinstance(pilot.app.screen, SummaryScreen)
        await press(pilot, "u")

        assert isinstance(pilot.app.screen, SessionScreen)
        turn = session(pilot).turn
        assert turn is not None
        assert ("scaling", "reveal") == (turn.card.id, turn.stage)


async def test_a_card_graded_again_comes_back(running: Running) -> None:
    """The summary says when, and space brings the card back before its time."""
    async with running() as pilot:
        await press(pilot, "enter", "escape", "1", "1", *("space", "space", "3") * 3, "4", "2", "enter", "1", "3")
        assert isinstance(pilot.app.screen, SummaryScreen)
        assert "1 card comes back in 10 min" in screen_text(pilot)
        await press(pilot, "space")

        assert isinstance(pilot.app.screen, SessionScreen)
        turn = session(pilot).turn
        assert turn is not None
        assert "scaling" == turn.card.id


async def test_a_failed_run_is_a_sentence(running: Running, engine: FakeEngine) -> None:
    """When the experiment fails, the card says why and can still be graded."""
    engine.failure = ExperimentError("The bench [b]burnt[/b] down.", "实验台烧了。")
    async with running() as pilot:
        await press(pilot, "enter", "escape", "2", "space")
        text = screen_text(pilot)
        await press(pilot, "3")

        assert "could not be computed: The bench [b]burnt[/b] down." in text
        assert 2 == session(pilot).position


async def test_a_word_is_not_a_number(running: Running) -> None:
    """A guess that cannot be read is said so, and can be corrected."""
    async with running() as pilot:
        await press(pilot, "enter", "1", "-", "2", "enter")
        refused = screen_text(pilot)
        await press(pilot, "backspace", "backspace", "enter", "2")

        assert "1-2 is not a number." in refused
        assert "you 1" in screen_text(pilot)


async def test_markup_in_a_card_is_text(running: Running) -> None:
    """What looks like markup is shown as typed, and a click on it picks the option and does nothing else."""
    async with running(session=True) as pilot:
        await press(pilot, "escape", "2", "3")
        hostile = next(pick for pick in pilot.app.screen.query(Pick) if pick.part.index == 2)
        await pilot.click(hostile, offset=(20, 0))
        await settled(pilot)

        assert "[CLS] [/] [@click=app.quit]E[X]" in screen_text(pilot)
        assert pilot.app.is_running
        turn = session(pilot).turn
        assert turn is not None
        assert {2} == turn.response.chosen


async def test_practice_is_always_possible(running: Running, own_data: Path) -> None:
    """Practice asks every card and writes nothing."""
    async with running() as pilot:
        await press(pilot, "p", "escape", "2", "3", "q")

        assert "schedule was not touched" in screen_text(pilot)
    assert [] == grades(own_data)


async def test_scrolling_stays_where_it_was_when_a_point_is_ticked(running: Running) -> None:
    """A tick changes its own row and moves nothing."""
    async with running(size=(60, 10)) as pilot:
        await press(pilot, "enter", "escape", "2", "down", "down")
        view = pilot.app.screen.query_one(CardView)
        before = view.scroll_y
        await press(pilot, "b")

        assert 0 < before == view.scroll_y


async def test_a_session_that_was_left_is_paused(running: Running) -> None:
    """The summary says how much of it is left, in both languages; it is done when nothing is."""
    async with running(session=True) as pilot:
        await press(pilot, "escape", "2", "3", "q")
        english = screen_text(pilot)
        await press(pilot, "l")

        assert "Paused: 1 of 5 answered, 4 left" in english
        assert "暂停：共 5 张，答了 1 张，还剩 4 张" in screen_text(pilot)


async def test_letters_pick_while_a_number_is_typed(running: Running, deck: Path) -> None:
    """Where a card has options and a number, the row names both, and a letter is never part of the number."""
    asked = "question: {en: Which sums to one?, zh: 哪个总和为一？}\n"
    more = """    level: 1
    predict: {ask: {en: How much?, zh: 多少？}, quantity: raw_std}
    verify:
      experiment: fake
      set: {d_k: 64}
      claims: [{says: {en: It is 8., zh: 是 8。}, check: raw_std == 8}]
"""
    head, _, cards = deck.read_text(encoding="utf-8").partition("  - id: scaling\n")
    pick = cards[cards.index("  - id: pick\n") :]
    deck.write_text(head + pick.replace(asked, asked + more), encoding="utf-8")
    async with running(session=True) as pilot:
        before = keys_of(pilot)
        await press(pilot, "0", ".", "2", "b")

        guess = pilot.app.screen.query_one(CardView).guess
        assert guess is not None
        assert "  a-c choose, then a number,  enter  space just show" == before
        assert ("0.2", 1) == (guess.value, len(turn_of(pilot).response.chosen))


async def test_the_lab_is_open_from_the_summary(running: Running) -> None:
    """Who has learned goes on to play, and comes back to where the session was summed up."""
    async with running(session=True) as pilot:
        await press(pilot, "escape", "3", "4", "q")
        offered = keys_of(pilot), screen_text(pilot).split("\n")[-1]
        await press(pilot, "e")
        opened = type(pilot.app.screen).__name__
        await press(pilot, "q")

        assert any("e lab" in row for row in offered)
        assert ("LabScreen", SummaryScreen) == (opened, type(pilot.app.screen))


async def test_what_is_cut_says_so(running: Running) -> None:
    """On a small screen the picture and its claims leave one row for what was predicted: with an ellipsis."""
    async with running(size=(60, 16)) as pilot:
        await press(pilot, "enter", "4", "2", "enter", "2", "space")
        part = next(each for each in pilot.app.screen.query(TextPart) if each.part.role == "predicted")
        part.shorten(1)
        whole = [text_of(row) for row in part.rows(24)]
        seen = [text_of(row) for row in part.shown(24)]

        assert 1 < len(whole)
        assert [True] == [whole[0].startswith(row[:-2]) and row.endswith("…") and len(row) <= 24 for row in seen]


async def test_a_kept_run_can_be_let_go_on_a_card(running: Running) -> None:
    """The row says what m does now: it keeps a run to compare with, or lets it go."""
    async with running(size=(140, 40)) as pilot:
        await press(pilot, "enter", "escape", "2", "space", "tab")
        before = screen_text(pilot)
        await press(pilot, "m")

        assert (True, True) == ("m compare" in before, "m stop comparing" in screen_text(pilot))


async def test_a_row_of_keys_outlives_the_input_that_they_were_of(running: Running) -> None:
    """The terminal's size may change between the moment when the number's input loses the focus and the next row of keys."""
    async with running(session=True) as pilot:
        await press(pilot, "8")
        pilot.app.screen.set_focus(None)
        pilot.app.screen.query_one("#actions", ActionRow).renew()
        await settled(pilot)

        assert "How sure are you?" in screen_text(pilot)


async def test_tab_says_when_the_lab_opens(running: Running) -> None:
    """Before the answer there is no lab to turn to, and the key says so; a card without a run has none to wait for."""
    async with running(session=True) as pilot:
        await press(pilot, "escape", "tab")
        with_run = [told.message for told in pilot.app._notifications]
        pilot.app.clear_notifications()
        await press(pilot, "3", "4", "tab")

        assert ["This card's lab opens with its answer. All labs open from the home screen."] == with_run
        assert (None, []) == (turn_of(pilot).card.verify, [told.message for told in pilot.app._notifications])
