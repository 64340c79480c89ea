"""Heads cost no parameters, but they are cut and joined with a transpose: without it the shapes fit, and tokens are lost or leak."""

from __future__ import annotations

from typing import Literal

from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label, ParameterError
from engine.parameter import Parameter
from engine.plain import grid, names, number
from engine.result import Matrix, Quantity, Result, Step
from engine.shorthand import SEED, choice
from engine.textbook.attention import (
    Merge,
    MultiHeadAttention,
    Split,
    causal_mask,
    merge_heads,
    merge_heads_by_transpose,
    merge_heads_by_view,
    split_heads,
    split_heads_by_view,
)
from engine.textbook.multi_head_variants import (
    Probe,
    head_similarity,
    loop_over_heads,
    random_layer,
    random_probe,
    rewired,
    score_rank,
    without_head,
)

BERT = 768
SCORES_AT = 512  # tokens, for the memory of the scores
SPLITS: dict[str, Split] = {"right": split_heads, "view": split_heads_by_view}
MERGES: dict[str, Merge] = {"right": merge_heads, "view": merge_heads_by_view, "transpose": merge_heads_by_transpose}


def run(*, heads: int, d_model: int, tokens: int, silenced: int, split: str, merge: str, causal: str, seed: int) -> Result:
    if d_model % heads or BERT % heads:
        raise ParameterError(
            f"{heads} heads do not divide d_model = {d_model} (and BERT's {BERT}) evenly; take 1, 2, 4 or 8.",
            f"{heads} 个头不能整除 d_model = {d_model}（以及 BERT 的 {BERT}）；请取 1、2、4 或 8。",
        )
    right = random_layer(d_model, heads, seed)
    chosen = rewired(right, SPLITS[split], MERGES[merge])
    bench = random_probe(tokens, d_model, seed, causal_mask(tokens, tokens) if causal == "yes" else None)
    return Result(
        quantities=(
            *_split_and_merge(right, chosen, bench),
            *_sizes(d_model, heads),
            *_heads_apart(right, bench, min(silenced, heads)),
        ),
        matrices=_matrices(bench.weights(chosen)[0], split),
        steps=_steps(tokens, d_model, heads, split, merge),
        notes=_notes(heads, silenced),
    )


def _split_and_merge(right: MultiHeadAttention, chosen: MultiHeadAttention, bench: Probe) -> tuple[Quantity, ...]:
    """Three wrong layers with the same weights beside the right one: their error, what leaks back, what no longer gets through."""
    view, transpose = rewired(right, split_heads_by_view, merge_heads_by_view), rewired(right, split_heads, merge_heads_by_transpose)
    mixed = rewired(right, split_heads_by_view, merge_heads)
    output = bench.output(right)
    loop = loop_over_heads(right, bench.x[0], bench.mask)

    def error(layer: MultiHeadAttention) -> float:
        return largest(bench.output(layer) - output)

    return (
        _right("right_error", largest(loop - output), "error against a loop over heads", "与逐头循环的误差"),
        _wrong("wrong_split_error", error(view), "error, view only", "误差：拆与合都只用 view"),
        _wrong("wrong_merge_error", error(transpose), "error, merge by transpose(-1, -2)", "误差：用 transpose(-1, -2) 合并"),
        Quantity("chosen_error", error(chosen), Label("error, your choice", "误差：所选写法")),
        _right("leak_right", bench.leak(right), "leak from the last token", "来自最后词元的泄漏"),
        _wrong("leak_wrong_split", bench.leak(view), "leak, view only", "泄漏：拆与合都只用 view"),
        _wrong("leak_mixed", bench.leak(mixed), "leak, split by view, right merge", "泄漏：view 拆头，正确合并"),
        _wrong("leak_wrong_merge", bench.leak(transpose), "leak, merge by transpose(-1, -2)", "泄漏：用 transpose(-1, -2) 合并"),
        Quantity("chosen_leak", bench.leak(chosen), Label("leak, your choice", "泄漏：所选写法")),
        _right("reach_right", bench.reach(right), "first token's effect on the last output", "首词元对最后输出的影响"),
        _wrong("reach_wrong_split", bench.reach(view), "the same, view only", "同上：拆与合都只用 view"),
        Quantity("chosen_reach", bench.reach(chosen), Label("the same, your choice", "同上：所选写法")),
    )


def _right(name: str, value: float, en: str, zh: str) -> Quantity:
    return Quantity(name, value, Label(en, zh), arm="right")


def _wrong(name: str, value: float, en: str, zh: str) -> Quantity:
    return Quantity(name, value, Label(en, zh), arm="wrong")


def largest(change: Tensor) -> float:
    return number(change.abs().max())


def _sizes(d_model: int, heads: int) -> tuple[Quantity, ...]:
    mebibytes = heads * SCORES_AT**2 * 4 / 2**20
    return (
        Quantity("parameters", parameters(d_model, heads), Label(f"parameters at d_model = {d_model}", f"d_model = {d_model} 的参数量")),
        Quantity("parameters_bert", parameters(BERT, heads), Label(f"parameters at d_model = {BERT}", f"d_model = {BERT} 的参数量")),
        Quantity("score_mebibytes", mebibytes, Label("scores of 512 tokens, float32", "512 个词元的分数，float32"), "MiB"),
    )


def parameters(d_model: int, heads: int) -> int:
    """Counted on the layer itself; the meta device allocates nothing."""
    return sum(each.numel() for each in MultiHeadAttention(d_model, heads, device="meta").parameters())


