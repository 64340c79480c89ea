"""The format of a deck in plain values: its languages, kinds, keys and limits. Whoever needs only these loads no schema library."""

from __future__ import annotations

from typing import Literal

Kind = Literal["explain", "choice", "number", "order", "code"]
Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")
FORMAT = 1  # of decks; a deck of a newer one is refused in one sentence

PARTS: dict[str, Kind] = {"options": "choice", "number": "number", "order": "order", "code": "code"}  # each part of one kind only

# Every key that a deck may have, at any level; a test compares them with the model.
KEYS = frozenset(
    {
        "answer", "ask", "asked", "cards", "check", "checked", "claims", "code", "deck", "defaults", "detail", "en", "experiment",
        "follow_ups", "format", "formerly", "formula", "id", "key_points", "kind", "level", "listing", "number", "options",
        "order", "predict", "quantity", "question", "right", "says", "set", "sources", "tags", "text", "title", "trap", "unit",
        "value", "verify", "why", "within", "wrong_line", "zh",
    }
)  # fmt: skip

QUESTION_LIMIT = 2_000
ANSWER_LIMIT = 20_000
SHORT_LIMIT = 500
CLAIM_LIMIT = 300
CLAIMS_LIMIT = 20
CARDS_LIMIT = 10_000
SIZE_LIMIT = 8 * 2**20  # bytes of a file
