"""A deck beside its editor, on the screen: its cards with their runs, or what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import cast

import pytest
from click.testing import CliRunner

from engine import Result, Worker
from quiz.cli import qkv
from quiz.tui.author_app import AuthorApp
from quiz.tui.widgets.action_row import ActionRow
from tests.quiz.driving import FakeEngine, fake_result, screen_text
from tests.quiz.tui.screens.beside_editor import beside, press, quiet, shown


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


async def test_a_gap_is_shown(deck: Path) -> None:
    """What is still to be written is told in the place of the card, as `qkv check` tells it."""
    async with beside(deck) as (pilot, _):
        await quiet(pilot)
        deck.write_text(deck.read_text(encoding="utf-8").replace("Which sums to one?", "'TODO: which one?'"), encoding="utf-8")
        await shown(pilot, "still to be written: which one?")


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
