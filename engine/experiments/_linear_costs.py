"""Part of linear_attention: multiply-adds of either bracket and the numbers kept for the next token, by n and d."""

from __future__ import annotations

import math

from engine.assemble import Numbers
from engine.label import Label
from engine.measures import Curve, Measure, measured

FEWEST, MOST_TOKENS, WIDEST = 2, 64, 8  # at least two tokens, and a width of two
LENGTHS = tuple(2**power for power in range(1, 17))  # 2 ... 65,536, an x axis


def multiply_adds(n: int, d: int) -> tuple[int, int]:
    """Of (QKᵀ)V and of Q(KᵀV), with d_v = d: 2·n²·d and 2·n·d²."""
    return 2 * n * n * d, 2 * n * d * d


def costs(n: int, d: int) -> Numbers:
    quadratic, linear = multiply_adds(n, d)
    return {
        "quadratic_multiply_adds": float(quadratic),
        "linear_multiply_adds": float(linear),
        "cached_numbers": float(2 * n * d),
        "state_numbers": float(d * d + d),
    }


def over_tokens(d: int) -> Numbers:
    """On two logarithmic axes n² is a line twice as steep as n; they cross at n = d."""
    logarithms = [[math.log10(value) for value in multiply_adds(n, d)] for n in LENGTHS]
    return {
        "quadratic_log_over_tokens": (LENGTHS, [quadratic for quadratic, _ in logarithms]),
        "linear_log_over_tokens": (LENGTHS, [linear for _, linear in logarithms]),
    }


TOKENS = Label("tokens n", "词元数 n")
MULTIPLY_ADDS = (2 * FEWEST**3, 2 * MOST_TOKENS**2 * WIDEST)

COST_MEASURES: tuple[Measure, ...] = (
    measured("quadratic_multiply_adds", "multiply-adds, n×n first", "乘加次数，先算 n×n", within=MULTIPLY_ADDS),
    measured("linear_multiply_adds", "multiply-adds, summary first", "乘加次数，先算摘要", within=MULTIPLY_ADDS),
    measured(
        "cached_numbers",
        "numbers kept for the next token, softmax",
        "为下一个词元保存的数，softmax",
        within=(2 * FEWEST**2, 2 * MOST_TOKENS * WIDEST),
    ),
    measured(
        "state_numbers",
        "numbers kept for the next token, linear",
        "为下一个词元保存的数，线性",
        within=(FEWEST**2 + FEWEST, WIDEST**2 + WIDEST),
    ),
    Curve("quadratic_log_over_tokens", Label("log₁₀ multiply-adds, n×n first", "乘加次数的 log₁₀，先算 n×n"), TOKENS, "cost", log_x=True),
    Curve("linear_log_over_tokens", Label("log₁₀ multiply-adds, summary first", "乘加次数的 log₁₀，先算摘要"), TOKENS, "cost", log_x=True),
)
