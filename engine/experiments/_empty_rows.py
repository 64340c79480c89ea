"""Part of attention_mask: what the numbers of rows that may see no key are called. 0/0 is NaN, and spreads."""

from __future__ import annotations

from engine.measures import SHARE, YES_OR_NO, measured, right, wrong

MOST = 8  # queries

EMPTY_ROWS = (
    measured("fully_masked_rows", "rows that may see no key", "没有可见键的行数", within=(0, MOST)),
    measured("fully_masked_row_sum", "largest row sum, rows that may see no key", "最大的行和（没有可见键的行）", within=SHARE),
    measured(
        "fully_masked_nan",
        "rows that may see no key: torch.softmax gives NaN (1 = yes)",
        "没有可见键的行：torch.softmax 得 NaN（1 = 是）",
        within=YES_OR_NO,
    ),
    right(
        "sdpa_nan",
        "scaled_dot_product_attention gives NaN there (1 = yes)",
        "scaled_dot_product_attention 得到 NaN（1 = 是）",
        within=YES_OR_NO,
    ),
    wrong("multihead_nan", "nn.MultiheadAttention gives NaN there (1 = yes)", "nn.MultiheadAttention 得到 NaN（1 = 是）", within=YES_OR_NO),
    right(
        "multihead_without_weights_nan",
        "nn.MultiheadAttention, need_weights=False: NaN there (1 = yes)",
        "nn.MultiheadAttention，need_weights=False：NaN（1 = 是）",
        within=YES_OR_NO,
    ),
    measured("rows_nan", "usual softmax, left padding: NaN share of the outputs", "普通 softmax、左填充：NaN 输出的比例", within=SHARE),
    measured(
        "next_layer_rows_nan",
        "usual softmax, left padding: NaN share one layer on",
        "普通 softmax、左填充：下一层 NaN 输出的比例",
        within=SHARE,
    ),
    right(
        "query_gradient_nan",
        "NaN share of W_Q's gradient, those rows not in the loss",
        "W_Q 梯度中 NaN 的比例，损失不含这些行",
        within=SHARE,
    ),
    wrong(
        "value_gradient_nan",
        "NaN share of W_V's gradient, those rows not in the loss",
        "W_V 梯度中 NaN 的比例，损失不含这些行",
        within=SHARE,
    ),
)
