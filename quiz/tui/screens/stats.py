"""What has been learned, as figures to scroll through; the cards to look at again can be practised from here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.widgets import Static

from quiz.card.progress_sentences import error_sentence
from quiz.charts.memory_figures import PICKS, pick_letters
from quiz.charts.stats_figures import FIGURES, WISH
from quiz.charts.stats_view import StatsView, stats_view
from quiz.charts.style import Pen, Row
from quiz.progress.errors import ProgressError
from quiz.progress.progress import Progress
from quiz.statistics.statistics import DAYS, LearningLog, read_log
from quiz.study.session import begin_session
from quiz.study.study import Study
from quiz.study.turn import Item
from quiz.tui import actions
from quiz.tui.base import BaseScreen
from quiz.tui.bindings import bind
from quiz.tui.learner_files import LearnerFiles
from quiz.tui.off_loop import off_loop
from quiz.tui.requests import GoHome, Practise
from quiz.tui.widgets.action_row import ActionRow
from quiz.tui.widgets.children import replace_children
from quiz.tui.widgets.figure import FigureWidget, Pens, style_of_app
from quiz.tui.widgets.flow_layout import FlowContainer

PAGES = (("pageup", "up"), ("space,pagedown", "down"), ("home", "first"), ("end", "last"))


class Figure(FigureWidget):
    """One figure of the statistics, by its name."""

    class Clicked(Message):
        """A row of a figure was clicked; the first is its heading."""

        def __init__(self, name: str, row: int) -> None:
            super().__init__()
            self.name = name
            self.row = row

    def __init__(self, pens: Pens, name: str, told: StatsView) -> None:
        super().__init__(pens)
        self.figure = name
        self.told = told

    def wish(self, width: int) -> int:
        return min(WISH, width)

    def draw(self, width: int, pen: Pen) -> list[Row]:
        return FIGURES[self.figure](self.told, width, pen)

    def on_click(self, event: Click) -> None:
        event.stop()
        self.post_message(self.Clicked(self.figure, event.y))


class StatsScreen(BaseScreen):
    """A letter practises the card it stands before; practice never touches the schedule."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(bind(letter, f"pick('{letter}')", f"stats.pick.{letter}") for letter in PICKS),
        bind("p", "practice", "stats.practice"),
        bind("up,k", "scroll(-1)", "stats.up"),
        bind("down,j", "scroll(1)", "stats.down"),
        *(bind(keys, f"page('{where}')", f"stats.page.{where}") for keys, where in PAGES),
        bind("q,escape", "leave", "stats.leave"),
    ]

    def __init__(self, files: LearnerFiles) -> None:
        super().__init__()
        self.files = files
        self.told: StatsView | None = None
        self.failure: ProgressError | None = None
        self.learned = LearningLog()

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        yield Static(id="note", markup=False)
        with VerticalScroll(id="stats", can_focus=False):
            yield FlowContainer(id="figures")
        yield ActionRow(id="keys")

    def on_mount(self) -> None:
        self.watch(self.app, "language", self.speak, init=False)
        self.watch(self.query_one("#stats"), "scroll_y", self.offer, init=False)
        self.watch(self.query_one("#stats"), "virtual_size", self.offer, init=False)
        self.speak()
        self.count()

    @work(exclusive=True, group="stats")
    async def count(self) -> None:
        """Reads the log and computes everything off the event loop, then draws it."""
        if self.files.store is None:
            return
        try:
            self.learned, found = await off_loop(self._counted, self.files.store, self.files.clock().day)
        except ProgressError as error:
            self.failure = error
        else:
            self.told = found
            if found.statistics.activity.reviews and self.stands:
                replace_children(self.query_one("#figures", FlowContainer), [Figure(self._pen, name, found) for name in FIGURES])
        self.speak()

    def _counted(self, store: Progress, today: int) -> tuple[LearningLog, StatsView]:
        log = read_log(store)
        return log, stats_view(log, self.files.studied(), today, DAYS)

    def _pen(self) -> Pen:
        words = self.app.words
        return Pen(style_of_app(self.app), words)

    def speak(self) -> None:
        """Writes every word in the language of the interface."""
        if not self.stands:
            return
        words, found = self.app.words, self.told
        begun = found is not None and found.statistics.activity.reviews > 0
        note = (
            error_sentence(self.failure, words)
            if self.failure
            else words("stats.loading")
            if found is None
            else ""
            if begun
            else words("stats.empty")
        )
        span = words("stats.span", count=found.statistics.days) if found and begun else ""
        self.query_one("#title", Static).update(Content.assemble((words("stats.title"), "bold"), (f"   {span}", "$quiet")))
        self.query_one("#note", Static).update(Content(note))
        self.query_one("#note").display = bool(note)
        for figure in self.query(Figure):
            figure.redraw()
        self.offer()

    def offer(self) -> None:
        """Says how much there is below; how far one has scrolled decides."""
        if self.stands:
            view = self.query_one("#stats", VerticalScroll)
            below = max(round(view.max_scroll_y - view.scroll_offset.y), 0)
            row = actions.at_the_statistics(self.app.words, again="".join(self._again()), below=below)
            self.query_one("#keys", ActionRow).offer(row)

    def _again(self) -> dict[str, Item]:
        """The cards to look at again, by their letters."""
        return {letter: self.told.items[card.key] for letter, card in pick_letters(self.told).items()} if self.told else {}

    def does_nothing(self, binding: str) -> bool:
        name, _, letter = binding.rpartition(".")
        return letter not in self._again() if name == "stats.pick" else binding == "stats.practice" and not self._again()

    async def action_pick(self, letter: str) -> None:
        if letter in self._again():
            await self._practise([self._again()[letter]])

    async def action_practice(self) -> None:
        await self._practise(list(self._again().values()))

    async def _practise(self, items: Sequence[Item]) -> None:
        if items:
            weak = self.told.statistics.weak if self.told else ()
            errors = {card.key: card.confident_error for card in weak if card.confident_error is not None}
            clock, learned = self.files.clock, self.learned
            session = begin_session(tuple(items), clock().day)
            study = Study(session, None, clock, dict(learned.memories), errors, learned.parameters, notes=self.files.store)
            study.start_clock()
            self.ask(Practise(study))

    @on(Figure.Clicked)
    async def clicked(self, event: Figure.Clicked) -> None:
        """A click on a card to look at again practises it."""
        if event.name == "again" and 1 <= event.row <= len(PICKS):
            await self.action_pick(PICKS[event.row - 1])

    def action_scroll(self, by: int) -> None:
        self.query_one("#stats", VerticalScroll).scroll_relative(y=by, animate=False)

    def action_page(self, where: str) -> None:
        view = self.query_one("#stats", VerticalScroll)
        moves = {"up": view.scroll_page_up, "down": view.scroll_page_down, "first": view.scroll_home, "last": view.scroll_end}
        moves[where](animate=False)

    async def action_leave(self) -> None:
        self.ask(GoHome())
