"""All cards: what is done with those that were found. One looks at them, suspends them, practises them, and comes back to the list."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar, Literal

from textual import on
from textual.binding import BindingType
from textual.widgets import Input

from quiz.card.card_index import FACETS, IndexedCard
from quiz.card.listed_card import preview_part
from quiz.card.typeset import text_of
from quiz.charts.as_text import WIDTH, as_plain
from quiz.progress.decisions import Decision
from quiz.progress.errors import ProgressError
from quiz.study.session import begin_session
from quiz.study.study import Study
from quiz.tui import actions
from quiz.tui.bindings import bind
from quiz.tui.learner_files import LearnerFiles
from quiz.tui.off_loop import off_loop
from quiz.tui.requests import GoHome, LookAt, NotSaved, Practise
from quiz.tui.screens.copy_menu import Copyable, offer_copies
from quiz.tui.screens.found_cards import FoundCards
from quiz.tui.widgets.action_row import ActionRow
from quiz.tui.widgets.card_list import CardList


class BrowseScreen(FoundCards):
    """It stays as it is while one looks elsewhere from here."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("enter,space", "open", "browse.open"),
        bind("at", "suspend", "browse.suspend"),
        bind("u", "undo", "browse.undo"),
        bind("p", "practise", "browse.practise"),
        bind("y", "copy", "copy.copy"),
        bind("escape,q", "leave", "browse.leave"),
    ]

    def __init__(self, files: LearnerFiles) -> None:
        super().__init__(files)
        self._marks: list[str] = []  # decisions of this screen that undo takes back, the last one last
        self._writing = False

    def offer(self) -> None:
        """While one types, letters are text: what they do otherwise is not offered."""
        words, card = self.app.words, self.chosen
        if self.is_typing:
            first, second = actions.searching(words, card=card is not None), []
        else:
            first = actions.narrowing(words, FACETS, narrowed=bool(self.wanted.query or self.wanted.chosen))
            second = actions.on_a_listed_card(words, card=card is not None, away=_is_away(card), undo=bool(self._marks))
        self.query_one("#actions", ActionRow).offer(first)
        self.query_one("#keys", ActionRow).offer(second)

    @on(Input.Submitted)
    def submitted(self, event: Input.Submitted) -> None:
        """Enter in the search opens the card under the cursor, the best one."""
        event.stop()
        self.action_open()

    @on(CardList.Opened)
    def action_open(self) -> None:
        """Looks at the card under the cursor: no schedule moves."""
        if (card := self.chosen) is not None:
            self.set_focus(None)
            self.ask(LookAt(card.item, "browse"))

    def came_back(self, _: None) -> None:
        """A session or a card was left: the list is as it was, with the cards as they stand by now."""
        self.read()

    async def action_suspend(self) -> None:
        """Takes the card out of all sessions, or back into them."""
        card = self.chosen
        if card is None or (store := self.files.store) is None or self._writing:
            return
        kind: Literal["resume", "suspend"] = "resume" if _is_away(card) else "suspend"
        mark = Decision.new(kind, card.item.key, self.files.clock())
        if await self._write(partial(store.decide, mark)):
            self._marks.append(mark.id)
            self.app.tell(self.say("cards.resumed" if kind == "resume" else "aside.suspend", card=card.item.card.id))
            self.read()

    async def action_undo(self) -> None:
        if self._marks and (store := self.files.store) and await self._write(partial(store.undo_decision, self._marks[-1])):
            self._marks.pop()
            self.app.tell(self.say("browse.undone"))
            self.read()

    async def _write(self, change: Callable[[], object]) -> bool:
        """Runs a change of the store off the event loop; meanwhile further keys do nothing. False when it failed."""
        if self._writing:
            return False
        self._writing = True
        try:
            await off_loop(change)
        except ProgressError as error:
            self.ask(NotSaved(error))
            return False
        finally:
            self._writing = False
        return True

    def action_practise(self) -> None:
        """Practises what was found, in the order of the list; the schedule stays as it is."""
        if (items := tuple(card.item for card in self.found)) and self.parameters:
            clock, learner = self.files.clock, self.learner
            session = begin_session(items, clock().day)
            study = Study(session, None, clock, dict(learner.memories), dict(learner.confident_errors), self.parameters)
            study.start_clock()
            self.set_focus(None)
            self.ask(Practise(study))

    async def action_copy(self) -> None:
        """The card under the cursor, as the preview shows it."""
        card, words = self.chosen, self.app.words

        async def text() -> str:
            return as_plain([text_of(line) for line in preview_part(card, words).lines(WIDTH)]) if card else ""

        await offer_copies(self.app, [Copyable("card", text)] if card else [])

    def action_leave(self) -> None:
        """Out of the search first, with what was typed; then home."""
        if self.is_typing:
            self.set_focus(None)
        else:
            self.ask(GoHome())


def _is_away(card: IndexedCard | None) -> bool:
    return card is not None and "suspended" in card.states
