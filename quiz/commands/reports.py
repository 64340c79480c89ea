"""What `qkv check` says at its end: for people, as JSON for programs, as annotations for GitHub. All three are interfaces."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from content.yaml.clean import clean
from content.yaml.problems import Problem, render

Form = Literal["text", "json", "github"]

CLEAN, PROBLEMS = 0, 1


@dataclass(frozen=True)
class Report:
    """What was found. `held` is None where no claim was run; `survivors` are claims that no changed result makes false.

    `refused` are decks with an error in their form, which count nowhere else.
    """

    decks: int
    cards: int
    claims: int
    held: int | None
    survivors: int
    problems: tuple[Problem, ...]
    refused: int = 0

    @property
    def code(self) -> int:
        return PROBLEMS if any(problem.severity == "error" for problem in self.problems) else CLEAN


def as_text(report: Report) -> str:
    """Every problem with its line and a caret, then the summary."""
    return "\n\n".join([*map(render, report.problems), summary(report)])


def as_json(report: Report) -> str:
    """`{decks, cards, claims, held, survivors, problems: [{path, line, column, severity, message}]}`."""
    fields = ("path", "line", "column", "severity", "message")
    told = {
        "decks": report.decks,
        "cards": report.cards,
        "claims": report.claims,
        "held": report.held or 0,
        "survivors": report.survivors,
        "problems": [{field: getattr(problem, field) for field in fields} for problem in report.problems],
    }
    return json.dumps(told, ensure_ascii=False, indent=1)


def as_annotations(report: Report) -> str:
    """`::error file=...,line=...,col=...::sentence`, one a problem, then the summary; no line of a deck begins a line here."""
    return "\n".join([*map(_annotation, report.problems), summary(report)])


FORMS: dict[Form, Callable[[Report], str]] = {"text": as_text, "json": as_json, "github": as_annotations}


def _annotation(problem: Problem) -> str:
    place = {"file": problem.path, "line": problem.line, "col": problem.column}
    where = ",".join(f"{key}={_property(str(value))}" for key, value in place.items() if value)
    said = f"{problem.message} ({problem.hint})" if problem.hint else problem.message
    return f"::{problem.severity} {where}::{_data(said)}"


def _data(text: str) -> str:
    """Other people's text on one line, and a % as GitHub reads it: nothing in it ends the line or begins an escape."""
    return clean(text).replace("\n", " ").replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def summary(report: Report) -> str:
    """The last line: how much was looked at, and how many problems there are."""
    claims = f"{report.claims} claims not run" if report.held is None else f"{report.held} of {report.claims} claims hold"
    errors = sum(problem.severity == "error" for problem in report.problems)
    warnings = len(report.problems) - errors
    found = f"{_count(errors, 'error')}, {_count(warnings, 'warning')}" if report.problems else "no problems"
    if report.refused:
        found = f"{_count(report.refused, 'deck')} refused, whose claims wait; {found}"
    return f"{_count(report.decks, 'deck')}, {_count(report.cards, 'card')}, {claims}; {found}."


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
