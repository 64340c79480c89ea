"""One deck of one's own, its progress, and commands run on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import date, timedelta

from click.testing import CliRunner

from quiz.cli import qkv
from quiz.memory.study_day import Moment
from quiz.progress.decisions import Decisions
from quiz.progress.progress import Progress, open_progress

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
