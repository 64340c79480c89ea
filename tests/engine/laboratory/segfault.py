"""Reads address 0."""

import ctypes

from engine import Result

from ._bench import declare, measured


def run() -> Result:
    return measured(byte=len(ctypes.string_at(0)))


EXPERIMENT = declare(run)
