"""A slip anywhere in a deck is told at its own line, wherever YAML notices it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest

from content.deck.library import Given, load_bytes
from content.deck.new_card import sample_deck
from content.yaml.yaml_mistakes import mistake_in, obvious_mistake

LINES = sample_deck("mine", "en", "file:///schema.json").split("\n")
TRIED = 12  # lines for each slip


def to(pattern: str, replacement: str) -> Callable[[str], str]:
    return lambda line: re.sub(pattern, replacement, line, count=1)


SLIPS = {
    "no space after the colon": to(r"^(\s*(?:- )?[a-z_]+): (\S)", r"\1:\2"),
    "a full-width colon": to(r"^(\s*(?:- )?[a-z_]+): ?", r"\1："),
    "a full-width colon and a space": to(r"^(\s*(?:- )?[a-z_]+): ", r"\1： "),
    "no space after the dash": to(r"^(\s*)- ", r"\1-"),
    "no closing quote": to(r"([\"'])([,}]|$)", r"\2"),
    "no closing bracket": to(r"((?::|-) [\[{].*)[\]}]\s*$", r"\1"),
    "no comma": to(r", (?=[a-z_]+: )", " "),
    "a full-width comma": to(r", (?=[a-z_]+: )", "，"),
    "a colon in a text": to(r"^(\s*(?:- )?[a-z_]+: [A-Z]\w* ?\w+)", r"\1: x"),
    "a tab": to(r"^  ", "\t"),
    "a space of another kind": to(r"^    (?=[a-z_]+:)", "   \u00a0"),
    "no colon": to(r"^(\s*(?:en|zh)):", r"\1"),
    **{f"{mark} at the start": to(r"^(\s*(?:- )?(?:en|zh): )(\w)", rf"\1{mark}\2") for mark in "[{*&@`%>|!#"},
}
QUIET = {"no comma", "a full-width comma"}  # {en: a b, c: d} is a text with a comma in it, and may be meant


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_told_at_its_line(slip: str) -> None:
    """One of the first three problems is at the line that was changed."""
    change = SLIPS[slip]
    places = [number for number, line in enumerate(LINES) if change(line) != line and not line.lstrip().startswith("#")]
    assert places
    for number in random.Random(slip).sample(places, min(TRIED, len(places))):
        text = "\n".join([*LINES[:number], change(LINES[number]), *LINES[number + 1 :]])
        _, problems = load_bytes(Given("mine.yaml", text.encode()))
        if problems or slip not in QUIET:
            assert number + 1 in [problem.line for problem in problems[:3]], f"{change(LINES[number])!r}: {problems[:1]}"


def test_a_sound_line_shows_no_slip() -> None:
    """Hardly anything in a good deck looks like a slip, or a fault elsewhere would be blamed on it; `不变：` in a text may be a key."""
    shown = [line for line in LINES if not line.startswith("#") and (mistake_in(line) or obvious_mistake(line))]

    assert [] == [line for line in shown if "不变：" not in line]
    assert [] == [line for line in shown if obvious_mistake(line)]


def test_what_stands_in_a_comment_is_no_slip() -> None:
    """A colon, a quote or a bracket behind a # was not read as anything."""
    assert None is mistake_in("set: p  # note: the 'probability")
    assert None is not mistake_in("answer: the note: it says  # fine")


def test_a_sharp_in_quotes_begins_no_comment() -> None:
    """The text goes on behind it, and so may the slip."""
    found = mistake_in("answer: 'number # of heads' and more")

    assert found is not None
    assert "the text ends at this apostrophe" == found.message
