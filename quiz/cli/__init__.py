"""The command line. It imports click and nothing else: `qkv --help` answers before anything of the program itself is loaded."""

from __future__ import annotations

import sys

import click

from quiz.cli import decks, progress, sessions
from quiz.cli.root import qkv
from quiz.exit_codes import INTERRUPTED

__all__ = ["decks", "main", "progress", "qkv", "sessions"]


def main() -> None:
    """Entry point: an interrupt is an exit code, a closed pipe is no error."""
    try:
        qkv(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
