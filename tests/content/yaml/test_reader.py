"""Bytes to a tree: what is taken, what is refused, and where."""

from __future__ import annotations

import time

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from content.format import SIZE_LIMIT
from content.yaml import composer
from content.yaml.clean import unclean
from content.yaml.composer import DEPTH_LIMIT
from content.yaml.reader import read
from content.yaml.tree import Node, Tree


def tree_of(text: str) -> Tree:
    tree, problems = read("a.yaml", text.encode())
    assert [] == problems
    assert tree is not None
    return tree


def first(data: str | bytes) -> tuple[int, int, str, str]:
    problem = min(read("a.yaml", data if isinstance(data, bytes) else data.encode())[1])
    return problem.line, problem.column, problem.message, problem.hint


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


SLIPS = [
    ("a: 1\nb:2\n", 2, 2, "a space is missing after the colon"),
    ("a:2\nb: 3\n", 1, 2, "a space is missing after the colon"),
    ("a:\n  - x\n  -y\n  - z\n", 3, 3, "a space is missing after the dash"),
    ("a: 1\nb：2\n", 2, 2, "a full-width colon stands after the key"),
    ("标题：x\nb: 2\n", 1, 3, "a full-width colon stands after the key"),
    ("a:\n  - b\n\u3000 - c\n", 3, 1, "the line starts with a space of another kind"),
    ("a:\u00a02\nb: 1\n", 1, 3, "a space of another kind stands after the colon"),
    ("a: [CLS] is first\n", 1, 4, "a text cannot start with ["),
    ("a: {en: x, zh: [CLS] 在前}\n", 1, 16, "a text cannot start with ["),
    ("a: {x} y\n", 1, 4, "a text cannot start with {"),
    ("a: *bold* x\n", 1, 4, "a text cannot start with *"),
    ("- **bold**\n", 1, 3, "a text cannot start with *"),
    ("a: @x\n", 1, 4, "a text cannot start with @"),
    ("a: `x`\n", 1, 4, "a text cannot start with `"),
    ("a: %x\n", 1, 4, "a text cannot start with %"),
    ("a: , x\n", 1, 4, "a text cannot start with ,"),
    ("a: > text\n", 1, 4, "text stands on the line of the | or >"),
    ("a: ? b\n", 1, 4, "a text cannot start with ? and a space"),
    ("a: - b\n", 1, 4, "a list cannot start on the line of its key"),
    ("a: 'x\nb: c\n", 1, 4, "the quote that opens here is never closed"),
    ('a: "x\nb: c\n', 1, 4, "the quote that opens here is never closed"),
    ("a: 'don't do'\n", 1, 8, "the text ends at this apostrophe"),
    ('a: "say "hi" x"\n', 1, 9, "the text ends at this quote"),
    ("a: b: c\n", 1, 5, "a colon and a space inside a text without quotes"),
    ("a: {b: c: d}\n", 1, 9, "a colon and a space inside a text without quotes"),
    ('a: "\\sum"\n', 1, 5, "this backslash is not an escape that YAML knows"),
    ("a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> x\n", 2, 1, "a merge conflict was left in the file"),
    ("a: [x, y\nb: c\n", 1, 4, "the list that opens with [ is not closed"),
    ("a: {x: y\nb: c\n", 1, 4, "the mapping that opens with { is not closed"),
    ("a: 1\n  b: 2\n", 2, 4, "a colon is not expected here"),
    ("a:\n  - b: 1\n   c: 2\n", 3, 4, "this does not line up with the list above"),
    ("  a: 1\nb: 2\n", 2, 1, "this line does not belong to what stands above"),
    ("a: b\n- c\n", 2, 1, "this item does not line up with a list above"),
    ("a: b\nc\n", 2, 1, "this line has no key"),
    ("a: [x, , y]\n", 1, 8, "a value is missing here"),
    ("%x\na: b\n", 1, 1, "a line cannot start with %"),
    ("{" * 100_000, 1, 1_001, "too many brackets are nested here"),
]


