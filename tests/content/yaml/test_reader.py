"""Bytes to a tree: what is taken, what is refused, and where."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from content.format import SIZE_LIMIT
from content.yaml import composer
from content.yaml.composer import DEPTH_LIMIT
from content.yaml.reader import read
from tests.content.yaml.reading import first, tree_of


@pytest.mark.parametrize("scalar", ["no", "12:30", "010", "1e-3", "2024-01-01", "1.10", "true", "0x1F", ".inf", "c:d", "a#b", "-1"])
def test_scalars_stay_what_was_typed(scalar: str) -> None:
    """Nothing that YAML would guess a number, date or truth value from changes."""
    assert {"a": scalar, "b": [scalar]} == tree_of(f"a: {scalar}\nb: [{scalar}]\n").root


def test_every_style_of_text_is_read() -> None:
    """Plain, quoted, literal and folded texts, lists and nested mappings become str, list and dict."""
    text = "a: |\n  x\n  y\nb: >-\n  x\n  y\nc: 'it''s'\nd: \"q\\\"\"\ne: ''\nf:\n- {g: h}\n- [i]\nj: {}\n"
    assert {"a": "x\ny\n", "b": "x y", "c": "it's", "d": 'q"', "e": "", "f": [{"g": "h"}, ["i"]], "j": {}} == tree_of(text).root


@pytest.mark.parametrize("text", ["\ufeffa: b\n", "a: b\r\n", "---\na: b\n...\n", "# c\n\na: b  # a comment\n", "a: b"])
def test_harmless_forms_are_read(text: str) -> None:
    """A byte order mark, Windows line ends, document marks and comments do not matter."""
    assert {"a": "b"} == tree_of(text).root


REFUSED = [
    ("a: &x b\n", 1, 4, "&x is a YAML anchor; decks have none"),
    ("a: b\nc: *x\n", 2, 4, "*x is a YAML alias; decks have none"),
    ("*x : c\n", 1, 1, "*x is a YAML alias; decks have none"),
    ("<<: {a: b}\n", 1, 1, "<< is a YAML merge key; decks have none"),
    ("a: !b c\n", 1, 4, "!b is a YAML tag; decks have none"),
    ("a: !!python/object:os.system {}\n", 1, 4, "!!python/object:os.system is a YAML tag; decks have none"),
    ("a: b\n---\nc: d\n", 2, 1, "a second document starts here"),
    ("%YAML 1.1\n---\na: b\n", 1, 1, "a deck has no % directives"),
    ("a: b\nc: d\na: e\n", 3, 1, "a is already given in line 1"),
    ("? [a]\n: b\n", 1, 3, "a list or a mapping cannot be a key"),
    ("{a: b}: c\n", 1, 1, "a list or a mapping cannot be a key"),
    ("'': c\n", 1, 1, "a key is missing before this colon"),
    ("a:\n", 1, 1, "a has no value"),
    ("a: null\n", 1, 1, "a has no value"),
    ("a: ~\n", 1, 1, "a has no value"),
    ("a: {b, c: d}\n", 1, 5, "b has no value"),
    ("a:\n  - b\n  -\n", 3, 4, "this item has no value"),
    ("a:\tb\n", 1, 3, "a tab (U+0009) is not allowed in a deck"),
    ("a: b\u200bc\n", 1, 5, "zero width space (U+200B) is not allowed in a deck"),
    ("a: b\u202ec\n", 1, 5, "right-to-left override (U+202E) is not allowed in a deck"),
    ("a: b\rc: d\n", 1, 5, "a control character (U+000D) is not allowed in a deck"),
    ('a: "\\e]52;c"\n', 1, 4, "an escape makes an escape character (U+001B) in this text"),
    ('a: "\\frac"\n', 1, 4, "an escape makes a control character (U+000C) in this text"),
    ('a: "\\theta"\n', 1, 4, "an escape makes a tab (U+0009) in this text"),
    ('a: "\\ud800"\n', 1, 7, "there is no character with this code"),
    ("a: " + "[" * DEPTH_LIMIT + "]" * DEPTH_LIMIT + "\n", 1, 4 + DEPTH_LIMIT - 1, "more than 16 levels are nested here"),
    ("", 0, 0, "there is no deck in this file"),
    ("# nothing\n", 0, 0, "there is no deck in this file"),
    ("~\n", 1, 1, "there is no deck in this file"),
    (b"a: b\nc: \xc1\xa6\n", 2, 4, "the byte 0xC1 is not UTF-8"),
    ("标题: ".encode() + b"\xff\n", 1, 5, "the byte 0xFF is not UTF-8"),
    ("a: b".encode("utf-16"), 1, 1, "the file is UTF-16"),
    ("deck: 甲".encode("utf-16-le"), 1, 1, "the file is UTF-16"),
    ("deck: 甲".encode("utf-16-be"), 1, 1, "the file is UTF-16"),
    ("a: b".encode("utf-32"), 1, 1, "the file is UTF-32"),
    ("a: b".encode("utf-32-be"), 1, 1, "the file is UTF-32"),
    (b"a: b\rc: d\r", 1, 1, "the lines end with a carriage return alone"),
    ("a: 题".encode("gbk"), 1, 4, "the byte 0xCC is not UTF-8"),
    ("a: é".encode("latin-1"), 1, 4, "the byte 0xE9 is not UTF-8"),
    (b"\x89PNG\r\n\x1a\n\0", 3, 1, "this is a binary file, not a deck"),
    (b"\x7fELF\n\x00\x01", 2, 1, "this is a binary file, not a deck"),
    (b"a" * (SIZE_LIMIT + 1), 0, 0, "the file has more than 8 MiB"),
]


@pytest.mark.parametrize(("data", "line", "column", "message"), REFUSED, ids=[repr(case[0][:20]) for case in REFUSED])
def test_what_yaml_allows_and_decks_do_not(data: str | bytes, line: int, column: int, message: str) -> None:
    """Each is refused at its line and column, with a sentence and a fix."""
    *place, said, hint = first(data)
    assert [line, column, message] == [*place, said]
    assert hint


def test_a_deck_has_a_limit_of_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit counts every value, keys not, and holds while the file is still being read."""
    monkeypatch.setattr(composer, "VALUES_LIMIT", 4)
    assert ["b", "c"] == list(tree_of("b: x\nc: [y]\n").root)
    assert (1, 9, "the deck has more than 4 values", "split it into several decks") == first("a: [b,c,d,e,f,g]\nh: [")


