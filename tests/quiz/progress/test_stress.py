"""Windows that grade at the same time, while their file is replaced, deleted, emptied, restored and held, and some of them are killed.

`QKV_STRESS=200` tries so many seeds instead of two.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import pytest

from quiz.progress import backups
from quiz.progress.companions import holding
from quiz.progress.errors import ProgressError, is_missing
from quiz.progress.progress import open_progress
from quiz.progress.restore import restore_backup
from tests.quiz.learning import rows
from tests.quiz.progress.leftovers import beside, hot_journal

ROOT = Path(__file__).parents[3]


@dataclass
class World:
    """A progress file, the windows on it, and the folder to which a person or a sync program moves what they take away."""

    path: Path
    chance: random.Random
    windows: list[subprocess.Popen[str]] = field(default_factory=list)
    journals: list[bytes] = field(default_factory=list)
    killed: set[str] = field(default_factory=set)  # what killed windows had said
    survived: set[str] = field(default_factory=set)
    lost: int = 0  # grades of which their window said that they were not saved

    @property
    def trash(self) -> Path:
        folder = self.path.parent.parent / "trash"
        folder.mkdir(exist_ok=True)
        return folder

    def open_window(self) -> None:
        command = [sys.executable, str(Path(__file__).with_name("window.py")), str(self.path), str(self.chance.random())]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.windows.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment))

    def take_away(self) -> Path | None:
        """Another name for the file, as a person or a sync program gives it."""
        target = self.trash / f"{len(list(self.trash.iterdir()))}.sqlite3"
        with suppress(FileNotFoundError):
            self.path.rename(target)
            return target
        return None

    # --- what happens --------------------------------------------------------------------------------------------------

    def replace(self) -> None:
        """A sync program brings an older file; what it replaces goes to its trash."""
        incoming = self.path.with_name("incoming")
        shutil.copyfile(self.chance.choice(backups.all_backups(self.path)), incoming)
        self.take_away()
        incoming.replace(self.path)

    def delete(self) -> None:
        self.take_away()

    def back_up(self) -> None:
        with suppress(ProgressError):
            backups.make_backup(self.path, backups.backup_folder(self.path) / datetime.now().strftime(backups.STAMP))

    def restore(self) -> None:
        with suppress(ProgressError):
            restore_backup(self.chance.choice(backups.all_backups(self.path)), self.path, datetime.now())

    def ruin(self) -> None:
        """Something empties the file; its owner restores the newest backup a little later, as is advised."""
        old = self.take_away()
        if old:
            shutil.copyfile(old, self.path)
            os.truncate(self.path, self.chance.choice([0, 4096, 9000]))
            time.sleep(self.chance.random() * 0.1)
            self.restore()

    def hold(self) -> None:
        address = f"file:{self.path}?mode=rw"
        with suppress(sqlite3.Error), closing(sqlite3.connect(address, uri=True, isolation_level=None, timeout=0.2)) as holder:
            holder.execute(self.chance.choice(["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"]))
            time.sleep(self.chance.random() * 0.4)

    def leave_a_journal(self) -> None:
        """A sync program brings an old journal; not in the instant between a window's look and its lock, which nothing can close."""
        with suppress(OSError), holding(self.path, 1.0) as content:
            if content and not beside(self.path, "-journal").exists():
                incoming = self.path.with_name("incoming-journal")
                incoming.write_bytes(self.chance.choice(self.journals))
                incoming.replace(beside(self.path, "-journal"))
                time.sleep(0.03)

    def kill(self) -> None:
        window = self.windows.pop(self.chance.randrange(len(self.windows)))
        window.send_signal(signal.SIGKILL)
        self.killed |= said(window.communicate()[0])
        self.open_window()

    def leave(self) -> None:
        """Every window is closed as a person does it."""
        for window in self.windows:
            told = window.communicate("q\n")[0]
            assert 0 == window.returncode
            self.survived |= said(told)
            self.lost += int(told.split()[-1])


def said(told: str) -> set[str]:
    return {line.split()[1] for line in told.splitlines(keepends=True) if line.startswith("saved ") and line.endswith("\n")}


def ids(path: Path) -> set[str]:
    return {str(row[0]) for row in rows(path, "SELECT id FROM review WHERE kind = 'grade'")}


EVENTS: dict[str, tuple[Callable[[World], None], ...]] = {
    "syncing": (World.replace, World.delete, World.back_up, World.hold, World.kill, World.leave_a_journal),
    "restoring": (World.restore, World.restore, World.back_up, World.hold, World.kill),
    # What a file held that is emptied, only its windows know: none of them is killed.
    "everything": (World.replace, World.delete, World.back_up, World.restore, World.ruin, World.hold, World.leave_a_journal),
}


def begin(world: World) -> None:
    """Waits until the windows are at it; then there is something to go back to."""
    deadline = time.monotonic() + 60
    while len(ids(world.path)) < 20:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    world.back_up()
    copy = world.trash / "copy"
    shutil.copyfile(backups.all_backups(world.path)[0], copy)
    world.journals.append(hot_journal(copy))


@pytest.mark.parametrize("seed", range(int(os.environ.get("QKV_STRESS", "1"))))
@pytest.mark.parametrize("kind", EVENTS)
def test_nothing_is_lost(path: Path, kind: str, seed: int) -> None:
    """What windows said to be saved is in the file, or in what a restore kept; what killed windows said at least in what was taken away."""
    open_progress(path).close()
    world = World(path, random.Random(f"{kind} {seed}"))
    for _ in range(2):
        world.open_window()
    try:
        begin(world)
        for _ in range(12):
            world.chance.choice(EVENTS[kind])(world)
            time.sleep(world.chance.random() * 0.15)
        world.leave()
    finally:
        for window in world.windows:
            window.kill()

    kept = ids(path) if not is_missing(path) else set()
    kept |= {id_ for file in backups.backup_folder(path).glob("*.sqlite3") if backups.is_sound(file) for id_ in ids(file)}
    taken = {id_ for file in world.trash.iterdir() if backups.is_sound(file) for id_ in ids(file)}
    assert set() == world.survived - kept
    assert set() == world.killed - kept - taken
    assert 10 < len(world.survived) + len(world.killed)
    with closing(open_progress(path)) as progress:
        assert () == progress.check()
