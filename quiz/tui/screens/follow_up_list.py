"""The cards that a card leads to, where there are several: their questions, one to choose."""

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

from quiz.card.follow_ups import FollowUp, question_lines
from quiz.card.typeset import text_of
from quiz.study.turn import Item
from quiz.tui.base import BaseApp
from quiz.tui.bindings import bind

MOST = 9  # that have a digit; others are chosen with the arrows
WIDTH = 66  # cells of a question


class FollowUpList(ModalScreen[Item | None]):
    """Arrows and Enter, a digit, or a click; Esc chooses none."""

    app: BaseApp

    BINDINGS: ClassVar[list[BindingType]] = [
        *(bind(str(n), f"choose({n - 1})", f"follow_up.digit.{n}") for n in range(1, MOST + 1)),
        bind("escape,q,f", "close", "follow_up.close"),
    ]

    def __init__(self, items: Sequence[Item]) -> None:
        super().__init__()
        self.items = items

    def compose(self) -> ComposeResult:
        words = self.app.words
        rows = [[text_of(line)[2:] for line in question_lines(FollowUp("", item), words, WIDTH)] for item in self.items]
        with Vertical(id="follow-ups"):
            yield Static(Content(words("reveal.follow_ups")), id="follow-ups-title", markup=False)
            yield OptionList(
                *(Content.assemble((f"{n:>2}  ", "bold $query"), "\n    ".join(lines)) for n, lines in enumerate(rows, start=1)),
                markup=False,
            )
            yield Static(Content(words("follow_up.choose")), id="follow-ups-about", markup=False)

    @on(OptionList.OptionSelected)
    def chosen(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_choose(event.option_index)

    def action_choose(self, place: int) -> None:
        """Once: a second key may be typed before the list is gone."""
        if place < len(self.items) and self.is_active:
            self.dismiss(self.items[place])

    def action_close(self) -> None:
        if self.is_active:
            self.dismiss(None)
