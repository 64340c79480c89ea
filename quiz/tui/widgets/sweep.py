"""A slider that goes from end to end by itself, until somebody presses a key."""

from __future__ import annotations

from collections.abc import Callable

from engine.parameter import Value
from quiz.tui.widgets.slider import Slider

SECONDS, STEPS = 2.0, 24  # from end to end, in so many steps: a repaint each, fewer than 20 a second


class Sweep:
    """`go_to` takes the slider's next value; `last_key` is the moment of the last key: another one ends it, and `end` is told."""

    def __init__(self, slider: Slider, go_to: Callable[[Value], None], last_key: Callable[[], float], end: Callable[[], None]) -> None:
        ticks = slider.parameter.ticks
        steps = min(ticks, STEPS)
        self.slider = slider
        self._values = iter([slider.parameter.value_at(round(ticks * step / steps)) for step in range(steps + 1)])
        self._go_to, self._last_key, self._since, self._end = go_to, last_key, last_key(), end
        self._timer = slider.set_interval(SECONDS / STEPS, self.step)

    def step(self) -> None:
        """One value further: a run that is not done when the next begins is not waited for."""
        value = next(self._values, None)
        if value is None or self._last_key() != self._since or not self.slider.is_attached:
            self._end()
        else:
            self._go_to(value)

    def stop(self) -> None:
        self._timer.stop()
