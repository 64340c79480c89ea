"""The sliders of a lab, those that matter first: their rails line up, and each says when it was moved."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from textual.containers import Vertical

from engine.experiment import Description
from engine.parameter import Value
from quiz.charts.slider import Columns, columns
from quiz.charts.style import QUIET, Pen, Row
from quiz.charts.text import paragraph
from quiz.tui.widgets.children import replace_children
from quiz.tui.widgets.figure import Block, Pens
from quiz.tui.widgets.slider import Slider, TextField, control


class LabSliders(Vertical):
    """One for each parameter of an experiment."""

    DEFAULT_CSS = "LabSliders { height: auto; }"

    def __init__(self, pens: Pens, *, id: str) -> None:
        super().__init__(id=id)
        self._pens = pens
        self._description: Description | None = None
        self.controls: list[Slider | TextField] = []
        self._measured: tuple[tuple[object, ...], Columns] | None = None  # every slider asks for all their widths whenever it is drawn

    def describe(self, description: Description | None, values: Mapping[str, Value], matter: Collection[str]) -> None:
        """The sliders of another experiment at these values, in their order; a heading parts those that do not matter."""
        self._description = description
        known = {parameter.name: parameter for parameter in (description.parameters if description else ())}
        self.controls = [control(self._pens, known[name], value, self._columns) for name, value in values.items()]
        first = [each for each in self.controls if each.parameter.name in matter]
        more = [Block(self._pens, _more_rows)] if 0 < len(first) < len(self.controls) else []
        replace_children(self, [*first, *more, *self.controls[len(first) :]])

    def set(self, values: Mapping[str, Value]) -> None:
        """Shows values that the program chose."""
        for slider in self.controls:
            if slider.parameter.name in values:
                slider.set(values[slider.parameter.name])

    def redraw(self) -> None:
        """In another language they have other widths."""
        for slider in self.controls:
            slider.redraw()

    def _columns(self) -> Columns:
        pen = self._pens()
        now = (self._description, pen.words, pen.look)
        if self._measured is None or self._measured[0] != now:
            self._measured = now, columns(self._description.parameters if self._description else (), pen.look, pen.words)
        return self._measured[1]


def _more_rows(width: int, pen: Pen) -> list[Row]:
    """Above the sliders that the card is not about."""
    return paragraph(pen.words("lab.more"), width, pen.look, QUIET)
