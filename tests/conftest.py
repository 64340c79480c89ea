"""Two options for `make quick`, which has half a minute: no test starts torch, and none begins when the time is over."""

from __future__ import annotations

import time

import pytest

from engine import Worker


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--no-engine", action="store_true", help="Skip the tests that start the engine's process.")
    parser.addoption("--until", type=float, default=None, help="Skip the tests that would begin after this time (of time.time).")


@pytest.fixture(autouse=True)
def _no_engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.config.getoption("--no-engine"):
        monkeypatch.setattr(Worker, "start", lambda worker: pytest.skip("it starts torch"))


def pytest_runtest_setup(item: pytest.Item) -> None:
    until = item.config.getoption("--until")
    if until is not None and time.time() > until:
        pytest.skip("the time is over")
