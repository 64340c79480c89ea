"""All cards: searched as one types, narrowed by filters, each shown beside the list; from here one looks at them and practises them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar, Literal

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from quiz.card.card_index import FACETS, CardIndex, Facet, IndexedCard, Wanted, choices, found_cards, index_cards
from quiz.card.card_parts import text_lines
from quiz.card.listed_card import preview_part, question_line
from quiz.card.progress_sentences import error_sentence
from quiz.card.typeset import Span, text_of
from quiz.charts.as_text import WIDTH, as_plain
from quiz.gc_pause import leave_to_live
from quiz.memory.fsrs import Parameters
from quiz.progress.decisions import Decision
from quiz.progress.errors import ProgressError
from quiz.study.learner import LearnerState
from quiz.study.session import begin_session
from quiz.study.study import Study
from quiz.tui import actions
from quiz.tui.base import BaseScreen
from quiz.tui.bindings import bind
from quiz.tui.learner_files import LearnerFiles
from quiz.tui.off_loop import off_loop
from quiz.tui.requests import GoHome, LookAt, NotSaved, Practise
from quiz.tui.screens.choice_list import ChoiceList
from quiz.tui.screens.copy_menu import Copyable, offer_copies
from quiz.tui.widgets.action_row import ActionRow
from quiz.tui.widgets.card_list import CardList
from quiz.tui.widgets.text_part import TextPart

FILTER_KEYS: dict[Facet, str] = {"deck": "d", "tag": "t", "level": "v", "kind": "i", "asked": "a", "state": "s"}
FIRST = 40  # cards that are on the screen when it opens
PREVIEW_STEP = 4  # lines


class BrowseScreen(BaseScreen):
    """The list has the keys; `/` goes to the search, from which the arrows still move the cursor. It is kept while one looks elsewhere."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("slash", "search", "browse.search"),
        *(bind(key, f"filter('{facet}')", f"browse.filter.{facet}") for facet, key in FILTER_KEYS.items()),
        bind("x", "clear", "browse.clear"),
        bind("enter,space", "open", "browse.open"),
        bind("at", "suspend", "browse.suspend"),
        bind("u", "undo", "browse.undo"),
        bind("p", "practise", "browse.practise"),
        bind("y", "copy", "copy.copy"),
        bind("up,k", "move(-1)", "browse.up"),
        bind("down,j", "move(1)", "browse.down"),
        bind("pageup", "page(-1)", "browse.page.up"),
        bind("pagedown", "page(1)", "browse.page.down"),
        bind("home", "ends(0)", "browse.first"),
        bind("end", "ends(1)", "browse.last"),
        bind("left_square_bracket", "preview(-1)", "browse.preview.up"),
        bind("right_square_bracket", "preview(1)", "browse.preview.down"),
        bind("escape,q", "leave", "browse.leave"),
    ]

    def __init__(self, files: LearnerFiles) -> None:
        super().__init__()
        self.files = files
        self.index: CardIndex | None = None
        self.learner = LearnerState()
        self.wanted = Wanted()
        self.parameters: Parameters | None = None
        self.failure: ProgressError | None = None
        self._marks: list[str] = []  # decisions of this screen that undo takes back, the last one last
        self._writing = False

    def compose(self) -> ComposeResult:
        yield Static(id="place", markup=False)
        yield Input(id="search", compact=True, select_on_focus=False)
        with Container(id="table"):
            yield CardList(id="found")
            with VerticalScroll(id="preview", can_focus=False):
                yield TextPart(text_lines(()))
        yield ActionRow(id="actions")
        yield ActionRow(id="keys")

    def on_mount(self) -> None:
        self.watch(self.app, "language", self.speak, init=False)
        self.draw()
        self.read()

    @work(exclusive=True, group="index")
    async def read(self) -> None:
        """Reads how the cards stand, and the first time what they say, off the event loop."""
        if (store := self.files.store) is None:
            return
        index, now, language = self.index, self.files.clock(), self.app.language

        def look() -> tuple[LearnerState, Parameters, CardIndex]:
            learner = LearnerState.of(store)
            again = index.with_learner(learner, now) if index else index_cards(self.files.decks, learner, now)
            for card in again.cards[:FIRST]:
                question_line(card.item.card, language)  # what sets texts is loaded here, not at the first key
            if index is None:
                leave_to_live()
            return learner, store.parameters(), again

        try:
            self.learner, self.parameters, self.index = await off_loop(look)
            self.failure = None
        except ProgressError as error:
            self.failure = error
        self.draw()

    def speak(self) -> None:
        """The language was switched."""
        if self.stands:
            self.query_one(CardList).forget_words()
            self.draw()

    def draw(self, *, top: bool = False) -> None:
        """Shows what is wanted as it is found now."""
        if not self.stands:
            return
        words = self.app.words
        self.query_one(Input).placeholder = words("browse.placeholder")
        self.query_one(CardList).show(found_cards(self.index, self.wanted) if self.index else (), self.wanted.query, top=top)
        self._draw_place()
        self._draw_card()

    @property
    def found(self) -> list[IndexedCard]:
        return list(self.query_one(CardList).cards)

    def _draw_place(self) -> None:
        words = self.app.words
        if self.failure and self.index is None:
            self.query_one("#place", Static).update(Content(error_sentence(self.failure, words)))
            return
        total, found = len(self.index.cards) if self.index else 0, len(self.query_one(CardList).cards)
        count = words("browse.count", found=found, total=total) if self.index else words("home.loading")
        chosen = [f"{words(f'browse.facet.{facet}')}: {self._value(facet, value)}" for facet, value in self.wanted.chosen]
        title = Content.assemble(
            (words("browse.title"), "bold"), (f"   {count}", "$quiet"), *((f"   {one}", "bold $attention") for one in chosen)
        )
        self.query_one("#place", Static).update(title)

    def _draw_card(self) -> None:
        words, card = self.app.words, self.query_one(CardList).chosen
        empty = words("browse.none") if self.index and self.index.cards else ""
        self.query_one("#preview TextPart", TextPart).show(preview_part(card, words) if card else text_lines((Span(empty, "dim"),)))
        self.query_one("#preview", VerticalScroll).scroll_home(animate=False)
        self._offer(card)

    def _offer(self, card: IndexedCard | None) -> None:
        """While one types, letters are text: what they do otherwise is not offered."""
        words = self.app.words
        if self.focused is self.query_one(Input):
            first, second = actions.searching(words, card=card is not None), []
        else:
            first = actions.narrowing(words, FACETS, narrowed=bool(self.wanted.query or self.wanted.chosen))
            second = actions.on_a_listed_card(words, card=card is not None, away=_is_away(card), undo=bool(self._marks))
        self.query_one("#actions", ActionRow).offer(first)
        self.query_one("#keys", ActionRow).offer(second)

    def on_descendant_focus(self) -> None:
        self._offer(self.query_one(CardList).chosen)

    def on_descendant_blur(self) -> None:
        if self.stands:
            self._offer(self.query_one(CardList).chosen)

    def _value(self, facet: Facet, value: str) -> str:
        """A facet's value in the interface's language."""
        match facet:
            case "deck":
                return next((deck.title.said(self.app.language) for deck in self.files.decks if deck.deck == value), value)
            case "level":
                return self.say(f"session.level.{value}")
            case "asked":
                return self.say(f"session.asked.{value}")
            case "kind":
                return self.say(f"browse.kind.{value}")
            case "state":
                return self.say(f"browse.state.{value}")
            case "tag":
                return value

    @on(CardList.Moved)
    def moved(self) -> None:
        self._draw_card()

    @on(Input.Changed)
    def typed(self, event: Input.Changed) -> None:
        event.stop()
        if event.value != self.wanted.query:
            self.wanted = Wanted(event.value, self.wanted.chosen)
            self.draw(top=True)

    @on(Input.Submitted)
    def submitted(self, event: Input.Submitted) -> None:
        """Enter in the search opens the card under the cursor, the best one."""
        event.stop()
        self.action_open()

    @on(CardList.Opened)
    def action_open(self) -> None:
        """Looks at the card under the cursor: no schedule moves."""
        if (card := self.query_one(CardList).chosen) is not None:
            self.set_focus(None)
            self.ask(LookAt(card.item, "browse"))

    def came_back(self, _: None) -> None:
        """A session or a card was left: the list is as it was, with the cards as they stand by now."""
        self.read()

    def action_search(self) -> None:
        self.set_focus(self.query_one(Input))

    async def action_filter(self, facet: Facet) -> None:
        """Offers the values of a facet, each with how many cards it would leave."""
        if self.index is None or not self.is_active:
            return
        counted = choices(self.index, self.wanted, facet)
        values: list[str | None] = [None, *counted]
        total = len(found_cards(self.index, self.wanted.choose(facet, None)))
        rows = [
            Content.assemble(self.say("browse.any") if value is None else self._value(facet, value), (f"  {count}", "$quiet"))
            for value, count in zip(values, (total, *counted.values()), strict=True)
        ]
        here = values.index(self.wanted.value(facet)) if self.wanted.value(facet) in values else 0
        await self.app.push_screen(ChoiceList(self.say(f"browse.facet.{facet}"), rows, here), partial(self._narrow, facet, values))

    def _narrow(self, facet: Facet, values: list[str | None], place: int | None) -> None:
        if place is not None:
            self.wanted = self.wanted.choose(facet, values[place])
            self.draw()

    def action_clear(self) -> None:
        """Everything again."""
        self.wanted = Wanted()
        self.query_one(Input).value = ""
        self.draw()

    async def action_suspend(self) -> None:
        """Takes the card out of all sessions, or back into them."""
        card = self.query_one(CardList).chosen
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
        card, words = self.query_one(CardList).chosen, self.app.words

        async def text() -> str:
            return as_plain([text_of(line) for line in preview_part(card, words).lines(WIDTH)]) if card else ""

        await offer_copies(self.app, [Copyable("card", text)] if card else [])

    def action_move(self, by: int) -> None:
        self.query_one(CardList).move(by)

    def action_page(self, by: int) -> None:
        found = self.query_one(CardList)
        found.move(by * found.page)

    def action_ends(self, last: int) -> None:
        found = self.query_one(CardList)
        found.go_to(last * len(found.cards))

    def action_preview(self, by: int) -> None:
        self.query_one("#preview", VerticalScroll).scroll_relative(y=by * PREVIEW_STEP, animate=False)

    def action_leave(self) -> None:
        """Out of the search first, with what was typed; then home."""
        if self.focused is self.query_one(Input):
            self.set_focus(None)
        else:
            self.ask(GoHome())


def _is_away(card: IndexedCard | None) -> bool:
    return card is not None and "suspended" in card.states
