"""Valid decks beside their files, so that a deck that has not changed is read without YAML and without a schema library.

An entry is found by what is in the deck's file and by the program that reads it, and is looked through when it is read: one that is
broken, foreign, too large or from another program is no entry. Nothing here ever fails; the worst is that a deck is read as usual.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from content.deck import plain_json
from content.format import FORMAT, SIZE_LIMIT
from content.regular_file import open_file, read_beside

if TYPE_CHECKING:
    from content.deck.cards import Deck

ENTRY_LIMIT = 2 * SIZE_LIMIT  # bytes; JSON is no larger than the YAML that it was
FOLDER_LIMIT = 8 * SIZE_LIMIT  # bytes of entries that are kept, the newest ones: every change of a deck makes another
_SUFFIX = ".json"


def entry_for(folder: Path, data: bytes) -> Path:
    """Where the entry of a file with these bytes is, or would be."""
    return folder / (sha256(_reader() + data).hexdigest() + _SUFFIX)


def recall(entry: Path, beside: Path) -> Deck | None:
    """The deck in an entry; None where there is none that can be used, or a file that it includes from the folder has changed."""
    try:
        parts, deck = _own_bytes(entry).decode("utf-8").split("\n", 1)
        found = plain_json.loads(deck)
        same = dict(json.loads(parts)) == {name: _digest(beside, name) for name in found.include}
    except (OSError, ValueError, TypeError, RecursionError, plain_json.Spoiled):
        return None
    return found if same else None


def remember(entry: Path, deck: Deck, parts: Mapping[str, str]) -> None:
    """Writes an entry, whole or not at all, where that can be done. `parts` are the deck's other files with their digests."""
    written = f"{json.dumps(parts)}\n{plain_json.dumps(deck)}"
    unfinished = entry.with_suffix(f".{os.getpid()}.partial")
    with contextlib.suppress(OSError):
        entry.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            unfinished.write_text(written, encoding="utf-8", newline="")
            unfinished.replace(entry)
        finally:
            unfinished.unlink(missing_ok=True)
        _forget_old(entry.parent)


@cache
def _reader() -> bytes:
    """What tells one reader of decks from another: the format, and the state of all modules of this package, which read them together."""
    root = Path(__file__).parents[1]
    states = [(str(file.relative_to(root)), file.stat()) for file in sorted([*root.glob("*.py"), *root.glob("*/*.py")])]
    return repr((FORMAT, [(name, state.st_size, state.st_mtime_ns) for name, state in states])).encode()


def _digest(beside: Path, name: str) -> str:
    """What tells a file of a deck from any other. Raises OSError."""
    return sha256(read_beside(beside, name, SIZE_LIMIT + 1)).hexdigest()


def _own_bytes(entry: Path) -> bytes:
    """A file's bytes, as many as an entry can have, if it is a file of this person's. Raises OSError."""
    with open_file(entry) as file:
        if hasattr(os, "getuid") and os.fstat(file.fileno()).st_uid != os.getuid():
            raise OSError("this is no entry")
        return file.read(ENTRY_LIMIT)  # of a larger one not the end, without which it is no entry


def _forget_old(folder: Path) -> None:
    """Removes the oldest entries as long as all together are too large."""
    room = FOLDER_LIMIT
    entries = [(state.st_mtime_ns, state.st_size, file) for file in folder.glob("*") if (state := file.stat())]
    for _, size, file in sorted(entries, reverse=True):
        room -= size
        if room < 0:
            file.unlink(missing_ok=True)
