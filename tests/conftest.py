"""Two options for `make quick`, which has half a minute: no test starts torch, and none begins when the time is over."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from engine import Worker


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--no-engine", action="store_true", help="Skip the tests that start the engine's process.")
    parser.addoption("--until", type=float, default=None, help="Skip the tests that would begin after this time (of time.time).")


@pytest.fixture(scope="session", autouse=True)
def _no_engine(request: pytest.FixtureRequest) -> Iterator[None]:
    """Before any other fixture, also one that is shared by many tests."""
    with pytest.MonkeyPatch.context() as patch:
        if request.config.getoption("--no-engine"):
            patch.setattr(Worker, "start", lambda worker: pytest.skip("it starts torch"))
        yield


@pytest.fixture(scope="session")
def worker(_no_engine: None) -> Iterator[Worker]:
    """An engine for all tests that only let it compute: torch takes seconds to start. Who kills or starves one makes one of their own."""
    shared = Worker()
    shared.start()
    yield shared
    shared.close()


def pytest_runtest_setup(item: pytest.Item) -> None:
    until = item.config.getoption("--until")
    if until is not None and time.time() > until:
        pytest.skip("the time is over")
