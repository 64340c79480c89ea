"""How much a test tries of what could be tried: a share that still finds each kind of fault, and all of it by `make test-all`."""

from __future__ import annotations

import os

WHOLE = bool(os.environ.get("QKV_TEST_ALL"))


def some(share: int, whole: int) -> int:
    """The share, or the whole where everything is asked for."""
    return whole if WHOLE else share
