"""How a picture is drawn: with which glyphs and which colours. A style is data; the drawing code asks it and never branches on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from rich.segment import Segment
from rich.style import Style

from content.yaml.clean import clean
from engine.label import Label
from quiz.charts.palette import COLOURLESS, DARK, LIGHT, Palette
from quiz.terminal.spelling import ALOUD
from quiz.words.i18n import Words

Row = list[Segment]
Arm = Literal["", "right", "wrong"]

QUIET = Style(dim=True)
STRONG = Style(bold=True)


@dataclass(frozen=True)
class Glyphs:
    """The characters of a picture. `half`: the upper half block, or nothing where a cell cannot be split."""

    dots: Literal["braille", "characters"]
    half: str
    masked: str
    cursor: tuple[str, str]
    arms: dict[Arm, str]
    axis: str
    marker: str
    more: str
    times: str
    dot: str
    arrow: str
    rail: str
    thumb: str
    guess: str
    focus: str
    holds: str
    failed: str
    aloud: dict[int, str]


UNICODE = Glyphs(
    dots="braille", half="▀", masked="·", cursor=("▐", "▌"), arms={"": " ", "right": "━", "wrong": "╍"}, axis="│",
    marker="┊", more="…", times="×", dot="·", arrow="→", rail="━", thumb="●", guess="◆", focus="▸", holds="✔", failed="✖", aloud={},
)  # fmt: skip
ASCII = Glyphs(
    dots="characters", half="", masked=".", cursor=("[", "]"), arms={"": " ", "right": "*", "wrong": "o"}, axis="|",
    marker=":", more="~", times="x", dot="*", arrow="->", rail="-", thumb="O", guess="+", focus=">", holds="+", failed="x",
    aloud=str.maketrans(ALOUD),
)  # fmt: skip


@dataclass(frozen=True)
class ChartStyle:
    """The colours and the glyphs of a picture."""

    palette: Palette
    glyphs: Glyphs

    def text(self, said: Label | str) -> str:
        """A text as it may be drawn: on one line, nothing in it that a terminal would obey; English where no language was chosen."""
        return clean(said.en if isinstance(said, Label) else said).replace("\n", " ").translate(self.glyphs.aloud)

    def of_arm(self, arm: Arm) -> Style | None:
        """The colour of a way of computing something."""
        return self.palette.arms.get(arm)


@cache
def chart_style(*, dark: bool, colour: bool, ascii_only: bool) -> ChartStyle:
    """The look for a terminal."""
    palette = COLOURLESS if not colour else DARK if dark else LIGHT
    return ChartStyle(palette, ASCII if ascii_only else UNICODE)


Typeset = Callable[[str], Sequence[str]]  # LaTeX -> rows of characters


def as_latex(latex: str) -> Sequence[str]:
    """The formula as its author typed it, for when nobody typesets."""
    return [latex]


@dataclass(frozen=True)
class Pen:
    """What every figure needs to know beside its data and its width."""

    look: ChartStyle
    words: Words
    typeset: Typeset = as_latex