def test_all_problems_behind_the_parse_are_told_at_once() -> None:
    """One pass reports every refusal of a file, in all of its cards."""
    problems = read("a.yaml", b"a: &x 1\nb:\n  - *x\n  - {c: !d e}\na: 2\nf:\n")[1]
    assert [(1, 4), (3, 5), (4, 9), (5, 1), (6, 1)] == [(problem.line, problem.column) for problem in problems]


def test_an_invisible_character_does_not_hide_the_rest() -> None:
    """The file is read on behind invisible characters, which are in the tree neither as themselves nor as the mark of a refused key."""
    tree, problems = read("a.yaml", b'a: b\xe2\x80\x8bc\nd: &x e\x07\n"\\0": f\n')
    assert [(1, 5), (2, 4), (2, 8), (3, 1)] == sorted((problem.line, problem.column) for problem in problems)
    assert tree is not None
    assert {"a": "b\ufffdc", "d": "e\ufffd", "\ufffd": "f"} == tree.root


def test_behind_a_tab_nothing_is_guessed() -> None:
    """A tab may be indentation, so that a file with tabs has no other problem than its tabs."""
    tree, problems = read("a.yaml", b"a: b\tc\nd: &x e\tf\n")
    assert tree is None
    assert [(1, 5), (2, 8)] == [(problem.line, problem.column) for problem in problems]


@settings(deadline=None)
@given(st.binary(max_size=200) | st.text("ab:-[]{}'\"\n #&*!|>%@`,?<=\\\u3000：", max_size=60).map(str.encode))
@example(b"\xef\xbb\xbf")
@example(b"? a\n: *b\n*c : d\n")
@example(b"a: [&b {? [c] : d}, <<, *e : f]\n")
def test_no_bytes_whatever_raise(data: bytes) -> None:
    """Any bytes give a tree or a problem, with a place inside the file."""
    tree, problems = read("a", data)
    assert tree or problems
    for problem in problems:
        assert 0 <= problem.line <= data.count(b"\n") + 1
        assert 0 <= problem.column <= len(data) + 1
        assert problem.message


@pytest.mark.parametrize("unit", ["{", "[", "- ", "a: ", "? ", "a: b\n", ": c", "': ", " - &a x\n", "[a,"])
def test_hostile_megabytes_end_soon(unit: str) -> None:
    """A megabyte of anything is read or refused in seconds, not minutes."""
    start = time.process_time()
    assert read("a", ("a: " + unit * (1_000_000 // len(unit))).encode())[1]
    assert time.process_time() - start < 5
