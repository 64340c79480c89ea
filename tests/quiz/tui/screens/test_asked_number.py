"""A number that a card asks for, on the screen: what its keys are while it is typed, and afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from quiz.tui.widgets.action_row import ActionRow
from quiz.tui.widgets.card import CardView
from tests.quiz.driving import Running, press, screen_text, settled
from tests.quiz.tui.on_screen import keys_of, turn_of


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


@pytest.mark.parametrize(("key", "text"), [("backspace", "1"), ("5", "125"), (".", "12."), ("4", "124")])
async def test_the_number_can_still_be_changed(running: Running, key: str, text: str) -> None:
    """While it is asked how sure one is, Backspace and what of a number is no answer to that go back to it."""
    async with running() as pilot:
        await press(pilot, "enter", "1", "2", "enter", key)

        guess = pilot.app.screen.query_one(CardView).guess
        assert guess is not None
        assert (text, True, "ask") == (guess.value, guess.has_focus, turn_of(pilot).stage)


async def test_a_word_is_not_a_number(running: Running) -> None:
    """A guess that cannot be read is said so, and can be corrected."""
    async with running() as pilot:
        await press(pilot, "enter", "1", "-", "2", "enter")
        refused = screen_text(pilot)
        await press(pilot, "backspace", "backspace", "enter", "2")

        assert "1-2 is not a number." in refused
        assert "you 1" in screen_text(pilot)


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


async def test_a_row_of_keys_outlives_the_input_that_they_were_of(running: Running) -> None:
    """The terminal's size may change between the moment when the number's input loses the focus and the next row of keys."""
    async with running(session=True) as pilot:
        await press(pilot, "8")
        pilot.app.screen.set_focus(None)
        pilot.app.screen.query_one("#actions", ActionRow).renew()
        await settled(pilot)

        assert "How sure are you?" in screen_text(pilot)
