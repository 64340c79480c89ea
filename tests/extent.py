"""How much a test tries of what could be tried: a share that still finds each kind of fault, and all of it by `make test-all`."""

from __future__ import annotations

import os
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence

WHOLE = bool(os.environ.get("QKV_TEST_ALL"))


def some(share: int, whole: int) -> int:
    """The share, or the whole where everything is asked for."""
    return whole if WHOLE else share


SLOW = (  # what starts a program, a screen or a training for every case, or computes for seconds
    "tests/engine/computed/",
    "tests/engine/experiments/",
    "tests/engine/listing/",
    "tests/engine/test_fixed_numbers.py",
    "tests/engine/test_snippet.py",
    "tests/engine/test_source.py",
    "tests/engine/worker/",
    "tests/quiz/card/test_neighbours.py",
    "tests/quiz/charts/figures/test_every_experiment.py",
    "tests/quiz/commands/",
    "tests/quiz/progress/test_companions.py",
    "tests/quiz/study/test_plan_load.py",
    "tests/quiz/terminal/",
    "tests/quiz/test_guide.py",
    "tests/quiz/tui/",
    "tests/terminal/",
)
SHARE = 7  # every seventh case: odd, so that of two languages either is tried
MANY = 12  # cases, from which on they are those of a list that several tests go through


def a_share(cases: Sequence[str]) -> Iterator[bool]:
    """Which cases are tried, by their names: of a slow test every seventh, at least one, always the same; of two languages either.

    Tests of one long list, that of all experiments, try the same ones of it: what they look at is computed once.
    """
    families: dict[str, list[str]] = defaultdict(list)
    for case in cases:
        families[case.partition("[")[0]].append(case)
    taken = {case for name, family in families.items() for case in family[_first(name, family) :: SHARE]}
    for case in cases:
        yield case in taken or not case.startswith(SLOW)


def _first(name: str, family: Sequence[str]) -> int:
    """Where a family's share begins."""
    known_by = "".join(case.partition("[")[2] for case in family) if len(family) > MANY else name
    return zlib.crc32(known_by.encode()) % min(SHARE, len(family))
