"""What `qkv check` has found, as text for a person, as JSON, and as annotations for GitHub; with a last line that counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from content.yaml.clean import clean
from content.yaml.problems import Problem, render, spoken
from quiz.commands.output import print_json, tell
from quiz.words.i18n import Words

Form = Literal["text", "json", "github"]

CLEAN, PROBLEMS = 0, 1

ENGLISH = Words("en")


@dataclass(frozen=True)
class CodeReport:
    """How many code cards there are, of how many the listing is wrong as the card says, how many were not run, and what is wrong."""

    cards: int = 0
    proved: int = 0
    unrun: int = 0
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class Report:
    """What was found. `held` is None where no claim was run; `unrun` are those that could not be, `survivors` those that no changed result
    makes false.

    `code` is None where no listing was run. `refused` are decks with an error in their form: of these, the cards that are right in
    themselves count, and their claims are run.
    """

    decks: int
    cards: int
    claims: int
    held: int | None
    survivors: int
    problems: tuple[Problem, ...]
    refused: int = 0
    code: CodeReport | None = None
    unrun: int = 0

    @property
    def exit_code(self) -> int:
        return PROBLEMS if any(problem.severity == "error" for problem in self.problems) else CLEAN


def as_text(report: Report, words: Words = ENGLISH) -> str:
    """Every problem with its line and a caret, then the summary."""
    return "\n\n".join([*(render(problem, words.language) for problem in report.problems), summary(report, words)])


def as_data(report: Report, words: Words = ENGLISH) -> dict[str, Any]:
    """`{decks, cards, claims, held, survivors, problems: [{path, line, column, severity, message}]}`; with --code `listings`, `proved`."""
    fields = ("path", "line", "column", "severity", "message")
    return {
        "decks": report.decks,
        "cards": report.cards,
        "claims": report.claims,
        "held": report.held or 0,
        "survivors": report.survivors,
        "problems": [{field: getattr(spoken(problem, words.language), field) for field in fields} for problem in report.problems],
        **({"listings": report.code.cards, "proved": report.code.proved} if report.code else {}),
    }


def as_annotations(report: Report, words: Words = ENGLISH) -> str:
    """`::error file=...,line=...,col=...::sentence`, one a problem, then the summary; no line of a deck begins a line here."""
    return "\n".join([*(_annotation(spoken(problem, words.language), words) for problem in report.problems), summary(report, words)])


FORMS: dict[Form, Callable[[Report, Words], None]] = {
    "text": lambda report, words: tell(as_text(report, words)),
    "json": lambda report, words: print_json(as_data(report, words), indent=1),
    "github": lambda report, words: tell(as_annotations(report, words)),
}


def _annotation(problem: Problem, words: Words) -> str:
    place = {"file": problem.path, "line": problem.line, "col": problem.column}
    where = ",".join(f"{key}={_property(str(value))}" for key, value in place.items() if value)
    said = words("check.with_hint", message=problem.message, hint=problem.hint) if problem.hint else problem.message
    return f"::{problem.severity} {where}::{_data(said)}"


def _data(text: str) -> str:
    """Other people's text on one line, and a % as GitHub reads it: nothing in it ends the line or begins an escape."""
    return clean(text).replace("\n", " ").replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def summary(report: Report, words: Words = ENGLISH) -> str:
    """The last line: how much was looked at, and how many problems there are."""
    errors = sum(problem.severity == "error" for problem in report.problems)
    found = words("check.none")
    if report.problems:
        warnings = words("check.warnings", count=len(report.problems) - errors)
        found = words("check.found", errors=words("check.errors", count=errors), warnings=warnings)
    if report.refused:
        found = words("check.refused", decks=words("check.decks", count=report.refused), found=found)
    decks, cards = words("check.decks", count=report.decks + report.refused), words("check.cards", count=report.cards)
    looked_at = words("check.looked_at", decks=decks, cards=cards, claims=_claims(report, words))
    if report.code:
        listings = words("check.listings", count=report.code.cards)
        looked_at = words("check.with_code", looked_at=looked_at, proved=report.code.proved, listings=listings)
        if report.code.unrun:
            looked_at = words("check.unrun_code", held=looked_at, unrun=report.code.unrun)
    return words("check.summary", looked_at=looked_at, found=found)


def _claims(report: Report, words: Words) -> str:
    if report.held is None or (report.claims and report.unrun == report.claims):
        return words("check.not_run", claims=report.claims)
    held = words("check.held", held=report.held, claims=report.claims - report.unrun)
    return words("check.unrun", held=held, unrun=report.unrun) if report.unrun else held
