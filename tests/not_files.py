"""What can stand under the name of a file without being one, and a limit for what must not wait for it."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

KINDS = ("pipe", "link to a pipe", "zero", "full", "socket", "terminal", "folder", "loop")
DEVICES = {"zero": "/dev/zero", "full": "/dev/full", "terminal": "/dev/tty"}


def put(kind: str, path: Path) -> Path:
    """Puts something of a kind under a name."""
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link to a pipe":
        os.mkfifo(path.with_name("a-pipe"))
        path.symlink_to("a-pipe")
    elif kind == "socket":
        here = os.getcwd()
        os.chdir(path.parent)  # the name of a socket is short
        try:
            with socket.socket(socket.AF_UNIX) as bound:
                bound.bind(path.name)
        finally:
            os.chdir(here)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(DEVICES.get(kind, path.name))
    return path


@contextmanager
def in_time(seconds: float = 90.0) -> Iterator[None]:
    """Fails where something waits: reading a pipe would take as long as the tests may."""

    def late(*_: object) -> None:
        raise AssertionError(f"still waiting after {seconds} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
