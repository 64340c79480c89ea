"""The number's input: what is typed is what counts, or a sentence says that it does not."""

from __future__ import annotations

import pytest
from textual.events import Paste
from textual.geometry import Offset
from textual.pilot import Pilot
from textual.widgets import Input

from quiz.study.study import Study
from quiz.tui.screens.session import SessionScreen
from quiz.tui.widgets.guess import Guess
from tests.quiz.driving import Running, press, screen_text, settled, type_text
from tests.quiz.tui.on_screen import session


def guess(pilot: Pilot[None]) -> tuple[float | None, str]:
    """The number that the session has, and the stage of the card."""
    turn = session(pilot).turn
    assert turn is not None
    return turn.response.number, turn.stage


def field(pilot: Pilot[None]) -> Guess:
    return pilot.app.screen.query_one(Guess)


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("21。5", 21.5),
        ("0,5", 0.5),
        ("1,5", 1.5),
        ("1.000,5", 1000.5),
        ("1 000", 1000),
        ("５８", 58),
        ("。5", 0.5),
        ("－3", -3),
        ("2e-3", 0.002),
    ],
)
async def test_a_number_typed_is_that_number(running: Running, typed: str, number: float) -> None:
    """No character is dropped between the key and the number: 21。5 never becomes 215, nor 1 000 a 1; the input shows what was read."""
    async with running(size=(120, 40)) as pilot:
        await press(pilot, "enter")
        await type_text(pilot, typed)
        await press(pilot, "enter")

        assert (number, "ask") == guess(pilot)
        assert number == float(field(pilot).value)


@pytest.mark.parametrize(
    "typed",
    ["1/2", "0x10", "1_0", "10k", "5t", "5u", "7q", "5s", "1；5", "1、5", "五", "x5", "≈5", "$5", "½", "10³", "58%", "1:2", "5 5"],
)
async def test_what_is_not_a_number_is_refused_aloud(running: Running, typed: str) -> None:
    """Every key is seen in the input, also the first, and one that is a command elsewhere; then a sentence, and nothing is handed over."""
    async with running(size=(120, 40)) as pilot:
        await press(pilot, "enter")
        await type_text(pilot, typed)
        assert typed == field(pilot).value
        await press(pilot, "enter")

        assert (None, "ask") == guess(pilot)
        assert f"{typed} is not a number" in screen_text(pilot)


async def test_the_keys_of_the_application_remain(running: Running) -> None:
    """Help and language may be asked for with half a number typed; it is there afterwards, unchanged."""
    async with running(size=(120, 40)) as pilot:
        await press(pilot, "enter", "2", "?", "escape", "l", "5", "enter")

        assert (25.0, "ask") == guess(pilot)


async def test_a_key_that_no_number_has_is_said_at_once(running: Running) -> None:
    """The sentence comes with the key, not only with Enter, and goes when the key is taken back."""
    async with running(size=(120, 40)) as pilot:
        await press(pilot, "enter", "5", "x")
        assert "5x is not a number. Esc clears it" in screen_text(pilot)
        await press(pilot, "backspace")

        assert "is not a number" not in screen_text(pilot)


async def test_a_space_after_a_number_says_what_hands_it_over(running: Running) -> None:
    """It may stand between groups of three; a second one hands the number over, as Enter does."""
    async with running(size=(120, 40)) as pilot:
        await press(pilot, "enter", "8", "space")
        assert "8" == field(pilot).value  # a blank at the end would not be seen
        assert "Enter hands over 8." in screen_text(pilot)
        assert (None, "ask") == guess(pilot)
        await press(pilot, "space")

        assert (8.0, "ask") == guess(pilot)


