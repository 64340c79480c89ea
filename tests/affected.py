"""Which tests a changed module concerns: the one that mirrors it, then those that import it."""

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
    """The test files that concern some modules, those that mirror one first. A changed test file concerns itself."""
    paths = list(paths)
    modules = {module_name(path) for path in paths}
    every = sorted(path.relative_to(root) for path in (root / "tests").rglob("test_*.py"))
    near = {path for path in every if path in paths or path in map(mirror, paths)}
    importing = [path for path in every if path not in near and modules & imported_by(root / path)]
    return [*sorted(near), *importing]
