"""The process that those of listings are copied from: torch takes three seconds to begin, and a copy of what has begun a hundredth.

Whoever is at the other end of its socket sends a folder, a deadline and a pair of pipes; it answers with the copy's number, and at the
copy's end with how that ended. One copy at a time. Nothing of a deck's comes here: a copy reads its request from its own pipe.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket

from engine.listing import child

MOST = 2**16  # bytes of a message: a folder's name


def main(descriptor: int) -> None:
    """Until the other end is closed."""
    asked = socket.socket(fileno=descriptor)
    while True:
        message, descriptors, _, _ = socket.recv_fds(asked, MOST, 2)
        if not message:
            return
        pid = os.fork()
        if not pid:
            asked.close()
            _become_listing(descriptors, *json.loads(message))
        for each in descriptors:
            os.close(each)
        asked.send(str(pid).encode())
        asked.send(str(_ended(pid)).encode())


def _become_listing(descriptors: list[int], folder: str, deadline: float) -> None:
    """What `engine.listing.begin` makes of a process: a group and a folder of its own, and two pipes. Does not return."""
    try:
        os.setsid()
        os.chdir(folder)
        os.environ.update({"HOME": folder, "TMPDIR": folder})
        for own, given in enumerate(descriptors):
            os.dup2(given, own)
            os.close(given)
        child.main(deadline)
    finally:
        os._exit(1)


def _ended(pid: int) -> int:
    """Waits for a copy's end and ends what it has left behind, while its number is nobody else's; its exit code, below 0 the signal."""
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
