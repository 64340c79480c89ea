"""settings.toml on the disk."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from quiz.settings.document import Fault, Unreadable
from quiz.settings.file import settings_path, store, stored


@pytest.fixture
def file(own_data: Path) -> Path:
    own_data.mkdir()
    return own_data / "settings.toml"


def test_what_is_stored_is_there(own_data: Path) -> None:
    """In a new folder, for its owner alone; beside it nothing is left."""
    store("theme", "light")

    assert ({"theme": "light"}, ()) == stored()
    assert 0o600 == settings_path().stat().st_mode & 0o777
    assert [settings_path()] == list(own_data.iterdir())


def test_qkv_config_is_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """QKV_CONFIG says where; else the file lies with the data where QKV_DATA says."""
    monkeypatch.setenv("QKV_CONFIG", str(tmp_path / "c"))

    assert tmp_path / "c" / "settings.toml" == settings_path()


def test_another_window_is_heard(file: Path) -> None:
    """The file is read again when it was changed."""
    store("new", 3)
    first = stored()[0]
    file.write_text("new = 44\n")

    assert [{"new": 3}, {"new": 44}] == [first, stored()[0]]


@pytest.mark.parametrize(("data", "kind"), [(b"\xff\xfe", "toml"), (b"a" * (2**20 + 1), "file"), (b"new = [\n", "toml")])
def test_a_broken_file_is_told_and_never_written(file: Path, data: bytes, kind: str) -> None:
    """It may hold what a person wrote by hand."""
    file.write_bytes(data)
    found, (fault,) = stored()

    assert ({}, kind) == (found, fault.kind)
    with pytest.raises(Unreadable):
        store("new", 3)
    assert data == file.read_bytes()


def test_a_folder_is_no_file(file: Path) -> None:
    """What cannot be read is told, and what cannot be written raises OSError."""
    file.mkdir()

    assert Fault("file", value="is a directory") == stored()[1][0]
    with pytest.raises(OSError, match="directory"):
        store("new", 3)


def test_permissions_and_links_stay(file: Path, tmp_path: Path) -> None:
    """Who keeps the file elsewhere, or shows it to others, does so afterwards, too."""
    kept = tmp_path / "dotfiles.toml"
    kept.write_text("new = 1\n")
    os.chmod(kept, 0o644)
    file.symlink_to(kept)
    store("new", 2)

    assert (True, "new = 2\n", 0o644) == (file.is_symlink(), kept.read_text(), kept.stat().st_mode & 0o777)


def test_two_windows_at_once(file: Path) -> None:
    """Of two that change different settings in one moment both get theirs."""
    names = ("new", "reviews")

    def many(name: str) -> None:
        for value in range(1, 40):
            store(name, value)

    threads = [threading.Thread(target=many, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert {"new": 39, "reviews": 39} == stored()[0]
