"""Card text as blocks and spans: a Markdown subset that loses no character of what an author typed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from content.text import placeholders

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode

_PROSE = re.compile(r"[^\W\d_](?:[^\n\r\t*`$\\~|&<]{0,500}[^\s*`$\\~|&<])?")  # a line without a mark: most questions are one

Style = Literal["plain", "strong", "emphasis", "code", "math"]


@dataclass(frozen=True)
class Span:
    """A run of text of one style; a math span holds LaTeX, for `content.text.formula.inline`. A line break is a line feed."""

    text: str
    style: Style = "plain"


Spans = tuple[Span, ...]


@dataclass(frozen=True)
class Paragraph:
    spans: Spans


@dataclass(frozen=True)
class Listing:
    """Each item is a row of blocks. `start` numbers the first one; None is a list of bullets."""

    items: tuple[tuple[Block, ...], ...]
    start: int | None = None


@dataclass(frozen=True)
class Fence:
    code: str
    language: str = ""


@dataclass(frozen=True)
class Table:
    header: tuple[Spans, ...]
    rows: tuple[tuple[Spans, ...], ...]


@dataclass(frozen=True)
class Math:
    """A formula on lines of its own, as LaTeX, for `content.text.formula.display`."""

    tex: str


Block = Paragraph | Listing | Fence | Table | Math


@lru_cache(2048)
def parse(text: str) -> tuple[Block, ...]:
    """The blocks of a text. A text over the limits is one paragraph, as typed. Never raises."""
    if _PROSE.fullmatch(text):
        return (Paragraph((Span(text),)),)
    from content.text import markdown  # with its parser, for which the home screen does not wait

    if markdown.first_excess(text):
        return (Paragraph((Span(text),)),)
    return tuple(_blocks(markdown.markdown_tree(text).children, 1))


def filled(blocks: tuple[Block, ...], scope: Mapping[str, object], missing: str = "…") -> tuple[Block, ...]:
    """The same blocks with their live numbers. Parsing is cached, so this is all that a moved slider costs."""
    return tuple(_filled(block, scope, missing) for block in blocks)


def _filled(block: Block, scope: Mapping[str, object], missing: str) -> Block:
    def spans(given: Spans) -> Spans:
        return tuple(replace(span, text=placeholders.fill(span.text, scope, missing)) for span in given)

    match block:
        case Paragraph():
            return Paragraph(spans(block.spans))
        case Listing():
            return replace(block, items=tuple(filled(item, scope, missing) for item in block.items))
        case Table():
            return Table(tuple(map(spans, block.header)), tuple(tuple(map(spans, row)) for row in block.rows))
        case Math():
            return Math(placeholders.fill(block.tex, scope, missing))
        case Fence():
            return replace(block, code=placeholders.fill(block.code, scope, missing))


def _blocks(nodes: list[SyntaxTreeNode], level: int) -> Iterator[Block]:
    """The blocks of a text or an item; a formula of several lines within a paragraph parts it."""
    for node in nodes:
        pieces = node.children[0].children if node.type == "paragraph" and node.children else []
        if not any(piece.type == "math_lines" for piece in pieces):
            yield _block(node, level)
            continue
        for is_math, part in groupby(pieces, lambda piece: piece.type == "math_lines"):
            if is_math:
                yield from (Math(piece.content) for piece in part)
            elif spans := _stripped(_spans(list(part))):
                yield Paragraph(spans)


def _stripped(spans: Spans) -> Spans:
    """Spans without the spaces before the first word and behind the last."""
    if spans and spans[0].style == "plain":
        spans = (replace(spans[0], text=spans[0].text.lstrip()), *spans[1:])
    if spans and spans[-1].style == "plain":
        spans = (*spans[:-1], replace(spans[-1], text=spans[-1].text.rstrip()))
    return tuple(span for span in spans if span.text)


def _block(node: SyntaxTreeNode, level: int) -> Block:
    match node.type:
        case "bullet_list":
            return Listing(tuple(_items(node, level)))
        case "ordered_list":
            return Listing(tuple(_items(node, level)), int(node.attrs.get("start", 1)))
        case "fence":
            return Fence(node.content.removesuffix("\n"), node.info.split(" ")[0])
        case "math_block":
            return Math(node.content.strip())
        case "table":
            header, *body = [tuple(_spans(cell.children) for cell in row.children) for part in node.children for row in part.children]
            return Table(header, tuple(body))
    return Paragraph(_spans(node.children))


def _items(node: SyntaxTreeNode, level: int) -> Iterator[tuple[Block, ...]]:
    """The items of a list; what is nested deeper than two levels stands at the second."""
    from content.text.markdown import LEVELS_LIMIT

    for item in node.children:
        inner = [child for child in item.children if child.type in ("bullet_list", "ordered_list")]
        if level < LEVELS_LIMIT or not inner:
            yield tuple(_blocks(item.children, level + 1))
            continue
        yield tuple(_blocks([child for child in item.children if child not in inner], level))
        for deeper in inner:
            yield from _items(deeper, level)


def _spans(nodes: list[SyntaxTreeNode]) -> Spans:
    """The text of a paragraph or a cell; neighbours of one style are one span."""
    merged: list[Span] = []
    for span in _flat(nodes, "plain"):
        if (span.style == "plain" and span.text == "") or not span.text:
            continue
        if merged and merged[-1].style == span.style and span.style != "math":
            merged[-1] = Span(merged[-1].text + span.text, span.style)
        else:
            merged.append(span)
    return tuple(merged)


def _flat(nodes: list[SyntaxTreeNode], style: Style) -> Iterator[Span]:
    for index, node in enumerate(nodes):
        match node.type:
            case "inline":
                yield from _flat(node.children, style)
            case "strong":
                yield from _flat(node.children, "strong")
            case "em":
                yield from _flat(node.children, "strong" if style == "strong" else "emphasis")
            case "code_inline":
                yield Span(node.content, "code")
            case "math_inline" | "math_lines":
                yield Span(node.content, "math")
            case "hardbreak":
                yield Span("\n", style)
            case "softbreak":
                yield Span("" if _chinese(nodes, index) else " ", style)
            case _:
                yield Span(node.content, style)


_QUOTES = frozenset("“”‘’…—")  # as wide as Chinese between Chinese


def _chinese(nodes: list[SyntaxTreeNode], index: int) -> bool:
    """Whether lines are joined without a space: Chinese ends one and begins the next, or a full-width mark stands at the seam."""
    from content.text.markdown import is_wide

    beside = nodes[max(index - 2, 0) : index], nodes[index + 1 : index + 3]  # beside emphasis stands an empty text
    ends, starts = _characters(beside[0])[-1:], _characters(beside[1])[:1]
    if not ends or not starts:
        return False
    chinese = [each for each in (ends, starts) if is_wide(each)]
    if any(not each.isalnum() for each in chinese):
        return True
    return bool(chinese) and all(is_wide(each) or each in _QUOTES for each in (ends, starts))


def _characters(nodes: list[SyntaxTreeNode]) -> str:
    """The text of some nodes, code and formulas as they are written."""
    return "".join(node.content if node.type != "inline" and not node.children else _characters(node.children) for node in nodes)
