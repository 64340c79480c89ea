"""Decoding one token at a time with a KV cache gives what the full causal forward pass gives, for a fraction of the work."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.experiments._cache_costs import CONTEXT, COST_MEASURES, LENGTHS, curves, published
from engine.figures import Figure
from engine.label import Label
from engine.measures import Grid, Measure, Walk, measured, note, right, wrong
from engine.parameter import SEED, Parameter, choice
from engine.preset import Preset
from engine.textbook.absolute_positions import sinusoidal
from engine.textbook.attention import MultiHeadAttention
from engine.textbook.cached_decoding import attend_with_query_only, empty_cache, forward, generate, keys_of, see_all
from engine.textbook.multi_head_variants import random_layer
from engine.textbook.serving_costs import BYTES, SHAPES, cached_step_flops, uncached_step_flops

WIDTH = 16


def run(*, layers: int, heads: int, prompt: int, generated: int, model: str, numbers: str, context: int, seed: int) -> Numbers:
    stack = [random_layer(WIDTH, heads, seed * 10 + layer) for layer in range(layers)]
    generator = torch.Generator().manual_seed(seed + 1000)
    words = torch.randn(1, prompt + generated, WIDTH, generator=generator, dtype=torch.float64)
    positions = sinusoidal(torch.arange(prompt + generated), WIDTH)
    x, restarted = words + positions, words + torch.cat((positions[:prompt], positions[:generated]))  # (1, T, D)
    return {
        **errors(stack, x, restarted, prompt),
        **work(layers, prompt, generated),
        **shared_prefix(stack, x),
        **published(SHAPES[model], BYTES[numbers], context),
        **curves(SHAPES[model], BYTES[numbers]),
        "tokens": [f"p{place + 1}" for place in range(prompt)] + [f"g{place + 1}" for place in range(generated)],
        "head_width": WIDTH // heads,
        "prompt_and_next": prompt + 1,
    }


def errors(stack: list[MultiHeadAttention], x: Tensor, restarted: Tensor, prompt: int) -> Numbers:
    """Every way to generate against the full forward pass."""
    full = forward(stack, x, empty_cache(stack))[0]
    ways = (
        generate(stack, x, prompt, mask_of=see_all),
        generate(stack, x, prompt, attend=attend_with_query_only),
        generate(stack, restarted, prompt),
        generate(stack, x, prompt),
    )
    by_token = torch.stack([(full - way)[0].abs().amax(-1) for way in ways])  # (4, T)
    return {
        "unmasked_prefill_error": by_token[0, prompt:].max(),
        "query_only_error": by_token[1, prompt:].max(),
        "restarted_positions_error": by_token[2, prompt:].max(),
        "cached_error": by_token[3].max(),
        "error_by_token": by_token,
    }


def work(layers: int, prompt: int, generated: int) -> Numbers:
    """Multiplications and additions of this run's matrix products, the prompt and all steps."""
    weights, lengths = 4 * WIDTH**2 * layers, range(prompt + 1, prompt + generated + 1)
    prefill = uncached_step_flops(weights, layers, WIDTH, prompt)
    return {
        "run_flops_uncached": prefill + sum(uncached_step_flops(weights, layers, WIDTH, length) for length in lengths),
        "run_flops_cached": prefill + sum(cached_step_flops(weights, layers, WIDTH, length) for length in lengths),
    }


def shared_prefix(stack: list[MultiHeadAttention], x: Tensor) -> Numbers:
    """A cached prefix can be shared as long as every token in it is the same."""
    first, last = x.clone(), x.clone()
    first[0, 0], last[0, -1] = -first[0, 0].flip(0), -last[0, -1].flip(0)
    keys = keys_of(stack, x)  # (L, h, S, d)
    by_first, by_last = ((keys_of(stack, changed) - keys).abs().amax((1, 3)) for changed in (first, last))  # (L, S)
    return {
        "later_keys_moved_first_layer": by_first[0, 1:].max(),
        "later_keys_moved_last_layer": by_first[-1, 1:].max(),
        "earlier_keys_moved": by_last[-1, :-1].max(),
    }


