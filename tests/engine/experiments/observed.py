"""What an experiment measured and said at every setting of `settings`, to be held against each other."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import islice
from types import CodeType, FrameType
from typing import Any

import pytest

from engine.assemble import assemble
from engine.catalog import load, names
from engine.conditions import holds
from engine.experiment import Experiment
from engine.label import MissingExtra, ParameterError
from engine.measures import Note
from engine.result import Result
from tests.engine.experiments.settings import moved

SKIPPED = "the experiment needs a package that is not installed"

# With the scope of a session pytest puts all tests of one experiment together, those of other files too: they look at the same runs.
every = pytest.mark.parametrize("name", names(), scope="session")


class Values:
    """Parameters, and what a run returned, by name: `v.keys_seen`."""

    def __init__(self, named: dict[str, Any]) -> None:
        self._named = named

    def __getitem__(self, name: str) -> Any:
        return self._named[name]

    def __contains__(self, name: str) -> bool:
        return name in self._named

    def __getattr__(self, name: str) -> Any:
        value = self._named[name]
        return value.tolist() if hasattr(value, "tolist") else value


class Seen:
    """One setting: what was measured, which notes and results stood beside it, and the functions that were at work, by their modules."""

    def __init__(self, experiment: Experiment, given: dict[str, Any]) -> None:
        parameters = experiment.accept(given)
        with calls() as self.called:
            numbers = last(experiment.run(**parameters))
        self.given, self.parameters = given, parameters
        self.everything = {**parameters, **numbers}
        self.values = Values(self.everything)
        self.result: Result = assemble(experiment.measures, numbers, parameters)
        self.notes = tuple(each.name for each in experiment.measures if isinstance(each, Note) and holds(each.when, self.everything))


@contextmanager
def calls() -> Iterator[dict[CodeType, str]]:
    """Python's functions that are called meanwhile: told of neither C's nor any return, a tracer takes half of a profiler's time."""
    seen: dict[CodeType, str] = {}
    known: set[int] = set()  # by what they are, not by what they say: most calls are of functions seen before

    def note(frame: FrameType, event: str, _: object) -> None:
        if id(frame.f_code) not in known:
            known.add(id(frame.f_code))
            seen[frame.f_code] = str(frame.f_globals.get("__name__"))

    sys.settrace(note)
    try:
        yield seen
    finally:
        sys.settrace(None)


def last(outcome: Any) -> Any:
    """What a run returns at its end."""
    while isinstance(outcome, Generator):
        try:
            next(outcome)
        except StopIteration as end:
            return end.value
    return outcome


@lru_cache(maxsize=2)
def usual(name: str) -> Seen:
    """The defaults."""
    try:
        return Seen(load(name), {})
    except MissingExtra:
        pytest.skip(SKIPPED)


@lru_cache(maxsize=2)
def observed(name: str) -> tuple[Seen, ...]:
    """Every setting that the experiment does not refuse, the defaults first."""
    experiment, seen = load(name), [usual(name)]
    for given in islice(moved(experiment), 1, None):
        with suppress(ParameterError):  # two parameters that do not go together: the sentence is tested elsewhere
            seen.append(Seen(experiment, given))
    return tuple(seen)
