"""Reads address 0."""

import ctypes

from engine.assemble import Numbers

from ._declare import declare


def run() -> Numbers:
    return {"byte": len(ctypes.string_at(0))}


EXPERIMENT = declare(run, gives=("byte",))
