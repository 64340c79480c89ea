"""Where the values of a deck stand, also in one of which a part was refused."""

from __future__ import annotations

import pytest

from content.yaml.reader import read
from content.yaml.tree import Location


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
