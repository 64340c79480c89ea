"""Deep post-norm stacks stay at chance without a warm-up; pre-norm ones learn, but their stream grows and their last gradients shrink."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment, Steps
from engine.experiments import _adam_warmup
from engine.experiments._norm_by_depth import DEPTH_MEASURES, by_depth
from engine.figures import Figure
from engine.label import Label
from engine.measures import Curve, Measure, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.deep_transformers import CHANCE, training

EVERY = 4  # steps between two points of the curves
LAST = 12  # steps whose mean is the loss at the end
TRAINED = ("post_plain", "post_warmed", "pre_plain", "pre_warmed")


def run(
    *,
    depth: int,
    rate: float,
    warmup_steps: int,
    steps: int,
    layers: int,
    gain: float,
    gradient: float,
    beta_1: float,
    beta_2: float,
    d_model: int,
    warmup: int,
    decay: float,
    seed: int,
) -> Steps:
    still = {**by_depth(layers, gain, seed), **_adam_warmup.adam_numbers(gradient, beta_1, beta_2, d_model, warmup, decay)}
    yield 0.0, still  # what needs no training stands there at once
    losses: list[Tensor] = []
    for step, each in enumerate(trained(depth, rate, warmup_steps, steps, seed), start=1):
        losses.append(each)
        if step % EVERY == 0:
            yield step / steps, {**still, **curves(losses)}
    at_the_end = torch.stack(losses[-LAST:]).mean(0)
    return {**still, **curves(losses), **{f"{arm}_loss": loss for arm, loss in zip(TRAINED, at_the_end, strict=True)}, "chance": CHANCE}


def trained(depth: int, rate: float, warmup: int, steps: int, seed: int) -> Iterator[Tensor]:
    """The four losses (4,) of every step: post-norm without and with a warm-up, then pre-norm."""
    both = (training(post, depth, rate, warmup, seed).first(steps) for post in (True, False))
    return (torch.cat(pair) for pair in zip(*both, strict=True))


def curves(losses: list[Tensor]) -> Numbers:
    """The mean losses of every four steps."""
    points = torch.stack([torch.stack(losses[end - EVERY : end]).mean(0) for end in range(EVERY, len(losses) + 1, EVERY)])
    over = [EVERY * (place + 1) for place in range(len(points))]
    return {f"{arm}_loss_over_steps": (over, y) for arm, y in zip(TRAINED, points.T, strict=True)}


STEP = Label("training steps", "训练步数")


LOSS = ("loss of the trained Transformer", "训练的 Transformer 的损失")
MEASURES: tuple[Measure, ...] = (
    wrong("post_plain_loss", "loss after training, post-norm without warm-up", "训练后的损失，后置归一化、无预热"),
    right("post_warmed_loss", "loss after training, post-norm with warm-up", "训练后的损失，后置归一化、有预热"),
    right("pre_plain_loss", "loss after training, pre-norm without warm-up", "训练后的损失，前置归一化、无预热"),
    right("pre_warmed_loss", "loss after training, pre-norm with warm-up", "训练后的损失，前置归一化、有预热"),
    *(
        Curve(f"{arm}_loss_over_steps", Label(f"{LOSS[0]}, {en}", f"{LOSS[1]}，{zh}"), STEP, "trained", arm=way)
        for arm, en, zh, way in (
            ("post_plain", "post-norm", "后置", "wrong"),
            ("post_warmed", "post-norm + warm-up", "后置加预热", "right"),
            ("pre_plain", "pre-norm", "前置", ""),
            ("pre_warmed", "pre-norm + warm-up", "前置加预热", ""),
        )
    ),
    *DEPTH_MEASURES,
    *_adam_warmup.MEASURES,
    note(
        "stuck",
        "post_plain_loss > 1.9",
        "Without warm-up the post-norm stack is still at chance, ln 8 = {chance:.2f}: its first steps broke it.",
        "没有预热，后置归一化的网络仍停在随机水平 ln 8 = {chance:.2f}：最初几步就把它弄坏了。",
    ),
    note(
        "unharmed",
        "post_plain_loss < post_warmed_loss",
        "Here post-norm without warm-up is ahead: few layers or small steps break nothing, and a warm-up only begins more slowly.",
        "这里无预热的后置归一化反而领先：层数少或步子小时不会弄坏什么，预热只是起步更慢。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("pre-norm, post-norm and warm-up", "前置、后置归一化与预热"),
    summary=Label(
        "A little Transformer trained with the norm before or after, with a warm-up or not; why: variance and gradients by depth.",
        "实训一个小 Transformer：归一化前置或后置，有无预热；原因：方差与梯度随深度的变化。",
    ),
    keywords=(
        "Pre-LN",
        "Post-LN",
        "warm-up",
        "deep Transformer stability",
        "sandwich norm",
        "前归一化",
        "后归一化",
        "训练稳定性",
        "AdamW",
        "optimizer",
        "optimiser",
        "learning rate schedule",
        "weight decay",
        "L2",
        "bias correction",
        "momentum",
        "优化器",
        "权重衰减",
        "偏差修正",
        "动量",
        "学习率",
        "Adam",
        "学习率预热",
    ),
    parameters=(
        Parameter("depth", Label("trained layers", "训练的层数"), 6, 2, 8),
        Parameter("rate", Label("learning rate", "学习率"), 0.01, 0.001, 0.01, 0.001),
        Parameter("warmup_steps", Label("steps of warm-up", "预热步数"), 40, 5, 60, 5),
        Parameter("steps", STEP, 80, 60, 120, 20),
        Parameter("layers", Label("untrained layers L", "未训练的层数 L"), 24, 1, 48),
        Parameter("gain", Label("std of what a layer adds", "每层增量的标准差"), 1.0, 0.1, 2.0, 0.1),
        *_adam_warmup.PARAMETERS,
        SEED,
    ),
    measures=MEASURES,
    deadline=30.0,
    figures=(
        Figure(
            "curve",
            tuple(f"{arm}_loss_over_steps" for arm in TRAINED),
            caption=Label(
                "The same start, the same data: whether a post-norm stack learns hangs on its first steps; pre-norm does not care.",
                "起点与数据都相同：后置归一化学不学得会，全看最初几步；前置归一化则无所谓。",
            ),
        ),
        Figure(
            "curve",
            ("norm_inside_variance_over_layer", "post_norm_variance_over_layer", "pre_norm_variance_over_layer"),
            over="layers",
            mark="pre_norm_variance",
        ),
        Figure("curve", ("post_norm_gradient_over_layer", "pre_norm_gradient_over_layer"), over="layers", mark="pre_norm_last_gradient"),
        Figure("curve", ("post_norm_move_over_layer", "pre_norm_move_over_layer"), over="layers", mark="pre_norm_last_move"),
        *_adam_warmup.FIGURES,
        Figure("steps", ()),
    ),
    arms=("norm_inside_variance", "post_norm_variance"),
    presets=(
        Preset(
            Label("two layers", "两层"),
            {"depth": 2},
            Label("Two layers learn in any way: warm-up is for depth.", "两层怎么都学得会：预热是为深层准备的。"),
            "post_plain_loss < 0.3 and pre_plain_loss < 0.3",
        ),
        Preset(
            Label("a tenth of the rate", "学习率降到十分之一"),
            {"rate": 0.001},
            Label(
                "Small steps do not break post-norm, and a warm-up makes all of them slower.",
                "步子小就弄不坏后置归一化，预热反而都更慢。",
            ),
            "post_plain_loss < post_warmed_loss and post_plain_loss < 1.2",
        ),
        Preset(
            Label("48 layers, untrained", "48 层，未训练"),
            {"layers": 48},
            Label(
                "Pre-norm's stream has grown to a variance of about 49, and its last layers hardly move it; post-norm stays at 1.",
                "前置归一化的残差流方差涨到约 49，最后几层几乎推不动它；后置归一化始终是 1。",
            ),
            "pre_norm_variance > 40 and post_norm_variance < 1.01",
            show="norm_inside_variance_over_layer",
        ),
    ),
    formerly=("adam_warmup",),
    run=run,
)
