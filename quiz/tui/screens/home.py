"""The decks: what is due, what is new, and the way into a session."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from content.yaml.clean import clean
from quiz.card.progress_sentences import clock_sentence, error_sentence
from quiz.tui import actions
from quiz.tui.base import BaseScreen
from quiz.tui.bindings import bind
from quiz.tui.learner_files import LearnerFiles
from quiz.tui.off_loop import off_loop
from quiz.tui.requests import BeginSession, Show
from quiz.tui.widgets.action_row import ActionRow
from quiz.words.i18n import Words

if TYPE_CHECKING:  # loaded with the decks: the screen is drawn before
    from content.deck.cards import Deck
    from quiz.card.today import TodaysWork
    from quiz.progress.errors import ProgressError
    from quiz.progress.progress import Progress
    from quiz.study.queue import DeckCounts

ROLES = (("q", "query"), ("k", "key"), ("v", "value"))
BAR = 16  # cells of a deck's progress bar


class HomeScreen(BaseScreen):
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

    def __init__(self, files: LearnerFiles, *, begins: bool = False) -> None:
        super().__init__()
        self.files = files
        self._begins = begins
        self._today: _Counted | None = None
        self._failure: ProgressError | None = None
        self._counting: object = None  # the count that is awaited
        self._early: bool | None = None  # study (False) or practice (True), asked for before the decks were read

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        yield Static(id="today", markup=False)
        yield Static(id="plan", markup=False)
        yield ActionRow(id="weak")
        yield OptionList(id="decks", markup=False, compact=True)
        yield Static(id="note", markup=False)
        yield Static(id="gap", markup=False)
        yield Static(id="intro", markup=False)
        yield ActionRow(id="keys")

    def on_mount(self) -> None:
        self.watch(self.app, "language", self.speak, init=False)
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
            today: _Counted | None = await off_loop(_counted, self.files, self.files.store)
        except ProgressError as error:  # the file is held or fails: what stood here stays, with the reason below it
            today, failure = self._today, error
        if counting is self._counting:
            self._today, self._failure = today, failure
            self.draw()

    def draw(self) -> None:
        """Shows the decks as they were counted."""
        if not self.stands:
            return
        words, today = self.app.words, self._today
        title = Content.assemble(("q", "bold $query"), ("k", "bold $key"), ("v", "bold $value"), "   ", (words("home.tagline"), "$quiet"))
        self.query_one("#title", Static).update(title)
        self.query_one("#intro", Static).update(_intro(words))
        if self._failure:
            self.query_one("#note", Static).update(Content(clean(error_sentence(self._failure, words))))
        if today is None:
            self.query_one("#today", Static).update(Content(words("home.loading")))
            return
        self._fill_decks(today.decks, today.counts)
        self._fill_today(today.work)
        if not self._failure:
            clock = clock_sentence(today.work.misdated, today.work.day, words)
            orphans = words("home.orphans", count=today.work.orphans) if today.work.orphans else ""
            notes = filter(None, (self.files.trouble(words), clock, self.files.problems(words), orphans))
            self.query_one("#note", Static).update(Content("\n".join(map(clean, notes))))
        row = actions.at_home(words, study=bool(today.work.due or today.work.new), practice=bool(today.decks))
        self.query_one("#keys", ActionRow).offer(row)

    def _fill_today(self, held: TodaysWork) -> None:
        """What there is to do, how far the interview is, and the way to the cards in trouble; no line where there is nothing to say."""
        from quiz.card.today import plan_line, tasks_line, trouble_line

        words = self.app.words
        plan, trouble = plan_line(held, words), trouble_line(held, words)
        self.query_one("#today", Static).update(Content(tasks_line(held, words)))
        self.query_one("#plan", Static).update(Content(plan))
        self.query_one("#plan").display = bool(plan)
        weak = self.query_one("#weak", ActionRow)
        weak.display = bool(trouble)
        weak.offer(actions.in_trouble(words) if trouble else [], trouble)

    def _fill_decks(self, decks: list[Deck], tallies: list[DeckCounts]) -> None:
        words, options = self.app.words, self.query_one("#decks", OptionList)
        here = options.highlighted or 0
        rows = [self._row(deck.title.said(words.language), count) for deck, count in zip(decks, tallies, strict=True)]
        if len(decks) > 1:
            rows.insert(0, self._row(words("home.all"), sum(tallies[1:], tallies[0])))
        options.clear_options()
        options.add_options([Option(row) for row in rows])
        options.highlighted = min(here, len(rows) - 1) if rows else None
        options.focus()

    def _row(self, title: str, count: DeckCounts) -> Content:
        words = self.app.words
        seen = round(BAR * count.seen / count.cards) if count.cards else 0
        return Content.assemble(
            (f" {title}", "bold"),
            "\n ",
            ("━" * seen, "$value"),
            ("━" * (BAR - seen), "$rule"),
            (f"  {words('home.cards', count=count.cards)}", "$quiet"),
            (f" · {words('home.due', count=count.due)}", "bold $key" if count.due else "$quiet"),
            (f" · {words('home.new', count=count.new)}", "$query" if count.new else "$quiet"),
            "\n",
        )

    def _chosen(self) -> list[Deck]:
        decks = self._today.decks if self._today else self.files.decks
        here = self.query_one("#decks", OptionList).highlighted or 0
        if len(decks) < 2:
            return decks
        return decks if here == 0 else [decks[here - 1]]

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


class _Counted(NamedTuple):
    """How each deck stands, and what today holds."""

    decks: list[Deck]
    counts: list[DeckCounts]
    work: TodaysWork


def _counted(files: LearnerFiles, store: Progress) -> _Counted:
    """Blocks on the disk; raises ProgressError."""
    from quiz.card.today import todays_work
    from quiz.study.learner import LearnerState
    from quiz.study.queue import count_deck

    learner, now, decks = LearnerState.of(store), files.clock(), files.decks
    return _Counted(decks, [count_deck(deck, learner, now) for deck in decks], todays_work(decks, learner, now))


def _intro(words: Words) -> Content:
    """What the three letters stand for: the way a card goes."""
    rows = [Content.assemble((f" {mark.upper()} ", f"bold ${role}"), (words(f"home.intro.{mark}"), "$quiet")) for mark, role in ROLES]
    return Content("\n").join(rows)
