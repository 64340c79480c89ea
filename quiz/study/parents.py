"""A follow-up waits for its parent: which new cards may be asked, and which must be met before another one."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Set

from quiz.memory.card_ids import Key

Links = Mapping[Key, tuple[Key, ...]]  # the follow-ups of each card


def shortest_ways(new: Collection[Key], seen: Set[Key], links: Links) -> dict[Key, Key | None]:
    """For every new card the new card after which it may be asked, on the shortest way to it; None where it waits for nobody.

    A card waits for one of its parents: the one that was seen, else whichever comes first. A parent that is neither new nor seen (it
    is suspended, or in no deck of this session) keeps nobody waiting. Of cards that follow each other in a circle the first one begins.
    """
    waiting = dict.fromkeys(new)
    followed = {child for parent, children in links.items() if parent in waiting for child in children}
    opened = {child for parent, children in links.items() if parent in seen for child in children}
    ways: dict[Key, Key | None] = {key: None for key in waiting if key not in followed or key in opened}
    _follow(ways, list(ways), waiting.keys(), links)
    for key in waiting:
        if key not in ways:
            ways[key] = None
            _follow(ways, [key], waiting.keys(), links)
    return ways


def _follow(ways: dict[Key, Key | None], begun: Iterable[Key], waiting: Set[Key], links: Links) -> None:
    queue = deque(begun)
    while queue:
        parent = queue.popleft()
        for child in links.get(parent, ()):
            if child in waiting and child not in ways:
                ways[child] = parent
                queue.append(child)


def way_to(key: Key, ways: Mapping[Key, Key | None], done: Collection[Key]) -> list[Key]:
    """The cards to be met for a card that are not `done`: those it waits for in their order, then itself."""
    found = [key]
    while (parent := ways[found[-1]]) is not None and parent not in done:
        found.append(parent)
    return found[::-1]
