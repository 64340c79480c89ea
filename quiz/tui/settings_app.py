"""An application that goes by a person's settings, and remembers what is changed while it runs: in two languages and two themes."""

from __future__ import annotations

import time
from concurrent.futures import Future
from dataclasses import replace

from textual.app import App
from textual.reactive import reactive
from textual.worker import WorkType

from content.yaml.clean import clean
from quiz.settings.chosen import settings
from quiz.settings.options import Value
from quiz.tui.settings_writer import SettingsWriter
from quiz.tui.themes import DARK, LIGHT, THEMES
from quiz.words.i18n import Words

SENTENCE, WARNING = 4.0, 10.0  # seconds that it stands


class SettingsApp(App[None]):
    """`chosen` are the settings as they count in this run."""

    language: reactive[str] = reactive("en", init=False)
    ascii_only = False
    _warned_until = 0.0

    def __init__(self, language: str) -> None:
        super().__init__()
        self.chosen = settings()
        self.set_reactive(SettingsApp.language, Words.of(language).language)
        for theme in THEMES.values():
            self.register_theme(theme)
        self.theme = THEMES[self.chosen.theme].name
        self.ascii_only = self.chosen.ascii
        self._moves = self.animation_level  # as TEXTUAL_ANIMATIONS wishes
        self.animation_level = self._moves if self.chosen.motion else "none"
        self._writer = SettingsWriter()

    @property
    def words(self) -> Words:
        """The interface's strings in the language of this moment."""
        return Words(self.language)

    @property
    def motion(self) -> bool:
        """Whether anything may move by itself."""
        return self.animation_level != "none"

    def choose(self, name: str, value: Value, *, binding: bool = False) -> None:
        """A setting as a person wants it from now on: it counts at once, and is written for the next start. None is the default."""
        if binding:
            keys = {id: on for id, on in self.chosen.keys.items() if id != name}
            self.chosen = replace(self.chosen, keys=keys if value is None else {**keys, name: str(value)})
        else:
            self.chosen = self.chosen.with_value(name, value)
            self._go_by(name)
        written = self._writer.write(name, value, binding=binding)

        async def remembered() -> None:
            await self._remembered(written)

        work: WorkType[None] = remembered
        self.run_worker(work, group="settings")  # no coroutine yet: an app that ends may never begin it

    def _go_by(self, name: str) -> None:
        """What a setting changes on the screen."""
        match name:
            case "language":
                self.language = Words.of(self.chosen.language).language
            case "theme":
                self.theme = THEMES[self.chosen.theme].name
            case "motion":
                self.animation_level = self._moves if self.chosen.motion else "none"
            case "ascii":
                self.ascii_only = self.chosen.ascii
                self.refresh_css(animate=False)  # every figure is drawn anew, as with another theme
                self.screen.refresh(repaint=True, layout=True)

    async def _remembered(self, written: Future[None]) -> None:
        if problem := await self._writer.problem(written, self.words):
            self.warn(problem)

    def on_unmount(self) -> None:
        self._writer.close()

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our colours under any theme that the palette offers."""
        return (DARK if self.current_theme.dark else LIGHT).variables

    def tell(self, sentence: str) -> None:
        """The last sentence only: a pile of them would hide the card and its keys."""
        if time.monotonic() >= self._warned_until:
            self.clear_notifications()
        self.notify(clean(sentence), markup=False, timeout=SENTENCE)

    def warn(self, sentence: str) -> None:
        self._warned_until = time.monotonic() + WARNING
        self.notify(clean(sentence), severity="warning", markup=False, timeout=WARNING)

    def action_speak(self) -> None:
        self.choose("language", self.words.other.language)

    def action_shade(self) -> None:
        self.choose("theme", "light" if self.current_theme.dark else "dark")
