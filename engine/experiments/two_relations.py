"""One head that must read two tokens loses half of what they say, whatever its weights; two heads lose nothing unless they look alike."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, number
from engine.result import Matrix, Quantity, Result, Series
from engine.shorthand import SEED
from engine.textbook.attention import MultiHeadAttention, softmax

SENTENCES = 1000
WIDTH = 4  # numbers a token says
SHARES = tuple(tick / 20 for tick in range(21))  # the x axis
TOKENS = ("A", "B")


def run(*, head_1: float, head_2: float, seed: int) -> Result:
    generator = torch.Generator().manual_seed(seed)
    said = torch.randn(SENTENCES, 2 * WIDTH, generator=generator, dtype=torch.float64)  # what token A says, what token B says
    moments = said.T @ said / SENTENCES
    one, two = lost(moments, (head_1,)), lost(moments, (head_1, head_2))
    alike = Label(
        "Both heads have the same weights: two heads that look alike are one head.", "两个头权重相同：看法一样的两个头等于一个头。"
    )
    return Result(
        quantities=(
            Quantity("one_head_loss", sum(one) / 2, Label("one head: share lost", "一个头：丢失的比例"), arm="wrong"),
            Quantity("two_heads_loss", sum(two) / 2, Label("two heads: share lost", "两个头：丢失的比例"), arm="right"),
            Quantity("one_head_loss_a", one[0], Label("one head: share of A lost", "一个头：A 丢失的比例"), arm="wrong"),
            Quantity("one_head_loss_b", one[1], Label("one head: share of B lost", "一个头：B 丢失的比例"), arm="wrong"),
        ),
        matrices=(
            Matrix(
                "head_weights",
                grid(weights_of((head_1, head_2))),
                Label("weights of the two heads", "两个头的权重"),
                ("1", "2"),
                TOKENS,
                r"P = \mathrm{softmax}(S)",
                "weights",
            ),
        ),
        series=_curves(moments, head_2),
        notes=(alike,) if head_1 == head_2 else (),
    )


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
    a, b = (abs(round(number(each), 9)) for each in share)  # beyond that is the solver's rounding
    return a, b


def _curves(moments: Tensor, head_2: float) -> tuple[Series, ...]:
    one = [lost(moments, (share,)) for share in SHARES]
    two = [sum(lost(moments, (share, head_2))) / 2 for share in SHARES]

    def curve(name: str, y: list[float], label: Label, figure: str) -> Series:
        arm: Literal["right", "wrong"] = "right" if name.startswith("two") else "wrong"
        return Series(f"{name}_over_share", SHARES, tuple(y), label, Label("weight of head 1 on A", "头 1 对 A 的权重"), figure, arm=arm)

    return (
        curve("one_head_loss", [sum(each) / 2 for each in one], Label("one head", "一个头"), "loss"),
        curve("two_heads_loss", two, Label("two heads", "两个头"), "loss"),
        curve("one_head_loss_a", [a for a, _ in one], Label("one head, A", "一个头，A"), "parts"),
        curve("one_head_loss_b", [b for _, b in one], Label("one head, B", "一个头，B"), "parts"),
    )


def cost(*, head_1: float, head_2: float, seed: int) -> Cost:
    cells = SENTENCES * 2 * WIDTH
    return Cost(bytes=8 * 2 * cells, flops=2 * cells * 2 * WIDTH + 2 * len(SHARES) * 50 * (2 * WIDTH) ** 3)


EXPERIMENT = Experiment(
    title=Label("why more than one head", "为什么需要多个头"),
    summary=Label("A token needs to know two others; one head can only average them.", "一个词元要知道另外两个词元；一个头只能取平均。"),
    parameters=(
        Parameter("head_1", Label("head 1: weight on A", "头 1：对 A 的权重"), 0.9, 0.0, 1.0, 0.05),
        Parameter("head_2", Label("head 2: weight on A", "头 2：对 A 的权重"), 0.1, 0.0, 1.0, 0.05),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(softmax, MultiHeadAttention),
    arms=("one_head_loss", "two_heads_loss"),
)
