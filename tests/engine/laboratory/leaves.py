"""Ends its process, with a last word on stderr."""

import os
import sys

from engine.assemble import Numbers

from ._declare import declare


def run() -> Numbers:
    print("\033[31mout of paper\033[0m", file=sys.stderr)
    os._exit(3)


EXPERIMENT = declare(run)
