"""Part of positions_learned: a table of positions ends, changes every score when the text is shifted, and learns as far as texts reach."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity

from engine.assemble import Numbers
from engine.textbook.absolute_positions import absolute_scores, look_up_position, sinusoidal
from engine.textbook.text_chunks import best_chunk, chunks, context

TOKENS, WIDTH = 6, 64  # of the text that is shifted, and of the vectors drawn; the parameter count takes the width given
INITIAL = 0.02  # standard deviation of BERT's tables before training
FEWEST, MOST = 64, 1024  # rows of a table
LENGTHS = tuple(range(FEWEST, MOST + 1, 64))
PUBLISHED = (  # rows, width, longest text; RoBERTa counts from 2
    ("BERT-base", 512, 768, 512),
    ("BERT-large", 512, 1024, 512),
    ("RoBERTa-base", 514, 768, 512),
    ("GPT-2", 1024, 768, 1024),
)
SHIFTS = tuple(range(0, 501, 20))  # the x axis


def learned_numbers(rows: int, width: int, length: int, shift: int, seed: int) -> dict[str, Any]:
    generator = torch.Generator().manual_seed(seed)
    table = INITIAL * torch.randn(rows, WIDTH, generator=generator, dtype=torch.float64)
    found, error = try_to_look_up(table, length)
    computed = sinusoidal(torch.arange(length), WIDTH)
    first = table[:TOKENS]
    return {
        "positions_missing": length - found,
        "sinusoid_missing": length - len(computed),
        "is_index_error": bool(error),
        "table_parameters": rows * width,
        "rows_without_gradient": rows - trained_rows(table, min(length, rows)),
        "truncated_tokens": max(0, length - rows),
        **in_chunks(rows, length),
        **shifted(table, min(shift, rows - TOKENS), generator),
        "neighbour_cosine_untrained": neighbour_cosine(table),
        "neighbour_cosine_sinusoid": neighbour_cosine(computed),
        "row_cosines": cosine_similarity(first[:, None], first[None], dim=-1),
        "missing_over_length": (LENGTHS, [max(0, each - rows) for each in LENGTHS]),
        "sinusoid_missing_over_length": (LENGTHS, [0] * len(LENGTHS)),
        "published": [(name, count, wide, count * wide, longest) for name, count, wide, longest in PUBLISHED],
        "error": error,
        "last_row": rows - 1,
        "farthest_shift": rows - TOKENS,
    }


def try_to_look_up(table: Tensor, length: int) -> tuple[int, str]:
    """How many of the text's tokens get a row, and what the first one without a row raises."""
    try:
        return len(look_up_position(table, torch.arange(length))), ""
    except IndexError as error:
        return len(look_up_position(table, torch.arange(min(length, len(table))))), str(error)


def trained_rows(table: Tensor, length: int) -> int:
    """How many rows have a gradient after a loss over a text of that length."""
    learned = table.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(look_up_position(learned, torch.arange(length)).square().sum(), learned)
    return int(gradient.abs().sum(-1).bool().sum())


def in_chunks(rows: int, length: int) -> Numbers:
    """The usual way out for long texts: chunks as long as the table, each half over the one before."""
    parts, apart = chunks(length, rows, rows // 2), chunks(length, rows, rows)
    inner = range(rows // 4, max(rows // 4 + 1, length - rows // 4))  # the text's own ends are poor in any chunk
    return {
        "uncovered_tokens": length - len({token for part in parts for token in part}),
        "chunk_count": len(parts),
        "least_context": least_context(inner, parts, length),
        "least_context_apart": least_context(inner, apart, length),
    }


def least_context(tokens: range, parts: list[range], length: int) -> int:
    """The least context of any of the tokens in its best chunk."""
    return min((context(token, best_chunk(token, parts)) for token in tokens if token < length), default=0)


def shifted(table: Tensor, shift: int, generator: torch.Generator) -> Numbers:
    """Scores of the same tokens at rows 0, 1, 2 ... and at rows further down; the rows as large as the tokens, as after training."""
    X, W_Q, W_K = (torch.randn(count, WIDTH, generator=generator, dtype=torch.float64) for count in (TOKENS, WIDTH, WIDTH))
    learned, computed = table / INITIAL, math.sqrt(2) * sinusoidal(torch.arange(SHIFTS[-1] + TOKENS), WIDTH)

    def changes(positions: Tensor, shifts: Sequence[int]) -> list[float]:
        def scores(start: int) -> Tensor:
            places = look_up_position(positions, torch.arange(start, start + TOKENS))
            return absolute_scores(X @ W_Q, X @ W_K, places @ W_Q, places @ W_K) / (WIDTH * math.sqrt(WIDTH))

        return [float((scores(each) - scores(0)).abs().max()) for each in shifts]

    possible = [each for each in SHIFTS if each <= len(table) - TOKENS]
    return {
        "shifted_scores_change": changes(learned, [shift])[0],
        "sinusoid_shifted_scores_change": changes(computed, [shift])[0],
        "learned_change_over_shift": (possible, changes(learned, possible)),
        "sinusoid_change_over_shift": (SHIFTS, changes(computed, SHIFTS)),
    }


def neighbour_cosine(positions: Tensor) -> Tensor:
    return cosine_similarity(positions[:-1], positions[1:], dim=-1).mean()
