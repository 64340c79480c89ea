"""A deck that is saved while its preview is on the screen: what changed is drawn, and run where it has to be."""

from __future__ import annotations

import threading
from collections.abc import Collection
from pathlib import Path
from typing import cast

import pytest

from content.deck.library import Library
from content.yaml.problems import Problem
from engine import Worker
from quiz.tui.author_app import AuthorApp
from quiz.tui.screens import preview as preview_screen
from quiz.tui.screens.preview import PreviewScreen
from tests.quiz.driving import FakeEngine
from tests.quiz.tui.screens.beside_editor import beside, quiet, shown

OWN = """\
deck: own
title: Own
experiments:
  root:
    title: A root
    parameters: {d_k: {default: 64, low: 1, high: 256}}
    compute: {raw_std: sqrt(d_k)}
cards:
  - {id: one, question: Why?, answer: So., verify: {experiment: root, claims: [{says: Some., check: raw_std > 1}]}}
"""


async def test_a_save_is_drawn(deck: Path) -> None:
    """What was saved is on the screen without a key, at the card that was changed."""
    async with beside(deck) as (pilot, screen):
        deck.write_text(deck.read_text(encoding="utf-8").replace("Which sums to one?", "Which adds up to one?"), encoding="utf-8")
        await shown(pilot, "Which adds up to one?")

        assert 1 == screen.preview.here


async def test_a_save_of_an_included_file_is_drawn(deck: Path) -> None:
    """A card that stands in another file is drawn anew when that one is saved."""
    head, _, cards = deck.read_text(encoding="utf-8").partition("cards:")
    part = deck.parent / "part.yaml"
    part.write_text(f"cards:{cards}", encoding="utf-8")
    deck.write_text(f"{head}include: [part.yaml]\n", encoding="utf-8")
    async with beside(deck) as (pilot, screen):
        await quiet(pilot)
        part.write_text(part.read_text(encoding="utf-8").replace("Which sums to one?", "Which adds up to one?"), encoding="utf-8")
        await shown(pilot, "Which adds up to one?")

        assert 1 == screen.preview.here


async def test_a_card_does_not_wait_for_the_problems_of_a_large_deck(deck: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While hundreds of cards are still being examined, the one that was saved is drawn; what is wrong follows."""
    examined = threading.Event()

    def slow(library: Library, experiments: Collection[str]) -> tuple[Problem, ...]:
        examined.wait(20)
        return (Problem("deck.yaml", 1, 1, "something is wrong"),)

    async with beside(deck) as (pilot, screen):
        monkeypatch.setattr(preview_screen, "examine", slow)
        deck.write_text(deck.read_text(encoding="utf-8").replace("Which sums to one?", "Which adds up to one?"), encoding="utf-8")
        await shown(pilot, "Which adds up to one?")
        early = {problem.message for problem in screen.preview.problems}
        examined.set()
        await shown(pilot, "something is wrong")

        assert "something is wrong" not in early


async def test_a_change_of_the_run_is_run(deck: Path) -> None:
    """Other parameters are computed anew; other words are not."""
    async with beside(deck) as (pilot, _):
        engine = cast(FakeEngine, pilot.app.engine.worker)  # type: ignore[attr-defined]
        text = deck.read_text(encoding="utf-8")
        deck.write_text(text.replace("It is {{", "It was {{"), encoding="utf-8")
        await shown(pilot, "It was 8 at")
        assert 1 == len(engine.asked)
        deck.write_text(text.replace("set: {d_k: 64}", "set: {d_k: 256}"), encoding="utf-8")
        await shown(pilot, "It is 16 at d_k = 256.")


async def test_a_change_of_the_decks_own_computation_is_run(deck: Path) -> None:
    """Another line, with the same sliders, makes other numbers."""
    deck.write_text(OWN, encoding="utf-8")
    async with beside(deck) as (pilot, _):
        engine = cast(FakeEngine, pilot.app.engine.worker)  # type: ignore[attr-defined]
        deck.write_text(OWN.replace("So.", "So it was."), encoding="utf-8")
        await shown(pilot, "So it was.")
        assert 1 == len(engine.asked)
        deck.write_text(OWN.replace("So.", "So it is.").replace("sqrt(d_k)", "2 * d_k"), encoding="utf-8")
        await shown(pilot, "So it is.")
        await quiet(pilot)

    assert 2 == len(engine.asked)


async def test_a_save_while_the_app_exits_draws_nothing(deck: Path) -> None:
    """After the last key the file may still be read: what comes of it is not drawn on widgets that are going."""
    app = AuthorApp(deck, "en", cast(Worker, FakeEngine()))
    async with app.run_test() as pilot:
        await quiet(pilot)
        screen = cast(PreviewScreen, app.screen)
        screen.reread()
        app.exit()
        screen.reread()
    await screen.reread.__wrapped__(screen)  # type: ignore[attr-defined]  # the worker's own function: the app runs none any more

    assert app.return_code in (0, None)
