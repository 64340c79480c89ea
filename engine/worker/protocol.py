"""What crosses the pipe between a worker and its process: messages, each framed as a length and a pickle.

Pickle is allowed here and nowhere else: both ends are this program, started by itself on this machine; the pipe has no name,
so nobody else can write to it; and no byte of it comes from a file or a network.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from engine import catalog
    from engine.computed.recipe import Recipe
    from engine.experiment import Description
    from engine.label import ExperimentError
    from engine.result import Progress, Result

LENGTH = 8  # bytes that give the length of what follows


# To the process, which has one request at a time, so that an answer needs no address. `number` says which run a Stop is meant for.


@dataclass(frozen=True)
class Survey:
    """Asks for what all experiments are."""


@dataclass(frozen=True)
class Describe:
    """Asks for what one recipe is."""

    recipe: Recipe


@dataclass(frozen=True)
class Run:
    number: int
    experiment: str | Recipe
    parameters: Mapping[str, str]  # spelled

    @property
    def name(self) -> str:
        return self.experiment if isinstance(self.experiment, str) else self.experiment.name


@dataclass(frozen=True)
class Stop:
    """A generator stops at its next yield; anything else goes on, and its answer arrives."""

    number: int


Request = Survey | Describe | Run


# From the process.


@dataclass(frozen=True)
class Ready:
    """torch is warm."""


@dataclass(frozen=True)
class Started:
    """The parameters were accepted: from now on the deadline (seconds of computing) counts."""

    deadline: float


@dataclass(frozen=True)
class Overdue:
    """The run of this number has computed for longer than its deadline (seconds); it goes on, unless its process is ended."""

    number: int
    deadline: float


@dataclass(frozen=True)
class Advanced:
    progress: Progress


@dataclass(frozen=True)
class Answered:
    outcome: Result | catalog.Survey | Description | ExperimentError


def send(stream: IO[bytes], message: object) -> None:
    """Raises OSError when nobody reads any more."""
    body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    stream.write(len(body).to_bytes(LENGTH) + body)
    stream.flush()


def messages(stream: IO[bytes]) -> Iterator[object]:
    """Until the other end is gone; a message that was cut off by its death is dropped."""
    while len(head := stream.read(LENGTH)) == LENGTH:
        size = int.from_bytes(head)
        if len(body := stream.read(size)) < size:
            return
        yield pickle.loads(body)
