"""Faults of Textual 8.2.8 that end a program, mended here until they are mended there. Importing this module is enough."""

from __future__ import annotations

from typing import Any

from textual.await_complete import AwaitComplete
from textual.screen import Screen
from textual.widgets import OptionList

_move_page, _dismiss = OptionList._move_page, Screen.dismiss


def _move_page_of_lines(options: OptionList, direction: Any) -> None:
    """A page is counted in lines, and a list that has not been drawn yet, or has no room, has none: KeyError. It stays where it is."""
    if (options.highlighted or 0) in options._index_to_line:
        _move_page(options, direction)


def _dismiss_once(screen: Screen[Any], result: Any = None) -> AwaitComplete:
    """A second key or click, made before the command palette was gone, closed the screen below; where none was left, ScreenStackError."""
    return _dismiss(screen, result) if screen.is_active else AwaitComplete()


Screen.dismiss = _dismiss_once  # type: ignore[method-assign,assignment]
OptionList._move_page = _move_page_of_lines  # type: ignore[method-assign,assignment]  # also of the command palette's list
