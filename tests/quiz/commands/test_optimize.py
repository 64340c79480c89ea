"""`qkv optimize`: what it says, what it writes, and that it writes nothing where there is nothing better, too little, or an interrupt."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from quiz.cli import main, qkv
from quiz.commands import doctor, optimize
from quiz.exit_codes import INTERRUPTED
from quiz.memory.fsrs import DEFAULT, Parameters
from quiz.memory.optimizer import NEEDED, fitted, predictable_reviews
from quiz.memory.study_day import Moment
from quiz.progress.progress import open_progress
from quiz.progress.reviews import Review
from quiz.words.i18n import Words
from tests.quiz.learner import learner
from tests.quiz.learning import record_all

KEYS = [("d", f"c{n}") for n in range(120)]


def today() -> date:
    """The study day, which is yesterday's until four in the morning; asked for anew, because the tests may begin before four."""
    return date.fromordinal(Moment.now().day)


def run(*arguments: str, code: int = 0) -> Result:
    done = CliRunner().invoke(qkv, arguments, env={"QKV_LANG": "en", "COLUMNS": "100"})

    assert code == done.exit_code, done.output
    return done


def told(*arguments: str) -> Any:
    return json.loads(run(*arguments, "--json").stdout)


def log_of(days: int) -> list[Review]:
    return learner(KEYS, days, today().toordinal())


@pytest.fixture
def path(own_data: Path) -> Path:
    return own_data / "progress.sqlite3"


@pytest.fixture
def learned(path: Path) -> Path:
    """A learner of some months who forgets otherwise than FSRS expects."""
    with closing(open_progress(path)) as progress:
        record_all(progress, log_of(100))
    return path


def in_use(path: Path) -> Parameters:
    """What another program finds, which must be sound."""
    with closing(open_progress(path)) as progress:
        assert () == progress.check()
        return progress.parameters()


def test_a_fit(learned: Path) -> None:
    """It says what it computes, how far the predictions were off before and after, and what has changed; the fit is then in use."""
    done = run("optimize")

    assert ["Log loss", "RMSE over bins"] == [line.split(" 0.")[0] for line in done.stdout.splitlines()]
    assert done.stderr.startswith("Fitting FSRS's parameters to ")
    assert "The fitted parameters are in use now" in done.stderr
    assert in_use(learned) != DEFAULT


def test_json(learned: Path) -> None:
    """`qkv optimize --json` pins what others build on; the fit is better and has moved dates."""
    found = told("optimize")

    assert ["reviews", "usable", "needed", "taken", "before", "after", "moved", "parameters"] == list(found)
    assert ["log_loss", "rmse_bins"] == list(found["before"]) == list(found["after"])
    assert found["after"]["log_loss"] < found["before"]["log_loss"]
    assert (True, NEEDED, "fitted", today().isoformat()) == (
        found["taken"],
        found["needed"],
        found["parameters"]["source"],
        found["parameters"]["since"],
    )
    assert found["reviews"] == found["parameters"]["reviews"] >= found["usable"] >= NEEDED
    assert found["moved"] > 0
    assert tuple(found["parameters"]["values"]) == in_use(learned).w


def test_once_more(learned: Path) -> None:
    """A second fit to the same reviews is no better than the first, which stays; nothing is written."""
    run("optimize")
    before = learned.read_bytes()

    assert "no better" in run("optimize").stderr
    assert not told("optimize")["taken"]
    assert before == learned.read_bytes()


