"""The Textual application: it reads the decks, opens the progress, starts the engine, and shows one screen at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from textual import on
from textual.binding import BindingType

from content.deck.library import Library
from engine import Worker
from quiz.card.today import nothing_to_ask
from quiz.memory.study_day import Moment
from quiz.progress.errors import ProgressError
from quiz.study.queue import ANY, Filter
from quiz.study.study import Clock, begin_study
from quiz.tui import requests as ask
from quiz.tui.base import BaseApp, BaseScreen
from quiz.tui.bindings import bind
from quiz.tui.lab_engine import LabEngine
from quiz.tui.learner_files import LearnerFiles
from quiz.tui.screens.help import HelpScreen
from quiz.tui.screens.home import HomeScreen
from quiz.tui.screens.lab import LabScreen
from quiz.tui.screens.session import SessionScreen
from quiz.tui.screens.stats import StatsScreen
from quiz.tui.screens.summary import SummaryScreen
from quiz.tui.widgets.action_row import ActionLabel


@dataclass(frozen=True)
class Start:
    """What the command line asked for: how to read the decks, and the session to begin with, if any."""

    read: Callable[[], Library]
    language: str = ""
    session: bool = False
    practice: bool = False
    wanted: Filter = ANY


class QkvApp(BaseApp):
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

    def __init__(self, start: Start, worker: Worker | None = None, clock: Clock = Moment.now) -> None:
        super().__init__(start.language)
        self.asked = start
        self.engine = LabEngine(worker or Worker())
        self.files = LearnerFiles(start.read, clock)

    async def on_mount(self) -> None:
        self.engine.start()
        self.leave_on("SIGTERM", "SIGHUP")
        await self.open()

    async def open(self) -> None:
        """Puts up the first screen."""
        home = HomeScreen(self.files)
        await self.push_screen(home)
        self.run_worker(self._read(home), exclusive=True, group="read")

    def on_unmount(self) -> None:
        self.engine.close()
        self.files.close()

    async def _read(self, home: HomeScreen) -> None:
        """Reads the decks and opens the store; then home shows them, or the session that was asked for begins."""
        await asyncio.to_thread(self.files.reread)
        opened = await asyncio.to_thread(self.files.open, lambda error: self.call_from_thread(self._waits, error))
        if opened.failure:
            self.warn(self.files.in_memory(opened.failure, self.words))
        await home.ready()
        self.run_worker(self._back_up(), group="backup")
        if self.asked.session:
            await self._begin(ask.BeginSession(self.files.decks, self.asked.practice))

    async def _back_up(self) -> None:
        """After the first screen, beside everything else."""
        try:
            await asyncio.to_thread(self.files.back_up)
        except ProgressError as error:
            self.warn(self.files.backup_failed(error, self.words))

    def _waits(self, error: ProgressError | None) -> None:
        (self.warn if error else self.tell)(self.files.waits(error, self.words))

    @on(BaseScreen.Asked)
    async def answer(self, asked: BaseScreen.Asked) -> None:
        """Does what the screen on top asks for; of two requests typed at once the first takes the screen of the second away."""
        if asked.screen is not self.screen:
            return
        match asked.request:
            case ask.BeginSession():
                await self._begin(asked.request)
            case ask.Practise(study):
                await self.push_screen(SessionScreen(study, self.engine, self.files))
            case ask.ResumeSession(study):
                await self.switch_screen(SessionScreen(study, self.engine, self.files))
            case ask.FinishSession(study) if study.session.steps:
                await self.switch_screen(SummaryScreen(study))
            case ask.GoHome() | ask.FinishSession():
                await self._go_home()
            case ask.ShowLab():
                await self.push_screen(LabScreen(self.engine))
            case ask.ShowStatistics():
                await self.push_screen(StatsScreen(self.files))
            case ask.NotSaved(error):
                self.warn(self.files.not_saved(error, self.words))

    async def _begin(self, asked: ask.BeginSession) -> None:
        """Begins a session, if there is anything to ask."""
        wanted = replace(self.asked.wanted, weak=asked.weak or self.asked.wanted.weak)
        decks, files = list(asked.decks), self.files
        assert files.store is not None
        try:
            study = await asyncio.to_thread(begin_study, decks, files.store, files.clock, wanted, practise=asked.practise)
        except ProgressError as error:
            self.warn(self.files.not_saved(error, self.words))
            return
        if study:
            await self.push_screen(SessionScreen(study, self.engine, self.files))
        else:
            self.tell(nothing_to_ask(decks, wanted, self.words, practise=asked.practise))

    async def _go_home(self) -> None:
        while not isinstance(self.screen, HomeScreen):
            await self.pop_screen()
        await self.screen.fill()

    @on(ActionLabel.Pressed)
    async def pressed(self, event: ActionLabel.Pressed) -> None:
        """A click on an action does what its key does."""
        await self.run_action(event.run, self.screen)

    async def action_help(self) -> None:
        if not isinstance(self.screen, HelpScreen):
            await self.push_screen(HelpScreen(self.screen.active_bindings.values()))
