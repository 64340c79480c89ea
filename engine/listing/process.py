"""Runs a listing and its correction: a fresh process for each pair, in an empty folder, with a deadline, and ended with all it started.

This executes a deck's code. Nothing but `quiz.commands.check_code` may import it; a test holds it to that.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from typing import IO

from engine.label import Label
from engine.listing.request import ANSWER_LIMIT, Failure, Garbled, Ran, Request, Value, overdue, read_answer
from engine.worker.process import import_folders

START = 60.0  # seconds until torch is there, on a machine that has other things to do
DEADLINE = 20.0  # seconds for the inputs and the corrected listing, and again for the listing
GRACE = 2.0  # seconds beyond, in which the process may say by itself at which line it was

# -I keeps the folder, the person's own packages and PYTHON* variables away; our own package is found where this process has found it.
PROGRAM = """
import sys
sys.path[:0] = [folder for folder in sys.argv[2:] if folder not in sys.path]
from engine.listing.child import main
main(float(sys.argv[1]))
"""
KEPT = (
    "PATH",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "SYSTEMROOT",
)  # of the environment: what finds libraries, and nothing that is private


def run_listing(request: Request, deadline: float = DEADLINE) -> Ran:
    """Blocks for a few seconds, for START and two deadlines at most. Never raises for what the listing does."""
    with tempfile.TemporaryDirectory(prefix="qkv-listing-", ignore_cleanup_errors=True) as folder:
        try:
            process = _start(folder, deadline)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            hint = Label("free some memory, then check once more", "请释放一些内存，再检查一次")
            failure = Failure(Label(f"cannot be run: {reason}", f"无法运行：{reason}"), hint=hint)
            return Ran(failure, failure)
        with _ended(process):
            assert process.stdin is not None
            with contextlib.suppress(OSError):  # one that is dead already says so by ending
                process.stdin.write(request.line())
                process.stdin.flush()
            answers = _Answers(process)
            begun = answers.next(START, _not_begun)
            right = begun if isinstance(begun, Failure) else answers.next(deadline, overdue)
            return Ran(right, right if isinstance(right, Failure) else answers.next(deadline, overdue))


def _not_begun(deadline: float) -> Failure:
    return Failure(
        Label(f"does not begin within {deadline:g} s", f"在 {deadline:g} 秒内没有开始"),
        hint=Label("check PyTorch, then check once more", "请检查 PyTorch 是否可用，再检查一次"),
    )


def _start(folder: str, deadline: float) -> subprocess.Popen[bytes]:
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return subprocess.Popen(
        [sys.executable, "-I", "-c", PROGRAM, str(deadline), *import_folders("engine")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env={**kept, "HOME": folder, "TMPDIR": folder, "OMP_NUM_THREADS": "1"},
        start_new_session=True,
    )


@contextlib.contextmanager
def _ended(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Whatever happens, the process is no longer there afterwards, nor is anything that it has started."""
    try:
        yield
    finally:
        _kill(process)
        process.wait()
        process.__exit__(None, None, None)


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)  # it leads a group of its own
        else:
            process.kill()


class _Answers:
    """What the process says, line by line."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        assert process.stdout is not None
        threading.Thread(target=self._read, args=(process.stdout,), daemon=True).start()

    def _read(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while line := stream.readline(ANSWER_LIMIT):
                self._lines.put(line)
                if not line.endswith(b"\n"):
                    break
        self._lines.put(b"")

    def next(self, deadline: float, late: Callable[[float], Failure]) -> Value | Failure:
        """The next answer; a Failure where none comes in time, where the process ends, and where it says something else."""
        try:
            line = self._lines.get(timeout=deadline + GRACE)
        except queue.Empty:
            return late(deadline)
        if not line:
            return self._exit()
        try:
            return read_answer(line)
        except Garbled:
            message = Label("writes into the pipe that its value comes through", "写进了传送结果的管道")
            return Failure(message, hint=Label("leave that out", "请去掉这一步"))

    def _exit(self) -> Failure:
        code = self._process.wait()
        name = signal.Signals(-code).name if code < 0 else ""
        en, zh = (f"signal {name}", f"信号 {name}") if name else (f"exit code {code}", f"退出码 {code}")
        return Failure(
            Label(f"ends the process that runs it ({en})", f"结束了运行它的进程（{zh}）"),
            hint=Label("a listing computes and returns; it does not exit", "代码只管计算和返回，不要退出进程"),
        )
