"""The only way in which a file is read that a person, a folder or a deck names: a file, and no more of it than it can have.

A pipe is waited for, a device may never end or do something when it is opened, a socket is none: they are refused without being opened.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

_QUICKLY = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)

Stamp = tuple[int, ...]


class NotAFile(OSError):
    """There is something under the name, and it is not a file."""

    def __init__(self, path: str | Path) -> None:
        super().__init__(errno.EINVAL, "this is not a file", str(path))


def require_file(mode: int, path: str | Path) -> None:
    """Raises IsADirectoryError, or NotAFile, unless a file's mode is that of a regular one."""
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise NotAFile(path)


def open_file(path: str | Path) -> BinaryIO:
    """A file, open for reading. Raises OSError, and ValueError for what cannot be a name."""
    require_file(os.stat(path).st_mode, path)
    opened = os.open(path, _QUICKLY)  # at once, whatever has taken the file's place meanwhile
    try:
        require_file(os.fstat(opened).st_mode, path)
        return os.fdopen(opened, "rb")
    except BaseException:
        os.close(opened)
        raise


def read_file(path: str | Path, limit: int) -> bytes:
    """At most `limit` bytes of a file. Raises OSError and ValueError."""
    with open_file(path) as file:
        return file.read(limit) or b""  # None of a file of the system that has nothing to say yet


def file_stamp(path: Path) -> Stamp:
    """What changes when a file is saved, whether it is written in place or put in its place; empty where there is none.

    The first number is when it was saved, in nanoseconds.
    """
    try:
        status = path.stat()
    except (OSError, ValueError):
        return ()
    return status.st_mtime_ns, status.st_size, status.st_ino


def file_stamps(paths: Iterable[Path]) -> tuple[Stamp, ...]:
    """The same of several files: one that comes or goes changes it too."""
    return tuple(map(file_stamp, paths))


def read_beside(folder: Path, name: str, limit: int) -> bytes:
    """At most `limit` bytes of the file that lies in a folder under a name, itself and not a link to it. Raises OSError."""
    path = folder / name
    state = os.lstat(path)
    require_file(state.st_mode, path)  # a link is no regular file
    with open_file(path) as file:
        now = os.fstat(file.fileno())
        if (now.st_dev, now.st_ino) != (state.st_dev, state.st_ino):  # something took its place meanwhile
            raise NotAFile(path)
        return file.read(limit) or b""