def _heads_apart(right: MultiHeadAttention, bench: Probe, silenced: int) -> tuple[Quantity, ...]:
    output = bench.output(right)
    change = bench.output(without_head(right, silenced)) - output
    share = number(change.norm() / output.norm())
    return (
        Quantity("silenced_change", largest(change), Label("largest change without the silenced head", "去掉该头后的最大变化")),
        Quantity("silenced_share", share, Label("its share of the output's norm", "占输出范数的比例")),
        Quantity(
            "head_similarity", head_similarity(bench.weights(right)[0]), Label("mean cosine between heads' weights", "各头权重的平均余弦")
        ),
        Quantity("score_rank", score_rank(right, bench.x), Label("rank of a head's scores", "单个头分数矩阵的秩")),
    )


def _matrices(weights: Tensor, split: str) -> tuple[Matrix, ...]:
    """One matrix of weights a head, as the chosen split makes them."""
    rows, columns = names("q", weights.shape[-1]), names("k", weights.shape[-1])
    arm: Literal["right", "wrong"] = "right" if split == "right" else "wrong"
    return tuple(
        Matrix(f"head_{i}", grid(each), Label(f"head {i}", f"头 {i}"), rows, columns, kind="weights", arm=arm)
        for i, each in enumerate(weights, start=1)
    )


def _steps(tokens: int, d_model: int, heads: int, split: str, merge: str) -> tuple[Step, ...]:
    """The shapes of the chosen way, (B, T, D) to (B, T, D)."""
    width = d_model // heads
    whole, cut, apart = (1, tokens, d_model), (1, tokens, heads, width), (1, heads, tokens, width)
    splits = {
        "right": (
            _shape("view: cut every token", "view：把每个词元切开", cut),
            _shape("transpose(1, 2): heads first", "transpose(1, 2)：头提前", apart),
        ),
        "view": (_shape("view only: cuts across tokens", "只用 view：切乱了词元", apart),),
    }
    merges = {
        "right": (
            _shape("transpose(1, 2): tokens first", "transpose(1, 2)：词元提前", cut),
            _shape("reshape: join the pieces", "reshape：拼接各头", whole),
        ),
        "view": (_shape("view only: joins across tokens", "只用 view：拼错了词元", whole),),
        "transpose": (
            _shape("transpose(-1, -2): swaps tokens and features", "transpose(-1, -2)：词元与特征互换", (1, heads, width, tokens)),
            _shape("reshape: the shape fits, the content does not", "reshape：形状对，内容错", whole),
        ),
    }
    softmax = r"\mathrm{softmax}\left(\frac{Q_i K_i^\top}{\sqrt{d}}\right)"
    return (
        Step(Label("queries; keys and values alike", "查询；键和值同理"), "Q = X W_Q", whole),
        *splits[split],
        Step(Label("weights, one matrix a head", "权重，每个头一个矩阵"), softmax, (1, heads, tokens, tokens), "head_1"),
        Step(Label("what each head reads", "每个头读到的内容"), "P_i V_i", apart),
        *merges[merge],
        Step(Label("W_O mixes the heads", "W_O 混合各头"), r"\mathrm{concat}(O_1, \ldots, O_h) W_O", whole),
    )


def _shape(en: str, zh: str, shape: tuple[int, ...]) -> Step:
    return Step(Label(en, zh), "", shape)


def _notes(heads: int, silenced: int) -> tuple[Label, ...]:
    clamped = Label(f"There is no head {silenced}; head {heads} is silenced.", f"没有第 {silenced} 个头，静音的是头 {heads}。")
    single = Label("With one head there is nothing to cut: view alone is right by accident.", "只有一个头时无需拆分：只用 view 恰好也对。")
    return tuple(note for applies, note in ((silenced > heads, clamped), (heads == 1, single)) if applies)


def cost(*, heads: int, d_model: int, tokens: int, silenced: int, split: str, merge: str, causal: str, seed: int) -> Cost:
    passes = 24  # of a layer
    weights = 4 * d_model * (d_model + 1)
    numbers = 2 * weights + 12 * tokens * d_model + 6 * heads * tokens**2
    return Cost(bytes=8 * numbers, flops=passes * (2 * tokens * weights + 4 * tokens**2 * d_model))


EXPERIMENT = Experiment(
    title=Label("multi-head attention", "多头注意力"),
    summary=Label(
        "Split, attend, merge: the right way, the copied wrong ways, and what heads cost.",
        "拆头、注意、合并：正确与常见的错误写法，以及多头的代价。",
    ),
    parameters=(
        Parameter("heads", Label("heads h", "头数 h"), 4, 1, 8, 2, "log"),
        Parameter("d_model", Label("d_model", "d_model"), 16, 8, 64, 2, "log"),
        Parameter("tokens", Label("tokens T", "词元数 T"), 6, 2, 6),
        Parameter("silenced", Label("silenced head (0 = none)", "静音的头（0 = 无）"), 0, 0, 8),
        choice("split", Label("split", "拆头"), ("right", "view, transpose", "view + transpose"), ("view", "view only", "只用 view")),
        choice(
            "merge",
            Label("merge", "合并"),
            ("right", "transpose, view", "transpose + view"),
            ("view", "view only", "只用 view"),
            ("transpose", "transpose(-1, -2)", "transpose(-1, -2)"),
        ),
        choice("causal", Label("causal mask", "因果掩码"), ("yes", "yes", "有"), ("no", "no", "无")),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(MultiHeadAttention, split_heads, merge_heads, split_heads_by_view, merge_heads_by_transpose),
    arms=("wrong_split_error", "right_error"),
)
