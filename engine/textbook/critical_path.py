"""What has to wait for what: the same tokens through a recurrent loop and through one masked attention layer, and how to count the waiting.

Autograd notes for every operation which results it needed. The longest chain of notes is the time that no number of processors shortens.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from engine.textbook.attention import causal_mask, scaled_dot_product_attention
from engine.textbook.recurrent import Recurrent, rnn_step

Node = Any  # what torch calls grad_fn: it has no public type with next_functions


@dataclass(frozen=True)
class Waiting:
    """How many operations there were, and how many had to wait for each other."""

    operations: int
    chain: int


def steps_to_wait(output: Tensor) -> Waiting:
    """Counts back from a result to the tokens that need a gradient; operations without one, such as making a mask, wait for nothing."""
    length: dict[Node, int] = {}
    for node in _operands_first(output.grad_fn):
        length[node] = 1 + max((length[operand] for operand in _operands(node)), default=0)
    return Waiting(len(length), length[output.grad_fn])


def _operands(node: Node) -> list[Node]:
    """The operations whose results this one used; a leaf's own node is no operation."""
    return [operand for operand, _ in node.next_functions if operand is not None and operand.next_functions]


def _operands_first(start: Node) -> Iterator[Node]:
    """Every operation once, after all that it used. A loop, because a recurrence is deeper than Python likes to recurse."""
    seen, stack = {start}, [(start, iter(_operands(start)))]
    while stack:
        node, operands = stack[-1]
        following = next((operand for operand in operands if operand not in seen), None)
        if following is None:
            stack.pop()
            yield node
        else:
            seen.add(following)
            stack.append((following, iter(_operands(following))))


def recurrent_states(weights: Recurrent, tokens: Tensor) -> Tensor:
    """(T, D) -> (T, D): every state needs the one before it."""
    state, states = torch.zeros_like(tokens[:1]), []
    for token in tokens:
        state = rnn_step(weights, token[None], state)
        states.append(state)
    return torch.cat(states)


def attention_at_once(projections: Tensor, tokens: Tensor) -> Tensor:
    """W_Q, W_K, W_V (3, D, D) and (T, D) -> (T, D): each product for all tokens; the mask keeps each from its future."""
    query, key, value = (tokens @ W for W in projections)
    return scaled_dot_product_attention(query, key, value, causal_mask(len(tokens), len(tokens)))[0]


def attention_step_by_step(projections: Tensor, tokens: Tensor) -> Tensor:
    """The same layer as it runs while generating: a token at a time, each reading the tokens so far."""
    outputs = []
    for end in range(1, len(tokens) + 1):
        query, key, value = (tokens[:end] @ W for W in projections)
        outputs.append(scaled_dot_product_attention(query[-1:], key, value)[0])
    return torch.cat(outputs)
