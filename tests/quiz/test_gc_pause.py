"""The pause of the garbage collector."""

from __future__ import annotations

import gc

from quiz.gc_pause import gc_paused


def test_the_collector_is_left_as_it_was() -> None:
    """Paused within, on again afterwards, and off where it was off before."""
    with gc_paused():
        assert not gc.isenabled()
    assert gc.isenabled()
    gc.disable()
    try:
        with gc_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
