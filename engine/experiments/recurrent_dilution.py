"""A recurrent network multiplies what a token says at every step, so it fades or explodes, and every step waits; attention does neither."""

from __future__ import annotations

import math
from functools import partial

import torch

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.experiments import _sequential_vs_parallel
from engine.figures import Figure
from engine.label import Label
from engine.measures import Curve, Measure, Rows, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.convolution import causal_convolution, layers_to_cover
from engine.textbook.layer_costs import part_multiply_adds, recurrent_multiply_adds
from engine.textbook.recurrent import Recurrent, last_attends, lstm, random_recurrent, rnn, sensitivity

WIDTH = 16
SENTENCES = 4  # the norms are means over these
FARTHEST = 100
DISTANCES = (1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 60, 80, 100)  # the x axis
NEAR = 10  # the mean factor per step is measured from here to the farthest
TABLED = (5, 10, 20, 40)
KERNEL = 3
FLOOR = 1e-30  # what is smaller is drawn here


def run(*, distance: int, gain: float, forget_bias: float, tokens: int, d: int, seed: int) -> Numbers:
    norms = gradient_norms({*DISTANCES, distance}, gain, forget_bias, seed)
    kept = {model: kept_per_step(found) for model, found in norms.items()}
    return {
        **{f"{model}_gradient": found[distance] for model, found in norms.items()},
        **{f"{model}_kept_per_step": factor for model, factor in kept.items()},
        **{f"{model}_over_distance": (DISTANCES, [log10(found[each]) for each in DISTANCES]) for model, found in norms.items()},
        "rnn_path": distance,
        "attention_path": 1,
        "convolution_gradient": convolution_gradient(distance, seed),
        "convolution_layers_needed": layers_to_cover(distance + 1, KERNEL),
        **work(distance + 1),
        "norms": [(each, *(found[each] for found in norms.values())) for each in TABLED],
        "tokens_read": distance + 1,
        **_sequential_vs_parallel.waiting_numbers(tokens, d, seed),
    }


Norms = dict[str, dict[int, float]]  # model -> distance -> ‖∂ last output / ∂ token at that distance‖


def gradient_norms(distances: set[int], gain: float, forget_bias: float, seed: int) -> Norms:
    generator = torch.Generator().manual_seed(seed)
    tokens = torch.randn(SENTENCES, FARTHEST + 1, WIDTH, generator=generator, dtype=torch.float64)
    W_Q, W_K, W_V = torch.randn(3, WIDTH, WIDTH, generator=generator, dtype=torch.float64) / math.sqrt(WIDTH)
    plain = random_recurrent(WIDTH, 1, gain, generator)
    gated = with_forget_bias(random_recurrent(WIDTH, 4, gain, generator), forget_bias)
    by_rnn, by_lstm = (sensitivity(partial(layer, weights), tokens).mean(0) for layer, weights in ((rnn, plain), (lstm, gated)))  # (T,)
    attention = partial(last_attends, W_Q, W_K, W_V)
    return {
        "rnn": {each: float(by_rnn[-each - 1]) for each in distances},
        "lstm": {each: float(by_lstm[-each - 1]) for each in distances},
        "attention": {each: float(sensitivity(attention, tokens[:, -each - 1 :])[:, 0].mean()) for each in distances},
    }


def convolution_gradient(distance: int, seed: int) -> float:
    """Of one causal convolution of 3: exactly 0 for every token that its kernel does not cover."""
    generator = torch.Generator().manual_seed(seed + 1000)
    tokens = torch.randn(SENTENCES, distance + 1, WIDTH, generator=generator, dtype=torch.float64)
    kernel = torch.randn(KERNEL, WIDTH, WIDTH, generator=generator, dtype=torch.float64) / math.sqrt(KERNEL * WIDTH)
    return float(sensitivity(lambda x: torch.tanh(causal_convolution(x, kernel))[:, -1], tokens)[:, 0].mean())


