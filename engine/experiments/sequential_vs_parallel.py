"""A recurrent network takes T steps that wait for each other; a masked attention layer computes all T outputs without such a queue."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import number
from engine.result import Quantity, Result, Series, Table
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.attention import causal_mask
from engine.textbook.critical_path import Waiting, attention_at_once, attention_step_by_step, recurrent_states, steps_to_wait
from engine.textbook.recurrent import Recurrent, random_recurrent, rnn_step
from engine.textbook.stopwatch import fastest_run

LENGTHS = (1, 2, 4, 8, 16, 32, 64)  # the x axis
LONGEST = LENGTHS[-1]
TOKENS = Label("tokens T", "词元数 T")


def run(*, tokens: int, d: int, seed: int) -> Result:
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(LONGEST, d, generator=generator, dtype=torch.float64)
    projections = torch.randn(3, d, d, generator=generator, dtype=torch.float64) / math.sqrt(d)
    weights = random_recurrent(d, 1, 1.0, generator)
    counted = {length: count(x[:length], weights, projections) for length in {*LENGTHS, tokens}}
    return Result(
        quantities=(
            *_chains(*counted[tokens]),
            *_equality(projections, x[:tokens]),
            *_work(tokens, d),
            wrong("rnn_operations", counted[tokens][0].operations, "operations started, RNN", "发起的运算数，RNN"),
            right("attention_operations", counted[tokens][1].operations, "operations started, attention", "发起的运算数，注意力"),
        ),
        series=(*_waiting_curves(counted), *_work_curves(d)),
        tables=(_table(tokens, d),),
        notes=_notes(),
        timings=_timings(x[:tokens], weights, projections),
    )


def count(x: Tensor, weights: Recurrent, projections: Tensor) -> tuple[Waiting, Waiting]:
    """Of a recurrent pass and of an attention pass over the same tokens (T, D)."""
    tokens = x.clone().requires_grad_()
    return steps_to_wait(recurrent_states(weights, tokens)), steps_to_wait(attention_at_once(projections, tokens))


def _chains(recurrent: Waiting, attention: Waiting) -> tuple[Quantity, ...]:
    return (
        wrong("rnn_chain", recurrent.chain, "operations that wait for each other, RNN", "必须相互等待的运算数，RNN"),
        right("attention_chain", attention.chain, "operations that wait for each other, attention", "必须相互等待的运算数，注意力"),
    )


def _equality(projections: Tensor, x: Tensor) -> tuple[Quantity, ...]:
    """Nothing is lost by computing all at once: the mask makes it the same layer."""
    slow, fast = attention_step_by_step(projections, x), attention_at_once(projections, x)
    unmasked = torch.softmax(x @ projections[0] @ (x @ projections[1]).T / math.sqrt(x.shape[1]), -1) @ x @ projections[2]
    return (
        right("masked_difference", number((fast - slow).abs().max()), "all at once and step by step: difference", "一次算完与逐步计算之差"),
        wrong("unmasked_difference", number((unmasked - slow).abs().max()), "the same without the mask", "同上，但不加掩码"),
        right("passes_at_once", 1, "passes, all at once", "前向次数，一次算完"),
        wrong("passes_step_by_step", len(x), "passes, step by step", "前向次数，逐步计算"),
    )


def rnn_work(tokens: int, d: int) -> int:
    """Multiply-adds of T steps: W_x and W_h."""
    return tokens * 2 * d**2


def attention_work(tokens: int, d: int) -> int:
    """Multiply-adds: W_Q, W_K, W_V, then QKᵀ and PV."""
    return tokens * 3 * d**2 + 2 * tokens**2 * d


def _work(tokens: int, d: int) -> tuple[Quantity, ...]:
    return (
        measured("rnn_multiply_adds", rnn_work(tokens, d), "multiply-adds, RNN", "乘加次数，RNN"),
        measured("attention_multiply_adds", attention_work(tokens, d), "multiply-adds, attention", "乘加次数，注意力"),
    )


def _timings(x: Tensor, weights: Recurrent, projections: Tensor) -> tuple[Quantity, ...]:
    """The same tokens (T, D) on the clock: even on one processor, T small steps take longer than a few large ones."""
    rnn, attention = fastest_run(lambda: recurrent_states(weights, x)), fastest_run(lambda: attention_at_once(projections, x))
    return (
        wrong("rnn_microseconds", 1e6 * rnn, "RNN, step by step", "RNN，逐步计算", "µs"),
        right("attention_microseconds", 1e6 * attention, "attention, all at once", "注意力，一次算完", "µs"),
        measured("rnn_over_attention", rnn / attention, "RNN ÷ attention", "RNN ÷ 注意力", "×"),
    )


def _waiting_curves(counted: dict[int, tuple[Waiting, Waiting]]) -> tuple[Series, ...]:
    x = tuple(map(float, LENGTHS))
    rnn, attention = (tuple(float(counted[length][which].chain) for length in LENGTHS) for which in (0, 1))
    return (
        Series(
            "rnn_chain_over_tokens", x, rnn, Label("operations that wait, RNN", "必须等待的运算数，RNN"), TOKENS, "waiting", arm="wrong"
        ),
        Series(
            "attention_chain_over_tokens",
            x,
            attention,
            Label("operations that wait, attention", "必须等待的运算数，注意力"),
            TOKENS,
            "waiting",
            arm="right",
        ),
    )


def _work_curves(d: int) -> tuple[Series, ...]:
    x = tuple(map(float, LENGTHS))
    rnn, attention = (tuple(float(work(length, d)) for length in LENGTHS) for work in (rnn_work, attention_work))
    return (
        Series("rnn_work_over_tokens", x, rnn, Label("multiply-adds, RNN", "乘加次数，RNN"), TOKENS, "work"),
        Series("attention_work_over_tokens", x, attention, Label("multiply-adds, attention", "乘加次数，注意力"), TOKENS, "work"),
    )


def _table(tokens: int, d: int) -> Table:
    """Vaswani et al. 2017, table 1, for these T and d; a convolution of k = 3 for comparison."""
    columns = (Label("layer", "层"), Label("multiply-adds", "乘加次数"), Label("must wait", "顺序步数"), Label("longest path", "最长路径"))
    rows: tuple[tuple[Label | float, ...], ...] = (
        (Label("attention, n²·d", "注意力，n²·d"), attention_work(tokens, d), 1, 1),
        (Label("recurrent, n·d²", "循环网络，n·d²"), rnn_work(tokens, d), tokens, tokens),
        (Label("convolution, k·n·d²", "卷积，k·n·d²"), 3 * tokens * d**2, 1, max(1, math.ceil((tokens - 1) / 2))),
    )
    return Table("layers", Label("per layer", "每层"), columns, rows)


def _notes() -> tuple[Label, ...]:
    return (
        Label(
            "This holds for training, where all tokens are known. While generating, attention waits for its own last token too.",
            "这说的是训练：所有词元都已知。生成时，注意力同样要等自己的上一个词元。",
        ),
    )


def cost(*, tokens: int, d: int, seed: int) -> Cost:
    longest = max(tokens, LONGEST)
    flops = 2 * 2 * (rnn_work(longest, d) + attention_work(longest, d)) + tokens * attention_work(tokens, d)
    return Cost(bytes=8 * (longest * d * 30 + 8 * longest**2 + 8 * d**2), flops=flops)


EXPERIMENT = Experiment(
    title=Label("one after the other, or all at once", "逐步计算还是一次算完"),
    summary=Label(
        "The same tokens through an RNN and through masked attention: how many operations have to wait, and that nothing is lost.",
        "同样的词元经过 RNN 与带掩码的注意力：有多少运算必须等待，而结果毫无损失。",
    ),
    parameters=(
        Parameter("tokens", TOKENS, 16, 1, LONGEST),
        Parameter("d", Label("width d", "宽度 d"), 8, 2, 64, 2, "log"),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(recurrent_states, rnn_step, attention_at_once, attention_step_by_step, steps_to_wait, causal_mask),
    arms=("rnn_chain", "attention_chain"),
)
