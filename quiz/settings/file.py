"""The file settings.toml: where it is, what is in it, and how it is written so that a power cut or another window leaves it whole."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from content.regular_file import Stamp, file_stamp, read_file
from quiz.settings.document import KEYS, Fault, change, read
from quiz.settings.options import Value

LONGEST = 2**20  # bytes
FOLDER_OWNER_ONLY = 0o700


def settings_path() -> Path:
    """In the folder QKV_CONFIG; else in QKV_DATA, so that everything of such a run is in one folder; else where this system keeps them."""
    folder = os.path.expanduser(os.environ.get("QKV_CONFIG") or os.environ.get("QKV_DATA", ""))
    if not folder:
        import platformdirs

        folder = platformdirs.user_config_dir("qkv", appauthor=False)
    return Path(folder) / "settings.toml"


def stored() -> tuple[dict[str, Any], tuple[Fault, ...]]:
    """What the file sets by now, and what is wrong with it; it is read again when it was changed."""
    path = settings_path()
    return _stored(path, file_stamp(path))


@lru_cache(maxsize=4)
def _stored(path: Path, stamp: Stamp) -> tuple[dict[str, Any], tuple[Fault, ...]]:
    if not stamp:
        return {}, ()
    try:
        data = read_file(path, LONGEST + 1)
    except (OSError, ValueError) as error:
        return {}, (Fault("file", value=(getattr(error, "strerror", None) or str(error)).lower()),)
    if len(data) > LONGEST:
        return {}, (Fault("file", value=f"more than {LONGEST} bytes"),)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return {}, (Fault("toml", data.count(b"\n", 0, error.start) + 1, value="not UTF-8"),)
    found, faults = read(text.replace("\r\n", "\n"))
    return found, tuple(faults)


def store(name: str, value: Value, *, binding: bool = False) -> None:
    """Writes one setting, or the keys of a binding; None takes it out. It is on the disk on return.

    Raises OSError, and Unreadable for a file that cannot be changed without losing something in it.
    """
    path = Path(os.path.realpath(settings_path()))
    path.parent.mkdir(mode=FOLDER_OWNER_ONLY, parents=True, exist_ok=True)
    with _alone(path.parent):
        try:
            text = read_file(path, LONGEST).decode("utf-8-sig")
        except FileNotFoundError:
            text = ""
        except UnicodeDecodeError:
            text = "\0"  # no TOML: told like any other
        changed = change(text, name, value, table=KEYS if binding else "")
        if changed != text:
            _replace(path, changed.encode())


def _replace(path: Path, data: bytes) -> None:
    """Another file in the place of one, with its permissions; a new one is for its owner alone."""
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=".settings-")
    try:
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            shutil.copymode(path, beside)
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise
    with suppress(OSError):  # Windows opens no folders
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Two windows that change different settings in one moment both get theirs. Where folders have no locks, the later one does."""
    try:
        import fcntl

        held = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):
        yield
        return
    try:
        with suppress(OSError):
            fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)
