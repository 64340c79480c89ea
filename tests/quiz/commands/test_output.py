"""What commands print with: nothing on its way out is obeyed by a terminal, and JSON stays JSON."""

from __future__ import annotations

import ast
import io
import json
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.table import Table
from rich.text import Text

from content.yaml.clean import unclean
from quiz.commands.output import fail, json_for, print_json, tell
from quiz.commands.printer import Printer

QUIZ = Path(__file__).parents[3] / "quiz"
EVIL = "\x1b]0;owned\x07\u202eevil\x9b31m\u200b\udcff a" + "\u0301" * 100
DOORS = {"commands/output.py", "commands/printer.py", "terminal/streams.py", "cli/__init__.py", "cli/screens.py", "tui/driver.py"}


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.text() | st.text(st.sampled_from("a\u0301\u0489")))
    | st.dictionaries(st.text(), st.lists(st.text(), max_size=2), max_size=2)
)
def test_json_says_the_same_in_every_encoding(data: object) -> None:
    """Whatever is in the data, the JSON is read as that data, and holds nothing that a terminal would obey."""
    text = json.dumps(data, ensure_ascii=False, indent=1)

    for encoding in ("utf-8", "gbk", "ascii"):
        printed = json_for(text, encoding)
        assert data == json.loads(printed)
        assert [] == unclean(printed)
    assert json_for(text, "gbk").isascii()


def test_json_keeps_its_letters_in_utf8() -> None:
    """A person can read it where that can be."""
    assert '["注意力", "\\u009b", "\\udcff", "\\udb40\\udc41"]' == json_for(
        json.dumps(["注意力", "\x9b", "\udcff", "\U000e0041"], ensure_ascii=False), "UTF-8"
    )


def test_sentences_are_clean(capsys: pytest.CaptureFixture[str]) -> None:
    """On stdout and on stderr."""
    tell(EVIL)
    fail(EVIL, 0)
    print_json([EVIL])
    told = capsys.readouterr()

    assert [] == unclean(told.out.splitlines()[0] + told.err)
    assert [EVIL] == json.loads(told.out.splitlines()[1])


def test_figures_and_texts_are_clean() -> None:
    """Whatever rich is given: texts, strings with or without markup, tables."""
    printer = Printer(width=200)
    printer.file = io.StringIO()
    table = Table(EVIL)
    table.add_row(Text(EVIL))
    printer.print(Text(EVIL), EVIL, table)
    printer.print(EVIL, markup=False, soft_wrap=True)
    printer.out(EVIL)

    assert [] == unclean(printer.file.getvalue())


def test_a_picture_is_clean() -> None:
    """So is an SVG, which XML would not be with a control character in it."""
    printer = Printer(record=True, width=100)
    printer.file = io.StringIO()
    printer.print(EVIL)

    assert [] == unclean(printer.export_svg(title="x").replace("\u00ad", ""))


def test_there_is_one_door() -> None:
    """No other module prints, makes a console, or touches the standard streams but to ask whether they are a terminal."""
    found = {}
    for path in sorted(QUIZ.rglob("*.py")):
        name = path.relative_to(QUIZ).as_posix()
        if name not in DOORS and (doors := sorted(_doors(ast.parse(path.read_text(encoding="utf-8"))))):
            found[name] = doors

    assert {} == found


def _doors(tree: ast.AST) -> set[str]:
    asked = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr in ("isatty", "encoding")}
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("print", "Console", "click.echo", "input", "open_code"):
            found.add(ast.unparse(node.func))
        if isinstance(node, ast.Attribute) and ast.unparse(node) in ("sys.stdin", "sys.stdout", "sys.stderr") and id(node) not in asked:
            found.add(ast.unparse(node))
    return found


def test_the_encoding_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe that is not UTF-8 gets JSON in ASCII."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="gbk")
    monkeypatch.setattr(sys, "stdout", stream)
    print_json({"注": "✔"})
    stream.flush()

    assert b'{"\\u6ce8": "\\u2714"}\n' == stream.buffer.getvalue()