SLIPS += [
    ("set: {p:0.3}\n", 1, 7, "a space is missing after the colon"),
    ("set: {p：0.3}\n", 1, 7, "a full-width colon stands after the key"),
    ("title: {en: a，zh: b}\n", 1, 14, "a full-width comma stands between two values"),
    ('title: {en: "a"， zh: "b"}\n', 1, 16, "a full-width comma stands between two values"),
    ("set: ｛p: 1｝\n", 1, 6, "｛ is a full-width bracket"),
    ("a: “b: c”\n", 1, 4, "“ is no quotation mark to YAML"),
    ("a:\n  -\u00a0b: c\n   - d: e\n", 2, 4, "a space of another kind stands after the dash"),
    ("a:\n  - ? who knows\n", 2, 7, "a text cannot start with ? and a space"),
    ("||||||| base\na: b: c\n", 1, 1, "a merge conflict was left in the file"),
    ('a: "x\nb: "y"\n', 1, 4, "the quote that opens here is closed only in line 2"),
    ("a:\n  - 'x\n  - y\n  - {z: 'w'}\n", 2, 5, "the quote that opens here is closed only in line 4"),
    ('a: {b: "c}\nd: ["e"]\n', 1, 8, "the quote that opens here is closed only in line 2"),
    ('a: {b: "c" d: e}\n', 1, 10, "the text ends at this quote"),
    ("a: [b]]\n", 1, 7, "this ] closes nothing"),
    ("a: b\nc: [\n", 2, 4, "the list that opens with [ is not closed"),
    ("a: b\nc: {\n", 2, 4, "the mapping that opens with { is not closed"),
    ("a: [b,\n", 1, 4, "the list that opens with [ is not closed"),
    ("a: {b: c,\n", 1, 4, "the mapping that opens with { is not closed"),
    ("a: {b: c}}  # d: e\n", 1, 10, "this } closes nothing"),
    ("a: {b: c  # note: d\ne: f\n", 1, 4, "the mapping that opens with { is not closed"),
    ("a:\n   - b\n  - c\n", 3, 3, "this item does not line up with a list above"),
    ("a:\n  b: >-\n    c\n d\n", 4, 2, "this line has no key"),
]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("a: #1 is first\n", "what begins with # is a comment; if it is the text, put it in quotes"),
        ("a: > half of them\n", "if the text itself begins with | or >, put it in quotes"),
        ('a: "Dropout" drops\n', "put the whole text in single quotes"),
        ("a: {x, y}\n", "a text with a comma in it, or one that begins with {, needs quotes here"),
        ("a: - x\n", "if this is a text, put it in quotes"),
        ("a:\n  b: c\n  d e\n  f: g\n", "with a colon after the key"),
    ],
)
def test_the_hint_is_the_one_that_helps(text: str, hint: str) -> None:
    """Where a text was meant, the hint says how to write it as one."""
    assert hint in first(text)[3]


@pytest.mark.parametrize(("text", "line", "column", "message"), SLIPS, ids=[repr(case[0][:20]) for case in SLIPS])
def test_what_people_really_do(text: str, line: int, column: int, message: str) -> None:
    """A slip of the keyboard is named in plain words, where it was made, with what to do."""
    *place, said, hint = first(text)
    assert [message, line, column] == [said, *place]
    assert hint


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("a: use # of heads\n", 8, "the text ends before this #: what follows is a comment"),
        ('a: "the \\nabla operator"\n', 9, "\\nabla in double quotes is a line break and the letters abla"),
        ("a:\n  - b\n    - c\n", 5, "this dash begins no item: it stands deeper than the list, in the text above"),
    ],
)
def test_what_is_lost_in_silence_is_a_warning(text: str, column: int, message: str) -> None:
    """A text that loses its end to a comment, a letter to an escape or a list its item is read, with a warning."""
    tree, (problem,) = read("a.yaml", text.encode())
    assert tree is not None
    assert ("warning", column, message) == (problem.severity, problem.column, problem.message)


@pytest.mark.parametrize(
    "text",
    ["a: b  # said on purpose\n", 'a: "two\\nlines"\n', "a: '\\nabla'\n", "a: x#y\n", "a: 'x # y'\n", "a: b - c\n", "a: b\n  c - d\n"],
)
def test_what_is_meant_is_no_warning(text: str) -> None:
    """Two spaces before a comment, a real line break, LaTeX in single quotes and a dash within a line are fine."""
    assert tree_of(text)


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


PLACES = "标题: 注意力\ncards:\n  - id: x\n    q: {en: 为什么, zh: [𝒳, b]}\n  - id: y\n    n: |\n      text\n"


