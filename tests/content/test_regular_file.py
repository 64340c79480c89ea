"""Files that are named by others are files, or are not opened."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from content.regular_file import NotAFile, file_stamp, open_file, read_file
from tests.not_files import KINDS, in_time, put


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("folder", "loop")])
def test_what_is_no_file_is_refused_at_once(tmp_path: Path, kind: str) -> None:
    """A pipe is not waited for, a device and a socket are not opened, also at the end of a link."""
    with in_time(), pytest.raises(NotAFile, match="this is not a file"):
        read_file(put(kind, tmp_path / "named"), 10)


def test_folders_and_loops_are_said_as_the_system_says_them(tmp_path: Path) -> None:
    """A folder is one, and a link to itself leads nowhere."""
    with pytest.raises(IsADirectoryError):
        read_file(put("folder", tmp_path / "one"), 10)
    with pytest.raises(OSError, match="symbolic links"):
        read_file(put("loop", tmp_path / "two"), 10)


def test_a_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    """Also through a link; the handle is closed whatever happens."""
    (tmp_path / "file").write_bytes(b"0123456789")
    (tmp_path / "link").symlink_to("file")

    assert [b"01234", b"0123456789"] == [read_file(tmp_path / "link", limit) for limit in (5, 50)]
    with open_file(tmp_path / "file") as file:
        assert b"0" == file.read(1)


def test_no_handle_is_left_open(tmp_path: Path) -> None:
    """Refusing thousands of names must not use the process's handles up."""
    pipe = put("pipe", tmp_path / "pipe")
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    for _ in range(50):
        with pytest.raises(NotAFile):
            open_file(pipe)

    assert before == (len(os.listdir("/proc/self/fd")) if before else 0)


def test_a_save_changes_the_stamp(tmp_path: Path) -> None:
    """Also one of the same length, and one that puts another file in its place."""
    path, other = tmp_path / "a.yaml", tmp_path / "b.yaml"
    assert () == file_stamp(path)
    path.write_text("a", encoding="utf-8")
    first = file_stamp(path)
    other.write_text("b", encoding="utf-8")
    os.utime(other, ns=(first[0], first[0]))
    other.replace(path)

    assert first != file_stamp(path)
