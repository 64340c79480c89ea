"""The three standard streams, made safe before anything is read or written: the one place where text enters and leaves the process.

A stream that was closed is opened on nothing, so that no file of ours ever gets its number. What an encoding does not have is spelled, what
is no text is U+FFFD. What can no longer be written ends the command by an exception of our own: click and Rich each end a process
in their way at a BrokenPipeError.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, TextIO, cast

from quiz.terminal.spelling import LOOKALIKE, SPELLED

MOST_COLUMNS, MOST_LINES = 1000, 500  # a number beyond is no terminal: lines are padded to it


class OutputLost(Exception):
    """stdout takes nothing any more; the text says why, as the system does."""


class ReaderGone(OutputLost):
    """Whoever read stdout has had enough: no error."""


class InputLost(Exception):
    """stdin cannot be read; the text says why, as the system does."""


class _Output(io.TextIOWrapper):
    """stdout. After a failure it writes into nothing, so that the end of the process does not fail too; `finish` says it again."""

    lost: OutputLost | None = None

    def write(self, text: str, /) -> int:
        with self._named():
            return super().write(text)

    def flush(self) -> None:
        with self._named():
            super().flush()

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self._abandon()
            self.lost = (ReaderGone if isinstance(error, BrokenPipeError) else OutputLost)(error.strerror or str(error))
            raise self.lost from error

    def _abandon(self) -> None:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, self.fileno())
        os.close(nothing)


class _Errors(_Output):
    """stderr: a sentence that nobody can hear stops no work."""

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except OSError:
            self._abandon()

    def write(self, text: str, /) -> int:
        super().write(text)
        return len(text)


class _Input(io.TextIOWrapper):
    """stdin."""

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        with _readable():
            return super().readline(size)

    def read(self, size: int | None = -1, /) -> str:
        with _readable():
            return super().read(size)


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputLost(error.strerror or str(error)) from error


def prepare() -> None:
    """Puts the safe streams in the place of the interpreter's own. Streams that are something else already stay what they are."""
    _reopen()
    _own("stdin", _Input, "replace")
    _own("stdout", _Output, SPELLED)
    _own("stderr", _Errors, SPELLED)
    for name, most in (("COLUMNS", MOST_COLUMNS), ("LINES", MOST_LINES)):
        if not _is_size(os.environ.get(name, ""), most):
            os.environ.pop(name, None)


def finish() -> None:
    """Writes what is still held back. Raises OutputLost, also where somebody took an earlier one for an error of its own."""
    sys.stdout.flush()
    if isinstance(sys.stdout, _Output) and sys.stdout.lost:
        raise sys.stdout.lost


def _reopen() -> None:
    """Closed numbers, opened on nothing: stdin has ended, stdout fails when it is written to, stderr takes everything."""
    for number, mode in ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, mode)
            os.dup2(opened, number)
            if opened != number:
                os.close(opened)


def _own(name: str, kind: type[io.TextIOWrapper], errors: str) -> None:
    old = getattr(sys, name)
    if old is None:  # it was closed
        number = ("stdin", "stdout", "stderr").index(name)
        binary: BinaryIO = open(number, "rb" if number == 0 else "wb", closefd=False)  # noqa: SIM115 - for as long as the process lives
        made = kind(binary, encoding="utf-8", errors=errors)
    elif type(old) is io.TextIOWrapper:
        encoding, by_line, through = old.encoding, old.line_buffering, old.write_through
        if name == "stdout" and old.errors not in ("strict", "surrogateescape"):
            errors = str(old.errors)  # somebody chose it, in PYTHONIOENCODING
        made = kind(old.detach(), encoding=encoding, errors=errors, line_buffering=by_line, write_through=through)
    else:
        return
    setattr(sys, name, made)
    setattr(sys, f"__{name}__", made)


def _is_size(text: str, most: int) -> bool:
    return text.isascii() and text.isdigit() and 0 < int(text[:9]) <= most and len(text) < 9


def screen_output() -> io.TextIOWrapper:
    """stderr for the screens, where a character that is missing takes its own cells, and a terminal that is gone ends nothing."""
    return _Errors(cast(BinaryIO, open(os.dup(2), "wb")), encoding=terminal_encoding(sys.stderr), errors=LOOKALIKE)


def terminal_encoding(stream: TextIO) -> str:
    """A stream's encoding as a terminal may have it: one in which a key and an escape sequence are the bytes that they are in ASCII."""
    encoding = stream.encoding or "utf-8"
    try:
        return encoding if "q\x1b[".encode(encoding) == b"q\x1b[" else "utf-8"
    except (LookupError, UnicodeError):
        return "utf-8"


def read_bytes(limit: int) -> bytes:
    """At most so many bytes of stdin. Raises InputLost."""
    with _readable():
        return sys.stdin.buffer.read(limit)


def utf8_input() -> TextIO:
    """stdin as a file that another program wrote: UTF-8 whatever the terminal's encoding is, perhaps with a mark at its start."""
    return _Input(sys.stdin.buffer, encoding="utf-8-sig", errors="replace")


def read_line(limit: int) -> str:
    """The next line of stdin, at most so many characters of it, empty at its end. Raises InputLost."""
    return sys.stdin.readline(limit)
