"""`qkv undo`: what it lists and takes back, and how one comes to know of a clock that was wrong."""

from __future__ import annotations

import json
import re
from contextlib import closing
from datetime import datetime, timedelta

import pytest

from quiz.commands import doctor
from quiz.memory.scheduler import Grade
from quiz.memory.study_day import Moment
from quiz.progress.progress import open_progress
from quiz.progress.reviews import Review
from quiz.words.i18n import Words
from tests.quiz.commands.own_deck import run, store, today
from tests.quiz.driving import NOON, Running, screen_text

ONE, TWO = ("own", "one"), ("own", "two")
pytestmark = pytest.mark.usefixtures("shelf")


def given(days: int, key: tuple[str, str] = ONE, id_: str = "") -> Review:
    """A grade so many days from today, saved."""
    review = Review.new(Moment.of(datetime.now().astimezone() + timedelta(days=days)), key, Grade.good)
    review = review._replace(id=id_ or review.id)
    with store() as opened:
        opened.record(review)
    return review


def test_the_last_grades_are_listed() -> None:
    """A line a grade, the latest first: what to type, when, which card, the grade, when the card is due."""
    older, newer = given(-3), given(-2, TWO)
    told, how = run("undo", "--lang", "en")

    assert [newer.id[:8], older.id[:8]] == [line.split()[0] for line in told.splitlines()]
    assert re.search(rf"{older.id[:8]}  \S+ \S+  own/one  good  due 20\d\d-", told)
    assert "`qkv undo ID` takes a grade back" in how
    assert 1 == len(run("undo", "--last", "1")[0].splitlines())


def test_a_grade_is_taken_back() -> None:
    """By as much of its id as is shown; the card is as if the grade had never been given."""
    first, second = given(-3), given(0)
    told, _ = run("undo", second.id[:8], "--lang", "en")

    assert "Took back good on own/one. due 20" in told
    with store() as opened:
        assert 1 == opened.memories()[ONE].repetitions
    assert "The card is new again." in run("undo", first.id, "--lang", "en")[0]
    with store() as opened:
        assert {} == opened.memories()


@pytest.mark.parametrize("id_", ["nobody", "%", "_", "zz", "*"])
def test_what_is_no_grade(id_: str) -> None:
    """An id that is nobody's is exit code 2, and nothing is taken back."""
    sound = given(0)
    _, told = run("undo", sound.id, id_, "--lang", "en", code=2)

    assert f"There is no grade {id_}" in told
    with store() as opened:
        assert [sound.id] == [review.id for review in opened.reviews()]


def test_an_empty_id() -> None:
    """A variable of the shell that is empty takes nothing back, also where there is only one grade."""
    sound = given(0)
    _, told = run("undo", "", "--lang", "en", code=2)

    assert 'There is no grade ""' in told
    with store() as opened:
        assert [sound.id] == [review.id for review in opened.reviews()]


def test_a_short_id_of_several() -> None:
    """An id that several grades begin with is not guessed."""
    for id_ in ("abc1", "abc2"):
        given(0, id_=id_)

    assert "Several grades begin with abc" in run("undo", "abc", "--lang", "en", code=2)[1]


@pytest.mark.parametrize("days", [1200, 2, -700, -20_400])
def test_a_clock_that_was_wrong(days: int) -> None:
    """It is found by doctor, said before the next session, listed, and mended with what is said; the other grades stay."""
    given(-1, TWO)
    given(days)
    given(0, ("own", "three"))
    (found,) = doctor.clock(Words("en"), today().toordinal())
    listed, how = run("undo", "--wrong-dates", "--lang", "en")
    _, said = run("quiz", "--plain", "--lang", "en", typed="q\n")

    assert ("clock", "problem") == (found.about, found.state)
    assert "`qkv undo --wrong-dates` shows it" in found.says
    assert 1 == len(listed.splitlines())
    assert "`qkv undo --wrong-dates --yes` takes it back" in how
    assert "`qkv undo --wrong-dates`" in said
    run("undo", "--wrong-dates", "--yes")
    with store() as opened:
        assert [("own", "three"), TWO] == sorted(opened.memories())
        assert () == opened.check()
    assert "No grade has a date that cannot be right." in run("undo", "--wrong-dates", "--lang", "en")[1]
    assert [] == list(doctor.clock(Words("en"), today().toordinal()))


def test_a_clock_that_is_wrong_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a clock of 1970 nothing is taken back: it is the clock that has to be set, and that is said before a session, too."""
    given(0)
    monkeypatch.setattr(Moment, "now", lambda: Moment(0, 719_163))

    assert "set it before you study" in run("undo", "--wrong-dates", "--yes", "--lang", "en", code=2)[1]
    assert "set it before you study" in run("quiz", "--plain", "--lang", "en", typed="q\n")[1]
    assert ["problem"] == [finding.state for finding in doctor.clock(Words("en"), 719_163)]


def test_nothing_is_taken_back_without_a_word() -> None:
    """--yes alone is refused, and listing takes nothing back."""
    given(400)
    run("undo", "--wrong-dates")

    assert "--yes belongs to --wrong-dates" in run("undo", "--yes", code=2)[1]
    with store() as opened:
        assert 1 == len(list(opened.reviews()))


def test_as_data() -> None:
    """What programs build on: a grade with its id, card, day, due day, and whether its date can be right."""
    review = given(900)
    (told,) = json.loads(run("undo", "--json")[0])

    assert {"id", "deck", "card", "grade", "day", "due", "wrong_date"} == told.keys()
    assert (review.id, "own", "one", 3, "future") == tuple(told[name] for name in ("id", "deck", "card", "grade", "wrong_date"))
    assert told == json.loads(run("undo", "--wrong-dates", "--json")[0])[0]


def test_before_the_first_grade() -> None:
    """There is nothing to list, and no file is made."""
    assert "[]\n" == run("undo", "--json")[0]
    assert [] == list(doctor.clock(Words("en"), today().toordinal()))


async def test_home_says_it(running: Running) -> None:
    """Cards that a wrong clock has dated are said on the home screen, with the command that shows them."""
    with closing(open_progress()) as opened:
        opened.record(Review.new(Moment.of(NOON + timedelta(days=1500)), ("sample", "pick"), Grade.good))
    async with running(size=(200, 30)) as pilot:
        assert "1 grade has a date that cannot be right" in screen_text(pilot)
