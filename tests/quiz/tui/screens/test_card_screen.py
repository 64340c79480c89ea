"""A card with several runs on the screen: the first in the lab, the claims against all of them, in the reader's language."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest
from textual.pilot import Pilot

from content.claims.scope import Scope
from content.deck.cards import Computation, Verification
from engine import Recipe, Result, Value, Worker
from quiz.card import card_run, recipes
from quiz.card.deck_paths import resolve_decks
from quiz.card.planned_run import scope_of_runs
from quiz.memory.study_day import Moment
from quiz.tui.app import QkvApp
from quiz.tui.author_app import AuthorApp
from quiz.tui.requests import Start
from quiz.tui.screens.card_screen import CardScreen
from tests.quiz.driving import NOON, FakeEngine, press, screen_text, settled

TWO = """\
deck: runs
title: Runs
cards:
  - id: square
    question: "From {{short.tokens}} to {{long.tokens}} tokens?"
    answer: "It grows {{long.pairs_multiply_adds / short.pairs_multiply_adds:.1f}} times."
    verify:
      runs: {short: {experiment: attention_cost, set: {tokens: 128}}, long: {experiment: attention_cost, set: {tokens: 256}}}
      claims: [{says: Four times., check: "close(long.pairs_multiply_adds, 4 * pairs_multiply_adds, 1e-4)"}]
"""
SPOKEN = """\
deck: spoken
title: Spoken
cards:
  - id: one
    question: Why?
    answer: {en: 'It is {{raw_std:.0f}}, then {{long.raw_std:.0f}}.', zh: '先 {{raw_std:.0f}} 后 {{long.raw_std:.0f}}。'}
    verify:
      runs: {short: {experiment: fake, set: {d_k: 4}}, long: {experiment: fake, set: {d_k: {en: 64, zh: 256}}}}
      claims: [{says: More., check: long.raw_std > raw_std}]
"""

OWN = """\
deck: own
title: Own
experiments:
  root:
    title: A root
    parameters: {d_k: {default: 64, low: 1, high: 256}}
    compute: {raw_std: sqrt(d_k)}
cards:
  - id: one
    question: Why?
    answer: 'It is {{raw_std:.0f}}.'
    verify: {experiment: root, claims: [{says: Some., check: raw_std > 1}]}
"""


@asynccontextmanager
async def asked(path: Path, text: str, worker: object) -> AsyncIterator[Pilot[None]]:
    """A session at its first card."""
    path.write_text(text, encoding="utf-8")
    app = QkvApp(Start(resolve_decks((str(path),)), "en", session=True), cast(Worker, worker), lambda: Moment.of(NOON))
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        yield pilot


async def test_two_lengths_in_the_real_engine(deck: Path, open_worker: Worker) -> None:
    """The question shows what both runs are set to, the answer what both gave; a slider moves the first and its claim."""
    async with asked(deck, TWO, open_worker) as pilot:
        assert "From 128 to 256 tokens?" in screen_text(pilot)
        await press(pilot, "space")
        answered = screen_text(pilot)
        await press(pilot, "tab", "right")
        moved = screen_text(pilot)
        await press(pilot, "r")
        back = screen_text(pilot)

    assert "It grows 4 times." in answered or "It grows 4.0 times." in answered
    assert ("✔ Four times.", "✖ Four times.", "✔ Four times.") == tuple(
        f"{sign} Four times." for text in (answered, moved, back) for sign in "✔✖" if f"{sign} Four times." in text
    )


async def test_the_language_sets_the_example(deck: Path) -> None:
    """Switched, the runs are made anew with the reader's values; the others stay when a slider moves."""
    engine = FakeEngine()
    async with asked(deck, SPOKEN, engine) as pilot:
        await press(pilot, "space")
        english = screen_text(pilot)
        await press(pilot, "l")
        chinese = screen_text(pilot)
        await press(pilot, "tab", "right")

    assert "It is 2, then 8." in english
    assert "先 2 后 16。" in chinese
    assert [4, 64, 4, 256, 8] == [asked["d_k"] for asked in engine.asked]


async def test_a_slider_step_reads_nothing_again(deck: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A deck's own computation is read once, off the event loop, however often a slider moves; and its numbers are put together once for
    each state of the card."""
    readers, scopes = list[threading.Thread](), list[object]()
    read = recipes.recipe

    def noted(name: str, computation: Computation) -> Recipe:
        readers.append(threading.current_thread())
        return read(name, computation)

    def counted(verify: Verification, computed: Iterable[tuple[str, Mapping[str, Value], Result]]) -> Scope:
        scopes.append(verify)
        return scope_of_runs(verify, computed)

    monkeypatch.setattr(recipes, "recipe", noted)
    monkeypatch.setattr(card_run, "scope_of_runs", counted)
    engine = FakeEngine()
    async with asked(deck, OWN, engine) as pilot:
        await press(pilot, "space")
        first, drawn = list(readers), len(scopes)
        await press(pilot, "tab", "right", "right", "left")
        shown = screen_text(pilot)

    assert "It is 4." in shown
    assert 4 == len(engine.asked)
    assert first == readers
    assert threading.main_thread() not in readers
    assert 1 == drawn


async def test_one_language_runs_once(deck: Path) -> None:
    """A card that is set alike for all is not run again when the language is switched."""
    engine = FakeEngine()
    async with asked(deck, SPOKEN.replace("{en: 64, zh: 256}", "64"), engine) as pilot:
        await press(pilot, "space", "l")
        shown = screen_text(pilot)

    assert "先 2 后 8。" in shown
    assert [4, 64] == [asked["d_k"] for asked in engine.asked]


async def test_the_preview_has_all_runs(deck: Path) -> None:
    """Beside an editor the claims are judged against them, and problems are told as `qkv check` tells them."""
    deck.write_text(SPOKEN.replace("long.raw_std > raw_std", "long.raw_std < raw_std"), encoding="utf-8")
    async with AuthorApp(deck, "en", cast(Worker, FakeEngine())).run_test(size=(400, 60)) as pilot:
        await pilot.pause()
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        run, shown = cast(CardScreen, pilot.app.screen).card_run, screen_text(pilot)

    assert run
    assert run.complete
    assert "It is 2, then 8." in shown
    assert "the claim is false: 8 < 2" in shown
