"""Where the values of a deck stand, also in one of which a part was refused."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from content.yaml.clean import unclean
from content.yaml.reader import read
from content.yaml.tree import Location, Node
from tests.content.yaml.reading import tree_of


@pytest.mark.parametrize(
    "refused",
    [
        "a: {x: [y, z], w: {v: u}}",
        "'': [[x], {y: z}]",
        "<<: {x: {y: z}}",
        "? [k, {l: m}]\n: [x, y]",
        "? {k: {l: m}}\n: x",
        "a: [x, {y: z, y: [q, {r: s}]}]",
    ],
)
@pytest.mark.parametrize(("location", "place"), [(("a",), (1, 4)), (("c",), (0, 4)), (("c", "d"), (0, 8)), (("c", "e", 1, "f"), (1, 14))])
def test_what_is_refused_moves_no_place(refused: str, location: Location, place: tuple[int, int]) -> None:
    """Keys that are not taken, and all that belongs to them, leave the places of the others where they are."""
    tree, problems = read("deck.yaml", f"a: b\n{refused}\nc: {{d: [g, h],\n  e: [i, {{f: j}}]}}\n".encode())
    assert tree
    assert problems
    line = 1 if location == ("a",) else place[0] + 3 + refused.count("\n")

    assert (line, place[1]) == tree.place(location)[:2]


def test_equal_keys_are_one_object() -> None:
    """Ten thousand cards have a few dozen keys: one text for each is a tenth of the memory."""
    tree, _ = read("deck.yaml", b"- {question: a}\n- {question: b}\n")
    assert tree
    assert isinstance(tree.root, list)
    first, second = (key for node in tree.root for key in node)

    assert first is second


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
    tree = tree_of(PLACES)
    assert (line, column, PLACES.split("\n")[line - 1], tree.source.path) == tuple(tree.place(location))


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


@pytest.mark.parametrize("style", ["{}", "'{}'", '"{}"', "|\n    {}"])
def test_the_first_word_of_a_text_is_not_that_of_the_next(style: str) -> None:
    """A text of which the first word stands again soon below is pointed at itself."""
    tree = tree_of(f"- {style}\n- {style}\n".format("rate", "rate > 1"))

    assert (2 if "|" in style else 1) == tree.place_in((0,), 0).line


@pytest.mark.parametrize(("location", "offset"), [(("k",), 99), (("k",), 0), (("l",), 0), ((), 5)])
def test_where_no_word_is_the_value_itself_is_the_place(location: tuple[str, ...], offset: int) -> None:
    """Behind a text's end, in an empty text, in a list and in the deck itself there is no character to point at."""
    tree = tree_of("k: ''\nl: [m]\n")

    assert tree.place(location) == tree.place_in(location, offset)
