"""One engine for all; long tests first; a share of the slow cases; and two options for `make quick`, which has half a minute."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest

from engine import Worker
from tests.extent import WHOLE, a_share
from tests.quick import LONG

FIRST = (*LONG, "tests/quiz/tui/test_every_slider.py", "tests/quiz/terminal/test_streams.py")  # what waits for processes


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two for each processor: half of the time a test waits for a process or for a screen."""
    return 2 * (os.cpu_count() or 1)


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


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Long ones first, the others as they stand: at the end there is something left for every process to take.

    Of the cases of a slow test a share, unless all are asked for (`tests/extent.py`), or some by their name.
    """
    chosen = config.getoption("keyword") or any("::" in argument for argument in config.args)
    kept = items if WHOLE or chosen else [item for item, one in zip(items, a_share([item.nodeid for item in items]), strict=True) if one]
    if len(kept) < len(items):
        config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
    items[:] = sorted(kept, key=lambda item: not item.nodeid.startswith(FIRST))


def pytest_runtest_setup(item: pytest.Item) -> None:
    until = item.config.getoption("--until")
    if until is not None and time.time() > until:
        pytest.skip("the time is over")
