"""Pinned and used experiments, kept beside the progress."""

from __future__ import annotations

from pathlib import Path

import pytest

from quiz.card.lab_history import MOST, LabHistory, history_path, read_history, write_history


def test_the_last_one_comes_first() -> None:
    """Used again is used last, once; pinned again is not pinned any more; what is old is forgotten."""
    history = LabHistory().with_use("a").with_use("b").with_use("a").with_pin_turned("x").with_pin_turned("y").with_pin_turned("x")
    assert LabHistory(("y",), ("a", "b")) == history
    for number in range(2 * MOST):
        history = history.with_use(str(number))
    assert MOST == len(history.used)


def test_names_of_former_times() -> None:
    """What became part of another experiment is that one, once."""
    assert LabHistory(("new",), ("a", "new")) == LabHistory(("old",), ("a", "old", "new")).with_names({"old": "new"})


def test_it_is_there_at_the_next_start(own_data: Path) -> None:
    """In the learner's folder, made where there is none; nothing unfinished stays."""
    history = LabHistory(("bpe",), ("softmax", "lora"))
    write_history(history)
    assert history == read_history()
    assert [own_data / "experiments.json"] == list(own_data.iterdir()) == [history_path()]


@pytest.mark.parametrize("text", ["", "{", "[]", "7", '{"pinned": 3, "used": ["a", 1, "a", null]}', "[" * 60_000, "\0\xff"])
def test_whatever_is_in_the_file_is_no_trouble(own_data: Path, text: str) -> None:
    """A file that somebody else wrote holds at most names."""
    own_data.mkdir()
    history_path().write_text(text, encoding="utf-8")
    assert read_history() in (LabHistory(), LabHistory((), ("a",)))


def test_a_folder_that_cannot_be_written(own_data: Path) -> None:
    """Nothing is kept, and nobody is bothered."""
    own_data.parent.mkdir(exist_ok=True)
    own_data.write_text("a file", encoding="utf-8")
    write_history(LabHistory(("bpe",)))
    assert LabHistory() == read_history()
