"""What stands in a file: its tree, and problems with what is at a location or within a text there."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from content.yaml.problems import Problem, Severity

if TYPE_CHECKING:
    from content.yaml.tree import Location, Place, Tree


@dataclass(frozen=True)
class Placed:
    """A file and where everything in it stands; a deck from the cache is read for that when it is asked."""

    path: Path
    read_tree: Callable[[], Tree]

    @cached_property
    def tree(self) -> Tree:
        return self.read_tree()

    @property
    def folder(self) -> Path | None:
        """The folder that the file is in; None for a deck from a pipe."""
        return self.path.parent if os.path.isfile(self.path) else None

    def problem(self, location: Location, message: str, hint: str = "", severity: Severity = "error") -> Problem:
        """A problem with the value at a location."""
        return self._problem(self.tree.place(location), message, hint, severity)

    def problem_in(self, location: Location, offset: int, message: str, hint: str = "", severity: Severity = "error") -> Problem:
        """A problem within the text at a location, with its character at an offset."""
        return self._problem(self.tree.place_in(location, offset), message, hint, severity)

    def _problem(self, place: Place, message: str, hint: str, severity: Severity) -> Problem:
        return Problem(place.path, place.line, place.column, message, hint, severity, place.source)
