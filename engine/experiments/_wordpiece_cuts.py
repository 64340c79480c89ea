"""Part of wordpiece: a text cut into the pieces of a vocabulary, and the way from it to BERT's input."""

from __future__ import annotations

from functools import cache

from engine.assemble import Numbers
from engine.textbook.bert_tokenizer import PADDING, SMALL, UNKNOWN, WordPiece, normalized
from engine.textbook.checkpoint import packaged_folder, vocabulary_of

LONGER = 2  # pieces that the longest text of the batch has more


def cut(text: str) -> Numbers:
    words = SMALL.words(text)
    known = [(word, pieces) for word, pieces in words if pieces != (UNKNOWN,)]
    joined = sum("".join(piece.removeprefix("##") for piece in pieces) == word for word, pieces in known)
    return {
        "text_words": len(words),
        "text_pieces": sum(len(pieces) for _, pieces in words),
        "unknown_words": len(words) - len(known),
        "known_joined_back": joined / len(known) if known else 1.0,
        "cut_small": rows_of(SMALL, text),
        "word_names": [word for word, _ in words] or ["-"],
        "pieces_of_words": [[len(pieces) for _, pieces in words] or [0]],
        "unknown_of_words": [[pieces == (UNKNOWN,) for _, pieces in words] or [0]],
    }


def way_to_the_input(text: str) -> list[tuple[str]]:
    """What each step makes of the text, down to BERT's input in a batch whose longest text is a little longer."""
    words, encoded = SMALL.words(text), SMALL.encode(text)
    stages = (
        text,
        normalized(text),
        " | ".join(word for word, _ in words),
        " ".join(piece for _, pieces in words for piece in pieces),
        " ".join(encoded),
        " ".join((*encoded, *(PADDING,) * LONGER)),
        " ".join("1" * len(encoded) + "0" * LONGER),
    )
    return [(stage,) for stage in stages]


@cache
def real_vocabulary() -> WordPiece | None:
    """The vocabulary of the packaged model, when the extra is installed."""
    folder = packaged_folder()
    return vocabulary_of(folder) if folder else None


def cut_with_real(text: str, real: WordPiece | None) -> Numbers:
    if real is None:
        return {"real_vocabulary": 0}
    return {"real_vocabulary": len(real.pieces), "cut_real": rows_of(real, text)}


def rows_of(vocabulary: WordPiece, text: str) -> list[tuple[str, str]]:
    return [(word, " ".join(pieces)) for word, pieces in vocabulary.words(text)]
