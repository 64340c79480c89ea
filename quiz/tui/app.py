"""The Textual application: it owns the engine, the decks and the progress, and shows one screen at a time."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

from textual import on
from textual.app import App, SystemCommand
from textual.binding import BindingType
from textual.reactive import reactive
from textual.screen import Screen

from content.deck.cards import Deck
from content.deck.library import Library
from content.yaml.clean import clean
from engine import Description, Progress, Result, Survey, Worker
from quiz.card.today import nothing_to_ask
from quiz.charts.svg import widen_chinese
from quiz.memory.card_ids import earlier_names
from quiz.memory.study_day import Moment
from quiz.progress import backups
from quiz.progress.open import RUINED, Opened, error_sentence, open_for_session, opening_warning, waiting_warning
from quiz.progress.progress import Progress as Store
from quiz.progress.progress import ProgressError
from quiz.study.queue import ANY, Filter
from quiz.study.study import Clock, Study, begin_study
from quiz.tui.bindings import bind, palette_commands
from quiz.tui.screens.help import HelpScreen
from quiz.tui.screens.home import HomeScreen
from quiz.tui.screens.session import SessionScreen
from quiz.tui.screens.summary import SummaryScreen
from quiz.tui.themes import DARK, LIGHT
from quiz.tui.widgets.action_row import ActionLabel
from quiz.words.i18n import Words


@dataclass(frozen=True)
class Start:
    """What the command line asked for: how to read the decks and open the store, and the session to begin with, if any."""

    read: Callable[[], Library]
    language: str = ""
    session: bool = False
    practice: bool = False
    wanted: Filter = ANY


class QkvApp(App[None]):
    """Blocking work (decks, store, engine) happens off the event loop; torch lives in the engine's process."""

    TITLE = "qkv"
    CSS_PATH = "app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("l", "speak", "app.language"),
        bind("question_mark", "help", "app.help"),
        bind("ctrl+t", "shade", "app.theme"),
        bind("ctrl+z", "suspend_process", "app.suspend"),
        bind("ctrl+c", "quit", "app.interrupt", priority=True),
    ]
    language: reactive[str] = reactive("en", init=False)

    def __init__(self, start: Start, engine: Worker | None = None, clock: Clock = Moment.now) -> None:
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]
        self.asked = start
        self.engine = engine or Worker()
        self.clock = clock
        self.library: Library | None = None
        self.store: Store | None = None
        self.opened: Opened | None = None
        self.damage: ProgressError | None = None  # what the check of today's backup found
        self.unsaved = False
        self.loss = ""  # what the last line says where something was not saved
        self.set_reactive(QkvApp.language, Words.of(start.language).language)

        for theme in (DARK, LIGHT):
            self.register_theme(theme)
        self.theme = DARK.name

    @property
    def words(self) -> Words:
        """The interface's strings in the language of this moment."""
        return Words(self.language)

    def get_system_commands(self, screen: Screen[Any]) -> Iterator[SystemCommand]:
        """The command palette: Textual's own commands, and whatever the keys of the screen do."""
        yield from super().get_system_commands(screen)
        yield from palette_commands(self, screen, self.words)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our colours under any theme that the palette offers."""
        return (DARK if self.current_theme.dark else LIGHT).variables

    def export_screenshot(self, *, title: str | None = None, simplify: bool = False) -> str:
        """A picture of the screen in which Chinese keeps its width."""
        return widen_chinese(super().export_screenshot(title=title, simplify=simplify))

    async def on_mount(self) -> None:
        self.engine.start()
        for name in ("SIGTERM", "SIGHUP"):
            self._leave_on(name)
        await self.open()

    async def open(self) -> None:
        """Puts up the first screen."""
        home = HomeScreen()
        await self.push_screen(home)
        self.run_worker(self._read(home), exclusive=True, group="read")

    def on_unmount(self) -> None:
        self.engine.close()
        if self.store:
            self.store.close()
            self.unsaved |= self.opened is not None and self.opened.failure is None and not self.store.keeps

    def _leave_on(self, name: str) -> None:
        """A signal restores the terminal and exits with the code that a shell expects."""
        number = getattr(signal, name, None)
        try:
            if number is not None:
                asyncio.get_running_loop().add_signal_handler(number, lambda: self.exit(return_code=128 + number))
        except (NotImplementedError, ValueError, RuntimeError):
            return  # Windows, or not the main thread

    async def _read(self, home: HomeScreen) -> None:
        """Reads the decks and opens the store; then home shows them, or the session that was asked for begins."""
        await self.reread()
        self.store = await asyncio.to_thread(self._open)
        await home.ready()
        self.run_worker(self._back_up(), group="backup")
        if self.asked.session:
            await self.study(self.decks, practise=self.asked.practice)

    async def _back_up(self) -> None:
        """Today's backup, with which the file is checked from end to end: after the first screen, beside everything else."""
        if self.opened is None or self.opened.failure:
            return
        try:
            await asyncio.to_thread(backups.make_daily, Path(self.opened.store.path), datetime.now())
        except ProgressError as error:
            self.warn_backup(error)

    async def reread(self) -> None:
        """Reads the decks, again when a file was edited."""
        self.library = await asyncio.to_thread(self.asked.read)

    @property
    def decks(self) -> list[Deck]:
        """The decks that could be read."""
        return [loaded.deck for loaded in self.library.decks] if self.library else []

    @property
    def trouble(self) -> str:
        """What is wrong with the progress file for as long as the program runs; empty where all is well."""
        if self.damage:
            return error_sentence(self.damage, self.words)
        return opening_warning(self.opened, self.words) if self.opened else ""

    def _open(self) -> Store:
        self.opened = open_for_session(earlier_names(self.decks), lambda error: self.call_from_thread(self.warn_waiting, error))
        if self.opened.failure:
            self.call_from_thread(self.warn_unsaved)
        return self.opened.store

    # --- what the screens ask for ----------------------------------------------------------------------------------

    async def study(self, decks: list[Deck], *, practise: bool, weak: bool = False) -> None:
        """Begins a session over the decks, or over their weak cards, if there is anything to ask."""
        assert self.store is not None
        wanted = replace(self.asked.wanted, weak=weak or self.asked.wanted.weak)
        try:
            study = await asyncio.to_thread(begin_study, decks, self.store, self.clock, wanted, practise=practise)
        except ProgressError as error:
            self.warn_failed(error)
            return
        if study:
            await self.push_screen(SessionScreen(study))
        else:
            self.tell(nothing_to_ask(decks, wanted, self.words, practise=practise))

    async def resume(self, study: Study) -> None:
        """Goes on with a session: after an undo at its end, or with a card that came back."""
        await self.switch_screen(SessionScreen(study))

    async def finish(self, study: Study) -> None:
        """Leaves a session: to its summary when something was graded, else home."""
        if study.session.steps:
            await self.switch_screen(SummaryScreen(study))
        else:
            await self.go_home()

    async def go_home(self) -> None:
        while not isinstance(self.screen, HomeScreen):
            await self.pop_screen()
        await self.screen.fill()

    async def describe(self, name: str) -> Description:
        """An experiment's description. Raises ExperimentError."""
        return await asyncio.wrap_future(self.engine.describe(name))

    async def survey(self) -> Survey:
        """Every experiment. Raises ExperimentError."""
        return await asyncio.wrap_future(self.engine.survey)

    async def compute(self, name: str, parameters: Mapping[str, object], progress: Callable[[Progress], None]) -> Result:
        """A run; a newer one takes its place. Raises ExperimentError."""
        return await asyncio.wrap_future(self.engine.submit(name, parameters, progress))

    def tell(self, sentence: str) -> None:
        self.notify(clean(sentence), markup=False, timeout=4)

    def warn(self, sentence: str) -> None:
        self.notify(clean(sentence), severity="warning", markup=False, timeout=10)

    def warn_failed(self, error: ProgressError) -> None:
        """Says that something was not saved, and why; the exit code and the last line will say so too."""
        self.unsaved, reason = True, error_sentence(error, self.words)
        self.loss = self.words("store.some_unsaved", reason=reason)
        self.warn(self.words("store.failed", reason=reason))

    def warn_unsaved(self) -> None:
        """Says that the session goes on in memory, and why."""
        assert self.opened is not None
        assert self.opened.failure is not None
        self.unsaved = True
        self.loss = self.words("store.unsaved", reason=error_sentence(self.opened.failure, self.words))
        self.warn(opening_warning(self.opened, self.words))

    def warn_waiting(self, error: ProgressError | None) -> None:
        """Says that grades wait for the file to work again, or that they wait no more."""
        if error:
            self.loss = self.words("store.some_unsaved", reason=error_sentence(error, self.words))
            self.warn(waiting_warning(error, self.words))
        else:
            self.tell(waiting_warning(error, self.words))

    def warn_backup(self, error: ProgressError) -> None:
        """Says that today's backup could not be made; for a damaged file, how to get the newest one back."""
        if error.reason in RUINED:
            self.damage = error
            self.warn(error_sentence(error, self.words))
        else:
            self.warn(self.words("backup.failed", reason=error_sentence(error, self.words)))

    # --- everywhere ------------------------------------------------------------------------------------------------

    def action_speak(self) -> None:
        self.language = self.words.other.language

    def action_shade(self) -> None:
        self.theme = LIGHT.name if self.current_theme.dark else DARK.name

    @on(ActionLabel.Pressed)
    async def pressed(self, event: ActionLabel.Pressed) -> None:
        """A click on an action does what its key does."""
        await self.run_action(event.run, self.screen)

    async def action_help(self) -> None:
        if not isinstance(self.screen, HelpScreen):
            await self.push_screen(HelpScreen(self.screen.active_bindings.values(), self.words))
