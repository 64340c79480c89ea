"""What today holds: cards that are due and new, the plan's share, the cards in trouble. For the home screen and for `qkv plan`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from content.deck.cards import Deck
from quiz.agenda.known import Known
from quiz.agenda.plan import Share, study_days
from quiz.agenda.selection import NEW_A_DAY, Filter, choose, items_of, todays_share
from quiz.memory.study_day import Moment
from quiz.progress.decisions import Plan
from quiz.words.i18n import say


@dataclass(frozen=True)
class Today:
    """`due` and `new` are what a session over all decks would have; `held` are new cards that today had room for, but for a sibling.

    `failing` and `erred` count the cards in trouble that may be asked.
    """

    day: int
    due: int
    new: int
    held: int
    failing: int
    erred: int
    aim: Plan | None = None
    share: Share | None = None


def today(decks: Sequence[Deck], known: Known, now: Moment) -> Today:
    """What the decks hold for a person now."""
    session = choose(decks, known, now)
    due = sum(item.key in known.memories for item in session)
    askable = {(deck.deck, card.id) for deck in decks for card in deck.cards} - known.marks.away(now.day)
    return Today(
        day=now.day,
        due=due,
        new=len(session) - due,
        held=0 if known.marks.aim else _held(len(askable - known.memories.keys()), len(session) - due, len(known.met(now.day))),
        failing=len(known.leeches & askable),
        erred=len(known.erred.keys() & askable),
        aim=known.marks.aim,
        share=todays_share(decks, known, now.day),
    )


def _held(unmet: int, chosen: int, met: int) -> int:
    """How many new cards the day's limit would have let in beside the chosen ones."""
    return max(min(unmet, NEW_A_DAY - met) - chosen, 0)


def tasks(held: Today, language: str) -> str:
    """What to study today, or that there is nothing."""
    if not held.due and not held.new:
        return say(language, "home.nothing")
    told = say(language, "home.today", due=held.due, new=held.new)
    return f"{told} · {say(language, 'home.held', count=held.held)}" if held.held else told


def nothing(decks: Sequence[Deck], wanted: Filter, language: str, *, practise: bool) -> str:
    """Why a session has no card."""
    if items_of(decks) and not items_of(decks, wanted):
        return say(language, "home.nothing.fits")
    if wanted.weak:
        return say(language, "home.weak.none")
    return say(language, "home.nothing.left" if practise else "home.nothing")


def plan_line(held: Today, language: str) -> str:
    """How far the day of the interview is, and today's share; nothing without a plan."""
    aim, share = held.aim, held.share
    if aim is None or share is None:
        return ""
    if aim.until == held.day:
        return say(language, "home.plan.day")
    left = say(language, "home.plan", date=iso(aim.until), count=study_days(aim, held.day))
    if share.again:
        return f"{left} · {say(language, 'home.plan.again', count=share.again)}"
    return f"{left} · {say(language, 'home.plan.new', count=share.new) if share.new else say(language, 'home.plan.done')}"


def trouble_line(held: Today, language: str) -> str:
    """How many cards keep failing, and how many one was sure of and had wrong; nothing when there are none."""
    said = [say(language, f"home.{name}", count=count) for name, count in (("failing", held.failing), ("erred", held.erred)) if count]
    return " · ".join(said)


def iso(day: int) -> str:
    """A study day as a date, 2027-03-01."""
    return date.fromordinal(day).isoformat()
