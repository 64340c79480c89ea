"""Workers over the experiments of the laboratory, which are slow, crash, print, hang and lie."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import Worker
from tests.engine.worker.waiting import HERE


@pytest.fixture(scope="module", autouse=True)
def _laboratory() -> Iterator[None]:
    sys.path.insert(0, str(HERE))
    yield
    sys.path.remove(str(HERE))


@pytest.fixture(scope="module")
def worker(_laboratory: None) -> Iterator[Worker]:
    """With the real torch, and shared, because it takes seconds to warm up."""
    with Worker("laboratory") as worker:
        yield worker


@pytest.fixture
def unstarted(_laboratory: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Worker]:
    """Its process will find a torch that is nothing, so that it starts, and starts again, in a moment."""
    (tmp_path / "torch.py").write_text("import sys, unittest.mock\nsys.modules['torch'] = unittest.mock.MagicMock()")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    worker = Worker("laboratory")
    yield worker
    worker.close()


@pytest.fixture
def light(unstarted: Worker) -> Worker:
    """Without torch, and of one's own: a test may kill it."""
    unstarted.start()
    return unstarted
