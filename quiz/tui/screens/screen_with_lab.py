"""What every screen with a lab can do: show a run's progress, put the sliders back, show the code, stop."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.await_remove import AwaitRemove
from textual.binding import BindingType
from textual.message import Message
from textual.screen import Screen

from content.yaml.clean import clean
from engine import Description, Label, Progress, Result
from quiz.tui.bindings import bind
from quiz.tui.screens.source import SourceScreen
from quiz.tui.widgets.lab import Lab

if TYPE_CHECKING:
    from quiz.tui.app import QkvApp


class ScreenWithLab(Screen[None]):
    """Subclasses compose a Lab and say which experiment it shows."""

    app: QkvApp
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("r", "reset", "session.reset"),
        bind("s", "source", "session.source"),
        bind("escape", "cancel", "session.cancel"),
    ]

    class Progressed(Message):
        """A long run says how far it is. Posted from the engine's thread, which must not touch a widget."""

        def __init__(self, progress: Progress) -> None:
            super().__init__()
            self.progress = progress

    def __init__(self) -> None:
        super().__init__()
        self._leaving = False

    @property
    def stands(self) -> bool:
        """Whether there are widgets to draw on, and will be: an app that exits and a screen that is left take them away one by one."""
        return self.is_attached and not self._leaving

    def remove(self) -> AwaitRemove:
        """Stops the workers first: Textual would stop them last, and one that wakes up in between finds its widgets gone."""
        self._leaving = True
        self.workers.cancel_node(self)
        return super().remove()

    @property
    def experiment(self) -> Description | None:
        """The experiment in the lab, once it may be seen."""
        raise NotImplementedError

    def say(self, key: str, /, **values: object) -> str:
        return self.app.words(key, **values)

    def label(self, label: Label) -> str:
        return clean(self.app.words.label(label))

    def report(self, progress: Progress) -> None:
        self.post_message(self.Progressed(progress))

    @on(Progressed)
    async def progressed(self, event: Progressed) -> None:
        lab = self.query_one(Lab)
        if event.progress.result != Result():
            await lab.show(event.progress.result)
        lab.busy(event.progress.fraction)

    def action_reset(self) -> None:
        self.query_one(Lab).action_reset()

    async def action_source(self) -> None:
        """Shows the functions that computed the figures."""
        if self.experiment:
            await self.app.push_screen(SourceScreen(self.experiment.sources, self.app.words))

    def action_cancel(self) -> None:
        self.app.engine.cancel()
