"""The names in a claim: what a run must hold under one so that a claim can count with it, and what to say of one that it does not have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from content.claims.arithmetic import BITS_LIMIT, Undecided, flat, size
from content.messages.sentence import say
from content.text.nearest import did_you_mean

_INFINITY = say("infinity decides nothing: compare with a large number, such as 1e6")
_CONSTANTS = {
    "pi": say("write 3.14159265"), "e": say("write exp(1)"), "inf": _INFINITY, "infinity": _INFINITY,
    "nan": say("a NaN makes every claim false by itself"),
}  # fmt: skip
CELLS_LIMIT = 1_000_000


def check_value(name: str, scope: Mapping[str, object]) -> None:
    """A name must be there, be numeric, be of a bearable size and hold no NaN. Raises Undecided."""
    if name not in scope:
        raise Undecided(unknown_name(name, [known for known, value in scope.items() if not isinstance(value, str)]))
    if size(scope[name]) > CELLS_LIMIT:
        raise Undecided(say("{name} has more than {limit:,} values", name=name, limit=CELLS_LIMIT))
    for cell in flat(scope[name]):
        if isinstance(cell, str):
            raise Undecided(say("{name} is a text ({text!r}); a claim compares numbers", name=name, text=cell[:40]))
        if type(cell) not in (int, float):
            raise Undecided(say("{name} is not a number", name=name))
        if cell != cell:
            raise Undecided(say("{name} is not a number (NaN)", name=name))
        if isinstance(cell, int) and cell.bit_length() > BITS_LIMIT:
            raise Undecided(say("{name} is too large", name=name))


def unknown_name(name: str, known: Iterable[str]) -> str:
    """What to say of a name that neither a parameter nor a result has."""
    hint = _CONSTANTS.get(name.lower()) or did_you_mean(name, known)
    nothing = say("there is no parameter or result {name}", name=name)
    return say("{sentence}; {hint}", sentence=nothing, hint=hint) if hint else nothing
