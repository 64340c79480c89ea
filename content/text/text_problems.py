"""What is wrong with a card's text, each with its place: constructs that are not shown, bad math, too much of something."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from markdown_it.rules_block.table import escapedSplit
from markdown_it.tree import SyntaxTreeNode

from content.format import ANSWER_LIMIT
from content.messages.sentence import say
from content.text import formula, markdown, placeholders
from content.text.pasted import BULLETS, shown_as_typed
from content.text.remark import Remark

_MARK = re.compile(r"[*`$\\|~\[<&]|(?<!\w)_\S|==")
_OPENING = re.compile(rf"[ \t]*[#>+=_\d{BULLETS}（(-]")  # what may make a line more than words
_OPENING_LATER = re.compile(rf"\n[ \t]*[#>+=_\d{BULLETS}（(-]")
_WORDS = re.compile(
    rf"(?![ \t]*[#>+=_\d{BULLETS}（(-])[^*`$\\|~\[\n<&_=]*\Z"
)  # one line of words alone: most texts, told apart in one look


def text_problems(text: str) -> tuple[Remark, ...]:
    """What to say about a text, in its order: warnings about what is shown as typed, errors about what cannot stay.

    A {{ that opens no live number is for `content.text.placeholders.problems`.
    """
    return () if _is_plain(text) else _looked_for(text)


@lru_cache(4096)  # an author saves again and again, and most of the deck stays as it was
def _looked_for(text: str) -> tuple[Remark, ...]:
    formulas = _on_one_line(text)
    if formulas is not None:
        return tuple(remark for start, tex in formulas for remark in _formula(formula.inline, tex, start))
    refusal = markdown.first_excess(text)
    if refusal:
        return (refusal,)
    lines = _starts(text)
    nodes = list(markdown.markdown_tree(text).walk())
    found = list(_limits(text, nodes, lines))
    for node in nodes:
        told: Iterable[Remark] = ()
        if node.type == "math_block":
            told = _formula(formula.display, node.content)
        elif node.type in _BLOCKS:
            found.extend(_BLOCKS[node.type](text, node, lines))
        elif node.type == "inline":
            told = _inline(node)
        found.extend(remark._replace(offset=_offset(text, lines, node, remark.offset)) for remark in told)
    return tuple(sorted(found))


def formula_problems(tex: str) -> tuple[Remark, ...]:
    """What to say about a text that is a formula alone."""
    wrapped = re.match(r"\s*(\$\$?|\\\(|\\\[)", tex)
    if wrapped:
        return (
            Remark(
                wrapped.start(1),
                say("{dollars} has no place here: the whole text is a formula", dollars=wrapped[1]),
                say("delete it, and the one at the end"),
            ),
        )
    try:
        formula.check(tex)
    except formula.MathError as error:
        return (Remark(error.offset, error.message, error.hint),)
    return ()


def _inline(node: SyntaxTreeNode) -> Iterator[Remark]:
    """What to say about a paragraph or a cell, with offsets in its content."""
    pieces = list(node.walk())
    for piece in pieces:
        if piece.type == "math_inline" and piece.content.startswith("]") and piece.content.endswith("[/"):
            yield Remark(piece.meta["start"], say("[$] and [/$] are Anki's"), say("put the formula between dollars alone: $x$"))
        elif piece.type in ("math_inline", "math_lines"):
            yield from _formula(formula.inline if piece.type == "math_inline" else formula.display, piece.content, piece.meta["at"])
    yield from _typed(node, pieces)
    yield from _stars(node, pieces)


def _is_plain(text: str) -> bool:
    """Whether a text is a few paragraphs of words: most are, and to parse them would find nothing."""
    if _WORDS.match(text):
        return len(text) <= ANSWER_LIMIT
    marked = _MARK.search(text) or _OPENING.match(text) or _OPENING_LATER.search(text)
    return not marked and len(text) <= ANSWER_LIMIT and text.count("\n") < markdown.BLOCKS_LIMIT


def _on_one_line(text: str) -> list[tuple[int, str]] | None:
    """The formulas, with their offsets, of one line of words, formulas and code; None if it may hold more, so that it has to be parsed."""
    line = text.rstrip()
    if "\n" in line or _OPENING.match(line) or len(line) > markdown.MARKS_LIMIT:
        return None
    formulas: list[tuple[int, str]] = []
    at = 0
    while mark := _MARK.search(line, at):
        start, sign = mark.start(), mark[0]
        end = markdown.closing_dollar(line, start) if sign == "$" else line.find("`", start + 1) if sign == "`" else 0
        if end <= start + 1 or line.startswith(sign, end + 1):
            return None
        if sign == "$":
            formulas.append((start + 1, line[start + 1 : end]))
        at = end + 1
    return formulas


def _starts(text: str) -> list[int]:
    return [0, *(found.end() for found in re.finditer("\n", text)), len(text)]


def _offset(text: str, lines: list[int], node: SyntaxTreeNode, at: int) -> int:
    """Where a character of a block's content stands in the text: the content's lines are the text's lines without their margin."""
    content, holder = node.content, node
    while holder.map is None and holder.parent is not None:
        holder = holder.parent
    first = holder.map[0] if holder.map else 0
    row, begin = content.count("\n", 0, at), content.rfind("\n", 0, at) + 1
    start = lines[min(first + row, len(lines) - 1)]
    return max(text.find(content[begin:].split("\n", 1)[0], start), start) + at - begin


def _limits(text: str, nodes: list[SyntaxTreeNode], lines: list[int]) -> Iterator[Remark]:
    count = Counter(node.type for node in nodes)
    blocks = count["paragraph"] + count["fence"] + count["table"] + count["math_block"] + count["math_lines"]
    if blocks > markdown.BLOCKS_LIMIT:
        yield Remark(
            len(text), say("{blocks} blocks; the limit is {limit}", blocks=blocks, limit=markdown.BLOCKS_LIMIT), say("split the card")
        )
    cells = count["td"] + count["th"]
    if cells > markdown.CELLS_LIMIT:
        yield Remark(
            len(text),
            say("{cells} table cells; the limit is {limit}", cells=cells, limit=markdown.CELLS_LIMIT),
            say("keep the rows that the answer needs"),
        )
    for node in nodes:
        if node.type in ("bullet_list", "ordered_list") and _level(node) == markdown.LEVELS_LIMIT + 1:
            start = lines[(node.map or (0, 0))[0]]
            yield Remark(
                start,
                say("a list is nested deeper than {limit} levels", limit=markdown.LEVELS_LIMIT),
                say("it is shown at the second"),
                "warning",
            )
            return


def _level(node: SyntaxTreeNode) -> int:
    level, parent = 1, node.parent
    while parent is not None:
        level += parent.type in ("bullet_list", "ordered_list")
        parent = parent.parent
    return level


def _typed(node: SyntaxTreeNode, pieces: list[SyntaxTreeNode]) -> Iterator[Remark]:
    """What is shown as typed, looked for outside code and math."""
    content = node.content
    for piece in pieces:
        if piece.type in ("code_inline", "math_inline", "math_lines"):
            start, end = piece.meta["start"], piece.meta["end"]
            content = content[:start] + "\x00" * (end - start) + content[end:]
    yield from shown_as_typed(content, in_cell=node.parent is not None and node.parent.type in ("td", "th"))


def _table(text: str, node: SyntaxTreeNode, lines: list[int]) -> Iterator[Remark]:
    """Rows with more cells than the head has: Markdown leaves those out without a word."""
    first, end = node.map or (0, 0)
    head = _cells(text[lines[first] : lines[first + 1]])
    for line in range(first + 2, end):
        row = text[lines[line] : lines[line + 1]]
        if (count := _cells(row)) > head:
            message = say("this row has {count} cells and the head of the table {head}: the others would be lost", count=count, head=head)
            start = lines[line] + len(row) - len(row.lstrip())
            yield Remark(start, message, say("give the head as many; a | within a cell is written \\|"))


def _cells(row: str) -> int:
    cells = escapedSplit(row.strip())
    return len(cells) - (cells[:1] == [""]) - (len(cells) > 1 and cells[-1] == "")


def _fence(text: str, node: SyntaxTreeNode, lines: list[int]) -> Iterator[Remark]:
    """A fence that is never closed takes all that follows for code."""
    first, end = node.map or (0, 0)
    last = text[lines[end - 1] : lines[end]].strip()
    if end - 1 == first or set(last) != {node.markup[0]} or len(last) < len(node.markup):
        yield Remark(
            lines[first],
            say("this fence is never closed: all that follows is shown as code"),
            say("close it with {fence}", fence=node.markup),
            "warning",
        )


def _formula(show: Callable[[str], object], tex: str, at: int = 0) -> Iterator[Remark]:
    """The problem of a formula that stands at an offset."""
    tex = placeholders.blank_placeholders(tex)
    percent = re.search(r"(?<!\\)%", tex)
    try:
        if percent:
            raise formula.MathError(say("% begins a comment in LaTeX"), percent.start(), say("write \\%"))
        show(tex)
    except formula.MathError as error:
        yield Remark(at + error.offset, error.message, error.hint)


def _stars(node: SyntaxTreeNode, pieces: list[SyntaxTreeNode]) -> Iterator[Remark]:
    kept = [piece for piece in pieces if piece.type == "as_typed"]
    if len(kept) > 1:
        hint = say("write math between dollars, $2 \\cdot 3$, or code between backticks")
        yield Remark(kept[0].meta["at"], say("the * between two operands are shown as typed"), hint, "warning")
    content = placeholders.blank_placeholders(node.content)
    texts = (placeholders.blank_placeholders(piece.content) for piece in pieces if piece.type == "text")
    if any("**" in text for text in texts) and "\\*" not in content:
        hint = say("stars touch the words that they mark, and close")
        yield Remark(max(content.find("**"), 0), say("** is shown as typed here"), hint, "warning")


_BLOCKS = {"table": _table, "fence": _fence}
