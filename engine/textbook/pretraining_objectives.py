"""One text as five ways of pre-training see it: what the model reads, and which pieces the loss asks for.

Sources: Devlin et al. 2018 (masked words), Raffel et al. 2019 (spans), Clark et al. 2020 (ELECTRA), Radford et al. 2018 (the next one).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import torch
from torch import Tensor

from engine.textbook.masked_language_model import Rule, choose_at_least, corrupt
from engine.textbook.span_corruption import corrupt_spans, evenly_spaced_spans

ENDINGS = ("ness", "less", "able", "tion", "ing", "est", "ful", "ed", "er", "ly", "es", "s")
STEM = 3  # letters that a word keeps before an ending


@dataclass(frozen=True)
class Objective:
    """What is read, what the model has to say, and of each piece of the text whether it is asked for."""

    seen: tuple[str, ...]
    target: tuple[str, ...]
    asked: tuple[bool, ...]


def pieces_of(word: str, known: Collection[str]) -> list[str]:
    """The longest known pieces from left to right; of a word that these do not make, the stem and a usual ending."""
    pieces: list[str] = []
    rest = word
    while rest:
        longest = next((size for size in range(len(rest), 0, -1) if ("##" if pieces else "") + rest[:size] in known), 0)
        if not longest:
            ending = next((each for each in ENDINGS if word.endswith(each) and len(word) >= STEM + len(each)), "")
            return [word[: len(word) - len(ending)], f"##{ending}"] if ending else [word]
        pieces.append(("##" if pieces else "") + rest[:longest])
        rest = rest[longest:]
    return pieces


def masked(pieces: tuple[str, ...], groups: Tensor, rule: Rule, generator: torch.Generator) -> Objective:
    """BERT's: whole groups (words, or single pieces) are chosen; most become [MASK], some another piece, some stay. They are asked for."""
    vocabulary = ("[MASK]", *sorted(set(pieces)))
    ids = torch.tensor([vocabulary.index(piece) for piece in pieces])
    asked = choose_at_least(max(1, round(rule.chosen * len(pieces))), groups, generator)
    seen = corrupt(ids, asked, rule, 0, len(vocabulary), generator)
    return Objective(
        tuple(vocabulary[each] for each in seen.tolist()),
        tuple(piece for piece, is_asked in zip(pieces, asked.tolist(), strict=True) if is_asked),
        tuple(asked.tolist()),
    )


def spans(pieces: tuple[str, ...], share: float, length: int) -> Objective:
    """T5's: a sentinel stands for every span, and the target spells out what it stands for."""
    cut = evenly_spaced_spans(len(pieces), share, length)
    inside = {place for start, size in cut for place in range(start, start + size)}
    return Objective(*corrupt_spans(pieces, cut), tuple(place in inside for place in range(len(pieces))))


def replaced(pieces: tuple[str, ...], share: float, generator: torch.Generator) -> Objective:
    """ELECTRA's: some pieces are others, here drawn from the text, there by a small model; of every piece it is asked whether it is."""
    others = sorted(set(pieces))
    places = torch.randperm(len(pieces), generator=generator)[: max(1, round(share * len(pieces)))].tolist()
    drawn = torch.randint(len(others), (len(pieces),), generator=generator).tolist()
    seen = tuple(others[drawn[place]] if place in places else piece for place, piece in enumerate(pieces))
    target = tuple("same" if one == other else "replaced" for one, other in zip(seen, pieces, strict=True))
    return Objective(seen, target, (True,) * len(pieces))


def next_piece(pieces: tuple[str, ...]) -> Objective:
    """GPT's: every piece but the first is asked for by those before it."""
    return Objective(pieces[:-1], pieces[1:], (False, *(True,) * (len(pieces) - 1)))
