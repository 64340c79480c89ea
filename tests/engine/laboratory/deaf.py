"""Native code that keeps the interpreter's lock: not even the listening thread runs."""

import ctypes

from engine.experiment import Steps

from ._declare import declare


def run() -> Steps:
    yield 0, {}
    ctypes.PyDLL(None).sleep(20)
    return {"finished": 1}


EXPERIMENT = declare(run, gives=("finished",), deadline=60)
