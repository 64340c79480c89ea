"""A mask holds only if forbidden scores become -inf before softmax: then no output moves when a token it must not see changes."""

from __future__ import annotations

import math
from typing import Literal

import torch

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.experiments._empty_rows import EMPTY_ROWS
from engine.experiments._mask_alignment import (
    ALIGNMENT_FIGURE,
    ALIGNMENT_NUMBERS,
    ALIGNMENT_PRESET,
    ALIGNMENT_WEIGHTS,
    MOST,
    alignment,
    both_alignments,
)
from engine.figures import Figure
from engine.label import Label
from engine.measures import LATER, NOT_NEGATIVE, SHARE, Grid, Range, Scalar, measured, note, wrong
from engine.parameter import SEED, Parameter, choice
from engine.preset import Preset
from engine.textbook.attention import scaled_dot_product_attention, softmax
from engine.textbook.empty_rows import empty_row_numbers
from engine.textbook.mask_averages import WIDTH, averages, largest, row_sums, usual_softmax_is_nan
from engine.textbook.mask_fills import FILLS, KINDS, attend

WHY = {
    "causal": LATER,
    "padding": Label("this key is padding", "这个键是填充"),
    "window": Label("the key is outside of the window", "键在窗口之外"),
    "prefix": Label("a later key, and not of the prefix", "键在查询之后，且不属于前缀"),
    "none": Label("the first query may see nothing", "首个查询什么都不能看"),
}


def run(*, kind: str, fill: str, queries: int, keys: int, changed: int, fully_masked: str, seed: int) -> Numbers:
    generator = torch.Generator().manual_seed(seed)
    Q, K, V = (torch.randn(MOST, WIDTH, generator=generator, dtype=torch.float64) for _ in range(3))
    Q, K, V = Q[:queries], K[:keys], V[:keys]  # (T, d), (S, d), (S, d)
    token = min(changed, keys - 1)
    K2, V2 = K.clone(), V.clone()
    K2[token], V2[token] = torch.randn(2, WIDTH, generator=generator, dtype=torch.float64)
    mask = KINDS[kind](queries, keys).clone()
    if fully_masked == "yes":
        mask[0] = False
    output, filled = attend(Q, K, V, mask, FILLS[fill])
    change = attend(Q, K2, V2, mask, FILLS[fill])[0] - output  # (T, d)
    unmasked = scaled_dot_product_attention(Q, K2, V2)[0] - scaled_dot_product_attention(Q, K, V)[0]
    blind, empty = ~mask[:, token], ~mask.any(-1)  # the queries whose output must not move; those that may attend to nothing
    return {
        "leak": largest(change[blind]),
        "unmasked_leak": largest(unmasked[blind]),
        "masked_weight": largest(filled[~mask]),
        # Code that reads True as "ignore", as nn.MultiheadAttention's key_padding_mask does.
        "flipped_masked_weight": largest(scaled_dot_product_attention(Q, K, V, ~mask)[1][~mask]),
        **row_sums(filled, empty),
        "fully_masked_nan": fill == "-inf" and usual_softmax_is_nan(Q, K, mask),
        "allowed_pairs": float(mask.sum()),
        **alignment(Q, K, V),
        **(both_alignments(Q, K, V) if kind == "causal" and keys > queries else {}),
        **averages(mask, token, FILLS[fill], seed),
        **empty_row_numbers(bool(empty.any()), seed),
        "weights_as_filled": filled,
        "weights": attend(Q, K, V, mask, softmax)[1],
        "mask": mask,
        "output_change": change,
        "unmasked_weights": scaled_dot_product_attention(Q, K, V)[1],
        "scores": (scores := Q @ K.T / math.sqrt(WIDTH)),  # (T, S)
        "masked_scores": scores.masked_fill(~mask, -math.inf),
        "why": WHY[kind],
        "arm": "right" if fill == "-inf" else "wrong",
        "blind_queries": int(blind.sum()),
        "asked": changed + 1,
        "key": token + 1,
    }


