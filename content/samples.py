"""What `qkv new` writes: a sample card of each kind, and a deck that holds them all. Each passes `qkv check` as it stands."""

from __future__ import annotations

import re
from importlib import resources
from typing import get_args

from content import json_schema
from content.cards import Kind, Language

KINDS: tuple[Kind, ...] = get_args(Kind)
INDENT = 2  # of the dash before a sample card

_COMMENT = re.compile(r"^( *)#(en|zh) (.*\n)", re.MULTILINE)  # a comment of one language
_RELATIVE = "../schema/deck.json"


def deck(name: str, language: Language) -> str:
    """A deck with a card of every kind; its comments are in one language, its cards in both."""
    slug = "-".join(re.findall(r"[a-z0-9]+", name.lower()))[:80].strip("-") or "my-deck"
    head = _sample("head", language).replace(_RELATIVE, json_schema.PATH.resolve().as_uri()).replace("my-deck", slug)
    return "\n".join([head, *(_sample(kind, language) for kind in KINDS)])


def card(kind: Kind, name: str, language: Language) -> str:
    """The sample card of a kind under an id of the author's, its dash indented by INDENT."""
    return re.sub(r"^  - id: .*", f"  - id: {name}", _sample(kind, language), count=1, flags=re.MULTILINE)


def _sample(name: str, language: Language) -> str:
    """A file of the folder `starter`, without the comments of the other language."""
    text = (resources.files("content") / "starter" / f"{name}.yaml").read_text(encoding="utf-8")
    return _COMMENT.sub(lambda found: f"{found[1]}# {found[3]}" if found[2] == language else "", text)
