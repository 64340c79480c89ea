"""The names that claims of these tests may use, and a claim decided with them."""

from __future__ import annotations

import math

from content.claims.evaluator import evaluate
from content.claims.outcome import Outcome
from content.claims.parser import parse

NAN, INF = math.nan, math.inf
SCOPE: dict[str, object] = {
    "raw_std": 22.5766,
    "d_k": 512,
    "rate": 30.0,
    "zero": 0.0,
    "nothing": NAN,
    "endless": INF,
    "mask": "causal",
    "row": (1.0, 2.0, 3.0),
    "holes": (1.0, NAN),
    "weights": ((0.25, 0.75), (0.5, 0.5)),
    "empty": (),
    "ragged": ((1.0, 2.0), (3.0,)),
    "huge": 10**400,
    "n": 3,
    "long.rate": 60.0,
    "long.row": (2.0, 4.0, 6.0),
}


def decide(text: str) -> Outcome:
    return evaluate(parse(text), SCOPE)