BECAUSE, MADE = Label("{why}", "{why}"), ("softmax", "masked_scores")


def mean(name: str, en: str, zh: str, within: Range = NOT_NEGATIVE) -> Scalar:
    return measured(f"mean_{name}", f"{en}, mean of 400 draws", f"{zh}，400 次抽样的平均", within=within)


def of_pairs(
    name: str,
    en: str,
    zh: str,
    arm: str = "",
    made_of: tuple[str, ...] = (),
    kind: Literal["weights", "signed"] = "signed",
    forbidden: Label | None = None,
    formula: str = "",
) -> Grid:
    """A map of every query to every key."""
    return Grid(name, Label(en, zh), "q{1}", "k{1}", formula, kind, arm=arm, made_of=made_of, forbidden=forbidden)


MEASURES = (
    Scalar("leak", Label("outputs that must not move: largest change, filled {fill}", "不该变的输出：最大变化，填充 {fill}"), arm="{arm}"),
    wrong("unmasked_leak", "outputs that must not move: largest change, no mask", "不该变的输出：最大变化，不加掩码"),
    measured("masked_weight", "largest weight on a masked key, filled {fill}", "被掩码的键得到的最大权重，填充 {fill}", within=SHARE),
    measured(
        "flipped_masked_weight",
        "largest weight on a masked key, True for False",
        "被掩码的键得到的最大权重，True 与 False 弄反",
        within=SHARE,
    ),
    measured("row_sum_min", "smallest row sum, rows that may see a key", "最小的行和（有可见键的行）", within=SHARE),
    measured("row_sum_max", "largest row sum, rows that may see a key", "最大的行和（有可见键的行）", within=SHARE),
    *EMPTY_ROWS,
    measured("allowed_pairs", "allowed pairs", "允许的（查询，键）对数", within=(0, MOST * MOST)),
    *ALIGNMENT_NUMBERS,
    mean("leak", "outputs that must not move: largest move", "不该变的输出：最大变化"),
    mean("unmasked_leak", "those outputs without a mask: largest move", "那些输出，不加掩码：最大变化"),
    mean("masked_weight", "largest weight on a masked key", "被掩码的键的最大权重", SHARE),
    mean("flipped_masked_weight", "largest weight on a masked key, flipped", "被掩码的键的最大权重，弄反时", SHARE),
    mean("row_sum_min", "smallest row sum", "最小的行和", SHARE),
    mean("is_causal_error", "largest error of is_causal=True, last", "is_causal=True 末行的最大误差"),
    of_pairs("unmasked_weights", "weights without a mask", "不加掩码的权重", "wrong", ("softmax", "scores"), kind="weights"),
    of_pairs("scores", "scores", "分数", formula=r"S = \frac{Q K^\top}{\sqrt{d}}"),
    of_pairs("masked_scores", "scores, masked", "掩码后的分数", made_of=("mask", "scores"), forbidden=BECAUSE, formula="S + M"),
    of_pairs("weights_as_filled", "weights, filled with {fill}", "权重，填充方式 {fill}", "{arm}", MADE, kind="weights", forbidden=BECAUSE),
    of_pairs(
        *("weights", "weights as they should be", "正确的权重", "right", MADE),
        kind="weights",
        forbidden=BECAUSE,
        formula=r"\mathrm{softmax}(S + M),\ M_{ij} \in \{0, -\infty\}",
    ),
    *ALIGNMENT_WEIGHTS,
    of_pairs("mask", "mask: who may attend to whom", "掩码：谁能看谁", kind="weights", forbidden=BECAUSE),
    Grid("output_change", Label("change of every output", "各个输出的变化"), rows="q{1}", columns="{1}"),
    note("no_such_key", "changed >= keys", "There is no k{asked}; k{key} changes.", "没有 k{asked}，改变的是 k{key}。"),
    note(
        "all_see_it",
        "blind_queries == 0",
        "Every query may see k{key}: no output has to stay still.",
        "所有查询都能看 k{key}：没有必须不变的输出。",
    ),
    note(
        "aligned",
        "kind != padding and kind != none and queries != keys and fully_masked_rows < queries",
        "The last query is the newest: it is lined up with the last key.",
        "最后一个查询最新：它与最后一个键对齐。",
    ),
    note(
        "empty_row",
        "fill == -inf and fully_masked_rows > 0",
        "A row with nothing to attend to is 0/0 = NaN in torch.softmax; the softmax shown here makes it 0, as "
        "F.scaled_dot_product_attention does.",
        "没有可见键的行在 torch.softmax 中是 0/0 = NaN；这里所用的 softmax 取 0，与 F.scaled_dot_product_attention 一致。",
    ),
    note(
        "leaks",
        "leak > 0",
        "Filled with {fill}, outputs that must not move do: by up to {leak:.2g}.",
        "填充 {fill} 时，本不该变的输出变了，最多变化 {leak:.2g}。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("attention masks", "注意力掩码"),
    summary=Label(
        "Change one token and see which outputs move, for every mask and every way to apply it.",
        "改动一个词元，看哪些输出会变：各种掩码与各种填充方式。",
    ),
    keywords=(
        "causal mask",
        "padding mask",
        "look-ahead",
        "autoregressive",
        "-inf",
        "NaN",
        "future",
        "因果掩码",
        "填充掩码",
        "自回归",
        "未来信息",
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
            Label("masked scores", "被掩码的分数"),
            ("-inf", "-inf", "-inf"),
            ("-1e9", "-1e9", "-1e9"),
            ("-1e4", "-1e4 added", "加 -1e4"),
            ("-1e-9", "-1e-9 added", "加 -1e-9"),
            ("0", "0", "0"),
            ("after-softmax", "after softmax", "softmax 之后"),
        ),
        Parameter("queries", Label("queries T", "查询数 T"), 5, 1, MOST),
        Parameter("keys", Label("keys S", "键数 S"), 5, 1, MOST),
        Parameter("changed", Label("changed token (from 0)", "被改动的词元（从 0 数）"), 4, 0, MOST - 1),
        choice("fully_masked", Label("first query sees nothing", "首个查询什么都看不到"), ("no", "no", "否"), ("yes", "yes", "是")),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "heatmap",
            ("unmasked_weights", "weights_as_filled"),
            caption=Label(
                "What a query may not see has to be blank (·), and what is left has to sum to 1 again.",
                "查询不该看的格子必须是空的（·），剩下的权重必须重新加到 1。",
            ),
        ),
        ALIGNMENT_FIGURE,
        Figure("bars", ("unmasked_leak", "leak")),
        Figure("heatmap", ("output_change",)),
        Figure("heatmap", ("mask", "weights")),
        Figure("heatmap", ("scores", "masked_scores")),
    ),
    arms=("unmasked_leak", "leak"),
    presets=(
        Preset(
            Label("masked after softmax", "softmax 之后才掩"),
            {"fill": "after-softmax"},
            Label(
                "The cells are blank, but rows no longer sum to 1, and a later token still moves earlier outputs.",
                "格子是空的，但行和不再是 1；改后面的词元，前面的输出仍然会变。",
            ),
            "row_sum_min < 0.9 and leak > 0.01",
        ),
        Preset(
            Label("-1e-9 for -1e9", "把 -1e9 写成 -1e-9"),
            {"fill": "-1e-9"},
            Label(
                "One minus sign too many: nothing is masked, and every row still sums to 1.",
                "多了一个负号：什么都没掩住，而每一行照样加到 1。",
            ),
            "masked_weight > 0.1 and row_sum_min > 0.999",
        ),
        ALIGNMENT_PRESET,
    ),
    run=run,
)
