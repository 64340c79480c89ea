"""How the process of a listing begins and ends: nothing of the person's is in it, and nothing of it is left behind."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import IO, Any

from engine.worker.process import import_folders

# -I keeps the folder, the person's own packages and PYTHON* variables away; our own package is found where this process has found it.
PROGRAM = """
import json, sys
sys.path[:0] = [folder for folder in sys.argv[2:] if folder not in sys.path]
from {module} import main
main(json.loads(sys.argv[1]))
"""
KEPT = (
    "PATH",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "SYSTEMROOT",
)  # of the environment: what finds libraries, and nothing that is private


@dataclass(frozen=True)
class Running:
    """A process, the pipes to it, and what waits for its end: the exit code, below 0 the signal that ended it."""

    pid: int
    stdin: IO[bytes]
    stdout: IO[bytes]
    wait: Callable[[], int]


Begin = Callable[[str, float], AbstractContextManager[Running]]  # in a folder, with a deadline. Raises OSError


@contextlib.contextmanager
def begun(folder: str, deadline: float) -> Iterator[Running]:
    """A process from nothing; whatever happens, it is no longer there afterwards, nor is anything that it has started."""
    process = isolated("engine.listing.child", deadline, folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield Running(process.pid, process.stdin, process.stdout, process.wait)
    finally:
        kill(process.pid)
        process.wait()
        process.__exit__(None, None, None)


def isolated(module: str, argument: float, folder: str, **descriptors: Any) -> subprocess.Popen[bytes]:
    """A module's `main` in a process of its own. Raises OSError."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return subprocess.Popen(
        [sys.executable, "-I", "-c", PROGRAM.format(module=module), json.dumps(argument), *import_folders("engine")],
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env={**kept, "HOME": folder, "TMPDIR": folder, "OMP_NUM_THREADS": "1"},
        start_new_session=True,
        **descriptors,
    )


def kill(pid: int) -> None:
    """Ends a process, and what it has started with it: it leads a group of its own."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(pid, signal.SIGKILL)
        else:
            os.kill(pid, signal.SIGTERM)  # which ends a process on Windows
