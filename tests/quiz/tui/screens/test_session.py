"""A session on the screen: how one goes from card to card, undo, cards that come back, runs that fail."""

from __future__ import annotations

from pathlib import Path

from engine import ExperimentError
from quiz.card.typeset import text_of
from quiz.tui.screens.session import SessionScreen
from quiz.tui.screens.summary import SummaryScreen
from quiz.tui.widgets.action_row import ActionLabel
from quiz.tui.widgets.card import CardView
from quiz.tui.widgets.text_part import Pick, TextPart
from tests.quiz.driving import FakeEngine, Running, press, screen_text, settled
from tests.quiz.tui.on_screen import grades, keys_of, session, turn_of


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


async def test_the_scrollbar_stands_where_the_card_does(running: Running) -> None:
    """Also where the card was scrolled back while there was no bar: on a busy machine an answer began with its bar one row down."""
    async with running(size=(40, 12), session=True) as pilot:
        await press(pilot, "escape", "2")
        view = pilot.app.screen.query_one(CardView)
        view.scroll_to(y=1, animate=False)
        await pilot.pause()
        view.show_vertical_scrollbar = False
        view.scroll_y = 0
        view.show_vertical_scrollbar = True

        assert view.scroll_y == view.vertical_scrollbar.position


async def test_two_keys_grade_a_card(running: Running, own_data: Path) -> None:
    """How sure one is, then how it went: at the key points a grade counts at once."""
    async with running(session=True) as pilot:
        await press(pilot, "escape", "3", "4")

    assert [("scaling", 4, 3)] == grades(own_data)


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


async def test_tab_says_when_the_lab_opens(running: Running) -> None:
    """Before the answer there is no lab to turn to, and the key says so; a card without a run has none to wait for."""
    async with running(session=True) as pilot:
        await press(pilot, "escape", "tab")
        with_run = [told.message for told in pilot.app._notifications]
        pilot.app.clear_notifications()
        await press(pilot, "3", "4", "tab")

        assert ["This card's lab opens with its answer. All labs open from the home screen."] == with_run
        assert (None, []) == (turn_of(pilot).card.verify, [told.message for told in pilot.app._notifications])
