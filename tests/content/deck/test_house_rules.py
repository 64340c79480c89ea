"""Each rule of our own decks can be broken, and then it is one error with its place and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from content.deck.house_rules import broken_rules
from content.deck.library import load
from content.yaml.problems import Problem

SOUND = """\
deck: sample
title: {en: Sample, zh: 样例}
defaults: {tags: [attention]}
cards:
  - id: one
    kind: choice
    asked: 3
    question: {en: Which of these?, zh: 哪一个？}
    hint: [{en: Think., zh: 想一想。}]
    options:
      - {text: {en: this, zh: 这个}, right: true, why: {en: so, zh: 如此}}
      - {text: {en: that, zh: 那个}, why: {en: no, zh: 不}}
      - {text: {en: O(n²), zh: O(n²)}, why: {en: no, zh: 不}}
    key_points: [{en: a, zh: 甲}, {en: b, zh: 乙}, {en: c, zh: 丙}]
    answer: {en: This one it is., zh: 就是这个。}
    verify:
      experiment: multi_head
      claims:
        - {says: {en: It is., zh: 是。}, check: a < 1}
        - {says: {en: It is., zh: 是。}, check: a < 1}
    follow_ups: [two]
    sources: [a paper]
    checked: 2026-11-29
"""


MANY = "        - {says: {en: It is., zh: 是。}, check: a < 1}\n" * 6


def broken(tmp_path: Path, text: str) -> list[Problem]:
    path = tmp_path / "deck.yaml"
    path.write_text(text, encoding="utf-8")
    (loaded,) = load((path,)).files
    return list(broken_rules(loaded))


def test_a_card_that_keeps_all_rules(tmp_path: Path) -> None:
    """Nothing is said of it."""
    assert [] == broken(tmp_path, SOUND)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("    asked: 3\n", "", 5, "one has no asked"),
        ("defaults: {tags: [attention]}\n", "", 4, "one has no tags"),
        ("    answer: {en: This one it is., zh: 就是这个。}\n", "", 5, "one has no answer"),
        ("    sources: [a paper]\n", "", 5, "one has no sources"),
        ("    checked: 2026-11-29\n", "", 5, "one has no checked"),
        ("    key_points: [{en: a, zh: 甲}, {en: b, zh: 乙}, {en: c, zh: 丙}]\n", "", 5, "one has no key_points"),
        (", {en: b, zh: 乙}, {en: c, zh: 丙}]", "]", 14, "key points: 1; our cards have 3 to 6"),
        (", {en: c, zh: 丙}]", ", c, d, e, f, g]", 14, "key points: 7; our cards have 3 to 6"),
        ("        - {says: {en: It is., zh: 是。}, check: a < 1}\n" * 2, MANY, 17, "claims: 6; our cards have 1 to 5"),
        ("    hint: [{en: Think., zh: 想一想。}]\n", "", 5, "hints: 0; our cards have 1 to 4"),
        ("[{en: Think., zh: 想一想。}]", "[a, b, c, d, e]", 9, "hints: 5; our cards have 1 to 4"),
        ("This one it is.", "word " * 133, 15, "the answer takes longer than half a minute: 133, and 120 can be said"),
        ("就是这个。", "字" * 243, 15, "the answer takes longer than half a minute: 243, and 220 can be said"),
        ("      - {text: {en: that, zh: 那个}, why: {en: no, zh: 不}}\n", "", 11, "options: 2; our cards have 3 to 4"),
        ("{en: that, zh: 那个}", "{en: that, zh: 那个}, right: true", 11, "2 of the options are right"),
        ("{en: that, zh: 那个}, why: {en: no, zh: 不}", "{en: that, zh: 那个}", 12, "option 2 does not say why"),
        ("{en: This one it is., zh: 就是这个。}", "This one.", 15, "strict asks for both languages; answer is one text"),
        ("{en: This one it is., zh: 就是这个。}", "就是这个。", 15, "strict asks for both languages; answer is one text"),
        ("{en: This one it is., zh: 就是这个。}", "{zh: 就是这个。}", 15, "the en of answer is missing"),
        ("{en: Sample, zh: 样例}", "{en: Sample}", 2, "the zh of title is missing"),
        ("zh: 就是这个。", "zh: This one it is.", 15, "the zh of answer has no Chinese in it"),
        ("[two]", "[one]", 21, "one follows itself"),
        ("[two]", "[sample/one]", 21, "sample/one follows itself"),
        ("id: one\n", "id: one\n    formerly: [two]\n", 22, "two follows itself"),
        ("{en: Think., zh: 想一想。}", "{en: think, zh: 想一想}, {en: again}", 9, "the zh of item 2 of hint is missing"),
    ],
)
def test_each_rule(tmp_path: Path, old: str, new: str, line: int, message: str) -> None:
    """A rule that is broken is told first where it is broken, as an error, with what to do."""
    assert old in SOUND
    first, *_ = broken(tmp_path, SOUND.replace(old, new, 1))

    assert ("error", line, message) == (first.severity, first.line, first.message)
    assert first.hint


@pytest.mark.parametrize(
    ("left", "missing"), [("", ["compare", "agrees"]), ("compare: a", ["agrees"]), ("compare: a\n      agrees: wrong > a", [])]
)
def test_a_listing_is_run(tmp_path: Path, left: str, missing: list[str]) -> None:
    """A code card of ours says what is compared, and that it is the mistake of its run."""
    options, points = SOUND.index("    options:"), SOUND.index("    key_points:")
    code = f"    code:\n      listing: a = 1\n      wrong_line: 1\n      right: a = 2\n      {left}\n"
    found = broken(tmp_path, SOUND[:options].replace("choice", "code") + code + SOUND[points:])

    assert [(11, f"the listing of one has no {key}") for key in missing] == [(problem.line, problem.message) for problem in found]


def test_a_card_without_a_run(tmp_path: Path) -> None:
    """A card without verify is told so once, not once a claim."""
    start, end = SOUND.index("    verify:"), SOUND.index("    follow_ups")

    assert ["one has no verify"] == [problem.message for problem in broken(tmp_path, SOUND[:start] + SOUND[end:])]


@pytest.mark.parametrize(
    "answer",
    [
        "{en: " + "word " * 132 + ", zh: 就是这个。}",
        "{en: This one it is., zh: " + "字" * 242 + "}",
        "{en: This one it is., zh: " + "字" * 200 + " `" + "code" * 30 + "` {{" + "number" * 10 + "}}}",
    ],
)
def test_half_a_minute_has_a_tolerance(tmp_path: Path, answer: str) -> None:
    """A tenth more is nothing to speak of; of a Chinese answer code and live numbers do not count."""
    told = broken(tmp_path, SOUND.replace("{en: This one it is., zh: 就是这个。}", answer))

    assert [] == [problem.message for problem in told if "half a minute" in problem.message]
