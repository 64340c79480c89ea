"""A card in the person's own editor, at its line."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import pytest
from textual.pilot import Pilot

from content.deck.library import Library, load
from quiz.card.card_location import CardLocation, locate_card
from quiz.tui.app import QkvApp
from quiz.tui.editor import chosen_editor, editor_command
from tests.quiz.driving import Running, press, screen_text

SPOT = CardLocation(Path("/decks/my deck.yaml"), 12)


@pytest.mark.parametrize(
    ("editor", "expected"),
    [
        ("vi", ["vi", "+12", "/decks/my deck.yaml"]),
        ("/usr/bin/nvim -u NONE", ["/usr/bin/nvim", "-u", "NONE", "+12", "/decks/my deck.yaml"]),
        ("'/opt/my apps/emacs' -nw", ["/opt/my apps/emacs", "-nw", "+12", "/decks/my deck.yaml"]),
        ("nano", ["nano", "+12", "/decks/my deck.yaml"]),
        ("micro", ["micro", "+12", "/decks/my deck.yaml"]),
        ("hx", ["hx", "+12", "/decks/my deck.yaml"]),
        ("code --wait", ["code", "--wait", "-g", "/decks/my deck.yaml:12"]),
        ("ed", ["ed", "/decks/my deck.yaml"]),
    ],
)
def test_the_line_is_told_as_each_editor_wants_it(editor: str, expected: list[str]) -> None:
    """+LINE for most, -g FILE:LINE for the code family, the file alone where we do not know; no shell reads the file's name."""
    assert expected == editor_command(editor, SPOT)


def test_a_file_is_never_taken_for_an_option() -> None:
    """A deck called -x.yaml is opened by its whole path."""
    assert str(Path.cwd() / "-x.yaml") == editor_command("vi", CardLocation(Path("-x.yaml"), 1))[-1]


@pytest.mark.parametrize(
    ("environment", "expected"),
    [({}, ""), ({"EDITOR": "nano"}, "nano"), ({"EDITOR": "nano", "VISUAL": "code"}, "code"), ({"EDITOR": "nano", "VISUAL": " "}, "nano")],
)
def test_visual_comes_before_editor(environment: dict[str, str], expected: str) -> None:
    """An empty variable is one that is not set."""
    assert expected == chosen_editor(environment)


def test_the_spot_of_a_card(deck: Path) -> None:
    """The line at which the card starts in its file; none for a card that is gone."""
    library = load((deck,))

    assert CardLocation(deck, 21) == locate_card(library, ("sample", "pick"))
    assert deck.read_text(encoding="utf-8").split("\n")[20] == "  - id: pick"
    assert [None, None] == [locate_card(library, ("sample", "gone")), locate_card(Library(), ("sample", "pick"))]


def told(pilot: Pilot[None]) -> list[str]:
    """The sentences that the app has notified the person of."""
    return [notification.message for notification in pilot.app._notifications]


@pytest.fixture
def lent(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal that can be lent, as a real one can."""

    @contextmanager
    def suspend(app: QkvApp) -> Iterator[None]:
        yield

    monkeypatch.setattr(QkvApp, "suspend", suspend)


@pytest.mark.usefixtures("lent")
async def test_a_session_opens_its_card(running: Running, deck: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`o` starts the editor at the card's line; afterwards the decks are read again and the session goes on with the card as asked."""
    started: list[list[str]] = []

    def editor(words: list[str], check: bool) -> subprocess.CompletedProcess[bytes]:
        started.append(words)
        deck.write_text(deck.read_text(encoding="utf-8").replace("Sample", "Changed"), encoding="utf-8")
        return subprocess.CompletedProcess(words, 0)

    monkeypatch.setenv("VISUAL", "vi")
    monkeypatch.setattr(subprocess, "run", editor)
    async with running() as pilot:
        await press(pilot, "enter", "o")
        library = cast(QkvApp, pilot.app).files.library

        assert [["vi", "+4", str(deck)]] == started
        assert library is not None
        assert "Changed" == library.decks[0].deck.title.said("en")
        assert ["What you changed shows from the next session on."] == told(pilot)
        assert "Why divide by" in screen_text(pilot)


@pytest.mark.usefixtures("lent")
@pytest.mark.parametrize(
    ("editor", "sentence"),
    [
        ("", "No editor is set. Set VISUAL or EDITOR"),
        ("/nowhere/[/]vi", "did not work: no such file or directory"),
        ("vi 'x", "did not work: no closing quotation"),
        (f"{sys.executable} -c raise(SystemExit(3))", "did not work: exit 3"),
    ],
)
async def test_an_editor_that_does_not_work(running: Running, monkeypatch: pytest.MonkeyPatch, editor: str, sentence: str) -> None:
    """No editor, a missing one, a command that cannot be read, one that fails: a sentence, and the session goes on."""
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", editor)
    async with running(size=(140, 40)) as pilot:
        await press(pilot, "enter", "o")

        assert sentence in " ".join(told(pilot))
        assert "Why divide by" in screen_text(pilot)


async def test_a_screen_that_cannot_be_lent(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a browser there is no terminal to lend: a sentence says what to do."""
    monkeypatch.setenv("EDITOR", "vi")
    async with running() as pilot:
        await press(pilot, "enter", "o")

        assert ["This terminal cannot be lent to an editor. Open the file in a window beside it."] == told(pilot)
