"""Deep post-norm stacks stay at chance without a warm-up; pre-norm ones learn, but their stream grows and their last gradients shrink."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment, Steps
from engine.experiments import _adam_warmup
from engine.figures import Figure
from engine.label import Label
from engine.measures import SHARE, Curve, Measure, Walk, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.deep_transformers import CHANCE, training
from engine.textbook.norm_placement import Placement, measure_depth, no_norm, norm_inside, post_norm, pre_norm, random_layers

TOKENS, WIDTH = 16, 32
PLACEMENTS: dict[str, Placement] = {"post": post_norm, "pre": pre_norm, "inside": norm_inside, "none": no_norm}


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


def by_depth(layers: int, gain: float, seed: int) -> Numbers:
    """Random layers, nothing trained: what each placement does to the stream and its gradient."""
    generator = torch.Generator().manual_seed(seed + 1000)
    x, target = (torch.randn(TOKENS, WIDTH, generator=generator, dtype=torch.float64) for _ in range(2))
    weights = random_layers(layers, WIDTH, gain, seed)
    depths = {name: measure_depth(placement, x, weights, target) for name, placement in PLACEMENTS.items()}
    post, pre, inside = depths["post"], depths["pre"], depths["inside"]
    from_0, from_1 = range(layers + 1), range(1, layers + 1)  # there is a variance before the first layer, too
    return {
        "norm_inside_variance": inside.variance[-1],
        "post_norm_variance": post.variance[-1],
        "pre_norm_variance": pre.variance[-1],
        "no_norm_variance": depths["none"].variance[-1],
        "pre_norm_first_variance": pre.variance[1],
        "post_norm_last_gradient": post.gradient[-1],
        "pre_norm_last_gradient": pre.gradient[-1],
        "last_gradient_ratio": post.gradient[-1] / pre.gradient[-1],
        "post_norm_gradient_ratio": post.gradient[-1] / post.gradient[0],
        "pre_norm_gradient_ratio": pre.gradient[-1] / pre.gradient[0],
        "post_norm_last_move": post.move[-1],
        "pre_norm_last_move": pre.move[-1],
        "norm_inside_variance_over_layer": (from_0, inside.variance),
        "post_norm_variance_over_layer": (from_0, post.variance),
        "pre_norm_variance_over_layer": (from_0, pre.variance),
        "post_norm_gradient_over_layer": (from_1, post.gradient),
        "pre_norm_gradient_over_layer": (from_1, pre.gradient),
        "post_norm_move_over_layer": (from_1, post.move),
        "pre_norm_move_over_layer": (from_1, pre.move),
    }


LAYER, STEP = Label("layer", "第几层"), Label("training steps", "训练步数")
VARIANCE, GRADIENT, MOVE = (
    ("variance after the layer", "该层之后的方差"),
    ("norm of the gradient", "梯度的范数"),
    ("relative move", "相对改动"),
)


def post(what: tuple[str, str]) -> Label:
    return Label(f"{what[0]}, post-norm", f"{what[1]}，后置归一化")


def pre(what: tuple[str, str]) -> Label:
    return Label(f"{what[0]}, pre-norm", f"{what[1]}，前置归一化")


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
    wrong("norm_inside_variance", "variance after the last layer, x + LN(f(x))", "最后一层之后的方差，x + LN(f(x))"),
    right(
        "post_norm_variance",
        "variance after the last layer, post-norm LN(x + f(x))",
        "最后一层之后的方差，后置归一化 LN(x + f(x))",
        within=SHARE,
    ),
    measured("pre_norm_variance", "variance after the last layer, pre-norm x + f(LN(x))", "最后一层之后的方差，前置归一化 x + f(LN(x))"),
    wrong("no_norm_variance", "variance after the last layer, no norm", "最后一层之后的方差，没有归一化"),
    measured("pre_norm_first_variance", "variance after the first layer, pre-norm", "第一层之后的方差，前置归一化"),
    measured("post_norm_last_gradient", "norm of the last layer's gradient, post-norm", "最后一层梯度的范数，后置归一化"),
    measured("pre_norm_last_gradient", "norm of the last layer's gradient, pre-norm", "最后一层梯度的范数，前置归一化"),
    measured("last_gradient_ratio", "norm of the last layer's gradient, post-norm / pre-norm", "最后一层梯度的范数之比，后置 ÷ 前置"),
    measured("post_norm_gradient_ratio", "norms of the gradients, last / first layer, post-norm", "末层与首层梯度的范数之比，后置归一化"),
    measured("pre_norm_gradient_ratio", "norms of the gradients, last / first layer, pre-norm", "末层与首层梯度的范数之比，前置归一化"),
    measured("post_norm_last_move", "last layer's move of the stream / its size, post-norm", "最后一层对残差流的相对改动，后置归一化"),
    measured("pre_norm_last_move", "last layer's move of the stream / its size, pre-norm", "最后一层对残差流的相对改动，前置归一化"),
    Curve(
        "norm_inside_variance_over_layer",
        Label("variance after the layer, x + LN(f(x))", "该层之后的方差，x + LN(f(x))"),
        LAYER,
        "variance",
        arm="wrong",
    ),
    Curve("post_norm_variance_over_layer", post(VARIANCE), LAYER, "variance", arm="right"),
    Curve("pre_norm_variance_over_layer", pre(VARIANCE), LAYER, "variance"),
    Curve("post_norm_gradient_over_layer", post(GRADIENT), LAYER, "gradient"),
    Curve("pre_norm_gradient_over_layer", pre(GRADIENT), LAYER, "gradient"),
    Curve("post_norm_move_over_layer", post(MOVE), LAYER, "move"),
    Curve("pre_norm_move_over_layer", pre(MOVE), LAYER, "move"),
    Walk(Label("post-norm: the sum is normalised", "后置归一化：对和做归一化"), r"x_{l+1} = \mathrm{LN}(x_l + f(x_l))", (TOKENS, WIDTH)),
    Walk(
        Label("pre-norm: a normalised copy is read", "前置归一化：读取归一化后的副本"),
        r"x_{l+1} = x_l + f(\mathrm{LN}(x_l))",
        (TOKENS, WIDTH),
    ),
    Walk(Label("often written for post-norm, and wrong", "常被误写成后置归一化"), r"x_{l+1} = x_l + \mathrm{LN}(f(x_l))", (TOKENS, WIDTH)),
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
