"""A deck beside its editor, on the screen: drawn on every save, with its run, or with what is wrong."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Collection, Mapping
from concurrent.futures import Future
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest
from click.testing import CliRunner
from textual.pilot import Pilot

from content.deck.library import Library
from content.yaml.problems import Problem
from engine import Result, Worker
from quiz.cli import qkv
from quiz.tui.author_app import AuthorApp
from quiz.tui.screens import preview as preview_screen
from quiz.tui.screens.preview import PreviewScreen
from quiz.tui.widgets.action_row import ActionRow
from tests.quiz.driving import FakeEngine, fake_result, screen_text

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
Beside = tuple[Pilot[None], PreviewScreen]


@asynccontextmanager
async def beside(path: Path, size: tuple[int, int] = (80, 24), language: str = "en") -> AsyncIterator[Beside]:
    """The author's app on a file, once it has been read."""
    app = AuthorApp(path, language, cast(Worker, FakeEngine()))
    async with app.run_test(size=size) as pilot:
        await quiet(pilot)
        yield pilot, cast(PreviewScreen, pilot.app.screen)
        await quiet(pilot)


async def quiet(pilot: Pilot[None]) -> None:
    await pilot.pause()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await quiet(pilot)


async def shown(pilot: Pilot[None], text: str) -> float:
    """Waits until the screen shows a text; the seconds that it took."""
    began = time.monotonic()
    async with asyncio.timeout(20):
        while text not in screen_text(pilot):
            await pilot.pause(0.01)
    return time.monotonic() - began


async def test_the_answer_is_shown_with_its_run(deck: Path) -> None:
    """Live numbers, claims and the lab: the card as the learner will see it."""
    async with beside(deck, (140, 40)) as (pilot, _):
        text = screen_text(pilot)

        assert "sample.yaml · 1 of 5 · scaling" in text
        assert [] == [part for part in ("It is 8 at d_k = 64.", "✔ It is about the root.", "fake run", "weights") if part not in text]


async def test_the_next_card_and_the_one_before(deck: Path) -> None:
    """One key each; from the last card on to the first."""
    async with beside(deck) as (pilot, screen):
        seen = []
        for key in ("n", "n", "p", "p", "p"):
            await press(pilot, key)
            seen.append(screen.preview.card.id if screen.preview.card else "")

        assert ["pick", "sort", "pick", "scaling", "count"] == seen


async def test_the_question_is_the_other_side(deck: Path) -> None:
    """Space shows the question with what is asked of the learner, then the key points to tick, and nothing of the answer before it."""
    async with beside(deck, (140, 40)) as (pilot, _):
        await press(pilot, "space")
        asked = screen_text(pilot)
        await press(pilot, "space")
        recalled = screen_text(pilot)
        await press(pilot, "space")

        assert "Tick what you said." in recalled
        assert "It is 8 at d_k" not in recalled
        assert "At d_k = 64, what is the standard deviation?" in asked
        assert "It is 8 at d_k" not in asked
        assert "weights" not in asked
        assert "It is 8 at d_k" in screen_text(pilot)


async def test_the_language_switches(deck: Path) -> None:
    """The same key as everywhere."""
    async with beside(deck) as (pilot, _):
        await press(pilot, "l")

        assert "为什么要除以" in screen_text(pilot)
        assert "下一张" in screen_text(pilot)


async def test_the_lab_moves_the_claims(deck: Path) -> None:
    """Tab goes to the lab; a slider runs the experiment anew; a saved file keeps the learner's values out of the text."""
    async with beside(deck) as (pilot, screen):
        await press(pilot, "tab", "right")
        assert screen.has_class("-lab")
        assert screen.card_run is not None
        assert screen.card_run.moved is not None
        await press(pilot, "n")

        assert not screen.has_class("-lab")


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


async def test_a_gap_is_shown(deck: Path) -> None:
    """What is still to be written is told in the place of the card, as `qkv check` tells it."""
    async with beside(deck) as (pilot, _):
        await quiet(pilot)
        deck.write_text(deck.read_text(encoding="utf-8").replace("Which sums to one?", "'TODO: which one?'"), encoding="utf-8")
        await shown(pilot, "still to be written: which one?")


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


