"""KL is not symmetric: fitted by KL(p, q) one hump covers both of p's, fitted by KL(q, p) it seeks one of them."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import ANY, SHARE, Curve, measured, note, right, wrong
from engine.parameter import Parameter
from engine.textbook.divergence import kl
from engine.textbook.losses import cross_entropy
from engine.textbook.weight_statistics import entropy

CELLS = 161  # of the axis -8 ... 8
MEANS, SPREADS = 65, 40  # that are tried for q: -4 ... 4, 0.3 ... 4.2
EXAMPLE = (0.7, 0.2, 0.1), (0.4, 0.3, 0.3)  # two distributions over three classes


def run(*, distance: float, share: float, spread: float) -> Numbers:
    x = torch.linspace(-8, 8, CELLS, dtype=torch.float64)
    p = share * hump(x, -distance / 2, spread) + (1 - share) * hump(x, distance / 2, spread)
    means, spreads = torch.linspace(-4, 4, MEANS, dtype=torch.float64), 0.3 + 0.1 * torch.arange(SPREADS, dtype=torch.float64)
    candidates = hump(x, means[:, None, None], spreads[:, None])  # (means, spreads, cells)
    covering, seeking = smallest(kl(p, candidates)), smallest(kl(candidates, p))
    q_covering, q_seeking = candidates[covering], candidates[seeking]
    return {
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
        "coincide": distance == 0,
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
    wrong("covering_backward", "q fitted by KL(p, q): its KL(q, p)", "按 KL(p, q) 拟合的 q：它的 KL(q, p)", "nats"),
    right("seeking_backward", "q fitted by KL(q, p): its KL(q, p)", "按 KL(q, p) 拟合的 q：它的 KL(q, p)", "nats"),
    right("covering_forward", "q fitted by KL(p, q): its KL(p, q)", "按 KL(p, q) 拟合的 q：它的 KL(p, q)", "nats"),
    wrong("seeking_forward", "q fitted by KL(q, p): its KL(p, q)", "按 KL(q, p) 拟合的 q：它的 KL(p, q)", "nats"),
    measured("covering_mean", "q by KL(p, q): mean", "按 KL(p, q)：均值", within=MEANS_TRIED),
    measured("covering_spread", "... spread", "……标准差", within=SPREADS_TRIED),
    measured("seeking_mean", "q by KL(q, p): mean", "按 KL(q, p)：均值", within=MEANS_TRIED),
    measured("seeking_spread", "... spread", "……标准差", within=SPREADS_TRIED),
    measured("valley_covering", "q by KL(p, q): height between the humps", "按 KL(p, q)：两峰之间的高度", within=SHARE),
    measured("valley_p", "p: height between the humps", "p：两峰之间的高度", within=SHARE),
    measured("forward_example", "KL(p, q) of (.7, .2, .1) and (.4, .3, .3)", "(.7, .2, .1) 与 (.4, .3, .3) 的 KL(p, q)", "nats"),
    measured("backward_example", "KL(q, p) of the same", "同一对的 KL(q, p)", "nats"),
    measured("identity_error", "cross-entropy - entropy - KL(p, q)", "交叉熵 − 熵 − KL(p, q)", "nats", ANY),
    Curve("p_over_x", Label("p, two humps", "p，两个峰"), PLACE, "densities"),
    Curve("covering_over_x", Label("q fitted by KL(p, q)", "按 KL(p, q) 拟合的 q"), PLACE, "densities"),
    Curve("seeking_over_x", Label("q fitted by KL(q, p)", "按 KL(q, p) 拟合的 q"), PLACE, "densities"),
    note(
        "coincide",
        "The humps coincide: p has the shape of q, and both fits find it.",
        "两峰重合：p 与 q 形状相同，两种拟合都能找到它。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("KL divergence, both ways", "KL 散度的两个方向"),
    summary=Label(
        "One hump is fitted to two by either direction of KL: one covers, the other seeks.",
        "用一个峰去拟合两个峰，分别按 KL 的两个方向：一个覆盖，一个挑选。",
    ),
    parameters=(
        Parameter("distance", Label("distance of p's humps", "p 两峰的距离"), 5.0, 0.0, 7.0, 0.5),
        Parameter("share", Label("share of the left hump", "左峰所占比例"), 0.6, 0.1, 0.9, 0.1),
        Parameter("spread", Label("spread of a hump", "每个峰的标准差"), 0.8, 0.5, 1.5, 0.1),
    ),
    measures=MEASURES,
    figures=(
        Figure("curve", ("p_over_x", "covering_over_x", "seeking_over_x")),
        Figure("bars", ("covering_forward", "seeking_forward")),
        Figure("bars", ("covering_backward", "seeking_backward")),
        Figure("bars", ("forward_example", "backward_example")),
    ),
    arms=("covering_backward", "seeking_backward"),
    run=run,
)
