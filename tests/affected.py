"""Which tests a changed module concerns: the one that mirrors it, then those that import it, or a module that does."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

PACKAGES = ("quiz", "content", "engine")
HERE = Path()


def git(*arguments: str, root: Path = HERE) -> str:
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True).stdout


def changed_files(base: str, root: Path = HERE) -> list[Path]:
    """The Python files that differ from a commit, and those that git does not know yet; deleted ones are not among them."""
    tracked = git("diff", "--name-only", "--diff-filter=d", base, "--", "*.py", root=root)
    new = git("ls-files", "--others", "--exclude-standard", "--", "*.py", root=root)
    return [Path(name) for name in sorted({*tracked.splitlines(), *new.splitlines()})]


def module_name(path: Path) -> str:
    """quiz/study/queue.py is quiz.study.queue, and a package's __init__.py the package."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_by(path: Path) -> set[str]:
    """The names that a file imports, `from a import b` as a and as a.b: which of them is a module does not matter here."""
    return set(_imported(ast.parse(path.read_bytes())))


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def mirror(path: Path) -> Path:
    """Where the tests of a module are: tests/quiz/study/test_queue.py for quiz/study/queue.py."""
    return Path("tests", *path.parts[:-1], f"test_{path.name}")


def concerned_tests(paths: Iterable[Path], root: Path = HERE) -> list[Path]:
    """The test files that concern some modules, those that mirror one first. A changed test file concerns itself.

    Where no test imports any of them, it is those that concern the modules that do.
    """
    paths = list(paths)
    every = {path: imported_by(root / path) for path in sorted(_below(root, "tests")) if path.name.startswith("test_")}
    near = [path for path in every if path in paths or path in map(mirror, paths)]
    seen: set[Path] = set()
    while paths:
        modules = set(map(module_name, paths))
        importing = [path for path, names in every.items() if path not in near and modules & names]
        if near or importing:
            return [*near, *importing]
        seen |= set(paths)
        paths = [path for package in PACKAGES for path in _below(root, package) if path not in seen and modules & imported_by(root / path)]
    return []


def _below(root: Path, folder: str) -> Iterator[Path]:
    return (path.relative_to(root) for path in (root / folder).rglob("*.py"))
