"""What to do now, the decks, what was learned and what comes; before the first session a live figure."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from content.yaml.clean import clean
from quiz.card.progress_sentences import error_sentence
from quiz.tui import actions
from quiz.tui.bindings import bind
from quiz.tui.lab_engine import LabEngine
from quiz.tui.learner_files import LearnerFiles
from quiz.tui.off_loop import off_loop
from quiz.tui.requests import BeginSession, Show
from quiz.tui.screens.live_screen import LiveScreen
from quiz.tui.widgets.action_row import ActionRow
from quiz.tui.widgets.children import replace_children
from quiz.tui.widgets.todays_lines import TodaysLines
from quiz.tui.widgets.wordmark import letters, wordmark

if TYPE_CHECKING:  # loaded with the decks: the screen is drawn before
    from content.deck.cards import Deck
    from quiz.card.home_view import HomeView
    from quiz.progress.errors import ProgressError
    from quiz.progress.progress import Progress

TALL, TALL_FOR_ALL = 24, 30  # rows from which the one big key is big, and from which there is room for the three letters
PANEL = 45  # of a hundred cells, the panel beside the list; app.tcss says the same
MARGINS = 7  # cells around the rows of the list, with its scroll bar


class HomeScreen(LiveScreen):
    """A row a deck; the first is all of them together. Until it is ready, `begins` says that a session begins by itself."""

    AUTO_FOCUS = ""  # an empty list would swallow an early enter
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("enter,space", "study", "home.study"),
        bind("p", "practice", "home.practice"),
        bind("w", "weak", "home.weak"),
        bind("b", "browse", "home.browse"),
        bind("e", "experiments", "home.lab"),
        bind("s", "statistics", "home.stats"),
        bind("comma", "settings", "home.settings"),
        bind("j", "cursor(1)", "home.down"),
        bind("k", "cursor(-1)", "home.up"),
        bind("q", "app.quit", "home.quit"),
    ]

    def __init__(self, files: LearnerFiles, engine: LabEngine, *, begins: bool = False) -> None:
        super().__init__(engine)
        self.files = files
        self._begins = begins
        self._today: HomeView | None = None
        self._failure: ProgressError | None = None
        self._counting: object = None  # the count that is awaited
        self._draws = False  # whether what draws the figures is loaded
        self._early: bool | None = None  # study (False) or practice (True), asked for before the decks were read

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        yield TodaysLines()
        with Container(id="body"):
            yield OptionList(id="decks", markup=False, compact=True)
            yield Container(id="panel")
        yield Static(id="intro", markup=False)
        yield Static(id="note", markup=False)
        yield ActionRow(id="keys")

    def on_mount(self) -> None:
        self.watch(self.app, "language", self.speak, init=False)
        self.draw()

    def on_resize(self) -> None:
        self.draw()

    async def speak(self) -> None:
        """The language was switched: at once with what is known, then with the state of the file by now."""
        self.draw()
        await self.fill()

    async def fill(self) -> None:
        """Counts anew what there is to do, and shows it; of two that count at once the one that began last is right."""
        counting = self._counting = object()
        if self.files.library is None or self.files.store is None:
            return
        from quiz.progress.errors import ProgressError

        failure: ProgressError | None = None
        try:
            today: HomeView | None = await off_loop(_counted, self.files, self.files.store)
        except ProgressError as error:  # the file is held or fails: what stood here stays, with the reason below it
            today, failure = self._today, error
        if counting is self._counting:
            self._today, self._failure = today, failure
            if today and today.begun:
                self.frame = None
                self.rest()
            self.draw()
            self.call_after_refresh(self._load_panel)

    @work(exclusive=True, group="panel")
    async def _load_panel(self) -> None:
        """What draws the figures, for which the numbers above them do not wait."""
        if not self._draws:
            await asyncio.to_thread(import_module, "quiz.tui.widgets.home_panel")
            self._draws = True
            self.draw()
        if self._today and not self._today.begun and self.stands:
            self.play()

    def draw(self) -> None:
        """Shows everything as it was counted."""
        if not self.stands:
            return
        words, today = self.app.words, self._today
        height, playing = self.size.height, today is not None and not today.begun
        self.update_classes({"-short": height < TALL, "-tight": height < TALL_FOR_ALL, "-playing": playing})
        self.query_one("#title", Static).update(wordmark(words))
        intro = self.query_one("#intro", Static)
        intro.update(letters(words))
        intro.display = today is None or (not today.begun and self.size.height >= TALL_FOR_ALL)
        if self._failure:
            self.query_one("#note", Static).update(Content(clean(error_sentence(self._failure, words))))
        if today is None:
            self.query_one(TodaysLines).say(words("home.loading"))
            return
        self._fill_decks(today)
        self.query_one(TodaysLines).show(today, self._here, words)
        self._fill_panel(today)
        if not self._failure:
            self.query_one("#note", Static).update(Content(clean(self.files.notes(today.work, words))))
        self.query_one("#keys", ActionRow).offer(actions.at_home(words))

    def _fill_decks(self, today: HomeView) -> None:
        from quiz.charts.style import ASCII, UNICODE
        from quiz.tui.widgets.deck_row import deck_rows

        options, here = self.query_one("#decks", OptionList), self._here
        glyphs = ASCII if getattr(self.app, "ascii_only", False) else UNICODE
        options.clear_options()
        options.add_options([Option(row) for row in deck_rows(today.standings, self._list_width, self.app.words, glyphs)])
        options.highlighted = min(here, len(today.standings) - 1) if today.standings else None
        options.display = bool(today.standings)
        options.focus()

    def _fill_panel(self, today: HomeView) -> None:
        """The figures, once what draws them is loaded."""
        if not self._draws:
            return
        from quiz.tui.widgets.home_panel import HomePanel

        if not self.query(HomePanel):
            replace_children(self.query_one("#panel"), [HomePanel.of(self.app)])
        self.query_one(HomePanel).show(today, self.frame)

    @property
    def _here(self) -> int:
        """The row that is chosen."""
        return self.query_one("#decks", OptionList).highlighted or 0

    @property
    def _list_width(self) -> int:
        """The cells of a row of the list, known before it is laid out."""
        return (self.size.width * (100 - PANEL) // 100 if self.has_class("-wide") else self.size.width) - MARGINS

    def _chosen(self) -> list[Deck]:
        if self._today is None or not self._today.standings:
            return self.files.decks
        return list(self._today.standings[min(self._here, len(self._today.standings) - 1)].decks)

    @on(OptionList.OptionHighlighted)
    def highlighted(self) -> None:
        if self._today:
            self.query_one(TodaysLines).offer(self._today, self._here, self.app.words)

    @on(OptionList.OptionSelected)
    def selected(self) -> None:
        self.action_study()

    def action_study(self) -> None:
        self._begin(practise=False)

    def action_practice(self) -> None:
        self._begin(practise=True)

    def action_weak(self) -> None:
        """The cards in trouble of all decks, due or not."""
        if self.files.store is not None and self.files.decks and not self._begins:
            self.ask(BeginSession(self.files.decks, weak=True))

    def _begin(self, *, practise: bool) -> None:
        if self._begins:
            return
        if self.files.library is None or self.files.store is None:
            self._early = practise
        elif chosen := self._chosen():
            self.ask(BeginSession(chosen, practise))

    async def ready(self) -> None:
        """The decks are read: shows them, and begins what was asked for too early."""
        self._begins = False
        await self.fill()
        if self._early is not None:
            early, self._early = self._early, None
            self._begin(practise=early)

    def does_nothing(self, binding: str) -> bool:
        if binding == "home.weak":
            return not self.query_one("#weak").display
        return binding in ("home.study", "home.practice", "home.down", "home.up") and not (self._today and self._today.decks)

    def action_experiments(self) -> None:
        self.ask(Show("lab"))

    def action_browse(self) -> None:
        if self.files.store is not None and self.files.decks:
            self.ask(Show("browse"))

    def action_statistics(self) -> None:
        if self.files.store is not None:
            self.ask(Show("stats"))

    def action_settings(self) -> None:
        self.ask(Show("settings"))

    def action_cursor(self, by: int) -> None:
        options = self.query_one("#decks", OptionList)
        options.action_cursor_down() if by > 0 else options.action_cursor_up()


def _counted(files: LearnerFiles, store: Progress) -> HomeView:
    """Blocks on the disk; raises ProgressError."""
    from quiz.card.home_view import home_view
    from quiz.study.learner import LearnerState

    return home_view(files.decks, LearnerState.of(store), files.clock())
