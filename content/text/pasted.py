"""What people bring along from Markdown, web pages, Anki, Notion and LaTeX, and what a card would show as typed."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator

from content.messages.sentence import say
from content.text.latex_signs import is_command
from content.text.remark import Remark

Match = re.Match[str]
_DOLLARS = say("put the formula between dollars: $\\sqrt{d_k}$")
Said = tuple[str, str] | None  # what to say and what to do, or that it was nothing

_APART, _ITEMS_OF = say("an empty line between paragraphs"), say("`- ` before each item")
_TABLE = say("a table: | a | b | and |---|---| below it")
_TAGS = {
    "b": "**strong**", "strong": "**strong**", "i": "*emphasis*", "em": "*emphasis*", "code": "`code`", "kbd": "`code`", "tt": "`code`",
    "br": say("a line break: leave an empty line, or begin each line with `- `"), "p": _APART, "div": _APART,
    "sub": "$x_i$", "sup": "$x^2$", "li": _ITEMS_OF, "ul": _ITEMS_OF, "ol": say("`1. ` before each item"),
    "pre": say("a fence: ``` on lines of its own"), "table": _TABLE, "tr": _TABLE, "td": _TABLE,
    "a": say("the address into sources:"), "img": say("nothing: an experiment draws what a card shows"),
}  # fmt: skip
_NAMES = (
    "a|abbr|aside|b|big|blockquote|body|br|center|cite|code|dd|del|details|div|dl|dt|em|figcaption|figure|font|h[1-6]|head|hr|html|i|iframe|img"
    "|ins|kbd|li|mark|ol|p|pre|script|small|span|strike|strong|style|sub|summary|sup|svg|table|tbody|td|th|thead|tr|tt|u|ul|var|video"
)  # without s and mask, which are tokens of models


def _tag(found: Match) -> Said:
    name, text = (found[1] or "").lower(), found.string
    if len(name) == 1 and text[found.start() - 1 : found.start()].isalnum() and f"</{name}>" not in text.lower():
        return None  # a < b > c
    return say("{tag} is shown as typed: HTML is not part of card text", tag=_short(found[0])), say(
        "write {written}", written=_TAGS[name]
    ) if name in _TAGS else say("delete it")


def _entity(found: Match) -> Said:
    character = html.unescape(found[0])
    if character == found[0]:
        return None
    seen = character if character.isprintable() and not character.isspace() else say("a space")
    return say("{written} is shown as typed: it is an entity of HTML", written=found[0]), say("write {seen}", seen=seen)


def _command(found: Match) -> Said:
    if is_command(found[1]):
        return say("\\{written} is shown as typed: it stands in no formula", written=found[1]), _DOLLARS
    return None


def _lone_dollar(found: Match) -> Said:
    """A dollar that opens no formula, unless it is money or the name of a variable."""
    rest = found.string[found.end() :]
    inside, closed, behind = rest.partition("$")
    if "\n\n" not in inside and closed and _FORMULA.search(inside):
        if inside != inside.strip():
            return say("this $ opens no formula, because there is a space inside the dollars"), say(
                "write ${formula}$", formula=_short(inside.strip())
            )
        if behind[:1].isdigit():
            return (
                say("this $ opens no formula, because a digit follows the closing one"),
                say("put a space or a word between the formula and the digit"),
            )
    if re.match(r"\\[A-Za-z]|[A-Za-z](?![A-Z])|\{|\d+[A-Za-z]?[\^_\\]", rest):
        return say("this $ opens no formula: none closes it"), say("write $x$; a dollar itself is written \\$")
    return None


def _backslash(found: Match) -> Said:
    rest = found.string[found.end() :]
    if found[1] == "(" and "\\)" in rest:
        return say("\\( is shown as typed: a formula stands between dollars"), say("write $...$")
    if found[1] == "[" and "\\]" in rest:
        return say("\\[ is shown as typed: a formula stands between dollars"), say("write $$...$$, on lines of its own")
    return say("the backslash before {written} is shown as typed", written=found[1]), say("delete it")


def _as_list(found: Match) -> Said:
    return say("{at} begins no item here: the lines are joined to one", at=found["at"]), say("begin each item with `- `, or with `1. `")


def _short(text: str) -> str:
    return text if len(text) <= 30 else f"{text[:27]}..."


def _always(message: str, hint: str) -> Callable[[Match], Said]:
    return lambda found: (message, hint)


_FORMULA = re.compile(r"[\\^_=]|^\s*[A-Za-z]\s*$|[A-Za-z]\(|[\u0370-\u03ff]")
BULLETS = "•●◦▪‣∙·・–—－﹣−①-⑳"  # what begins an item in other texts
_ITEM = r"\d\u20e3|[（(]?\d{1,2}[、）．]|[（(]\d{1,2}\)|\d{1,2}\.(?=[^\s\d])|-(?=[^\s\d-])"
_ITEMS = rf"^[ \t]*(?P<at>[{BULLETS}]|{_ITEM})[^\n]*\n(?:[^\n]*\n)*?[ \t]*(?:[{BULLETS}]|{_ITEM})"
_PATTERNS: tuple[tuple[re.Pattern[str], Callable[[Match], Said]], ...] = tuple(
    (re.compile(pattern, re.MULTILINE), remark)
    for pattern, remark in (
        (r"^ {0,3}#{1,6} ", _always(say("headings are not part of card text"), say("make it **strong**"))),
        (r"^ {0,3}>", _always(say("quotations are not part of card text"), say("write it as a paragraph"))),
        (r"^ {0,3}(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*$", _always(say("rules are not part of card text"), say("leave an empty line"))),
        (r"!\[[^\]\n]{0,200}\]\(|!\[\[", _always(say("pictures are not part of card text"), say("an experiment draws what a card shows"))),
        (
            r"(?<!!)\[[^\]\n]{1,200}\]\((?:https?:|mailto:|www\.|\.{0,2}/)|<(?:https?|mailto):",
            _always(say("links are not part of card text"), say("put the address into sources:")),
        ),
        (r"~~\S", _always(say("struck text is not part of card text"), say("delete it"))),
        (
            r"^[ \t]*(?:[-+*] )?\[[ xX]\] ",
            _always(say("tick boxes are not part of card text"), say("what is to be ticked off belongs into key_points:")),
        ),
        (
            r"(?<!\\)\$\$",
            _always(
                say("$$ is shown as typed here: it opens or closes no formula"),
                say("write $$ before and behind it, with no empty line between"),
            ),
        ),
        (r"(?<![\\$])\$(?!\$)", _lone_dollar),
        (rf"(?i:</?({_NAMES})(?:\s[^<>\n]{{0,300}})?/?>)|<!--", _tag),
        (r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});", _entity),
        (r"\\([_(\[<.!{])", _backslash),
        (r"\\([A-Za-z]{2,})", _command),
        (
            r"\\n(?![a-z])",
            _always(say("\\n is shown as typed: it breaks no line here"), say("write the text as a block: `answer: |` and lines below it")),
        ),
        (r"\[/?(?:latex|\${1,2})\]", lambda found: (say("{written} is shown as typed: it is Anki's", written=found[0]), _DOLLARS)),
        (r"\[sound:", _always(say("sounds are not part of card text"), say("delete it"))),
        (r"(?<![\w=])==(?=[^\s=])[^=\n]{1,200}(?<=\S)==(?![\w=])", _always(say("== marks nothing here"), say("make it **strong**"))),
        (
            r"\[\[[^\[\]\d,\n][^\[\],\n]{0,100}\]\]",
            _always(say("[[ makes no link here"), say("write the words, or put the card's id into follow_ups:")),
        ),
        (r"\[\^[\w-]{1,20}\]", _always(say("footnotes are not part of card text"), say("write the note into the text"))),
        (
            r"(?<!\w)__(?=[^\s_])[^_\n]{0,200}[^\w\n][^_\n]{0,200}(?<=[^\s_])__(?!\w)",
            _always(say("__ is shown as typed"), say("make it **strong**, with stars")),
        ),
        (
            r"(?<!\w)_(?=[^\s_])[^_\n]{0,200}\s[^_\n]{0,200}(?<=[^\s_])_(?!\w)",
            _always(say("_ is shown as typed"), say("make it *emphasis*, with stars")),
        ),
        (
            r"^[ \t]*\|.*\|[ \t]*$",
            _always(say("this row belongs to no table"), say("a table has a line of dashes below its head: |---|---|")),
        ),
        (_ITEMS, _as_list),
    )
)


def shown_as_typed(content: str, in_cell: bool = False) -> Iterator[Remark]:
    """Every kind once, at the first place in a paragraph or a cell; code and formulas are blanked in the content."""
    for pattern, remark in _PATTERNS:
        if in_cell and pattern.pattern.startswith("^"):
            continue
        for found in pattern.finditer(content):
            if said := remark(found):
                yield Remark(found.start(), *said, "warning")
                break
