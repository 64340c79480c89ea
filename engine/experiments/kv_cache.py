"""Decoding one token at a time with a KV cache gives what the full causal forward pass gives, for a fraction of the work."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, names, number
from engine.result import Matrix, Quantity, Result, Series, Step
from engine.shorthand import SEED, choice, measured, right, wrong
from engine.textbook.absolute_positions import sinusoidal
from engine.textbook.attention import MultiHeadAttention
from engine.textbook.cached_decoding import (
    attend_and_keep,
    attend_with_query_only,
    decode,
    empty_cache,
    forward,
    generate,
    keys_of,
    see_all,
)
from engine.textbook.multi_head_variants import random_layer
from engine.textbook.serving_costs import BYTES, SHAPES, Shape, cache_bytes, cached_step_flops, token_flops, uncached_step_flops

WIDTH = 16
LENGTHS = tuple(2**power for power in range(7, 18))  # 128 ... 131072, the x axis
CONTEXT = Label("tokens in the context", "上下文的词元数")


def run(*, layers: int, heads: int, prompt: int, generated: int, model: str, numbers: str, context: int, seed: int) -> Result:
    stack = [random_layer(WIDTH, heads, seed * 10 + layer) for layer in range(layers)]
    generator = torch.Generator().manual_seed(seed + 1000)
    words = torch.randn(1, prompt + generated, WIDTH, generator=generator, dtype=torch.float64)
    positions = sinusoidal(torch.arange(prompt + generated), WIDTH)
    x, restarted = words + positions, words + torch.cat((positions[:prompt], positions[:generated]))
    full = forward(stack, x, empty_cache(stack))[0]
    errors = {
        "unmasked_prefill": off(full, generate(stack, x, prompt, mask_of=see_all)),
        "query_only": off(full, generate(stack, x, prompt, attend=attend_with_query_only)),
        "restarted_positions": off(full, generate(stack, restarted, prompt)),
        "cached": off(full, generate(stack, x, prompt)),
    }
    return Result(
        quantities=(
            *_errors(errors, prompt),
            *_work(layers, prompt, generated),
            *_prefix(stack, x),
            *_published(SHAPES[model], BYTES[numbers], context),
        ),
        matrices=(_by_token(errors, prompt, generated),),
        series=_curves(SHAPES[model], BYTES[numbers]),
        steps=_steps(heads, prompt),
        notes=_notes(layers, prompt),
    )


def off(full: Tensor, other: Tensor) -> Tensor:
    """(T,): every token's largest difference to the full forward pass."""
    return (full - other)[0].abs().amax(-1)


def _errors(errors: dict[str, Tensor], prompt: int) -> tuple[Quantity, ...]:
    new = {name: number(error[prompt:].max()) for name, error in errors.items()}
    return (
        wrong("unmasked_prefill_error", new["unmasked_prefill"], "error: prompt read without a mask", "误差：预填充时不加因果掩码"),
        wrong("query_only_error", new["query_only"], "error: only q of the new token computed", "误差：新词元只算 q"),
        wrong("restarted_positions_error", new["restarted_positions"], "error: positions start at 0 again", "误差：位置又从 0 数起"),
        right("cached_error", number(errors["cached"].max()), "error: q, k, v computed, k and v kept", "误差：算 q、k、v，缓存 k 和 v"),
    )


def _work(layers: int, prompt: int, generated: int) -> tuple[Quantity, ...]:
    """Multiplications and additions of this run's matrix products, the prompt and all steps."""
    weights, lengths = 4 * WIDTH**2 * layers, range(prompt + 1, prompt + generated + 1)
    prefill = uncached_step_flops(weights, layers, WIDTH, prompt)
    with_cache = prefill + sum(cached_step_flops(weights, layers, WIDTH, length) for length in lengths)
    without = prefill + sum(uncached_step_flops(weights, layers, WIDTH, length) for length in lengths)
    return (
        wrong("run_flops_uncached", without, "operations of this run, no cache", "本次运算量，无缓存"),
        right("run_flops_cached", with_cache, "operations of this run, cached", "本次运算量，有缓存"),
    )


def _prefix(stack: list[MultiHeadAttention], x: Tensor) -> tuple[Quantity, ...]:
    """A cached prefix can be shared as long as every token in it is the same."""
    first, last = x.clone(), x.clone()
    first[0, 0], last[0, -1] = -first[0, 0].flip(0), -last[0, -1].flip(0)
    keys = keys_of(stack, x)  # (L, h, S, d)
    by_first, by_last = ((keys_of(stack, changed) - keys).abs().amax((1, 3)) for changed in (first, last))  # (L, S)
    later_first, later_last = number(by_first[0, 1:].max()), number(by_first[-1, 1:].max())
    return (
        measured(
            "later_keys_moved_first_layer", later_first, "token 1 changes: later keys, first layer", "改第 1 个词元：首层后面的键变化"
        ),
        measured("later_keys_moved_last_layer", later_last, "token 1 changes: later keys, last layer", "改第 1 个词元：末层后面的键变化"),
        measured(
            "earlier_keys_moved",
            number(by_last[-1, :-1].max()),
            "last token changes: earlier keys, last layer",
            "改最后一个词元：末层前面的键变化",
        ),
    )


