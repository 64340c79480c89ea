"""A mixture of experts holds many parameters and uses few for a token; a router that slightly prefers one expert overloads it."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, names, number
from engine.result import Matrix, Quantity, Result, Series
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.expert_routing import balance_loss, balanced_by_bias, dropped_tokens, expert_load, mixture, route

TOKENS = 2048
SHOWN, MOST = 6, 8  # tokens and experts that are read cell by cell
STEP, STEPS = 0.04, 40
BIASES = tuple(tick / 2 for tick in range(7))
PREFERENCE = Label("preference for expert 1", "对专家 1 的偏好")
# Mixtral 8x7B: D = 4096, 32 layers, experts of three 4096 x 14336 matrices, 8 KV heads of 128, two tables of 32,000 words.
D, LAYERS, INNER, WORDS, KV = 4096, 32, 14336, 32_000, 1024


def run(*, experts: int, chosen: int, preference: float, capacity: float, seed: int) -> Result:
    k = min(chosen, experts)
    generator = torch.Generator().manual_seed(seed)
    balanced = torch.randn(TOKENS, experts, generator=generator, dtype=torch.float64)  # (N, E)
    biased = prefer(balanced, preference)
    corrected = balanced_by_bias(biased, k, STEP, STEPS)
    return Result(
        quantities=(
            wrong(
                "biased_largest_load", number(expert_load(biased, k).max()), "largest load, one expert preferred", "最大负载：偏好一个专家"
            ),
            right("balanced_largest_load", number(expert_load(balanced, k).max()), "largest load, no preference", "最大负载：没有偏好"),
            measured("even_load", 1 / experts, "even load, 1/E", "平均负载 1/E"),
            wrong(
                "biased_dropped_percent",
                100 * dropped_tokens(biased, k, capacity),
                "assignments beyond capacity, one preferred",
                "超出容量的分配：偏好一个",
                "%",
            ),
            right(
                "balanced_dropped_percent",
                100 * dropped_tokens(balanced, k, capacity),
                "assignments beyond capacity, none preferred",
                "超出容量的分配：没有偏好",
                "%",
            ),
            wrong("biased_balance_loss", balance_loss(biased, k), "balancing loss, one preferred", "负载均衡损失：偏好一个"),
            right("balanced_balance_loss", balance_loss(balanced, k), "balancing loss, none preferred", "负载均衡损失：没有偏好"),
            measured(
                "corrected_largest_load",
                corrected[-1],
                f"largest load after {STEPS} corrections by an offset",
                f"经 {STEPS} 次偏移修正后的最大负载",
            ),
            *_parameters(experts, k),
            *_weights(balanced, k),
        ),
        matrices=_matrices(balanced, biased, k),
        series=_curves(balanced, k, corrected, number(expert_load(biased, k).max())),
        notes=_notes(experts, chosen, k),
    )


def prefer(logits: Tensor, preference: float) -> Tensor:
    """The same router with something added to the first expert's logit, for every token."""
    biased = logits.clone()
    biased[:, 0] += preference
    return biased


def parameters_of(experts: int) -> int:
    """A Mixtral with that many experts a layer: attention, router, experts, two norms; and the tables and the last norm."""
    layer = 2 * D * D + 2 * D * KV + D * experts + experts * 3 * D * INNER + 2 * D
    return LAYERS * layer + 2 * WORDS * D + D


def _parameters(experts: int, k: int) -> tuple[Quantity, ...]:
    """A token uses the router of all experts, but the networks of k only."""
    total = parameters_of(experts)
    active = total - LAYERS * (experts - k) * 3 * D * INNER
    return (
        measured("total_parameters", total, "parameters held, Mixtral's shape", "存放的参数量，Mixtral 的形状"),
        measured("active_parameters", active, "parameters that a token uses", "每个词元用到的参数量"),
        measured("active_percent", 100 * active / total, "share in use", "用到的比例", "%"),
    )


