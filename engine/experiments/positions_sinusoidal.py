"""A shift by k is the same rotation of every sinusoidal position, not a sum; the scores of a layer change with the shift all the same."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import Curve, Grid, Rows, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.absolute_positions import BASE, absolute_scores, shift_matrix, sinusoidal, wavelengths

TOKENS, SHOWN = 6, 8
NARROW, WIDE = 8, 512  # d_model, at its ends
IMAGE_PLACES, IMAGE_WIDTH = 24, 32  # positions and d_model of a picture in which the waves are seen
FAR = 200  # distances on the x axis
PLACES = 1000  # positions over which a dot product is compared
EMBEDDED, PIECES = 100, 30_000  # embeddings that are measured, pieces of a vocabulary


def run(*, width: int, position: int, distance: int, shift: int, seed: int) -> Numbers:
    table = sinusoidal(torch.arange(PLACES + FAR), width)  # (P, D)
    return {
        **shifted_positions(table, width, position, distance),
        **dot_products(table, position, distance),
        **wavelengths_of(width),
        **beside_embeddings(width, seed),
        **shifted_text(table, width, shift, seed),
        **matrices(distance),
        "four_terms": four_terms(table[:TOKENS], seed),
    }


def shifted_positions(table: Tensor, width: int, position: int, distance: int) -> Numbers:
    """PE(p + k) is not PE(p) + PE(k), but M_k PE(p)."""
    at, further, there = table[position], table[distance], table[position + distance]
    return {
        "sum_error": (at + further - there).norm(),
        "turn_error": (shift_matrix(distance, width) @ at - there).norm(),
        "norm": at.norm(),
    }


def dot_products(table: Tensor, position: int, distance: int) -> Numbers:
    dots = table[0] @ table[:FAR].T  # (FAR,)
    return {
        "dot_at_distance": table[position] @ table[position + distance],
        "dot_spread": (table[:PLACES] * table[distance : distance + PLACES]).sum(-1).std(),
        "rises": float((dots.diff() > 0).sum()),
        "dot_over_distance": (range(FAR), dots),
    }


def wavelengths_of(width: int) -> Numbers:
    lengths = wavelengths(width)
    return {
        "shortest_wavelength": lengths[0],
        "longest_wavelength": lengths[-1],
        "log10_wavelength_over_pair": (range(width // 2), [math.log10(each) for each in lengths]),
    }


def beside_embeddings(width: int, seed: int) -> Numbers:
    """Why embeddings of spread 1/√D are multiplied by √D: else positions, which are √(D/2) long, would drown them."""
    rows = torch.randn(EMBEDDED, width, generator=torch.Generator().manual_seed(seed), dtype=torch.float64) / math.sqrt(width)
    length = rows.norm(dim=-1).mean()
    return {
        "embedding_length": length,
        "scaled_embedding_length": math.sqrt(width) * length,
        "xavier_variance": 2 / (PIECES + width),
        "needed_variance": 1 / width,
        "pieces": PIECES,
    }


def draw(width: int, seed: int) -> tuple[Tensor, Tensor, Tensor]:
    """Tokens (T, D), and W_Q, W_K (D, D) that keep a vector's size."""
    generator = torch.Generator().manual_seed(seed)
    tokens = torch.randn(TOKENS, width, generator=generator, dtype=torch.float64) / math.sqrt(2)  # about as long as PE
    W_Q, W_K = (torch.randn(width, width, generator=generator, dtype=torch.float64) / math.sqrt(width) for _ in range(2))
    return tokens, W_Q, W_K


def shifted_text(table: Tensor, width: int, shift: int, seed: int) -> Numbers:
    """The same tokens read at 0, 1, 2 ... and at shift, shift + 1 ...: what changes in their scores."""
    X, W_Q, W_K = draw(width, seed)
    here, moved = table[:TOKENS], table[shift : shift + TOKENS]

    def change(tokens: Tensor, left: Tensor, right_: Tensor) -> Tensor:
        before, after = (absolute_scores(tokens @ left, tokens @ right_, places @ left, places @ right_) for places in (here, moved))
        return (after - before).abs().max() / math.sqrt(width)

    nothing, same = torch.zeros_like(X), torch.eye(width, dtype=torch.float64)
    return {
        "shifted_scores_change": change(X, W_Q, W_K),
        "shifted_dots_change": change(nothing, same, same),
        "shifted_projected_change": change(nothing, W_Q, W_K),
    }