MEASURES: tuple[Measure, ...] = (
    wrong("unmasked_prefill_error", "largest error of new tokens, prompt read without a mask", "新词元的最大误差，预填充时不加因果掩码"),
    wrong("query_only_error", "largest error of new tokens, only their q computed", "新词元的最大误差，只算它们的 q"),
    wrong("restarted_positions_error", "largest error of new tokens, positions start at 0 again", "新词元的最大误差，位置又从 0 数起"),
    right("cached_error", "largest error of all tokens, k and v kept", "所有词元的最大误差，缓存 k 和 v"),
    wrong("run_flops_uncached", "multiplications and additions of this run, no cache", "本次的乘加运算量，无缓存"),
    right("run_flops_cached", "multiplications and additions of this run, cached", "本次的乘加运算量，有缓存"),
    measured(
        "later_keys_moved_first_layer",
        "token 1 changes: largest move of later keys, first layer",
        "改第 1 个词元：后面的键的最大变化，首层",
    ),
    measured(
        "later_keys_moved_last_layer", "token 1 changes: largest move of later keys, last layer", "改第 1 个词元：后面的键的最大变化，末层"
    ),
    measured(
        "earlier_keys_moved", "last token changes: largest move of earlier keys, last layer", "改最后一个词元：前面的键的最大变化，末层"
    ),
    *COST_MEASURES,
    Grid(
        "error_by_token",
        Label(
            "difference to the full pass (p prompt, g generated; M = 0: no mask)",
            "与完整前向的差，逐词元（p 提示，g 生成；M = 0 即不加掩码）",
        ),
        rows=("M = 0", "q", "pos = 0", "q, k, v"),
        columns="{tokens}",
        kind="magnitude",
    ),
    Walk(
        Label("prefill: the prompt at once, with a causal mask", "预填充：提示一次读完，加因果掩码"),
        "Q, K, V",
        (1, "heads", "prompt", "head_width"),
    ),
    Walk(Label("kept for every layer: keys and values", "每层保留键和值"), "K, V", (1, "heads", "prompt", "head_width")),
    Walk(
        Label("decode: q, k and v of the one new token", "解码：只算一个新词元的 q、k、v"), "q_t, k_t, v_t", (1, "heads", 1, "head_width")
    ),
    Walk(
        Label("k and v join the cache", "k、v 追加进缓存"),
        r"K \leftarrow [K; k_t],\ V \leftarrow [V; v_t]",
        (1, "heads", "prompt_and_next", "head_width"),
    ),
    Walk(
        Label("one row of scores: no mask needed", "只有一行分数：无需掩码"),
        r"\mathrm{softmax}\left(\frac{q_t K^\top}{\sqrt{d}}\right) V",
        (1, "heads", 1, "head_width"),
    ),
    note(
        "one_layer",
        "layers == 1",
        "With one layer the missing mask does not show in new tokens: keys and values come straight from the inputs. It takes two layers.",
        "只有一层时，缺掩码对新词元没有影响：键和值直接由输入得到。要两层才看得出来。",
    ),
    note("one_token", "prompt == 1", "A prompt of one token has nothing to mask.", "提示只有一个词元时，没有可掩的。"),
)

EXPERIMENT = Experiment(
    title=Label("KV cache", "KV 缓存"),
    summary=Label("Token by token with a cache, against the whole sequence at once.", "带缓存逐个词元解码，与一次算完整个序列对照。"),
    keywords=("decoding", "inference", "generation", "past_key_values", "prefill", "incremental", "推理", "解码", "生成", "缓存", "增量"),
    parameters=(
        Parameter("layers", Label("layers", "层数"), 2, 1, 4),
        Parameter("heads", Label("heads h", "头数 h"), 2, 1, 4, 2, "log", divisor_of=WIDTH),
        Parameter("prompt", Label("prompt tokens", "提示的词元数"), 4, 1, 6),
        Parameter("generated", Label("generated tokens", "生成的词元数"), 3, 1, 6),
        choice(
            "model",
            Label("model of the cost formulas", "成本公式所用的模型"),
            *((key, each.name, each.name) for key, each in SHAPES.items()),
        ),
        choice("numbers", Label("numbers in the cache", "缓存中数的类型"), *((name, name, name) for name in BYTES)),
        Parameter("context", CONTEXT, 2048, LENGTHS[0], LENGTHS[-1], 2, "log"),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "curve",
            ("log10_flops_uncached_over_context", "log10_flops_cached_over_context"),
            over="context",
            caption=Label(
                "With a cache a step computes the new token only; without one, the whole context again for each token.",
                "有缓存，每一步只算新词元；没有缓存，每生成一个词元都要把整个上下文重算一遍。",
            ),
        ),
        Figure("heatmap", ("error_by_token",)),
        Figure("curve", ("gibibytes_over_context",), over="context", mark="cache_gibibytes"),
        Figure("steps", ()),
        Figure("bars", ("run_flops_uncached", "run_flops_cached")),
    ),
    arms=("unmasked_prefill_error", "cached_error"),
    presets=(
        Preset(
            Label("131,072 tokens", "131,072 个词元"),
            {"context": 131072},
            Label(
                "The price is memory: the cache of one sequence is 64 GiB, and reading it is most of a step.",
                "代价是内存：一个序列的缓存就要 64 GiB，一步里大部分计算是在读它。",
            ),
            "cache_gibibytes == 64 and attention_percent > 50",
            show="gibibytes_over_context",
        ),
        Preset(
            Label("LLaMA-2-70B", "LLaMA-2-70B"),
            {"model": "llama-2-70b"},
            Label(
                "Ten times the parameters and a smaller cache a token: 8 heads of keys and values instead of 64.",
                "参数多十倍，每词元的缓存反而更小：键和值只有 8 个头，不是 64 个。",
            ),
            "mebibytes_per_token > 0.3 and mebibytes_per_token < 0.4",
        ),
        Preset(
            Label("one layer", "一层"),
            {"layers": 1},
            Label(
                "A prompt read without a mask does no harm here: in the first layer k and v come from the token alone. It takes two.",
                "这里预填充不加掩码也没事：第一层的 k、v 只由词元自己得到。要两层才出错。",
            ),
            "unmasked_prefill_error < 1e-9",
            show="error_by_token",
        ),
    ),
    run=run,
)
