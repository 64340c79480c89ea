"""Runs a listing and its correction: a process for each pair, in an empty folder, with a deadline, and ended with all it started.

This executes a deck's code. Nothing but `quiz.commands.check_code` may import it; a test holds it to that.
"""

from __future__ import annotations

import contextlib
import queue
import signal
import tempfile
import threading
from collections.abc import Callable
from typing import IO

from engine.label import Label
from engine.listing.begin import Begin, Running, begun
from engine.listing.request import ANSWER_LIMIT, Failure, Garbled, Ran, Request, Value, overdue, read_answer

START = 60.0  # seconds until torch is there, on a machine that has other things to do
DEADLINE = 20.0  # seconds for the inputs and the corrected listing, and again for the listing
GRACE = 2.0  # seconds beyond, in which the process may say by itself at which line it was


def run_listing(request: Request, deadline: float = DEADLINE, begin: Begin = begun) -> Ran:
    """Blocks for START and two deadlines at most. Never raises for what the listing does."""
    with tempfile.TemporaryDirectory(prefix="qkv-listing-", ignore_cleanup_errors=True) as folder, contextlib.ExitStack() as ends:
        try:
            process = ends.enter_context(begin(folder, deadline))
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            hint = Label("free some memory, then check once more", "请释放一些内存，再检查一次")
            failure = Failure(Label(f"cannot be run: {reason}", f"无法运行：{reason}"), hint=hint)
            return Ran(failure, failure)
        with contextlib.suppress(OSError):  # one that is dead already says so by ending
            process.stdin.write(request.line())
            process.stdin.flush()
        answers = _Answers(process)
        started = answers.next(START, _not_begun)
        right = started if isinstance(started, Failure) else answers.next(deadline, overdue)
        return Ran(right, right if isinstance(right, Failure) else answers.next(deadline, overdue))


def _not_begun(deadline: float) -> Failure:
    return Failure(
        Label(f"does not begin within {deadline:g} s", f"在 {deadline:g} 秒内没有开始"),
        hint=Label("check PyTorch, then check once more", "请检查 PyTorch 是否可用，再检查一次"),
    )


class _Answers:
    """What the process says, line by line."""

    def __init__(self, process: Running) -> None:
        self._process = process
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
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
