"""Self-attention is one sequence in three roles: queries and keys decide the weights, values only what is passed on."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, names, number
from engine.result import Matrix, Quantity, Result, Series, Step, Table
from engine.shorthand import SEED, choice, measured, right, wrong
from engine.textbook.attention import scaled_dot_product_attention, softmax
from engine.textbook.projections import Projections, asymmetry, random_projections, scores, self_attention, self_weight, without_projections

MOST, WIDEST = 6, 8
SHARPNESSES = tuple(float(sharpness) for sharpness in range(21))  # 0 ... 20, the x axis

SHARPNESS = Label("length of the query", "查询向量的长度")
ROLES = {
    "value": Label("its value", "它的值"),
    "key": Label("its key", "它的键"),
    "query": Label("its query", "它的查询"),
    "token": Label("the token itself", "词元本身"),
}


def run(*, tokens: int, width: int, changed: str, position: int, sharpness: float, seed: int) -> Result:
    generator = torch.Generator().manual_seed(seed)
    drawn = torch.randn(MOST + 1, WIDEST, generator=generator, dtype=torch.float64)
    X, other = drawn[:tokens, :width], drawn[MOST, :width]  # (n, d) and another token (d,)
    p = random_projections(generator, width, width)
    place = min(position, tokens) - 1
    before, effects = self_attention(X, p), {role: with_changed(role, X, other, place, p) for role in ROLES}
    return Result(
        quantities=(
            *_against_no_projections(X, p),
            *(quantity for role, after in effects.items() for quantity in _effect(role, before, after)),
            *_lookup_quantities(X @ p.W_V, place, sharpness),
        ),
        matrices=_matrices(X, p, before, effects[changed], ROLES[changed]),
        series=_over_sharpness(X @ p.W_V, place),
        tables=(_table(before, effects),),
        steps=_steps(tokens, width),
        notes=_notes(position, tokens),
    )


def with_changed(role: str, x: Tensor, other: Tensor, place: int, p: Projections) -> tuple[Tensor, Tensor]:
    """Output and weights when the token at one place is another one, in one of its roles or in all three."""
    x2 = x.clone()
    x2[place] = other
    query, key, value = ((x2 if role in (name, "token") else x) for name in ("query", "key", "value"))
    return scaled_dot_product_attention(query @ p.W_Q, key @ p.W_K, value @ p.W_V)


def lookup(value: Tensor, place: int, sharpness: float) -> tuple[Tensor, Tensor]:
    """Attention as a dictionary: the keys are one-hot, the query is one key times a length. Output (d,), weights (n,)."""
    keys = torch.eye(len(value), dtype=value.dtype)
    output, weights = scaled_dot_product_attention(sharpness * keys[place : place + 1], keys, value, scale=1.0)
    return output[0], weights[0]


def moved_rows(before: Tensor, after: Tensor) -> float:
    """How many rows are not exactly what they were."""
    return number((before != after).any(-1).sum())


def _against_no_projections(X: Tensor, p: Projections) -> tuple[Quantity, ...]:
    bare = without_projections(X.shape[1])
    S, S_bare = scores(X, X, p), scores(X, X, bare)
    return (
        wrong("bare_asymmetry", asymmetry(S_bare), "largest |S - Sᵀ|, Q = K = V = X", "最大的 |S - Sᵀ|，Q = K = V = X"),
        right("projected_asymmetry", asymmetry(S), "largest |S - Sᵀ|, three projections", "最大的 |S - Sᵀ|，三个投影"),
        wrong("bare_self_weight", self_weight(softmax(S_bare)), "weight on itself, Q = K = V = X", "对自己的权重，Q = K = V = X"),
        right("projected_self_weight", self_weight(softmax(S)), "weight on itself, three projections", "对自己的权重，三个投影"),
    )


def _effect(role: str, before: tuple[Tensor, Tensor], after: tuple[Tensor, Tensor]) -> tuple[Quantity, ...]:
    change, moved = number((after[1] - before[1]).abs().max()), moved_rows(before[0], after[0])
    label = ROLES[role]
    return (
        measured(f"{role}_weight_change", change, f"change {label.en}: weights move by", f"改变{label.zh}：权重变化"),
        measured(f"{role}_outputs_moved", moved, f"change {label.en}: outputs that move", f"改变{label.zh}：变化的输出个数"),
    )


def _lookup_quantities(value: Tensor, place: int, sharpness: float) -> tuple[Quantity, ...]:
    output, weights = lookup(value, place, sharpness)
    error = number((output - value[place]).abs().max())
    return (
        measured("lookup_weight", number(weights[place]), "lookup: weight on the key asked for", "查表：所查键得到的权重"),
        measured("lookup_error", error, "lookup: distance to its value", "查表：与对应值的距离"),
    )


def _over_sharpness(value: Tensor, place: int) -> tuple[Series, ...]:
    weights = tuple(number(lookup(value, place, sharpness)[1][place]) for sharpness in SHARPNESSES)
    label = Label("weight on the key asked for", "所查键得到的权重")
    return (Series("lookup_weight_over_sharpness", SHARPNESSES, weights, label, SHARPNESS, "lookup"),)


def _table(before: tuple[Tensor, Tensor], effects: dict[str, tuple[Tensor, Tensor]]) -> Table:
    heads = (Label("changed", "改变"), Label("rows of weights that move", "变化的权重行"), Label("outputs that move", "变化的输出"))
    rows = tuple((ROLES[role], moved_rows(before[1], after[1]), moved_rows(before[0], after[0])) for role, after in effects.items())
    return Table("effects", Label("one token changes, in one role or in all", "改变一个词元的一种角色或全部角色"), heads, rows)


def _matrices(X: Tensor, p: Projections, before: tuple[Tensor, Tensor], after: tuple[Tensor, Tensor], role: Label) -> tuple[Matrix, ...]:
    n, d = X.shape
    Q, K, V = X @ p.W_Q, X @ p.W_K, X @ p.W_V
    q, k, numbers = names("q", n), names("k", n), names("", d)
    change = Label(f"weights after changing {role.en}, minus before", f"改变{role.zh}后权重的变化")
    moved = Label(f"outputs after changing {role.en}, minus before", f"改变{role.zh}后输出的变化")
    formula = r"S = \frac{Q K^\top}{\sqrt{d}}"
    return (
        Matrix("weights", grid(before[1]), Label("weights", "注意力权重"), q, k, r"P = \mathrm{softmax}(S)", "weights"),
        Matrix("weight_change", grid(after[1] - before[1]), change, q, k),
        Matrix("output_change", grid(after[0] - before[0]), moved, names("o", n), numbers),
        Matrix("Q", grid(Q), Label("queries", "查询"), q, numbers, "Q = X W_Q"),
        Matrix("K_T", grid(K.T), Label("keys, transposed", "键的转置"), numbers, k, r"K^\top"),
        Matrix("V", grid(V), Label("values", "值"), names("v", n), numbers, "V = X W_V"),
        Matrix("scores", grid(scores(X, X, p)), Label("scores", "分数"), q, k, formula, "signed", ("Q", "K_T"), 1 / math.sqrt(d)),
        Matrix("output", grid(before[0]), Label("outputs", "输出"), names("o", n), numbers, "O = P V", "signed", ("weights", "V")),
    )


def _steps(n: int, d: int) -> tuple[Step, ...]:
    return (
        Step(Label("what every token looks for", "每个词元在找什么"), "Q = X W_Q", (n, d), "Q"),
        Step(Label("what every token can be found by", "每个词元凭什么被找到"), "K = X W_K", (n, d), "K_T"),
        Step(Label("what every token passes on", "每个词元传递什么"), "V = X W_V", (n, d), "V"),
        Step(Label("who listens to whom", "谁听谁的"), r"P = \mathrm{softmax}\left(\frac{Q K^\top}{\sqrt{d}}\right)", (n, n), "weights"),
        Step(Label("what is heard", "听到了什么"), "O = P V", (n, d), "output"),
    )


def _notes(position: int, tokens: int) -> tuple[Label, ...]:
    if position <= tokens:
        return ()
    return (Label(f"There is no token {position}; token {tokens} changes.", f"没有第 {position} 个词元，改变的是第 {tokens} 个。"),)


def cost(*, tokens: int, width: int, changed: str, position: int, sharpness: float, seed: int) -> Cost:
    n, d = max(tokens, MOST), max(width, WIDEST)
    return Cost(bytes=8 * (20 * n * d + 20 * n**2 + 3 * d**2), flops=10 * 2 * n * d * (3 * d + 2 * n))


EXPERIMENT = Experiment(
    title=Label("self-attention and its three roles", "自注意力的三种角色"),
    summary=Label(
        "Change one token as a query, as a key or as a value, and see what moves.", "把一个词元作为查询、键或值来改变，看什么会跟着变。"
    ),
    parameters=(
        choice("changed", Label("what changes", "改变什么"), *((role, label.en, label.zh) for role, label in ROLES.items())),
        Parameter("position", Label("which token", "第几个词元"), 2, 1, MOST),
        Parameter("tokens", Label("tokens n", "词元数 n"), 4, 2, MOST),
        Parameter("width", Label("width d", "宽度 d"), 4, 2, WIDEST),
        Parameter("sharpness", SHARPNESS, 10.0, 0.0, 20.0, 0.5),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(self_attention, scaled_dot_product_attention, without_projections, lookup),
    arms=("bare_asymmetry", "projected_asymmetry"),
)