def _published(shape: Shape, number_bytes: float, context: int) -> tuple[Quantity, ...]:
    sizes = (shape.parameters, shape.layers, shape.d_model)
    size = cache_bytes(1, shape.layers, shape.kv_heads, shape.head_width, number_bytes)
    cached, uncached = cached_step_flops(*sizes, context), uncached_step_flops(*sizes, context)
    attention = cached - token_flops(*sizes, 0)
    return (
        measured("mebibytes_per_token", size / 2**20, f"{shape.name}: cache of one token", f"{shape.name}：每词元缓存", "MiB"),
        measured(
            "cache_gibibytes", size * context / 2**30, f"{shape.name}: cache of the context", f"{shape.name}：整个上下文的缓存", "GiB"
        ),
        measured("flops_ratio", uncached / cached, "work for the next token, without / with cache", "下一个词元的计算量之比（无/有缓存）"),
        measured("attention_percent", 100 * attention / cached, "attention's share of a cached step", "有缓存时注意力占的比例", "%"),
    )


def _by_token(errors: dict[str, Tensor], prompt: int, generated: int) -> Matrix:
    return Matrix(
        "error_by_token",
        grid(torch.stack(tuple(errors.values()))),
        Label(
            "difference to the full pass (p prompt, g generated; M = 0: no mask)",
            "与完整前向的差，逐词元（p 提示，g 生成；M = 0 即不加掩码）",
        ),
        ("M = 0", "q", "pos = 0", "q, k, v"),
        (*names("p", prompt), *names("g", generated)),
        kind="magnitude",
    )


def _curves(shape: Shape, number_bytes: float) -> tuple[Series, ...]:
    sizes, x = (shape.parameters, shape.layers, shape.d_model), tuple(map(float, LENGTHS))
    without = tuple(math.log10(uncached_step_flops(*sizes, length)) for length in LENGTHS)
    cached = tuple(math.log10(cached_step_flops(*sizes, length)) for length in LENGTHS)
    gibibytes = tuple(cache_bytes(n, shape.layers, shape.kv_heads, shape.head_width, number_bytes) / 2**30 for n in LENGTHS)
    work, fast = Label("log10 work, no cache", "log10 运算量，无缓存"), Label("log10 work, cached", "log10 运算量，有缓存")
    memory = Label("cache, GiB: linear in the tokens", "缓存（GiB）：随词元数线性增长")
    return (
        Series("log10_flops_uncached_over_context", x, without, work, CONTEXT, "flops", True, "wrong"),
        Series("log10_flops_cached_over_context", x, cached, fast, CONTEXT, "flops", True, "right"),
        Series("gibibytes_over_context", x, gibibytes, memory, CONTEXT, "memory"),
    )


def _steps(heads: int, prompt: int) -> tuple[Step, ...]:
    width = WIDTH // heads
    return (
        Step(
            Label("prefill: the prompt at once, with a causal mask", "预填充：提示一次读完，加因果掩码"),
            "Q, K, V",
            (1, heads, prompt, width),
        ),
        Step(Label("kept for every layer: keys and values", "每层保留键和值"), "K, V", (1, heads, prompt, width)),
        Step(Label("decode: q, k and v of the one new token", "解码：只算一个新词元的 q、k、v"), "q_t, k_t, v_t", (1, heads, 1, width)),
        Step(
            Label("k and v join the cache", "k、v 追加进缓存"),
            r"K \leftarrow [K; k_t],\ V \leftarrow [V; v_t]",
            (1, heads, prompt + 1, width),
        ),
        Step(
            Label("one row of scores: no mask needed", "只有一行分数：无需掩码"),
            r"\mathrm{softmax}\left(\frac{q_t K^\top}{\sqrt{d}}\right) V",
            (1, heads, 1, width),
        ),
    )


def _notes(layers: int, prompt: int) -> tuple[Label, ...]:
    one_layer = Label(
        "With one layer the missing mask does not show in new tokens: keys and values come straight from the inputs. It takes two layers.",
        "只有一层时，缺掩码对新词元没有影响：键和值直接由输入得到。要两层才看得出来。",
    )
    one_token = Label("A prompt of one token has nothing to mask.", "提示只有一个词元时，没有可掩的。")
    return tuple(note for applies, note in ((layers == 1, one_layer), (prompt == 1, one_token)) if applies)


def cost(*, layers: int, heads: int, prompt: int, generated: int, model: str, numbers: str, context: int, seed: int) -> Cost:
    tokens, weights = prompt + generated, 4 * WIDTH**2 * layers
    return Cost(
        bytes=8 * (2 * weights + 8 * layers * tokens * WIDTH + 4 * heads * tokens**2),
        flops=10 * uncached_step_flops(weights, layers, WIDTH, tokens),
    )


EXPERIMENT = Experiment(
    title=Label("KV cache", "KV 缓存"),
    summary=Label("Token by token with a cache, against the whole sequence at once.", "带缓存逐个词元解码，与一次算完整个序列对照。"),
    parameters=(
        Parameter("layers", Label("layers", "层数"), 2, 1, 4),
        Parameter("heads", Label("heads h", "头数 h"), 2, 1, 4, 2, "log"),
        Parameter("prompt", Label("prompt tokens", "提示的词元数"), 4, 1, 6),
        Parameter("generated", Label("generated tokens", "生成的词元数"), 3, 1, 6),
        choice(
            "model",
            Label("model of the cost formulas", "成本公式所用的模型"),
            *((key, shape.name, shape.name) for key, shape in SHAPES.items()),
        ),
        choice(
            "numbers",
            Label("numbers in the cache", "缓存中数的类型"),
            ("fp16", "fp16", "fp16"),
            ("fp32", "fp32", "fp32"),
            ("int8", "int8", "int8"),
        ),
        Parameter("context", CONTEXT, 2048, LENGTHS[0], LENGTHS[-1], 2, "log"),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(attend_and_keep, forward, decode, attend_with_query_only, cache_bytes, uncached_step_flops),
    arms=("unmasked_prefill_error", "cached_error"),
)
