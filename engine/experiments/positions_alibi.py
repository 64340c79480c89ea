"""ALiBi subtracts from each score a slope times the distance: no parameters, a window for each head that does not grow with the text."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, names, number
from engine.result import Matrix, Result, Series
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.attention import causal_mask, softmax
from engine.textbook.relative_positions import alibi_bias, alibi_slopes
from engine.textbook.weight_statistics import entropy

SHOWN = 6
QUERIES = 16  # rows that a window is averaged over
LENGTHS = tuple(2**power for power in range(4, 12))  # 16 ... 2048, the x axis
LENGTH, HEAD = Label("tokens n", "词元数 n"), Label("head", "头")


def run(*, heads: int, head: int, length: int, sigma: float, seed: int) -> Result:
    chosen = min(head, heads)
    generator = torch.Generator().manual_seed(seed)
    scores = sigma * torch.randn(QUERIES, LENGTHS[-1] * 2, generator=generator, dtype=torch.float64)
    slopes = alibi_slopes(heads)
    slope = number(slopes[chosen - 1])
    return Result(
        quantities=(
            wrong("plain_window", window(scores, length, 0.0), "tokens in use, no positions", "实际用到的词元数：无位置"),
            right("alibi_window", window(scores, length, slope), f"tokens in use, head {chosen}", f"实际用到的词元数：头 {chosen}"),
            wrong(
                "plain_growth",
                window(scores, 2 * length, 0.0) / window(scores, length, 0.0),
                "... times, in a text twice as long",
                "……文本加倍后变为几倍",
            ),
            right(
                "alibi_growth",
                window(scores, 2 * length, slope) / window(scores, length, slope),
                f"... times, head {chosen}",
                f"……头 {chosen}",
            ),
            measured("slope", slope, f"slope of head {chosen}", f"头 {chosen} 的斜率"),
            measured("first_slope", number(slopes[0]), "slope of the first head", "首个头的斜率"),
            measured("last_slope", number(slopes[heads - 1]), "slope of the last head", "末个头的斜率"),
            measured("shift_change", shift_change(heads, length), "change of the bias when everything shifts", "整体平移后偏置的变化"),
            measured("parameters", 0, "learned numbers", "要学习的参数量"),
            measured("half_distance", math.log(2) / slope, "distance that halves a weight", "权重减半的距离"),
        ),
        matrices=_matrices(heads, chosen, scores),
        series=_curves(scores, slopes, slope, heads, chosen),
        notes=_notes(heads, head),
    )


def window(scores: Tensor, length: int, slope: float) -> float:
    """e to the entropy of the weights on `length` tokens: as many as would share the weight if all had the same."""
    bias = -slope * torch.arange(length - 1, -1, -1, dtype=torch.float64)  # what the last query gives each key
    return math.exp(entropy(softmax(scores[:, -length:] + bias)))


def shift_change(heads: int, length: int) -> float:
    """Among the last tokens of a longer text the bias is that of the text alone."""
    count = min(length, SHOWN)
    return number((alibi_bias(heads, count, length)[:, :, -count:] - alibi_bias(heads, count, count)).abs().max())


def _matrices(heads: int, chosen: int, scores: Tensor) -> tuple[Matrix, ...]:
    queries, keys = names("q", SHOWN), names("k", SHOWN)
    mask = causal_mask(SHOWN, SHOWN)
    bias = alibi_bias(heads, SHOWN, SHOWN)[chosen - 1]
    label = Label(f"bias of head {chosen}", f"头 {chosen} 的偏置")
    few = scores[:SHOWN, :SHOWN]
    return (
        Matrix("bias", grid(bias.masked_fill(~mask, -math.inf)), label, queries, keys, r"-m (i - j)"),
        Matrix(
            "weights_alibi",
            grid(softmax(few + bias, mask)),
            Label("weights with the bias", "加偏置的权重"),
            queries,
            keys,
            r"\mathrm{softmax}(S - m (i - j))",
            "weights",
            arm="right",
        ),
        Matrix(
            "weights_plain",
            grid(softmax(few, mask)),
            Label("weights without it", "不加偏置的权重"),
            queries,
            keys,
            r"\mathrm{softmax}(S)",
            "weights",
            arm="wrong",
        ),
    )


def _curves(scores: Tensor, slopes: Tensor, slope: float, heads: int, chosen: int) -> tuple[Series, ...]:
    x = tuple(map(float, LENGTHS))
    plain, alibi = tuple(window(scores, n, 0.0) for n in LENGTHS), tuple(window(scores, n, slope) for n in LENGTHS)
    by_head = tuple(-math.log2(number(each)) for each in slopes)
    return (
        Series(
            "plain_window_over_length",
            x,
            plain,
            Label("tokens in use, no positions", "用到的词元数，无位置"),
            LENGTH,
            "window",
            True,
            "wrong",
        ),
        Series(
            "alibi_window_over_length",
            x,
            alibi,
            Label(f"tokens in use, head {chosen}", f"用到的词元数，头 {chosen}"),
            LENGTH,
            "window",
            True,
            "right",
        ),
        Series(
            "log2_inverse_slope_over_head",
            tuple(map(float, range(1, heads + 1))),
            by_head,
            Label("-log2 of the slope", "斜率的 −log2"),
            HEAD,
            "slopes",
        ),
    )


def _notes(heads: int, head: int) -> tuple[Label, ...]:
    clamped = Label(f"There is no head {head}; head {heads} is shown.", f"没有第 {head} 个头，显示的是头 {heads}。")
    uneven = Label("No power of two: the missing slopes are taken from between.", "头数不是 2 的幂：缺的斜率从中间补。")
    return tuple(note for applies, note in ((head > heads, clamped), (heads & (heads - 1) != 0, uneven)) if applies)


def cost(*, heads: int, head: int, length: int, sigma: float, seed: int) -> Cost:
    cells = QUERIES * max(2 * LENGTHS[-1], 2 * length)
    return Cost(bytes=8 * (5 * cells + 3 * heads * SHOWN * length), flops=30 * 40 * cells)


EXPERIMENT = Experiment(
    title=Label("ALiBi", "ALiBi"),
    summary=Label(
        "A straight penalty for distance, one slope a head, on random scores.", "对距离的线性惩罚，每个头一个斜率，作用在随机分数上。"
    ),
    parameters=(
        Parameter("heads", Label("heads h", "头数 h"), 8, 1, 16),
        Parameter("head", HEAD, 3, 1, 16),
        Parameter("length", LENGTH, 256, LENGTHS[0], 1024, 2, "log"),
        Parameter("sigma", Label("spread of the scores", "分数的标准差"), 1.0, 0.0, 5.0, 0.5),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(alibi_slopes, alibi_bias),
    arms=("plain_window", "alibi_window"),
)
