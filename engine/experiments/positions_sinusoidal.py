"""A shift by k is the same rotation of every sinusoidal position, not a sum; the scores of a layer change with the shift all the same."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.experiments._shifted_text import SHIFTED_TEXT_MEASURES, TOKENS, four_terms, shifted_text
from engine.experiments._sinusoidal_matrices import POSITION_GRIDS, matrices
from engine.figures import Figure
from engine.label import Label
from engine.measures import Curve, Measure, measured, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.absolute_positions import BASE, shift_matrix, sinusoidal, wavelengths

NARROW, WIDE = 8, 512  # d_model, at its ends
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


DISTANCE = Label("distance k", "距离 k")
SHORT, LONG = math.sqrt(NARROW / 2), math.sqrt(WIDE / 2)  # |PE| = √(D/2)

MEASURES: tuple[Measure, ...] = (
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
    *SHIFTED_TEXT_MEASURES,
    *POSITION_GRIDS,
    Curve("dot_over_distance", Label("PE(p)·PE(p + k)", "PE(p)·PE(p + k)"), DISTANCE, "dot"),
    Curve(
        "log10_wavelength_over_pair",
        Label("log10 of the wavelength", "波长的 log10"),
        Label("pair i of dimensions: 2i and 2i + 1", "第 i 对维度：2i 与 2i + 1"),
        "wavelength",
    ),
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
