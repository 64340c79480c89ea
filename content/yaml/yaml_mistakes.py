"""What people really type where YAML wants something else: the slip that a line shows, and what to do about it."""

from __future__ import annotations

import re
from typing import NamedTuple

from content.format import KEYS
from content.messages.sentence import say, template

_LOOKED_AT = 1_000  # characters of a line; a longer one is not what a person typed

ESCAPES = say("in double quotes a backslash starts an escape; write LaTeX in single quotes, or each backslash twice")
QUOTES = say("put the whole text in quotes")
BLOCK = (
    say("text stands on the line of the | or >"),
    say("start the text on the next line, indented; if the text itself begins with | or >, put it in quotes"),
)


class Mistake(NamedTuple):
    """`column` counts from 0, in characters."""

    column: int
    message: str
    hint: str


_KEY = r"^\s*(?:-\s+)*[\w.-]{1,60}"
_FLOW = r"(?<!\{)[{,]\s*[A-Za-z_]{1,60}"  # a key between braces, not a live number
_IN_FLOW = r"[\[{,]\s*(?:[\w-]{1,60}:\s+)?"
_DASHES = (
    "－—–−‐‑‒―﹣﹘⁃•●◦○▪▫■□‣∙·・►▶➤✓"  # what stands for the dash of an item in other texts, or is typed for it with a Chinese keyboard
)
_CLUES = tuple(
    (re.compile(pattern), message, hint)
    for pattern, message, hint in (
        (r"(?P<at>^(?:<{7}|={7}|>{7}|\|{7})(?:\s|$))", say("a merge conflict was left in the file"),
         say("keep one of the two versions and delete the lines that start with <<<<<<<, ======= and >>>>>>>")),
        (r"^(?P<at>```|~~~)", say("this is a fence of Markdown; the file itself is YAML"), say("delete the line")),
        (rf"^\s*(?P<at>[{_DASHES}])\s*\S", template("{at} begins no item of a list"), say("write an ordinary hyphen and a space: `- `")),
        (r"^\s*(?P<at>[*+])\s+\S", template("{at} begins no item of a list"), say("write a hyphen and a space: `- `")),
        (r"^\s*-\s+(?P<at>\[[ xX]?\])\s", say("a tick box has no meaning in YAML"),
         say("an option is `- text: ...`, with `right: true` where it is right; if this is a text, put it in quotes")),
        (r"^\s*-(?P<at>\t)", say("a tab stands after the dash"), say("write an ordinary space")),
        (_KEY + r"(?P<at>：)", say("a full-width colon stands after the key"), say("write an ordinary colon and a space")),
        (_KEY + r":\s+(?P<at>[｛［])", template("{at} is a full-width bracket"), say("write an ordinary one")),
        (_FLOW + r"(?P<at>：)", say("a full-width colon stands after the key"), say("write an ordinary colon and a space")),
        (r"[\[{].*?[^\s\[{](?P<at>，)\s*(?:[\w-]{1,60}:\s|['\"])", say("a full-width comma stands between two values"),
         say("write an ordinary comma and a space")),
        (r"^ *-(?P<at>[\u00a0\u2000-\u200a\u3000])", say("a space of another kind stands after the dash"), say("write an ordinary space")),
        (r"^ *(?P<at>[\u00a0\u2000-\u200a\u3000])", say("the line starts with a space of another kind"),
         say("indent with ordinary spaces")),
        (_KEY + r":(?P<at>[\u00a0\u2000-\u200a\u3000])", say("a space of another kind stands after the colon"),
         say("write an ordinary space")),
        (r"^\s*(?:-\s+)*[A-Za-z_]+(?P<at>:)[^\s:/]", say("a space is missing after the colon"), say("write `key: value`")),
        (_FLOW + r"(?P<at>:)[^\s:/]", say("a space is missing after the colon"), say("write `key: value`")),
        (r"^\s*(?P<at>-)[^\s-]", say("a space is missing after the dash"), say("write `- item`")),
        (_KEY + r":\s+(?P<at>-)\s", say("a list cannot start on the line of its key"),
         say("start it on the next line, each item with `- `; if this is a text, put it in quotes")),
        (_KEY + r":\s+(?P<at>[|>])[-+0-9]*\s*[^\s#0-9+-]", *BLOCK),
        (r"(?:^\s*-|:)\s+(?P<at>[@`%,\]}*&])", template("a text cannot start with {at}"), QUOTES),
        (r"(?:^\s*-|[:,])\s+(?P<at>[\[{])[^\[\]{}]*[\]}]\s*[^\s,\]}#:]", template("a text cannot start with {at}"), QUOTES),
        (_IN_FLOW + r"'(?:[^']|'')*(?P<at>')\s*[^\s',\]}#:]", say("the text ends at this apostrophe"),
         say("put a comma after it; an apostrophe inside the text is written twice")),
        (_IN_FLOW + r'"(?:[^"\\]|\\.)*(?P<at>")\s*[^\s",\]}#:]', say("the text ends at this quote"),
         say('put a comma after it; a quote inside the text is written \\"')),
        (r"(?:^\s*-|:)\s+'(?:[^']|'')*(?P<at>')\s*[^\s',\]}#]", say("the text ends at this apostrophe"),
         say("put the whole text in double quotes, or write the apostrophes inside it twice")),
        (r'(?:^\s*-|:)\s+"(?:[^"\\]|\\.)*(?P<at>")\s*[^\s",\]}#]', say("the text ends at this quote"),
         say('put the whole text in single quotes, or write each quote inside it as \\"')),
        (_KEY + r":\s+(?P<at>[“”‘’「『]).*:(?:\s|$)", template("{at} is no quotation mark to YAML"),
         say("put the whole text in \" or ' as well")),
        (_KEY + r":\s+[^\s'\"\[{|>#].*?(?P<at>:)(?:\s|$)", say("a colon and a space inside a text without quotes"), QUOTES),
        (r"[{,]\s*[\w-]{1,60}:\s+[^\s'\"\[{,}][^,}]*?(?P<at>:)(?:\s|$)", say("a colon and a space inside a text without quotes"), QUOTES),
    )
)  # fmt: skip
_OWN = f"(?:{'|'.join(sorted(KEYS))})"
_OBVIOUS = tuple(
    (re.compile(pattern), message, hint)
    for pattern, message, hint in (
        (rf"^\s*(?:-\s*)?{_OWN}(?P<at>:)[^\s:/]", say("a space is missing after the colon"), say("write `key: value`")),
        (rf"^\s*(?:-\s*)?{_OWN}(?P<at>：)", say("a full-width colon stands after the key"), say("write an ordinary colon and a space")),
        (rf"^\s*(?P<at>[{_DASHES}*+])\s*{_OWN}[:：]", template("{at} begins no item of a list"),
         say("write an ordinary hyphen and a space: `- `")),
        (rf"^\s*(?P<at>-){_OWN}[:：]", say("a space is missing after the dash"), say("write `- item`")),
        (rf"^ *(?P<at>[\u00a0\u2000-\u200a\u3000])\s*(?:-\s*)?{_OWN}[:：]", say("the line starts with a space of another kind"),
         say("indent with ordinary spaces")),
        (r"^\s*(?:-\s+)?(?:experiment|kind|level|asked|id|deck|quantity|within|wrong_line|format)(?P<at>)\s+[\w.%-]+$",
         say("a colon is missing after the key"), say("write `key: value`")),
        (rf"^\s*(?:-\s+)?(?:(?:en|zh)(?P<at>)\s\S|{_OWN}(?P<end>)\s*(?:[>|][-+]?)?$)", say("a colon is missing after the key"),
         say("write `key: value`")),
    )
)  # fmt: skip
_ASTRAY = re.compile(rf"^(?P<at>(?!(?:format|deck|formerly|title|defaults|cards):){_OWN}):(?:\s|$)")
_SWALLOWED = re.compile(r"\n[ \t]*([•●◦▪‣－])|\n[ \t]*(-) ")  # an item that is no item, and goes on with the text above
_COMMENT = re.compile(r"\s#.*")


