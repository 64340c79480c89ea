"""Forgets to return."""

from typing import Any

from ._bench import declare


def run() -> Any:
    return None


EXPERIMENT = declare(run)
