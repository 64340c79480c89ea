"""A card in the person's own editor: $VISUAL, or else $EDITOR, at the card's line."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path

from textual.app import SuspendNotSupported

from quiz.card.card_location import CardLocation
from quiz.tui.base import BaseApp

_PLUS = ("vi", "vim", "nvim", "view", "nano", "pico", "emacs", "emacsclient", "micro", "hx", "helix", "kak", "joe", "mg", "ne")  # +12 FILE
_GOTO = ("code", "code-insiders", "codium", "cursor", "windsurf")  # -g FILE:12


def chosen_editor(environment: Mapping[str, str]) -> str:
    """The editor's command; empty when none is set."""
    return next((value for name in ("VISUAL", "EDITOR") if (value := environment.get(name, "").strip())), "")


def editor_command(editor: str, spot: CardLocation) -> list[str]:
    """The editor's words and the file, at the line where we know how to say it. Raises ValueError for an open quote."""
    words, file = shlex.split(editor), str(spot.path.absolute())
    name = Path(words[0]).stem.lower()
    if name in _PLUS:
        return [*words, f"+{spot.line}", file]
    return [*words, "-g", f"{file}:{spot.line}"] if name in _GOTO else [*words, file]


def edit_card(app: BaseApp, spot: CardLocation) -> bool:
    """Hands the terminal to the editor until it ends; False, and a sentence on the screen, where that cannot be done."""
    editor = chosen_editor(os.environ)
    if not editor:
        app.warn(app.words("editor.none"))
        return False
    try:
        with app.suspend():
            failure = _run(editor, spot)  # it raises nothing: Textual would not come back
    except SuspendNotSupported:
        app.warn(app.words("editor.no_terminal"))
        return False
    if failure:
        app.warn(app.words("editor.failed", editor=editor, reason=failure))
    return not failure


def _run(editor: str, spot: CardLocation) -> str:
    """Why the editor did not do its work; empty when it did."""
    try:
        code = subprocess.run(editor_command(editor, spot), check=False).returncode
    except OSError as error:
        return (error.strerror or str(error)).lower()
    except ValueError as error:
        return str(error).lower()
    return f"exit {code}" if code else ""