def matrices(distance: int) -> Numbers:
    """At D = 8, so that each cell can be read; a cell of the shifted positions opens into its two terms."""
    encoding, turn = sinusoidal(torch.arange(TOKENS), SHOWN), shift_matrix(distance, SHOWN).T
    many = sinusoidal(torch.arange(IMAGE_PLACES + distance), IMAGE_WIDTH)
    return {
        "waves": many[:IMAGE_PLACES],
        "waves_shifted": many[distance:],
        "encoding": encoding,
        "encoding_shifted": encoding @ turn,
        "turn": turn,
        "dots": encoding @ encoding.T,
        "encoding_T": encoding.T,
    }


def four_terms(places: Tensor, seed: int) -> list[tuple[Tensor]]:
    """(x + p)·(y + r) = x·y + x·r + p·y + p·r, through W_Q and W_K: how large each part is."""
    X, W_Q, W_K = draw(places.shape[1], seed)
    queries, keys = (X @ W_Q, places @ W_Q), (X @ W_K, places @ W_K)
    return [((query @ key.T).square().mean().sqrt() / math.sqrt(places.shape[1]),) for query in queries for key in keys]


DISTANCE = Label("distance k", "距离 k")
SHORT, LONG = math.sqrt(NARROW / 2), math.sqrt(WIDE / 2)  # |PE| = √(D/2)

MEASURES = (
    wrong("sum_error", "length of PE(p) + PE(k) - PE(p + k)", "PE(p) + PE(k) − PE(p + k) 的长度", within=(0, 3 * LONG)),
    right("turn_error", "length of M_k PE(p) - PE(p + k)", "M_k PE(p) − PE(p + k) 的长度", within=(0, 2 * LONG)),
    measured("norm", "length of PE(p), √(D/2)", "PE(p) 的长度，√(D/2)", within=(SHORT, LONG)),
    measured("dot_at_distance", "PE(p)·PE(p + k)", "PE(p)·PE(p + k)", within=(-(LONG**2), LONG**2)),
    measured("dot_spread", "std of PE(p)·PE(p + k) over 1000 positions p", "PE(p)·PE(p + k) 在 1000 个位置 p 上的标准差"),
    measured("rises", "steps of 199 in which PE(0)·PE(k) rises", "199 步中 PE(0)·PE(k) 上升的步数", within=(0, FAR - 1)),
    measured("shortest_wavelength", "shortest wavelength", "最短波长", within=(2 * math.pi, 2 * math.pi)),
    measured("longest_wavelength", "longest wavelength", "最长波长", within=(2 * math.pi, 2 * math.pi * BASE)),
    wrong("embedding_length", "mean length of an embedding from N(0, 1/D)", "取自 N(0, 1/D) 的嵌入的平均长度"),
    right("scaled_embedding_length", "mean length of an embedding from N(0, 1/D), times √D", "取自 N(0, 1/D) 的嵌入的平均长度，乘 √D"),
    measured(
        "xavier_variance",
        "variance by Xavier's rule, {pieces} x D",
        "按 Xavier 规则的方差，{pieces} × D",
        within=(2 / (PIECES + WIDE), 2 / (PIECES + NARROW)),
    ),
    measured(
        "needed_variance", "variance that embeddings of length 1 need, 1/D", "嵌入长度为 1 所需的方差，1/D", within=(1 / WIDE, 1 / NARROW)
    ),
    wrong("shifted_scores_change", "text shifted: largest change of a score", "整体平移：分数的最大变化"),
    right("shifted_dots_change", "text shifted: largest change of PE·PE, no W_Q and W_K", "整体平移：PE·PE 的最大变化，不乘 W_Q 与 W_K"),
    measured(
        "shifted_projected_change", "text shifted: largest change of PE·PE through W_Q, W_K", "整体平移：PE·PE 的最大变化，乘上 W_Q 与 W_K"
    ),
    Grid("waves", Label("positions (rows) at D = 32", "D = 32 的位置编码，每行一个位置"), rows="p{0}", columns="{0}"),
    Grid("waves_shifted", Label("k positions further", "后移 k 个位置"), rows="p{0}", columns="{0}"),
    Grid(
        "encoding",
        Label("positions at D = 8", "D = 8 的位置编码"),
        rows="p{0}",
        columns="{0}",
        formula=r"PE(p)_{2i} = \sin\left(\frac{p}{10000^{2i/D}}\right),\ PE(p)_{2i+1} = \cos\left(\frac{p}{10000^{2i/D}}\right)",
    ),
    Grid(
        "encoding_shifted",
        Label("positions k further at D = 8", "D = 8 的位置编码，后移 k 个位置"),
        rows="p{0}",
        columns="{0}",
        formula=r"PE(p + k) = M_k PE(p)",
        product_of=("encoding", "turn"),
    ),
    Grid(
        "turn",
        Label("M_k, transposed: one rotation a pair", "M_k 的转置：每对维度一个旋转"),
        rows="{0}",
        columns="{0}",
        formula=r"M_k^\top",
    ),
    Grid(
        "dots",
        Label("dot products: equal along diagonals", "点积：沿对角线相等"),
        rows="p{0}",
        columns="p{0}",
        formula=r"PE\, PE^\top",
        product_of=("encoding", "encoding_T"),
    ),
    Grid("encoding_T", Label("positions, transposed", "位置编码的转置"), rows="{0}", columns="p{0}", formula=r"PE^\top"),
    Curve("dot_over_distance", Label("PE(p)·PE(p + k)", "PE(p)·PE(p + k)"), DISTANCE, "dot"),
    Curve(
        "log10_wavelength_over_pair",
        Label("log10 of the wavelength", "波长的 log10"),
        Label("pair i of dimensions: 2i and 2i + 1", "第 i 对维度：2i 与 2i + 1"),
        "wavelength",
    ),
    Rows(
        "four_terms",
        Label("four parts of a score", "一个分数的四部分"),
        (Label("part", "部分"), Label("typical size", "典型大小")),
        rows=(
            Label("token with token", "词与词"),
            Label("token with position", "词与位置"),
            Label("position with token", "位置与词"),
            Label("position with position", "位置与位置"),
        ),
    ),
    note("still", "shift == 0", "A shift by 0 changes nothing.", "平移 0 不改变任何东西。"),
)

