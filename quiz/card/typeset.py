"""Card text set into lines of a width: one typesetter for the screens, the printed cards and the plain mode.

Chinese breaks between characters, never before a closing mark nor after an opening one; everything else breaks at spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from rich.cells import cell_len

from content.text.markup import Block, Fence, Listing, Math, Paragraph, Table
from content.text.markup import Span as MarkupSpan

CLOSING = frozenset("，。、；：？！）》」』】〉”’…—·%％,.;:?!)]}")
OPENING = frozenset("（《「『【〈“‘([{")
SPACES = frozenset(" \n\t")  # a no-break space is none of them
UNIT = re.compile(r"(?<=\d) (?=[%％°])")
WIDE_FROM = "\u2e80"  # CJK radicals: from here on text breaks between characters


class Span(NamedTuple):
    """A run of characters with the name of its style."""

    text: str
    style: str = "plain"


Line = tuple[Span, ...]


def cells(line: Iterable[Span]) -> int:
    """The width of a line in terminal cells."""
    return sum(cell_len(span.text) for span in line)


def text_of(line: Iterable[Span]) -> str:
    """A line without its styles."""
    return "".join(span.text for span in line)


def _pieces(text: str) -> Iterator[str]:
    """The smallest parts that may stand on a line of their own: words with their marks, single wide characters, spaces."""
    piece = ""
    for character in text:
        glued = piece and (character in CLOSING or piece[-1] in OPENING) and not (character in SPACES or piece[-1] in SPACES)
        wide = character >= WIDE_FROM or (piece and piece[-1] >= WIDE_FROM)
        if piece and not glued and (character in SPACES or piece[-1] in SPACES or wide):
            yield piece
            piece = ""
        piece += character
    if piece:
        yield piece


def wrap(spans: Iterable[Span], width: int, first: Line = (), rest: Line | None = None) -> list[Line]:
    """Spans as lines of at most `width` cells; `first` stands before the first line, `rest` before the others."""
    spans = _merged([span for span in spans if span.text])
    rest = (Span(" " * cells(first)),) if rest is None else rest
    room = max(width - max(cells(first), cells(rest)), 2)
    if cells(spans) <= room and not any("\n" in span.text for span in spans):
        return [(*first, *spans)]
    rows: list[list[Span]] = [[]]
    used = 0
    for piece in _styled(spans):
        text = piece[0].text if len(piece) == 1 else text_of(piece)
        if text == "\n":
            rows.append([])
            used = 0
            continue
        if text.isspace() and (used + cell_len(text) > room or (not used and len(rows) > 1)):
            continue  # a space at a break is not shown
        size = cells(piece)
        for part in (piece,) if size <= room else _fit(piece, room):
            wide = size if part is piece else cells(part)
            if used and used + wide > room:
                rows.append([])
                used = 0
            rows[-1].extend(part)
            used += wide
    return [((*first,) if i == 0 else (*rest,)) + _merged(row) for i, row in enumerate(rows)]


def _styled(spans: Sequence[Span]) -> Iterator[Line]:
    """The pieces of a text whose characters have styles: a comma after emphasised text is part of its word, in its own style."""
    number = start = 0  # of the span that the piece begins in, and of the piece in it
    for piece in _pieces(text_of(spans)):
        line: list[Span] = []
        left = len(piece)
        while left:
            text, style = spans[number]
            taken = text[start : start + left]
            line.append(Span(taken, style))
            left -= len(taken)
            start += len(taken)
            if start == len(text):
                number, start = number + 1, 0
        yield tuple(line)


def _fit(piece: Line, room: int) -> Iterator[Line]:
    """A piece cut into parts of at most `room` cells: only what is wider than a whole line is ever cut."""
    part: list[Span] = []
    for text, style in piece:
        for character in text:
            if part and cells(part) + cell_len(character) > room:
                yield _merged(part)
                part = []
            part.append(Span(character, style))
    yield _merged(part)


def _merged(row: Sequence[Span]) -> Line:
    merged: list[Span] = []
    for span in row:
        if merged and merged[-1].style == span.style:
            merged[-1] = Span(merged[-1].text + span.text, span.style)
        else:
            merged.append(span)
    return tuple(merged)


def _plain(spans: Iterable[MarkupSpan]) -> Iterator[Span]:
    for span in spans:
        yield Span(_inline(span.text) if span.style == "math" else UNIT.sub("\u00a0", span.text), span.style)


def _inline(tex: str) -> str:
    """Math on a line; what cannot be drawn is shown as typed (`qkv check` has said so)."""
    from content.text import formula  # with TeXicode's tables; a text without math does not wait for them

    try:
        return formula.inline(tex)
    except formula.MathError:
        return tex


def _display(tex: str) -> tuple[str, ...]:
    from content.text import formula

    try:
        return formula.display(tex)
    except formula.MathError:
        return (tex,)


@lru_cache(512)
def layout(blocks: tuple[Block, ...], width: int, indent: str = "") -> list[Line]:
    """Blocks as lines, an empty line between two blocks. Math and code keep their shape and are cut at the edge.

    The lines are kept, since a moved slider asks again for texts that mostly did not change: do not change them.
    """
    lines: list[Line] = []
    for block in blocks:
        if lines:
            lines.append(())
        lines.extend(_set(block, width, indent))
    return lines


def _set(block: Block, width: int, indent: str) -> list[Line]:
    match block:
        case Paragraph(spans=spans):
            return wrap(_plain(spans), width, (Span(indent),) if indent else ())
        case Listing():
            return _listing(block, width, indent)
        case Fence(code=code):
            return [cut((Span(indent + "  " + row, "code"),), width) for row in code.rstrip("\n").split("\n")]
        case Math(tex=tex):
            return [cut((Span(indent + "  " + row, "math"),), width) for row in _display(tex)]
        case Table():
            return _table(block, width, indent)


def _listing(block: Listing, width: int, indent: str) -> list[Line]:
    lines: list[Line] = []
    for number, item in enumerate(block.items, start=block.start or 0):
        mark = "• " if block.start is None else f"{number}. "
        inner = layout(item, width, indent + " " * len(mark))
        lines.append((Span(indent + mark, "dim"), *_without_indent(inner[0], len(indent) + len(mark))))
        lines.extend(inner[1:])
    return lines


def _without_indent(line: Line, count: int) -> Line:
    head, *tail = line
    return (Span(head.text[count:], head.style), *tail)


def cut(line: Line, width: int) -> Line:
    """A line that must keep its shape, cut at the edge with a mark that says so."""
    if cells(line) <= width:
        return line
    kept, room = [], width - 1
    for text, style in line:
        part = ""
        for character in text:
            if cell_len(part + character) > room:
                break
            part += character
        kept.append(Span(part, style))
        room -= cell_len(part)
        if part != text:
            break
    return (*kept, Span("›", "dim"))


def _table(block: Table, width: int, indent: str) -> list[Line]:
    rows = [[tuple(_plain(cell)) for cell in row] for row in (block.header, *block.rows)]
    columns = max(len(row) for row in rows)
    widths = [max((cells(row[i]) for row in rows if i < len(row)), default=0) for i in range(columns)]
    lines: list[Line] = []
    for number, row in enumerate(rows):
        spans: list[Span] = [Span(indent)]
        for i, cell in enumerate(row):
            spans.extend(Span(text, "strong" if number == 0 and style == "plain" else style) for text, style in cell)
            spans.append(Span(" " * (widths[i] - cells(cell) + 2)))
        lines.append(cut(_merged(spans), width))
        if number == 0:
            lines.append(cut((Span(indent + "  ".join("─" * size for size in widths), "dim"),), width))
    return lines
