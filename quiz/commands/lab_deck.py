"""`qkv lab FILE NAME`: a deck's own computation, by the name that its cards use."""

from __future__ import annotations

from pathlib import Path

from content.claims.tokens import ClaimError
from content.deck.library import load
from content.messages.sentence import in_language
from content.yaml.problems import render
from engine import ExperimentError, Recipe
from quiz.card.recipes import recipe


def own_recipe(file: str, name: str) -> Recipe:
    """Raises ExperimentError, with the first problem of the file where it cannot be read."""
    library = load([Path(file)])
    if not library.decks:
        first = next((problem for problem in library.problems if problem.severity == "error"), None)
        if first is None:
            raise ExperimentError(f"{file}: no deck", f"{file}：没有题库")
        raise ExperimentError(render(first), render(first, "zh"))
    (loaded,) = library.decks
    own = loaded.deck.experiments
    if name not in own:
        names = ", ".join(own) or "none", "、".join(own) or "无"
        raise ExperimentError(
            f"{file} has no computation {name}; it has {names[0]}.", f"{file} 里没有计算 {name}；现有的计算：{names[1]}。"
        )
    try:
        return recipe(name, own[name])
    except ClaimError as error:
        en, zh = str(error), in_language(error.message, "zh")
        raise ExperimentError(f"{en}; `qkv check {file}` says where.", f"{zh}；`qkv check {file}` 会指出位置。") from None
