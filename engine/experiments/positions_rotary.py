"""Rotary positions make a score depend on the distance only; they neither let it fall with the distance nor extrapolate by themselves."""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, names, number
from engine.result import Matrix, Quantity, Result, Series, Step
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.absolute_positions import frequencies
from engine.textbook.longer_context import interpolated, ntk_aware, unfinished_turns, yarn, yarn_score_factor
from engine.textbook.rotary_positions import halves_from_pairs, rotate_half, rotate_interleaved

WIDEST = 128
FAR = 200
SHOWN, PAIRS = 6, 4  # tokens, pairs of dimensions that are read cell by cell
STRETCH = Label("stretch s of the context", "上下文的拉伸倍数 s")
DISTANCE = Label("distance", "距离")
PAIR = Label("pair of dimensions", "第几对维度")


def run(*, width: int, query_position: int, key_position: int, shift: int, trained: int, stretch: float, seed: int) -> Result:
    generator = torch.Generator().manual_seed(seed)
    q, k = (torch.randn(WIDEST, generator=generator, dtype=torch.float64)[:width] for _ in range(2))
    each = frequencies(width)
    at = torch.tensor([query_position, key_position, query_position + shift, key_position + shift])
    angles = at[:, None] * each  # (4, d/2)
    score, shifted = dot(q, k, angles[0], angles[1]), dot(q, k, angles[2], angles[3])
    ones = torch.ones(width, dtype=torch.float64)
    falling = tuple(dot(ones, ones, distance * each, 0 * each) for distance in range(FAR))
    return Result(
        quantities=(
            measured("score", score, "score at m and n", "位置 m 与 n 的分数"),
            measured("score_shifted", shifted, "score at m + shift and n + shift", "都平移之后的分数"),
            *_layouts(q, k, angles),
            right("shift_change", abs(shifted - score), "change of the score with the shift", "平移引起的分数变化"),
            wrong(
                "one_sided_shift_change", abs(dot(q, k, angles[2], angles[1]) - score), "... when only the query moves", "……只移动查询时"
            ),
            measured(
                "norm_error",
                number((rotate_interleaved(q, angles[0]).norm() - q.norm()).abs()),
                "change of a vector's length",
                "向量长度的变化",
            ),
            measured(
                "rises",
                sum(after > before for before, after in pairwise(falling)),
                "steps of 199 in which q = k = 1 scores higher further away",
                "q = k = 1 时，199 步中越远分数反而更高的步数",
            ),
            *_stretched(width, trained, stretch),
        ),
        matrices=_matrices(q, k),
        series=_curves(falling, width, stretch, trained),
        steps=STEPS,
    )


def dot(q: Tensor, k: Tensor, at_query: Tensor, at_key: Tensor) -> float:
    """A score of q and k (d,), each turned by its own angles (d/2,)."""
    return number(rotate_interleaved(q, at_query) @ rotate_interleaved(k, at_key))


def _layouts(q: Tensor, k: Tensor, angles: Tensor) -> tuple[Quantity, ...]:
    """The same q and k, made for the paper's pairs, in a library that pairs halves: as they are, and with their dimensions reordered."""
    exact = dot(q, k, angles[0], angles[1])
    mixed = rotate_half(q, angles[0]) @ rotate_half(k, angles[1])
    reordered = rotate_half(halves_from_pairs(q), angles[0]) @ rotate_half(halves_from_pairs(k), angles[1])
    return (
        wrong("other_layout_error", abs(number(mixed) - exact), "error: other layout, weights as they are", "误差：换了排布，权重没换"),
        right(
            "reordered_layout_error",
            abs(number(reordered) - exact),
            "error: other layout, weights reordered",
            "误差：换了排布，权重也重排",
        ),
    )


