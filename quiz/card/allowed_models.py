"""Which pretrained models decks may use: only in a folder inside the deck's own, and only one that the person has allowed.

What is allowed is a model, not a name: its files are remembered by their content, and others under the same name are asked about anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from functools import lru_cache
from pathlib import Path

from content.regular_file import NotAFile, open_file, read_file
from content.yaml.clean import clean
from engine.label import ParameterError
from engine.model_files import LARGEST
from quiz.progress.paths import default_path

LONGEST = 2**20  # bytes of the list
_CHUNK = 2**20
_ABROAD = re.compile(r"[~/\\]|.*:")  # a home, the root, another computer, a drive

Stamp = tuple[tuple[str, int, int, int, int], ...]


def allowed_list_path() -> Path:
    """Where what was allowed is kept: folders with the fingerprints of their models, as JSON."""
    return default_path().parent / "allowed-models.json"


def allowed_models() -> dict[str, str]:
    """Folders with the fingerprints of the models that were allowed there; none where the list cannot be read."""
    try:
        found = json.loads(read_file(allowed_list_path(), LONGEST))
    except (OSError, ValueError, RecursionError):
        return {}
    return {str(folder): str(print) for folder, print in found.items()} if isinstance(found, dict) else {}


def fingerprint(folder: Path) -> str:
    """What tells a model from any other: a hash of its files. Raises OSError, also for links, pipes and files that are too large."""
    return _fingerprint(folder, _stamp(folder))


def model_of_deck(named: str, beside: Path | None) -> str:
    """The folder of the model that a deck names, where `beside` is the folder of the deck's file; empty for an empty name.

    Nothing outside the deck's folder is so much as looked at. Raises ParameterError.
    """
    if not named.strip():
        return ""
    parts = re.split(r"[/\\]", named.strip())
    if beside is None or _ABROAD.match(named.strip()) or ".." in parts or "\0" in named:
        raise _outside(named)
    folder = Path(os.path.realpath(beside), *parts)
    if folder == Path(os.path.realpath(beside)) or _has_link(folder, len(parts)):
        raise _outside(named)
    print = allowed_models().get(os.path.normcase(folder))
    if print is None:
        raise _not_allowed(folder)
    try:
        same = fingerprint(folder) == print
    except OSError:
        same = False
    if not same:
        raise _changed(folder)
    return str(folder)


def _has_link(folder: Path, depth: int) -> bool:
    """Whether one of the last folders is a link, which may lead anywhere."""
    return any(place.is_symlink() for place in (folder, *folder.parents)[:depth])


def _stamp(folder: Path) -> Stamp:
    """What changes whenever a file of the model does. A file that is not there is none of it."""
    found = []
    for name, largest in LARGEST.items():
        try:
            state = os.lstat(folder / name)
        except FileNotFoundError:
            continue
        if not stat.S_ISREG(state.st_mode) or state.st_size > largest:
            raise NotAFile(folder / name)
        found.append((name, state.st_size, state.st_ino, state.st_mtime_ns, state.st_ctime_ns))
    if not found:
        raise FileNotFoundError(2, "no model", str(folder))
    return tuple(found)


@lru_cache(maxsize=8)
def _fingerprint(folder: Path, stamp: Stamp) -> str:
    whole = hashlib.sha256()
    for name, size, *_ in stamp:
        whole.update(f"{name} {size}\n".encode())
        with open_file(folder / name) as file:
            while chunk := file.read(_CHUNK):
                whole.update(chunk)
    return whole.hexdigest()


def _outside(named: str) -> ParameterError:
    named = clean(named)[:80]
    return ParameterError(
        f"The deck names {named} as its model. A deck may only use a model in a folder inside its own, not through links. "
        "Nothing was opened.",
        f"这个题库把 {named} 当作它的模型。题库只能使用自己所在文件夹里面的模型文件夹，不能经过链接；什么都没有打开。",
    )


def _not_allowed(folder: Path) -> ParameterError:
    return ParameterError(
        f"The deck wants to use the model in {folder}, which nobody has allowed; nothing was opened. If you trust it: qkv trust {folder}",
        f"这个题库想使用 {folder} 里的模型，但还没有得到你的允许；什么都没有打开。如果你信任它：qkv trust {folder}",
    )


def _changed(folder: Path) -> ParameterError:
    return ParameterError(
        f"The model in {folder} is not the one that was allowed: its files have changed. If you trust it: qkv trust {folder}",
        f"{folder} 里的模型已不是当初允许的那一个：文件变了。如果你信任它：qkv trust {folder}",
    )
