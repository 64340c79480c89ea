"""Which files are decks: by their names, wherever in a folder they are."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

BUNDLED = Path(__file__).parents[1] / "decks"
ORDER = (  # of the bundled decks, as one learns them
    "attention", "transformer", "positions", "normalization-and-activations", "bert",
    "tokenization", "decoding", "serving", "training", "alignment",
)  # fmt: skip
_SUFFIXES = (".yaml", ".yml")
_LEADS_ELSEWHERE = re.compile(r"[/\\:\x00-\x1f]")  # into or out of a folder, to a drive or a stream of a file


def bundled() -> tuple[Path, ...]:
    """The decks that come with the program, in the order in which one learns them; one that has no place in it comes at the end."""
    place = {name: number for number, name in enumerate(ORDER)}
    return tuple(sorted(BUNDLED.glob("*.yaml"), key=lambda path: (place.get(path.stem, len(ORDER)), path.stem)))


def decks_in(folder: Path) -> tuple[Path, ...]:
    """The files of a folder that are decks by their name, sorted, then those of the folders in it. What is hidden is left out.

    Raises OSError; a folder in it that cannot be read stands among the files, and reading it says what is wrong.
    """
    return tuple(_walked(folder, set()))


def is_file_name(name: str) -> bool:
    """Whether a deck may include a file of this name: one beside it that could be a deck, and nothing that leads elsewhere."""
    return name.lower().endswith(_SUFFIXES) and not name.startswith(".") and not _LEADS_ELSEWHERE.search(name) and len(name) <= 200


def _walked(folder: Path, above: set[str]) -> Iterator[Path]:
    """`above` are the folders that lead here: a link back to one of them is not followed."""
    here = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    folders = [path for path in here if os.path.isdir(path)]
    yield from (path for path in here if path.suffix.lower() in _SUFFIXES and path not in folders)
    above = above | {os.path.realpath(folder)}
    for inner in folders:
        if os.path.realpath(inner) in above:
            continue
        try:
            yield from _walked(inner, above)
        except OSError:
            yield inner
