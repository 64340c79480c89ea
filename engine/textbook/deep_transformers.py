"""Deep little Transformers trained side by side, the norm after each sum or before each part, with a warm-up and without.

θ is (A, P), the weights of A models; x is (A, B, T, D). Task: say again what stood one place before; only attention can.
Sources: Vaswani et al. 2017 (post, warm-up), Xiong et al. 2020 (both).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import count

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, gelu, layer_norm

from engine.textbook.attention import causal_mask, softmax
from engine.textbook.optimizers import adam, adam_update, update_moments
from engine.textbook.training_loop import Remembered

SYMBOLS, TOKENS, WIDTH, BATCH = 8, 6, 32, 16
CHANCE = math.log(SYMBOLS)  # the loss of who knows nothing


def matrices(layers: int) -> list[tuple[int, int]]:
    """Embeddings of symbols and places; W_Q, W_K, W_V, W_O and two feed-forward matrices a layer; the output matrix."""
    layer = [*[(WIDTH, WIDTH)] * 4, (WIDTH, 2 * WIDTH), (2 * WIDTH, WIDTH)]
    return [(SYMBOLS, WIDTH), (TOKENS, WIDTH), *layer * layers, (WIDTH, SYMBOLS)]


def draw_model(layers: int, seed: int) -> Tensor:
    """θ (P,): matrices from N(0, 1/in), embeddings from N(0, 1)."""
    generator = torch.Generator().manual_seed(seed)
    drawn = [
        torch.randn(rows * columns, generator=generator) / (1 if place < 2 else math.sqrt(rows))
        for place, (rows, columns) in enumerate(matrices(layers))
    ]
    return torch.cat(drawn)


def logits(thetas: Tensor, layers: int, symbols: Tensor, post: bool) -> Tensor:
    """(A, B, T, symbols). Post: LN(x + f(x)), the original; pre: x + f(LN(x)), and one more norm at the end."""
    sizes = matrices(layers)
    pieces = torch.split(thetas, [rows * columns for rows, columns in sizes], dim=-1)
    words, places, *inner, output = [each.view(-1, 1, *size) for each, size in zip(pieces, sizes, strict=True)]  # (A, 1, in, out)
    x = words[:, 0, symbols] + places  # (A, B, T, D)
    for start in range(0, len(inner), 6):
        W_Q, W_K, W_V, W_O, up, down = inner[start : start + 6]
        read = normed(x, not post)
        x = normed(x + attend(read @ W_Q, read @ W_K, read @ W_V) @ W_O, post)
        x = normed(x + gelu(normed(x, not post) @ up) @ down, post)
    return torch.as_tensor(normed(x, not post) @ output)


def normed(x: Tensor, here: bool) -> Tensor:
    """Every token with mean 0 and variance 1, if the norm stands here."""
    return layer_norm(x, x.shape[-1:]) if here else x


def attend(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    scores = query @ key.transpose(-2, -1) / math.sqrt(WIDTH)
    return softmax(scores.masked_fill(~causal_mask(*scores.shape[-2:]), -math.inf)) @ value


def losses(thetas: Tensor, layers: int, symbols: Tensor, post: bool) -> Tensor:
    """(A,): each place but the first has to name the symbol before it."""
    found = logits(thetas, layers, symbols, post)[:, :, 1:]  # (A, B, T - 1, symbols)
    wanted = symbols[:, :-1].expand(found.shape[:-1])
    return cross_entropy(found.flatten(0, -2), wanted.flatten(), reduction="none").view(len(thetas), -1).mean(-1)


def warm_up(step: int, warmup: int) -> float:
    """The share of the learning rate at a step, counted from 1: it rises in a line for `warmup` steps and stays."""
    return min(1.0, step / warmup)


@lru_cache(8)
def training(post: bool, layers: int, rate: float, warmup: int, seed: int) -> Remembered[Tensor]:
    """The losses of `train_placement`, step by step."""
    return Remembered(train_placement(post, layers, rate, warmup, seed))


def train_placement(post: bool, layers: int, rate: float, warmup: int, seed: int) -> Iterator[Tensor]:
    """The losses (2,) at every step, without and with the warm-up: the same start, the same symbols, Adam."""
    generator = torch.Generator().manual_seed(seed + 1000)  # another stream than the weights
    thetas = draw_model(layers, seed).expand(2, -1)
    state = adam(thetas, rate)
    for step in count(1):
        symbols = torch.randint(SYMBOLS, (BATCH, TOKENS), generator=generator)
        leaf = thetas.detach().requires_grad_()
        found = losses(leaf, layers, symbols, post)
        (gradient,) = torch.autograd.grad(found.sum(), leaf)
        state = update_moments(state, gradient)
        thetas = thetas - torch.tensor([[1.0], [warm_up(step, warmup)]]) * adam_update(state)
        yield found.detach()
