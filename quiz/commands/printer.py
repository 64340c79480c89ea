"""The rich console that every command prints figures and card text with."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from content.yaml.clean import clean
from quiz.charts.style import ChartStyle, Pen, Typeset, as_latex, chart_style
from quiz.settings.chosen import settings
from quiz.terminal.spelling import can_draw, in_ascii
from quiz.words.i18n import Words


class Printer(Console):
    """A console on stdout, or on stderr for what is no data: whatever is printed with it is clean for a terminal."""

    def __init__(self, *, record: bool = False, width: int | None = None, stderr: bool = False) -> None:
        super().__init__(highlight=False, record=record, width=width, stderr=stderr)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        spell = in_ascii if self._ascii else clean
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(spell(clean(segment.text)), segment.style)

    @property
    def _ascii(self) -> bool:
        """Whether a person wants ASCII; a picture that is recorded for a file has everything."""
        return settings().ascii and not self.record

    @property
    def look(self) -> ChartStyle:
        """The colours and the glyphs that what it prints to can show; all of them where it records a picture."""
        colour = self.record or (self.color_system is not None and not self.no_color)
        return chart_style(dark=True, colour=colour, ascii_only=self._ascii or (not self.record and not can_draw(self.encoding)))

    def pen(self, words: Words, typeset: Typeset = as_latex) -> Pen:
        """What figures are drawn with here."""
        return Pen(self.look, words, typeset)
