"""Colours: ramps whose lightness only rises (or only falls), so that they survive greys, print and colour blindness."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from rich.color import Color
from rich.style import Style

RGB = tuple[int, int, int]
STEPS = 33  # odd: a signed ramp has a middle
DENSITY = " .:-=+*#%@"


@dataclass(frozen=True)
class Palette:
    """Ramps by a matrix's kind, and the few colours that mean something. Without ramps a cell is a character of DENSITY."""

    ramps: dict[str, tuple[RGB, ...]]
    arms: dict[str, Style]
    lines: tuple[Style | None, ...]
    cursor: RGB
    accent: Style


def ramp(*stops: str) -> tuple[RGB, ...]:
    """STEPS colours through evenly spaced stops, written as RRGGBB."""
    anchors = [tuple(bytes.fromhex(stop)) for stop in stops]
    colours = []
    for step in range(STEPS):
        place = step / (STEPS - 1) * (len(anchors) - 1)
        left = min(int(place), len(anchors) - 2)
        part = place - left
        red, green, blue = (round(a + (b - a) * part) for a, b in zip(anchors[left], anchors[left + 1], strict=True))
        colours.append((red, green, blue))
    return tuple(colours)


def luminance(colour: RGB) -> float:
    """Relative luminance, 0 black to 1 white (WCAG 2.1)."""
    red, green, blue = ((part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4) for part in (c / 255 for c in colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@lru_cache(maxsize=4096)
def ground(below: RGB) -> Style:
    """A coloured cell with the text colour that is easiest to read on it."""
    light = luminance(below)
    ink = (0, 0, 0) if (light + 0.05) ** 2 > 0.05 * 1.05 else (255, 255, 255)
    return Style(color=Color.from_rgb(*ink), bgcolor=Color.from_rgb(*below))


@lru_cache(maxsize=4096)
def halves(above: RGB | None, below: RGB | None) -> Style:
    """Two cells in one character: the upper half in the text colour, the lower half behind it."""
    return Style(color=above and Color.from_rgb(*above), bgcolor=below and Color.from_rgb(*below))


DARK = Palette(
    ramps={
        "weights": ramp("221c2e", "45327a", "7a55c7", "b98df2", "f3ebff"),
        "magnitude": ramp("440154", "3e4989", "26828e", "35b779", "fde725"),
        "signed": ramp("7cc0ff", "2f6fb5", "25262b", "b5651d", "ffc078"),
    },
    arms={"right": Style(color="#5cc8a8"), "wrong": Style(color="#f08a6c")},
    lines=(Style(color="#c8a2ff"), Style(color="#6cb0ff"), Style(color="#f0b35c"), Style(color="#7fd08a")),
    cursor=(255, 230, 90),
    accent=Style(color="#c8a2ff"),
)
LIGHT = Palette(
    ramps={
        "weights": ramp("f3effa", "d6c5f2", "a67fdf", "6b3fb3", "2f1261"),
        "magnitude": ramp("fde725", "35b779", "26828e", "3e4989", "440154"),
        "signed": ramp("174f96", "7fb0e6", "f1f1f1", "eda765", "a34e00"),
    },
    arms={"right": Style(color="#00735a"), "wrong": Style(color="#b8401c")},
    lines=(Style(color="#6b3fb3"), Style(color="#1f62b0"), Style(color="#9a5b00"), Style(color="#2c7a38")),
    cursor=(220, 0, 90),
    accent=Style(color="#6f36c9"),
)
COLOURLESS = Palette(ramps={}, arms={}, lines=(None,), cursor=(255, 255, 255), accent=Style(bold=True))
