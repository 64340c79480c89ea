"""What the home screen shows, counted."""

from __future__ import annotations

from dataclasses import replace

from quiz.card.home_view import DAYS, WEAK, home_view
from quiz.memory.scheduler import Grade
from quiz.memory.study_day import Moment
from quiz.progress.decisions import Decisions
from quiz.study.queue import choose_cards
from tests.quiz.study.decks import DECK, DUE, EASY, LEECH, NOW, deck, learner, seen


def test_a_deck_alone_stands_for_all() -> None:
    """One deck has one row; of several the first row is all of them together."""
    other = replace(deck(x={}, y={}), deck="other")

    assert [("d",)] == [tuple(each.deck for each in row.decks) for row in home_view([DECK], learner(), NOW).standings]
    assert [("d", "other"), ("d",), ("other",)] == [
        tuple(each.deck for each in row.decks) for row in home_view([DECK, other], learner(), NOW).standings
    ]


def test_a_row_says_what_its_session_has() -> None:
    """Each deck's session, not its share of the session over all."""
    other = replace(deck(x={}, y={"follow_ups": ["d/a"]}), deck="other")
    view = home_view([DECK, other], learner(a=DUE, b=EASY), NOW)

    for row in view.standings:
        assert row.today == len(choose_cards(list(row.decks), learner(a=DUE, b=EASY), NOW))
    assert (1, 4) == (view.standings[0].due, view.standings[0].new)


def test_known_learning_and_unmet() -> None:
    """A card is known from 21 days of stability on; what was met and is not known is being learned; suspended cards do not count."""
    known = EASY._replace(stability=21.0)
    row = home_view([DECK], learner(marks=Decisions(frozenset({("d", "d")})), a=known, b=EASY._replace(stability=20.9)), NOW).standings[0]

    assert (1, 1, 1) == (row.known, row.learning, row.counts.new)


def test_the_days_to_come() -> None:
    """Each card on its day, up to the last of them; today's are those that a session has."""
    due = [EASY._replace(due_day=NOW.day + days) for days in (0, 1, 1, DAYS - 1, DAYS)]
    five = deck(a={}, b={}, c={}, d={}, e={})
    view = home_view([five], learner(dict(zip("abcde", due, strict=True))), NOW)

    assert (1, 2, *[0] * (DAYS - 3), 1) == view.coming.days
    assert 1 == view.coming.later


def test_a_card_that_returns_in_ten_minutes_is_not_due_now() -> None:
    """The first bar and the sentence of today count alike."""
    failed = seen((Grade.again, 0))
    view = home_view([DECK], learner(a=failed, b=EASY, c=EASY, d=EASY), Moment(NOW.at_ms + 1000, NOW.day))

    assert (0, 0) == (view.work.due, view.coming.days[0])


def test_topics_that_were_begun() -> None:
    """Tags with several cards of which one was met, the weakest first."""
    four = deck(a={"tags": ["x", "once"]}, b={"tags": ["x", "y"]}, c={"tags": ["y"]}, d={"tags": ["z"]}, e={"tags": ["z"]})

    assert ["y", "x"] == [topic.name for topic in home_view([four], learner(a=EASY, b=EASY), NOW).topics]


def test_cards_in_trouble_are_named_in_both_languages() -> None:
    """So many of them, without those set aside; each with its question."""
    many = deck(**{f"c{n}": {"question": {"en": f"Why {n}?", "zh": f"为何 {n}？"}} for n in range(9)})
    marks = Decisions(buried={("d", "c0"): NOW.day})
    weak = home_view([many], learner({f"c{n}": LEECH for n in range(9)}, marks=marks), NOW).weak

    assert WEAK == len(weak)
    assert {"en": "Why 1?", "zh": "为何 1？"} == weak[0][0]
