"""Every benchmark, one after the other, each in a process of its own: `python -m tests.benchmarks [SHARE]`, or `make bench`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def benchmarks() -> list[str]:
    """The modules of this folder that measure something."""
    return sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))


def main() -> int:
    failed = []
    for name in benchmarks():
        print(f"--- {name}", flush=True)
        if subprocess.run([sys.executable, "-m", f"tests.benchmarks.{name}", *sys.argv[1:]], check=False).returncode:
            failed.append(name)
    if failed:
        print(f"These ended with an error: {', '.join(failed)}.", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
