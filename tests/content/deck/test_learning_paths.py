"""Paths through the decks: what is in them, and what is said where something in one is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from content.deck import learning_paths
from content.deck.checks import all_problems
from content.deck.deck_files import bundled
from content.deck.learning_paths import ORDER, all_paths, bundled_path_problems, file_problems, path_names, read_path
from content.deck.library import load

GOOD = """\
title: {en: Short, zh: 短}
says: {en: A few cards., zh: 几张卡片。}
new: 5
cards:
  - attention/why-attention
  - attention/causal-mask
"""
BOTH, MEANT = "write it in both languages: {en: ..., zh: ...}", "did you mean attention/causal-mask?"
CARDS = {"attention": ["why-attention", "causal-mask", "padding-mask"], "bert": ["positions"]}


def told(tmp_path: Path, old: str, new: str) -> list[tuple[int, str, str]]:
    """The problems of a path with something else in it: line, sentence, hint."""
    assert old in GOOD
    file = tmp_path / "short.yaml"
    file.write_text(GOOD.replace(old, new), encoding="utf-8")
    return [(problem.line, problem.message, problem.hint) for problem in file_problems(file, CARDS)]


def test_the_bundled_paths_are_sound() -> None:
    """Each card of each path is there, once; title and sentence are in both languages; the five are there, in their order."""
    assert [] == list(bundled_path_problems())
    assert ORDER == path_names()
    assert ORDER == tuple(path.name for path in all_paths())


def test_a_path_is_read() -> None:
    """Its cards in its order, and how many of them a day."""
    path = read_path("last-night")

    assert path
    assert ("Last night", "最后一晚") == (path.title.said("en"), path.title.said("zh"))
    assert 25 == path.new
    assert ("attention", "why-attention") == path.cards[0]
    assert 0 < len(path.cards) <= 25


def test_there_is_no_other() -> None:
    assert read_path("nowhere") is None


def test_a_good_one(tmp_path: Path) -> None:
    assert [] == told(tmp_path, "5", "6")


@pytest.mark.parametrize(
    ("old", "new", "line", "message", "hint"),
    [
        ("attention/causal-mask", "attention/causal-mas", 6, "there is no card attention/causal-mas", MEANT),
        ("attention/causal-mask", "bert/causal-mask", 6, "there is no card bert/causal-mask", MEANT),
        ("attention/causal-mask", "causal-mask", 6, "there is no card causal-mask", MEANT),
        ("attention/causal-mask", "nowhere", 6, "there is no card nowhere", "`qkv cards` lists them"),
        ("attention/causal-mask", "attention/why-attention", 6, "attention/why-attention is there already, in line 5", "delete one"),
        ("attention/causal-mask", "[]", 6, "this is no card", "write deck/card"),
        ("cards:", "crads:", 4, "crads is not a key of a path", "did you mean cards?"),
        ("zh: 短", "de: kurz", 1, "title is not there in both languages", BOTH),
        ("{en: A few cards., zh: 几张卡片。}", "A few", 2, "says is not there in both languages", BOTH),
        ("new: 5", "new: many", 3, "new is no number of cards", "write how many new cards a day, such as 25"),
        ("new: 5", "new: 0", 3, "new is no number of cards", "write how many new cards a day, such as 25"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_at_its_line(tmp_path: Path, old: str, new: str, line: int, message: str, hint: str) -> None:
    """Where it is, what it is, and the nearest name."""
    assert (line, message, hint) in told(tmp_path, old, new)


@pytest.mark.parametrize("text", ["", "- a\n", "a", "title: [", "cards: {}", "\x00", "cards: [a, [b], {c: d}]\ntitle: {en: []}\n"])
def test_no_file_is_too_strange(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """It has a problem, and is read as far as it can be: nothing raises."""
    file = tmp_path / "strange.yaml"
    file.write_text(text, encoding="utf-8")
    monkeypatch.setattr(learning_paths, "FOLDER", tmp_path)

    assert file_problems(file, CARDS)
    path = read_path("strange")
    assert path is None or () == path.cards


def test_check_looks_at_the_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it looks at a deck of ours; who checks a deck of their own is not told of them."""
    (tmp_path / "short.yaml").write_text(GOOD.replace("causal-mask", "causal-mas"), encoding="utf-8")
    own = tmp_path / "own.yaml"
    own.write_text("deck: own\ntitle: O\ncards: [{id: a, question: q, answer: a}]\n", encoding="utf-8")
    monkeypatch.setattr(learning_paths, "FOLDER", tmp_path)
    monkeypatch.setattr(learning_paths, "path_names", lambda: ("short",))

    ours, theirs = (
        [problem.message for problem in all_problems(load(paths), ()) if problem.path.endswith("short.yaml")]
        for paths in (bundled()[:1], (own,))
    )

    assert (["there is no card attention/causal-mas"], []) == (ours, theirs)
