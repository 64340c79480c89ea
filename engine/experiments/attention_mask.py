"""A mask holds only if forbidden scores become -inf before softmax: then no output moves when a token it must not see changes."""

from __future__ import annotations

import math
from typing import Literal

import torch
from torch import Tensor
from torch.nn import functional

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, names, number
from engine.result import Matrix, Quantity, Result
from engine.shorthand import SEED, choice, measured
from engine.textbook.attention import (
    causal_mask,
    causal_mask_top_left,
    mask_after_softmax,
    mask_by_adding,
    mask_with_zero,
    scaled_dot_product_attention,
    softmax,
)
from engine.textbook.mask_fills import FILLS, KINDS, attend

WIDTH = 4

Arm = Literal["right", "wrong"]


def run(*, kind: str, fill: str, queries: int, keys: int, changed: int, fully_masked: str, seed: int) -> Result:
    generator = torch.Generator().manual_seed(seed)
    Q, K, V = (torch.randn(8, WIDTH, generator=generator, dtype=torch.float64) for _ in range(3))
    Q, K, V = Q[:queries], K[:keys], V[:keys]  # (T, d), (S, d), (S, d)
    token = min(changed, keys - 1)
    K2, V2 = K.clone(), V.clone()
    K2[token], V2[token] = torch.randn(2, WIDTH, generator=generator, dtype=torch.float64)
    mask = KINDS[kind](queries, keys).clone()
    if fully_masked == "yes":
        mask[0] = False

    right, filled = (attend(Q, K, V, mask, each)[1] for each in (softmax, FILLS[fill]))
    change = attend(Q, K2, V2, mask, FILLS[fill])[0] - attend(Q, K, V, mask, FILLS[fill])[0]  # (T, d)
    unmasked = scaled_dot_product_attention(Q, K2, V2)[0] - scaled_dot_product_attention(Q, K, V)[0]
    blind = ~mask[:, token]  # the queries whose output must not move
    arm: Arm = "right" if fill == "-inf" else "wrong"
    return Result(
        quantities=(
            Quantity("leak", largest(change[blind]), Label("outputs that must not move, moved by", "不该变的输出变了"), arm=arm),
            Quantity(
                "unmasked_leak", largest(unmasked[blind]), Label("the same outputs without a mask", "同样的输出，不加掩码"), arm="wrong"
            ),
            measured("masked_weight", largest(filled[~mask]), "largest weight on a forbidden key", "禁看的键得到的最大权重"),
            measured("flipped_masked_weight", _flipped(Q, K, V, mask), "... with True and False mixed up", "……把 True 与 False 弄反时"),
            *_row_sums(filled, mask),
            *_fully_masked(Q, K, mask, fill, filled),
            measured("allowed_pairs", number(mask.sum()), "allowed pairs", "允许的（查询，键）对数"),
            *_alignment(Q, K, V),
        ),
        matrices=_matrices(mask, right, filled, change, fill, arm),
        notes=_notes(kind, fill, mask, token, changed),
    )


def largest(values: Tensor) -> float:
    """The largest magnitude; 0 when there is nothing to look at."""
    return number(values.abs().max()) if values.numel() else 0.0


