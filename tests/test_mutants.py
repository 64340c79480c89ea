"""Edits that no test sees are found, in a copy of the tree."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.affected import git
from tests.mutants import changed_lines, main

MODULE = """\
def larger(a, b):
    return a if a > b else b


def half(a):
    return a / 2
"""
TESTS = """\
from quiz.sizes import half, larger

def test_larger():
    assert 3 == larger(2, 3) == larger(3, 2)

def test_half():
    half(3)
"""
CONFTEST = 'def pytest_addoption(parser):\n    parser.addoption("--no-engine", action="store_true")\n'


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A work tree with a module and its tests, committed."""
    for name, text in {"quiz/sizes.py": MODULE, "tests/quiz/test_sizes.py": TESTS, "tests/conftest.py": CONFTEST}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    git("init", "-q")
    git("add", ".")
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first"], check=True)
    return tmp_path


def test_an_edit_that_no_test_sees_is_a_survivor(tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Where nothing is asserted, every edit survives, and is said with its place; the exit code says so, and the tree is as it was."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # half of the time of each of its dozen pytests
    assert 1 == main(["quiz/sizes.py", "--jobs", "1"])
    told = sorted(capsys.readouterr().out.splitlines())

    assert [line for line in told if line.startswith("survived")] == [
        "survived: quiz/sizes.py:2: >  ->  >=",
        "survived: quiz/sizes.py:6: /  ->  *",
        "survived: quiz/sizes.py:6: 2  ->  3",
        "survived: quiz/sizes.py:6: a / 2  ->  None",
    ]
    assert MODULE == (tree / "quiz/sizes.py").read_text(encoding="utf-8")


def test_only_changed_lines_are_edited(tree: Path) -> None:
    """The lines that differ from a commit; all of a file that git does not know yet."""
    (tree / "quiz/sizes.py").write_text(MODULE.replace("a > b", "a >= b") + "\n\nLIMIT = 3\n", encoding="utf-8")
    (tree / "quiz/new.py").write_text("A = 1\nB = 2\n", encoding="utf-8")

    assert {2, 7, 8, 9} == changed_lines(Path("quiz/sizes.py"), "HEAD")
    assert {1, 2} <= changed_lines(Path("quiz/new.py"), "HEAD")
