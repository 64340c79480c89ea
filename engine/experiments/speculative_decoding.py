"""Guesses of a draft, kept with min(1, p/q) and otherwise replaced from what q leaves of p, give exactly the target's distribution."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import SHARE, Curve, Grid, Walk, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.speculative_sampling import acceptance, acceptance_rate, exact_output, residual, speculate, speed_up, tokens_per_pass

DRAWS = 20_000
TARGET, DRAFT = (0.5, 0.3, 0.2), (0.1, 0.3, 0.6)
WORDS = ("a", "b", "c")
GUESSES = tuple(range(1, 13))  # the x axis
DISTRIBUTIONS = (
    Label("target p", "目标 p"),
    Label("draft q", "草稿 q"),
    Label("drawn", "实测"),
    Label("from res", "抽自残差"),
    Label("from p", "抽自 p"),
)


def run(*, agreement: float, guesses: int, draft_cost: float, seed: int) -> Numbers:
    p = torch.tensor(TARGET, dtype=torch.float64)
    q = agreement * p + (1 - agreement) * torch.tensor(DRAFT, dtype=torch.float64)
    return {**output_distributions(p, q, seed), **passes(acceptance_rate(p, q), guesses, draft_cost)}


def output_distributions(p: Tensor, q: Tensor, seed: int) -> Numbers:
    """What comes out, in closed form and drawn, for each way of replacing a refused guess."""
    from_residual, from_target = exact_output(p, q, residual(p, q)), exact_output(p, q, p)
    drawn, kept = speculate(p, q, residual(p, q), DRAWS, torch.Generator().manual_seed(seed))
    counted = torch.bincount(drawn, minlength=len(p)).double() / DRAWS
    return {
        "resample_target_error": total_variation(from_target, p),
        "residual_error": total_variation(from_residual, p),
        "draft_error": total_variation(q, p),
        "sampled_error": total_variation(counted, p),
        "acceptance_sampled": kept.double().mean(),
        "distributions": torch.stack((p, q, counted, from_residual, from_target)),
        "rule": torch.stack((acceptance(p, q), torch.minimum(p, q), residual(p, q))),
        "draws": DRAWS,
        "distribution_names": DISTRIBUTIONS,
    }


def passes(rate: float, guesses: int, draft_cost: float) -> Numbers:
    """What a pass of the target yields and saves when that share of the guesses is kept."""
    faster = speed_up(rate, guesses, draft_cost)
    return {
        "acceptance": rate,
        "tokens_a_pass": tokens_per_pass(rate, guesses),
        "speed_up_factor": faster,
        "tokens_over_guesses": (GUESSES, [tokens_per_pass(rate, each) for each in GUESSES]),
        "speed_up_over_guesses": (GUESSES, [speed_up(rate, each, draft_cost) for each in GUESSES]),
    }


def total_variation(found: Tensor, p: Tensor) -> Tensor:
    """The probability that would have to move."""
    return (found - p).abs().sum() / 2


GUESSES_LABEL = Label("guesses γ in a row", "连续猜测数 γ")

MEASURES = (
    wrong(
        "resample_target_error",
        "distance to the target (TV), refused ones redrawn from p",
        "与目标分布的距离（全变差），拒绝后从 p 重采",
        within=SHARE,
    ),
    right(
        "residual_error", "distance to the target (TV), redrawn from the residual", "与目标分布的距离（全变差），从残差重采", within=SHARE
    ),
    wrong("draft_error", "distance to the target (TV), all guesses kept", "与目标分布的距离（全变差），猜测全收", within=SHARE),
    measured("sampled_error", "distance to the target (TV), {draws} draws", "与目标分布的距离（全变差），{draws} 次采样", within=SHARE),
    measured("acceptance", "share of the guesses kept, Σ min(p, q)", "接受的猜测所占比例，Σ min(p, q)", within=SHARE),
    measured(
        "acceptance_sampled", "share of the guesses kept, counted in {draws} draws", "接受的猜测所占比例，{draws} 次采样实测", within=SHARE
    ),
    measured("tokens_a_pass", "mean tokens of one pass of the target", "目标模型每次前向平均得到的词元数", within=(1, GUESSES[-1] + 1)),
    measured("speed_up_factor", "speed-up in time by the draft", "草稿模型带来的加速比", within=(0, GUESSES[-1] + 1)),
    Grid(
        "distributions",
        Label("chance of the next token: refused guesses redrawn from res or p", "下一个词元的概率：被拒的猜测从残差或 p 重抽"),
        rows="{distribution_names}",
        columns=WORDS,
        kind="weights",
    ),
    Grid(
        "rule",
        Label("kept with, kept mass, residual", "接受概率、接受的质量、残差"),
        rows=("min(1, p/q)", "min(p, q)", "res"),
        columns=WORDS,
        kind="weights",
    ),
    Curve("tokens_over_guesses", Label("tokens a pass", "每次前向的词元数"), GUESSES_LABEL, "guesses"),
    Curve("speed_up_over_guesses", Label("speed-up", "加速比"), GUESSES_LABEL, "guesses"),
    Walk(Label("the draft guesses γ tokens, one by one", "草稿模型逐个猜 γ 个词元"), r"x \sim q"),
    Walk(Label("the target scores all of them in one pass", "目标模型一次前向给全部打分"), "p"),
    Walk(
        Label("from left to right, each is kept or not", "从左到右，逐个决定收不收"),
        r"\min\left(1, \frac{p(x)}{q(x)}\right)",
        (len(WORDS),),
        "rule",
    ),
    Walk(
        Label("the first refused one is replaced, the rest is dropped", "首个被拒的换掉，其后丢弃"),
        r"\frac{\max(p - q, 0)}{\sum \max(p - q, 0)}",
        (len(WORDS),),
        "rule",
    ),
    note("same", "acceptance > 0.999999999999", "The draft is the target: every guess is kept.", "草稿与目标相同：猜测全部接受。"),
    note("slower", "speed_up_factor < 1", "This draft costs more time than it saves.", "这个草稿模型花的时间比省的多。"),
)

EXPERIMENT = Experiment(
    title=Label("speculative decoding", "投机解码"),
    summary=Label(
        "A bold draft, a rule for keeping its guesses, and the distribution that comes out.",
        "大胆的草稿、接受猜测的规则，以及最后得到的分布。",
    ),
    keywords=("draft model", "rejection sampling", "speculative sampling", "acceptance", "草稿模型", "拒绝采样", "推测解码", "加速"),
    parameters=(
        Parameter("agreement", Label("draft's agreement with the target", "草稿与目标的一致程度"), 0.0, 0.0, 1.0, 0.05),
        Parameter("guesses", GUESSES_LABEL, 4, GUESSES[0], GUESSES[-1]),
        Parameter("draft_cost", Label("cost of a guess, target's pass = 1", "一次猜测的代价（目标前向 = 1）"), 0.1, 0.0, 1.0, 0.05),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "heatmap",
            ("distributions",),
            caption=Label(
                "However bad the draft, what comes out is exactly the target, if refused guesses are redrawn from the residual.",
                "草稿再差，只要被拒的猜测从残差里重抽，出来的就恰好是目标分布。",
            ),
        ),
        Figure("bars", ("draft_error", "resample_target_error", "residual_error", "sampled_error")),
        Figure("steps", ("rule",)),
        Figure("heatmap", ("rule",)),
        Figure("curve", ("tokens_over_guesses", "speed_up_over_guesses"), over="guesses", mark="speed_up_factor"),
    ),
    arms=("resample_target_error", "residual_error"),
    presets=(
        Preset(
            Label("a perfect draft", "完美的草稿"),
            {"agreement": 1.0},
            Label("The draft is the target: every guess is kept, five tokens a pass.", "草稿就是目标：猜的全部接受，一次前向得五个词元。"),
            "acceptance > 0.999 and tokens_a_pass > 4.9",
        ),
        Preset(
            Label("12 guesses", "猜 12 个"),
            {"guesses": 12},
            Label(
                "More guesses hardly yield more tokens, since the first refusal ends the run, but each of them costs.",
                "多猜几乎不多得：第一次被拒就到头了，而每猜一个都要花时间。",
            ),
            "guesses == 12 and speed_up_factor < 1.3",
            show="tokens_over_guesses",
        ),
        Preset(
            Label("a slow draft", "慢的草稿"),
            {"draft_cost": 1.0},
            Label(
                "A draft as slow as the target makes it slower: the output is right, the time is not.",
                "草稿和目标一样慢，就反而更慢：结果没错，时间不对。",
            ),
            "speed_up_factor < 1 and residual_error < 1e-9",
            show="tokens_over_guesses",
        ),
    ),
    run=run,
)
