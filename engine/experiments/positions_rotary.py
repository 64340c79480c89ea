"""Rotary positions make a score depend on the distance only; they neither let it fall with the distance nor extrapolate by themselves."""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import ANY, SHARE, Curve, Grid, Walk, measured, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.absolute_positions import frequencies
from engine.textbook.longer_context import interpolated, ntk_aware, unfinished_turns, yarn, yarn_score_factor
from engine.textbook.rotary_positions import halves_from_pairs, rotate_half, rotate_interleaved

WIDEST = 128
FAR = 200
SHOWN, PAIRS = 6, 4  # tokens, pairs of dimensions that are read cell by cell


def run(*, width: int, query_position: int, key_position: int, shift: int, trained: int, stretch: float, seed: int) -> Numbers:
    generator = torch.Generator().manual_seed(seed)
    q, k = (torch.randn(WIDEST, generator=generator, dtype=torch.float64)[:width] for _ in range(2))
    each, ones = frequencies(width), torch.ones(width, dtype=torch.float64)
    m, n, m_shifted, n_shifted = (at * each for at in (query_position, key_position, query_position + shift, key_position + shift))
    score, shifted = dot(q, k, m, n), dot(q, k, m_shifted, n_shifted)
    by_distance = [dot(ones, ones, distance * each, 0 * each) for distance in range(FAR)]
    return {
        "score": score,
        "score_shifted": shifted,
        **layout_errors(q, k, m, n),
        "shift_change": abs(shifted - score),
        "one_sided_shift_change": abs(dot(q, k, m_shifted, n) - score),
        "norm_error": (rotate_interleaved(q, m).norm() - q.norm()).abs(),
        "rises": sum(after > before for before, after in pairwise(by_distance)),
        **stretched(width, trained, stretch),
        **cell_by_cell(q, k),
        "score_over_distance": (range(FAR), by_distance),
    }


def dot(q: Tensor, k: Tensor, at_query: Tensor, at_key: Tensor) -> float:
    """A score of q and k (d,), each turned by its own angles (d/2,)."""
    return float(rotate_interleaved(q, at_query) @ rotate_interleaved(k, at_key))


def layout_errors(q: Tensor, k: Tensor, m: Tensor, n: Tensor) -> Numbers:
    """The same q and k, made for the paper's pairs, in a library that pairs halves: as they are, and with their dimensions reordered."""
    exact = dot(q, k, m, n)
    mixed = rotate_half(q, m) @ rotate_half(k, n)
    reordered = rotate_half(halves_from_pairs(q), m) @ rotate_half(halves_from_pairs(k), n)
    return {"other_layout_error": (mixed - exact).abs(), "reordered_layout_error": (reordered - exact).abs()}


