"""`qkv lab FILE NAME`: a deck's own computation, by the name that its cards use."""

from __future__ import annotations

from pathlib import Path

from content.claims.tokens import ClaimError
from content.deck.library import load
from content.yaml.problems import render
from engine import ExperimentError, Recipe
from quiz.card.recipes import recipe


def own_recipe(file: str, name: str) -> Recipe:
    """Raises ExperimentError, with the first problem of the file where it cannot be read."""
    library = load([Path(file)])
    if not library.decks:
        first = next((problem for problem in library.problems if problem.severity == "error"), None)
        told = render(first) if first else f"{file}: no deck"
        raise ExperimentError(told, told)
    (loaded,) = library.decks
    own = loaded.deck.experiments
    if name not in own:
        names = ", ".join(own) or "none"
        raise ExperimentError(f"{file} has no computation {name}; it has {names}.", f"{file} 里没有计算 {name}；其中有 {names}。")
    try:
        return recipe(name, own[name])
    except ClaimError as error:
        raise ExperimentError(f"{error}; `qkv check {file}` says where.", f"{error}；`qkv check {file}` 会指出位置。") from None
