"""Part of recurrent_dilution: a recurrent network takes T steps that wait for each other, a masked attention layer computes all at once."""

from __future__ import annotations

import math
from functools import lru_cache

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.figures import Figure
from engine.label import Label
from engine.measures import Curve, Measure, Rows, measured, note, right, timed, wrong
from engine.parameter import Parameter
from engine.textbook.critical_path import Waiting, attention_at_once, attention_step_by_step, recurrent_states, steps_to_wait
from engine.textbook.recurrent import Recurrent, random_recurrent
from engine.textbook.stopwatch import fastest_run

LENGTHS = (1, 2, 4, 8, 16, 32, 64)  # the x axis
LONGEST = LENGTHS[-1]


@lru_cache(8)  # the other sliders of the experiment do not move it
def waiting_numbers(tokens: int, d: int, seed: int) -> Numbers:
    """Of the first T tokens: how many operations wait, that nothing is lost, what it costs, how long it takes here."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(LONGEST, d, generator=generator, dtype=torch.float64)
    projections = torch.randn(3, d, d, generator=generator, dtype=torch.float64) / math.sqrt(d)
    weights = random_recurrent(d, 1, 1.0, generator)
    return {
        **waiting(x, weights, projections, tokens),
        **equality(projections, x[:tokens]),
        **work(tokens, d),
        **times(x[:tokens], weights, projections),
    }


def waiting(x: Tensor, weights: Recurrent, projections: Tensor, tokens: int) -> Numbers:
    """Operations, counted in both passes over the first tokens of x (T, D)."""
    counted = {length: count(x[:length], weights, projections) for length in {*LENGTHS, tokens}}
    rnn, attention = counted[tokens]
    return {
        "rnn_chain": rnn.chain,
        "attention_chain": attention.chain,
        "rnn_operations": rnn.operations,
        "attention_operations": attention.operations,
        "rnn_chain_over_tokens": (LENGTHS, [counted[length][0].chain for length in LENGTHS]),
        "attention_chain_over_tokens": (LENGTHS, [counted[length][1].chain for length in LENGTHS]),
    }


def count(x: Tensor, weights: Recurrent, projections: Tensor) -> tuple[Waiting, Waiting]:
    """Of a recurrent pass and of an attention pass over the same tokens (T, D)."""
    tokens = x.clone().requires_grad_()
    return steps_to_wait(recurrent_states(weights, tokens)), steps_to_wait(attention_at_once(projections, tokens))


def equality(projections: Tensor, x: Tensor) -> Numbers:
    """Nothing is lost by computing all at once: the mask makes it the same layer."""
    slow, fast = attention_step_by_step(projections, x), attention_at_once(projections, x)
    unmasked = torch.softmax(x @ projections[0] @ (x @ projections[1]).T / math.sqrt(x.shape[1]), -1) @ x @ projections[2]
    return {
        "masked_difference": (fast - slow).abs().max(),
        "unmasked_difference": (unmasked - slow).abs().max(),
        "passes_at_once": 1,
        "passes_step_by_step": len(x),
    }


def rnn_work(tokens: int, d: int) -> int:
    """Multiply-adds of T steps: W_x and W_h."""
    return tokens * 2 * d**2


def attention_work(tokens: int, d: int) -> int:
    """Multiply-adds: W_Q, W_K, W_V, then QKᵀ and PV."""
    return tokens * 3 * d**2 + 2 * tokens**2 * d


def work(tokens: int, d: int) -> Numbers:
    """The table is Vaswani et al. 2017, table 1, for these T and d; a convolution of k = 3 for comparison."""
    return {
        "rnn_layer_multiply_adds": rnn_work(tokens, d),
        "attention_layer_multiply_adds": attention_work(tokens, d),
        "rnn_work_over_tokens": (LENGTHS, [rnn_work(length, d) for length in LENGTHS]),
        "attention_work_over_tokens": (LENGTHS, [attention_work(length, d) for length in LENGTHS]),
        "layers": [
            (attention_work(tokens, d), 1, 1),
            (rnn_work(tokens, d), tokens, tokens),
            (3 * tokens * d**2, 1, max(1, math.ceil((tokens - 1) / 2))),
        ],
    }


def times(x: Tensor, weights: Recurrent, projections: Tensor) -> Numbers:
    """The same tokens (T, D) on the clock: even on one processor, T small steps take longer than a few large ones."""
    rnn, attention = fastest_run(lambda: recurrent_states(weights, x)), fastest_run(lambda: attention_at_once(projections, x))
    return {"rnn_microseconds": 1e6 * rnn, "attention_microseconds": 1e6 * attention, "rnn_over_attention": rnn / attention}


TOKENS = Label("tokens T", "词元数 T")
COUNT = (1, math.inf)

MEASURES: tuple[Measure, ...] = (
    wrong("rnn_chain", "operations that wait for each other, RNN", "必须相互等待的运算数，RNN", within=COUNT),
    right("attention_chain", "operations that wait for each other, attention", "必须相互等待的运算数，注意力", within=COUNT),
    right("masked_difference", "all at once - step by step: largest difference, masked", "一次算完与逐步计算的最大差，加掩码"),
    wrong("unmasked_difference", "all at once - step by step: largest difference, no mask", "一次算完与逐步计算的最大差，不加掩码"),
    right("passes_at_once", "passes, all at once", "前向次数，一次算完", within=(1, 1)),
    wrong("passes_step_by_step", "passes, step by step", "前向次数，逐步计算", within=(1, LONGEST)),
    measured("rnn_layer_multiply_adds", "multiply-adds of T tokens, RNN", "T 个词元的乘加次数，RNN", within=COUNT),
    measured("attention_layer_multiply_adds", "multiply-adds of T tokens, attention", "T 个词元的乘加次数，注意力", within=COUNT),
    wrong("rnn_operations", "operations started, RNN", "发起的运算数，RNN", within=COUNT),
    right("attention_operations", "operations started, attention", "发起的运算数，注意力", within=COUNT),
    timed("rnn_microseconds", "time, RNN, step by step", "用时，RNN，逐步计算", "µs", "wrong"),
    timed("attention_microseconds", "time, attention, all at once", "用时，注意力，一次算完", "µs", "right"),
    timed("rnn_over_attention", "time, RNN ÷ attention", "用时，RNN ÷ 注意力", "×"),
    Curve(
        "rnn_chain_over_tokens",
        Label("operations that wait for each other, RNN", "必须相互等待的运算数，RNN"),
        TOKENS,
        "waiting",
        arm="wrong",
    ),
    Curve(
        "attention_chain_over_tokens",
        Label("operations that wait for each other, attention", "必须相互等待的运算数，注意力"),
        TOKENS,
        "waiting",
        arm="right",
    ),
    Curve("rnn_work_over_tokens", Label("multiply-adds, RNN", "乘加次数，RNN"), TOKENS, "work"),
    Curve("attention_work_over_tokens", Label("multiply-adds, attention", "乘加次数，注意力"), TOKENS, "work"),
    Rows(
        "layers",
        Label("per layer", "每层"),
        (Label("layer", "层"), Label("multiply-adds", "乘加次数"), Label("must wait", "顺序步数"), Label("longest path", "最长路径")),
        rows=(
            Label("attention, n²·d", "注意力，n²·d"),
            Label("recurrent, n·d²", "循环网络，n·d²"),
            Label("convolution, k·n·d²", "卷积，k·n·d²"),
        ),
    ),
    note(
        "while_training",
        "",
        "This holds for training, where all tokens are known. While generating, attention waits for its own last token too.",
        "这说的是训练：所有词元都已知。生成时，注意力同样要等自己的上一个词元。",
    ),
    note(
        "few_tokens",
        "rnn_chain <= attention_chain",
        "For so few tokens the RNN's operations wait no longer than attention's.",
        "词元这么少时，RNN 的等待并不比注意力长。",
    ),
)

PARAMETERS = (
    Parameter("tokens", TOKENS, 16, 1, LONGEST),
    Parameter("d", Label("width d", "宽度 d"), 8, 2, 64, 2, "log"),
)

FIGURES = (
    Figure("curve", ("rnn_chain_over_tokens", "attention_chain_over_tokens"), over="tokens", mark="rnn_chain"),
    Figure("curve", ("rnn_work_over_tokens", "attention_work_over_tokens"), over="tokens", mark="attention_layer_multiply_adds"),
    Figure("bars", ("masked_difference", "unmasked_difference")),
    Figure("table", ("layers",)),
)
