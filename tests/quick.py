"""What changed, checked in half a minute: `python -m tests.quick [BASE]`, or `make quick`. Everything else is for `make test`.

Ruff looks at the changed files. Then the tests that concern them, as many as there is time for, nearest first. The real program in a
terminal and the benchmarks are left out, and so is whatever starts torch, unless the engine itself changed.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from tests.affected import changed_files, concerned_tests, imported_by

SECONDS = 20  # after which no test begins; the last ones have the rest of the half minute
LONG = ("tests/terminal", "tests/test_benchmarks.py", "tests/test_mutants.py")


def base_of(arguments: list[str]) -> str:
    """The commit to compare with: the one asked for; the last one; the one before where nothing has changed since."""
    if arguments:
        return arguments[0]
    return "HEAD" if changed_files("HEAD") else "HEAD~1"


def quick_tests(changed: list[Path]) -> list[str]:
    """The test files to run."""
    found = [path for path in concerned_tests(changed) if not path.as_posix().startswith(LONG)]
    if not touches_engine(changed):
        found = [path for path in found if path.parts[1] != "engine" and "torch" not in imported_by(path)]
    return list(map(str, found))


def touches_engine(changed: list[Path]) -> bool:
    return any("engine" in path.parts[:2] for path in changed)


def main() -> int:
    until = time.time() + SECONDS
    changed = changed_files(base_of(sys.argv[1:]))
    if not changed:
        print("No Python file has changed.")
        return 0
    names, code = list(map(str, changed)), 0
    for command in (["format", "--check"], ["check"]):
        code |= subprocess.run([sys.executable, "-m", "ruff", *command, *names], check=False).returncode
    tests = quick_tests(changed)
    print(f"{len(changed)} changed, {len(tests)} test files: {' '.join(tests)}", flush=True)
    if tests:
        options = [f"--until={until}", *([] if touches_engine(changed) else ["--no-engine"]), "-n", "2", "-rs", "--maxfail=3"]
        code |= subprocess.run([sys.executable, "-m", "pytest", *options, *tests], check=False).returncode
    return code


if __name__ == "__main__":
    sys.exit(main())
