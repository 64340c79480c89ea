"""What every screen with a lab can do: show a run's progress, put the sliders back, show the code, stop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.await_remove import AwaitRemove
from textual.binding import BindingType
from textual.message import Message

from engine import Description, Progress, Result
from quiz.tui.base import BaseScreen
from quiz.tui.bindings import bind
from quiz.tui.lab_engine import LabEngine
from quiz.tui.widgets.lab import Lab


def as_art(latex: str) -> Sequence[str]:
    """A formula in rows. What draws it is loaded for the first one."""
    from content.text.formula import display

    return display(latex)


class ScreenWithLab(BaseScreen):
    """Subclasses compose a Lab and say which experiment it shows."""

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

    def __init__(self, engine: LabEngine) -> None:
        super().__init__()
        self.engine = engine
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
        from quiz.tui.screens.source import SourceScreen

        if self.experiment:
            await self.app.push_screen(SourceScreen(self.experiment.sources))

    def action_cancel(self) -> None:
        self.engine.cancel()
