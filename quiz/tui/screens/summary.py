"""The end of a session: how it went, how well one knew what one knew, and what to look at again."""

from __future__ import annotations

import asyncio
import math
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from quiz.card.summary_parts import summary_parts, title_sentence, waiting_sentence
from quiz.progress.errors import ProgressError
from quiz.study.study import Study
from quiz.tui import actions
from quiz.tui.base import BaseScreen
from quiz.tui.bindings import bind
from quiz.tui.off_loop import off_loop
from quiz.tui.requests import GoBack, NotSaved, ResumeSession, Show
from quiz.tui.widgets.action_row import ActionRow
from quiz.tui.widgets.children import replace_children
from quiz.tui.widgets.text_part import TextPart


class SummaryScreen(BaseScreen):
    """Undo works here too, also for the last card; a card graded again can be taken before its time."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("space,enter", "proceed", "summary.proceed"),
        bind("u", "undo", "summary.undo"),
        bind("e", "experiments", "summary.lab"),
        bind("q,escape", "leave", "summary.leave"),
        bind("up,k", "scroll(-1)", "summary.up"),
        bind("down,j", "scroll(1)", "summary.down"),
    ]

    def __init__(self, study: Study) -> None:
        super().__init__()
        self.study = study
        self._left = False  # one key leads away from here; the session is then another thread's, or another screen's

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        yield VerticalScroll(id="recap", can_focus=False)
        yield Static(id="waiting", markup=False)
        yield ActionRow(id="keys")

    async def on_mount(self) -> None:
        self.watch(self.app, "language", self.draw, init=False)
        self.set_interval(1.0, self.wait)
        await asyncio.to_thread(self.study.confirm)
        self.draw()

    def draw(self) -> None:
        if not self.stands:
            return
        words = self.app.words
        self.query_one("#title", Static).update(Content(title_sentence(self.study.session, words)))
        view = self.query_one("#recap", VerticalScroll)
        parts = summary_parts(self.study, words)
        replace_children(view, [TextPart(part, classes=f"role-{part.role}" if part.role else "") for part in parts])
        row = actions.at_the_end(words, waiting=bool(self.study.session.returning), undo=bool(self.study.session.steps))
        self.query_one("#keys", ActionRow).offer(row)
        self.wait()

    def wait(self) -> None:
        """Says how long until the next returning card."""
        if not self.stands or self._left:
            return
        left = self.study.wait()
        sentence = "" if left is None else waiting_sentence(self.study.session, math.ceil(left.total_seconds() / 60), self.app.words)
        self.query_one("#waiting", Static).update(Content(sentence))

    async def action_proceed(self) -> None:
        if self._left:
            return
        self.study.hasten()
        self._left = True
        if self.study.session.turn:
            self.ask(ResumeSession(self.study))
        else:
            self.ask(GoBack())

    def does_nothing(self, binding: str) -> bool:
        return binding == "summary.undo" and not self.study.session.steps

    async def action_undo(self) -> None:
        if self._left:
            return
        self._left = True
        try:
            self._left = await off_loop(self.study.undo)
        except ProgressError as error:
            self._left = False
            self.ask(NotSaved(error))
            return
        if self._left and self.study.session.turn is None:  # a note was taken back, and no card
            self._left = False
            self.draw()
        elif self._left:
            self.ask(ResumeSession(self.study))

    def action_experiments(self) -> None:
        self.ask(Show("lab"))

    def action_scroll(self, by: int) -> None:
        self.query_one("#recap", VerticalScroll).scroll_relative(y=by, animate=False)

    async def action_leave(self) -> None:
        self.ask(GoBack())