def mistake_in(line: str) -> Mistake | None:
    """The usual slip that a line shows, if it shows one; for lines that did not become what their author meant."""
    return _first(_CLUES, line)


def obvious_mistake(line: str) -> Mistake | None:
    """A slip with one of a deck's own keys, which no text is likely to look like; for lines above the one that YAML stumbled over."""
    return _first(_OBVIOUS, line)


def astray(line: str) -> Mistake | None:
    """A card's key in the first column, where the deck's keys stand; for lines near the one that YAML stumbled over."""
    found = _ASTRAY.match(line)
    return (
        Mistake(
            0, say("{at} stands in the first column, among the deck's keys", at=found["at"]), say("indent it as deep as its neighbours")
        )
        if found
        else None
    )


def _first(table: tuple[tuple[re.Pattern[str], str, str], ...], line: str) -> Mistake | None:
    said = _said(line[:_LOOKED_AT])
    for pattern, message, hint in table:
        if found := pattern.search(said):
            at = next(name for name, text in found.groupdict().items() if text is not None)
            return Mistake(found.start(at), say(message, at=found[at]) if "{at}" in message else message, hint)
    return None


def swallowed_dash(text: str, start: int, end: int) -> tuple[int, str, str] | None:
    """Where a line of a text without quotes begins with a dash that begins no item, what to say of it and what to do."""
    if not (found := _SWALLOWED.search(text, text.rfind("\n", 0, start) if text[start] in "•●◦▪‣－" else start, end)):
        return None
    if found[1]:
        hint = say("write a list as `- ` and its item, each on a line of its own; if it belongs to the text, {quotes}", quotes=QUOTES)
        return found.start(1), say("{written} begins no item: the lines are one text", written=found[1]), hint
    hint = say("put the dash below the one above; if it belongs to the text, {quotes}", quotes=QUOTES)
    return found.start(2), say("this dash begins no item: it stands deeper than the list, in the text above"), hint


def missing_value(key: str, line: str, *, flow: bool) -> tuple[str, str]:
    """What to say of a key without a value, and what to do; `flow` is within braces."""
    if flow and (found := re.fullmatch(r"[\w.-]{1,60}([:：]).+", key)):
        colon = say("a space is missing after the colon") if found[1] == ":" else say("a full-width colon stands after the key")
        return colon, say("write `key: value`")
    nothing = say("{key} has no value", key=excerpt(key))
    if flow:
        return nothing, say("a text with a comma in it, or one that begins with {, needs quotes here")
    if line.lstrip(" -").startswith("? "):
        return say("a text cannot start with ? and a space"), QUOTES
    if re.search(re.escape(key) + r"\s*:\s+#", line):
        return nothing, say("what begins with # is a comment; if it is the text, put it in quotes")
    return nothing, say("write one, or delete the line")


def excerpt(text: str) -> str:
    """A short form of what somebody typed, for a sentence about it."""
    short = text if len(text) <= 40 else f"{text[:37]}..."
    return short if re.fullmatch(r"\S+", short) else f'"{short}"'


def _said(line: str) -> str:
    """The line without its comment; a # within quotes begins none."""
    comment = next((found for found in _COMMENT.finditer(line) if all(line.count(mark, 0, found.start()) % 2 == 0 for mark in "'\"")), None)
    return line[: comment.start()] if comment else line
