"""Starts the screens, and leaves the process as they say."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING, NoReturn

import click

from content.yaml.clean import clean
from quiz.exit_codes import OK, UNSAVED, USAGE

if TYPE_CHECKING:
    from quiz.study.filter import Filter
    from quiz.tui.app import QkvApp


def need_terminal(otherwise: str, language: str) -> None:
    """Ends the process with a sentence where there is nothing to draw on."""
    if os.environ.get("TEXTUAL_DRIVER", "").endswith(":WebDriver"):
        return  # a browser is the terminal: `qkv serve` began this process
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        _refuse("screens.no_terminal", otherwise, language)
    if os.environ.get("TERM") == "dumb":
        _refuse("screens.dumb", otherwise, language)


def _refuse(key: str, otherwise: str, language: str) -> NoReturn:
    from quiz.words.i18n import Words

    sys.stderr.write(Words.of(language)(key, command=otherwise) + "\n")
    sys.exit(USAGE)


def interface(decks: tuple[str, ...], language: str, wanted: Filter | None = None, *, session: bool, practice: bool = False) -> None:
    need_terminal("qkv quiz --plain", language)
    gc.disable()  # nothing of what is being imported is garbage: a tenth of the time would go into looking for some
    from quiz.card.deck_paths import MissingDeck, resolve_decks
    from quiz.tui.app import QkvApp
    from quiz.tui.requests import Start

    try:
        read = resolve_decks(decks)
    except MissingDeck as error:
        from content.messages.sentence import in_language
        from quiz.words.i18n import Words

        raise click.UsageError(in_language(error.sentence, Words.of(language).language)) from None
    app = QkvApp(Start(read, language, session, practice, wanted) if wanted else Start(read, language, session, practice))
    gc.enable()
    gc.freeze()  # what was imported stays: every look through it for garbage would hold the screen for some 30 ms
    app.run()
    leave(app)


def leave(app: QkvApp) -> NoReturn:
    """Ends the process with the application's exit code, and says on stderr what was not saved."""
    if app.return_code == USAGE:
        print(clean(app.files.unreadable(app.words)), file=sys.stderr)
    code = app.exit_code or (UNSAVED if app.files.unsaved else OK)
    if app.files.unsaved:
        print(clean(app.files.loss), file=sys.stderr)
    sys.stderr.flush()
    os._exit(code)  # store and engine are closed; unloading every module would double the time that quitting takes
