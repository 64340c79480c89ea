"""A folder of their own for tests that write decks."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The test runs in it, beside a folder without decks."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    return tmp_path