def stretched(width: int, trained: int, stretch: float) -> Numbers:
    """What position interpolation, the NTK base and YaRN make of the frequencies for a text `stretch` times as long as in training."""
    plain, pi, ntk = frequencies(width), interpolated(width, stretch), ntk_aware(width, stretch)
    by_parts = yarn(width, stretch, trained)
    slow = plain * trained < 2 * torch.pi

    def unseen(each: Tensor) -> float:
        """Pairs that never finished a turn in training and go beyond its largest angle in the stretched text."""
        return float((slow & (each * trained * stretch > plain * trained * (1 + 1e-9))).sum())

    def unchanged(each: Tensor) -> float:
        return float((each > plain * (1 - 1e-9)).sum())

    pairs = range(width // 2)
    return {
        "frequencies": width // 2,
        "unfinished": unfinished_turns(plain, trained),
        "unseen_plain": unseen(plain),
        "unseen_interpolated": unseen(pi),
        "unseen_ntk": unseen(ntk),
        "unseen_yarn": unseen(by_parts),
        "pi_first_ratio": pi[0] / plain[0],
        "ntk_first_ratio": ntk[0] / plain[0],
        "ntk_last_ratio": ntk[-1] / plain[-1],
        "yarn_last_ratio": by_parts[-1] / plain[-1],
        "kept_pi": unchanged(pi),
        "kept_ntk": unchanged(ntk),
        "kept_yarn": unchanged(by_parts),
        "yarn_scores_times": yarn_score_factor(stretch),
        "pi_ratio_over_pair": (pairs, pi / plain),
        "ntk_ratio_over_pair": (pairs, ntk / plain),
        "yarn_ratio_over_pair": (pairs, by_parts / plain),
    }


def cell_by_cell(q: Tensor, k: Tensor) -> Numbers:
    """One q and one k at every position, and the angles of a narrow head."""
    positions = torch.arange(SHOWN)
    angles = positions[:, None] * frequencies(len(q))  # (6, d/2)
    turned_q, turned_k = (rotate_interleaved(each.expand(SHOWN, -1), angles) for each in (q, k))
    return {"same_pair_scores": turned_q @ turned_k.T, "angles": positions[:, None] * frequencies(2 * PAIRS)}


PAIR = Label("pair i of dimensions", "第 i 对维度")
COUNT = (0, WIDEST // 2)  # of frequencies, one for each pair of dimensions

MEASURES = (
    measured("score", "score at positions m and n", "位置 m 与 n 的分数", within=ANY),
    measured("score_shifted", "score at positions m + shift and n + shift", "位置 m + 平移 与 n + 平移 的分数", within=ANY),
    wrong("other_layout_error", "score's error, other layout, weights as they are", "分数的误差，换了排布，权重没换"),
    right("reordered_layout_error", "score's error, other layout, weights reordered", "分数的误差，换了排布，权重也重排"),
    right("shift_change", "change of the score, both shifted", "分数的变化，两者都平移"),
    wrong("one_sided_shift_change", "change of the score, only the query shifted", "分数的变化，只平移查询"),
    measured("norm_error", "change of the query's length by its rotation", "旋转使查询长度的变化"),
    measured(
        "rises",
        "steps of 199 in which q = k = 1 scores higher further away",
        "q = k = 1 时，199 步中越远分数反而更高的步数",
        within=(0, FAR - 1),
    ),
    measured("frequencies", "frequencies of a head", "一个头的频率个数", within=COUNT),
    measured("unfinished", "frequencies that never finish a turn in training", "训练长度内转不满一圈的频率数", within=COUNT),
    wrong(
        "unseen_plain",
        "pairs at unseen angles in the longer text, unchanged",
        "更长文本中角度没见过的维度对，不处理",
        within=COUNT,
    ),
    right(
        "unseen_interpolated",
        "pairs at unseen angles in the longer text, interpolation",
        "更长文本中角度没见过的维度对，位置插值",
        within=COUNT,
    ),
    measured("unseen_ntk", "pairs at unseen angles in the longer text, NTK base", "更长文本中角度没见过的维度对，NTK 换底", within=COUNT),
    right("unseen_yarn", "pairs at unseen angles in the longer text, YaRN", "更长文本中角度没见过的维度对，YaRN", within=COUNT),
    measured("pi_first_ratio", "first frequency, new / old, interpolation", "首个频率，新 ÷ 旧，插值", within=SHARE),
    measured("ntk_first_ratio", "first frequency, new / old, NTK base", "首个频率，新 ÷ 旧，NTK 换底", within=SHARE),
    measured("ntk_last_ratio", "last frequency, new / old, NTK base", "末个频率，新 ÷ 旧，NTK 换底", within=SHARE),
    measured("yarn_last_ratio", "last frequency, new / old, YaRN", "末个频率，新 ÷ 旧，YaRN", within=SHARE),
    measured("kept_pi", "pairs at their old speed, interpolation", "转速不变的维度对，插值", within=COUNT),
    measured("kept_ntk", "pairs at their old speed, NTK base", "转速不变的维度对，NTK 换底", within=COUNT),
    measured("kept_yarn", "pairs at their old speed, YaRN", "转速不变的维度对，YaRN", within=COUNT),
    measured("yarn_scores_times", "YaRN multiplies scores with (0.1·ln s + 1)²", "YaRN 给分数乘 (0.1·ln s + 1)²", within=(1, 2)),
    Grid(
        "same_pair_scores",
        Label("one q and one k at all positions: equal along diagonals", "同一个 q 与 k 放在所有位置：沿对角线相等"),
        "p{0}",
        "p{0}",
        r"q^\top R_{n-m} k",
    ),
    Grid("angles", Label("angles at d = 8, in radians", "d = 8 的角度（弧度）"), "p{0}", "{0}", r"m \theta_i", "magnitude"),
    Curve("score_over_distance", Label("score of q = k = 1", "q = k = 1 的分数"), Label("distance", "距离"), "distance"),
    Curve("pi_ratio_over_pair", Label("frequency, new / old, interpolation", "频率，新 ÷ 旧，插值"), PAIR, "stretch"),
    Curve("ntk_ratio_over_pair", Label("frequency, new / old, NTK base", "频率，新 ÷ 旧，NTK 换底"), PAIR, "stretch"),
    Curve("yarn_ratio_over_pair", Label("frequency, new / old, YaRN", "频率，新 ÷ 旧，YaRN"), PAIR, "stretch"),
    Walk(
        Label("one angle a pair and position", "每对维度、每个位置一个角度"),
        r"m \theta_i,\ \theta_i = 10000^{-2i/d}",
        (SHOWN, PAIRS),
        "angles",
    ),
    Walk(Label("turn the query by its position", "查询按自己的位置旋转"), r"q_m = R_m q"),
    Walk(Label("turn the key by its position", "键按自己的位置旋转"), r"k_n = R_n k"),
    Walk(
        Label("only the difference is left", "只剩下位置之差"),
        r"q_m^\top k_n = q^\top R_m^\top R_n k = q^\top R_{n-m} k",
        (SHOWN, SHOWN),
        "same_pair_scores",
    ),
)

EXPERIMENT = Experiment(
    title=Label("rotary positions (RoPE)", "旋转位置编码（RoPE）"),
    summary=Label(
        "Turn q and k by their positions: what a score sees, which layout, and longer texts.",
        "按位置旋转 q 与 k：分数看到什么、排布的坑、更长的文本。",
    ),
    keywords=("RoPE", "YaRN", "NTK", "position interpolation", "long context", "rotate half", "旋转", "插值", "长上下文", "外推"),
    parameters=(
        Parameter("width", Label("head width d", "头宽 d"), 128, 8, WIDEST, 2, "log", multiple_of=2),
        Parameter("query_position", Label("query position m", "查询位置 m"), 5, 0, 100),
        Parameter("key_position", Label("key position n", "键位置 n"), 2, 0, 100),
        Parameter("shift", Label("shift of both", "两者的平移"), 100, 0, 1000, 10),
        Parameter("trained", Label("length in training", "训练长度"), 2048, 256, 32768, 2, "log"),
        Parameter("stretch", Label("stretch s of the context", "上下文的拉伸倍数 s"), 8.0, 1.0, 32.0, 1.0),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "heatmap",
            ("same_pair_scores",),
            caption=Label(
                "Along a diagonal the score is the same: only the distance of query and key counts, not where they stand.",
                "同一条对角线上分数相同：只看查询与键的距离，不看它们站在哪里。",
            ),
        ),
        Figure("bars", ("one_sided_shift_change", "shift_change")),
        Figure("curve", ("score_over_distance",)),
        Figure("curve", ("pi_ratio_over_pair", "ntk_ratio_over_pair", "yarn_ratio_over_pair")),
        Figure("bars", ("unseen_plain", "unseen_interpolated", "unseen_ntk", "unseen_yarn")),
        Figure("bars", ("kept_pi", "kept_ntk", "kept_yarn")),
        Figure("bars", ("other_layout_error", "reordered_layout_error")),
        Figure("heatmap", ("angles",)),
        Figure("steps", ("angles", "same_pair_scores")),
    ),
    arms=("other_layout_error", "reordered_layout_error"),
    presets=(
        Preset(
            Label("both 95 further", "都往后 95"),
            {"query_position": 100, "key_position": 97},
            Label("Positions 100 and 97 for 5 and 2: the score is the same.", "位置 100 与 97，代替 5 与 2：分数完全一样。"),
            "query_position == 100 and key_position == 97 and shift_change < 1e-9",
        ),
        Preset(
            Label("trained on 256", "训练长度 256"),
            {"trained": 256},
            Label(
                "Short texts leave more pairs that never finish a turn: 38 of 64 meet angles they have not seen.",
                "训练文本短，转不满一圈的维度对就更多：64 对里有 38 对会遇到没见过的角度。",
            ),
            "unseen_plain > 30 and unseen_yarn < 1",
            show="unseen_plain",
        ),
        Preset(
            Label("no stretch", "不外推"),
            {"stretch": 1.0},
            Label(
                "At the training length nothing is unseen, and all three rules leave the frequencies as they are.",
                "在训练长度内没有没见过的角度，三种办法都不改频率。",
            ),
            "unseen_plain == 0 and kept_pi == frequencies",
            show="unseen_plain",
        ),
    ),
    run=run,
)
