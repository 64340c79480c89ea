"""Which tests a module concerns."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.affected import concerned_tests, imported_by, module_name
from tests.quick import quick_tests


def test_the_mirror_comes_first() -> None:
    """The tests of a module's name, then the others that import it, in any way."""
    found = list(map(str, concerned_tests([Path("quiz/study/leeches.py")])))

    assert "tests/quiz/study/test_leeches.py" == found[0]
    assert "tests/quiz/progress/test_decisions.py" in found
    assert "tests/quiz/words/test_numbers.py" not in found


def test_a_module_that_no_test_names_has_the_tests_of_its_users(tmp_path: Path) -> None:
    """Through as many modules as it takes."""
    written = {"quiz/a.py": "", "quiz/b.py": "from quiz import a", "quiz/c.py": "import quiz.b", "tests/quiz/test_all.py": "import quiz.c"}
    for name, text in written.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")

    assert [Path("tests/quiz/test_all.py")] == concerned_tests([Path("quiz/a.py")], tmp_path)
    assert [] == concerned_tests([Path("quiz/nobody.py")], tmp_path)


@pytest.mark.parametrize(("path", "name"), [("quiz/study/queue.py", "quiz.study.queue"), ("engine/__init__.py", "engine")])
def test_a_module_has_its_name(path: str, name: str) -> None:
    """A package is named by its folder."""
    assert name == module_name(Path(path))


def test_imports_in_functions_count(tmp_path: Path) -> None:
    """`from a import b` may name a module or something in it."""
    (tmp_path / "m.py").write_text("import x.y\ndef f():\n    from a import b\n", encoding="utf-8")

    assert {"x.y", "a", "a.b"} == imported_by(tmp_path / "m.py")


def test_quick_starts_no_torch() -> None:
    """Where the engine did not change, no test is chosen that imports torch; and never one of the real program in a terminal."""
    quick = quick_tests([Path("content/deck/cards.py"), Path("quiz/tui/app.py"), Path("tests/terminal/test_program.py")])
    engine = quick_tests([Path("engine/textbook/softmax.py")])

    assert "tests/quiz/tui/test_app.py" in quick
    assert [] == [path for path in quick if path.startswith(("tests/engine", "tests/terminal"))]
    assert any(path.startswith("tests/engine/") for path in engine)
