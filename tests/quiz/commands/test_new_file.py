"""Files that commands make: new, whole, or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

import pytest

from quiz.commands.new_file import new_file


def write_beside(folder: Path, file: BinaryIO) -> None:
    file.write(b"mine")
    (folder / "new").write_bytes(b"theirs")


def write_half(file: BinaryIO) -> None:
    file.write(b"half")
    raise ValueError("stop")


def test_whole_and_alone(tmp_path: Path) -> None:
    """It has what was written, the permissions of any new file, and nothing lies beside it; until it is whole nobody sees it."""
    (tmp_path / "other").write_bytes(b"")
    with new_file(tmp_path / "new") as file:
        file.write(b"all of it")
        assert not (tmp_path / "new").exists()

    assert b"all of it" == (tmp_path / "new").read_bytes()
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "other").stat().st_mode
    assert ["new", "other"] == sorted(os.listdir(tmp_path))


@pytest.mark.parametrize("links", [True, False])
def test_what_appears_meanwhile_is_not_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool) -> None:
    """Whoever makes a file of that name while the figures are computed keeps it, also where a file cannot have two names."""
    if not links:
        monkeypatch.setattr(os, "link", lambda *_: (_ for _ in ()).throw(PermissionError()))
    with pytest.raises(FileExistsError), new_file(tmp_path / "new") as file:
        write_beside(tmp_path, file)

    assert b"theirs" == (tmp_path / "new").read_bytes()
    assert ["new"] == os.listdir(tmp_path)


def test_a_failure_leaves_nothing(tmp_path: Path) -> None:
    """Neither half a file nor a temporary one; nor an empty file where nothing was written."""
    with pytest.raises(ValueError, match="stop"), new_file(tmp_path / "new") as file:
        write_half(file)
    with new_file(tmp_path / "empty"):
        pass

    assert [] == os.listdir(tmp_path)


def test_a_link_to_nowhere_is_there(tmp_path: Path) -> None:
    """It is refused at once: who made it has something in mind."""
    (tmp_path / "new").symlink_to("nowhere")
    with pytest.raises(FileExistsError), new_file(tmp_path / "new"):
        raise AssertionError("not reached")