@pytest.mark.parametrize("before", [(), ("0", ".", "2", "b")])
async def test_escape_takes_back_what_is_typed(running: Running, before: tuple[str, ...]) -> None:
    """Text and error are gone, the card is still asked, and the next digit is the first of a number; once more leaves the input."""
    async with running(size=(120, 40)) as pilot:
        await press(pilot, "enter", *before, "x", "escape")
        text = screen_text(pilot)
        await press(pilot, "7")

        assert "is not a number" not in text
        assert "Type a number, then" in text
        assert ("7", (None, "ask")) == (field(pilot).value, guess(pilot))
        await press(pilot, "escape", "escape")
        assert not field(pilot).has_focus
        assert (None, "ask") == guess(pilot)


async def test_enter_without_a_number_asks_for_one(running: Running) -> None:
    """It is no guess: the input keeps the focus, and the digits after it are the number's."""
    async with running(size=(120, 40)) as pilot:
        await press(pilot, "enter", "enter")
        text = screen_text(pilot)
        await press(pilot, "2", "enter")

        assert "A number first, or space to just show." in text
        assert "A number first" not in screen_text(pilot)
        assert (2.0, "ask") == guess(pilot)


async def test_a_pasted_text_is_taken_whole(running: Running) -> None:
    """Of two lines not only the first, and nothing that the terminal would obey: 21, a line break and 5 are not 21."""
    async with running(size=(120, 40)) as pilot:
        await press(pilot, "enter")
        field(pilot).post_message(Paste(" 21\n5\x1b[2J "))
        await settled(pilot)
        await press(pilot, "enter")

        assert (None, "ask") == guess(pilot)
        assert "21 ⏎ 5\\x1b[2J is not a number" in screen_text(pilot)


async def test_a_number_put_back_has_all_its_digits(running: Running) -> None:
    """Undo brings the card back with the number as it was typed: 109482240 and not 1.09482e+08."""
    async with running(size=(120, 40)) as pilot:
        await press(pilot, "enter", *"109482240", "enter")
        screen = pilot.app.screen
        assert isinstance(screen, SessionScreen)
        screen.deal()
        await settled(pilot)

        assert "109482240" == field(pilot).value


async def test_the_input_stays_while_the_card_is_drawn_anew(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that ends, or a part that appears, takes neither what is typed nor the focus: the next key is still a digit."""
    async with running(size=(120, 40)) as pilot:
        await press(pilot, "enter", "1")
        screen = pilot.app.screen
        assert isinstance(screen, SessionScreen)
        before = field(pilot)
        monkeypatch.setattr(Study, "failed", 3)  # one more part below the question
        screen.draw()
        await press(pilot, "2", "enter")

        assert before is field(pilot)
        assert (12.0, "ask") == guess(pilot)


async def test_the_cursor_of_the_terminal_stands_in_the_input(running: Running) -> None:
    """From the first frame on, before any key: an input method opens its window there."""
    async with running(size=(120, 40)) as pilot:
        await press(pilot, "enter")
        at = field(pilot).content_region.offset

        assert Offset(0, 0) != at
        assert at == pilot.app.cursor_position
        await type_text(pilot, "4。")
        assert at + Offset(3, 0) == pilot.app.cursor_position  # behind the wide point
        await press(pilot, "left")
        assert at + Offset(1, 0) == pilot.app.cursor_position


@pytest.mark.parametrize("lines", [10, 14])
async def test_the_cursor_follows_a_card_that_scrolls(running: Running, lines: int) -> None:
    """On a small terminal too, where the input is below what is seen first: it is scrolled to, and the cursor is in it."""
    async with running(size=(60, lines)) as pilot:
        await press(pilot, "enter")
        await pilot.resize_terminal(50, lines + 3)
        await settled(pilot)
        focused = pilot.app.screen.focused

        assert isinstance(focused, Input)
        assert focused.content_region.offset == pilot.app.cursor_position


async def test_a_letter_of_nothing_is_refused_and_not_lost(running: Running) -> None:
    """A card that gives no letters to anything has no use for an a: it is seen, and said to be no number; what has a meaning keeps it."""
    async with running() as pilot:
        await press(pilot, "enter", "a")

        assert "a is not a number. Esc clears it" in screen_text(pilot)
