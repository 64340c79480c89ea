"""The benchmarks run: what they measure is for people to read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks.__main__ import benchmarks

DEADLINE = 120.0  # seconds for a hundredth of a benchmark on a busy machine
ELSEWHERE = "start"  # tests/terminal/test_start.py runs it, and reads what it prints


@pytest.mark.parametrize("name", [name for name in benchmarks() if name != ELSEWHERE])
def test_a_benchmark_runs_to_its_end(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundredth of it prints what it measured: one that waited for a card that is no longer dealt once never ended."""
    monkeypatch.setenv("QKV_DATA", str(tmp_path))
    command = [sys.executable, "-m", f"tests.benchmarks.{name}", "0.01"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE, check=False)

    assert 0 == done.returncode, done.stderr
    assert "" != done.stdout
