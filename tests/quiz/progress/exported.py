"""Progress as it is exported, imported and seen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from quiz.progress.jsonl import read_jsonl, write_jsonl
from quiz.progress.merge import Merged, export, merge_rows
from quiz.progress.progress import Progress


def text(progress: Progress) -> list[str]:
    """What `qkv export --progress` writes."""
    rows = export(progress)
    return list(write_jsonl(rows, len(rows)))


def taken(progress: Progress, source: Iterable[str]) -> Merged:
    return merge_rows(progress, read_jsonl(source))


def state(progress: Progress) -> tuple[Any, ...]:
    """Everything that a person can see of it."""
    return text(progress), progress.memories(), progress.decisions(), list(progress.reviews())
