"""Several that grade at once, and one that is killed while it does."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

from quiz.memory.scheduler import Grade
from quiz.progress.progress import Progress, open_progress
from tests.quiz.learning import CARD, graded, rows

ROOT = Path(__file__).parents[3]


def test_threads(progress: Progress) -> None:
    """Grades from several threads are all kept, on one card."""
    threads = [threading.Thread(target=lambda: [progress.record(graded(Grade.again, minute=n)) for n in range(20)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert 80 == progress.memories()[CARD].repetitions
    assert () == progress.check()


def writer(path: Path, seed: int, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, str(Path(__file__).with_name("crash_writer.py")), str(path), str(seed), str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)})


def said(lines: list[str], what: str) -> set[str]:
    """The ids of the complete lines."""
    return {line.split()[1] for line in lines if line.startswith(f"{what} ") and line.endswith("\n")}


def test_two_processes(path: Path) -> None:
    """Two that make the file and grade the same cards at once lose nothing, and the memories are what the log adds up to."""
    processes = [writer(path, seed, 60) for seed in (1, 2)]
    printed = [line for process in processes for line in process.communicate()[0].splitlines(keepends=True)]

    with closing(open_progress(path)) as progress:
        assert [0, 0] == [process.returncode for process in processes]
        assert 120 == len(said(printed, "grade"))
        assert said(printed, "grade") - said(printed, "undo") == {review.id for review in progress.reviews()}
        assert () == progress.check()


def test_kill(path: Path) -> None:
    """Whenever a process is killed, every grade and undo that it was told is durable is in the log, and log and memories agree."""
    chance, graded_ids, undone_ids = random.Random(), set[str](), set[str]()
    for n in range(int(os.environ.get("QKV_KILLS", "15"))):
        process = writer(path, n, 0)
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(chance.randint(1, 20))]
        threading.Event().wait(chance.random() * 0.01)  # anywhere inside a transaction
        process.send_signal(signal.SIGKILL)
        lines += process.communicate()[0].splitlines(keepends=True)
        graded_ids |= said(lines, "grade")
        undone_ids |= said(lines, "undo")

        with closing(open_progress(path)) as progress:
            standing = {review.id for review in progress.reviews()}
            assert graded_ids <= {str(row[0]) for row in rows(path, "SELECT id FROM review")}
            assert not undone_ids & standing
            assert () == progress.check()
            assert process.returncode == -signal.SIGKILL
