"""A text longer than the position table: it is read in overlapping chunks, and every token's vector is taken where it has most context."""

from __future__ import annotations


def chunks(length: int, window: int, stride: int) -> list[range]:
    """The tokens of each chunk: a new one starts every `stride` tokens; the last ends with the text and is as long as the others."""
    starts = list(range(0, max(1, length - window + stride), stride))
    return [range(min(start, max(0, length - window)), min(start + window, length)) for start in starts]


def context(token: int, chunk: range) -> int:
    """How many tokens it has on its poorer side within the chunk."""
    return min(token - chunk.start, chunk.stop - 1 - token)


def best_chunk(token: int, parts: list[range]) -> range:
    """The chunk in which the token stands deepest. Raises ValueError when none holds it."""
    return max((chunk for chunk in parts if token in chunk), key=lambda chunk: context(token, chunk))
