"""All cards on a screen: searched as one types, narrowed by filters, each shown beside the list. What is done with them is a subclass's."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from quiz.card.card_index import CardIndex, Facet, IndexedCard, Wanted, found_cards, index_cards
from quiz.card.card_parts import text_lines
from quiz.card.facet_words import facet_rows, said_value
from quiz.card.listed_card import preview_part, question_line
from quiz.card.progress_sentences import error_sentence
from quiz.card.typeset import Span
from quiz.gc_pause import leave_to_live
from quiz.memory.fsrs import Parameters
from quiz.progress.errors import ProgressError
from quiz.study.learner import LearnerState
from quiz.tui.base import BaseScreen
from quiz.tui.bindings import bind
from quiz.tui.learner_files import LearnerFiles
from quiz.tui.off_loop import off_loop
from quiz.tui.screens.choice_list import ChoiceList
from quiz.tui.widgets.action_row import ActionRow
from quiz.tui.widgets.card_list import CardList
from quiz.tui.widgets.text_part import TextPart

FILTER_KEYS: dict[Facet, str] = {"deck": "d", "tag": "t", "level": "v", "kind": "i", "asked": "a", "state": "s"}
FIRST = 40  # cards that are on the screen when it opens
PREVIEW_STEP = 4  # lines


class FoundCards(BaseScreen):
    """The list has the keys; `/` goes to the search, from which the arrows still move the cursor."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("slash", "search", "browse.search"),
        *(bind(key, f"filter('{facet}')", f"browse.filter.{facet}") for facet, key in FILTER_KEYS.items()),
        bind("x", "clear", "browse.clear"),
        bind("up,k", "move(-1)", "browse.up"),
        bind("down,j", "move(1)", "browse.down"),
        bind("pageup", "page(-1)", "browse.page.up"),
        bind("pagedown", "page(1)", "browse.page.down"),
        bind("home", "ends(0)", "browse.first"),
        bind("end", "ends(1)", "browse.last"),
        bind("left_square_bracket", "preview(-1)", "browse.preview.up"),
        bind("right_square_bracket", "preview(1)", "browse.preview.down"),
    ]

    def __init__(self, files: LearnerFiles) -> None:
        super().__init__()
        self.files = files
        self.index: CardIndex | None = None
        self.learner = LearnerState()
        self.wanted = Wanted()
        self.parameters: Parameters | None = None
        self.failure: ProgressError | None = None

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

    def offer(self) -> None:
        """Shows what can be done now."""
        raise NotImplementedError

    @property
    def chosen(self) -> IndexedCard | None:
        """The card under the cursor."""
        return self.query_one(CardList).chosen

    @property
    def is_typing(self) -> bool:
        return self.focused is self.query_one(Input)

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
        chosen = [
            f"{words(f'browse.facet.{facet}')}: {said_value(facet, value, self.files.decks, words)}" for facet, value in self.wanted.chosen
        ]
        title = Content.assemble(
            (words("browse.title"), "bold"), (f"   {count}", "$quiet"), *((f"   {one}", "bold $attention") for one in chosen)
        )
        self.query_one("#place", Static).update(title)

    def _draw_card(self) -> None:
        words, card = self.app.words, self.query_one(CardList).chosen
        empty = words("browse.none") if self.index and self.index.cards else ""
        self.query_one("#preview TextPart", TextPart).show(preview_part(card, words) if card else text_lines((Span(empty, "dim"),)))
        self.query_one("#preview", VerticalScroll).scroll_home(animate=False)
        self.offer()

    def on_descendant_focus(self) -> None:
        self.offer()

    def on_descendant_blur(self) -> None:
        if self.stands:
            self.offer()

    @on(CardList.Moved)
    def moved(self) -> None:
        self._draw_card()

    @on(Input.Changed)
    def typed(self, event: Input.Changed) -> None:
        event.stop()
        if event.value != self.wanted.query:
            self.wanted = Wanted(event.value, self.wanted.chosen)
            self.draw(top=True)

    def action_search(self) -> None:
        self.set_focus(self.query_one(Input))

    async def action_filter(self, facet: Facet) -> None:
        """Offers the values of a facet, each with how many cards it would leave."""
        if self.index is None or not self.is_active:
            return
        rows = facet_rows(self.index, self.wanted, facet, self.files.decks, self.app.words)
        values = [row.value for row in rows]
        chosen = self.wanted.value(facet)
        lines = [Content.assemble(row.said, (f"  {row.count}", "$quiet")) for row in rows]
        title, here = self.say(f"browse.facet.{facet}"), values.index(chosen) if chosen in values else 0
        await self.app.push_screen(ChoiceList(title, lines, here), partial(self._narrow, facet, values))

    def _narrow(self, facet: Facet, values: list[str | None], place: int | None) -> None:
        if place is not None:
            self.wanted = self.wanted.choose(facet, values[place])
            self.draw()

    def action_clear(self) -> None:
        """Everything again."""
        self.wanted = Wanted()
        self.query_one(Input).value = ""
        self.draw()

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
