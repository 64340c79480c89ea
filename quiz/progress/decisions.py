"""What a person decided beside grading cards: a card set aside for good or for a day, or said to be wrong, the date to be ready for,
FSRS's parameters.

A mark is a row of the log like a grade: never changed, taken back by an undo row; of two that contradict each other the later counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args
from uuid import uuid4

from quiz.memory.card_ids import Key
from quiz.memory.fsrs import DEFAULT, RETENTION, Parameters
from quiz.memory.study_day import Moment

Kind = Literal["suspend", "resume", "bury", "plan", "parameters", "flag"]
KINDS: tuple[Kind, ...] = get_args(Kind)
EVERYTHING: Key = ("", "")  # whose mark a plan is, and a fit
LONGEST_NOTE = 800  # characters: escaped they are at most 9,600, which a row of an export can hold


@dataclass(frozen=True)
class Plan:
    """A day to be ready for: the day of the interview and the first of the last days (ordinals), in which every card is asked once more.

    `tag` narrows it to the cards of a topic; `minutes` is the time that a person has a day; `new_a_day` is how many new cards a day it
    began with (None in plans of earlier versions).
    """

    until: int
    final: int
    tag: str | None = None
    minutes: int | None = None
    new_a_day: int | None = None


@dataclass(frozen=True)
class Fit:
    """FSRS's parameters fitted to a person's own log: on which study day (ordinal), and to how many reviews."""

    parameters: Parameters
    day: int
    reviews: int


@dataclass(frozen=True)
class Flag:
    """What is wrong with a card, in a person's words, and the study day (ordinal) on which it was said."""

    note: str
    day: int


@dataclass(frozen=True)
class Decision:
    """One row. `details` is JSON: a Plan, or `{}` where it was given up; the parameters of a Fit; the note of a Flag, empty where nothing
    is wrong any more; `[]` for the other kinds."""

    id: str
    kind: Kind
    key: Key
    when: Moment
    details: str = "[]"

    @classmethod
    def new(cls, kind: Kind, key: Key, when: Moment) -> Decision:
        """A mark on a card that is made now."""
        return cls(uuid4().hex, kind, key, when)

    @classmethod
    def plan(cls, aim: Plan | None, when: Moment) -> Decision:
        """The plan that counts from now on; None is no plan."""
        return cls(uuid4().hex, "plan", EVERYTHING, when, json.dumps(vars(aim) if aim else {}))

    @classmethod
    def flag(cls, note: str, key: Key, when: Moment) -> Decision:
        """A card that is said to be wrong."""
        return cls(uuid4().hex, "flag", key, when, json.dumps({"note": note.strip()[:LONGEST_NOTE]}))

    @classmethod
    def fitted(cls, fit: Fit, when: Moment) -> Decision:
        """The parameters that memories are computed by from now on."""
        return cls(uuid4().hex, "parameters", EVERYTHING, when, json.dumps({"w": fit.parameters.w, "reviews": fit.reviews}))


@dataclass(frozen=True)
class Decisions:
    """How things stand: cards that are suspended, cards with the study day for which they are buried, the aim and the fit if there are,
    and the cards that are said to be wrong.

    The retention is no row of the log but a setting; who reads the log adds it.
    """

    suspended: frozenset[Key] = frozenset()
    buried: Mapping[Key, int] = field(default_factory=dict)
    aim: Plan | None = None
    fit: Fit | None = None
    flagged: Mapping[Key, Flag] = field(default_factory=dict)
    retention: float = RETENTION

    @property
    def parameters(self) -> Parameters:
        """What memories are computed by."""
        return replace(self.fit.parameters if self.fit else DEFAULT, retention=self.retention)

    def away(self, day: int) -> frozenset[Key]:
        """The cards that are not to be asked on a study day."""
        return self.suspended | {key for key, until in self.buried.items() if until == day}


NONE = Decisions()


def standing_decisions(marks: Iterable[Decision]) -> Decisions:
    """What marks in the order of the log add up to: the latest of a card counts, and the latest plan and fit."""
    flagged: dict[Key, Flag] = {}
    suspended: set[Key] = set()
    buried: dict[Key, int] = {}
    aim: Plan | None = None
    fit: Fit | None = None
    for mark in marks:
        match mark.kind:
            case "suspend":
                suspended.add(mark.key)
            case "resume":
                suspended.discard(mark.key)
                buried.pop(mark.key, None)
            case "bury":
                buried[mark.key] = mark.when.day
            case "plan":
                aim = plan_of(mark.details)
            case "parameters":
                fit = fit_of(mark)
            case "flag":
                flagged |= {mark.key: flag_of(mark)}
    return Decisions(frozenset(suspended), buried, aim, fit, {key: said for key, said in flagged.items() if said.note})


def plan_of(details: str) -> Plan | None:
    """The aim that a plan's details hold; None for no plan, and for what this version cannot read: a merged log is no reason to fail."""
    told = _object(details)
    if not (_is_day(told.get("until")) and _is_day(told.get("final"))):
        return None
    tag, minutes = told.get("tag"), told.get("minutes")
    return Plan(
        until=told["until"],
        final=min(told["final"], told["until"]),
        tag=tag if isinstance(tag, str) else None,
        minutes=minutes if _is_whole(minutes, 1, 24 * 60) else None,
        new_a_day=told.get("new_a_day") if _is_whole(told.get("new_a_day"), 1, 10**6) else None,
    )


def fit_of(mark: Decision) -> Fit | None:
    """The fit that a mark holds; None, and with it FSRS's own parameters, for numbers that its library would not compute with."""
    told = _object(mark.details)
    w, reviews = told.get("w"), told.get("reviews")
    parameters = Parameters(tuple(w) if isinstance(w, list) else ())
    counted = reviews if isinstance(reviews, int) and not isinstance(reviews, bool) else 0
    return Fit(parameters, mark.when.day, max(counted, 0)) if parameters.sound else None


def flag_of(mark: Decision) -> Flag:
    """What a mark says of its card; nothing where this version cannot read it."""
    note = _object(mark.details).get("note")
    return Flag(note[:LONGEST_NOTE] if isinstance(note, str) else "", mark.when.day)


def _object(details: str) -> dict[str, Any]:
    """The JSON object of a row; an empty one for anything else."""
    try:
        told = json.loads(details)
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def _is_day(value: object) -> bool:
    """Whether a value can be a date's ordinal."""
    return _is_whole(value, 1, 3_652_059)


def _is_whole(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
