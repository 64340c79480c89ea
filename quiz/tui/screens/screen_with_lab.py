"""What every screen with a lab can do: show a run's progress, put the sliders back, show the code, stop."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual import on
from textual.binding import BindingType
from textual.events import Key
from textual.message import Message

from content.yaml.clean import clean
from engine import Description, Progress, Recipe, Result, Value
from quiz.card.hero import Trial, said
from quiz.charts.as_text import figure_text
from quiz.charts.style import ASCII
from quiz.tui import lab_actions
from quiz.tui.base import BaseScreen
from quiz.tui.bindings import bind, offered
from quiz.tui.lab_engine import LabEngine
from quiz.tui.screens.copy_menu import Copyable, offer_copies
from quiz.tui.widgets.action_row import ActionRow
from quiz.tui.widgets.lab import Lab
from quiz.tui.widgets.lab_figures import NUMBERS_KEY

TRIES = "wxz"  # keys that no letter of a card, no grade and no other command has; with shift one guesses first
STOP = bind("escape", "cancel", "session.cancel")  # of the screens that Esc does not leave


def as_art(latex: str) -> Sequence[str]:
    """A formula in rows. What draws it is loaded for the first one."""
    from content.text.formula import display

    return display(latex)


class ScreenWithLab(BaseScreen):
    """Subclasses compose a Lab and say which experiment it shows."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("r", "reset", "session.reset"),
        bind("s", "source", "session.source"),
        bind("y", "copy", "copy.copy"),
        bind(NUMBERS_KEY, "numbers", "lab.numbers"),
        bind("full_stop", "sweep", "lab.sweep"),
        bind("m", "hold_on", "lab.ghost"),
        *(bind(key, f"try_out({place})", f"lab.try.{place + 1}") for place, key in enumerate(TRIES)),
        *(bind(key.upper(), f"expect({place})", f"lab.expect.{place + 1}") for place, key in enumerate(TRIES)),
        bind("greater_than_sign", "expect_sweep", "lab.expect.sweep"),
    ]

    class Progressed(Message):
        """A long run says how far it is. Posted from the engine's thread, which must not touch a widget."""

        def __init__(self, run: object, progress: Progress) -> None:
            super().__init__()
            self.run = run
            self.progress = progress

    def __init__(self, engine: LabEngine) -> None:
        super().__init__()
        self.engine = engine
        self._run: object = None  # the one that is awaited

    @property
    def experiment(self) -> Description | None:
        """The experiment in the lab, once it may be seen."""
        raise NotImplementedError

    async def measure(self, experiment: str | Recipe, values: Mapping[str, Value]) -> Result:
        """A run; a newer one takes its place. Raises ExperimentError."""
        run = self._run = object()

        def report(progress: Progress) -> None:
            self.post_message(self.Progressed(run, progress))

        try:
            return await self.engine.compute(experiment, values, report)
        finally:
            if self._run is run:
                self._run = None

    @on(Progressed)
    def progressed(self, event: Progressed) -> None:
        """What a run says that is over, or is not wanted any more, comes too late."""
        if event.run is not self._run or not self.stands:
            return
        lab = self.query_one(Lab)
        if event.progress.result != Result():
            lab.show(event.progress.result)
        lab.busy(event.progress.fraction)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Before the experiment may be seen its keys are text: a number may be typed."""
        if action in ("try_out", "sweep", "hold_on", "expect", "expect_sweep") and self.experiment is None:
            return False
        return super().check_action(action, parameters)

    def does_nothing(self, binding: str) -> bool:
        name, _, place = binding.rpartition(".")
        if binding in ("lab.sweep", "lab.ghost", "lab.expect.sweep"):
            return self.experiment is None
        if name in ("lab.try", "lab.expect"):
            return len(self.trials) < int(place)
        return binding == "session.cancel" and self._run is None

    def action_reset(self) -> None:
        self.query_one(Lab).action_reset()

    @property
    def trials(self) -> Sequence[Trial]:
        """The settings that are worth trying, once the experiment may be seen."""
        raise NotImplementedError

    def offer_trials(self) -> None:
        """A row of them above the other keys, where there are some."""
        found = [] if self.expecting else [clean(said(trial.name, self.app.words)) for trial in self.trials[: len(TRIES)]]
        ids = [*(f"lab.expect.{place}" for place, _ in enumerate(found, start=1)), "lab.expect.sweep"]
        keys = " ".join(offered(self, id).key for id in ids)
        row = self.query_one("#tries", ActionRow)
        row.display = bool(found)
        row.offer(lab_actions.trying(self.app.words, found, keys), self.say("try.prompt") if found else "")

    def action_try_out(self, place: int) -> None:
        """The sliders go where there is something to see."""
        if place < len(self.trials):
            self.query_one(Lab).try_out(self.trials[place].values)

    @property
    def asked_first(self) -> Sequence[str]:
        """The numbers that the screen itself is about."""
        return ()

    def action_expect(self, place: int) -> None:
        """The same, once one has said what will be seen there."""
        if place < len(self.trials):
            trial = self.trials[place]
            self.face_lab()
            self.query_one(Lab).expect(trial.name, trial.values, (*self.asked_first, *trial.spoken))

    def action_expect_sweep(self) -> None:
        """The sweep, once one has said where it will end."""
        if self.experiment:
            self.face_lab()
            self.query_one(Lab).expect_sweep(self.asked_first)

    def face_lab(self) -> None:
        """Shows the lab where it is not seen."""
        raise NotImplementedError

    @property
    def expecting(self) -> bool:
        """Whether the keys are those of a number that is expected in the lab."""
        lab = self.query_one(Lab)
        return lab.asks and self.focused is not None and self.focused is lab.asking.input

    def on_key(self, event: Key) -> None:
        """What was typed for the number before its input had the focus."""
        field = self.query_one(Lab).asking.input if self.stands else None
        if field and self.expecting and field.check_consume_key(event.key, event.character) and event.character:
            event.stop()
            event.prevent_default()
            field.insert_text_at_cursor(event.character)

    def offer(self) -> None:
        """Shows what can be done now."""
        raise NotImplementedError

    @on(Lab.Expects)
    def expects(self, event: Lab.Expects) -> None:
        event.stop()
        if self.stands:
            self.draw_expecting()

    def draw_expecting(self) -> None:
        """A number is asked for in the lab, or not any more."""
        self.offer_trials()
        self.offer()

    def on_descendant_focus(self) -> None:
        """An input was entered, or left: other keys count."""
        if self.stands:
            self.offer()

    def on_descendant_blur(self) -> None:
        self.on_descendant_focus()

    def action_hold_on(self) -> None:
        if self.experiment:
            lab = self.query_one(Lab)
            lab.action_pin()
            self.app.tell(self.say("lab.kept" if lab.pinned else "lab.let_go"))  # the lab's head may be out of view
            self.offer()

    def action_sweep(self) -> None:
        if self.experiment:
            self.query_one(Lab).action_sweep()

    def action_numbers(self) -> None:
        if self.experiment:
            self.query_one(Lab).action_numbers()

    async def action_source(self) -> None:
        """Shows the functions that computed the figures."""
        from quiz.tui.screens.source import SourceScreen

        if self.experiment and self.is_active:
            await self.app.push_screen(SourceScreen(self.experiment.sources))

    def copyables(self) -> list[Copyable]:
        """What `y` offers: the figure that has the focus, or the hero, and the program behind it."""
        experiment, lab = self.experiment, self.query_one(Lab)
        figure = lab.figure
        if experiment is None or figure is None or lab.description is not experiment:
            return []
        values, words, ascii_only = dict(lab.values), self.app.words, lab.pen().look.glyphs is ASCII

        async def text() -> str:
            return figure_text(experiment, values, figure.whole, words, as_art, ascii_only=ascii_only)

        async def program() -> str:
            from engine.snippet import snippet

            return await asyncio.to_thread(snippet, experiment, values, figure.subject.figure.shows)

        has_source = bool(experiment.sources and experiment.sources[0].file)  # a deck's own computation is no torch
        return [Copyable("figure", text), *([Copyable("snippet", program)] if has_source else [])]

    async def action_copy(self) -> None:
        if self.is_active:
            await offer_copies(self.app, self.copyables())

    def action_cancel(self) -> None:
        self.engine.cancel()
