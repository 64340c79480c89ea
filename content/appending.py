"""One more card at the end of a deck's cards; every other byte of the file stays, comments and line ends included."""

from __future__ import annotations

import re

from content.reader import read
from content.samples import INDENT
from content.tree import Node, Tree

_EMPTY = re.compile(rb"^(cards\s*:)\s*\[\s*\]", re.MULTILINE)
_DASH = re.compile(r"( *)- +\S")


class NoPlace(Exception):
    """The deck's cards are written in a form to which none can be added line by line."""


def appended(tree: Tree, data: bytes, card: str) -> tuple[bytes, int]:
    """The file with a card after its last one, and the card's line; `tree` is what `data` holds.

    Raises NoPlace where that would change anything else.
    """
    if isinstance(tree.root, dict) and tree.root.get("cards") == []:
        return _appended_to_none(tree, data, card)
    text = re.sub(rf"^ {{{INDENT}}}", " " * _indent(tree), card, flags=re.MULTILINE)
    end = b"\r\n" if b"\r\n" in data else b"\n"
    lines = data.split(b"\n")
    row = _row(tree, lines)
    before, after = b"\n".join(lines[:row]) + b"\n" * (row < len(lines)), b"\n".join(lines[row:])
    if not before.endswith(b"\n"):
        before += end
    if not before.endswith(2 * end):
        before += end
    changed = before + text.encode().replace(b"\n", end) + after
    return changed, _line(tree, changed)


def _appended_to_none(tree: Tree, data: bytes, card: str) -> tuple[bytes, int]:
    """The same for a deck with `cards: []`, whose brackets make room."""
    bare, cut = _EMPTY.subn(rb"\1", data, count=1)
    opened, _ = read(tree.source.path, bare)
    if not cut or opened is None:
        raise NoPlace
    return appended(opened, bare, card)


def _indent(tree: Tree) -> int:
    """The column of the dash before the first card."""
    cards = tree.root.get("cards") if isinstance(tree.root, dict) else None
    if cards == "":
        return INDENT
    dash = _DASH.match(tree.place(("cards", 0)).source)
    if not isinstance(cards, list) or not dash:
        raise NoPlace
    return len(dash[1])


def _row(tree: Tree, lines: list[bytes]) -> int:
    """How many lines stand before the new card: all, or those before the key that follows the cards, and its comments."""
    assert isinstance(tree.root, dict)
    keys = list(tree.root)
    following = keys[keys.index("cards") + 1 :]
    if not following:
        return len(lines)
    row = tree.key_place((following[0],)).line - 1
    while row and (not lines[row - 1].strip() or lines[row - 1].startswith(b"#")):
        row -= 1
    return row


def _line(tree: Tree, data: bytes) -> int:
    """Where the new card starts. Raises NoPlace unless the changed file is the old deck and one card more."""
    changed, _ = read(tree.source.path, data)
    if changed is None or not isinstance(changed.root, dict) or not isinstance(tree.root, dict):
        raise NoPlace
    cards, old = changed.root.get("cards"), tree.root["cards"] or []
    if not isinstance(cards, list) or _bare(changed.root | {"cards": cards[:-1]}) != _bare(tree.root | {"cards": old}):
        raise NoPlace
    return changed.place(("cards", len(cards) - 1)).line


def _bare(node: Node) -> Node:
    """The tree without the line ends after its texts, which say nothing: a last line may have had none."""
    if isinstance(node, str):
        return node.rstrip("\n")
    return [_bare(part) for part in node] if isinstance(node, list) else {key: _bare(part) for key, part in node.items()}
