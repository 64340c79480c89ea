"""The format of a deck in plain values: its languages, kinds, keys and limits. Whoever needs only these loads no schema library."""

from __future__ import annotations

from typing import Literal

Kind = Literal["explain", "choice", "number", "order", "code"]
Language = Literal["en", "zh"]
Scale = Literal["linear", "log"]
FigureKind = Literal["bars", "heatmap", "strip", "curve", "waves"]
FIGURE_KINDS: tuple[FigureKind, ...] = ("bars", "heatmap", "strip", "curve", "waves")
LANGUAGES: tuple[Language, ...] = ("en", "zh")
FORMAT = 1  # of decks; a deck of a newer one is refused in one sentence

PARTS: dict[str, Kind] = {"options": "choice", "number": "number", "order": "order", "code": "code"}  # each part of one kind only

# Every key that a deck may have, at any level; a test compares them with the model.
KEYS = frozenset(
    {
        "agrees", "answer", "arms", "ask", "asked", "bars", "caption", "cards", "check", "checked", "claims", "code", "compare", "compute",
        "curve", "deck", "default", "defaults", "detail", "do", "en", "experiment", "experiments", "figures", "follow_ups", "format",
        "formerly", "formula", "heatmap", "high", "hint", "id", "include", "inputs", "keep", "key_points", "kind", "label", "labels",
        "level", "listing", "low", "mark", "name", "number", "options", "order", "over", "parameters", "predict", "presets", "quantity",
        "question", "ranges", "repeat", "right", "runs", "says", "scale", "seeds", "set", "show", "sources", "step", "strip", "tags",
        "text", "title", "trap", "unit", "units", "value", "verify", "watch", "waves", "why", "within", "wrong", "wrong_line", "zh",
    }
)  # fmt: skip

SHARED = ("defaults", "experiments", "cards")  # what a file that a deck includes may hold

QUESTION_LIMIT = 2_000
ANSWER_LIMIT = 20_000
SHORT_LIMIT = 500
CLAIM_LIMIT = 300
CLAIMS_LIMIT = 20
CARDS_LIMIT = 10_000
SIZE_LIMIT = 8 * 2**20  # bytes of a file
INCLUDES_LIMIT = 50  # files that a deck has beside its own
EXPERIMENTS_LIMIT = 50  # computations of a deck's own
RUNS_LIMIT = 9  # of a card
SEEDS_LIMIT = 100  # of a run
LINES_LIMIT = 60  # of a computation
PRESETS_LIMIT = 3  # of a card
HINTS_LIMIT = 5  # of a card, one after the other
