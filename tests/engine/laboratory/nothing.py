"""Forgets to return."""

from typing import Any

from ._declare import declare


def run() -> Any:
    return None


EXPERIMENT = declare(run)