EXPERIMENT = Experiment(
    title=Label("sinusoidal positions", "正弦位置编码"),
    summary=Label(
        "sin and cos with wavelengths from 2π to almost 10000·2π: what a shift does to them and to scores.",
        "波长从 2π 到近 10000·2π 的正弦与余弦：平移对编码和分数的影响。",
    ),
    keywords=("sinusoids", "positional encoding", "wavelength", "sin cos", "10000", "正弦", "余弦", "波长", "位置编码"),
    parameters=(
        Parameter("width", Label("d_model", "d_model"), 512, NARROW, WIDE, 2, "log", multiple_of=2),
        Parameter("position", Label("position p", "位置 p"), 5, 0, 100),
        Parameter("distance", DISTANCE, 3, 1, 100),
        Parameter("shift", Label("shift of the whole text", "整段文本的平移"), 100, 0, 500, 10),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "waves",
            ("waves",),
            caption=Label(
                "Each row, a position, has a pattern of its own: fast waves (left) tell neighbours apart, slow ones far from near.",
                "每一行是一个位置，花纹各不相同：左边的快波区分相邻，右边的慢波区分远近。",
            ),
        ),
        Figure("bars", ("sum_error", "turn_error")),
        Figure("curve", ("dot_over_distance",), over="distance", mark="dot_at_distance"),
        Figure("heatmap", ("encoding", "turn", "encoding_shifted")),
        Figure("heatmap", ("encoding", "encoding_T", "dots")),
        Figure("bars", ("shifted_scores_change", "shifted_projected_change", "shifted_dots_change")),
        Figure("curve", ("log10_wavelength_over_pair",)),
        Figure("table", ("four_terms",)),
        Figure("waves", ("waves", "waves_shifted")),
    ),
    arms=("sum_error", "turn_error"),
    presets=(
        Preset(
            Label("100 further", "远 100"),
            {"distance": 100},
            Label(
                "A hundred positions further is still one rotation for all p; the dot product has lost half.",
                "往后一百个位置，对所有 p 仍是同一个旋转；点积少了约一半。",
            ),
            "turn_error < 1e-9 and dot_at_distance < 150",
            show="dot_over_distance",
        ),
        Preset(
            Label("d_model = 8", "d_model = 8"),
            {"width": 8},
            Label(
                "With four waves only, the dot product no longer tells near from far: it rises in 97 of 199 steps.",
                "只有四个波时，点积不再能区分远近：199 步里有 97 步在上升。",
            ),
            "rises > 80",
            show="dot_over_distance",
        ),
        Preset(
            Label("text shifted by 500", "文本平移 500"),
            {"shift": 500},
            Label(
                "PE·PE does not notice the shift; the scores do, since words and positions are added before W_Q and W_K.",
                "PE·PE 察觉不到平移；分数会变，因为词与位置是先相加再乘 W_Q、W_K 的。",
            ),
            "shift == 500 and shifted_dots_change < 1e-9 and shifted_scores_change > 0.1",
            show="shifted_scores_change",
        ),
    ),
    run=run,
)
