"""All cards, searched and filtered on the screen."""

from __future__ import annotations

from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from quiz.tui.app import QkvApp
from quiz.tui.screens.browse import BrowseScreen
from quiz.tui.screens.choice_list import ChoiceList
from quiz.tui.screens.follow_up import FollowUpScreen
from quiz.tui.screens.home import HomeScreen
from quiz.tui.screens.session import SessionScreen
from quiz.tui.widgets.card_list import CardList
from quiz.words.i18n import Words
from tests.quiz.driving import Running, press, screen_text, type_text


def browser(pilot: Pilot[None]) -> BrowseScreen:
    return next(screen for screen in pilot.app.screen_stack if isinstance(screen, BrowseScreen))


def shown(pilot: Pilot[None]) -> list[str]:
    return [card.item.card.id for card in browser(pilot).found]


async def test_found_as_one_types(running: Running) -> None:
    """Every key narrows the list, in whichever language; esc gives the keys back and keeps what was typed."""
    async with running() as pilot:
        await press(pilot, "b")
        assert ["scaling", "pick", "sort", "line", "count"] == shown(pilot)
        await press(pilot, "slash")
        await type_text(pilot, "方差")
        assert ["scaling"] == shown(pilot)
        assert "Why divide by √d_k?" in screen_text(pilot)
        await press(pilot, "escape", "x")
        assert ["scaling", "pick", "sort", "line", "count"] == shown(pilot)
        assert "" == pilot.app.screen.query_one(Input).value


async def test_the_preview_is_of_the_card_under_the_cursor(running: Running) -> None:
    """The arrows move it also while one types, and at the ends it stays."""
    async with running() as pilot:
        await press(pilot, "b", "slash", "down", "down")
        assert "scale" in screen_text(pilot).partition("▔")[2]
        await press(pilot, "end", "escape", "end", "down")
        assert "How many?" in screen_text(pilot).partition("▔")[2]
        await press(pilot, "home", "up")
        assert "variance grows" in screen_text(pilot).partition("▔")[2]


async def test_a_filter_is_chosen_from_its_values(running: Running) -> None:
    """Each with its count; the first row is any again."""
    async with running() as pilot:
        await press(pilot, "b", "i")
        assert isinstance(pilot.app.screen, ChoiceList)
        assert ["any  5", "explain  1", "choice  1"] == _rows(pilot)[:3]
        await press(pilot, "3")
        assert ["pick"] == shown(pilot)
        assert "kind: choice" in screen_text(pilot)
        await press(pilot, "i", "1")
        assert 5 == len(shown(pilot))


def _rows(pilot: Pilot[None]) -> list[str]:
    options = pilot.app.screen.query_one(OptionList)
    return [str(option.prompt)[4:] for option in options.options]


async def test_suspended_and_taken_back(running: Running) -> None:
    """@ suspends the card and asks it again; u takes the last of it back; what is suspended can be filtered."""
    async with running() as pilot:
        await press(pilot, "b", "down", "at")
        assert ("suspended", "new") == browser(pilot).found[1].states
        assert "@ unsuspend" in screen_text(pilot)
        await press(pilot, "s", "2")
        assert ["pick"] == shown(pilot)
        await press(pilot, "u")
        assert [] == shown(pilot)
        app = pilot.app
        assert isinstance(app, QkvApp)
        assert app.files.store is not None
        assert frozenset() == app.files.store.decisions().suspended


async def test_looked_at_and_back(running: Running) -> None:
    """Enter opens a card as a follow-up is opened: nothing is written. The list is as it was left."""
    async with running() as pilot:
        await press(pilot, "b", "slash")
        await type_text(pilot, "which")
        await press(pilot, "down", "enter")
        assert isinstance(pilot.app.screen, FollowUpScreen)
        assert "looked at, not graded · sort" in screen_text(pilot)
        await press(pilot, "space")
        assert "back to the list" in screen_text(pilot)
        await press(pilot, "space")
        assert isinstance(pilot.app.screen, BrowseScreen)
        assert (["pick", "sort", "line"], 1) == (shown(pilot), pilot.app.screen.query_one(CardList).cursor)
        assert "which" == pilot.app.screen.query_one(Input).value
        app = pilot.app
        assert isinstance(app, QkvApp)
        assert app.files.store is not None
        assert {} == app.files.store.memories()


async def test_what_was_found_is_practised_and_the_list_comes_back(running: Running) -> None:
    """p asks them in the order of the list; leaving the session leads back, and esc from there home."""
    async with running() as pilot:
        await press(pilot, "b", "slash")
        await type_text(pilot, "which")
        await press(pilot, "escape", "p")
        screen = pilot.app.screen
        assert isinstance(screen, SessionScreen)
        assert None is screen.study.progress
        session = screen.study.session
        assert session.turn is not None
        assert shown(pilot) == [item.card.id for item in (session.turn.item, *session.queue)]
        await press(pilot, "q")
        assert isinstance(pilot.app.screen, BrowseScreen)
        assert "which" == browser(pilot).wanted.query
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, HomeScreen)


async def test_only_what_works_is_offered(running: Running) -> None:
    """While one types, letters are text: the rows name other keys than in the list."""
    async with running() as pilot:
        await press(pilot, "b")
        assert "p practise" in screen_text(pilot)
        await press(pilot, "slash")
        assert "p practise" not in screen_text(pilot)
        assert "esc list" in screen_text(pilot)


async def test_the_preview_says_what_its_dots_are(running: Running) -> None:
    """Numbers that only a run gives are left out: of the card that has some, and of no other. A date is when it is due, not how often
    it is asked."""
    async with running(size=(120, 40)) as pilot:
        await press(pilot, "b")
        live = "stands for a number that is measured" in " ".join(screen_text(pilot).split())
        await press(pilot, "end")

        assert (True, False) == (live, "stands for a number that is measured" in " ".join(screen_text(pilot).split()))
        assert "due on 2026-12-04" == Words("en")("browse.due_on", date="2026-12-04")


async def test_enter_shows_the_answer_of_a_number(running: Running) -> None:
    """How sure one is of it is not asked: nothing is graded here."""
    async with running() as pilot:
        await press(pilot, "b", "enter", "8", "enter")
        shown = screen_text(pilot)

        assert "Verification" in shown
        assert "you 8" in shown


async def test_esc_leaves_also_from_the_number(running: Running) -> None:
    """The row says esc back; what is typed goes first."""
    async with running() as pilot:
        await press(pilot, "b", "enter", "8", "escape")
        emptied = type(pilot.app.screen).__name__
        await press(pilot, "escape")

        assert ("FollowUpScreen", "BrowseScreen") == (emptied, type(pilot.app.screen).__name__)
