"""What a Transformer layer costs, product by product, in multiply-adds (one is two floating-point operations) and in bytes.

n tokens, d = d_model; the feed-forward network is 4·d wide. Softmax, norms and biases are left out: they are a few per cent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Part = Literal["projections", "pairs", "feed_forward"]


@dataclass(frozen=True)
class Product:
    """(rows, inner) times (inner, columns): every cell of the result takes `inner` multiply-adds."""

    part: Part
    formula: str
    rows: int
    inner: int
    columns: int

    @property
    def multiply_adds(self) -> int:
        return self.rows * self.inner * self.columns


def layer_products(n: int, d: int) -> tuple[Product, ...]:
    """The eight matrix products of a layer. h heads make QKᵀ h times, each d/h wide: n·n·d together, whatever h is."""
    return (
        Product("projections", "X W_Q", n, d, d),
        Product("projections", "X W_K", n, d, d),
        Product("projections", "X W_V", n, d, d),
        Product("pairs", "Q Kᵀ", n, d, n),
        Product("pairs", "P V", n, n, d),
        Product("projections", "O W_O", n, d, d),
        Product("feed_forward", "H = X W_1", n, d, 4 * d),
        Product("feed_forward", "H W_2", n, 4 * d, d),
    )


def part_multiply_adds(n: int, d: int, part: Part) -> int:
    """projections 4·n·d², pairs 2·n²·d, feed_forward 8·n·d²."""
    return sum(product.multiply_adds for product in layer_products(n, d) if product.part == part)


def layer_multiply_adds(n: int, d: int) -> int:
    """n·d·(12·d + 2·n): nearly linear in n until n comes near 6·d, where the pairs are half of it."""
    return sum(product.multiply_adds for product in layer_products(n, d))


def recurrent_multiply_adds(n: int, d: int) -> int:
    """A recurrent layer, W x_t + U h_t for every token: two (d, d) a step, and every step waits for the one before."""
    return 2 * n * d * d


def score_bytes(n: int, heads: int, bytes_each: int = 4) -> int:
    """The scores of one sequence in one layer, h·n² of them, float32 unless said otherwise."""
    return heads * n * n * bytes_each
