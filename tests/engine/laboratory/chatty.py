"""Prints in every way there is, and reads from stdin."""

import os
import subprocess
import sys

from engine.assemble import Numbers

from ._declare import declare


def run() -> Numbers:
    print("from print", flush=True)
    print("from stderr", file=sys.stderr)
    os.write(1, b"from file descriptor 1\n")
    subprocess.run(["echo", "from a child"], check=True)
    return {"read": len(os.read(0, 10))}


EXPERIMENT = declare(run, gives=("read",))
