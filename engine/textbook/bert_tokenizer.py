"""BERT's tokenizer: clean and cut a text into words, then each word into the longest pieces that the vocabulary holds, from the left."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

UNKNOWN, FIRST, LAST, MASK, PADDING = "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[PAD]"
SPECIAL = (UNKNOWN, FIRST, LAST, MASK, PADDING)
LONGEST_WORD = 100  # characters; a longer word is unknown as a whole
# Where Chinese characters stand in Unicode; each of them is a word. (Kana and Hangul are written with other characters.)
IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


def is_ideograph(character: str) -> bool:
    return any(low <= ord(character) <= high for low, high in IDEOGRAPHS)


def is_punctuation(character: str) -> bool:
    """Unicode's punctuation, and every ASCII sign that is neither letter nor digit: $, +, ^ too."""
    return unicodedata.category(character).startswith("P") or (character.isascii() and character.isprintable() and not character.isalnum())


def is_dropped(character: str) -> bool:
    """Control and format characters, and the sign for text that could not be decoded."""
    return character == "\ufffd" or (character not in "\t\n\r" and unicodedata.category(character) in ("Cc", "Cf"))


def without_accents(text: str) -> str:
    """é -> e: taken apart, the marks left out."""
    return "".join(each for each in unicodedata.normalize("NFD", text) if unicodedata.category(each) != "Mn")


def words_of(text: str, lower: bool = True) -> list[str]:
    """The words, Chinese characters and punctuation signs of a text; special tokens such as [MASK] stay whole."""
    return [word for part in _around_special(text) for word in ([part] if part in SPECIAL else _cut(part, lower))]


def _around_special(text: str) -> Iterator[str]:
    places = [(text.find(token), token) for token in SPECIAL if token in text]
    if not places:
        yield text
        return
    place, token = min(places)
    yield text[:place]
    yield token
    yield from _around_special(text[place + len(token) :])


def normalized(text: str, lower: bool = True) -> str:
    """Without characters that nobody sees; for an uncased vocabulary in lower case, without accents."""
    text = "".join(each for each in text if not is_dropped(each))
    return without_accents(text).lower() if lower else text


def _cut(text: str, lower: bool) -> list[str]:
    return "".join(f" {each} " if is_ideograph(each) or is_punctuation(each) else each for each in normalized(text, lower)).split()


@dataclass(frozen=True)
class WordPiece:
    """A vocabulary, one piece for every number from 0, and whether text is lowered and stripped of accents before."""

    pieces: tuple[str, ...]
    lower: bool = True

    @cached_property
    def numbers(self) -> dict[str, int]:
        return {piece: number for number, piece in enumerate(self.pieces)}

    def cut(self, word: str) -> tuple[str, ...]:
        """Greedy longest match. One character that fits no piece makes the whole word [UNK]."""
        found: list[str] = []
        start = 0
        while start < len(word):
            if (piece := self._longest(word, start)) is None or len(word) > LONGEST_WORD:
                return (UNKNOWN,)
            found.append(piece)
            start += len(piece.removeprefix("##") if start else piece)
        return tuple(found)

    def _longest(self, word: str, start: int) -> str | None:
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in self.numbers:
                return piece
        return None

    def words(self, text: str) -> list[tuple[str, tuple[str, ...]]]:
        """Every word of the text with its pieces."""
        return [(word, self.cut(word)) for word in words_of(text, self.lower)]

    def encode(self, text: str) -> tuple[str, ...]:
        """[CLS], the pieces, [SEP]."""
        return (FIRST, *(piece for _, pieces in self.words(text) for piece in pieces), LAST)

    def numbers_of(self, pieces: Sequence[str]) -> list[int]:
        """Each piece's number. Raises KeyError for a piece that the vocabulary does not hold."""
        return [self.numbers[piece] for piece in pieces]


# Enough for a short text: whole words, stems, endings, and a few Chinese characters.
SMALL = WordPiece(
    (
        *SPECIAL,
        "play",
        "un",
        "want",
        "the",
        "cat",
        "low",
        "new",
        "##ing",
        "##aff",
        "##able",
        "##ed",
        "##er",
        "##est",
        "##s",
        "小",
        "鱼",
        "！",
    )
)
