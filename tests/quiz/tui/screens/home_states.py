"""The states of the home screen: three decks, and what somebody has learned of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import cast

from engine.worker.worker import Worker
from quiz.card.deck_paths import resolve_decks
from quiz.memory.scheduler import Grade
from quiz.memory.study_day import Moment
from quiz.progress.decisions import Decision, Plan
from quiz.progress.progress import Progress, open_progress
from quiz.progress.reviews import Review
from quiz.tui.app import QkvApp
from quiz.tui.requests import Start
from tests.quiz.driving import NOON, FakeEngine

TOPICS = (("masks", "Masks", "掩码"), ("heads", "Heads and their shapes", "多头与形状"), ("positions", "Positions", "位置"))


def decks(folder: Path) -> tuple[str, ...]:
    """Three decks of eight cards, each with two tags."""
    for name, en, zh in TOPICS:
        cards = "".join(
            f"  - {{id: c{n}, tags: [{name}, {'code' if n % 2 else 'theory'}],"
            f" question: {{en: Why is {en.lower()} number {n} so?, zh: 为什么{zh}第 {n} 条是这样？}}, answer: So.}}\n"
            for n in range(8)
        )
        (folder / f"{name}.yaml").write_text(f"deck: {name}\ntitle: {{en: {en}, zh: {zh}}}\ncards:\n{cards}", encoding="utf-8")
    return tuple(str(folder / f"{name}.yaml") for name, _, _ in TOPICS)


KEYS = [(name, f"c{n}") for name, _, _ in TOPICS for n in range(8)]


def halfway(store: Progress) -> None:
    """Two thirds of the cards met over three weeks, some of them failing, one sure and wrong; an interview in twelve days."""
    for place, key in enumerate(KEYS[:16]):
        for turn, days in enumerate((21 - place % 9, 12 - place % 5, 6 - place % 4, 3 - place % 3)):
            grade = Grade.again if place % 6 == 0 and turn % 2 else Grade.hard if place % 3 else Grade.good
            store.record(Review.new(Moment.of(NOON - timedelta(days=days)), key, grade, confidence=3 if grade is Grade.again else None))
    now = Moment.of(NOON)
    store.decide(Decision.plan(Plan(now.day + 12, now.day + 9), now))


def done(store: Progress) -> None:
    """Every card was answered today."""
    for place, key in enumerate(KEYS):
        store.record(Review.new(Moment.of(NOON - timedelta(days=5 - place % 4)), key, Grade.good))
    for key in KEYS:
        store.record(Review.new(Moment.of(NOON - timedelta(hours=1)), key, Grade.good))


def nothing(store: Progress) -> None:
    """A person who has not begun."""


STATES: dict[str, Callable[[Progress], None]] = {"newcomer": nothing, "halfway": halfway, "done": done, "no-decks": nothing}


def home(engine: FakeEngine, names: Sequence[str] = (), language: str = "en", session: bool = False) -> QkvApp:
    return QkvApp(Start(resolve_decks(names), language, session), cast(Worker, engine), lambda: Moment.of(NOON))


def names_in(state: str) -> tuple[str, ...]:
    return ("empty",) if state == "no-decks" else tuple(Path(name).name for name in decks(Path()))


def learned(state: str) -> None:
    with closing(open_progress()) as store:
        STATES[state](store)
