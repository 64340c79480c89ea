"""The day of the interview: a plan made for it. The plan in the log is the one place where the date is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from content.deck.cards import Deck
from quiz.card.today import iso_date
from quiz.memory.card_ids import Key
from quiz.progress.decisions import Plan
from quiz.progress.progress import Progress
from quiz.study.learner import LearnerState
from quiz.study.plan_load import LoadForecast, daily_loads, forecast_load, measure_pace, start_of_last_days
from quiz.study.queue import plan_scope
from quiz.words.i18n import Words

FARTHEST = 2 * 366  # days; further away a plan is a guess


def refusal(until: str, tag: str | None, decks: Sequence[Deck], day: int, words: Words) -> str:
    """Why a date or a tag makes no sense; nothing where both do."""
    try:
        wanted = date.fromisoformat(until).toordinal()
    except ValueError:
        return words("plan.no_date", text=until)
    if wanted < day:
        return words("plan.past", date=until, today=iso_date(day))
    if wanted > day + FARTHEST:
        return words("plan.far", date=until)
    if tag and not any(tag in card.tags for deck in decks for card in deck.cards):
        return words("plan.no_tag", tag=tag)
    return ""


def new_plan(store: Progress, decks: Sequence[Deck], until: int, tag: str | None, minutes: int | None, day: int) -> Plan:
    """The aim with its last days where they make the busiest day shortest: found once, so that they do not move from day to day."""
    learner = LearnerState.of(store)
    cards = plan_scope(decks, learner, Plan(until, until, tag))
    seen = forecast(store, learner, cards, day, until)
    aim = Plan(until, start_of_last_days(until, seen), tag, minutes)
    return replace(aim, new_a_day=daily_loads(aim, seen)[0].new or None)


def forecast(store: Progress, learner: LearnerState, cards: Sequence[Key], day: int, until: int) -> LoadForecast:
    """How things stand for the cards of an aim, at the person's own pace and by the parameters in use."""
    return forecast_load(cards, learner.effective, day, until, measure_pace(store.reviews()), learner.decisions.parameters)
