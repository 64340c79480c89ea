"""Which edits of changed lines no test sees: `python -m tests.mutants [--base REF] [FILE...]`, or `make mutants BASE=origin/main~1`.

In a copy of the tree it makes one edit at a time and runs the tests that concern the module, those that mirror it first. An edit that
leaves all of them green is a survivor: give the line a test, or delete it. Some survivors mean nothing (a limit one higher, a cache that is
not used); the exit code is 1 for any. With FILEs all their lines are edited, changed or not.

mutmut and cosmic-ray were considered. mutmut wraps functions, so that `s` would show another source, and leaves the constants of modules
alone, where half of our survivors were; cosmic-ray has one test command for all modules, which here takes minutes an edit.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import SimpleQueue

from tests.affected import PACKAGES, changed_files, concerned_tests, git
from tests.edits import Edit, edits

HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
PATIENCE = 10.0, 4.0  # seconds, and times of what the tests take without an edit: whoever takes longer hangs, which is seen


@dataclass(frozen=True)
class Mutant:
    """One edit of one module, whose source was this when the copies were made."""

    path: Path
    source: bytes
    edit: Edit

    def __str__(self) -> str:
        return f"{self.path}:{self.edit.line}: {self.edit}"


def changed_lines(path: Path, base: str) -> set[int]:
    """The lines of a file that a commit does not have."""
    if not git("ls-files", "--", str(path)):
        return set(range(1, path.read_bytes().count(b"\n") + 2))
    found = HUNK.findall(git("diff", "-U0", "-M", base, "--", "*.py").partition(f"\n+++ b/{path}\n")[2].partition("\ndiff --git ")[0])
    return {line for start, count in found for line in range(int(start), int(start) + int(count or 1))}


def all_mutants(base: str, files: Sequence[Path]) -> Iterator[Mutant]:
    """The edits of the lines that changed, or of whole files."""
    for path in files or [path for path in changed_files(base) if path.parts[0] in PACKAGES]:
        source, lines = path.read_bytes(), None if files else changed_lines(path, base)
        yield from (Mutant(path, source, edit) for edit in edits(source) if lines is None or edit.line in lines)


class Trees:
    """Copies of the work tree, one for each that works at a time; what was edited in one is put back."""

    def __init__(self, folder: Path, count: int) -> None:
        self.free: SimpleQueue[Path] = SimpleQueue()
        names = git("ls-files", "--cached", "--others", "--exclude-standard").splitlines()
        for number in range(count):
            for name in filter(lambda name: Path(name).is_file(), names):
                (folder / str(number) / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(name, folder / str(number) / name)
            self.free.put(folder / str(number))

    def passes(self, path: Path, source: bytes, seconds: float) -> bool:
        """Whether the tests that concern a module pass with another source; the quick ones first, that start no engine."""
        tree = self.free.get()
        kept = (tree / path).read_bytes()
        (tree / path).write_bytes(source)
        try:
            return all(_run(tree, [*options, *_tests(path)], seconds) for options in (["--no-engine"], []))
        finally:
            (tree / path).write_bytes(kept)
            self.free.put(tree)

    def seconds(self, path: Path) -> float:
        """How long a module's tests take as they are. Raises SystemExit where they fail without an edit, or are none."""
        began = time.monotonic()
        if not _tests(path):
            raise SystemExit(f"No test is about {path}: there is none of its name, and none imports it.")
        if not self.passes(path, path.read_bytes(), 600.0):
            raise SystemExit(f"The tests of {path} fail as they are: pytest {' '.join(_tests(path))}")
        return time.monotonic() - began


@cache
def _tests(path: Path) -> tuple[str, ...]:
    return tuple(map(str, concerned_tests([path])))


def _run(tree: Path, arguments: Sequence[str], seconds: float) -> bool:
    command = [sys.executable, "-B", "-m", "pytest", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", *arguments]
    try:
        return 0 == subprocess.run(command, cwd=tree, capture_output=True, timeout=seconds, check=False).returncode
    except subprocess.TimeoutExpired:
        return False


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description="Edits that no test sees.")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="Edit all lines of these modules.")
    parser.add_argument("--base", default="HEAD~1", metavar="REF", help="Edit the lines that changed since this commit; HEAD~1 without it.")
    parser.add_argument("--most", type=int, default=40, metavar="N", help="Try at most N edits, drawn by chance; 40 without it.")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="Another N draws others.")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="How many at a time; 2 without it.")
    asked = parser.parse_args(arguments)
    found = list(all_mutants(asked.base, asked.files))
    chosen = found if len(found) <= asked.most else random.Random(asked.seed).sample(found, asked.most)
    print(f"{len(found)} edits of {len({mutant.path for mutant in found})} modules, {len(chosen)} of them tried", flush=True)
    with tempfile.TemporaryDirectory(prefix="qkv-mutants-") as folder:
        trees = Trees(Path(folder), asked.jobs)
        limits = {path: _limit(trees, path) for path in sorted({mutant.path for mutant in chosen})}
        survivors = _survivors(trees, chosen, limits, asked.jobs)
    print(f"{len(chosen) - len(survivors)} of {len(chosen)} seen, {len(survivors)} survived", flush=True)
    return 1 if survivors else 0


def _limit(trees: Trees, path: Path) -> float:
    seconds = trees.seconds(path)
    print(f"{path}: {seconds:.0f} s in {len(_tests(path))} test files", flush=True)
    return PATIENCE[0] + PATIENCE[1] * seconds


def _survivors(trees: Trees, chosen: Sequence[Mutant], limits: Mapping[Path, float], jobs: int) -> list[Mutant]:
    """Tries them all, and prints each survivor as it is found."""

    def survives(mutant: Mutant) -> bool:
        return trees.passes(mutant.path, mutant.edit.applied(mutant.source), limits[mutant.path])

    survivors = []
    with ThreadPoolExecutor(jobs) as pool:
        tried = {pool.submit(survives, mutant): mutant for mutant in chosen}
        for done in as_completed(tried):
            if done.result():
                survivors.append(tried[done])
                print(f"survived: {tried[done]}", flush=True)
    return survivors


if __name__ == "__main__":
    sys.exit(main())
