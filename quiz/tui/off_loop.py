"""Work on the progress file in a thread, with all that blocks in what is said when it fails."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

from quiz.card.progress_sentences import find_backup

P = ParamSpec("P")
T = TypeVar("T")


async def off_loop(work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """What `work` gives. Raises ProgressError, with the backup that helps, so that the sentence about it reads no file."""
    return await asyncio.to_thread(_advised, partial(work, *given, **named))


def _advised(work: Callable[[], T]) -> T:
    from quiz.progress.errors import ProgressError  # the first screen is drawn before

    try:
        return work()
    except ProgressError as error:
        find_backup(error)
        raise
