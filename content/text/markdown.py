"""The Markdown of cards: markdown-it with few rules, and our own for *, $ and \\, so that formulas typed as text stay as typed."""

from __future__ import annotations

import re
import unicodedata

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline, backtick
from markdown_it.rules_inline.state_inline import Delimiter
from markdown_it.tree import SyntaxTreeNode
from mdit_py_plugins.dollarmath.index import math_block_dollar

from content.format import ANSWER_LIMIT
from content.messages.sentence import say
from content.text.placeholders import live_number
from content.text.remark import Remark

BLOCKS_LIMIT = 100
CELLS_LIMIT = 200
LINES_LIMIT = 400
MARKS_LIMIT = 2_000
LEVELS_LIMIT = 2

_ESCAPABLE = set("*`$|#>-+~")
_LONGEST_RUN = 3  # more stars than in ***x*** are a rule or a decoration
_NESTING_LIMIT = 40  # of tokens; a list takes two a level
_MARKER = r"(?:[-+*]|\d{1,9}[.)])[ \t]+"
_DEEP = re.compile(rf"^(?:[ \t]{{24,}}|[ \t]*(?:{_MARKER}){{3}}){_MARKER}", re.MULTILINE)
_DIVIDER = re.compile(r"^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*\|[ \t:|-]*$", re.MULTILINE)


def markdown_tree(text: str) -> SyntaxTreeNode:
    """What markdown-it saw, with the lines of every block; only for a text that is not refused."""
    return SyntaxTreeNode(_DIALECT.parse(text))


def first_excess(text: str) -> Remark | None:
    """Why a text is not even parsed: what would take long, or be cut off, is found by looking at it first."""
    if len(text) > ANSWER_LIMIT:
        return Remark(
            ANSWER_LIMIT, say("{count:,} characters; the limit is {limit:,}", count=len(text), limit=ANSWER_LIMIT), say("split the card")
        )
    lines = text.count("\n")
    if lines > LINES_LIMIT:
        return Remark(len(text), say("{lines:,} lines; the limit is {limit:,}", lines=lines, limit=LINES_LIMIT), say("split the card"))
    marks = sum(map(text.count, "*`$"))
    if marks > MARKS_LIMIT:
        return Remark(
            len(text), say("{marks:,} marks such as * and $; the limit is {limit:,}", marks=marks, limit=MARKS_LIMIT), say("split the card")
        )
    deep = _DEEP.search(text)
    if deep:
        return Remark(deep.start(), say("a list is nested too deeply"), say("the limit is {limit} levels", limit=LEVELS_LIMIT))
    for divider in _DIVIDER.finditer(text):
        rows = text[divider.start() :].split("\n\n", 1)[0].count("\n") + 2
        if rows * (divider[0].count("|") - 1) > 2 * CELLS_LIMIT:
            return Remark(divider.start(), say("a table is too large"), say("the limit is {limit} cells", limit=CELLS_LIMIT))
    return None


def _reader() -> MarkdownIt:
    """Paragraphs, lists, fences, tables, emphasis, code and math; everything else is text."""
    dialect = MarkdownIt("zero", {"maxNesting": _NESTING_LIMIT}).enable(["list", "fence", "table", "newline", "backticks", "emphasis"])
    dialect.block.ruler.before("fence", "math_block", _math_block, {"alt": ["paragraph", "list", "blockquote"]})
    dialect.inline.ruler.at("emphasis", _emphasis)
    dialect.inline.ruler.at("backticks", _code)
    dialect.inline.ruler.before("emphasis", "escape_few", _escape)
    dialect.inline.ruler.before("escape_few", "math_inline", _math)
    dialect.inline.ruler.before("math_inline", "live_number", _live_number)
    return dialect


def is_wide(character: str) -> bool:
    """Chinese and its punctuation: written without spaces between words."""
    return unicodedata.east_asian_width(character) in "WF"


def _letter(character: str) -> bool:
    return character.isalnum() and not is_wide(character)


