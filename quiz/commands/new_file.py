"""A file that was not there: it is made at once or refused, and nobody sees it before it is whole."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


@contextmanager
def new_file(path: str | Path) -> Iterator[BinaryIO]:
    """Bytes that become a file when all of them are written, and nothing where that fails or there are none.

    Raises OSError and ValueError before anything else is done where it could not be made, FileExistsError also for a link to nowhere.
    """
    _require_free(path)
    folder, name = os.path.split(os.path.abspath(path))
    beside = os.path.join(folder, f".{name[:200]}.{os.getpid()}.partial")
    handle = os.open(beside, _NEW, 0o666)
    try:
        with open(handle, "wb") as file:
            yield file
        if os.path.getsize(beside):
            _give_name(beside, path)
    finally:
        with suppress(OSError):
            os.unlink(beside)


def _require_free(path: str | Path) -> None:
    try:
        os.lstat(path)
    except FileNotFoundError:
        return
    raise FileExistsError(f"{path} exists")


def _give_name(beside: str, path: str | Path) -> None:
    """A second name for the file; where a file system has none of these, it is renamed: a name taken in between is seen all the same."""
    try:
        os.link(beside, path)
    except FileExistsError:
        raise
    except OSError:
        _require_free(path)
        os.rename(beside, path)