async def test_problems_stand_in_place_of_the_card(deck: Path) -> None:
    """A file that is no deck shows what `qkv check` says, as text; mended, it shows the card again."""
    text = deck.read_text(encoding="utf-8")
    async with beside(deck, (140, 40)) as (pilot, _):
        deck.write_text(text.replace("kind: order", "kind: '[/] [@click=app.quit]E[X]'"), encoding="utf-8")
        await shown(pilot, "[/] [@click=app.quit]E[X]")
        broken = screen_text(pilot)
        deck.write_text(text, encoding="utf-8")
        await shown(pilot, "1 of 5")

        assert "sample.yaml · no deck yet" in broken
        assert "sample.yaml:29:11: error: kind is" in broken
        assert "fake run" not in broken
        assert "Why divide" not in broken


async def test_warnings_stand_below_the_card(deck: Path) -> None:
    """A deck that can be shown is shown, and what `qkv check` would warn of is told, too."""
    async with beside(deck, (140, 200)) as (pilot, _):
        await shown(pilot, "It is 8 at")
        text = " ".join(screen_text(pilot).replace("▏", " ").split())  # a long path wraps the line; the lab stands beside it

        assert "Problems in this file" in text
        assert text.index("It is 8 at") < text.index("nothing proves the answer of pick")


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"\0", b"deck: [", b"cards: 3", b"- " * 40000, None])
async def test_no_file_ends_the_preview(tmp_path: Path, data: bytes | None) -> None:
    """Empty, binary, half-written and missing files are problems; the first good save is a card."""
    path = tmp_path / "deck.yaml"
    if data is not None:
        path.write_bytes(data)
    async with beside(path) as (pilot, screen):
        assert "no deck yet" in screen_text(pilot)
        await press(pilot, "n", "p", "space", "tab", "s", "r", "space")
        path.write_text("deck: a\ntitle: T\ncards: [{id: one, question: Why now?, answer: So.}]\n", encoding="utf-8")
        await shown(pilot, "Why now?")

        assert screen.preview.deck is not None


@pytest.mark.parametrize("size", [(20, 5), (3, 2), (200, 60)])
async def test_every_size_can_be_drawn(deck: Path, size: tuple[int, int]) -> None:
    """A window too small to read in is no crash."""
    async with beside(deck, size) as (pilot, screen):
        await press(pilot, "n", "space", "tab")

        assert screen.is_current


def test_a_pipe_is_told_what_to_use() -> None:
    """Without a terminal there is no preview: exit 2 and the command that does."""
    done = CliRunner().invoke(qkv, ["preview", "deck.yaml"])

    assert (2, True) == (done.exit_code, "`qkv check`" in done.output)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    """A preview is of one file."""
    assert 2 == CliRunner().invoke(qkv, ["preview", str(tmp_path)]).exit_code


async def test_what_the_run_does_not_bear_out_is_told(deck: Path) -> None:
    """A live number that is not measured stands below the card with its place, as `qkv check` says it, and goes when it is mended."""
    text = deck.read_text(encoding="utf-8")
    deck.write_text(text.replace("It is {{raw_std:.0f}}", "It is {{raw_stt:.0f}}"), encoding="utf-8")
    async with beside(deck, (140, 200)) as (pilot, _):
        await shown(pilot, "{{raw_stt}}")
        told = " ".join(screen_text(pilot).replace("▏", " ").split())  # a long path wraps the line; the lab stands beside it
        deck.write_text(text, encoding="utf-8")
        await shown(pilot, "It is 8 at")

        assert "is not a number of this experiment" in told
        assert "did you mean raw_std?" in told
        assert "raw_stt" not in screen_text(pilot)


class Late(FakeEngine):
    """An engine whose runs end when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.pending: list[Future[Result]] = []

    def submit(self, name: str, parameters: Mapping[str, object], progress: object = None) -> Future[Result]:
        self.pending.append(Future())
        return self.pending[-1]


async def test_a_run_that_ends_while_its_screen_is_left_draws_nothing(deck: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A screen's widgets go one by one: a run that ends between the first and the last finds no screen to draw on, and raises nothing."""
    engine = Late()
    gone: list[str] = []

    def ends_now(actions: ActionRow) -> None:
        gone.append(str(actions.id))
        for run in engine.pending:
            if not run.cancelled() and not run.done():
                run.set_result(fake_result(64))

    monkeypatch.setattr(ActionRow, "on_unmount", ends_now, raising=False)
    app = AuthorApp(deck, "en", cast(Worker, engine))
    async with app.run_test() as pilot:
        while not engine.pending:
            await pilot.pause(0.01)
        await app.pop_screen()
        await quiet(pilot)

    assert gone
    assert app.return_code in (0, None)


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
