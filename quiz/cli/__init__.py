"""The command line. It imports click and nothing else: `qkv --help` answers before anything of the program itself is loaded."""

from __future__ import annotations

import io
import sys

import click

from content.yaml.clean import clean
from quiz.cli import decks, house, progress, sessions
from quiz.cli.root import qkv
from quiz.exit_codes import INTERRUPTED, OK, PROBLEM
from quiz.terminal import streams

__all__ = ["decks", "house", "main", "progress", "qkv", "sessions"]


def main() -> None:
    """Entry point: an interrupt is an exit code, and so is an output that was not written; a reader that left is no error."""
    streams.prepare()
    code = OK
    try:
        code = _code()
        streams.finish()
    except streams.ReaderGone:
        pass
    except streams.OutputLost as lost:
        code = _say("stream.lost", lost, code)
    except streams.InputLost as lost:
        code = _say("stream.unreadable", lost, code)
    sys.exit(code)


def _code() -> int:
    """Runs the command: its exit code."""
    try:
        ended = qkv(prog_name="qkv", standalone_mode=False)  # also where it runs as python -m quiz
    except click.ClickException as error:
        said = io.StringIO()
        error.show(said)
        sys.stderr.write(clean(said.getvalue()))
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except SystemExit as left:
        ended = left.code
    return ended if isinstance(ended, int) else OK


def _say(key: str, lost: Exception, code: int) -> int:
    """Why the command could not be finished, and the exit code: its own where it had failed before."""
    from quiz.words.i18n import Words

    sys.stderr.write(f"{clean(Words.of('')(key, reason=lost))}\n")
    return code or PROBLEM
