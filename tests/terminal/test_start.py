"""The bench of the program's start measures what it says; one round of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.start import CLICK, GOALS, Goal, Showing, main, table


def test_a_text_is_there_when_its_last_letter_is() -> None:
    """The first paint of a text is the piece that completes it; settled is the last piece of all."""
    shown = Showing(((0.1, b"\x1b[2J\x1b[H"), (0.2, b"he"), (0.3, b"re"), (0.4, b"\x1b[1m")))

    assert (0.3, 0.4) == (shown.first("here"), shown.settled)


def test_a_text_that_never_comes_is_told() -> None:
    """A bench that measured nothing has no figure."""
    with pytest.raises(AssertionError, match="never showed 'there'"):
        Showing(((0.1, b"here"),)).first("there")


def test_the_table_holds_figures_to_their_goals() -> None:
    """A ratio beside each figure that has a goal, and whether it is reached."""
    goals = (Goal("quick", "base", 2.0), Goal("slow", "base", 2.0))

    assert [
        "base                       1.000 s",
        "quick                      1.500 s   1.50 x base; goal 2.0 reached",
        "slow                       2.500 s   2.50 x base; goal 2.0 missed",
    ] == table({"base": 1.0, "quick": 1.5, "slow": 2.5}, goals).split("\n")


def test_one_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The decks, the progress and the programs of the bench work: every figure is a time, goals are judged, home's come in their order."""
    monkeypatch.setenv("QKV_DATA", str(tmp_path))
    main(0.01)
    *lines, load = capsys.readouterr().out.splitlines()
    found = {line[:26].strip(): float(line[26:32]) for line in lines}

    assert load.startswith("load ")
    assert {goal.what for goal in GOALS} == {line[:26].strip() for line in lines if line.endswith(("reached", "missed"))}
    assert {"empty app, settled", "home, settled", "quiz, first verdict", CLICK} <= found.keys()
    assert 0 < found["home, first paint"] <= found["home with its numbers"] <= found["home, settled"]
