"""Faults of Textual 8.2.8 that end a program, mended here until they are mended there. Importing this module is enough."""

from __future__ import annotations

from typing import Any

from textual.await_complete import AwaitComplete
from textual.screen import Screen
from textual.selection import SelectState
from textual.widget import Widget
from textual.widgets import OptionList

_move_page, _dismiss = OptionList._move_page, Screen.dismiss


def _move_page_of_lines(options: OptionList, direction: Any) -> None:
    """A page is counted in lines, and a list that has not been drawn yet, or has no room, has none: KeyError. It stays where it is."""
    if (options.highlighted or 0) in options._index_to_line:
        _move_page(options, direction)


def _dismiss_once(screen: Screen[Any], result: Any = None) -> AwaitComplete:
    """A second key or click, made before the command palette was gone, closed the screen below; where none was left, ScreenStackError."""
    return _dismiss(screen, result) if screen.is_active else AwaitComplete()


def _may_be_selected(widget: Widget) -> bool:
    """Text that says so (`selectable`), while it has a place: the container of a widget that is gone is None, and a drag over a slider
    or a matrix means something else."""
    return bool(getattr(widget, "selectable", False)) and widget.is_attached and widget.parent is not None


def _still_there(state: SelectState) -> bool:
    """Textual names its own test and does not call it: selecting went on with widgets that were drawn anew meanwhile."""
    ends = (state.start, state.end) if state.end else (state.start,)
    widgets = [widget for end in ends for widget in (end.container, end.content_widget)]
    return all(widget is None or widget.is_attached for widget in widgets) and all(end.container is not None for end in ends)


Widget.allow_select = property(_may_be_selected)  # type: ignore[assignment,method-assign]
SelectState.is_attached_to_dom = property(_still_there)  # type: ignore[assignment,method-assign]
Screen.dismiss = _dismiss_once  # type: ignore[method-assign,assignment]
OptionList._move_page = _move_page_of_lines  # type: ignore[method-assign,assignment]  # also of the command palette's list
