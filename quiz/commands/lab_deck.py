"""`qkv lab FILE`, and `qkv lab FILE NAME`: a deck's own computations, by the names that its cards use."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from content.claims.teeth import is_constant
from content.claims.tokens import ClaimError
from content.deck.cards import Computation
from content.deck.library import load
from content.messages.sentence import in_language
from content.yaml.problems import render
from engine import Description, ExperimentError, Recipe, Worker
from quiz.card.planned_run import claim_scope
from quiz.card.recipes import recipe
from quiz.card.settings import random_settings


def is_deck(name: str) -> bool:
    """Whether what stands in an experiment's place is a file: no experiment's name has a dot or a slash."""
    return name.endswith((".yaml", ".yml")) or ("/" in name and Path(name).is_file())


def own_computations(file: str) -> Mapping[str, Computation]:
    """Raises ExperimentError, with the first problem of the file where it cannot be read."""
    library = load([Path(file)])
    if not library.decks:
        first = next((problem for problem in library.problems if problem.severity == "error"), None)
        if first is None:
            raise ExperimentError(f"{file}: no deck", f"{file}：没有题库")
        raise ExperimentError(render(first), render(first, "zh"))
    return library.decks[0].deck.experiments


def own_recipe(file: str, name: str) -> Recipe:
    """Raises ExperimentError, also where the file has no such computation or its lines cannot be read."""
    own = own_computations(file)
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


def unmoved(worker: Worker, own: Recipe, description: Description) -> set[str]:
    """The numbers that are the same at other settings; where none can be run, none is known."""
    found = []
    for values in random_settings(description):
        try:
            found.append(claim_scope(values, worker.submit(own, values).result()))
        except ExperimentError:
            continue
    names = {name for scope in found for name in scope} - {parameter.name for parameter in description.parameters}
    return {name for name in names if is_constant(name, found)} if found else set()
