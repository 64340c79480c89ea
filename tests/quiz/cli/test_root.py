"""Options that stand before the command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from content.deck.learning_paths import ORDER
from quiz.cli import qkv

SPEAK = [name for name, command in qkv.commands.items() if any(option.name == "language" for option in command.params)]


def language(name: str, before: list[str], after: list[str]) -> object:
    """In which language a command would speak; what it needs beside is left out."""
    root = qkv.make_context("qkv", [*before, name])
    return qkv.commands[name].make_context(name, after, parent=root, resilient_parsing=True).params["language"]


@pytest.mark.parametrize("name", SPEAK)
def test_the_language_may_stand_before_any_command(name: str) -> None:
    """`qkv --lang zh quiz` is `qkv quiz --lang zh`; what stands with the command itself counts; without either nothing is said."""
    assert ["zh", "zh", "en", None] == [
        language(name, ["--lang", "zh"], []),
        language(name, [], ["--lang", "zh"]),
        language(name, ["--lang", "zh"], ["--lang", "en"]),
        language(name, [], []),
    ]


def test_it_is_heard() -> None:
    """A command that prints a sentence prints it in that language."""
    assert "主题" in CliRunner().invoke(qkv, ["--lang", "zh", "settings"]).output


def test_a_path_that_is_none() -> None:
    """The error lists those that there are, in the language that was asked for; it is a mistake of use."""
    told = [CliRunner().invoke(qkv, [*before, name, "--path", "first"]) for before in ([], ["--lang", "zh"]) for name in ("quiz", "cards")]

    assert [2, 2, 2, 2] == [one.exit_code for one in told]
    assert all("last-night" in one.output and "infrastructure" in one.output for one in told)
    assert ["There is no path first" in one.output for one in told] == ["没有学习路径 first" not in one.output for one in told]


@pytest.mark.parametrize(("begun", "expected"), [("", [*ORDER]), ("l", ["last-night", "llm-engineer"]), ("x", [])])
def test_paths_are_completed(begun: str, expected: list[str]) -> None:
    """With the names that there are, each with its title; the help of the option names them all."""
    (option,) = [one for one in qkv.commands["quiz"].params if one.name == "path"]
    found = option.shell_complete(qkv.make_context("qkv", ["quiz"], resilient_parsing=True), begun)

    assert expected == [one.value for one in found]
    assert all(one.help for one in found)
    assert all(name in str(option.to_info_dict()["help"]) for name in ORDER)


def test_ascii_is_for_one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """--ascii counts for whatever the command draws, and is forgotten afterwards."""
    monkeypatch.delenv("QKV_ASCII", raising=False)
    drawn = CliRunner().invoke(qkv, ["--ascii", "lab", "softmax_saturation"]).output

    assert (True, False) == (drawn.isascii(), "QKV_ASCII" in os.environ)
    assert not CliRunner().invoke(qkv, ["lab", "softmax_saturation"]).output.isascii()


def test_every_command_speaks() -> None:
    """There is none that --lang says nothing to."""
    assert sorted(qkv.commands) == sorted(SPEAK)


@pytest.mark.parametrize(("language", "told"), [("en", "The screens need a terminal."), ("zh", "界面需要终端。")])
def test_without_a_terminal_it_says_so_in_the_person_s_language(tmp_path: Path, language: str, told: str) -> None:
    """One sentence and the exit code of a wrong command; nothing calls the program by another name than its own."""
    deck = tmp_path / "a.yaml"
    deck.write_text("deck: a\ntitle: A\ncards: []\n", encoding="utf-8")
    refused = subprocess.run(
        [sys.executable, "-m", "quiz", "preview", str(deck), "--lang", language], input="", capture_output=True, text=True, check=False
    )
    usage = subprocess.run([sys.executable, "-m", "quiz", "show"], input="", capture_output=True, text=True, check=False)

    assert (2, True) == (refused.returncode, refused.stderr.startswith(told))
    assert usage.stderr.startswith("Usage: qkv show ")
