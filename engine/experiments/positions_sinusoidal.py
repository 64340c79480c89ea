"""A shift by k is the same rotation of every sinusoidal position, not a sum; the scores of a layer change with the shift all the same."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, names, number
from engine.result import Matrix, Quantity, Result, Series, Table
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.absolute_positions import BASE, absolute_scores, shift_matrix, sinusoidal, wavelengths

TOKENS, SHOWN = 6, 8
FAR = 200  # distances on the x axis
PLACES = 1000  # positions over which a dot product is compared
DISTANCE = Label("distance k", "距离 k")
EMBEDDED, PIECES = 100, 30_000  # embeddings that are measured, pieces of a vocabulary


def run(*, width: int, position: int, distance: int, shift: int, seed: int) -> Result:
    table = sinusoidal(torch.arange(PLACES + FAR), width)  # (P, D)
    at, further, there = table[position], table[distance], table[position + distance]
    dots = table[0] @ table[:FAR].T  # (FAR,)
    return Result(
        quantities=(
            wrong("sum_error", number((at + further - there).norm()), "|PE(p) + PE(k) - PE(p + k)|", "|PE(p) + PE(k) − PE(p + k)|"),
            right(
                "turn_error",
                number((shift_matrix(distance, width) @ at - there).norm()),
                "|M_k PE(p) - PE(p + k)|",
                "|M_k PE(p) − PE(p + k)|",
            ),
            measured("norm", number(at.norm()), "|PE(p)| = √(D/2)", "|PE(p)| = √(D/2)"),
            measured("dot_at_distance", number(at @ there), "PE(p)·PE(p + k)", "PE(p)·PE(p + k)"),
            measured(
                "dot_spread",
                number((table[:PLACES] * table[distance : distance + PLACES]).sum(-1).std()),
                "its spread over 1000 positions p",
                "它在 1000 个位置 p 上的标准差",
            ),
            measured(
                "rises", number((dots.diff() > 0).sum()), "steps of 199 in which PE(0)·PE(k) rises", "199 步中 PE(0)·PE(k) 上升的步数"
            ),
            measured("shortest_wavelength", number(wavelengths(width)[0]), "shortest wavelength", "最短波长"),
            measured("longest_wavelength", number(wavelengths(width)[-1]), "longest wavelength", "最长波长"),
            *_beside_embeddings(width, seed),
            *_shifted(table, width, shift, seed),
        ),
        matrices=_matrices(distance),
        series=_curves(dots, width),
        tables=(_terms(table[:TOKENS], seed),),
        notes=_notes(shift),
    )


def draw(width: int, seed: int) -> tuple[Tensor, Tensor, Tensor]:
    """Tokens (T, D), and W_Q, W_K (D, D) that keep a vector's size."""
    generator = torch.Generator().manual_seed(seed)
    tokens = torch.randn(TOKENS, width, generator=generator, dtype=torch.float64) / math.sqrt(2)  # about as long as PE
    W_Q, W_K = (torch.randn(width, width, generator=generator, dtype=torch.float64) / math.sqrt(width) for _ in range(2))
    return tokens, W_Q, W_K


def _beside_embeddings(width: int, seed: int) -> tuple[Quantity, ...]:
    """Why embeddings of spread 1/√D are multiplied by √D: else positions, which are √(D/2) long, would drown them."""
    rows = torch.randn(EMBEDDED, width, generator=torch.Generator().manual_seed(seed), dtype=torch.float64) / math.sqrt(width)
    length = number(rows.norm(dim=-1).mean())
    return (
        wrong("embedding_length", length, "length of an embedding from N(0, 1/D)", "取自 N(0, 1/D) 的嵌入的长度"),
        right("scaled_embedding_length", math.sqrt(width) * length, "... times √D", "……乘 √D"),
        measured(
            "xavier_variance", 2 / (PIECES + width), f"variance by Xavier's rule, {PIECES} x D", f"按 Xavier 规则的方差，{PIECES} × D"
        ),
        measured("needed_variance", 1 / width, "1/D", "1/D"),
    )


def _shifted(table: Tensor, width: int, shift: int, seed: int) -> tuple[Quantity, ...]:
    """The same tokens read at 0, 1, 2 ... and at shift, shift + 1 ...: what changes in their scores."""
    X, W_Q, W_K = draw(width, seed)
    here, moved = table[:TOKENS], table[shift : shift + TOKENS]

    def change(tokens: Tensor, left: Tensor, right_: Tensor) -> float:
        before, after = (absolute_scores(tokens @ left, tokens @ right_, places @ left, places @ right_) for places in (here, moved))
        return number((after - before).abs().max()) / math.sqrt(width)

    nothing, same = torch.zeros_like(X), torch.eye(width, dtype=torch.float64)
    return (
        wrong("shifted_scores_change", change(X, W_Q, W_K), "scores change when everything shifts", "整体平移后分数的变化"),
        right("shifted_dots_change", change(nothing, same, same), "positions alone, no W_Q and W_K", "只看位置、不乘 W_Q 与 W_K"),
        measured(
            "shifted_projected_change", change(nothing, W_Q, W_K), "positions alone, through W_Q and W_K", "只看位置、乘上 W_Q 与 W_K"
        ),
    )


