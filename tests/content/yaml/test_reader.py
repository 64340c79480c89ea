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
    ("a:\n\tb: c\n", 2, 1, "a tab (U+0009) indents this line"),
    ("a:\n  b: c\n \td: e\n", 3, 2, "a tab (U+0009) indents this line"),
    ("a: |\n\tb\n", 2, 1, "a tab (U+0009) indents this line"),
    ("a:\n  -\tb: c\n", 2, 4, "a tab stands after the dash"),
    ("a: b\u200bc\n", 1, 5, "zero width space (U+200B) is not allowed in a deck"),
    ("a: b\u202ec\n", 1, 5, "right-to-left override (U+202E) is not allowed in a deck"),
    ("a: b\rc: d\n", 1, 5, "a control character (U+000D) is not allowed in a deck"),
    ('a: "\\e]52;c"\n', 1, 5, "an escape makes an escape character (U+001B) in this text"),
    ('a: "x \\x1b"\n', 1, 7, "an escape makes an escape character (U+001B) in this text"),
    ('a: "\\ud800"\n', 1, 5, "there is no character with this code"),
    ("a: " + "[" * DEPTH_LIMIT + "]" * DEPTH_LIMIT + "\n", 1, 4 + DEPTH_LIMIT - 1, "more than 16 levels are nested here"),
    ("", 0, 0, "there is no deck in this file"),
    ("# nothing\n", 0, 0, "there is no deck in this file"),
    ("~\n", 1, 1, "there is no deck in this file"),
    (b"a: b\nc: \xc1\xa6\n", 2, 4, "the byte 0xC1 is not UTF-8: the file looks like GBK"),
    ("标题: ".encode() + b"\xff\n", 1, 5, "the byte 0xFF is not UTF-8"),
    ("a: b".encode("utf-16"), 1, 1, "the file is UTF-16"),
    ("deck: 甲".encode("utf-16-le"), 1, 1, "the file is UTF-16"),
    ("deck: 甲".encode("utf-16-be"), 1, 1, "the file is UTF-16"),
    ("a: b".encode("utf-32"), 1, 1, "the file is UTF-32"),
    ("a: b".encode("utf-32-be"), 1, 1, "the file is UTF-32"),
    (b"a: b\rc: d\r", 1, 1, "the lines end with a carriage return alone"),
    ("a: 题".encode("gbk"), 1, 4, "the byte 0xCC is not UTF-8: the file looks like GBK"),
    ("a: é".encode("latin-1"), 1, 4, "the byte 0xE9 is not UTF-8: the file looks like Windows-1252 or Latin-1"),
    (b"\0" * 40, 1, 1, "this is a binary file, not a deck"),
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
    assert [(1, 5), (2, 4), (2, 8), (3, 2)] == sorted((problem.line, problem.column) for problem in problems)
    assert tree is not None
    assert {"a": "b\ufffdc", "d": "e\ufffd", "\ufffd": "f"} == tree.root


def test_behind_a_tab_that_indents_nothing_is_guessed() -> None:
    """Where tabs indent, every such line is told and nothing else."""
    tree, problems = read("a.yaml", b"a:\n\tb: &x c\n\td: e\n")
    assert tree is None
    assert [(2, 1), (3, 1)] == [(problem.line, problem.column) for problem in problems]


def test_tabs_within_texts_are_spaces() -> None:
    """A tab in code or between words is no indentation: it becomes as many spaces as it takes to the next stop."""
    text = 'a:\tb\tc\t# d\ncode: |\n  def f():\n  \treturn 1\n  x\t= 2\nquoted: "x\n\ty"\nescaped: "x\\ty"\nlist: [a,\n\tb]\n'.replace(
        "list: [a,\n\t", "list: [a,\n "
    )
    assert {
        "a": "b   c",
        "code": "def f():\n    return 1\nx   = 2\n",
        "quoted": "x y",
        "escaped": "x   y",
        "list": ["a", "b"],
    } == tree_of(text).root


@pytest.mark.parametrize("fence", ["```", "```yaml", "~~~", "```yml title.yaml"])
def test_a_fence_around_the_file_is_told_and_the_rest_with_it(fence: str) -> None:
    """A deck that was copied with its fence, or half of it, is read past it: all problems in one run."""
    tree, problems = read("a.yaml", f"\n{fence}\na: b\nc: &x d\n{fence[:3]}\n".encode())
    assert [(2, 1), (4, 4), (5, 1)] == sorted((problem.line, problem.column) for problem in problems)
    assert "this is a fence of Markdown; the file itself is YAML" == problems[0].message
    assert tree is not None
    assert {"a": "b", "c": "d"} == tree.root


def test_a_fence_inside_a_text_is_a_part_of_it() -> None:
    """Only the first and the last line of a file are looked at."""
    assert {"a": "```\nx\n```\n"} == tree_of("a: |\n  ```\n  x\n  ```\n").root


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
