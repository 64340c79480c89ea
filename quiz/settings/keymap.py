"""Keys that a person gives to bindings: which can be given, and why the others cannot. What bindings there are the screens say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from content.text.nearest import nearest
from quiz.settings.document import Fault

FIXED = ("session.letter", "stats.pick", "follow_up.digit", "choice.digit")  # printed before what they choose: an option a has the key a
ALWAYS = "app.interrupt"  # the way out stays where it is
Kind = Literal["app", "screen", "modal", "widget"]


@dataclass(frozen=True)
class Bound:
    """A binding: its keys, and the classes in which it counts (a screen and those that inherit its bindings)."""

    id: str
    keys: tuple[str, ...]
    kind: Kind
    owners: frozenset[str]

    @property
    def movable(self) -> bool:
        """Whether it may have another key."""
        return self.id != ALWAYS and self.id.rpartition(".")[0] not in FIXED


def is_beside(one: Bound, other: Bound) -> bool:
    """Whether both may count at one moment, so that they cannot share a key. A modal screen is alone; a widget lies on any other."""
    return bool(one.owners & other.owners) or {one.kind, other.kind} in ({"app", "screen"}, {"app", "widget"}, {"screen", "widget"})


def sound_keys(
    wanted: Mapping[str, str], bound: Sequence[Bound], key_name: Callable[[str], str]
) -> tuple[dict[str, tuple[str, ...]], list[Fault]]:
    """The keys by binding that can be given, and what is wrong with the others. `key_name` is a key's full name; empty for none."""
    known = {each.id: each for each in bound}
    taken: dict[str, tuple[str, ...]] = {}
    faults = []
    for id, text in wanted.items():
        keys = tuple(map(key_name, _split(text)))
        if id not in known:
            faults.append(Fault("binding", name=id, value=next(iter(nearest(id, known)), "")))
        elif not known[id].movable:
            faults.append(Fault("fixed", name=id))
        elif not all(keys):
            faults.append(Fault("key", name=id, value=text))
        else:
            taken[id] = keys
    while clash := _clash(taken, bound):
        id, key, other = clash
        del taken[id]
        faults.append(Fault("clash", name=id, value=key, other=other))
    return taken, faults


def _split(text: str) -> list[str]:
    """The keys between the commas; a comma alone is the key."""
    return [text.strip()] if text.strip() in (",", "，") else [key.strip() for key in text.split(",")]


def _clash(taken: Mapping[str, tuple[str, ...]], bound: Sequence[Bound]) -> tuple[str, str, str] | None:
    """A binding, the key that it was given, and another binding that has it already; the one that was named last gives way."""
    for id in reversed(list(taken)):
        ours = [each for each in bound if each.id == id]
        for other in bound:
            shared = set(taken[id]) & set(taken.get(other.id, other.keys))
            if other.id != id and shared and any(is_beside(one, other) for one in ours):
                return id, min(shared), other.id
    return None
