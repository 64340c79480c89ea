"""Processes for listings as copies of one in which torch has begun: torch takes three seconds for that, a copy a hundredth of one.

engine.listing.fork_server is that process. Linux only: elsewhere a copy of a process with native threads is not to be trusted.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from threading import Lock

from engine.listing.begin import Begin, Running, begun, isolated, kill

PATIENCE = 60.0  # seconds for an answer: the first one waits for torch
REPLY = 64  # bytes, of a number


@contextlib.contextmanager
def copies() -> Iterator[Begin]:
    """What begins one process after the other; as copies where the system makes such."""
    if sys.platform != "linux":
        yield begun
        return
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, tempfile.TemporaryDirectory(prefix="qkv-listing-") as folder:
        with theirs:
            there = theirs.fileno()
            server = isolated(
                "engine.listing.fork_server", there, folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=(there,)
            )
        ours.settimeout(PATIENCE)
        try:
            yield partial(_copy_or_new, ours, Lock())
        finally:
            kill(server.pid)
            server.wait()


@contextlib.contextmanager
def _copy_or_new(server: socket.socket, one_at_a_time: Lock, folder: str, deadline: float) -> Iterator[Running]:
    """A copy; where none is to be had, as a listing has ended what it would be one of, a process from nothing."""
    with one_at_a_time, contextlib.ExitStack() as ends:
        try:
            running = ends.enter_context(_copy(server, folder, deadline))
        except OSError:
            running = ends.enter_context(begun(folder, deadline))
        yield running


@contextlib.contextmanager
def _copy(server: socket.socket, folder: str, deadline: float) -> Iterator[Running]:
    """A copy, ended with all that it has started. Raises OSError."""
    requests, answers = os.pipe(), os.pipe()
    with os.fdopen(requests[1], "wb") as stdin, os.fdopen(answers[0], "rb") as stdout:
        try:
            socket.send_fds(server, [json.dumps([folder, deadline]).encode()], [requests[0], answers[1]])
        finally:
            os.close(requests[0])
            os.close(answers[1])
        pid = _number(server)
        ended: list[int] = []

        def wait() -> int:
            if not ended:
                ended.append(_exit_code(server))
            return ended[0]

        try:
            yield Running(pid, stdin, stdout, wait)
        finally:
            kill(pid)
            wait()


def _exit_code(server: socket.socket) -> int:
    """How a copy has ended. Where nobody says so, there will be no further copies: their answers would be mixed up."""
    try:
        return _number(server)
    except OSError:
        server.close()
        return -signal.SIGKILL


def _number(server: socket.socket) -> int:
    if not (reply := server.recv(REPLY)):
        raise ConnectionResetError
    return int(reply)
