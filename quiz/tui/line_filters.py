"""What every line of every widget passes on its way to the terminal, whoever wrote it."""

from __future__ import annotations

from functools import lru_cache

from rich.cells import set_cell_size
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from content.yaml.clean import clean, unclean
from quiz.terminal.spelling import in_ascii


class CleanFilter(LineFilter):
    """Every line of every widget on its way to the terminal: nothing in it is obeyed there, whoever wrote it; its cells stay."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        text = "".join([segment.text for segment in segments])
        if (text.isascii() and text.isprintable()) or not unclean(text):
            return segments
        return [self._cleaned(segment) for segment in segments]

    def _cleaned(self, segment: Segment) -> Segment:
        return segment if segment.control else Segment(set_cell_size(clean(segment.text), segment.cell_length), segment.style)


class LookalikeFilter(LineFilter):
    """Every sign that is not ASCII becomes one that looks alike, in as many cells; Chinese stays, as there is no ASCII for it."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [each if each.control or each.text.isascii() else Segment(_in_ascii(each.text), each.style) for each in segments]


_in_ascii = lru_cache(maxsize=4096)(in_ascii)
CLEAN, LOOKALIKE = CleanFilter(), LookalikeFilter()
