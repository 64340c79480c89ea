"""What the first token says fades geometrically on its way through a recurrent network; attention reads it in one step, at any distance."""

from __future__ import annotations

import math
from functools import partial
from typing import Literal

import torch

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.result import Quantity, Result, Series, Table
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.recurrent import Recurrent, last_attends, lstm, lstm_step, random_recurrent, rnn, rnn_step, sensitivity

WIDTH = 16
SENTENCES = 4  # the norms are means over these
FARTHEST = 100
DISTANCES = (1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 60, 80, 100)  # the x axis
NEAR = 10  # the mean factor per step is measured from here to the farthest
TABLED = (5, 10, 20, 40)
FLOOR = 1e-30  # what is smaller is drawn here
DISTANCE = Label("distance in tokens", "相隔的词元数")


def run(*, distance: int, gain: float, forget_bias: float, seed: int) -> Result:
    generator = torch.Generator().manual_seed(seed)
    tokens = torch.randn(SENTENCES, FARTHEST + 1, WIDTH, generator=generator, dtype=torch.float64)
    W_Q, W_K, W_V = torch.randn(3, WIDTH, WIDTH, generator=generator, dtype=torch.float64) / math.sqrt(WIDTH)
    plain = random_recurrent(WIDTH, 1, gain, generator)
    gated = remembering(random_recurrent(WIDTH, 4, gain, generator), forget_bias)
    by_rnn, by_lstm = (sensitivity(partial(layer, weights), tokens).mean(0) for layer, weights in ((rnn, plain), (lstm, gated)))
    attention = partial(last_attends, W_Q, W_K, W_V)
    by_attention = {each: float(sensitivity(attention, tokens[:, -each - 1 :])[:, 0].mean()) for each in {*DISTANCES, distance}}
    found = {each: (float(by_rnn[-each - 1]), float(by_lstm[-each - 1]), by_attention[each]) for each in by_attention}
    return Result(
        quantities=_quantities(found, distance),
        series=_curves(found),
        tables=(_table(found),),
        notes=_notes(found, distance),
    )


def remembering(weights: Recurrent, forget_bias: float) -> Recurrent:
    """The same LSTM with a bias on its forget gate, the second of four."""
    bias = weights.bias.clone()
    bias[WIDTH : 2 * WIDTH] = forget_bias
    return Recurrent(weights.W_x, weights.W_h, bias)


Found = dict[int, tuple[float, float, float]]  # distance -> RNN, LSTM, attention


def _quantities(found: Found, distance: int) -> tuple[Quantity, ...]:
    plain, gated, attention = found[distance]
    return (
        wrong("rnn_gradient", plain, "‖∂h_T/∂x_1‖, RNN", "‖∂h_T/∂x_1‖，RNN"),
        measured("lstm_gradient", gated, "‖∂h_T/∂x_1‖, LSTM", "‖∂h_T/∂x_1‖，LSTM"),
        right("attention_gradient", attention, "‖∂o_T/∂x_1‖, attention", "‖∂o_T/∂x_1‖，注意力"),
        wrong("rnn_kept_per_step", _kept(found, 0), "RNN: kept per step", "RNN：每步保留的比例"),
        measured("lstm_kept_per_step", _kept(found, 1), "LSTM: kept per step", "LSTM：每步保留的比例"),
        right("attention_kept_per_step", _kept(found, 2), "attention: kept per step", "注意力：每步保留的比例"),
        wrong("rnn_path", distance, "steps on the way, RNN", "途经的步数，RNN"),
        right("attention_path", 1, "steps on the way, attention", "途经的步数，注意力"),
    )


def _kept(found: Found, model: int) -> float:
    """The mean factor per step between distance 10 and the farthest token: well below 1 where news fades geometrically."""
    near, far = (max(found[each][model], FLOOR) for each in (NEAR, FARTHEST))
    return float((far / near) ** (1 / (FARTHEST - NEAR)))


def _curves(found: Found) -> tuple[Series, ...]:
    models: tuple[tuple[str, Label, Literal["", "right", "wrong"]], ...] = (
        ("rnn", Label("RNN, log₁₀", "RNN，log₁₀"), "wrong"),
        ("lstm", Label("LSTM, log₁₀", "LSTM，log₁₀"), ""),
        ("attention", Label("attention, log₁₀", "注意力，log₁₀"), "right"),
    )
    x = tuple(map(float, DISTANCES))
    return tuple(
        Series(f"{name}_over_distance", x, tuple(_log(found[each][model]) for each in DISTANCES), label, DISTANCE, "gradient", arm=arm)
        for model, (name, label, arm) in enumerate(models)
    )


def _log(norm: float) -> float:
    return math.log10(max(norm, FLOOR))


def _table(found: Found) -> Table:
    columns = (DISTANCE, Label("RNN", "RNN"), Label("LSTM", "LSTM"), Label("attention", "注意力"))
    return Table("norms", Label("gradient norms", "梯度范数"), columns, tuple((each, *found[each]) for each in TABLED))


def _notes(found: Found, distance: int) -> tuple[Label, ...]:
    dilution = Label(
        f"Attention is diluted too, by about 1/{distance + 1} when it looks everywhere alike, but never by a factor per step.",
        f"注意力也会被稀释：若对各处一视同仁，约为 1/{distance + 1}；但不会每走一步就乘一个小于 1 的因子。",
    )
    grows = Label("With this gain the RNN's gradient does not fade: it explodes.", "在这个增益下，RNN 的梯度不是消失而是爆炸。")
    return (dilution, grows) if _kept(found, 0) > 1 else (dilution,)


def cost(*, distance: int, gain: float, forget_bias: float, seed: int) -> Cost:
    steps = FARTHEST + 1
    recurrent = 3 * 2 * SENTENCES * WIDTH * steps * (2 + 8) * WIDTH**2
    attention = 3 * 2 * SENTENCES * WIDTH * (len(DISTANCES) + 1) * (max(distance, FARTHEST) + 1) * 3 * WIDTH**2
    return Cost(bytes=8 * SENTENCES * WIDTH**2 * (60 * steps + 8 * max(distance, FARTHEST)), flops=recurrent + attention)


EXPERIMENT = Experiment(
    title=Label("how far news travels", "信息能传多远"),
    summary=Label(
        "How much the last output feels of the first token: through an RNN, an LSTM, and one attention layer.",
        "最后的输出还能感到第一个词元多少：经过 RNN、LSTM 与一层注意力。",
    ),
    parameters=(
        Parameter("distance", DISTANCE, 40, 1, FARTHEST),
        Parameter("gain", Label("gain of W_h", "W_h 的增益"), 1.0, 0.5, 2.0, 0.1),
        Parameter("forget_bias", Label("LSTM: bias of the forget gate", "LSTM：遗忘门偏置"), 1.0, -2.0, 6.0, 0.5),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(rnn_step, lstm_step, last_attends, sensitivity),
    arms=("rnn_gradient", "attention_gradient"),
)
