"""Part of masking_rule: what a rule does to many tokens: shares, what the epochs cover, and words that are cut."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.textbook.masked_language_model import (
    Rule,
    choose_positions,
    corrupt,
    expected_coverage,
    whole_words,
)

VOCABULARY, MASK = 30_522, 103  # BERT-base, uncased
TOKENS = 200_000  # of the statistics


LENGTH = 512  # of a sequence


PIECES = ("the", "kit", "##ten", "was", "un", "##want", "##ed", "and", "never", "play", "##ed", "in", "the", "snow", "##flake", "##s")


WORDS = (0, 1, 1, 2, 3, 3, 3, 4, 5, 6, 6, 7, 8, 9, 9, 9)  # which word a piece belongs to


SENTENCES = 2_000  # copies of that sentence, for the statistics of whole words


EPOCHS = tuple(range(1, 41))


def shares(rule: Rule, generator: torch.Generator) -> Numbers:
    """Of all tokens, in percent. A random piece that happens to be the original counts as kept: 1 in 30,522."""
    ids = torch.randint(1000, VOCABULARY, (TOKENS,), generator=generator)  # ordinary pieces: [MASK] is not among them
    asked = choose_positions(ids, rule.chosen, generator)
    seen = corrupt(ids, asked, rule, MASK, VOCABULARY, generator)
    always = corrupt(ids, asked, Rule(rule.chosen, 1.0, 0.0), MASK, VOCABULARY, generator)
    everything = torch.ones_like(asked)
    return {
        "visible_asked_all_masked": percent(asked, always != MASK),
        "visible_asked": percent(asked, seen != MASK),
        "asked_percent": percent(asked, everything),
        "masked_percent": percent(seen == MASK, everything),
        "random_percent": percent((seen != ids) & (seen != MASK), everything),
        "kept_percent": percent(asked & (seen == ids), everything),
        "asked_of_sequence": LENGTH * asked.double().mean(),
        "visible_false": percent(seen != ids, seen != MASK),
    }


def percent(holds: Tensor, among: Tensor) -> float:
    """How many of those `among` it holds for; 0 where there is nothing to look at."""
    return 100 * float((holds & among).sum()) / max(1, int(among.sum()))


def coverage(chosen: float, epochs: int) -> Numbers:
    """Tokens that were ever asked for, chosen once for all and anew in every epoch."""
    static, dynamic = 100 * chosen, [100 * expected_coverage(chosen, each) for each in EPOCHS]
    return {
        "static_covered": static,
        "dynamic_covered": 100 * expected_coverage(chosen, epochs),
        "static_covered_over_epochs": (EPOCHS, [static] * len(EPOCHS)),
        "dynamic_covered_over_epochs": (EPOCHS, dynamic),
    }


def split_words(chosen: float, generator: torch.Generator) -> Numbers:
    """Words of several pieces of which some are chosen and some are left to give the rest away."""
    by_piece = choose_positions(torch.zeros(SENTENCES, len(PIECES)), chosen, generator)
    by_word = whole_words(by_piece, torch.tensor(WORDS))
    return {
        "split_words": split_percent(by_piece),
        "split_words_whole": split_percent(by_word),
        "asked_whole": 100 * by_word.double().mean(),
    }


def split_percent(chosen: Tensor) -> float:
    """Of the words (N sentences) with several pieces of which at least one is chosen: those of which not all are."""
    words = torch.tensor(WORDS)
    several = [word for word in sorted(set(WORDS)) if WORDS.count(word) > 1]
    counts = torch.stack([chosen[:, words == word].sum(-1) for word in several], -1)  # (N, words)
    sizes = torch.tensor([WORDS.count(word) for word in several])
    return percent((counts > 0) & (counts < sizes), counts > 0)
