"""Recurrent networks: one step that is taken T times, so that news from the first token passes through every step on its way to the last.

Letters: B batch, T tokens, D the width of a token and of a state.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from engine.textbook.attention import scaled_dot_product_attention

Layer = Callable[[Tensor], Tensor]  # (B, T, D) -> (B, D), what the last token knows


@dataclass(frozen=True)
class Recurrent:
    """W_x (D, G·D) reads the token, W_h (D, G·D) the state before it; G = 1 in a plain RNN, 4 gates in an LSTM. bias (G·D,)"""

    W_x: Tensor
    W_h: Tensor
    bias: Tensor

    def before_activation(self, token: Tensor, state: Tensor) -> Tensor:
        return token @ self.W_x + state @ self.W_h + self.bias


def rnn_step(weights: Recurrent, token: Tensor, state: Tensor) -> Tensor:
    """(B, D), (B, D) -> (B, D): all that was known is pressed through tanh again."""
    return torch.tanh(weights.before_activation(token, state))


def lstm_step(weights: Recurrent, token: Tensor, state: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
    """State and cell (B, D): the cell is multiplied by the forget gate and added to, so a gate near 1 keeps it, and its gradient.

    The gates lie in torch's order: input, forget, new, output. Source: Hochreiter & Schmidhuber 1997; Gers et al. 2000.
    """
    write, forget, new, read = weights.before_activation(token, state).chunk(4, -1)
    cell = torch.sigmoid(forget) * cell + torch.sigmoid(write) * torch.tanh(new)
    return torch.sigmoid(read) * torch.tanh(cell), cell


def rnn(weights: Recurrent, tokens: Tensor) -> Tensor:
    """(B, T, D) -> (B, D), the last state."""
    state = torch.zeros_like(tokens[:, 0])
    for token in tokens.unbind(1):
        state = rnn_step(weights, token, state)
    return state


def lstm(weights: Recurrent, tokens: Tensor) -> Tensor:
    """(B, T, D) -> (B, D), the last state."""
    state = cell = torch.zeros_like(tokens[:, 0])
    for token in tokens.unbind(1):
        state, cell = lstm_step(weights, token, state, cell)
    return state


def last_attends(W_Q: Tensor, W_K: Tensor, W_V: Tensor, tokens: Tensor) -> Tensor:
    """(B, T, D) -> (B, D): the last token reads all tokens at once."""
    output, _ = scaled_dot_product_attention(tokens[:, -1:] @ W_Q, tokens @ W_K, tokens @ W_V)
    return output[:, 0]


def random_recurrent(width: int, gates: int, gain: float, generator: torch.Generator) -> Recurrent:
    """W_x from N(0, 1/D), W_h from N(0, gain²/D), no bias."""
    W_x, W_h = torch.randn(2, width, gates * width, generator=generator, dtype=torch.float64) / math.sqrt(width)
    return Recurrent(W_x, gain * W_h, torch.zeros(gates * width, dtype=torch.float64))


def sensitivity(layer: Layer, tokens: Tensor) -> Tensor:
    """‖∂ last output / ∂ token‖ (Frobenius), how much of a nudge of each token arrives: (B, T, D) -> (B, T).

    D copies of every sequence, one for each number of the output, give all rows of all Jacobians in one backward pass.
    """
    batch, width = len(tokens), tokens.shape[-1]
    copies = tokens.repeat_interleave(width, 0).requires_grad_()  # (B·D, T, D)
    one_number_each = torch.eye(width, dtype=tokens.dtype).repeat(batch, 1)  # (B·D, D)
    (rows,) = torch.autograd.grad(layer(copies), copies, one_number_each)
    jacobians = rows.reshape(batch, width, -1, width).transpose(1, 2)  # (B, T, D, D)
    return torch.as_tensor(torch.linalg.matrix_norm(jacobians))
