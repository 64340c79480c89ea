"""`qkv stats` and its screen: JSON of a pinned shape, figures that fit, keys and clicks that practise and never schedule."""

from __future__ import annotations

import json
import os
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import CliRunner
from textual.pilot import Pilot

from quiz.card.deck_paths import resolve_decks
from quiz.cli import qkv
from quiz.memory.scheduler import Grade
from quiz.progress.errors import ProgressError
from quiz.progress.progress import Progress, open_progress
from quiz.progress.reviews import Review
from quiz.study.leeches import LEECH_LAPSES
from quiz.study.queue import admitted_items
from quiz.tui.screens.home import HomeScreen
from quiz.tui.screens.session import SessionScreen
from quiz.tui.screens.stats import Figure, StatsScreen
from tests.quiz.driving import NOON, Running, press, screen_text, settled
from tests.quiz.learner import at, learner
from tests.quiz.learning import FORGETFUL, fitted

TODAY = NOON.date().toordinal()


def shape(value: Any) -> Any:
    """A JSON value with its leaves as type names, and lists by their first element."""
    if isinstance(value, dict):
        return {key: shape(part) for key, part in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return type(value).__name__


def run(*arguments: str, code: int = 0) -> Any:
    done = CliRunner().invoke(qkv, ("stats", *arguments), env={"COLUMNS": "80"})

    assert code == done.exit_code, done.output
    return done


def record(data: Path, reviews: list[Review]) -> None:
    store = open_progress(data / "progress.sqlite3")
    for review in reviews:
        store.record(review)
    store.close()


@pytest.fixture
def learned(own_data: Path) -> Path:
    """A month over the bundled cards; one of them keeps failing, with full confidence."""
    keys = [item.key for item in admitted_items(loaded.deck for loaded in resolve_decks(())().decks)][:8]
    today = date.today().toordinal()
    log = learner(keys, 30, today - 10)
    log += [
        Review.new(at(today - 9 + day, minutes), keys[0], grade, confidence=3)
        for day in range(LEECH_LAPSES + 1)
        for minutes, grade in ((600, Grade.again), (620, Grade.good))
    ]
    record(own_data, log)
    return own_data


def test_json(learned: Path) -> None:
    """`qkv stats --json` pins what others build on."""
    told = json.loads(run("--json").stdout)
    card = {"deck": "str", "card": "str"}
    part = {"low": "float", "high": "float", "reviews": "int", "passed": "int", "expected": "NoneType"}

    assert {
        "today": "str", "days": "int", "tag": "NoneType",
        "reviews": [{"day": "str", "reviews": "int", "seconds": "float"}],
        "due": {"overdue": "int", "later": "int", "days": [{"day": "str", "cards": "int"}]},
        "retention": {
            **part, "expected": "float", "interval": ["float"], "log_loss": "float", "cards": "int", "of_cards": "int",
            "bins": [{**part, "expected": shape(told["retention"]["bins"][0]["expected"])}],
        },
        "topics": [{
            "kind": "str", "name": "str", "cards": "int", "new": "int", "learning": "int", "known": "int",
            "recall": shape(told["topics"][0]["recall"]), "expected": "float",
        }],
        "confidence": [{"confidence": "int", "answers": "int", "right": "int"}],
        "predictions": {
            "count": "int", "median_error": "float", "weeks": [{"from": "str", "count": "int", "median_error": "float"}],
            "cards": [{**card, "count": "int", "median_error": "float"}],
        },
        "time": {"seconds": "float", "typical": "float", "cards": [{**card, "reviews": "int", "seconds": "float"}]},
        "failing": [{**card, "lapses": "int"}],
        "sure_but_wrong": [{**card, "day": "str"}],
        "parameters": {"source": "str", "since": "NoneType", "reviews": "NoneType", "values": ["float"]},
    } == shape(told)  # fmt: skip
    assert date.today().isoformat() >= told["reviews"][-1]["day"]


def test_json_of_nothing(own_data: Path) -> None:
    """Without progress the shape is the same, numbers that nothing was measured for are null, and no file is made."""
    told = json.loads(run("--json").stdout)

    assert ([], 0, None, None) == (told["reviews"], told["due"]["later"], told["retention"]["log_loss"], told["time"]["typical"])
    assert not (own_data / "progress.sqlite3").exists()


def test_nothing_is_a_sentence(own_data: Path) -> None:
    """Without progress there is nothing on stdout, and a sentence beside it."""
    done = run("--lang", "en")

    assert ("", "Nothing has been graded yet. Statistics begin with the first session.\n") == (done.stdout, done.stderr)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_figures_in_a_pipe(learned: Path, language: str) -> None:
    """In a pipe: every figure, no escape, no line wider than the terminal."""
    from rich.cells import cell_len

    printed = run("--lang", language).stdout

    assert all(title in printed for title in {"en": ("Reviews", "Topics", "Time"), "zh": ("复习", "主题", "用时")}[language])
    assert "\x1b" not in printed
    assert 80 >= max(map(cell_len, printed.splitlines()))


def test_days_narrow_the_log(learned: Path) -> None:
    """`--days N` looks at the last N study days, and no more."""
    told = json.loads(run("--days", "7", "--json").stdout)

    assert (7, True) == (
        told["days"],
        all(date.fromisoformat(day["day"]).toordinal() > date.today().toordinal() - 9 for day in told["reviews"]),
    )


def test_a_tag_narrows_the_cards(learned: Path) -> None:
    """`--tag T` speaks of the cards that have it; a tag that no card has is a mistake."""
    told = json.loads(run("--tag", "softmax", "--json").stdout)

    assert "softmax" in {topic["name"] for topic in told["topics"]}
    assert "No card has the tag nothing-like-it" in run("--tag", "nothing-like-it", "--lang", "en", code=2).stderr


def test_a_broken_file_is_a_sentence(own_data: Path) -> None:
    """What is no progress file is told, and left as it is."""
    own_data.mkdir()
    (own_data / "progress.sqlite3").write_bytes(b"not a database" * 100)

    assert "is not a progress file" in run("--lang", "en", code=1).stderr


def test_a_file_that_may_only_be_read_is_enough(learned: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Statistics write nothing: a progress file that cannot be written is read all the same."""

    before = json.loads(run("--json").stdout)
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everything

    assert before == json.loads(run("--json").stdout)


# --- the screen ------------------------------------------------------------------------------------------------------


def failing(card: str) -> list[Review]:
    """The reviews of a card of the sample deck that was passed and failed too often."""
    days = range(TODAY - 2 * LEECH_LAPSES - 2, TODAY - 1, 2)
    return [
        Review.new(at(day, minutes), ("sample", card), grade) for day in days for minutes, grade in ((600, Grade.again), (620, Grade.good))
    ]


async def at_the_statistics(pilot: Pilot[None]) -> StatsScreen:
    await press(pilot, "s")
    return cast(StatsScreen, pilot.app.screen)


async def test_every_figure_is_there(running: Running, own_data: Path) -> None:
    """`s` at home opens the statistics of the decks; `q` goes back."""
    record(own_data, failing("pick"))
    async with running() as pilot:
        screen = await at_the_statistics(pilot)
        assert 8 == len(screen.query(Figure))
        assert "Reviews" in screen_text(pilot)

        await press(pilot, "q")
        assert isinstance(pilot.app.screen, HomeScreen)


async def test_the_palette_opens_them(running: Running) -> None:
    """Whatever the keys of a screen do is in the command palette, in the interface's language."""
    async with running(language="zh") as pilot:
        commands = {title: (key, run) for title, key, run, _ in pilot.app.get_system_commands(pilot.app.screen)}
        key, run = commands["学习情况的统计"]
        await cast(Callable[[], Awaitable[bool]], run)()
        await settled(pilot)

        assert "s" == key
        assert isinstance(pilot.app.screen, StatsScreen)


async def test_nothing_graded_is_a_sentence(running: Running) -> None:
    """Before the first session there are no figures, and a sentence says when there will be."""
    async with running() as pilot:
        screen = await at_the_statistics(pilot)

        assert 0 == len(screen.query(Figure))
        assert "Nothing has been graded yet." in screen_text(pilot)


async def test_a_file_that_fails_is_a_sentence(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the log cannot be read, the screen says why, and the way back is open."""

    def damaged(store: Progress) -> None:
        raise ProgressError("damaged", store.path)

    monkeypatch.setattr("quiz.tui.screens.stats.read_log", damaged)
    async with running() as pilot:
        await at_the_statistics(pilot)
        assert "is damaged" in screen_text(pilot)

        await press(pilot, "q")
        assert isinstance(pilot.app.screen, HomeScreen)


async def test_the_language_switches(running: Running, own_data: Path) -> None:
    """Every word of the figures follows the language key."""
    record(own_data, failing("pick"))
    async with running() as pilot:
        await at_the_statistics(pilot)
        await press(pilot, "l")

        assert "复习" in screen_text(pilot)
        assert "Reviews" not in screen_text(pilot)


async def test_a_practised_card_shows_the_week_of_the_sure_but_wrong(running: Running, own_data: Path) -> None:
    """The button of a card that one was sure of and had wrong promises seven days at most, from here as from home."""
    known = [Review.new(at(TODAY - day, 600), ("sample", "pick"), Grade.easy, confidence=2) for day in (60, 30)]
    record(own_data, [*known, Review.new(at(TODAY - 1, 600), ("sample", "pick"), Grade.easy, confidence=3, correct=False)])
    async with running() as pilot:
        await at_the_statistics(pilot)
        await press(pilot, "a")
        session = pilot.app.screen
        assert isinstance(session, SessionScreen)

        assert 7 >= session.study.intervals()[Grade.good].days


async def test_practice_from_here_goes_by_a_fit(running: Running, own_data: Path) -> None:
    """The buttons of a card that is practised from here show the intervals of the parameters in use."""
    record(own_data, failing("pick"))
    with closing(open_progress(own_data / "progress.sqlite3")) as store:
        store.decide(fitted())
    async with running() as pilot:
        await at_the_statistics(pilot)
        await press(pilot, "a")
        session = pilot.app.screen
        assert isinstance(session, SessionScreen)

        assert FORGETFUL == session.study.parameters


@pytest.mark.parametrize("how", ["letter", "all", "click"])
async def test_a_weak_card_is_practised(running: Running, own_data: Path, how: str) -> None:
    """Its letter, `p`, or a click opens a session of it that leaves the schedule alone."""
    record(own_data, failing("pick"))
    before = len(failing("pick"))
    async with running(size=(140, 60)) as pilot:
        screen = await at_the_statistics(pilot)
        if how == "click":
            figure = next(figure for figure in screen.query(Figure) if figure.figure == "again")
            await pilot.click(figure, offset=(3, 1))
            await settled(pilot)
        else:
            await press(pilot, {"letter": "a", "all": "p"}[how])
        session = pilot.app.screen
        assert isinstance(session, SessionScreen)
        assert session.study.session.turn is not None
        assert ("pick", LEECH_LAPSES) == (session.study.session.turn.card.id, session.study.failed)

        await press(pilot, "2", "space")
    store = open_progress(own_data / "progress.sqlite3")
    assert before == len(list(store.reviews()))
    store.close()


async def test_other_letters_do_nothing(running: Running, own_data: Path) -> None:
    """A letter that stands before no card is no mistake."""
    record(own_data, failing("pick"))
    async with running() as pilot:
        await at_the_statistics(pilot)
        await press(pilot, "b", "i")

        assert isinstance(pilot.app.screen, StatsScreen)


@pytest.mark.parametrize("size", [(80, 24), (140, 40), (40, 12), (20, 5), (3, 2), (1, 1)])
async def test_no_size_crashes(running: Running, own_data: Path, size: tuple[int, int]) -> None:
    """Any terminal shows what fits, at the beginning and at the end."""
    record(own_data, failing("pick") + failing("count"))
    async with running(size=size) as pilot:
        await at_the_statistics(pilot)
        await press(pilot, "pagedown", "end", "home", "down", "up", "l")

        assert isinstance(pilot.app.screen, StatsScreen)
