"""What `qkv new` writes: a deck with a card of every kind, or one more card at the end of a deck that exists.

The deck is a worked example that passes `qkv check` as it stands; the further card has a gap wherever its author has to write something.
Of a deck that exists every other byte stays, comments and line ends included.
"""

from __future__ import annotations

import re
from importlib import resources
from typing import get_args

from content.format import SHARED, Kind, Language
from content.yaml.reader import read
from content.yaml.tree import Node, Tree

KINDS: tuple[Kind, ...] = get_args(Kind)
INDENT = 2  # of the dash before a sample card

_COMMENT = re.compile(r"^( *)#(en|zh) (.*\n)", re.MULTILINE)  # a comment of one language
_WANTED = re.compile(r"(?<=TODO: )(?P<en>[^|\"\n]+) \| (?P<zh>[^\"\n]+)")  # what belongs into a gap, in both languages
_SCHEMA = "../schema/deck.json"

_EMPTY = re.compile(rb"^(cards\s*:)\s*\[\s*\]", re.MULTILINE)
_DASH = re.compile(r"( *)- +\S")


def sample_deck(name: str, language: Language, schema: str) -> str:
    """A deck with a card of every kind; its comments are in one language, its cards in both. `schema` is the address for editors."""
    slug = "-".join(re.findall(r"[a-z0-9]+", name.lower()))[:80].strip("-") or "my-deck"
    head = _sample("head", language).replace(_SCHEMA, schema).replace("my-deck", slug)
    return "\n".join([head, *(_sample(kind, language) for kind in KINDS)])


def sample_card(kind: Kind, name: str, language: Language) -> str:
    """A card of a kind, full of gaps, under an id of the author's, its dash indented by INDENT."""
    text = _sample(f"gaps/{kind}", language)
    text = _WANTED.sub(lambda found: found["zh" if language == "zh" else "en"], text)
    return re.sub(r"^  - id: .*", f"  - id: {name}", text, count=1, flags=re.MULTILINE)


def _sample(name: str, language: Language) -> str:
    """A file of the folder `starter`, without the comments of the other language."""
    text = (resources.files("content") / "starter" / f"{name}.yaml").read_text(encoding="utf-8")
    return _COMMENT.sub(lambda found: f"{found[1]}# {found[3]}" if found[2] == language else "", text)


class NoPlace(Exception):
    """The deck's cards are written in a form to which none can be added line by line."""


def append_card(tree: Tree, data: bytes, card: str) -> tuple[bytes, int]:
    """The file with a card after its last one, and the card's line; `tree` is what `data` holds.

    Raises NoPlace where that would change anything else.
    """
    if isinstance(tree.root, dict) and tree.root.get("cards") == []:
        return _appended_to_none(tree, data, card)
    if isinstance(tree.root, dict) and "cards" not in tree.root and _may_lack_cards(tree.root):
        return _appended_to_another(tree, data, card)
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
    return append_card(opened, bare, card)


def _may_lack_cards(root: dict[str, Node]) -> bool:
    """Whether it is a deck whose cards are in other files, or one of these."""
    return "include" in root or bool(root and root.keys() <= set(SHARED))


def _appended_to_another(tree: Tree, data: bytes, card: str) -> tuple[bytes, int]:
    """The same for a file that has no cards yet and may have some."""
    end = b"\r\n" if b"\r\n" in data else b"\n"
    longer = data + (b"" if data.endswith(b"\n") else end) + b"cards:" + end
    opened, _ = read(tree.source.path, longer)
    if opened is None or opened.root != {**_mapping(tree), "cards": ""}:
        raise NoPlace
    return append_card(opened, longer, card)


def _mapping(tree: Tree) -> dict[str, Node]:
    assert isinstance(tree.root, dict)
    return tree.root


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
