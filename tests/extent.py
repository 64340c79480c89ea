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


SLOW = (  # what starts a program, a screen or a training for every case
    "tests/engine/experiments/",
    "tests/engine/listing/",
    "tests/engine/test_s",
    "tests/engine/worker/",
    "tests/quiz/commands/",
    "tests/quiz/terminal/",
    "tests/quiz/tui/",
    "tests/terminal/",
)


def a_third(cases: Sequence[str]) -> Iterator[bool]:
    """Which cases are tried, by their names: of a slow test every third, at least one, always the same; of two languages either."""
    families: dict[str, list[str]] = defaultdict(list)
    for case in cases:
        families[case.partition("[")[0]].append(case)
    taken = {case for name, family in families.items() for case in family[zlib.crc32(name.encode()) % min(3, len(family)) :: 3]}
    for case in cases:
        yield case in taken or not case.startswith(SLOW)
