"""What today holds: cards that are due and new, the plan's share, the cards in trouble. For the home screen and for `qkv plan`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from content.deck.cards import Deck
from quiz.memory.card_ids import Key
from quiz.memory.scheduler import Memory, is_misdated
from quiz.memory.study_day import Moment
from quiz.progress.decisions import Plan
from quiz.study.filter import Filter, admitted_cards, admitted_items
from quiz.study.learner import LearnerState, orphans
from quiz.study.plan import DailyShare, remaining_study_days
from quiz.study.queue import choose_cards, next_day, todays_share
from quiz.words.i18n import Words


@dataclass(frozen=True)
class TodaysWork:
    """`due` and `new` are what a session over all decks would have; `held` are new cards that today had room for, but for a sibling.

    `next_day` is when the next card comes where there is none today, None where none ever does; `misdated` counts the cards that
    a wrong clock has dated, `orphans` those that are gone from their decks. `failing` and `confident_errors` count the
    cards in trouble that may be asked: those that were asked today rest until tomorrow.
    """

    day: int
    due: int
    new: int
    held: int
    failing: int
    confident_errors: int
    next_day: int | None = None
    misdated: int = 0
    orphans: int = 0
    aim: Plan | None = None
    share: DailyShare | None = None


def todays_work(decks: Sequence[Deck], learner: LearnerState, now: Moment) -> TodaysWork:
    """What the decks hold for a person now."""
    session = choose_cards(decks, learner, now)
    due = sum(item.key in learner.memories for item in session)
    unlearned = learner.limits.new - len(learner.met(now.day))
    askable = {(deck.deck, card.id) for deck in decks for card in deck.cards} - learner.decisions.away(now.day)
    rested = {key for key in askable & learner.memories.keys() if learner.memories[key].last_day < now.day}
    return TodaysWork(
        day=now.day,
        due=due,
        new=len(session) - due,
        held=0 if learner.decisions.aim else _held(len(askable - learner.memories.keys()), len(session) - due, unlearned),
        failing=len(learner.leeches & rested),
        confident_errors=len(learner.confident_errors.keys() & rested),
        next_day=None if session else next_day(admitted_cards(decks), learner, now),
        orphans=len(orphans(decks, learner.memories)[0]),
        misdated=count_misdated(learner.memories, now.day),
        aim=learner.decisions.aim,
        share=todays_share(decks, learner, now.day),
    )


def count_misdated(memories: Mapping[Key, Memory], day: int) -> int:
    """How many cards have a date that cannot be right."""
    return sum(is_misdated(memory, day) for memory in memories.values())


def _held(unmet: int, chosen: int, room: int) -> int:
    """How many new cards the day's limit would have let in beside the chosen ones."""
    return max(min(unmet, room) - chosen, 0)


def tasks_line(held: TodaysWork, words: Words) -> str:
    """What to study today, or that there is nothing."""
    if not held.due and not held.new:
        return nothing_today(held.next_day, held.day, words)
    name = "home.today" if held.due and held.new else "home.today.due" if held.due else "home.today.new"
    told = words(name, due=held.due, new=held.new)
    return f"{told} · {words('home.held', count=held.held)}" if held.held else told


def nothing_today(coming: int | None, day: int, words: Words) -> str:
    """That there is nothing to study, and when there will be (see queue.next_day)."""
    if coming is None:
        return words("home.nothing.left")
    if coming == day:
        return words("home.nothing.soon")
    if coming == day + 1:
        return words("home.nothing")
    return words("home.nothing.later", count=coming - day, date=iso_date(coming))


def nothing_to_ask(decks: Sequence[Deck], learner: LearnerState, now: Moment, wanted: Filter, words: Words, *, practise: bool) -> str:
    """Why a session has no card."""
    if admitted_items(decks) and not admitted_items(decks, wanted):
        return words("home.nothing.fits")
    if wanted.weak:
        return words("home.weak.none")
    if practise:
        return words("home.nothing.left")
    cards = admitted_cards(decks, wanted)
    coming = next_day(cards, learner, now, new=wanted.new != 0)
    if coming is None and not cards.keys() <= learner.decisions.suspended:
        return words("home.nothing.met")
    return nothing_today(coming, now.day, words)


def plan_line(held: TodaysWork, words: Words) -> str:
    """How far the day of the interview is, and today's share; nothing without a plan."""
    aim, share = held.aim, held.share
    if aim is None or share is None:
        return ""
    if aim.until == held.day:
        return words("home.plan.day")
    left = words("home.plan", date=iso_date(aim.until), count=remaining_study_days(aim, held.day))
    if share.again:
        return f"{left} · {words('home.plan.again', count=share.again)}"
    return f"{left} · {words('home.plan.new', count=share.new) if share.new else words('home.plan.done')}"


def trouble_line(held: TodaysWork, words: Words) -> str:
    """How many cards keep failing, and how many one was sure of and had wrong; nothing when there are none."""
    said = [words(f"home.{name}", count=count) for name, count in (("failing", held.failing), ("erred", held.confident_errors)) if count]
    return " · ".join(said)


def iso_date(day: int) -> str:
    """A study day as a date, 2027-03-01."""
    return date.fromordinal(day).isoformat()
