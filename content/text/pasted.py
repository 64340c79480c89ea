"""What people bring along from Markdown, web pages, Anki, Notion and LaTeX, and what a card would show as typed."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator

from content.text.latex_signs import is_command
from content.text.remark import Remark

Match = re.Match[str]
_DOLLARS = "put the formula between dollars: $\\sqrt{d_k}$"
Said = tuple[str, str] | None  # what to say and what to do, or that it was nothing

_TAGS = {
    "b": "**strong**", "strong": "**strong**", "i": "*emphasis*", "em": "*emphasis*", "code": "`code`", "kbd": "`code`", "tt": "`code`",
    "br": "a line break: leave an empty line, or begin each line with `- `", "p": "an empty line between paragraphs",
    "div": "an empty line between paragraphs", "sub": "$x_i$", "sup": "$x^2$", "li": "`- ` before each item", "ul": "`- ` before each item",
    "ol": "`1. ` before each item", "pre": "a fence: ``` on lines of its own", "table": "a table: | a | b | and |---|---| below it",
    "tr": "a table: | a | b | and |---|---| below it", "td": "a table: | a | b | and |---|---| below it",
    "a": "the address into sources:", "img": "nothing: an experiment draws what a card shows",
}  # fmt: skip
_NAMES = (
    "a|abbr|aside|b|big|blockquote|body|br|center|cite|code|dd|del|details|div|dl|dt|em|figcaption|figure|font|h[1-6]|head|hr|html|i|iframe|img"
    "|ins|kbd|li|mark|ol|p|pre|script|small|span|strike|strong|style|sub|summary|sup|svg|table|tbody|td|th|thead|tr|tt|u|ul|var|video"
)  # without s and mask, which are tokens of models


def _tag(found: Match) -> Said:
    name, text = (found[1] or "").lower(), found.string
    if len(name) == 1 and text[found.start() - 1 : found.start()].isalnum() and f"</{name}>" not in text.lower():
        return None  # a < b > c
    return f"{_short(found[0])} is shown as typed: HTML is not part of card text", f"write {_TAGS[name]}" if name in _TAGS else "delete it"


def _entity(found: Match) -> Said:
    character = html.unescape(found[0])
    if character == found[0]:
        return None
    seen = character if character.isprintable() and not character.isspace() else "a space"
    return f"{found[0]} is shown as typed: it is an entity of HTML", f"write {seen}"


def _command(found: Match) -> Said:
    if is_command(found[1]):
        return f"\\{found[1]} is shown as typed: it stands in no formula", _DOLLARS
    return None


def _lone_dollar(found: Match) -> Said:
    """A dollar that opens no formula, unless it is money or the name of a variable."""
    rest = found.string[found.end() :]
    inside, closed, behind = rest.partition("$")
    if "\n\n" not in inside and closed and _FORMULA.search(inside):
        if inside != inside.strip():
            return "this $ opens no formula, because there is a space inside the dollars", f"write ${_short(inside.strip())}$"
        if behind[:1].isdigit():
            return (
                "this $ opens no formula, because a digit follows the closing one",
                "put a space or a word between the formula and the digit",
            )
    if re.match(r"\\[A-Za-z]|[A-Za-z](?![A-Z])|\{|\d+[A-Za-z]?[\^_\\]", rest):
        return "this $ opens no formula: none closes it", "write $x$; a dollar itself is written \\$"
    return None


def _backslash(found: Match) -> Said:
    rest = found.string[found.end() :]
    if found[1] == "(" and "\\)" in rest:
        return "\\( is shown as typed: a formula stands between dollars", "write $...$"
    if found[1] == "[" and "\\]" in rest:
        return "\\[ is shown as typed: a formula stands between dollars", "write $$...$$, on lines of its own"
    return f"the backslash before {found[1]} is shown as typed", "delete it"


def _as_list(found: Match) -> Said:
    return f"{found['at']} begins no item here: the lines are joined to one", "begin each item with `- `, or with `1. `"


def _short(text: str) -> str:
    return text if len(text) <= 30 else f"{text[:27]}..."


def _always(message: str, hint: str) -> Callable[[Match], Said]:
    return lambda found: (message, hint)


_FORMULA = re.compile(r"[\\^_=]|^\s*[A-Za-z]\s*$|[A-Za-z]\(|[\u0370-\u03ff]")
BULLETS = "•●◦▪‣∙·・–—－﹣−①-⑳"  # what begins an item in other texts
_ITEM = r"\d\u20e3|[（(]?\d{1,2}[、）．]|[（(]\d{1,2}\)|\d{1,2}\.(?=[^\s\d])|-(?=[^\s\d-])"
_ITEMS = rf"^[ \t]*(?P<at>[{BULLETS}]|{_ITEM})[^\n]*\n(?:[^\n]*\n)*?[ \t]*(?:[{BULLETS}]|{_ITEM})"
_PATTERNS: tuple[tuple[re.Pattern[str], Callable[[Match], Said]], ...] = tuple(
    (re.compile(pattern, re.MULTILINE), say)
    for pattern, say in (
        (r"^ {0,3}#{1,6} ", _always("headings are not part of card text", "make it **strong**")),
        (r"^ {0,3}>", _always("quotations are not part of card text", "write it as a paragraph")),
        (r"^ {0,3}(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*$", _always("rules are not part of card text", "leave an empty line")),
        (r"!\[[^\]\n]{0,200}\]\(|!\[\[", _always("pictures are not part of card text", "an experiment draws what a card shows")),
        (
            r"(?<!!)\[[^\]\n]{1,200}\]\((?:https?:|mailto:|www\.|\.{0,2}/)|<(?:https?|mailto):",
            _always("links are not part of card text", "put the address into sources:"),
        ),
        (r"~~\S", _always("struck text is not part of card text", "delete it")),
        (
            r"^[ \t]*(?:[-+*] )?\[[ xX]\] ",
            _always("tick boxes are not part of card text", "what is to be ticked off belongs into key_points:"),
        ),
        (
            r"(?<!\\)\$\$",
            _always(
                "$$ is shown as typed here: it opens or closes no formula", "write $$ before and behind it, with no empty line between"
            ),
        ),
        (r"(?<![\\$])\$(?!\$)", _lone_dollar),
        (rf"(?i:</?({_NAMES})(?:\s[^<>\n]{{0,300}})?/?>)|<!--", _tag),
        (r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});", _entity),
        (r"\\([_(\[<.!{])", _backslash),
        (r"\\([A-Za-z]{2,})", _command),
        (
            r"\\n(?![a-z])",
            _always("\\n is shown as typed: it breaks no line here", "write the text as a block: `answer: |` and lines below it"),
        ),
        (r"\[/?(?:latex|\${1,2})\]", lambda found: (f"{found[0]} is shown as typed: it is Anki's", _DOLLARS)),
        (r"\[sound:", _always("sounds are not part of card text", "delete it")),
        (r"(?<![\w=])==(?=[^\s=])[^=\n]{1,200}(?<=\S)==(?![\w=])", _always("== marks nothing here", "make it **strong**")),
        (
            r"\[\[[^\[\]\d,\n][^\[\],\n]{0,100}\]\]",
            _always("[[ makes no link here", "write the words, or put the card's id into follow_ups:"),
        ),
        (r"\[\^[\w-]{1,20}\]", _always("footnotes are not part of card text", "write the note into the text")),
        (
            r"(?<!\w)__(?=[^\s_])[^_\n]{0,200}[^\w\n][^_\n]{0,200}(?<=[^\s_])__(?!\w)",
            _always("__ is shown as typed", "make it **strong**, with stars"),
        ),
        (
            r"(?<!\w)_(?=[^\s_])[^_\n]{0,200}\s[^_\n]{0,200}(?<=[^\s_])_(?!\w)",
            _always("_ is shown as typed", "make it *emphasis*, with stars"),
        ),
        (r"^[ \t]*\|.*\|[ \t]*$", _always("this row belongs to no table", "a table has a line of dashes below its head: |---|---|")),
        (_ITEMS, _as_list),
    )
)


def shown_as_typed(content: str, in_cell: bool = False) -> Iterator[Remark]:
    """Every kind once, at the first place in a paragraph or a cell; code and formulas are blanked in the content."""
    for pattern, say in _PATTERNS:
        if in_cell and pattern.pattern.startswith("^"):
            continue
        for found in pattern.finditer(content):
            if said := say(found):
                yield Remark(found.start(), *said, "warning")
                break