def _flipped(query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> float:
    """What forbidden keys get from code that reads True as "ignore", as nn.MultiheadAttention's key_padding_mask does."""
    return largest(scaled_dot_product_attention(query, key, value, ~mask)[1][~mask])


def _row_sums(filled: Tensor, mask: Tensor) -> tuple[Quantity, ...]:
    """Over the rows that may attend to something; the others are counted apart."""
    sums = filled.sum(-1)[mask.any(-1)]
    low, high = (number(sums.min()), number(sums.max())) if sums.numel() else (0.0, 0.0)
    return (
        measured("row_sum_min", low, "smallest row sum", "最小的行和"),
        measured("row_sum_max", high, "largest row sum", "最大的行和"),
    )


def _fully_masked(query: Tensor, key: Tensor, mask: Tensor, fill: str, filled: Tensor) -> tuple[Quantity, ...]:
    """Rows with nothing to attend to. NaN is measured with the usual softmax and reported as a 1, so that a Result stays finite."""
    empty = ~mask.any(-1)
    usual = torch.softmax((query @ key.T / math.sqrt(WIDTH)).masked_fill(~mask, -math.inf), -1)
    is_nan = fill == "-inf" and bool(usual[empty].isnan().any())
    return (
        measured("fully_masked_rows", number(empty.sum()), "rows with nothing to attend to", "没有任何可见键的行数"),
        measured("fully_masked_row_sum", largest(filled.sum(-1)[empty]), "their row sum", "这些行的行和"),
        measured("fully_masked_nan", float(is_nan), "the usual softmax gives NaN there (1 = yes)", "普通 softmax 在此得到 NaN（1 = 是）"),
    )


def _alignment(Q: Tensor, K: Tensor, V: Tensor) -> tuple[Quantity, ...]:
    """Where queries and keys differ in number, a causal mask can start at the top left (torch) or end at the bottom right (decoding)."""
    queries, keys = len(Q), len(K)
    torchs = functional.scaled_dot_product_attention(Q[None], K[None], V[None], is_causal=True)[0]
    decoding = scaled_dot_product_attention(Q, K, V, causal_mask(queries, keys))[0]
    return (
        measured("last_query_sees", number(causal_mask(queries, keys)[-1].sum()), "keys seen by the last query", "最后一个查询可见的键数"),
        measured(
            "last_query_sees_top_left",
            number(causal_mask_top_left(queries, keys)[-1].sum()),
            "... with is_causal=True",
            "……用 is_causal=True 时",
        ),
        measured(
            "is_causal_error",
            largest((torchs - decoding)[-1]),
            "error of is_causal=True, last query",
            "is_causal=True 在最后一个查询上的误差",
        ),
        measured(
            "is_causal_first_value",
            largest((torchs - V[:1])[-1]),
            "is_causal=True, last query: distance to the first value",
            "is_causal=True 的最后一行与第一个值的距离",
        ),
    )


def _matrices(mask: Tensor, right: Tensor, filled: Tensor, change: Tensor, fill: str, arm: Arm) -> tuple[Matrix, ...]:
    rows, columns = names("q", len(mask)), names("k", mask.shape[1])
    return (
        Matrix(
            "weights_as_filled",
            grid(filled),
            Label(f"weights, filled with {fill}", f"权重，填充方式 {fill}"),
            rows,
            columns,
            kind="weights",
            arm=arm,
        ),
        Matrix(
            "weights",
            grid(right),
            Label("weights as they should be", "正确的权重"),
            rows,
            columns,
            r"\mathrm{softmax}(S + M),\ M_{ij} \in \{0, -\infty\}",
            "weights",
            arm="right",
        ),
        Matrix("mask", grid(mask.double()), Label("mask, 1 = may attend", "掩码，1 = 可见"), rows, columns, kind="weights"),
        Matrix("output_change", grid(change), Label("change of the outputs", "输出的变化"), rows, names("", WIDTH)),
    )


def _notes(kind: str, fill: str, mask: Tensor, token: int, changed: int) -> tuple[Label, ...]:
    queries, keys = mask.shape
    empty, blind = ~mask.any(-1), ~mask[:, token]
    found = (
        (changed != token, Label(f"There is no k{changed + 1}; k{token + 1} changes.", f"没有 k{changed + 1}，改变的是 k{token + 1}。")),
        (
            not blind.any(),
            Label(f"Every query may see k{token + 1}: no output has to stay still.", f"所有查询都能看 k{token + 1}：没有必须不变的输出。"),
        ),
        (
            kind in ("causal", "window", "prefix") and queries != keys,
            Label("The last query is the newest: it is lined up with the last key.", "最后一个查询最新：它与最后一个键对齐。"),
        ),
        (
            bool(empty.any()) and fill == "-inf",
            Label(
                "A row with nothing to attend to is 0/0 = NaN in the usual softmax; ours makes it 0, as torch's own function does.",
                "没有可见键的行在普通 softmax 中是 0/0 = NaN；这里取 0，与 torch 自带的函数一致。",
            ),
        ),
    )
    return tuple(note for applies, note in found if applies)


def cost(*, kind: str, fill: str, queries: int, keys: int, changed: int, fully_masked: str, seed: int) -> Cost:
    return Cost(bytes=8 * (12 * queries * keys + 8 * WIDTH * (queries + keys)), flops=8 * queries * keys * (4 * WIDTH + 10))


EXPERIMENT = Experiment(
    title=Label("attention masks", "注意力掩码"),
    summary=Label(
        "Change one token and see which outputs move, for every mask and every way to apply it.",
        "改动一个词元，看哪些输出会变：各种掩码与各种填充方式。",
    ),
    parameters=(
        choice(
            "kind",
            Label("mask", "掩码"),
            ("causal", "causal", "因果"),
            ("padding", "padding", "填充"),
            ("window", "window of 3", "滑窗 3"),
            ("prefix", "prefix of 2", "前缀 2"),
            ("none", "none", "无"),
        ),
        choice(
            "fill",
            Label("forbidden scores", "禁看的分数"),
            ("-inf", "-inf", "-inf"),
            ("-1e9", "-1e9", "-1e9"),
            ("-1e4", "-1e4 added", "加 -1e4"),
            ("-1e-9", "-1e-9 added", "加 -1e-9"),
            ("0", "0", "0"),
            ("after-softmax", "after softmax", "softmax 之后"),
        ),
        Parameter("queries", Label("queries T", "查询数 T"), 5, 1, 8),
        Parameter("keys", Label("keys S", "键数 S"), 5, 1, 8),
        Parameter("changed", Label("changed token (from 0)", "被改动的词元（从 0 数）"), 4, 0, 7),
        choice("fully_masked", Label("first query sees nothing", "首个查询什么都看不到"), ("no", "no", "否"), ("yes", "yes", "是")),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(softmax, causal_mask, causal_mask_top_left, mask_by_adding, mask_after_softmax, mask_with_zero),
    arms=("unmasked_leak", "leak"),
)
