"""Keys typed with a Chinese or Japanese input method in its full-width mode: ？ is the key ?, ３ the key 3."""

from __future__ import annotations

from textual.keys import _character_to_key

from quiz.words.half_width import HALVES

_KEYS = {_character_to_key(chr(wide)): _character_to_key(chr(narrow)) for wide, narrow in HALVES.items()}


def half_width_key(key: str) -> str:
    """The name of the key that a key stands for; of any other its own."""
    return _KEYS.get(key, key)
