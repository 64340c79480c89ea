"""What a session hears of its file: that it fails, that another one bears its name, that all is well again."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from quiz.progress.errors import ProgressError

Tell = Callable[[ProgressError | None], None]


class News:
    """Collects under a lock what is told without it, as those who hear it may wait for another thread."""

    def __init__(self, tell: Tell) -> None:
        self.tell = tell
        self._waiting: deque[ProgressError | None] = deque()
        self._here = threading.local()

    def add(self, found: ProgressError | None) -> None:
        """Notes what is to be told."""
        self._waiting.append(found)

    @contextmanager
    def told_after(self) -> Iterator[None]:
        """Tells at the end of the outermost of these blocks in a thread; the lock belongs inside."""
        depth = getattr(self._here, "depth", 0)
        self._here.depth = depth + 1
        try:
            yield
        finally:
            self._here.depth = depth
            if not depth:
                self._deliver()

    def _deliver(self) -> None:
        while True:
            try:
                found = self._waiting.popleft()
            except IndexError:  # another thread may tell at the same time
                return
            self.tell(found)
