"""Which new cards are met today: so many, and none that a sibling met today has just given away."""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass

from quiz.agenda.siblings import Kin
from quiz.store.names import Key
from quiz.turns import Item

NEW_A_DAY = 20


@dataclass(frozen=True)
class Allowance:
    """How many new cards today has room for; `needed` of them are met even where a sibling was: a plan's date does not wait."""

    room: int
    needed: int = 0


def meet(new: Sequence[Item], allowed: Allowance, asked: Set[Key], met: Set[Key], kin: Kin) -> list[Item]:
    """The new cards to meet, those without a sibling among the cards of today first.

    `met` are the cards met today for the first time, `asked` all that were or will be asked today. A sibling of a card met today waits
    until tomorrow. One of a card that is merely asked again today comes when there is room left: else it might wait for ever.
    """
    taken: dict[Key, Item] = {}
    for held in (asked | met, met):
        for item in new:
            if len(taken) < allowed.room and _free(item.key, kin, held, taken):
                taken[item.key] = item
    for item in new[: allowed.needed + len(taken)]:
        if len(taken) < allowed.needed:
            taken.setdefault(item.key, item)
    return list(taken.values())


def _free(key: Key, kin: Kin, held: Set[Key], taken: Collection[Key]) -> bool:
    near = kin.get(key, frozenset())
    return near.isdisjoint(held) and near.isdisjoint(taken)
