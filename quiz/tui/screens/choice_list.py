"""A few rows to choose from, above a screen: the values of a filter, what can be copied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static

from quiz.tui.base import BaseApp
from quiz.tui.bindings import bind

MOST = 9  # rows that have a digit


class ChoiceList(ModalScreen[int | None]):
    """Arrows and Enter, a digit, or a click; Esc chooses none. It gives the place of the row."""

    app: BaseApp

    BINDINGS: ClassVar[list[BindingType]] = [
        *(bind(str(n), f"choose({n - 1})", f"choice.digit.{n}") for n in range(1, MOST + 1)),
        bind("j", "cursor('down')", "choice.down"),
        bind("k", "cursor('up')", "choice.up"),
        bind("escape,q", "close", "choice.close"),
    ]

    def __init__(self, title: str, rows: Sequence[Content], here: int = 0) -> None:
        super().__init__()
        self._title, self._rows, self._here = title, rows, here

    def compose(self) -> ComposeResult:
        digits = [f"{n:>2}  " if n <= MOST else "    " for n in range(1, len(self._rows) + 1)]
        with Vertical(id="choices"):
            yield Static(Content(self._title), id="choices-title", markup=False)
            yield OptionList(
                *(Content.assemble((digit, "bold $query"), row) for digit, row in zip(digits, self._rows, strict=True)), markup=False
            )
            yield Static(Content(self.app.words("choice.about")), id="choices-about", markup=False)

    def on_mount(self) -> None:
        self.query_one(OptionList).highlighted = self._here

    @on(OptionList.OptionSelected)
    def chosen(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_choose(event.option_index)

    def action_choose(self, place: int) -> None:
        """Once: a second key may be typed before the list is gone."""
        if place < len(self._rows) and self.is_active:
            self.dismiss(place)

    def action_cursor(self, where: str) -> None:
        options = self.query_one(OptionList)
        options.action_cursor_down() if where == "down" else options.action_cursor_up()

    def action_close(self) -> None:
        if self.is_active:
            self.dismiss(None)
