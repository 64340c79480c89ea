"""What serving a model costs: operations for the next token, bytes that the cache takes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    """What the formulas need to know of a published model: parameters, layers L, D = d_model, query heads, KV heads and their width."""

    name: str
    parameters: float
    layers: int
    d_model: int
    heads: int
    kv_heads: int
    head_width: int


SHAPES = {
    "llama-7b": Shape("LLaMA-7B", 6_738_415_616, 32, 4096, 32, 32, 128),
    "llama-2-70b": Shape("LLaMA-2-70B", 68_976_648_192, 80, 8192, 64, 8, 128),
    "gpt-2": Shape("GPT-2", 124_439_808, 12, 768, 12, 12, 64),
}
BYTES = {"fp16": 2.0, "fp32": 4.0, "int8": 1.0}  # a number


def token_flops(parameters: float, layers: int, d_model: int, seen: int) -> float:
    """One token: two operations a parameter; in every layer 2·D for its score with each of the `seen` tokens, 2·D for the value."""
    return 2 * parameters + 4 * layers * d_model * seen


def cached_step_flops(parameters: float, layers: int, d_model: int, length: int) -> float:
    """The newest of `length` tokens with a cache: linear in the length."""
    return token_flops(parameters, layers, d_model, length)


def uncached_step_flops(parameters: float, layers: int, d_model: int, length: int) -> float:
    """Without a cache all tokens are computed again, each a row of scores over all (a mask saves no operations): quadratic."""
    return length * token_flops(parameters, layers, d_model, length)


def causal_step_flops(parameters: float, layers: int, d_model: int, length: int) -> float:
    """The same for kernels that skip what the mask hides: token i scores i tokens, half as many pairs."""
    return length * token_flops(parameters, layers, d_model, 0) + 4 * layers * d_model * length * (length + 1) / 2


def cache_bytes(tokens: int, layers: int, kv_heads: int, width: int, number_bytes: float) -> float:
    """Keys and values (hence 2) of every layer and every head that has its own: linear in the tokens."""
    return 2 * tokens * layers * kv_heads * width * number_bytes
