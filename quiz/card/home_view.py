"""What the home screen shows, counted at once: each deck, what today holds, the days to come, topics, and the cards in trouble."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from content.deck.cards import Deck
from content.format import LANGUAGES
from quiz.card.question_text import question_line
from quiz.card.today import TodaysWork, todays_work
from quiz.memory.card_ids import Key
from quiz.memory.study_day import Moment
from quiz.statistics.activity import ReviewForecast, forecast_reviews
from quiz.statistics.topics import Topic, topics
from quiz.study.filter import admitted_cards
from quiz.study.learner import LearnerState
from quiz.study.leeches import WeakCard, weak_first
from quiz.study.queue import DeckCounts, choose_cards, count_deck
from quiz.words.i18n import Words

DAYS = 14  # of the forecast
WEAK = 5  # cards in trouble that are named
SEVERAL = 2  # cards; a tag with fewer is a card and no topic


@dataclass(frozen=True)
class DeckStanding:
    """A deck, or all of them together: how it stands, how much of it is known and being learned, what a session over it has today."""

    decks: tuple[Deck, ...]
    counts: DeckCounts
    known: int
    learning: int
    due: int
    new: int

    @property
    def today(self) -> int:
        """How many cards a session over it has."""
        return self.due + self.new


@dataclass(frozen=True)
class HomeView:
    """`standings` has a row a deck, before them all together where there are several; `topics` are those begun, the weakest first.

    Of each card in `weak` there is its question, by language. `begun` is whether any card was ever graded.
    """

    decks: tuple[Deck, ...]
    standings: tuple[DeckStanding, ...]
    work: TodaysWork
    coming: ReviewForecast
    topics: tuple[Topic, ...]
    weak: tuple[tuple[Mapping[str, str], WeakCard], ...]
    begun: bool


def home_view(decks: Sequence[Deck], learner: LearnerState, now: Moment) -> HomeView:
    """Everything for a person now. Takes a while with many cards."""
    work, cards = todays_work(decks, learner, now), admitted_cards(decks, away=learner.decisions.suspended)
    found = topics({key: card.tags for key, card in cards.items()}, learner.memories, now.day, learner.decisions.parameters)
    weak = weak_first(learner.memories, learner.confident_errors, cards.keys() - learner.decisions.away(now.day))[:WEAK]
    coming = forecast_reviews([memory for key, memory in learner.effective.items() if key in cards], now.day, DAYS)
    return HomeView(
        decks=tuple(decks),
        standings=_standings(decks, learner, now, work, {topic.name: topic for topic in found if topic.kind == "deck"}),
        work=work,
        coming=ReviewForecast(coming.first, (work.due, *coming.days[1:]), coming.overdue, coming.later),
        topics=tuple(topic for topic in found if topic.kind == "tag" and topic.recall is not None and topic.cards >= SEVERAL),
        weak=tuple(({language: question_line(cards[card.key], Words(language)) for language in LANGUAGES}, card) for card in weak),
        begun=bool(learner.memories),
    )


def _standings(
    decks: Sequence[Deck], learner: LearnerState, now: Moment, work: TodaysWork, known: Mapping[str, Topic]
) -> tuple[DeckStanding, ...]:
    found = []
    for deck in decks:
        due, new = (work.due, work.new) if len(decks) == 1 else _session(deck, learner, now)
        topic = known.get(deck.deck)
        stands = (topic.known, topic.learning) if topic else (0, 0)
        found.append(DeckStanding((deck,), count_deck(deck, learner, now), *stands, due, new))
    if len(found) > 1:
        counts = sum((each.counts for each in found[1:]), found[0].counts)
        sums = (sum(each.known for each in found), sum(each.learning for each in found))
        found.insert(0, DeckStanding(tuple(decks), counts, *sums, work.due, work.new))
    return tuple(found)


def _session(deck: Deck, learner: LearnerState, now: Moment) -> tuple[int, int]:
    """How many due and new cards a session over one deck has."""
    session: list[Key] = [item.key for item in choose_cards([deck], learner, now)]
    due = sum(key in learner.memories for key in session)
    return due, len(session) - due
