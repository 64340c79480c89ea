"""Which experiments a person has pinned, and which they used last: a small file beside the progress, no loss where it is lost."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from content.regular_file import read_file
from quiz.progress.paths import default_path

NAME = "experiments.json"
MOST = 20  # used ones that are remembered
LARGEST = 64 * 1024  # bytes that such a file can have


@dataclass(frozen=True)
class LabHistory:
    """Names of experiments, the last one first."""

    pinned: tuple[str, ...] = ()
    used: tuple[str, ...] = ()

    def with_use(self, name: str) -> LabHistory:
        """The same after an experiment was used."""
        return replace(self, used=(name, *(other for other in self.used if other != name))[:MOST])

    def with_names(self, today: Mapping[str, str]) -> LabHistory:
        """The same after experiments became part of others: each under the name of today, once."""
        return LabHistory(*(tuple(dict.fromkeys(today.get(name, name) for name in names)) for names in (self.pinned, self.used)))

    def with_pin_turned(self, name: str) -> LabHistory:
        """An experiment pinned, or not any more."""
        others = tuple(other for other in self.pinned if other != name)
        return replace(self, pinned=others if name in self.pinned else (name, *others))


def history_path() -> Path:
    return default_path().parent / NAME


def read_history() -> LabHistory:
    """What the file holds; nothing where there is none, or what is there is no such file. Blocks."""
    try:
        told = json.loads(read_file(history_path(), LARGEST))
    except (OSError, ValueError, RecursionError):
        return LabHistory()
    return LabHistory(_names(told, "pinned"), _names(told, "used")[:MOST])


def write_history(history: LabHistory) -> None:
    """Keeps it, whole or not at all; a folder that cannot be written keeps nothing. Blocks."""
    path = history_path()
    unfinished = path.with_suffix(f".{os.getpid()}.partial")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            unfinished.write_text(json.dumps({"pinned": history.pinned, "used": history.used}) + "\n", encoding="utf-8")
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)


def _names(told: object, key: str) -> tuple[str, ...]:
    """A list of names, each once; whatever else is there is passed over."""
    names = told.get(key) if isinstance(told, dict) else None
    return tuple(dict.fromkeys(name for name in names if isinstance(name, str))) if isinstance(names, list) else ()
