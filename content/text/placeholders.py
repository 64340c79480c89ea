"""Live numbers: {{name}}, or {{2 * name}}, in a text is replaced by what the run measured, and how it is written for a person."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from content.messages.sentence import say
from content.text.numbers import significant
from content.text.remark import Remark

_LIVE = re.compile(r"\{\{\s*(?!c\d+\s*::)([A-Za-z0-9_(+-][\w .,()\[\]+*/%:-]*?)\s*(?::(,?(?:\.\d)?[efg%]?))?\s*\}\}", re.ASCII)
_CLOZE = re.compile(r"\{\{\s*c\d+\s*::")
_SINGLE = re.compile(r"(?<![{\\^_}A-Za-z])\{\s*([A-Za-z_]\w*)\s*(:,?(?:\.\d)?[efg%]?)?\s*\}\}?", re.ASCII)  # not x_{i}, \frac{a}{b}
_ASIDE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|\$\$.*?\$\$|\$[^$\n]+\$", re.DOTALL)  # code and formulas have braces of their own


def fill(text: str, scope: Mapping[str, object], missing: str = "…") -> str:
    """The text with its numbers; `missing` stands where the scope has no number of that name."""

    def number(found: re.Match[str]) -> str:
        value = scope.get(found[1])
        if isinstance(value, bool) or not isinstance(value, int | float):
            return missing
        return _formatted(value, found[2] or "")

    return _LIVE.sub(number, text)


def live_number(text: str, at: int) -> re.Match[str] | None:
    """The live number that begins at a character, as it is written."""
    return _LIVE.match(text, at)


def _formatted(number: float, spec: str) -> str:
    if not spec or not abs(number) < 1e300:  # nan, infinity and whole numbers that no float can hold
        return significant(number)
    if spec == ",":
        return f"{round(number):,}" if abs(number) >= 1000 else significant(number)
    if number == 0 and spec.endswith("e"):
        return "0"  # of nothing there is no order of magnitude
    written = format(float(number), spec)
    return written.removeprefix("-") if not any(digit in written for digit in "123456789") else written


def placeholder_names(text: str) -> Mapping[str, int]:
    """The names and expressions that a text wants filled, each once, in order, and where each begins first."""
    first: dict[str, int] = {}
    for found in _LIVE.finditer(text) if "{{" in text else ():
        first.setdefault(found[1], found.start())
    return first


def blank_placeholders(text: str) -> str:
    """The text with a 0 for every live number and every other character where it was: for checking what stands around them."""
    return _LIVE.sub(lambda found: "0".ljust(len(found[0])), text)


def placeholder_problems(text: str) -> tuple[Remark, ...]:
    """Every {{ that opens no live number."""
    if "{{" not in text:
        return ()
    return tuple(Remark(found.start(), *_no_number(text, found.start())) for found in re.finditer(r"\{\{", blank_placeholders(text)))


def _no_number(text: str, start: int) -> tuple[str, str]:
    if _CLOZE.match(text, start):
        return say("this is a cloze of Anki, and a card has none"), say(
            "write the sentence out; what is to be remembered is the card's answer"
        )
    return (
        say("{{ opens no live number here"),
        say("write {{name}}, {{name:.1f}}, {{2 * name:,}} or {{name:.0%}}; in a formula put a space between two braces"),
    )


def has_single_braces(text: str) -> bool:
    """Whether a word stands in one pair of braces: most texts have none."""
    return "{" in text and _SINGLE.search(text) is not None


def single_braces(text: str, names: Collection[str]) -> Iterator[Remark]:
    """A name of the card's run, or what looks like one, in one pair of braces: it would be shown as typed."""
    for found in _SINGLE.finditer(_ASIDE.sub(lambda aside: " " * len(aside[0]), blank_placeholders(text))):
        if found[1] in names or found[2] or "_" in found[1]:
            written = f"{{{{{found[1]}{found[2] or ''}}}}}"
            hint = (
                say("write {written}", written=written)
                if found[1] in names
                else say("write {written} if the run gives {name} here; code stands between `", written=written, name=found[1])
            )
            told = say("{written} is shown as typed: a live number has two braces", written=found[0])
            yield Remark(found.start(), told, hint, "warning")