def work(tokens: int) -> Numbers:
    """Multiply-adds of one layer over so many tokens: what attention pays for its short path."""
    attention = part_multiply_adds(tokens, WIDTH, "pairs") + part_multiply_adds(tokens, WIDTH, "projections")
    recurrent = recurrent_multiply_adds(tokens, WIDTH)
    return {"rnn_multiply_adds": recurrent, "attention_multiply_adds": attention, "work_ratio": attention / recurrent}


def with_forget_bias(weights: Recurrent, forget_bias: float) -> Recurrent:
    """The same LSTM with a bias on its forget gate, the second of four."""
    bias = weights.bias.clone()
    bias[WIDTH : 2 * WIDTH] = forget_bias
    return Recurrent(weights.W_x, weights.W_h, bias)


def kept_per_step(norm: dict[int, float]) -> float:
    """The mean factor per step between distance 10 and the farthest token: well below 1 where news fades geometrically."""
    near, far = (max(norm[each], FLOOR) for each in (NEAR, FARTHEST))
    return float((far / near) ** (1 / (FARTHEST - NEAR)))


def log10(norm: float) -> float:
    return math.log10(max(norm, FLOOR))


DISTANCE = Label("distance in tokens", "相隔的词元数")

MEASURES: tuple[Measure, ...] = (
    wrong("rnn_gradient", "‖∂h_T/∂x_1‖, mean over sequences, RNN", "‖∂h_T/∂x_1‖，对序列平均，RNN"),
    measured("lstm_gradient", "‖∂h_T/∂x_1‖, mean over sequences, LSTM", "‖∂h_T/∂x_1‖，对序列平均，LSTM"),
    right("attention_gradient", "‖∂o_T/∂x_1‖, mean over sequences, attention", "‖∂o_T/∂x_1‖，对序列平均，注意力"),
    wrong("rnn_kept_per_step", "gradient kept per step, distance 10 to 100, RNN", "每步保留的梯度，距离 10 到 100，RNN"),
    measured("lstm_kept_per_step", "gradient kept per step, distance 10 to 100, LSTM", "每步保留的梯度，距离 10 到 100，LSTM"),
    right("attention_kept_per_step", "gradient kept per step, distance 10 to 100, attention", "每步保留的梯度，距离 10 到 100，注意力"),
    wrong("rnn_path", "steps on the way, RNN", "途经的步数，RNN", within=(1, FARTHEST)),
    right("attention_path", "steps on the way, attention", "途经的步数，注意力", within=(1, 1)),
    Curve("rnn_over_distance", Label("log₁₀ of the gradient norm, RNN", "梯度范数的 log₁₀，RNN"), DISTANCE, "gradient", arm="wrong"),
    Curve("lstm_over_distance", Label("log₁₀ of the gradient norm, LSTM", "梯度范数的 log₁₀，LSTM"), DISTANCE, "gradient"),
    Curve(
        "attention_over_distance",
        Label("log₁₀ of the gradient norm, attention", "梯度范数的 log₁₀，注意力"),
        DISTANCE,
        "gradient",
        arm="right",
    ),
    wrong("convolution_gradient", "‖∂o_T/∂x_1‖, one convolution of 3", "‖∂o_T/∂x_1‖，一层宽 3 的卷积"),
    wrong(
        "convolution_layers_needed",
        "layers on the way, convolutions of 3",
        "途经的层数，宽 3 的卷积",
        within=(1, layers_to_cover(FARTHEST + 1, KERNEL)),
    ),
    measured("rnn_multiply_adds", "multiply-adds, RNN", "乘加次数，RNN"),
    measured("attention_multiply_adds", "multiply-adds, attention with its projections", "乘加次数，注意力（含投影）"),
    measured("work_ratio", "multiply-adds: attention / RNN", "乘加次数：注意力 / RNN", "×"),
    Rows(
        "norms", Label("gradient norms", "梯度范数"), (DISTANCE, Label("RNN", "RNN"), Label("LSTM", "LSTM"), Label("attention", "注意力"))
    ),
    *_sequential_vs_parallel.MEASURES,
    note(
        "dilution",
        "distance > 0",
        "Attention is diluted too, by about 1/{tokens_read} when it looks everywhere alike, but not by a factor at every step.",
        "注意力也会被稀释：若对各处一视同仁，约为 1/{tokens_read}；但不是每走一步就乘一个因子。",
    ),
    note(
        "grows",
        "rnn_kept_per_step > 1",
        "With this gain the RNN's gradient does not fade: it grows by a factor of {rnn_kept_per_step:.3g} a step.",
        "在这个增益下，RNN 的梯度不消失，反而每步乘以 {rnn_kept_per_step:.3g}。",
    ),
    note(
        "near",
        "rnn_gradient > attention_gradient",
        "At this distance the RNN still passes on more than attention: {rnn_gradient:.2g} against {attention_gradient:.2g}.",
        "在这个距离上，RNN 传回的仍比注意力多：{rnn_gradient:.2g} 对 {attention_gradient:.2g}。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("how far news travels, and who waits", "信息能传多远，谁要等"),
    summary=Label(
        "How much the last output feels of the first token through an RNN, an LSTM and attention, and how many operations wait in a row.",
        "经过 RNN、LSTM 与注意力，最后的输出还能感到第一个词元多少；以及有多少运算必须一个等一个。",
    ),
    keywords=(
        "RNN",
        "LSTM",
        "GRU",
        "vanishing gradient",
        "exploding gradient",
        "long-range dependency",
        "循环神经网络",
        "梯度消失",
        "长程依赖",
        "parallelism",
        "GPU",
        "training speed",
        "并行",
        "训练速度",
        "sequential operations",
        "parallel computation",
        "critical path",
        "并行计算",
        "顺序计算",
    ),
    parameters=(
        Parameter("distance", DISTANCE, 40, 1, FARTHEST),
        Parameter("gain", Label("gain of W_h", "W_h 的增益"), 1.0, 0.5, 2.0, 0.1),
        Parameter("forget_bias", Label("LSTM: bias of the forget gate", "LSTM：遗忘门偏置"), 1.0, -2.0, 6.0, 0.5),
        *_sequential_vs_parallel.PARAMETERS,
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "curve",
            ("rnn_over_distance", "lstm_over_distance", "attention_over_distance"),
            over="distance",
            caption=Label(
                "A recurrent network passes the first token on step by step, a factor each; attention reads it in one step.",
                "循环网络一步步传递第一个词元，每步乘一个因子；注意力一步就读到它。",
            ),
        ),
        *_sequential_vs_parallel.FIGURES,
        Figure("bars", ("rnn_kept_per_step", "lstm_kept_per_step", "attention_kept_per_step")),
        Figure("bars", ("rnn_path", "attention_path")),
        Figure("table", ("norms",)),
    ),
    arms=("rnn_gradient", "attention_gradient"),
    presets=(
        Preset(
            Label("100 tokens apart", "相隔 100 个词元"),
            {"distance": 100},
            Label(
                "Over a hundred steps next to nothing comes back through the RNN; through attention about as much as before.",
                "隔一百步，RNN 几乎什么也传不回；注意力与之前差不多。",
            ),
            "rnn_gradient < 0.000001 and attention_gradient > 0.005 and distance == 100",
        ),
        Preset(
            Label("an open forget gate", "遗忘门敞开"),
            {"forget_bias": 6.0},
            Label("An LSTM that forgets nothing carries news far, step by step.", "什么都不忘的 LSTM，一步步也能传得很远。"),
            "lstm_kept_per_step > 0.98",
        ),
        Preset(
            Label("64 tokens", "64 个词元"),
            {"tokens": 64},
            Label(
                "The RNN's operations wait in a row that grows with the text; attention's row stays as short as for one token.",
                "文本越长，RNN 的运算排的队越长；注意力的队伍和一个词元时一样短。",
            ),
            "rnn_chain > 100 and attention_chain < 20",
            show="rnn_chain_over_tokens",
        ),
    ),
    formerly=("sequential_vs_parallel",),
    deadline=10.0,  # the first run counts operations and times them
    run=run,
)
