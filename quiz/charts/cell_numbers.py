"""Numbers in cells: two or three digits, all of a matrix written in one way. Elsewhere content.text.numbers writes them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable


def _fixed(decimals: int) -> Callable[[float], str]:
    def show(value: float) -> str:
        if value == 0:
            return "0"  # exactly nothing, unlike a .00
        text = f"{value:.{decimals}f}"
        if not float(text):
            text = text.removeprefix("-")
        if decimals == 2 and abs(float(text)) == 1:
            return text[:-1]  # 1.0: no wider than .97
        return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text

    return show


def _power(value: float) -> str:
    return f"{value:.0e}".replace("e-0", "e-").replace("e+0", "e").replace("e+", "e") if value else "0"


def cell_texts(values: Iterable[float]) -> Callable[[float], str]:
    """The one way in which all numbers of a matrix are written, so that its columns compare: `.97`, `-1.4`, `12`."""
    finite = [value for value in values if math.isfinite(value)]
    largest = max(map(abs, finite), default=0.0)
    if all(value == round(value) for value in finite) and largest < 1000:
        return _fixed(0)
    if largest >= 1000 or 0 < largest < 0.005:
        return _power
    return _fixed(2 if largest <= 1 else 1 if largest < 100 else 0)
