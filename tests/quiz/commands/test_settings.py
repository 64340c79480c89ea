"""`qkv settings`: listed, printed, set; what does not count is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from quiz.cli import qkv
from quiz.exit_codes import OK, PROBLEM, UNSAVED, USAGE
from quiz.memory.study_day import Moment

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run() -> Run:
    def invoke(*given: str) -> tuple[int, str]:
        done = CliRunner().invoke(qkv, ["--lang", "en", "settings", *given])
        return done.exit_code, done.output

    return invoke


def test_a_setting_is_set_and_printed(run: Run) -> None:
    """What is printed can be typed; `default` takes it back."""
    assert (OK, "New cards a day: 5 cards\n") == run("new", "5")
    assert (OK, "5\n") == run("new")
    assert (OK, "New cards a day: 20 cards\n") == run("new", "default")
    assert (OK, "20\n") == run("new")


@pytest.mark.parametrize("given", [("new", "many"), ("colour", "red"), ("keys.home.lab", "qqq"), ("keys.home.lab", "s"), ("exam", "soon")])
def test_what_cannot_be_is_refused(run: Run, own_data: Path, given: tuple[str, str]) -> None:
    """With a sentence, and nothing is written."""
    code, told = run(*given)

    assert (USAGE, True, False) == (code, told.count("\n") == 1 and len(told) > 20, (own_data / "settings.toml").exists())


def test_all_are_listed(run: Run) -> None:
    """With where the file is; for programs as JSON."""
    run("keys.home.lab", "x")
    code, told = run()
    listed = json.loads(run("--json")[1])

    assert (OK, ["language", "theme", "new"]) == (code, [line.split()[0] for line in told.splitlines()[:3]])
    assert {"home.lab": "x"} == listed["keys"]
    assert ("dark", 20, None) == (listed["theme"], listed["new"], listed["exam"])


def test_a_variable_that_wins_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting that does not count now says so when it is set."""
    monkeypatch.setenv("QKV_THEME", "light")

    assert "QKV_THEME wins over it" in run("theme", "dark")[1]
    assert "QKV_THEME decides in this run" in run()[1]


def test_a_broken_file_is_told(run: Run, own_data: Path) -> None:
    """File, line, and what counts instead; it is not written over."""
    own_data.mkdir()
    (own_data / "settings.toml").write_text("new = 3\ntheme = [\n")
    code, told = run()

    assert (PROBLEM, True) == (code, "settings.toml, line 3: this is no TOML" in told)
    assert UNSAVED == run("new", "4")[0]
    assert "new = 3\ntheme = [\n" == (own_data / "settings.toml").read_text()


def test_the_exam_is_the_plan(run: Run, own_data: Path) -> None:
    """`qkv settings exam` and `qkv plan` are about one date."""
    day = (Moment.now().at_utc + timedelta(days=40)).date().isoformat()

    assert OK == run("exam", day)[0]
    assert day in CliRunner().invoke(qkv, ["--lang", "en", "plan"]).output
    assert ((OK, f"{day}\n"), OK, (OK, "none\n")) == (run("exam"), run("exam", "none")[0], run("exam"))
    assert not (own_data / "settings.toml").exists()
