"""What a session's summary says, as parts: for the screen and for the plain mode."""

from __future__ import annotations

import math
from collections import Counter

from rich.cells import set_cell_size

from quiz.card.card_parts import Part, heading, option_part, text_lines
from quiz.card.card_run import preset_values
from quiz.card.typeset import Line, Span
from quiz.memory.scheduler import Grade
from quiz.study.leeches import SURE
from quiz.study.session import FlagStep, GradedStep, Session, Step, cards_to_look_at
from quiz.study.study import Study
from quiz.words.i18n import Words

BAR = 24  # cells of the longest bar


def summary_parts(study: Study, words: Words) -> list[Part]:
    """Everything there is to say of a session so far."""
    past = study.session.past
    if not past:
        return [text_lines((Span(words("summary.none")),))]
    parts = [_opening(study, words), heading(words, "summary.grades", "query"), text_lines(*_grades(past, words))]
    surety = _surety(past, words)
    if surety:
        parts += [heading(words, "summary.calibration", "value"), text_lines(*surety)]
    parts.append(heading(words, "summary.again", "key"))
    again = cards_to_look_at(study.session)
    wrong = "summary.sure_wrong_soon" if study.progress else "summary.sure_wrong"
    parts += [_again(graded, words(wrong), words) for graded in again] or [text_lines((Span(words("summary.clean")),))]
    return parts


def _opening(study: Study, words: Words) -> Part:
    past = study.session.past
    right = sum(not graded.missed for graded in past)
    said = [words("summary.cards", count=len(past)), words("summary.right", right=right, judged=len(past))]
    if study.spent:
        said.append(words("summary.time", minutes=math.ceil(study.spent / 60)))
    return text_lines((Span(" · ".join(said), "strong"),), (Span(words(_kept(study)), "dim"),))


def _kept(study: Study) -> str:
    """The sentence that says where the grades are."""
    if study.progress is None:
        return "summary.practice"
    return "summary.saved" if study.progress.keeps else "summary.unsaved"


def _grades(past: tuple[GradedStep, ...], words: Words) -> list[Line]:
    counts = Counter(graded.grade for graded in past)
    most = max(counts.values())
    styles = {Grade.again: "bad", Grade.hard: "heading-trap", Grade.good: "good", Grade.easy: "heading-query"}
    return [
        (
            Span(set_cell_size(words(f"grade.{int(grade)}"), 8)),
            Span("━" * round(BAR * counts[grade] / most), styles[grade]),
            Span(f" {counts[grade]}" if counts[grade] else "·", "dim"),
        )
        for grade in Grade
    ]


def _surety(past: tuple[GradedStep, ...], words: Words) -> list[Line]:
    """A row a confidence: of how many answers how many were right, as the statistics count them."""
    rows: list[Line] = []
    for level in (3, 2, 1):
        judged = [not graded.missed for graded in past if graded.confidence == level]
        if judged:
            share = f"{sum(judged)}/{len(judged)}"
            bar = "━" * round(BAR * sum(judged) / len(judged))
            rows.append((Span(set_cell_size(words(f"confidence.{level}"), 12)), Span(bar, "measured"), Span(f" {share}", "dim")))
    return rows


def _again(graded: GradedStep, sure_wrong: str, words: Words) -> Part:
    overconfident = graded.confidence == SURE and graded.missed
    mark = (Span(" ✖ ", "bad") if graded.missed else Span(" ~ ", "heading-trap"),)
    question = graded.turn.card.question.said(words.language).strip().split("\n")[0]
    suffix = f" ({sure_wrong})" if overconfident else ""
    return option_part(mark, question + suffix, preset_values(graded.turn.card, words.language))


def title_sentence(session: Session, words: Words) -> str:
    """That the session is done, or what of it is left. Cards that come back have a sentence of their own."""
    left = len(session.queue) + (session.turn is not None)
    if not left:
        return words("summary.title")
    done = len(session.past)
    return words("summary.paused", done=done, total=done + left, left=left)


def undo_sentence(step: Step, words: Words) -> str:
    """The sentence on a step that was taken back."""
    card = step.turn.card.id
    if isinstance(step, GradedStep):
        return words("undo.done", grade=words(f"grade.{int(step.grade)}"), card=card)
    return words("undo.flag" if isinstance(step, FlagStep) else "undo.aside", card=card)


def waiting_sentence(session: Session, minutes: int, words: Words) -> str:
    """The sentence on cards that come back."""
    count = len(session.returning)
    return words("summary.waiting", count=count, minutes=minutes)
