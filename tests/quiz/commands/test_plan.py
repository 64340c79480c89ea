"""`qkv plan`: what it says, what it writes, its JSON."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from quiz.memory.scheduler import Grade
from quiz.memory.study_day import Moment
from quiz.progress.progress import open_progress
from quiz.progress.reviews import Review
from tests.quiz.commands.own_deck import after, decisions, run, store, today
from tests.quiz.commands.test_commands import shape
from tests.quiz.learning import fitted

pytestmark = pytest.mark.usefixtures("shelf")


# --- qkv plan --------------------------------------------------------------------------------------------------------


def test_a_plan_is_made_and_shown() -> None:
    """The same words when it is made and when it is looked up; the day is kept."""
    made, _ = run("plan", after(30), "--minutes", "25")
    shown, _ = run("plan")

    assert f"Ready by {after(30)}: 30 days, 3 cards, 3 of them new" in made
    assert "✔ It can be done." in made
    assert made == shown
    aim = decisions().aim
    assert aim is not None
    assert (today().toordinal() + 30, 25) == (aim.until, aim.minutes)


def test_a_plan_goes_by_a_fit() -> None:
    """Whose memories grow more slowly has more to do on the way to the same day."""
    usual = json.loads(run("plan", after(200), "--json")[0])
    with closing(open_progress()) as store:
        store.decide(fitted())
    forgetful = json.loads(run("plan", "--json")[0])

    assert sum(day["reviews"] for day in usual["days"]) < sum(day["reviews"] for day in forgetful["days"])


def test_a_plan_in_chinese() -> None:
    """Every sentence is in the language that was asked for."""
    told, _ = run("plan", after(30), "--lang", "zh")

    assert "30 天，3 张卡片，其中 3 张新卡" in told
    assert "✔ 来得及。" in told


@pytest.mark.parametrize("width", ["80", "200"])
def test_a_plan_fits_the_terminal(monkeypatch: pytest.MonkeyPatch, width: str) -> None:
    """No line is wider than 80 columns, with days and with weeks as bars, and no colour goes into a pipe."""
    monkeypatch.setenv("COLUMNS", width)
    for days in (1, 7, 62, 63, 700):
        told, _ = run("plan", after(days))

        assert "\x1b" not in told
        assert all(len(line) <= 80 for line in told.splitlines() if "│" in line)


def test_plan_json() -> None:
    """`qkv plan --json` pins what others build on."""
    told = json.loads(run("plan", after(30), "--tag", "mine", "--json")[0])

    assert {
        "until": "str", "once_more_from": "str", "tag": "str", "minutes": "NoneType", "today": "str", "cards": "int", "new": "int",
        "new_a_day": "int", "minutes_a_day": "float", "busiest": {"day": "str", "minutes": "float"},
        "pace": {"new": "float", "review": "float", "timed": "int", "first_sight": "float"},
        "share": {"new": "int", "again": "int"}, "fits": "bool",
        "doubts": [], "days": [{"day": "str", "new": "int", "reviews": "float", "minutes": "float"}],
    } == shape(told)  # fmt: skip
    assert (1, 30, after(29)) == (told["cards"], len(told["days"]), told["days"][-1]["day"])


def test_no_plan() -> None:
    """Without one it says how to make one, and JSON is null; neither is an error."""
    assert ("null\n", "There is no plan. `qkv plan 2027-03-01` makes one for that day.\n") == run("plan", "--json")


def test_a_plan_is_ended() -> None:
    """--clear ends it and leaves the progress alone."""
    run("plan", after(30))
    run("plan", "--clear")

    assert decisions().aim is None


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((after(-1),), "is over; today is"),
        (("tomorrow",), "tomorrow is no date."),
        (("2027-02-30",), "2027-02-30 is no date."),
        ((after(9999),), "more than two years away"),
        ((after(9), "--tag", "nobody"), "No card has the tag nobody."),
        (("--minutes", "20"), "give its date"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: tuple[str, ...], sentence: str) -> None:
    """A date or a tag that makes no sense is a sentence and exit 2, and no plan is made."""
    _, told = run("plan", *arguments, code=2)

    assert sentence in told
    assert decisions().aim is None


@pytest.mark.parametrize("days", [0, 1, 2])
def test_a_plan_for_now(days: int) -> None:
    """Today, tomorrow and the day after are days like others; it says that there is no second round."""
    told, _ = run("plan", after(days))

    assert "There is no time to see every card a second time." in told


def test_a_plan_without_cards() -> None:
    """Where everything is suspended there is nothing to plan, and it says so."""
    for card in ("one", "two", "three"):
        run("suspend", card)
    _, told = run("plan", after(9))

    assert "No card is left for the plan" in told


def test_a_plan_that_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """After its day it says so instead of counting backwards."""
    run("plan", after(1))
    later = Moment.now()
    monkeypatch.setattr("quiz.commands.plan.Moment.now", lambda: Moment(later.at_ms, later.day + 2))

    assert "is over." in run("plan")[1]


def test_too_many_new_cards() -> None:
    """What one has done at most is said beside what it would take."""
    cards = "".join(f"  - {{id: c{n}, question: Why?, answer: So.}}\n" for n in range(200))
    Path(str(open_path())).write_text(f"deck: own\ntitle: Own\ncards:\n{cards}", encoding="utf-8")
    with store() as opened:
        for n in range(12):
            opened.record(Review.new(Moment(0, today().toordinal() - 3), ("own", f"c{n}"), Grade.good))
    told, _ = run("plan", after(6))

    assert "new cards a day; you have done at most 12." in told


def open_path() -> Path:
    from quiz.card.deck_paths import user_deck_folder

    return user_deck_folder() / "own.yaml"


# --- plain mode ------------------------------------------------------------------------------------------------------