def test_worse_is_not_taken(learned: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parameters that predict the same reviews worse are not used, whoever found them; nor are ones outside of FSRS's ranges."""
    before = learned.read_bytes()
    with closing(open_progress(learned)) as progress:
        found = fitted(predictable_reviews((review.key, review.grade, review.when.day) for review in progress.reviews()))
    for strange in (Parameters((90.0, 90.0, 90.0, 90.0, *DEFAULT.w[4:])), Parameters((*found.w[:7], 0.0, *found.w[8:]))):
        monkeypatch.setattr(optimize, "fitted", lambda items, strange=strange: strange)
        assert not told("optimize")["taken"]

    assert before == learned.read_bytes()


def test_undo(learned: Path) -> None:
    """--undo goes back to FSRS's own parameters and says so; there is nothing to take back after it."""
    run("optimize")

    assert f"The fit of {today().isoformat()} is taken back. FSRS uses its default parameters again.\n" == run("optimize", "--undo").stderr
    assert in_use(learned) == DEFAULT
    assert "no fit to take back" in run("optimize", "--undo").stderr
    assert {"undone": None, "parameters": told("stats")["parameters"]} == told("optimize", "--undo")


def test_undo_gives_the_earlier_fit(path: Path) -> None:
    """--undo after two fits gives the first one back."""
    with closing(open_progress(path)) as progress:
        record_all(progress, log_of(100)[:-200])
    run("optimize")
    first = in_use(path)
    with closing(open_progress(path)) as progress:
        record_all(progress, log_of(100)[-200:])
    assert told("optimize")["taken"]

    assert "those fitted on" in run("optimize", "--undo").stderr
    assert first == in_use(path)


def test_too_few(path: Path) -> None:
    """Where there is too little to learn from it says how much there is and how much it takes, and changes nothing."""
    with closing(open_progress(path)) as progress:
        record_all(progress, log_of(20))
    before = path.read_bytes()
    found = told("optimize")

    assert (False, None, None) == (found["taken"], found["before"], found["after"])
    assert 0 < found["usable"] < NEEDED
    assert f"FSRS can learn from {found['usable']} of your reviews so far" in run("optimize").stderr
    assert f"needs {NEEDED}" in run("optimize").stderr
    assert before == path.read_bytes()


@pytest.mark.parametrize("arguments", [("optimize",), ("optimize", "--undo"), ("optimize", "--json"), ("optimize", "--undo", "--json")])
def test_without_progress(path: Path, arguments: tuple[str, ...]) -> None:
    """Without progress there is nothing to fit or to take back, and no file is made."""
    done = run(*arguments)

    assert ("--json" in arguments) == bool(done.stdout) != bool(done.stderr)
    assert not path.exists()


def test_interrupted(learned: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl+C during the computation leaves everything as it was."""

    def interrupted(items: object) -> Parameters:
        raise KeyboardInterrupt

    before = learned.read_bytes()
    monkeypatch.setattr(optimize, "fitted", interrupted)
    monkeypatch.setattr(sys, "argv", ["qkv", "optimize"])
    with pytest.raises(SystemExit) as ended:
        main()

    assert INTERRUPTED == ended.value.code
    assert before == learned.read_bytes()


def test_not_saved(learned: Path) -> None:
    """A file that cannot be written is said at once, with the exit code of what is not saved."""
    learned.write_bytes(b"no database" * 1_000)

    assert "is not a progress file" in run("optimize", code=3).stderr


@pytest.mark.parametrize(("language", "sentence"), [("en", "FSRS uses parameters fitted to"), ("zh", "次复习拟合的")])
def test_stats_say_it(learned: Path, language: str, sentence: str) -> None:
    """`qkv stats` says which parameters FSRS uses, and `qkv doctor` finds the progress sound."""
    before = run("stats", "--lang", language).stdout
    found = told("optimize")

    assert sentence not in before
    assert sentence in run("stats", "--lang", language).stdout
    assert ["ok"] == [finding.state for finding in doctor.progress(Words.of(language))]
    assert found["parameters"] == told("stats")["parameters"] == told("stats", "--tag", "softmax")["parameters"]
    assert found["parameters"] == {
        "source": "fitted",
        "since": today().isoformat(),
        "reviews": found["reviews"],
        "values": list(in_use(learned).w),
    }


def test_a_fit_moves_to_another_machine(learned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Export and import carry it: the other machine computes by it."""
    run("optimize")
    run("export", "--progress", str(tmp_path / "log.jsonl"))
    fit = in_use(learned)
    monkeypatch.setenv("QKV_DATA", str(tmp_path / "other"))
    run("import", str(tmp_path / "log.jsonl"))

    assert fit == in_use(tmp_path / "other" / "progress.sqlite3")
