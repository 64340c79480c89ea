"""Self-attention is one sequence in three roles: queries and keys decide the weights, values only what is passed on."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import SHARE, Curve, Grid, Rows, Walk, measured, note, right, wrong
from engine.parameter import SEED, Parameter, choice
from engine.preset import Preset
from engine.textbook.attention import scaled_dot_product_attention, softmax
from engine.textbook.projections import Projections, asymmetry, random_projections, scores, self_attention, self_weight, without_projections

MOST, WIDEST = 6, 8
SHARPNESSES = range(21)  # 0 ... 20, the x axis

Attended = tuple[Tensor, Tensor]  # output (n, d) and weights (n, n)


def run(*, tokens: int, width: int, changed: str, position: int, sharpness: float, seed: int) -> Numbers:
    generator = torch.Generator().manual_seed(seed)
    drawn = torch.randn(MOST + 1, WIDEST, generator=generator, dtype=torch.float64)
    X, other = drawn[:tokens, :width], drawn[MOST, :width]  # (n, d) and another token (d,)
    p = random_projections(generator, width, width)
    place = min(position, tokens) - 1
    before = self_attention(X, p)
    after = {role: attention_with_changed(role, X, other, place, p) for role in ROLES}
    return {
        **with_and_without_projections(X, p),
        **effects(before, after),
        **lookups(X @ p.W_V, place, sharpness),
        "Q": X @ p.W_Q,
        "K_T": (X @ p.W_K).T,
        "V": X @ p.W_V,
        "scores": scores(X, X, p),
        "scale": 1 / math.sqrt(width),
        "weights": before[1],
        "output": before[0],
        "weight_change": after[changed][1] - before[1],
        "output_change": after[changed][0] - before[0],
        "role": ROLES[changed],
    }


def with_and_without_projections(X: Tensor, p: Projections) -> Numbers:
    S, S_bare = scores(X, X, p), scores(X, X, without_projections(X.shape[1]))
    return {
        "bare_asymmetry": asymmetry(S_bare),
        "projected_asymmetry": asymmetry(S),
        "bare_self_weight": self_weight(softmax(S_bare)),
        "projected_self_weight": self_weight(softmax(S)),
    }


def attention_with_changed(role: str, x: Tensor, other: Tensor, place: int, p: Projections) -> Attended:
    """Attention when the token at one place is another one, in one of its roles or in all three."""
    x2 = x.clone()
    x2[place] = other
    query, key, value = ((x2 if role in (name, "token") else x) for name in ("query", "key", "value"))
    return scaled_dot_product_attention(query @ p.W_Q, key @ p.W_K, value @ p.W_V)


def effects(before: Attended, after: dict[str, Attended]) -> Numbers:
    """What each changed role moves."""
    return {
        **{f"{role}_weight_change": (weights - before[1]).abs().max() for role, (_, weights) in after.items()},
        **{f"{role}_outputs_moved": count_moved_rows(before[0], output) for role, (output, _) in after.items()},
        "effects": [(count_moved_rows(before[1], weights), count_moved_rows(before[0], output)) for output, weights in after.values()],
    }


def count_moved_rows(before: Tensor, after: Tensor) -> float:
    """How many rows are not exactly what they were."""
    return float((before != after).any(-1).sum())


def lookups(value: Tensor, place: int, sharpness: float) -> Numbers:
    output, weights = lookup(value, place, sharpness)
    return {
        "lookup_weight": weights[place],
        "lookup_error": (output - value[place]).abs().max(),
        "lookup_weight_over_sharpness": (SHARPNESSES, [lookup(value, place, each)[1][place] for each in SHARPNESSES]),
    }


def lookup(value: Tensor, place: int, sharpness: float) -> tuple[Tensor, Tensor]:
    """Attention as a dictionary: the keys are one-hot, the query is one key times a length. Output (d,), weights (n,)."""
    keys = torch.eye(len(value), dtype=value.dtype)
    output, weights = scaled_dot_product_attention(sharpness * keys[place : place + 1], keys, value, scale=1.0)
    return output[0], weights[0]


SHARPNESS = Label("length of the query", "查询向量的长度")
ROLES = {
    "value": Label("its value", "它的值"),
    "key": Label("its key", "它的键"),
    "query": Label("its query", "它的查询"),
    "token": Label("the token itself", "词元本身"),
}

MEASURES = (
    wrong("bare_asymmetry", "largest |S - Sᵀ|, Q = K = V = X", "最大的 |S - Sᵀ|，Q = K = V = X"),
    right("projected_asymmetry", "largest |S - Sᵀ|, three projections", "最大的 |S - Sᵀ|，三个投影"),
    wrong("bare_self_weight", "mean weight of a token on itself, Q = K = V = X", "词元对自己的平均权重，Q = K = V = X", within=SHARE),
    right("projected_self_weight", "mean weight of a token on itself, three projections", "词元对自己的平均权重，三个投影", within=SHARE),
    measured(
        "value_weight_change", "a token's value changes: largest change of a weight", "改变一个词元的值：权重的最大变化", within=SHARE
    ),
    measured("value_outputs_moved", "a token's value changes: outputs that move", "改变一个词元的值：变化的输出个数", within=(0, MOST)),
    measured("key_weight_change", "a token's key changes: largest change of a weight", "改变一个词元的键：权重的最大变化", within=SHARE),
    measured("key_outputs_moved", "a token's key changes: outputs that move", "改变一个词元的键：变化的输出个数", within=(0, MOST)),
    measured(
        "query_weight_change", "a token's query changes: largest change of a weight", "改变一个词元的查询：权重的最大变化", within=SHARE
    ),
    measured("query_outputs_moved", "a token's query changes: outputs that move", "改变一个词元的查询：变化的输出个数", within=(0, MOST)),
    measured("token_weight_change", "a token itself changes: largest change of a weight", "改变词元本身：权重的最大变化", within=SHARE),
    measured("token_outputs_moved", "a token itself changes: outputs that move", "改变词元本身：变化的输出个数", within=(0, MOST)),
    measured("lookup_weight", "lookup: weight on the key asked for", "查表：所查键得到的权重", within=SHARE),
    measured("lookup_error", "lookup: length of output - value asked for", "查表：输出与所查值之差的长度"),
    Grid("weights", Label("weights", "注意力权重"), "q{1}", "k{1}", r"P = \mathrm{softmax}(S)", "weights", made_of=("softmax", "scores")),
    Grid("weight_change", Label("weights after changing {role}, minus before", "改变{role}后权重的变化"), "q{1}", "k{1}"),
    Grid("output_change", Label("outputs after changing {role}, minus before", "改变{role}后输出的变化"), "o{1}", "{1}"),
    Grid("Q", Label("queries", "查询"), "q{1}", "{1}", "Q = X W_Q"),
    Grid("K_T", Label("keys, transposed", "键的转置"), "{1}", "k{1}", r"K^\top"),
    Grid("V", Label("values", "值"), "v{1}", "{1}", "V = X W_V"),
    Grid("scores", Label("scores", "分数"), "q{1}", "k{1}", r"S = \frac{Q K^\top}{\sqrt{d}}", product_of=("Q", "K_T"), factor="{scale}"),
    Grid("output", Label("outputs", "输出"), "o{1}", "{1}", "O = P V", product_of=("weights", "V")),
    Curve("lookup_weight_over_sharpness", Label("weight on the key asked for", "所查键得到的权重"), SHARPNESS, "lookup"),
    Rows(
        "effects",
        Label("one token changes, in one role or in all", "改变一个词元的一种角色或全部角色"),
        (Label("changed", "改变"), Label("rows of weights that move", "变化的权重行"), Label("outputs that move", "变化的输出")),
        rows=tuple(ROLES.values()),
    ),
    Walk(Label("what every token looks for", "每个词元在找什么"), "Q = X W_Q", ("tokens", "width"), "Q"),
    Walk(Label("what every token can be found by", "每个词元凭什么被找到"), "K = X W_K", ("tokens", "width"), "K_T"),
    Walk(Label("what every token passes on", "每个词元传递什么"), "V = X W_V", ("tokens", "width"), "V"),
    Walk(
        Label("who listens to whom", "谁听谁的"),
        r"P = \mathrm{softmax}\left(\frac{Q K^\top}{\sqrt{d}}\right)",
        ("tokens", "tokens"),
        "weights",
    ),
    Walk(Label("what is heard", "听到了什么"), "O = P V", ("tokens", "width"), "output"),
    note(
        "clamped",
        "position > tokens",
        "There is no token {position}; token {tokens} changes.",
        "没有第 {position} 个词元，改变的是第 {tokens} 个。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("self-attention and its three roles", "自注意力的三种角色"),
    summary=Label(
        "Change one token as a query, as a key or as a value, and see what moves.", "把一个词元作为查询、键或值来改变，看什么会跟着变。"
    ),
    keywords=("query", "key", "value", "roles", "intra-attention", "查询", "键", "值", "角色"),
    parameters=(
        choice("changed", Label("what changes", "改变什么"), *((role, label.en, label.zh) for role, label in ROLES.items())),
        Parameter("position", Label("which token", "第几个词元"), 2, 1, MOST),
        Parameter("tokens", Label("tokens n", "词元数 n"), 4, 2, MOST),
        Parameter("width", Label("width d", "宽度 d"), 4, 2, WIDEST),
        Parameter("sharpness", SHARPNESS, 10.0, 0.0, 20.0, 0.5),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "heatmap",
            ("weights", "weight_change", "output_change"),
            caption=Label(
                "Change a token's query and its own row of weights moves; its key, and every row moves; its value, and no weight does.",
                "改一个词元的查询，只动它自己那一行权重；改键，每一行都动；改值，权重一个也不动。",
            ),
        ),
        Figure("table", ("effects",)),
        Figure("bars", ("bare_asymmetry", "projected_asymmetry")),
        Figure("bars", ("bare_self_weight", "projected_self_weight")),
        Figure("steps", ("Q", "K_T", "V", "weights", "output")),
        Figure("heatmap", ("scores",)),
        Figure("curve", ("lookup_weight_over_sharpness",), over="sharpness", mark="lookup_weight"),
    ),
    arms=("bare_asymmetry", "projected_asymmetry"),
    presets=(
        Preset(
            Label("change a query", "改查询"),
            {"changed": "query"},
            Label(
                "One row of weights and one output move: the others never look at this query.",
                "只有一行权重、一个输出在动：别的词元从不看这个查询。",
            ),
            "changed == query and query_outputs_moved == 1",
        ),
        Preset(
            Label("change a key", "改键"),
            {"changed": "key"},
            Label(
                "Every row of weights moves: each must share its 1 with this key.", "每一行权重都在动：每一行的总和 1 都要分给这个键一份。"
            ),
            "changed == key and key_outputs_moved == tokens and key_weight_change > 0.01",
        ),
        Preset(
            Label("a query of length 0", "长度为 0 的查询"),
            {"sharpness": 0.0},
            Label(
                "A query that asks for nothing gets the mean of all values: each key weighs 1/4.",
                "什么都不问的查询得到全部值的平均：每个键的权重都是 1/4。",
            ),
            "lookup_weight < 0.26",
            show="lookup_weight_over_sharpness",
        ),
    ),
    run=run,
)
