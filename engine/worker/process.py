"""Starts the process that computes and says what it died of."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import IO

from engine.errors import excerpt
from engine.worker import protocol

TAIL = 4096  # bytes of stderr that are looked at for a last line

# -P and -c keep the user's folder off sys.path; what the parent imports from, the child must find too, whether or not it is installed.
# Folders that are there already stay where they are: site-packages put first would shadow the standard library.
PROGRAM = """
import sys
sys.path[:0] = [folder for folder in sys.argv[2:] if folder not in sys.path]
from engine.worker.child import main
main(sys.argv[1])
"""


class Process:
    """One child process. Not thread-safe, except for kill()."""

    def __init__(self, package: str) -> None:
        """Returns at once, while the child is still starting. Raises OSError when it cannot be started."""
        self.killed = False
        self.silent = False  # killed because it said nothing
        with contextlib.ExitStack() as on_failure:
            self._stderr: IO[bytes] = on_failure.enter_context(_scratch_file())
            self._popen = subprocess.Popen(
                [sys.executable, "-P", "-c", PROGRAM, package, *import_folders("engine", package)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
            )
            on_failure.pop_all()

    def send(self, message: object) -> None:
        """A message to a dead process is dropped: the end of its messages tells of its death."""
        assert self._popen.stdin is not None
        with contextlib.suppress(OSError):
            protocol.send(self._popen.stdin, message)

    def messages(self) -> Iterator[object]:
        """What it says, until it ends."""
        assert self._popen.stdout is not None
        return protocol.messages(self._popen.stdout)

    def kill(self) -> None:
        """Ends it in the middle of anything, also of native code."""
        self.killed = True
        self._popen.kill()

    def reap(self) -> str:
        """Waits for its end, frees what it used and returns the cause: the signal or the exit code, and its last line on stderr."""
        code = self._popen.wait()
        assert self._popen.stdin is not None
        with contextlib.suppress(OSError):
            self._popen.stdin.close()  # a message that was not taken any more is still in its buffer
        self._popen.__exit__(None, None, None)
        with self._stderr:
            self._stderr.seek(max(0, self._stderr.seek(0, os.SEEK_END) - TAIL))
            lines = self._stderr.read().decode(errors="replace").split("\n")
        last = next((text for line in reversed(lines) if (text := excerpt(line))), "")
        end = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        return f"{end}: {last}" if last else end


def _scratch_file() -> IO[bytes]:
    """Where the child's last words go; nowhere, if no folder for temporary files can be written: that is no reason not to compute."""
    try:
        return tempfile.TemporaryFile()
    except OSError:
        return open(os.devnull, "w+b")


def import_folders(*packages: str) -> list[str]:
    """The folders that hold the packages' top level."""
    folders: dict[str, None] = {}
    for package in packages:
        spec = importlib.util.find_spec(package.partition(".")[0])
        for location in (spec and spec.submodule_search_locations) or ():
            folders[os.path.dirname(os.path.abspath(location))] = None
    return list(folders)
