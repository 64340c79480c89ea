"""The lab: a run whose sliders can be sent somewhere, after one has said what will be seen there, and held against another."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from textual import on
from textual.message import Message
from textual.widget import Widget

from content.deck.cards import Text
from engine.experiment import Description
from engine.figures import Figure
from engine.label import Label
from engine.parameter import Value
from engine.result import Result
from quiz.card.expectation import Expectation, moves, number_to_guess
from quiz.charts.figures.subject import Guess as Mark
from quiz.charts.slider import written
from quiz.charts.style import Pen
from quiz.tui.base import BaseApp
from quiz.tui.widgets.guess import Guess
from quiz.tui.widgets.lab_guess import LabGuess, LabGuessInput
from quiz.tui.widgets.run_view import RunView
from quiz.tui.widgets.slider import Changed as Moved
from quiz.tui.widgets.slider import Slider
from quiz.tui.widgets.sweep import Sweep


class Lab(RunView):
    """`expected` is what somebody was asked to say before the sliders move; whatever else moves them ends it."""

    class Expects(Message):
        """A number is asked for, was given, or is not wanted any more: other keys count."""

    expected: Expectation | None = None
    sweep: Sweep | None = None
    _is_uncovered = False  # a moment ago; its place on the page is still to come
    _before: Widget | None = None  # what had the focus when a number was asked for
    _predicted: Mark | None = None  # on the card

    @property
    def pinned(self) -> Result | None:
        """The run that the others are held against."""
        return self.figures.shown.pinned

    @property
    def asks(self) -> bool:
        """Whether a number is asked for that was not given yet."""
        return self.expected is not None and not self.expected.is_given

    def describe(self, description: Description | None, values: Mapping[str, Value], matter: Collection[str] = ()) -> None:
        self._predicted = None
        self._stop()
        super().describe(description, values, matter)

    def show(self, result: Result) -> None:
        """What a run measured: what was covered for it is seen now, and how far off the guess was."""
        super().show(result)
        if self.expected and self.expected.is_given:
            self._is_uncovered = self._is_uncovered or self.figures.shown.cover is not None
            self.figures.change(cover=None)
            self._draw_expected()

    def watch_virtual_size(self) -> None:
        if self._is_uncovered:
            self.call_after_refresh(self._see_hero)

    def _see_hero(self) -> None:
        """However many sliders are above them, the page begins with how far off the guess was; it ends with the picture's last line."""
        if (hero := self.figures.figure) and self.asking.size.height:
            self._is_uncovered = False
            above = self.region.y - self.scroll_offset.y
            self.scroll_to(y=max(self.asking.region.y - above, hero.region.bottom - above - self.size.height), animate=False)

    def fail(self, sentence: str) -> None:
        self._expect(None)
        super().fail(sentence)

    def lead(self, figure: Figure | None, guess: Mark | None = None) -> None:
        """The figure that a card is about comes first, with the card's sentence, and what was predicted is marked in it."""
        self._predicted = guess
        self.figures.change(lead=figure, guess=self._mark)

    def take_focus(self) -> None:
        if self.asks and self.asking.input:
            self.screen.set_focus(self.asking.input)
        else:
            super().take_focus()

    def try_out(self, values: Mapping[str, Value]) -> None:
        """The sliders go where there is something to see."""
        self._stop()
        self.go_to(values)

    def expect(self, name: Text | Label, values: Mapping[str, Value], spoken: Sequence[str], *, sweeps: bool = False) -> None:
        """Before the sliders go to `values` somebody may say what will be seen there; where there is nothing to say they go at once."""
        target = {**self.values, **values}
        parameters = self.description.parameters if self.description else ()
        now = number_to_guess(self.result, self.figures.shown.marked, spoken, self.description.fixed if self.description else ())
        if now is None or target == self.values:
            self.try_out(values)
            return
        self._before = self._before or self.screen.focused
        self._stop_sweep()
        self._expect(Expectation(name, target, now, sweeps, moves(parameters, self.values, target)))
        self.take_focus()

    def expect_sweep(self, spoken: Sequence[str]) -> None:
        """What will be seen where the slider's way ends."""
        if slider := self._to_sweep:
            parameter = slider.parameter
            end = parameter.value_at(parameter.ticks)
            at = written(parameter, end, self.pen().look)
            name = Label(f"{parameter.label.en} → {at}", f"{parameter.label.zh} → {at}")
            self.expect(name, {parameter.name: end}, spoken, sweeps=True)

    @on(LabGuess.Typed)
    def typed(self, event: LabGuess.Typed) -> None:
        """The mark moves in the covered picture."""
        event.stop()
        self.figures.change(guess=self._mark)
        self.scroll_to_widget(self.asking, top=True, animate=False)  # however many sliders are above it, the picture is to be seen below

    @on(Guess.Given)
    def given(self, event: Guess.Given) -> None:
        """With a number or without one the sliders go; the picture stays covered until there is another run."""
        event.stop()
        if (expected := self.expected) is None or expected.is_given:
            return
        self._expect(expected.with_number(event.number) if event.number is not None else None)
        self._focus_again()
        if expected.sweeps and self.app.animation_level != "none":
            self._begin_sweep()
        else:
            self.go_to(expected.values)

    @on(LabGuessInput.Withdrawn)
    def withdrawn(self, event: LabGuessInput.Withdrawn) -> None:
        """Nothing moves."""
        event.stop()
        self._expect(None)
        self._focus_again()

    def _focus_again(self) -> None:
        before, self._before = self._before, None
        if before and before.is_attached and before.focusable:
            self.screen.set_focus(before, scroll_visible=False)
        else:
            self.take_focus()

    def _expect(self, expected: Expectation | None) -> None:
        changed, self.expected = expected != self.expected, expected
        if changed:
            self._draw_expected()
            self.figures.change(cover=expected.values if expected else None, guess=self._mark)
            self.post_message(self.Expects())

    def _draw_expected(self) -> None:
        """The question; once it was answered and there is another run, how far off."""
        seen = self.figures.shown.cover is None
        found = [one.value for one in self.result.quantities if self.expected and one.name == self.expected.now.name]
        self.asking.show(self.expected, found[0] if found and seen else None, self.words)

    @property
    def _mark(self) -> Mark | None:
        """What is marked in the picture: what is expected now, else what was predicted on the card."""
        if self.expected is None:
            return self._predicted
        number = self.asking.number if self.asks else self.expected.number
        return None if number is None else Mark(self.expected.now.name, number)

    def action_pin(self) -> None:
        """Keeps the present run as what the next ones are held against, or lets it go."""
        self.figures.change(pinned=None if self.pinned else self.result)
        self._head.redraw()

    def aside(self, pen: Pen) -> str:
        return super().aside(pen) or (pen.words("lab.ghost") if self.pinned else "")

    @property
    def _to_sweep(self) -> Slider | None:
        """The slider that has the focus, or had it."""
        controls = self.sliders.controls
        slider = self._left if self._left in controls else next(iter(controls), None)
        return slider if isinstance(slider, Slider) else None

    def action_sweep(self) -> None:
        """A slider from end to end; again stops it."""
        if self.sweep:
            self._stop_sweep()
            return
        self._stop()
        if self.app.animation_level != "none":
            self._begin_sweep()

    def _begin_sweep(self) -> None:
        if slider := self._to_sweep:
            name = slider.parameter.name
            self.sweep = Sweep(slider, lambda value: self.go_to({name: value}), self._last_key, self._stop_sweep)

    def _stop_sweep(self) -> None:
        if self.sweep:
            self.sweep.stop()
            self.sweep = None

    def _last_key(self) -> float:
        return self.app.last_key if isinstance(self.app, BaseApp) else 0.0

    def _stop(self) -> None:
        """Nothing moves by itself, and nothing is expected."""
        self._stop_sweep()
        self._expect(None)

    def action_reset(self) -> None:
        self._stop()
        super().action_reset()

    @on(Moved)
    def end_expectation(self, event: Moved) -> None:
        """Somebody moved a slider elsewhere."""
        self._stop()

    def watch_words(self) -> None:
        super().watch_words()
        self._draw_expected()
