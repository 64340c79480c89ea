"""`qkv show`: a card of the decks that are there, or of any file."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from quiz.cli import qkv

DECK = """\
deck: mine
title: Mine
cards:
  - {id: one, formerly: [first], question: Why one?, answer: So., follow_ups: [two, attention/causal-mask]}
  - {id: two, question: Why two?, answer: Then.}
"""
BROKEN = DECK + "  - {id: three, question: Why three?}\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(DECK, encoding="utf-8")
    return path


def show(*args: str, language: str = "en", code: int = 0) -> tuple[str, str]:
    done = CliRunner().invoke(qkv, ["show", *args, "--lang", language])
    assert code == done.exit_code, done.output
    return done.stdout, done.stderr


@pytest.mark.parametrize("name", ["one", "first", "mine/one"])
def test_a_card_of_a_file(file: Path, name: str) -> None:
    """It need not be installed; an earlier id leads to it, too."""
    printed, told = show(str(file), name)

    assert "Why one?" in printed
    assert "" == told


def test_links_are_questions_with_their_names(file: Path) -> None:
    """In the file, and in the decks that are there."""
    assert (
        "→ Why two?\n  mine/two\n→ Why does a decoder need a causal mask in training?\n  attention/causal-mask\n"
        in show(str(file), "one")[0]
    )


@pytest.mark.parametrize(
    ("args", "english", "chinese"),
    [
        (
            ("attention/causal-mas",),
            "There is no card attention/causal-mas. Did you mean attention/causal-mask?",
            "没有卡片 attention/causal-mas。是不是 attention/causal-mask？",
        ),
        (
            ("nothing-like-it",),
            "There is no card nothing-like-it. `qkv cards` lists them.",
            "没有卡片 nothing-like-it。`qkv cards` 列出所有卡片。",
        ),
        (
            ("attention", "causal-mas"),
            "There is no card causal-mas in attention. Did you mean causal-mask?",
            "attention 里没有卡片 causal-mas。是不是 causal-mask？",
        ),
        (("nofile", "one"), "There is no file nofile, and no deck of this name.", "没有文件 nofile，也没有这个名字的题库。"),
    ],
)
def test_an_unknown_card(args: tuple[str, ...], english: str, chinese: str) -> None:
    """A sentence with the nearest, in the reader's language, and exit 2."""
    assert (english, chinese) == (show(*args, code=2)[1].strip(), show(*args, language="zh", code=2)[1].strip())


def test_what_is_suggested_is_shown() -> None:
    """Whoever types the name that was suggested sees the card."""
    suggested = show("attention/causal-mas", code=2)[1].rpartition(" ")[2].strip("?\n")

    assert "Why does a decoder need a causal mask" in show(suggested)[0]


def test_an_unknown_card_of_a_file(file: Path) -> None:
    """Where none is near, what there is."""
    assert f"There is no card zzz in {file}. It has one, two.\n" == show(str(file), "zzz", code=2)[1]


def test_a_file_with_problems(file: Path) -> None:
    """A card that can be read is shown, and how many problems there are; one that cannot is said to be so."""
    file.write_text(BROKEN, encoding="utf-8")

    printed, told = show(str(file), "one")
    assert "Why one?" in printed
    assert "→ Why two?" in printed
    assert f"1 problem in {file}; `qkv check {file}` shows it.\n" == told
    assert f"The card three cannot be read; `qkv check {file}` says why." in show(str(file), "three", code=2)[1]
    assert f"卡片 three 无法读取；原因见 `qkv check {file}`。" in show(str(file), "three", language="zh", code=2)[1]


def test_a_file_that_is_no_deck(tmp_path: Path) -> None:
    """It is told as `qkv check` tells it."""
    path = tmp_path / "a.yaml"
    path.write_text("a: [", encoding="utf-8")

    assert "a.yaml:1:" in show(str(path), "one", code=2)[1]
    assert "there is no such file" in show(str(tmp_path / "b.yaml"), "one", code=2)[1]
    assert "b.yaml: 错误：没有这个文件或文件夹\n  提示：请检查拼写\n" in show(str(tmp_path / "b.yaml"), "one", language="zh", code=2)[1]


def test_a_file_alone_lists_its_cards(tmp_path: Path) -> None:
    """An id and a question a line; the file need not be installed."""
    path = tmp_path / "my.yaml"
    path.write_text("deck: d\ntitle: D\ncards: [{id: one, question: Why one?, answer: So.}, {id: two, question: Why two?, answer: So.}]\n")
    printed = CliRunner().invoke(qkv, ["show", str(path)]).output

    assert [["one", "one?"], ["two", "two?"]] == [[line.split()[0], line.split()[-1]] for line in printed.splitlines()]