def _stretched(width: int, trained: int, stretch: float) -> tuple[Quantity, ...]:
    plain, pi, ntk = frequencies(width), interpolated(width, stretch), ntk_aware(width, stretch)
    by_parts = yarn(width, stretch, trained)
    slow = plain * trained < 2 * torch.pi

    def unseen(each: Tensor) -> float:
        """Pairs that never finished a turn in training and go beyond its largest angle in the stretched text."""
        return number((slow & (each * trained * stretch > plain * trained * (1 + 1e-9))).sum())

    def unchanged(each: Tensor) -> float:
        return number((each > plain * (1 - 1e-9)).sum())

    return (
        measured("frequencies", width // 2, "frequencies", "频率个数"),
        measured(
            "unfinished",
            unfinished_turns(plain, trained),
            "frequencies that never finish a turn in training",
            "训练长度内转不满一圈的频率数",
        ),
        wrong(
            "unseen_plain", unseen(plain), "pairs at unseen angles in the longer text, unchanged", "更长文本中角度没见过的维度对：不处理"
        ),
        right("unseen_interpolated", unseen(pi), "... with position interpolation", "……用位置插值（PI）"),
        measured("unseen_ntk", unseen(ntk), "... with the NTK base", "……用 NTK 换底"),
        right("unseen_yarn", unseen(by_parts), "... with YaRN", "……用 YaRN"),
        measured("pi_first_ratio", number(pi[0] / plain[0]), "interpolation: first frequency times", "插值：首个频率乘"),
        measured("ntk_first_ratio", number(ntk[0] / plain[0]), "NTK base: first frequency times", "NTK 换底：首个频率乘"),
        measured("ntk_last_ratio", number(ntk[-1] / plain[-1]), "NTK base: last frequency times", "NTK 换底：末个频率乘"),
        measured("yarn_last_ratio", number(by_parts[-1] / plain[-1]), "YaRN: last frequency times", "YaRN：末个频率乘"),
        measured("kept_pi", unchanged(pi), "pairs at their old speed, interpolation", "转速不变的维度对：插值"),
        measured("kept_ntk", unchanged(ntk), "... NTK base", "……NTK 换底"),
        measured("kept_yarn", unchanged(by_parts), "... YaRN", "……YaRN"),
        measured("yarn_scores_times", yarn_score_factor(stretch), "YaRN: scores times (0.1·ln s + 1)²", "YaRN：分数乘 (0.1·ln s + 1)²"),
    )


def _matrices(q: Tensor, k: Tensor) -> tuple[Matrix, ...]:
    positions = torch.arange(SHOWN)
    angles = positions[:, None] * frequencies(len(q))  # (6, d/2)
    turned_q, turned_k = rotate_interleaved(q.expand(SHOWN, -1), angles), rotate_interleaved(k.expand(SHOWN, -1), angles)
    small = positions[:, None] * frequencies(2 * PAIRS)
    places = names("p", SHOWN)
    label = Label("one q and one k at all positions: equal along diagonals", "同一个 q 与 k 放在所有位置：沿对角线相等")
    return (
        Matrix("same_pair_scores", grid(turned_q @ turned_k.T), label, places, places, r"q^\top R_{n-m} k"),
        Matrix(
            "angles",
            grid(small),
            Label("angles at d = 8, in radians", "d = 8 的角度（弧度）"),
            places,
            names("", PAIRS),
            r"m \theta_i",
            "magnitude",
        ),
    )


def _curves(falling: tuple[float, ...], width: int, stretch: float, trained: int) -> tuple[Series, ...]:
    plain, pairs = frequencies(width), tuple(map(float, range(1, width // 2 + 1)))
    slowed = (interpolated(width, stretch), ntk_aware(width, stretch), yarn(width, stretch, trained))
    pi, ntk, by_parts = (tuple((each / plain).tolist()) for each in slowed)
    return (
        Series(
            "score_over_distance",
            tuple(map(float, range(FAR))),
            falling,
            Label("score of q = k = 1", "q = k = 1 的分数"),
            DISTANCE,
            "distance",
        ),
        Series("pi_ratio_over_pair", pairs, pi, Label("interpolation: frequency times", "插值：频率乘"), PAIR, "stretch"),
        Series("ntk_ratio_over_pair", pairs, ntk, Label("NTK base: frequency times", "NTK 换底：频率乘"), PAIR, "stretch"),
        Series("yarn_ratio_over_pair", pairs, by_parts, Label("YaRN: frequency times", "YaRN：频率乘"), PAIR, "stretch"),
    )


STEPS = (
    Step(
        Label("one angle a pair and position", "每对维度、每个位置一个角度"),
        r"m \theta_i,\ \theta_i = 10000^{-2i/d}",
        (SHOWN, PAIRS),
        "angles",
    ),
    Step(Label("turn the query by its position", "查询按自己的位置旋转"), r"q_m = R_m q"),
    Step(Label("turn the key by its position", "键按自己的位置旋转"), r"k_n = R_n k"),
    Step(
        Label("only the difference is left", "只剩下位置之差"),
        r"q_m^\top k_n = q^\top R_m^\top R_n k = q^\top R_{n-m} k",
        (SHOWN, SHOWN),
        "same_pair_scores",
    ),
)


def cost(*, width: int, query_position: int, key_position: int, shift: int, trained: int, stretch: float, seed: int) -> Cost:
    return Cost(bytes=8 * 60 * max(width, WIDEST), flops=40 * FAR * width)


EXPERIMENT = Experiment(
    title=Label("rotary positions (RoPE)", "旋转位置编码（RoPE）"),
    summary=Label(
        "Turn q and k by their positions: what a score sees, which layout, and longer texts.",
        "按位置旋转 q 与 k：分数看到什么、排布的坑、更长的文本。",
    ),
    parameters=(
        Parameter("width", Label("head width d", "头宽 d"), 128, 8, WIDEST, 2, "log"),
        Parameter("query_position", Label("query position m", "查询位置 m"), 5, 0, 100),
        Parameter("key_position", Label("key position n", "键位置 n"), 2, 0, 100),
        Parameter("shift", Label("shift of both", "两者的平移"), 100, 0, 1000, 10),
        Parameter("trained", Label("length in training", "训练长度"), 2048, 256, 32768, 2, "log"),
        Parameter("stretch", STRETCH, 8.0, 1.0, 32.0, 1.0),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(rotate_interleaved, rotate_half, halves_from_pairs, interpolated, ntk_aware, yarn),
    arms=("other_layout_error", "reordered_layout_error"),
)
