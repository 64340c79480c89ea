"""One head that must read two tokens loses half of what they say, whatever its weights; two heads lose nothing unless they look alike."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import SHARE, Curve, Grid, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.attention import softmax

SENTENCES = 1000
WIDTH = 4  # numbers a token says
SHARES = tuple(tick / 20 for tick in range(21))  # the x axis


def run(*, head_1: float, head_2: float, seed: int) -> Numbers:
    generator = torch.Generator().manual_seed(seed)
    said = torch.randn(SENTENCES, 2 * WIDTH, generator=generator, dtype=torch.float64)  # what token A says, what token B says
    moments = said.T @ said / SENTENCES
    one, two = lost(moments, (head_1,)), lost(moments, (head_1, head_2))
    return {
        "one_head_loss": sum(one) / 2,
        "two_heads_loss": sum(two) / 2,
        "one_head_loss_a": one[0],
        "one_head_loss_b": one[1],
        "head_weights": weights_of((head_1, head_2)),
        **losses_over_share(moments, head_2),
    }


def weights_of(shares: tuple[float, ...]) -> Tensor:
    """(h, 2): each head's weights on A and B, as the softmax of the scores ln(share) and ln(1 - share)."""
    return softmax(torch.tensor([[share, 1 - share] for share in shares], dtype=torch.float64).log())


def lost(moments: Tensor, shares: tuple[float, ...]) -> tuple[float, float]:
    """The shares of A's and of B's numbers that the best W_O cannot recover from what the heads read.

    moments (8, 8) are the second moments of what A and B say: least squares needs nothing else of the sentences.
    """
    reading = torch.kron(weights_of(shares), torch.eye(WIDTH, dtype=torch.float64))  # (h·4, 8): what the heads read of A, B
    heard = reading @ moments  # (h·4, 8)
    inverse = torch.linalg.pinv(heard @ reading.T, rtol=1e-12, hermitian=True)  # two equal heads have rank 4, not 8
    missed = moments - heard.T @ inverse @ heard
    share = missed.diag().reshape(2, WIDTH).sum(-1) / moments.diag().reshape(2, WIDTH).sum(-1)
    a, b = (abs(round(float(each), 9)) for each in share)  # beyond that is the solver's rounding
    return a, b


def losses_over_share(moments: Tensor, head_2: float) -> Numbers:
    one = [lost(moments, (share,)) for share in SHARES]
    two = [lost(moments, (share, head_2)) for share in SHARES]
    return {
        "one_head_loss_over_share": (SHARES, [sum(each) / 2 for each in one]),
        "two_heads_loss_over_share": (SHARES, [sum(each) / 2 for each in two]),
        "one_head_loss_a_over_share": (SHARES, [a for a, _ in one]),
        "one_head_loss_b_over_share": (SHARES, [b for _, b in one]),
    }


WEIGHT = Label("weight of head 1 on A", "头 1 对 A 的权重")

MEASURES = (
    wrong("one_head_loss", "share of A and B lost, mean, one head", "A 与 B 丢失的比例，平均，一个头", within=SHARE),
    right("two_heads_loss", "share of A and B lost, mean, two heads", "A 与 B 丢失的比例，平均，两个头", within=SHARE),
    wrong("one_head_loss_a", "share of A lost, one head", "A 丢失的比例，一个头", within=SHARE),
    wrong("one_head_loss_b", "share of B lost, one head", "B 丢失的比例，一个头", within=SHARE),
    Grid("head_weights", Label("weights of the two heads", "两个头的权重"), "{1}", ("A", "B"), r"P = \mathrm{softmax}(S)", "weights"),
    Curve("one_head_loss_over_share", Label("share of A and B lost, one head", "A 与 B 丢失的比例，一个头"), WEIGHT, "loss", arm="wrong"),
    Curve("two_heads_loss_over_share", Label("share of A and B lost, two heads", "A 与 B 丢失的比例，两个头"), WEIGHT, "loss", arm="right"),
    Curve("one_head_loss_a_over_share", Label("share lost with one head, of A", "一个头丢失的比例，A"), WEIGHT, "parts", arm="wrong"),
    Curve("one_head_loss_b_over_share", Label("share lost with one head, of B", "一个头丢失的比例，B"), WEIGHT, "parts", arm="wrong"),
    note(
        "alike",
        "head_1 == head_2",
        "Both heads have the same weights: two heads that look alike are one head.",
        "两个头权重相同：看法一样的两个头等于一个头。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("why more than one head", "为什么需要多个头"),
    summary=Label("A token needs to know two others; one head can only average them.", "一个词元要知道另外两个词元；一个头只能取平均。"),
    keywords=("multi-head", "why several heads", "averaging", "多头", "平均", "多个关系"),
    parameters=(
        Parameter("head_1", Label("head 1: weight on A", "头 1：对 A 的权重"), 0.9, 0.0, 1.0, 0.05),
        Parameter("head_2", Label("head 2: weight on A", "头 2：对 A 的权重"), 0.1, 0.0, 1.0, 0.05),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "curve",
            ("one_head_loss_over_share", "two_heads_loss_over_share"),
            over="head_1",
            mark="one_head_loss",
            caption=Label(
                "However one head divides its weight between A and B, half of the two is lost; two heads that differ keep both.",
                "一个头无论怎样在 A 和 B 之间分配权重，都要丢掉一半；两个不同的头能把两个都留住。",
            ),
        ),
        Figure("curve", ("one_head_loss_a_over_share", "one_head_loss_b_over_share"), over="head_1", mark="one_head_loss_a"),
        Figure("heatmap", ("head_weights",)),
        Figure("bars", ("one_head_loss", "two_heads_loss")),
    ),
    arms=("one_head_loss", "two_heads_loss"),
    presets=(
        Preset(
            Label("two equal heads", "两个相同的头"),
            {"head_1": 0.1},
            Label("Two heads that do the same are one head: half is lost again.", "两个头做同一件事，就等于一个头：又丢掉一半。"),
            "two_heads_loss > 0.4",
        ),
        Preset(
            Label("nearly equal heads", "几乎相同的头"),
            {"head_1": 0.15},
            Label("A difference of 0.05 is enough to tell A from B: nothing is lost.", "只差 0.05，就足以把 A 和 B 分开：什么都不丢。"),
            "two_heads_loss < 1e-6 and head_1 < 0.2",
        ),
        Preset(
            Label("all on A", "全给 A"),
            {"head_1": 1.0},
            Label("One head keeps A whole and loses all of B: the same half.", "一个头完整留住 A，B 全丢：还是丢一半。"),
            "one_head_loss_a < 1e-9 and one_head_loss_b > 0.99",
            show="one_head_loss_a_over_share",
        ),
    ),
    run=run,
)