def _matrices(distance: int) -> tuple[Matrix, ...]:
    """At D = 8, so that each cell can be read; a cell of the shifted positions opens into its two terms."""
    encoding = sinusoidal(torch.arange(TOKENS), SHOWN)
    turn = shift_matrix(distance, SHOWN).T
    places, dimensions = names("p", TOKENS), names("", SHOWN)
    formula = r"PE(p)_{2i} = \sin\left(\frac{p}{10000^{2i/D}}\right)"
    return (
        Matrix("encoding", grid(encoding), Label("positions at D = 8", "D = 8 的位置编码"), places, dimensions, formula),
        Matrix(
            "encoding_shifted",
            grid(encoding @ turn),
            Label("k positions further", "后移 k 个位置"),
            places,
            dimensions,
            r"PE(p + k) = M_k PE(p)",
            product_of=("encoding", "turn"),
        ),
        Matrix(
            "turn",
            grid(turn),
            Label("M_k, transposed: one rotation a pair", "M_k 的转置：每对维度一个旋转"),
            dimensions,
            dimensions,
            r"M_k^\top",
        ),
        Matrix(
            "dots",
            grid(encoding @ encoding.T),
            Label("dot products: equal along diagonals", "点积：沿对角线相等"),
            places,
            places,
            r"PE\, PE^\top",
            product_of=("encoding", "encoding_T"),
        ),
        Matrix("encoding_T", grid(encoding.T), Label("positions, transposed", "位置编码的转置"), dimensions, places, r"PE^\top"),
    )


def _curves(dots: Tensor, width: int) -> tuple[Series, ...]:
    pairs = tuple(map(float, range(1, width // 2 + 1)))
    lengths = tuple(math.log10(number(each)) for each in wavelengths(width))
    return (
        Series(
            "dot_over_distance",
            tuple(map(float, range(FAR))),
            tuple(dots.tolist()),
            Label("PE(p)·PE(p + k): not monotone", "PE(p)·PE(p + k)：并不单调"),
            DISTANCE,
            "dot",
        ),
        Series(
            "log10_wavelength_over_pair",
            pairs,
            lengths,
            Label("log10 of the wavelength", "波长的 log10"),
            Label("pair of dimensions", "第几对维度"),
            "wavelength",
        ),
    )


def _terms(places: Tensor, seed: int) -> Table:
    """(x + p)·(y + r) = x·y + x·r + p·y + p·r, through W_Q and W_K: how large each part is."""
    X, W_Q, W_K = draw(places.shape[1], seed)
    parts = {"x": (X @ W_Q, X @ W_K), "p": (places @ W_Q, places @ W_K)}

    def size(left: str, right_: str) -> float:
        return number((parts[left][0] @ parts[right_][1].T).square().mean().sqrt()) / math.sqrt(places.shape[1])

    rows = (
        (Label("token with token", "词与词"), size("x", "x")),
        (Label("token with position", "词与位置"), size("x", "p")),
        (Label("position with token", "位置与词"), size("p", "x")),
        (Label("position with position", "位置与位置"), size("p", "p")),
    )
    return Table(
        "four_terms", Label("four parts of a score", "一个分数的四部分"), (Label("part", "部分"), Label("typical size", "典型大小")), rows
    )


def _notes(shift: int) -> tuple[Label, ...]:
    still = Label("A shift by 0 changes nothing.", "平移 0 不改变任何东西。")
    return (still,) if shift == 0 else ()


def cost(*, width: int, position: int, distance: int, shift: int, seed: int) -> Cost:
    cells = (PLACES + FAR + position + distance + shift) * width
    return Cost(bytes=8 * (4 * cells + 5 * width**2), flops=30 * cells + 2 * 8 * TOKENS * 2 * width**2)


EXPERIMENT = Experiment(
    title=Label("sinusoidal positions", "正弦位置编码"),
    summary=Label(
        f"sin and cos with wavelengths from 2π to almost {BASE:g}·2π: what a shift does to them and to scores.",
        f"波长从 2π 到近 {BASE:g}·2π 的正弦与余弦：平移对编码和分数的影响。",
    ),
    parameters=(
        Parameter("width", Label("d_model", "d_model"), 512, 8, 512, 2, "log"),
        Parameter("position", Label("position p", "位置 p"), 5, 0, 100),
        Parameter("distance", DISTANCE, 3, 1, 100),
        Parameter("shift", Label("shift of the whole text", "整段文本的平移"), 100, 0, 500, 10),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(sinusoidal, shift_matrix, wavelengths, absolute_scores),
    arms=("sum_error", "turn_error"),
)
