"""The terminal's driver: Textual's own, for a terminal that sends and takes bytes of any kind.

Textual reads UTF-8 and ends at the first byte that is none: the old mouse report of a terminal that was attached anew (a column beyond
95 is one byte above 0x7F), or a text that was pasted in another encoding. Here what is no text is U+FFFD, and such a report a report.
"""

from __future__ import annotations

import codecs
import os
import re
import selectors
import sys
from collections.abc import Callable, Iterator

from textual import events
from textual._xterm_parser import XTermParser
from textual.message import Message

from quiz.terminal.streams import MOST_COLUMNS, MOST_LINES, screen_output, terminal_encoding
from quiz.tui.stoppable_driver import StoppableDriver

HUNG_UP = 129  # what a shell calls the end by SIGHUP
_CHUNK = 4096
_ESCAPE = b"\x1b"
_INTERRUPT = re.compile(rb"\x03|\x1b\[99;5u")  # ctrl+c, as a byte and as a terminal with the keyboard protocol sends it
_PASTE_END = b"\x1b[201~"
_X10 = re.compile(rb"\x1b\[M(.)(.)(.)", re.DOTALL)
_UNFINISHED = re.compile(rb"\x1b(\[(M.{0,2})?)?\Z", re.DOTALL)


class Input:
    """Bytes of a terminal, as what they mean; a piece may end in the middle of anything."""

    def __init__(self, encoding: str) -> None:
        self._decode = codecs.getincrementaldecoder(encoding)("replace").decode
        self._rest = b""
        self._passed = 0  # bytes of the rest that the parser has: an escape, which may be a key, waits for nothing
        self._parser = XTermParser()

    def feed(self, data: bytes) -> Iterator[Message]:
        """The messages that are complete with these bytes."""
        data = self._rest + _INTERRUPT.sub(lambda found: _PASTE_END + found[0], data)  # a paste that was cut off would take every key
        self._rest = found[0] if (found := _UNFINISHED.search(data)) else b""
        if ready := _X10.sub(_as_sgr, data.removesuffix(self._rest)):
            ready, self._passed = ready[self._passed :], 0
        if self._rest == _ESCAPE and not self._passed:
            ready, self._passed = ready + _ESCAPE, 1
        yield from self._typed(ready)

    def tick(self) -> Iterator[Message]:
        """The messages that are complete because nothing has followed for a while: an escape that was a key."""
        rest, self._rest, self._passed = self._rest[self._passed :], b"", 0
        yield from self._typed(rest)
        yield from self._parsed(self._parser.tick)

    def _typed(self, data: bytes) -> Iterator[Message]:
        if text := self._decode(data):  # the parser takes an empty text for the end
            yield from self._parsed(lambda: self._parser.feed(text))

    def _parsed(self, parse: Callable[[], object]) -> Iterator[Message]:
        """What the parser makes of it; one that fails at a sequence of nonsense is no use any more, and another takes its place."""
        try:
            for message in parse():  # type: ignore[attr-defined]
                if not isinstance(message, events.Resize) or _is_terminal(message):
                    yield message
        except Exception:
            self._parser = XTermParser()


def _as_sgr(report: re.Match[bytes]) -> bytes:
    """An X10 mouse report in the form that every place on a screen has a number in; a place that is none is passed over there."""
    button, x, y = (max(group[0] - 32, 0) for group in report.groups())
    released = button & 3 == 3 and button < 32  # it does not say which button
    return b"\x1b[<%d;%d;%d%c" % (button & ~3 if released else button, x, y, b"m" if released else b"M")


def _is_terminal(size: events.Resize) -> bool:
    return 0 < size.size.width <= MOST_COLUMNS and 0 < size.size.height <= MOST_LINES


class TerminalDriver(StoppableDriver):
    """Reads a terminal through `Input`, and writes to it through the stream that nothing stops."""

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(*arguments, **options)
        self._file = screen_output()

    def run_input_thread(self) -> None:
        """Reads until the application ends, or the terminal does."""
        source = Input(terminal_encoding(sys.stdin))
        with selectors.DefaultSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(0.1):
                    data = self._read()
                    if not data:
                        self._app.call_later(self._app.exit, None, HUNG_UP)
                        return
                    self._process(source.feed(data))
                else:
                    self._process(source.tick())

    def _read(self) -> bytes:
        """What was typed; nothing where there is no terminal any more."""
        try:
            return os.read(self.fileno, _CHUNK)
        except OSError:
            return b""

    def _process(self, messages: Iterator[Message]) -> None:
        for message in messages:
            self.process_message(message)
