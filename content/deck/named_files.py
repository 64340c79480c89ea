"""What the paths lead to that a person names: files, each once, their bytes, or why there are none."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from content.deck.deck_files import decks_in
from content.format import SIZE_LIMIT
from content.messages.sentence import say
from content.regular_file import NotAFile, read_file
from content.yaml.problems import Problem

Unnamed = TypeVar("Unnamed")


def bytes_of(path: Path) -> bytes | Problem:
    """What is in a file, and a byte more than there may be where that is too much."""
    try:
        if path.is_dir():
            next(path.iterdir(), None)  # one that may not be looked into says so
        return read_file(path, SIZE_LIMIT + 1)
    except (NotAFile, IsADirectoryError):
        return _file_problem(path, say("this is not a file"), say("give a YAML file or a folder of them"))
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        return _unreadable(path, error)


def each_once(paths: Iterable[Path | Unnamed]) -> Iterator[Path | Unnamed | Problem]:
    """Each file once, however many paths lead to it; what is no path stays what it is."""
    seen: set[str] = set()
    for path in paths:
        if not isinstance(path, Path):
            yield path
            continue
        for file in _files(path):
            if isinstance(file, Problem):
                yield file
            elif (name := real(file)) not in seen:
                seen.add(name)
                yield file


def real(path: Path) -> str:
    """What tells a file from any other, whatever it is called."""
    return os.path.realpath(str(path).replace("\0", ""))


def _files(path: Path) -> Sequence[Path] | Sequence[Problem]:
    if not os.path.isdir(path):  # Path.is_dir() raises where the folder above may not be looked into
        return [path]
    try:
        files = decks_in(path)
    except OSError as error:
        return [_unreadable(path, error)]
    return files or [_file_problem(path, say("there is no deck in this folder"), say("a deck is a file that ends in .yaml"))]


def _unreadable(path: Path, error: OSError | ValueError) -> Problem:
    match error:
        case FileNotFoundError():
            return _file_problem(path, say("there is no such file or folder"), say("check the spelling"))
        case PermissionError():
            return _file_problem(path, say("you may not read this"), say("ask its owner, or change its permissions"))
        case OSError():
            return _file_problem(
                path,
                say("this cannot be read: {reason}", reason=(error.strerror or str(error)).lower()),
                say("check the disk, or copy the file"),
            )
    return _file_problem(path, say("this cannot be the name of a file"), say("check the spelling"))


def _file_problem(path: Path, message: str, hint: str) -> Problem:
    return Problem(str(path), 0, 0, message, hint)