def _weights(logits: Tensor, k: int) -> tuple[Quantity, ...]:
    """A softmax over all experts, cut to the chosen, no longer sums to 1."""
    _, over_chosen = route(logits, k)
    over_all = torch.softmax(logits, -1).topk(k, -1).values
    return (
        right(
            "weight_sum",
            number(over_chosen.sum(-1).mean()),
            "weights of the chosen, softmax over them",
            "所选专家的权重和：只对它们做 softmax",
        ),
        wrong(
            "weight_sum_over_all",
            number(over_all.sum(-1).mean()),
            "weights of the chosen, softmax over all, not renormalised",
            "所选专家的权重和：对全部做 softmax 而不归一",
        ),
    )


def _matrices(balanced: Tensor, biased: Tensor, k: int) -> tuple[Matrix, ...]:
    experts = balanced.shape[-1]
    indices, weights = route(biased[:SHOWN], k)
    sent = torch.zeros(SHOWN, experts, dtype=torch.float64).scatter(-1, indices, weights)[:, :MOST]
    loads = torch.stack((expert_load(biased, k), expert_load(balanced, k)))[:, :MOST]
    columns = names("e", min(experts, MOST))
    return (
        Matrix(
            "loads",
            grid(loads),
            Label("share of assignments, b = preference for e1", "分到的比例，b 为对 e1 的偏好"),
            ("b > 0", "b = 0"),
            columns,
            kind="weights",
        ),
        Matrix(
            "sent",
            grid(sent),
            Label("where six tokens go, biased router", "有偏路由下六个词元的去向"),
            names("t", SHOWN),
            columns,
            kind="weights",
            arm="wrong",
        ),
    )


def _curves(balanced: Tensor, k: int, corrected: list[float], unchanged: float) -> tuple[Series, ...]:
    x, largest = tuple(map(float, range(STEPS))), tuple(number(expert_load(prefer(balanced, bias), k).max()) for bias in BIASES)
    steps = Label("correction", "修正次数")
    return (
        Series("largest_load_over_preference", BIASES, largest, Label("largest load", "最大负载"), PREFERENCE, "preference", arm="wrong"),
        Series(
            "corrected_load_over_steps",
            x,
            tuple(corrected),
            Label("largest load, corrected", "最大负载，修正"),
            steps,
            "correction",
            arm="right",
        ),
        Series(
            "uncorrected_load_over_steps",
            x,
            (unchanged,) * STEPS,
            Label("largest load, uncorrected", "最大负载，不修正"),
            steps,
            "correction",
            arm="wrong",
        ),
    )


def _notes(experts: int, chosen: int, k: int) -> tuple[Label, ...]:
    clamped = Label(f"There are {experts} experts: a token goes to {k}.", f"只有 {experts} 个专家：每个词元去 {k} 个。")
    every = Label("Every token goes to every expert: this is no mixture, the load cannot differ.", "每个词元都去所有专家：负载不会有差别。")
    return tuple(note for applies, note in ((chosen > experts, clamped), (k == experts, every)) if applies)


def cost(*, experts: int, chosen: int, preference: float, capacity: float, seed: int) -> Cost:
    cells = TOKENS * experts
    return Cost(bytes=8 * 6 * cells, flops=(STEPS + len(BIASES) + 10) * 20 * cells)


EXPERIMENT = Experiment(
    title=Label("mixture of experts", "混合专家（MoE）"),
    summary=Label(
        "Top-k routing of 2048 tokens: who gets how many, with and without a preference.",
        "2048 个词元的 top-k 路由：谁分到多少，有无偏好对照。",
    ),
    parameters=(
        Parameter("experts", Label("experts E", "专家数 E"), 8, 2, 16, 2, "log"),
        Parameter("chosen", Label("experts a token, k", "每词元专家数 k"), 2, 1, 4),
        Parameter("preference", PREFERENCE, 1.0, BIASES[0], BIASES[-1], 0.25),
        Parameter("capacity", Label("capacity factor", "容量系数"), 1.25, 1.0, 4.0, 0.25),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(route, mixture, expert_load, balance_loss, dropped_tokens, balanced_by_bias),
    arms=("biased_largest_load", "balanced_largest_load"),
)
