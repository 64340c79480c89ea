"""KL is not symmetric: fitted by KL(p, q) one hump covers both of p's, fitted by KL(q, p) it seeks one of them."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import number
from engine.result import Quantity, Result, Series
from engine.shorthand import measured, right, wrong
from engine.textbook.divergence import kl
from engine.textbook.losses import cross_entropy
from engine.textbook.weight_statistics import entropy

CELLS = 161  # of the axis -8 ... 8
MEANS, SPREADS = 65, 40  # that are tried for q: -4 ... 4, 0.3 ... 4.2
EXAMPLE = (0.7, 0.2, 0.1), (0.4, 0.3, 0.3)  # two distributions over three classes
PLACE = Label("x", "x")


def run(*, distance: float, share: float, spread: float) -> Result:
    x = torch.linspace(-8, 8, CELLS, dtype=torch.float64)
    p = share * hump(x, -distance / 2, spread) + (1 - share) * hump(x, distance / 2, spread)
    means, spreads = torch.linspace(-4, 4, MEANS, dtype=torch.float64), 0.3 + 0.1 * torch.arange(SPREADS, dtype=torch.float64)
    candidates = hump(x, means[:, None, None], spreads[:, None])  # (means, spreads, cells)
    covering, seeking = best(kl(p, candidates)), best(kl(candidates, p))
    q_covering, q_seeking = candidates[covering], candidates[seeking]
    return Result(
        quantities=(
            wrong(
                "covering_backward",
                number(kl(q_covering, p)),
                "q fitted by KL(p, q): its KL(q, p)",
                "按 KL(p, q) 拟合的 q：它的 KL(q, p)",
                "nats",
            ),
            right(
                "seeking_backward",
                number(kl(q_seeking, p)),
                "q fitted by KL(q, p): its KL(q, p)",
                "按 KL(q, p) 拟合的 q：它的 KL(q, p)",
                "nats",
            ),
            right(
                "covering_forward",
                number(kl(p, q_covering)),
                "q fitted by KL(p, q): its KL(p, q)",
                "按 KL(p, q) 拟合的 q：它的 KL(p, q)",
                "nats",
            ),
            wrong(
                "seeking_forward",
                number(kl(p, q_seeking)),
                "q fitted by KL(q, p): its KL(p, q)",
                "按 KL(q, p) 拟合的 q：它的 KL(p, q)",
                "nats",
            ),
            *_fits(means, spreads, covering, seeking),
            measured(
                "valley_covering",
                number(q_covering[CELLS // 2] / q_covering.max()),
                "q by KL(p, q): height between the humps",
                "按 KL(p, q)：两峰之间的高度",
            ),
            measured("valley_p", number(p[CELLS // 2] / p.max()), "p: height between the humps", "p：两峰之间的高度"),
            *_identity(),
        ),
        series=_curves(x, p, q_covering, q_seeking),
        notes=_notes(distance),
    )


def hump(x: Tensor, mean: Tensor | float, spread: Tensor | float) -> Tensor:
    """A normal distribution on the cells, scaled so that they sum to 1: (..., cells)."""
    return torch.softmax(-(((x - mean) / spread) ** 2) / 2, -1)


def best(divergences: Tensor) -> tuple[int, int]:
    """Where (means, spreads) is smallest."""
    row, column = divmod(int(divergences.argmin()), divergences.shape[1])
    return row, column


def _fits(means: Tensor, spreads: Tensor, covering: tuple[int, int], seeking: tuple[int, int]) -> tuple[Quantity, ...]:
    return (
        measured("covering_mean", number(means[covering[0]]), "q by KL(p, q): mean", "按 KL(p, q)：均值"),
        measured("covering_spread", number(spreads[covering[1]]), "... spread", "……标准差"),
        measured("seeking_mean", number(means[seeking[0]]), "q by KL(q, p): mean", "按 KL(q, p)：均值"),
        measured("seeking_spread", number(spreads[seeking[1]]), "... spread", "……标准差"),
    )


def _identity() -> tuple[Quantity, ...]:
    """Cross-entropy is entropy plus KL: with p fixed, both have the same minimum and the same gradient."""
    p, q = (torch.tensor(each, dtype=torch.float64) for each in EXAMPLE)
    return (
        measured(
            "forward_example",
            number(kl(p, q)),
            "KL(p, q) of (.7, .2, .1) and (.4, .3, .3)",
            "(.7, .2, .1) 与 (.4, .3, .3) 的 KL(p, q)",
            "nats",
        ),
        measured("backward_example", number(kl(q, p)), "KL(q, p) of the same", "同一对的 KL(q, p)", "nats"),
        measured(
            "identity_error",
            number(cross_entropy(q.log(), p) - entropy(p) - kl(p, q)),
            "cross-entropy - entropy - KL(p, q)",
            "交叉熵 − 熵 − KL(p, q)",
            "nats",
        ),
    )


def _curves(x: Tensor, p: Tensor, covering: Tensor, seeking: Tensor) -> tuple[Series, ...]:
    places, cell = tuple(x.tolist()), number(x[1] - x[0])

    def density(name: str, values: Tensor, en: str, zh: str) -> Series:
        return Series(name, places, tuple((values / cell).tolist()), Label(en, zh), PLACE, "densities")

    return (
        density("p_over_x", p, "p, two humps", "p，两个峰"),
        density("covering_over_x", covering, "q fitted by KL(p, q)", "按 KL(p, q) 拟合的 q"),
        density("seeking_over_x", seeking, "q fitted by KL(q, p)", "按 KL(q, p) 拟合的 q"),
    )


def _notes(distance: float) -> tuple[Label, ...]:
    one = Label("The humps coincide: p has the shape of q, and both fits find it.", "两峰重合：p 与 q 形状相同，两种拟合都能找到它。")
    return (one,) if distance == 0 else ()


def cost(*, distance: float, share: float, spread: float) -> Cost:
    return Cost(bytes=8 * 8 * MEANS * SPREADS * CELLS, flops=60 * MEANS * SPREADS * CELLS)


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
    run=run,
    cost=cost,
    shows=(kl, cross_entropy),
    arms=("covering_backward", "seeking_backward"),
)
