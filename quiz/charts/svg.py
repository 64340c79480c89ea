"""SVG screenshots with Chinese in them: rich measures a text's length in characters, not in cells, and squeezes wide ones together."""

from __future__ import annotations

import re
from html import unescape

from rich.cells import cell_len

TEXT = re.compile(r'textLength="([0-9.]+)"([^>]*)>([^<]*)</text>')


def widen_chinese(svg: str) -> str:
    """The SVG of `Console.export_svg` or `App.export_screenshot`, every text as long as its cells."""

    def measured(found: re.Match[str]) -> str:
        length, rest, text = found.groups()
        characters = unescape(text)
        cells = float(length) / max(len(characters), 1) * cell_len(characters)
        return f'textLength="{cells:g}"{rest}>{text}</text>'

    return TEXT.sub(measured, svg)
