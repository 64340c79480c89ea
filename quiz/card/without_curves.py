"""The runs that a card's own are held against, without the curves that nothing of the card names: most of a computation's work is there."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from content.deck.cards import Card
from content.deck.known_experiments import late_names
from engine import Recipe
from quiz.card.card_run import CardRun


def judged_names(card: Card) -> frozenset[str]:
    """The words of all that is held against the runs: claims, what is asked for, and what texts quote. Each is an expression."""
    asked = [given.quantity or "" for given in (card.number, card.predict) if given]
    claimed = [claim.check for claim in card.verify.claims] if card.verify else []
    return frozenset(re.findall(r"\w+", " ".join((*asked, *claimed, *(quoted for _, quoted, _ in late_names(card))))))


def without_curves(run: CardRun, names: Collection[str]) -> CardRun:
    """The same with computations that sweep nothing but what is named."""
    plan = (replace(one, experiment=_lean(one.experiment, names)) for one in run.plan)
    return replace(run, plan=tuple(plan))


def _lean(experiment: str | Recipe, names: Collection[str]) -> str | Recipe:
    if isinstance(experiment, str):
        return experiment
    return replace(experiment, sweeps=tuple(sweep for sweep in experiment.sweeps if sweep.name in names), figures=())
