"""The terminal is lent to an editor and taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.terminal.terminal import terminal

DECK = "deck: a\ntitle: T\ncards:\n  - {id: one, question: Why so?, answer: Because.}\n"
EDITOR = '#!/bin/sh\necho "editing $2 at $1"\nread answer\nsed "s/Because/$answer/" "$2" > "$2.new" && mv "$2.new" "$2"\n'


def test_the_editor_has_the_terminal_until_it_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`qkv preview`, o: the editor starts at the card's line and reads the keys; what it saved is on the screen when it ends."""
    deck, editor = tmp_path / "deck.yaml", tmp_path / "vi"
    deck.write_text(DECK, encoding="utf-8")
    editor.write_text(EDITOR, encoding="utf-8")
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(editor))
    with terminal(tmp_path / "data", "preview", str(deck)) as running:
        running.see("Because.")
        running.press("o")
        running.see("editing")
        running.see("at +4")
        running.press("Edited\r")
        running.see("Edited.")
        running.press("n")
        running.press("q")

        assert 0 == running.end()
    assert "answer: Edited." in deck.read_text(encoding="utf-8")
    assert not (tmp_path / "data" / "progress.sqlite3").exists()
