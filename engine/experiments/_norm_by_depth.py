"""Part of pre_vs_post_norm: random layers, nothing trained: the stream's variance, gradient and move after each, by placement."""

from __future__ import annotations

import torch

from engine.assemble import Numbers
from engine.label import Label
from engine.measures import SHARE, Curve, Measure, Walk, measured, right, wrong
from engine.textbook.norm_placement import Placement, measure_depth, no_norm, norm_inside, post_norm, pre_norm, random_layers

TOKENS, WIDTH = 16, 32
PLACEMENTS: dict[str, Placement] = {"post": post_norm, "pre": pre_norm, "inside": norm_inside, "none": no_norm}


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


LAYER = Label("layer", "第几层")
VARIANCE, GRADIENT, MOVE = (
    ("variance after the layer", "该层之后的方差"),
    ("norm of the gradient", "梯度的范数"),
    ("relative move", "相对改动"),
)


def post(what: tuple[str, str]) -> Label:
    return Label(f"{what[0]}, post-norm", f"{what[1]}，后置归一化")


def pre(what: tuple[str, str]) -> Label:
    return Label(f"{what[0]}, pre-norm", f"{what[1]}，前置归一化")


DEPTH_MEASURES: tuple[Measure, ...] = (
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
)