@pytest.mark.parametrize(
    ("location", "line", "column"),
    [
        ((), 1, 1),
        (("标题",), 1, 5),
        (("cards",), 3, 3),
        (("cards", 0), 3, 5),
        (("cards", 0, "q", "zh"), 4, 22),
        (("cards", 0, "q", "zh", 1), 4, 26),
        (("cards", 1, "n"), 6, 8),
        (("cards", 1, "missing", "deeper", 3), 5, 5),
        (("cards", 7, "id"), 3, 3),
        (("missing",), 1, 1),
    ],
)
def test_every_value_has_its_place_in_characters(location: tuple[str | int, ...], line: int, column: int) -> None:
    """A location leads to its line and column, also behind Chinese text and characters beyond the BMP, or to the nearest around it."""
    place = tree_of(PLACES).place(location)
    assert (line, column, PLACES.split("\n")[line - 1]) == place


def test_every_key_has_its_place() -> None:
    """A key's place is its own, not its value's; a list item has no key but itself."""
    tree = tree_of(PLACES)
    assert (4, 5) == tree.key_place(("cards", 0, "q"))[:2]
    assert (4, 18) == tree.key_place(("cards", 0, "q", "zh"))[:2]
    assert (3, 5) == tree.key_place(("cards", 0))[:2]
    assert (1, 1) == tree.key_place(())[:2]


def test_places_hold_after_refused_keys() -> None:
    """A duplicate or complex key and its whole value leave no trace in the places of what follows."""
    tree, problems = read("a", b"a: 1\n? [x, {y: z}]\n: {p: [q]}\na: [r, s]\nb:\n  - c\n")
    assert 2 == len(problems)
    assert tree is not None
    assert {"a": "1", "b": ["c"]} == tree.root
    assert (6, 5) == tree.place(("b", 0))[:2]


NODES = st.recursive(
    st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), max_size=8).filter(lambda text: not unclean(text)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abcé中: -#'\"", min_size=1, max_size=4), inner, max_size=3),
    max_leaves=12,
)


def locations(node: Node, above: tuple[str | int, ...] = ()) -> list[tuple[tuple[str | int, ...], Node]]:
    inner = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [(above, node), *(found for step, value in inner for found in locations(value, (*above, step)))]


@settings(deadline=None)
@given(NODES, st.booleans())
def test_a_dumped_tree_is_read_back_with_its_places(node: Node, flow: bool) -> None:
    """Any tree of texts, written in quotes by PyYAML, comes back equal, and every text stands where its place says."""
    text = yaml.dump(node, default_style="'", default_flow_style=flow, allow_unicode=True, width=10_000, sort_keys=False)
    tree = tree_of(text)
    assert node == tree.root
    for location, value in locations(node):
        place = tree.place(location)
        start = "'\"" if isinstance(value, str) else "'\"?-{["
        assert place.source[place.column - 1] in start


WORDS = st.lists(st.sampled_from(["a", "aa", "b-a", "中", "中文", "{{x}}", "*b*", "$c$"]), min_size=1, max_size=8)


@settings(deadline=None)
@given(WORDS, st.sampled_from(["{}", "'{}'", '"{}"', "|\n  {}", ">-\n  {}", "|2-\n  {}"]), st.sampled_from([" ", "\n  "]))
def test_every_word_of_a_text_has_its_place(words: list[str], style: str, between: str) -> None:
    """In every style, on one line and on several, a word stands where the file has it, also the second of two that are alike."""
    raw = f"k: {style.format(between.join(['x', *words]))}\n"
    tree = tree_of(raw)
    assert isinstance(tree.root, dict)
    text, seen, at = str(tree.root["k"]), 0, raw.index("x")
    for word in words:
        seen, at = text.index(word, seen + 1), raw.index(word, at + 1)
        assert tree.source.place(at) == tree.place_in(("k",), seen)


@pytest.mark.parametrize(("location", "offset"), [(("k",), 99), (("k",), 0), (("l",), 0), ((), 5)])
def test_where_no_word_is_the_value_itself_is_the_place(location: tuple[str, ...], offset: int) -> None:
    """Behind a text's end, in an empty text, in a list and in the deck itself there is no character to point at."""
    tree = tree_of("k: ''\nl: [m]\n")

    assert tree.place(location) == tree.place_in(location, offset)


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
