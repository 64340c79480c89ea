"""KL is not symmetric: for a p of two humps far apart, the q fitted by KL(p, q) covers both, the one fitted by KL(q, p) seeks one."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import ANY, SHARE, Curve, measured, note, right, wrong
from engine.parameter import Parameter
from engine.preset import Preset
from engine.textbook.divergence import kl
from engine.textbook.losses import cross_entropy
from engine.textbook.weight_statistics import entropy

CELLS = 161  # of the axis -8 ... 8
MEANS, SPREADS = 65, 40  # that are tried for q: -4 ... 4, 0.3 ... 4.2
SINGLE = 1.35  # times the spread of one hump: a wider q lies over both
EXAMPLE = (0.7, 0.2, 0.1), (0.4, 0.3, 0.3)  # two distributions over three classes


def run(*, distance: float, share: float, spread: float) -> Numbers:
    x = torch.linspace(-8, 8, CELLS, dtype=torch.float64)
    p = share * hump(x, -distance / 2, spread) + (1 - share) * hump(x, distance / 2, spread)
    means, spreads = torch.linspace(-4, 4, MEANS, dtype=torch.float64), 0.3 + 0.1 * torch.arange(SPREADS, dtype=torch.float64)
    candidates = hump(x, means[:, None, None], spreads[:, None])  # (means, spreads, cells)
    covering, seeking = smallest(kl(p, candidates)), smallest(kl(candidates, p))
    q_covering, q_seeking = candidates[covering], candidates[seeking]
    return {
        "single": SINGLE * spread,
        "covering_forward": kl(p, q_covering),
        "covering_backward": kl(q_covering, p),
        "seeking_forward": kl(p, q_seeking),
        "seeking_backward": kl(q_seeking, p),
        "covering_mean": means[covering[0]],
        "covering_spread": spreads[covering[1]],
        "seeking_mean": means[seeking[0]],
        "seeking_spread": spreads[seeking[1]],
        "valley_covering": valley(q_covering),
        "valley_p": valley(p),
        **of_three_classes(),
        "p_over_x": (x, density(p, x)),
        "covering_over_x": (x, density(q_covering, x)),
        "seeking_over_x": (x, density(q_seeking, x)),
    }


def hump(x: Tensor, mean: Tensor | float, spread: Tensor | float) -> Tensor:
    """A normal distribution on the cells, scaled so that they sum to 1: (..., cells)."""
    return torch.softmax(-(((x - mean) / spread) ** 2) / 2, -1)


def smallest(divergences: Tensor) -> tuple[int, int]:
    """The row and the column of the least of (means, spreads)."""
    row, column = divmod(int(divergences.argmin()), divergences.shape[1])
    return row, column


def valley(q: Tensor) -> Tensor:
    """The height in the middle, of the greatest."""
    return q[CELLS // 2] / q.max()


def density(q: Tensor, x: Tensor) -> Tensor:
    return q / (x[1] - x[0])


def of_three_classes() -> Numbers:
    """Cross-entropy is entropy plus KL: with p fixed, both have the same minimum and the same gradient."""
    p, q = (torch.tensor(each, dtype=torch.float64) for each in EXAMPLE)
    return {
        "forward_example": kl(p, q),
        "backward_example": kl(q, p),
        "identity_error": cross_entropy(q.log(), p) - entropy(p) - kl(p, q),
    }


PLACE = Label("x", "x")
MEANS_TRIED, SPREADS_TRIED = (-4, 4), (0.3, 4.2)

MEASURES = (
    wrong("covering_backward", "KL(q, p) of the q fitted by KL(p, q)", "KL(q, p)：按 KL(p, q) 拟合的 q", "nats"),
    right("seeking_backward", "KL(q, p) of the q fitted by KL(q, p)", "KL(q, p)：按 KL(q, p) 拟合的 q", "nats"),
    right("covering_forward", "KL(p, q) of the q fitted by KL(p, q)", "KL(p, q)：按 KL(p, q) 拟合的 q", "nats"),
    wrong("seeking_forward", "KL(p, q) of the q fitted by KL(q, p)", "KL(p, q)：按 KL(q, p) 拟合的 q", "nats"),
    measured("covering_mean", "mean of q fitted by KL(p, q)", "均值：按 KL(p, q) 拟合的 q", within=MEANS_TRIED),
    measured("covering_spread", "std of q fitted by KL(p, q)", "标准差：按 KL(p, q) 拟合的 q", within=SPREADS_TRIED),
    measured("seeking_mean", "mean of q fitted by KL(q, p)", "均值：按 KL(q, p) 拟合的 q", within=MEANS_TRIED),
    measured("seeking_spread", "std of q fitted by KL(q, p)", "标准差：按 KL(q, p) 拟合的 q", within=SPREADS_TRIED),
    measured(
        "valley_covering",
        "height at x = 0 / greatest height, q fitted by KL(p, q)",
        "x = 0 处与最高处的高度之比：按 KL(p, q) 拟合的 q",
        within=SHARE,
    ),
    measured("valley_p", "height at x = 0 / greatest height, p", "x = 0 处与最高处的高度之比：p", within=SHARE),
    measured("forward_example", "KL(p, q) of (.7, .2, .1) and (.4, .3, .3)", "(.7, .2, .1) 与 (.4, .3, .3) 的 KL(p, q)", "nats"),
    measured("backward_example", "KL(q, p) of (.7, .2, .1) and (.4, .3, .3)", "(.7, .2, .1) 与 (.4, .3, .3) 的 KL(q, p)", "nats"),
    measured("identity_error", "cross-entropy - entropy - KL(p, q)", "交叉熵 − 熵 − KL(p, q)", "nats", ANY),
    Curve("p_over_x", Label("density, p", "密度，p"), PLACE, "densities"),
    Curve("covering_over_x", Label("density, q fitted by KL(p, q)", "密度，按 KL(p, q) 拟合的 q"), PLACE, "densities"),
    Curve("seeking_over_x", Label("density, q fitted by KL(q, p)", "密度，按 KL(q, p) 拟合的 q"), PLACE, "densities"),
    note(
        "coincide",
        "distance == 0",
        "The humps coincide: p has the shape of q, and both fits find it.",
        "两峰重合：p 与 q 形状相同，两种拟合都能找到它。",
    ),
    note(
        "same",
        "distance > 0 and covering_mean == seeking_mean and covering_spread == seeking_spread",
        "So close together p's humps are nearly one: both directions find the same q.",
        "两峰靠得太近，几乎是一个：两个方向找到同一个 q。",
    ),
    note(
        "undecided",
        "seeking_spread > single",
        "Here p's humps overlap too much to choose one: fitted by KL(q, p), too, q lies over both, {seeking_spread:.2g} wide.",
        "这里 p 的两峰重叠太多，无从挑选：按 KL(q, p) 拟合的 q 也盖住两峰，标准差 {seeking_spread:.2g}。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("KL divergence, both ways", "KL 散度的两个方向"),
    summary=Label(
        "One hump is fitted to two by either direction of KL: far apart, one covers and the other seeks.",
        "用一个峰去拟合两个峰，分别按 KL 的两个方向：相距远时一个覆盖，一个挑选。",
    ),
    keywords=("Kullback-Leibler", "relative entropy", "forward KL", "reverse KL", "mode seeking", "RLHF", "相对熵", "前向", "反向", "寻模"),
    parameters=(
        Parameter("distance", Label("distance of p's humps", "p 两峰的距离"), 5.0, 0.0, 7.0, 0.5),
        Parameter("share", Label("share of the left hump", "左峰所占比例"), 0.6, 0.1, 0.9, 0.1),
        Parameter("spread", Label("std of a hump", "每个峰的标准差"), 0.8, 0.5, 1.5, 0.1),
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "curve",
            ("p_over_x", "covering_over_x", "seeking_over_x"),
            caption=Label(
                "Fitted by KL(p, q), q covers all of p; fitted by KL(q, p) it settles on one hump as soon as they are far apart.",
                "用 KL(p, q) 去拟合，q 覆盖整个 p；用 KL(q, p) 去拟合，两峰一远，q 就只占一个峰。",
            ),
        ),
        Figure("bars", ("covering_forward", "seeking_forward")),
        Figure("bars", ("covering_backward", "seeking_backward")),
        Figure("bars", ("forward_example", "backward_example")),
    ),
    arms=("covering_backward", "seeking_backward"),
    presets=(
        Preset(
            Label("one hump", "一个峰"),
            {"distance": 0.0},
            Label("With one hump both directions agree: they are 0 and q is p.", "只有一个峰时两个方向一致：都是 0，q 就是 p。"),
            "covering_forward < 1e-9 and seeking_backward < 1e-9",
        ),
        Preset(
            Label("humps that touch", "相连的两个峰"),
            {"spread": 1.5},
            Label(
                "Without a valley between them seeking covers, too: both fits are nearly the same.",
                "中间没有谷，KL(q, p) 也会覆盖：两种拟合几乎一样。",
            ),
            "seeking_spread > 2",
        ),
        Preset(
            Label("humps far apart", "相距很远的两个峰"),
            {"distance": 7.0},
            Label(
                "KL(p, q) pays for every hump that q leaves out: 14 nats; so it puts q into the valley, where p is almost 0.",
                "KL(p, q) 会为 q 漏掉的峰付出代价：14 nats；所以它宁可把 q 摊到 p 几乎为 0 的谷里。",
            ),
            "seeking_forward > 10 and covering_spread > 3",
        ),
    ),
    run=run,
)
