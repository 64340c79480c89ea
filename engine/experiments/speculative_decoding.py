"""Guesses of a draft, kept with min(1, p/q) and otherwise replaced from what q leaves of p, give exactly the target's distribution."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, number
from engine.result import Matrix, Result, Series, Step
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.speculative_sampling import acceptance, acceptance_rate, exact_output, residual, speculate, speed_up, tokens_per_pass

DRAWS = 20_000
TARGET, DRAFT = (0.5, 0.3, 0.2), (0.1, 0.3, 0.6)
WORDS = ("a", "b", "c")
GUESSES = tuple(range(1, 13))
GUESSES_LABEL = Label("guesses γ in a row", "连续猜测数 γ")


def run(*, agreement: float, guesses: int, draft_cost: float, seed: int) -> Result:
    generator = torch.Generator().manual_seed(seed)
    p = torch.tensor(TARGET, dtype=torch.float64)
    q = agreement * p + (1 - agreement) * torch.tensor(DRAFT, dtype=torch.float64)
    rate = acceptance_rate(p, q)
    drawn, kept = speculate(p, q, residual(p, q), DRAWS, generator)
    counted = torch.bincount(drawn, minlength=len(p)).double() / DRAWS
    from_target = exact_output(p, q, p)
    return Result(
        quantities=(
            wrong(
                "resample_target_error",
                apart(from_target, p),
                "distance to the target, refused guesses redrawn from p",
                "与目标分布的距离：拒绝后从 p 重采",
            ),
            right(
                "residual_error",
                apart(exact_output(p, q, residual(p, q)), p),
                "distance to the target, redrawn from the residual",
                "与目标分布的距离：从残差重采",
            ),
            wrong("draft_error", apart(q, p), "distance to the target, all guesses kept", "与目标分布的距离：猜测全收"),
            measured("sampled_error", apart(counted, p), f"distance to the target of {DRAWS} draws", f"{DRAWS} 次采样与目标分布的距离"),
            measured("acceptance", rate, "guesses kept, Σ min(p, q)", "接受率 Σ min(p, q)"),
            measured("acceptance_sampled", number(kept.double().mean()), "guesses kept, counted", "接受率，实测"),
            measured("tokens_a_pass", tokens_per_pass(rate, guesses), "tokens of one pass of the target", "目标模型每次前向得到的词元数"),
            measured("speed_up_factor", speed_up(rate, guesses, draft_cost), "speed-up", "加速比"),
        ),
        matrices=(
            Matrix(
                "distributions",
                grid(torch.stack((p, q, counted, exact_output(p, q, residual(p, q)), from_target))),
                Label("next token: target, draft, drawn; refused guesses from res, p", "下一词元：目标、草稿、实测；拒绝后取自 res、p"),
                ("p", "q", "n/N", "q → res", "q → p"),
                WORDS,
                kind="weights",
            ),
            _parts(p, q),
        ),
        series=_curves(rate, draft_cost),
        steps=STEPS,
        notes=_notes(rate, guesses, draft_cost),
    )


def apart(found: Tensor, p: Tensor) -> float:
    """Total variation: the probability that would have to move."""
    return number((found - p).abs().sum() / 2)


def _parts(p: Tensor, q: Tensor) -> Matrix:
    rows = torch.stack((acceptance(p, q), torch.minimum(p, q), residual(p, q)))
    return Matrix(
        "rule",
        grid(rows),
        Label("kept with, kept mass, residual", "接受概率、接受的质量、残差"),
        ("min(1, p/q)", "min(p, q)", "res"),
        WORDS,
        kind="weights",
    )


def _curves(rate: float, draft_cost: float) -> tuple[Series, ...]:
    x = tuple(map(float, GUESSES))
    tokens = tuple(tokens_per_pass(rate, guesses) for guesses in GUESSES)
    faster = tuple(speed_up(rate, guesses, draft_cost) for guesses in GUESSES)
    return (
        Series("tokens_over_guesses", x, tokens, Label("tokens a pass", "每次前向的词元数"), GUESSES_LABEL, "guesses"),
        Series("speed_up_over_guesses", x, faster, Label("speed-up", "加速比"), GUESSES_LABEL, "guesses"),
    )


STEPS = (
    Step(Label("the draft guesses γ tokens, one by one", "草稿模型逐个猜 γ 个词元"), r"x \sim q"),
    Step(Label("the target scores all of them in one pass", "目标模型一次前向给全部打分"), "p"),
    Step(
        Label("from left to right, each is kept or not", "从左到右，逐个决定收不收"),
        r"\min\left(1, \frac{p(x)}{q(x)}\right)",
        (len(WORDS),),
        "rule",
    ),
    Step(
        Label("the first refused one is replaced, the rest is dropped", "首个被拒的换掉，其后丢弃"),
        r"\frac{\max(p - q, 0)}{\sum \max(p - q, 0)}",
        (len(WORDS),),
        "rule",
    ),
)


def _notes(rate: float, guesses: int, draft_cost: float) -> tuple[Label, ...]:
    same = Label("The draft is the target: every guess is kept.", "草稿与目标相同：猜测全部接受。")
    slower = Label("This draft costs more time than it saves.", "这个草稿模型花的时间比省的多。")
    return tuple(note for applies, note in ((rate > 1 - 1e-12, same), (speed_up(rate, guesses, draft_cost) < 1, slower)) if applies)


def cost(*, agreement: float, guesses: int, draft_cost: float, seed: int) -> Cost:
    return Cost(bytes=8 * 6 * DRAWS, flops=40 * DRAWS + 100 * guesses)


EXPERIMENT = Experiment(
    title=Label("speculative decoding", "投机解码"),
    summary=Label(
        "A bold draft, a rule for keeping its guesses, and the distribution that comes out.",
        "大胆的草稿、接受猜测的规则，以及最后得到的分布。",
    ),
    parameters=(
        Parameter("agreement", Label("draft's agreement with the target", "草稿与目标的一致程度"), 0.0, 0.0, 1.0, 0.05),
        Parameter("guesses", GUESSES_LABEL, 4, 1, GUESSES[-1]),
        Parameter("draft_cost", Label("cost of a guess, target's pass = 1", "一次猜测的代价（目标前向 = 1）"), 0.1, 0.0, 1.0, 0.05),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(speculate, acceptance, residual, exact_output, tokens_per_pass),
    arms=("resample_target_error", "residual_error"),
)
