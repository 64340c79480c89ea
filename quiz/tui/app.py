"""The Textual application: it reads the decks, opens the progress, starts the engine, and shows one screen at a time."""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import BindingType
from textual.screen import Screen
from textual.widgets import Input

from content.yaml.clean import clean
from quiz.card.settings_sentences import fault_sentences
from quiz.exit_codes import USAGE
from quiz.memory.study_day import Moment
from quiz.settings.chosen import faults
from quiz.settings.file import settings_path
from quiz.settings.options import Value
from quiz.tui import requests as ask
from quiz.tui import routes
from quiz.tui.base import BaseApp, BaseScreen
from quiz.tui.bindings import bind
from quiz.tui.lab_engine import LabEngine
from quiz.tui.learner_files import LearnerFiles
from quiz.tui.off_loop import off_loop
from quiz.tui.requests import Start
from quiz.tui.screens.home import HomeScreen
from quiz.tui.widgets.action_row import ActionLabel, ActionRow

if TYPE_CHECKING:
    from engine import Worker
    from quiz.progress.errors import ProgressError
    from quiz.study.study import Clock


AGAIN = 5.0  # seconds within which ctrl+c is the answer to its own question


class QkvApp(BaseApp):
    """Blocking work (decks, store, engine) happens off the event loop; torch lives in the engine's process.

    The first screen comes before everything else: what it does not show is imported, read and started once it is there.
    """

    TITLE = "qkv"
    _interrupted = -math.inf  # when ctrl+c was typed last
    CSS_PATH = "app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("l", "speak", "app.language"),
        bind("question_mark", "help", "app.help"),
        bind("ctrl+t", "shade", "app.theme"),
        bind("ctrl+p", "command_palette", "app.palette", priority=True),
        bind("ctrl+z", "suspend_process", "app.suspend"),
        bind("ctrl+c", "interrupt", "app.interrupt", priority=True),
    ]

    def __init__(self, start: Start, worker: Worker | None = None, clock: Clock = Moment.now) -> None:
        super().__init__(start.language)
        self.asked = start
        self.engine = LabEngine(worker)
        self.files = LearnerFiles(start.read, clock)

    def get_default_screen(self) -> Screen[None]:
        """The screen below all others. Textual would put an empty one there first, and draw it."""
        return HomeScreen(self.files, self.engine, begins=self.asked.session)

    def on_mount(self) -> None:
        self.leave_on("SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGXCPU")
        self.call_after_refresh(self.begin)

    def begin(self) -> None:
        """What comes after the first screen."""
        self.engine.start()
        if wrong := fault_sentences(faults(), settings_path(), self.words, self.chosen):
            self.warn("\n".join(wrong))
        self.run_worker(self._read(), exclusive=True, group="read")

    def on_unmount(self) -> None:
        self.engine.close()
        self.files.close(self.words)

    async def _read(self) -> None:
        """Reads the decks and opens the store; then the session that was asked for begins, and home shows them."""
        await asyncio.to_thread(self.files.reread)
        if self.asked.session and not self.files.decks:
            self.exit(return_code=USAGE)  # what was asked for cannot be read: `leave` says why
            return
        if self.asked.session and (problems := self.files.problems(self.words)):
            self.warn(problems)
        opened = await asyncio.to_thread(self.files.open, lambda error: self.call_from_thread(self._waits, error))
        if opened.failure:
            self.warn(self.files.in_memory(opened.failure, self.words))
        if self.asked.session:
            await self._begin(ask.BeginSession(self.files.decks, self.asked.practice))
        if isinstance(home := self.screen_stack[0], HomeScreen):
            await home.ready()
        self.run_worker(self._back_up(), group="backup")
        await asyncio.to_thread(routes.load)
        if self.chosen.keys:
            self.take_keys()

    def take_keys(self) -> None:
        """The keys that a person gave to bindings, as far as they can be given, and why the others cannot."""
        from quiz.tui import keymap

        found, wrong = keymap.sound(dict(self.chosen.keys))
        self.set_keymap({id: ",".join(keys) for id, keys in found.items()})
        for screen in self.screen_stack:
            for row in screen.query(ActionRow):
                row.renew()
        if wrong:
            self.warn("\n".join(fault_sentences(wrong, settings_path(), self.words, self.chosen)))

    def choose(self, name: str, value: Value, *, binding: bool = False) -> None:
        super().choose(name, value, binding=binding)
        if binding:
            self.take_keys()

    async def _back_up(self) -> None:
        """After the first screen, beside everything else."""
        from quiz.progress.errors import ProgressError

        try:
            await off_loop(self.files.back_up)
        except ProgressError as error:
            self.warn(self.files.backup_failed(error, self.words))

    def _waits(self, error: ProgressError | None) -> None:
        (self.warn if error else self.tell)(self.files.waits(error, self.words))

    @on(BaseScreen.Asked)
    async def answer(self, asked: BaseScreen.Asked) -> None:
        """Does what the screen on top asks for; of two requests typed at once the first takes the screen of the second away.

        While the program ends there is no screen at all.
        """
        if asked.screen not in self.screen_stack[-1:]:
            return
        match asked.request:
            case ask.BeginSession():
                await self._begin(asked.request)
            case ask.Practise(study):
                await self.push_screen(routes.session(study, self.engine, self.files))
            case ask.LookAt():
                await self.push_screen(routes.follow_up(asked.request, self.engine, self.files), asked.screen.came_back)
            case ask.ResumeSession(study):
                await self.switch_screen(routes.session(study, self.engine, self.files))
            case ask.FinishSession(study) if study.session.steps:
                await self.switch_screen(routes.summary(study))
            case ask.GoHome() | ask.GoBack() | ask.FinishSession():
                await self._go_back()
            case ask.Show(name):
                await asyncio.to_thread(routes.load)  # the settings list the keys of all of them
                asked.screen.look_away()
                await self.push_screen(routes.SCREENS[name](self.engine, self.files))
            case ask.OpenLab(name):
                await self._open_lab(asked.screen, name)
            case ask.NotSaved(error):
                self.warn(self.files.not_saved(error, self.words))

    async def _open_lab(self, below: BaseScreen, experiment: str) -> None:
        from quiz.tui.screens.lab import LabScreen

        if isinstance(below, LabScreen):
            below.open(experiment)
        else:
            below.look_away()
            await self.push_screen(LabScreen(self.engine, experiment))

    async def _begin(self, asked: ask.BeginSession) -> None:
        """Begins a session, if there is anything to ask."""
        from quiz.progress.errors import ProgressError

        try:
            study = await off_loop(self.files.begin, asked, self.asked.wanted)
            why = "" if study else await off_loop(self.files.nothing_to_ask, asked, self.asked.wanted, self.words)
        except ProgressError as error:
            self.warn(self.files.not_saved(error, self.words))
            return
        if study:
            await asyncio.to_thread(routes.load, "session")
            await self.push_screen(routes.session(study, self.engine, self.files))
        else:
            self.tell(why)

    async def _go_back(self) -> None:
        """The screen on top is left: home counts anew, another screen goes on where it was."""
        await self.pop_screen()
        if isinstance(self.screen, HomeScreen):
            await self.screen.fill()
        elif isinstance(self.screen, BaseScreen):
            self.screen.came_back(None)

    @property
    def in_a_session(self) -> bool:
        """Whether a session lies somewhere below: its cards are not asked in a second one."""
        return any(isinstance(screen, BaseScreen) and screen.is_session for screen in self.screen_stack)

    def action_command_palette(self) -> None:
        """Loaded now: nobody waits for it at the start."""
        from quiz.tui.palette_providers import open_palette

        if self.use_command_palette and not self.screen.has_class("--textual-command-palette"):
            self.push_screen(open_palette(self))

    def action_interrupt(self) -> None:
        """Copies what is selected; else asks, as a habit must not end a session: typed once more it leaves."""
        focused = self.focused
        text = focused.selected_text if isinstance(focused, Input) else self.screen.get_selected_text()
        if text:
            self.copy_to_clipboard("\n".join(map(clean, text.split("\n"))))
            self.screen.clear_selection()
            self.tell(self.words("copy.done.selection"))
        elif self.typed - self._interrupted <= AGAIN:
            self.exit()
        else:
            self._interrupted = self.typed
            self.tell(self.words("app.interrupt.again"))

    @on(ActionLabel.Pressed)
    async def pressed(self, event: ActionLabel.Pressed) -> None:
        """A click on an action does what its key does."""
        await self.run_action(event.run, self.screen)

    async def action_help(self) -> None:
        if screen := routes.keys(self.screen):
            await self.push_screen(screen)
