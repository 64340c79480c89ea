"""What a session's summary says, as parts: for the screen and for the plain mode."""

from __future__ import annotations

import math
from collections import Counter

from rich.cells import set_cell_size

from quiz.card.card_parts import Part, heading, option_part, text_lines
from quiz.card.card_run import preset_values
from quiz.card.typeset import Line, Span
from quiz.memory.scheduler import Grade
from quiz.study.leeches import SURE, is_missed
from quiz.study.session import GradedStep, Session, SetAsideStep, cards_to_look_at
from quiz.study.study import Study
from quiz.study.turn import is_correct
from quiz.words.i18n import say

BAR = 24  # cells of the longest bar


def summary_parts(study: Study, language: str) -> list[Part]:
    """Everything there is to say of a session so far."""
    past = study.session.past
    if not past:
        return [text_lines((Span(say(language, "summary.none")),))]
    parts = [_opening(study, language), heading(language, "summary.grades", "query"), text_lines(*_grades(past, language))]
    surety = _surety(past, language)
    if surety:
        parts += [heading(language, "summary.calibration", "value"), text_lines(*surety)]
    parts.append(heading(language, "summary.again", "key"))
    again = cards_to_look_at(study.session)
    wrong = "summary.sure_wrong_soon" if study.progress else "summary.sure_wrong"
    parts += [_again(graded, say(language, wrong), language) for graded in again] or [text_lines((Span(say(language, "summary.clean")),))]
    return parts


def _opening(study: Study, language: str) -> Part:
    past = study.session.past
    judged = [not _wrong(graded) for graded in past if is_correct(graded.turn) is not None]
    said = [say(language, "summary.cards", count=len(past))]
    if judged:
        said.append(say(language, "summary.right", right=sum(judged), judged=len(judged)))
    if study.spent:
        said.append(say(language, "summary.time", minutes=math.ceil(study.spent / 60)))
    return text_lines((Span(" · ".join(said), "strong"),), (Span(say(language, _kept(study)), "dim"),))


def _kept(study: Study) -> str:
    """The sentence that says where the grades are."""
    if study.progress is None:
        return "summary.practice"
    return "summary.saved" if study.progress.keeps else "summary.unsaved"


def _grades(past: tuple[GradedStep, ...], language: str) -> list[Line]:
    counts = Counter(graded.grade for graded in past)
    most = max(counts.values())
    styles = {Grade.again: "bad", Grade.hard: "heading-trap", Grade.good: "good", Grade.easy: "heading-query"}
    return [
        (
            Span(set_cell_size(say(language, f"grade.{int(grade)}"), 8)),
            Span("━" * round(BAR * counts[grade] / most), styles[grade]),
            Span(f" {counts[grade]}" if counts[grade] else "·", "dim"),
        )
        for grade in Grade
    ]


def _surety(past: tuple[GradedStep, ...], language: str) -> list[Line]:
    """A row a confidence: of how many answers how many were right, as the statistics count them."""
    rows: list[Line] = []
    for level in (3, 2, 1):
        judged = [not _wrong(graded) for graded in past if graded.turn.confidence == level]
        if judged:
            share = f"{sum(judged)}/{len(judged)}"
            bar = "━" * round(BAR * sum(judged) / len(judged))
            rows.append((Span(set_cell_size(say(language, f"confidence.{level}"), 12)), Span(bar, "measured"), Span(f" {share}", "dim")))
    return rows


def _wrong(graded: GradedStep) -> bool:
    return is_missed(is_correct(graded.turn), graded.grade)


def _again(graded: GradedStep, sure_wrong: str, language: str) -> Part:
    overconfident = graded.turn.confidence == SURE and _wrong(graded)
    mark = (Span(" ✖ " if graded.grade is Grade.again else " ~ ", "bad" if graded.grade is Grade.again else "heading-trap"),)
    question = graded.turn.card.question.said(language).strip().split("\n")[0]
    suffix = f" ({sure_wrong})" if overconfident else ""
    return option_part(mark, question + suffix, preset_values(graded.turn.card))


def undo_sentence(step: GradedStep | SetAsideStep, language: str) -> str:
    """The sentence on a step that was taken back."""
    card = step.turn.card.id
    if isinstance(step, GradedStep):
        return say(language, "undo.done", grade=say(language, f"grade.{int(step.grade)}"), card=card)
    return say(language, "undo.aside", card=card)


def waiting_sentence(session: Session, minutes: int, language: str) -> str:
    """The sentence on cards that come back."""
    count = len(session.returning)
    return say(language, "summary.waiting", count=count, minutes=minutes)
