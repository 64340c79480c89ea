"""Part of linear_attention: both ways to the same sums cell by cell, through n×n products and through a summary of (d, d)."""

from __future__ import annotations

from torch import Tensor

from engine.assemble import Numbers
from engine.label import Label
from engine.measures import Grid, Measure
from engine.textbook.linear_attention import features, summary_first


def brackets(Q: Tensor, K: Tensor, V: Tensor) -> Numbers:
    """Both ways to the same sums: through n×n products, and through a summary of (d, d)."""
    phi_Q, phi_K = features(Q), features(K)
    summary = phi_K.T @ V
    return {
        "phi_Q": phi_Q,
        "phi_K_T": phi_K.T,
        "V": V,
        "products": phi_Q @ phi_K.T,
        "summary": summary,
        "read": phi_Q @ summary,
        "output": summary_first(Q, K, V),
    }


BRACKET_GRIDS: tuple[Measure, ...] = (
    Grid("phi_Q", Label("features of the queries", "查询的特征"), rows="q{1}", columns="{1}", formula=r"\phi(Q)"),
    Grid("phi_K_T", Label("features of the keys, transposed", "键的特征，转置"), rows="{1}", columns="k{1}", formula=r"\phi(K)^\top"),
    Grid("V", Label("values", "值"), rows="v{1}", columns="{1}", formula="V"),
    Grid(
        "products",
        Label("n×n products", "n×n 的乘积"),
        rows="q{1}",
        columns="k{1}",
        formula=r"\phi(Q)\phi(K)^\top",
        product_of=("phi_Q", "phi_K_T"),
    ),
    Grid(
        "summary",
        Label("summary of all tokens", "所有词元的摘要"),
        rows="{1}",
        columns="{1}",
        formula=r"\phi(K)^\top V",
        product_of=("phi_K_T", "V"),
    ),
    Grid(
        "read",
        Label("the summary, read by every query", "每个查询读摘要"),
        rows="q{1}",
        columns="{1}",
        formula=r"\phi(Q)(\phi(K)^\top V)",
        product_of=("phi_Q", "summary"),
    ),
    Grid("output", Label("outputs, after division by the row sums", "输出，除以行和之后"), rows="o{1}", columns="{1}", formula="O"),
)