def _emphasis(state: StateInline, silent: bool) -> bool:
    """A run of * marks emphasis unless it stands between two operands, as in 2*3*4, or between spaces.

    CommonMark would take 2*3*4 apart and leave **“注意”**力 alone, because it asks for spaces or punctuation outside the stars.
    """
    start = end = state.pos
    if silent or state.src[start] != "*":
        return False
    while end < state.posMax and state.src[end] == "*":
        end += 1
    before, after = state.src[start - 1] if start else " ", state.src[end] if end < state.posMax else " "
    if (_letter(before) or before in "_)]}") and (_letter(after) or after in "_([{\\"):
        _as_typed(state, start, end)
    elif end - start > _LONGEST_RUN:
        state.append_pending(state.src[start:end])
    else:
        for _ in range(start, end):
            state.push("text", "", 0).content = "*"
            place = len(state.tokens) - 1
            state.delimiters.append(Delimiter(ord("*"), 0, place, -1, open=not after.isspace(), close=not before.isspace()))
    state.pos = end
    return True


def _as_typed(state: StateInline, start: int, end: int) -> None:
    token = state.push("as_typed", "", 0)
    token.content, token.meta = state.src[start:end], {"at": start}


def _live_number(state: StateInline, silent: bool) -> bool:
    """{{2 ** n}} is one word: its stars mark nothing."""
    found = live_number(state.src, state.pos)
    if not found:
        return False
    if not silent:
        state.append_pending(found[0])
    state.pos = found.end()
    return True


def _code(state: StateInline, silent: bool) -> bool:
    start, count = state.pos, len(state.tokens)
    found = backtick(state, silent)
    if len(state.tokens) > count and state.tokens[-1].type == "code_inline":
        state.tokens[-1].meta = {"start": start, "end": state.pos}
    return found


def _escape(state: StateInline, silent: bool) -> bool:
    """A backslash takes the meaning of * ` $ | # > - + ~; before anything else it is a backslash."""
    if state.src[state.pos] != "\\" or state.src[state.pos + 1 : state.pos + 2] not in _ESCAPABLE:
        return False
    if not silent:
        state.append_pending(state.src[state.pos + 1])
    state.pos += 2
    return True


def closing_dollar(text: str, start: int) -> int:
    """Where the formula ends that a $ begins, or 0 where the $ begins none."""
    end = start + 1
    while (end := text.find("$", end)) > 0 and text[end - 1] == "\\":
        end += 1
    if end <= start + 1 or text[start + 1].isspace() or text[end - 1].isspace() or text[end + 1 : end + 2].isdigit():
        return 0
    return end


_dollars_block = math_block_dollar(allow_labels=False)


def _math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """$$ ... $$ on lines of their own, also right below a line of text or an item; `$$x$$ and $$y$$` is a line with two formulas."""
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    if not line.startswith("$$") or line.count("$$") > 2:
        return False
    tokens, at = len(state.tokens), state.line
    found = _dollars_block(state, start, end, silent)
    if silent:  # asked whether a block begins here: the plugin makes one at once
        del state.tokens[tokens:]
        state.line = at
    return found


def closing_dollars(text: str, start: int) -> int:
    """Where the $$ stands that ends the formula which a $$ begins within a paragraph, or 0 where it begins none."""
    end = text.find("$$", start + 2)
    if not text.startswith("$$", start) or end < 0 or not text[start + 2 : end].strip() or text[end + 2 : end + 3].isdigit():
        return 0
    return end


def _math(state: StateInline, silent: bool) -> bool:
    """$x$ with no space inside the dollars and no digit after them: $5 and $6 is money. $$x$$ within a paragraph is a formula, too."""
    start = state.pos
    if state.src[start] != "$":
        return False
    if end := closing_dollars(state.src, start):
        if not silent:
            tex = state.src[start + 2 : end]
            token = state.push("math_lines" if "\n" in tex else "math_inline", "math", 0)
            token.content, token.meta = tex.strip(), {"at": start + 2 + len(tex) - len(tex.lstrip()), "start": start, "end": end + 2}
        state.pos = end + 2
        return True
    end = closing_dollar(state.src, start)
    if not end:
        run = start  # dollars that open nothing are text, as many as there are
        while run < state.posMax and state.src[run] == "$":
            run += 1
        if not silent:
            state.append_pending(state.src[start:run])
        state.pos = run
        return True
    if not silent:
        token = state.push("math_inline", "", 0)
        token.content, token.meta = state.src[start + 1 : end], {"at": start + 1, "start": start, "end": end + 1}
    state.pos = end + 1
    return True


_DIALECT = _reader()
