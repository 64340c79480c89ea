"""Weights of the wrong size make a deep stack's signal vanish or explode: ReLU needs Kaiming's √(2/in), 0.02 suits other networks."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn.functional import layer_norm

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import Arm, Curve, Rows, Scalar, measured, note, wrong
from engine.parameter import SEED, Parameter, choice
from engine.preset import Preset
from engine.textbook.initialization import Rule, bert, kaiming, score_std, signal_by_depth, torch_attention, torch_linear, xavier

WIDEST, DEEPEST = 256, 50
ROWS = 32
D_MODEL, HEADS, TOKENS = 768, 12, 32  # BERT-base's attention

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {"relu": torch.relu, "tanh": torch.tanh, "none": lambda x: x}
KAIMING: dict[str, Arm] = {"relu": "right", "tanh": "", "none": "wrong"}  # its 2 is made for ReLU
RULES: dict[str, Rule] = {"normal": bert, "xavier": xavier, "kaiming": kaiming}
SCORE_RULES: dict[str, Rule] = {"linear": torch_linear, "attention": torch_attention, "xavier": xavier, "bert": bert}


def run(*, width: int, layers: int, activation: str, seed: int) -> Numbers:
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(ROWS, width, generator=generator, dtype=torch.float64)
    weights = torch.randn(layers, width, width, generator=generator).double()  # drawn in float32, which is five times faster
    spreads = {name: signal_by_depth(x, weights, rule(width, width), ACTIVATIONS[activation]) for name, rule in RULES.items()}
    return {
        **{f"{name}_std": spread[-1] for name, spread in spreads.items()},
        **{f"{name}_over_layers": (range(1, layers + 1), logarithms(spread)) for name, spread in spreads.items()},
        **scores_at_the_start(seed),
        "xavier_arm": "" if activation == "relu" else "right",
        "kaiming_arm": KAIMING[activation],
        "bert_score_formula": bert(D_MODEL, D_MODEL) ** 2 * D_MODEL,
    }


def logarithms(spreads: Tensor) -> list[float]:
    return [math.log10(max(spread, 1e-300)) for spread in spreads.tolist()]


def scores_at_the_start(seed: int) -> Numbers:
    """Attention scores of normed tokens at the first step, for the usual ways to begin. They go with the variance of W."""
    generator = torch.Generator().manual_seed(seed)
    x = layer_norm(torch.randn(TOKENS, D_MODEL, generator=generator).double(), (D_MODEL,))
    W_Q, W_K = torch.randn(2, D_MODEL, D_MODEL, generator=generator).double()
    unit = score_std(x, W_Q, W_K, 1.0, HEADS)
    stds = {name: rule(D_MODEL, D_MODEL) for name, rule in SCORE_RULES.items()}
    return {
        **{f"{name}_score_std": unit * std**2 for name, std in stds.items()},
        "score_spread": [(std, unit * std**2) for std in stds.values()],
    }


DEPTH = Label("layers", "层数")

MEASURES = (
    wrong("normal_std", "std of 32 rows after the last layer, N(0, 0.02²)", "最后一层 32 行的标准差，N(0, 0.02²)"),
    Scalar("xavier_std", Label("std of 32 rows after the last layer, Xavier", "最后一层 32 行的标准差，Xavier"), arm="{xavier_arm}"),
    Scalar("kaiming_std", Label("std of 32 rows after the last layer, Kaiming", "最后一层 32 行的标准差，Kaiming"), arm="{kaiming_arm}"),
    measured("linear_score_std", "std of the attention scores of 12 heads, nn.Linear", "12 个头注意力分数的标准差，nn.Linear"),
    measured(
        "attention_score_std",
        "std of the attention scores of 12 heads, MultiheadAttention",
        "12 个头注意力分数的标准差，MultiheadAttention",
    ),
    measured("xavier_score_std", "std of the attention scores of 12 heads, square Xavier", "12 个头注意力分数的标准差，Xavier 方阵"),
    measured("bert_score_std", "std of the attention scores of 12 heads, N(0, 0.02²)", "12 个头注意力分数的标准差，N(0, 0.02²)"),
    measured("bert_score_formula", "std of the scores by formula, 0.02²·768", "按公式的分数标准差，0.02²·768"),
    Curve(
        "normal_over_layers",
        Label("log₁₀ std of 32 rows after a layer, N(0, 0.02²)", "逐层之后 32 行的标准差（log₁₀），N(0, 0.02²)"),
        DEPTH,
        "signal",
        arm="wrong",
    ),
    Curve(
        "xavier_over_layers",
        Label("log₁₀ std of 32 rows after a layer, Xavier", "逐层之后 32 行的标准差（log₁₀），Xavier"),
        DEPTH,
        "signal",
        arm="{xavier_arm}",
    ),
    Curve(
        "kaiming_over_layers",
        Label("log₁₀ std of 32 rows after a layer, Kaiming", "逐层之后 32 行的标准差（log₁₀），Kaiming"),
        DEPTH,
        "signal",
        arm="{kaiming_arm}",
    ),
    Rows(
        "score_spread",
        Label("attention at the first step, D = 768", "第一步时的注意力，D = 768"),
        (Label("rule", "规则"), Label("std of W", "W 的标准差"), Label("std of the scores", "分数的标准差")),
        rows=(
            Label("nn.Linear", "nn.Linear"),
            Label("nn.MultiheadAttention", "nn.MultiheadAttention"),
            Label("Xavier, square", "Xavier，方阵"),
            Label("N(0, 0.02²)", "N(0, 0.02²)"),
        ),
    ),
    note(
        "doubled",
        "activation == none",
        "Kaiming's 2 makes up for ReLU: without an activation it about doubles the power every layer (std {kaiming_std:.2g} after "
        "{layers}); there the right factor is 1, as Xavier has it.",
        "Kaiming 的 2 是为 ReLU 补偿的：没有激活函数时它每层把功率大致翻倍（{layers} 层后标准差 {kaiming_std:.2g}），正确的系数是 1，即 "
        "Xavier。",
    ),
    note(
        "pressed",
        "activation == tanh",
        "tanh presses a little at every layer: by Xavier {xavier_std:.2g} is left after {layers}. Kaiming's larger weights end at "
        "{kaiming_std:.2g} because tanh bends more.",
        "tanh 每层都压缩一点：{layers} 层之后，Xavier 下还剩 {xavier_std:.2g}。Kaiming 的权重更大，停在 {kaiming_std:.2g}，靠的是 "
        "tanh 弯得更狠。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("initialisation", "权重初始化"),
    summary=Label(
        "One signal through a deep stack, its weights drawn by three rules; and the scores with which attention begins.",
        "同一信号穿过深层网络，权重按三种规则抽取；以及注意力分数的起点。",
    ),
    keywords=("Xavier", "Glorot", "Kaiming", "He", "variance", "0.02", "vanishing signal", "初始化", "方差", "梯度消失"),
    parameters=(
        Parameter("width", Label("width", "宽度"), 256, 16, WIDEST, 2, "log"),
        Parameter("layers", DEPTH, 20, 1, DEEPEST),
        choice("activation", Label("activation", "激活函数"), ("relu", "ReLU", "ReLU"), ("tanh", "tanh", "tanh"), ("none", "none", "无")),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "curve",
            ("normal_over_layers", "xavier_over_layers", "kaiming_over_layers"),
            over="layers",
            caption=Label(
                "Weights too small shrink the signal by a factor a layer, too large ones blow it up: they must fit width and activation.",
                "权重取得太小，信号逐层按比例缩小；太大则逐层放大：标准差要配合宽度和激活函数。",
            ),
        ),
        Figure("bars", ("linear_score_std", "attention_score_std", "xavier_score_std", "bert_score_std")),
        Figure("table", ("score_spread",)),
    ),
    arms=("normal_std", "kaiming_std"),
    presets=(
        Preset(
            Label("no activation", "无激活"),
            {"activation": "none"},
            Label(
                "Kaiming's factor of 2 makes up for what ReLU drops; where nothing is dropped, it doubles the variance a layer.",
                "Kaiming 的系数 2 是补偿 ReLU 丢掉的一半；什么都没丢时，方差就逐层翻倍。",
            ),
            "kaiming_std > 100",
        ),
        Preset(
            Label("tanh", "tanh"),
            {"activation": "tanh"},
            Label("Here it is Xavier that keeps the signal; 0.02 still lets it die.", "这里保住信号的是 Xavier；0.02 照样让它消失。"),
            "xavier_std > 0.05 and normal_std < 1e-6",
        ),
        Preset(
            Label("50 layers", "50 层"),
            {"layers": 50},
            Label(
                "At 0.02 the signal ends near 1e-33, close to the smallest number of float32.",
                "取 0.02 时，信号最后只剩约 1e-33，接近 float32 的最小数。",
            ),
            "normal_std < 1e-28 and kaiming_std > 0.05",
        ),
    ),
    run=run,
)
