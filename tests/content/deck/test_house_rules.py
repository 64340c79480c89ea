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
    options:
      - {text: {en: this, zh: 这个}, right: true, why: {en: so, zh: 如此}}
      - {text: {en: that, zh: 那个}, why: {en: no, zh: 不}}
      - {text: {en: O(n²), zh: O(n²)}, why: {en: no, zh: 不}}
    key_points: [{en: a, zh: 甲}, {en: b, zh: 乙}]
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
        ("    key_points: [{en: a, zh: 甲}, {en: b, zh: 乙}]\n", "", 5, "one has no key_points"),
        (", {en: b, zh: 乙}]", "]", 13, "key points: 1; our cards have 2 to 5"),
        ("        - {says: {en: It is., zh: 是。}, check: a < 1}\n", "", 16, "claims: 1; our cards have 2 to 4"),
        ("      - {text: {en: that, zh: 那个}, why: {en: no, zh: 不}}\n", "", 10, "options: 2; our cards have 3 to 4"),
        ("{en: that, zh: 那个}", "{en: that, zh: 那个}, right: true", 10, "2 of the options are right"),
        ("{en: that, zh: 那个}, why: {en: no, zh: 不}", "{en: that, zh: 那个}", 11, "option 2 does not say why"),
        ("{en: This one it is., zh: 就是这个。}", "This one.", 14, "the en of answer is missing"),
        ("{en: Sample, zh: 样例}", "{en: Sample}", 2, "the zh of title is missing"),
        ("zh: 就是这个。", "zh: This one it is.", 14, "the zh of answer has no Chinese in it"),
        ("[two]", "[one]", 20, "one follows itself"),
        ("[two]", "[sample/one]", 20, "sample/one follows itself"),
        ("id: one\n", "id: one\n    formerly: [two]\n", 21, "two follows itself"),
        ("    asked: 3\n", "    asked: 3\n    hint: [{en: think, zh: 想一想}, {en: again}]\n", 8, "the zh of item 2 of hint is missing"),
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

    assert [(10, f"the listing of one has no {key}") for key in missing] == [(problem.line, problem.message) for problem in found]


def test_a_card_without_a_run(tmp_path: Path) -> None:
    """A card without verify is told so once, not once a claim."""
    start, end = SOUND.index("    verify:"), SOUND.index("    follow_ups")

    assert ["one has no verify"] == [problem.message for problem in broken(tmp_path, SOUND[:start] + SOUND[end:])]
