"""`qkv plan`, `qkv suspend`, `qkv resume`, `qkv cards`: what they say, what they write, their JSON; and marks typed in plain mode."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from quiz.cli import qkv
from quiz.memory.scheduler import Grade
from quiz.memory.study_day import Moment
from quiz.progress.decisions import Decision, Decisions
from quiz.progress.progress import Progress, open_progress
from quiz.progress.reviews import Review
from tests.quiz.commands.test_commands import shape
from tests.quiz.learning import fitted

DECK = """\
deck: own
title: Own
cards:
  - {id: one, tags: [mine], question: Why one?, answer: So., follow_ups: [two]}
  - {id: two, question: Why two?, answer: So.}
  - {id: three, question: Why three?, answer: So., detail: Because of it.}
"""


def today() -> date:
    """The study day that the program is in."""
    return date.fromordinal(Moment.now().day)


def after(days: int) -> str:
    return (today() + timedelta(days=days)).isoformat()


@pytest.fixture(autouse=True)
def shelf(own_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One deck of one's own is all there is."""
    (own_data / "decks").mkdir(parents=True)
    (own_data / "decks" / "own.yaml").write_text(DECK, encoding="utf-8")
    monkeypatch.setattr("quiz.card.deck_paths.bundled", lambda: ())


@contextmanager
def store() -> Iterator[Progress]:
    with closing(open_progress()) as opened:
        yield opened


def decisions() -> Decisions:
    with store() as opened:
        return opened.decisions()


def run(*arguments: str, code: int = 0, typed: str = "") -> tuple[str, str]:
    """A command's stdout and stderr; its exit code must be the one expected."""
    done = CliRunner().invoke(qkv, arguments, input=typed)

    assert code == done.exit_code, done.output
    return done.stdout, done.stderr


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
        "pace": {"new": "float", "review": "float", "timed": "int"}, "share": {"new": "int", "again": "int"}, "fits": "bool",
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


# --- cards set aside -------------------------------------------------------------------------------------------------


def test_suspend_and_resume() -> None:
    """A card is suspended by its id or with its deck, listed, and taken up again."""
    run("suspend", "own/one")
    run("suspend", "two")
    listed, _ = run("cards", "--suspended")
    run("resume", "one")

    assert ["one", "two"] == [line.split()[0] for line in listed.splitlines()]
    assert {("own", "two")} == decisions().suspended


def test_resume_of_a_buried_card() -> None:
    """What was left for tomorrow can be taken up today."""
    run("quiz", "--plain", typed="bury\nq\n")
    assert decisions().buried
    run("resume", "one")

    assert {} == dict(decisions().buried)


def test_resume_of_a_card_that_is_there() -> None:
    """It says so and writes nothing."""
    assert "one is not suspended." in run("resume", "one")[1]


@pytest.mark.parametrize("command", ["suspend", "resume"])
def test_an_unknown_card_is_usage(command: str) -> None:
    """A card that does not exist: exit 2."""
    assert "There is no card nobody" in run(command, "nobody", code=2)[1]


def test_a_name_of_two_cards_is_usage(own_data: Path) -> None:
    """Where two decks have the name, it asks which; with the deck it works."""
    (own_data / "decks" / "other.yaml").write_text(DECK.replace("own", "other"), encoding="utf-8")

    assert "own/one" in run("suspend", "one", code=2)[1]
    run("suspend", "own/one")


def test_the_weak_cards_are_listed() -> None:
    """`qkv cards --weak`: what keeps failing and what one was sure of; with --json in the shape of all cards."""
    with store() as opened:
        opened.record(Review.new(Moment.now(), ("own", "two"), Grade.again, confidence=3))
    listed: list[dict[str, Any]] = json.loads(run("cards", "--weak", "--json")[0])

    assert ["two"] == [card["id"] for card in listed]


# --- plain mode ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("word", "kind"), [("suspend", "suspended"), ("@", "suspended"), ("bury", "buried"), ("-", "buried")])
def test_plain_words(word: str, kind: str) -> None:
    """At any prompt the word or Anki's sign sets the card aside, says so, and the next card comes."""
    told, _ = run("quiz", "--plain", "--lang", "en", typed=f"{word}\nq\n")

    assert {("own", "one")} == set(getattr(decisions(), kind))
    assert "one comes back tomorrow" in told or "one is suspended" in told
    assert "[1/1] three" in told


def test_plain_undo_of_a_mark() -> None:
    """u at the next grade takes the mark back, and the card is asked after all."""
    told, _ = run("quiz", "--plain", "--lang", "en", typed="suspend\n\n\nu\n\n\n3\nq\n")

    assert frozenset() == decisions().suspended
    assert 2 == told.count("] one")


def test_plain_practice_sets_nothing_aside() -> None:
    """It says why, and asks the card again."""
    told, _ = run("quiz", "--plain", "--practice", "--lang", "en", typed="suspend\nq\n")

    assert "Practice sets nothing aside" in told
    assert Decisions() == decisions()


def test_plain_leech(own_data: Path) -> None:
    """A card that keeps failing comes with its detail before it is answered; there is no lab to move here."""
    verify = "verify: {experiment: nothing, claims: [{says: So., check: x > 1}]}"
    (own_data / "decks" / "own.yaml").write_text(DECK.replace("Because of it.}", f"Because of it., {verify}}}"), encoding="utf-8")
    with store() as opened:
        for n in range(5):
            for grade, days in ((Grade.good, 40 - 4 * n), (Grade.again, 38 - 4 * n)):
                opened.record(Review.new(Moment(0, today().toordinal() - days), ("own", "three"), grade))
    told, _ = run("quiz", "--plain", "--weak", "--lang", "en", typed="q\n")

    assert "Failed 5 times. Read the detail, then answer." in told
    assert "Because of it." in told


def test_new_cards_by_wish() -> None:
    """`--new N` is the day's number of new cards; without any nothing is left to do, and it says so."""
    assert "[1/1]" in run("quiz", "--plain", "--new", "1", typed="q\n")[0]
    assert "Nothing is due today." in run("quiz", "--plain", "--new", "0", "--lang", "en", typed="q\n")[0]


def test_nothing_fits() -> None:
    """A tag that no card has is not the same as nothing being due, nor is practice in which every card is suspended."""
    assert "No card has that tag, level or kind." in run("quiz", "--plain", "--tag", "nope", "--lang", "en")[0]
    assert "没有符合" in run("quiz", "--plain", "--practice", "--tag", "nope", "--lang", "zh")[0]
    with store() as opened:
        for card in ("one", "two", "three"):
            opened.decide(Decision.new("suspend", ("own", card), Moment.now()))
    assert "Every card here is suspended." in run("quiz", "own", "--plain", "--practice", "--lang", "en")[0]
