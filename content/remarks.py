"""What is wrong with a card's text, each with its place: constructs that are not shown, bad math, too much of something."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it.tree import SyntaxTreeNode

from content import dialect, live, math
from content.cards import ANSWER_LIMIT
from content.live import Remark

_UNSUPPORTED = tuple(
    (re.compile(pattern, re.MULTILINE), message, hint)
    for pattern, message, hint in (
        (r"^ {0,3}#{1,6} ", "headings are not part of card text", "make it **strong**"),
        (r"^ {0,3}>", "quotations are not part of card text", "write it as a paragraph"),
        (r"^ {0,3}(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*$", "rules are not part of card text", "leave an empty line"),
        (r"!\[[^\]\n]{0,200}\]\(", "pictures are not part of card text", "an experiment draws what a card shows"),
        (
            r"(?<!!)\[[^\]\n]{1,200}\]\((?:https?:|mailto:|www\.|\.{0,2}/)",
            "links are not part of card text",
            "put the address into sources:",
        ),
        (r"~~\S", "struck text is not part of card text", "delete it"),
        (r"^[ \t]*[-+*] \[[ xX]\] ", "tick boxes are not part of card text", "what is to be ticked off belongs into key_points:"),
        (r"(?<!\\)\$\$", "$$ is shown as typed here", "a formula of its own begins and ends its lines with $$"),
    )
)

_MARKS = re.compile(r"[*`$\\|~\[]|^[ \t]*[#>+=_\d-]", re.MULTILINE)


def problems(text: str) -> tuple[Remark, ...]:
    """What to say about a text, in its order: warnings about what is shown as typed, errors about what cannot stay.

    A {{ that opens no live number is for `content.live.problems`.
    """
    if _is_plain(text):
        return ()
    refusal = dialect.refusal(text)
    if refusal:
        return (refusal,)
    lines = _starts(text)
    root = dialect.tree(text)
    found = list(_limits(text, root, lines))
    for node in root.walk():
        found.extend(_formula(text, node, lines))
        if node.type == "inline":
            found.extend(_typed(text, node, lines))
            found.extend(_stars(text, node, lines))
    return tuple(sorted(found))


def _is_plain(text: str) -> bool:
    """Whether a text is a few paragraphs of words: most are, and to parse them would find nothing."""
    return len(text) <= ANSWER_LIMIT and text.count("\n") < dialect.BLOCKS_LIMIT and not _MARKS.search(text)


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


def _limits(text: str, root: SyntaxTreeNode, lines: list[int]) -> Iterator[Remark]:
    blocks = [node for node in root.walk() if node.type in ("paragraph", "fence", "table", "math_block")]
    if len(blocks) > dialect.BLOCKS_LIMIT:
        yield Remark(len(text), f"{len(blocks)} blocks; the limit is {dialect.BLOCKS_LIMIT}", "split the card")
    cells = sum(node.type in ("td", "th") for node in root.walk())
    if cells > dialect.CELLS_LIMIT:
        yield Remark(len(text), f"{cells} table cells; the limit is {dialect.CELLS_LIMIT}", "keep the rows that the answer needs")
    for node in root.walk():
        if node.type in ("bullet_list", "ordered_list") and _level(node) == dialect.LEVELS_LIMIT + 1:
            start = lines[(node.map or (0, 0))[0]]
            yield Remark(start, f"a list is nested deeper than {dialect.LEVELS_LIMIT} levels", "it is shown at the second", "warning")
            return


def _level(node: SyntaxTreeNode) -> int:
    level, parent = 1, node.parent
    while parent is not None:
        level += parent.type in ("bullet_list", "ordered_list")
        parent = parent.parent
    return level


def _typed(text: str, node: SyntaxTreeNode, lines: list[int]) -> Iterator[Remark]:
    """Markdown that is shown as typed, looked for outside code and math."""
    content = node.content
    for child in node.walk():
        if child.type in ("code_inline", "math_inline"):
            start, end = child.meta["at"], child.meta["end"]
            content = content[:start] + "\x00" * (end - start) + content[end:]
    in_cell = node.parent is not None and node.parent.type in ("td", "th")
    for pattern, message, hint in _UNSUPPORTED:
        found = pattern.search(content)
        if found and not (in_cell and pattern.pattern.startswith("^")):
            yield Remark(_offset(text, lines, node, found.start()), message, hint, "warning")


def _formula(text: str, node: SyntaxTreeNode, lines: list[int]) -> Iterator[Remark]:
    if node.type not in ("math_inline", "math_block"):
        return
    show = math.inline if node.type == "math_inline" else math.display
    tex = live.blank(node.content)
    percent = re.search(r"(?<!\\)%", tex)
    try:
        if percent:
            raise math.MathError("% begins a comment in LaTeX", percent.start(), "write \\%")
        show(tex)
    except math.MathError as error:
        holder = node
        while holder.type not in ("inline", "math_block") and holder.parent is not None:
            holder = holder.parent
        yield Remark(_offset(text, lines, holder, node.meta.get("at", 0) + error.offset), error.message, error.hint)


def _stars(text: str, node: SyntaxTreeNode, lines: list[int]) -> Iterator[Remark]:
    kept = [child for child in node.walk() if child.type == "as_typed"]
    if len(kept) > 1:
        hint = "write math between dollars, $2 \\cdot 3$, or code between backticks"
        yield Remark(_offset(text, lines, node, kept[0].meta["at"]), "the * between two operands are shown as typed", hint, "warning")
    if any(child.type == "text" and "**" in child.content for child in node.walk()) and "\\*" not in node.content:
        place = _offset(text, lines, node, max(node.content.find("**"), 0))
        yield Remark(place, "** is shown as typed here", "stars touch the words that they mark, and close", "warning")
