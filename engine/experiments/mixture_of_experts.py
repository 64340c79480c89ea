"""A mixture of experts holds many parameters and uses few for a token; a router that prefers one expert overloads it."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import PERCENT, SHARE, Curve, Grid, Measure, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.expert_routing import balance_loss, balanced_by_bias, dropped_tokens, expert_load, route

TOKENS = 2048
SHOWN, MOST = 6, 8  # tokens and experts that are read cell by cell
STEP, STEPS = 0.04, 40
FEWEST, LARGEST = 2, 16  # experts
BIASES = tuple(tick / 2 for tick in range(7))  # the x axis
# Mixtral 8x7B: D = 4096, 32 layers, experts of three 4096 x 14336 matrices, 8 KV heads of 128, two tables of 32,000 words.
D, LAYERS, INNER, WORDS, KV = 4096, 32, 14336, 32_000, 1024


def run(*, experts: int, chosen: int, preference: float, capacity: float, seed: int) -> Numbers:
    k = min(chosen, experts)
    generator = torch.Generator().manual_seed(seed)
    balanced = torch.randn(TOKENS, experts, generator=generator, dtype=torch.float64)  # (N, E)
    return {
        **loads(balanced, prefer(balanced, preference), k, capacity),
        **parameters_in_use(experts, k),
        **chosen_weights(balanced, k),
        "k": k,
    }


def prefer(logits: Tensor, preference: float) -> Tensor:
    """The same router with something added to the first expert's logit, for every token."""
    biased = logits.clone()
    biased[:, 0] += preference
    return biased


def loads(balanced: Tensor, biased: Tensor, k: int, capacity: float) -> Numbers:
    """Who gets how many of the tokens' choices, by both routers, and what an offset for each expert mends."""
    experts = balanced.shape[-1]
    biased_load, balanced_load = expert_load(biased, k), expert_load(balanced, k)
    indices, weights = route(biased[:SHOWN], k)
    corrected = balanced_by_bias(biased, k, STEP, STEPS)
    return {
        "biased_largest_load": biased_load.max(),
        "balanced_largest_load": balanced_load.max(),
        "even_load": 1 / experts,
        "biased_dropped_percent": 100 * dropped_tokens(biased, k, capacity),
        "balanced_dropped_percent": 100 * dropped_tokens(balanced, k, capacity),
        "biased_balance_loss": balance_loss(biased, k),
        "balanced_balance_loss": balance_loss(balanced, k),
        "corrected_largest_load": corrected[-1],
        "corrections": STEPS,
        "loads": torch.stack((biased_load, balanced_load))[:, :MOST],
        "biased_load": biased_load[None, :MOST],
        "balanced_load": balanced_load[None, :MOST],
        "sent": torch.zeros(SHOWN, experts, dtype=torch.float64).scatter(-1, indices, weights)[:, :MOST],
        "largest_load_over_preference": (BIASES, [expert_load(prefer(balanced, bias), k).max() for bias in BIASES]),
        "corrected_load_over_steps": (range(STEPS), corrected),
        "uncorrected_load_over_steps": (range(STEPS), biased_load.max().expand(STEPS)),
    }


def parameters_of(experts: int) -> int:
    """A Mixtral with that many experts a layer: attention, router, experts, two norms; and the tables and the last norm."""
    layer = 2 * D * D + 2 * D * KV + D * experts + experts * 3 * D * INNER + 2 * D
    return LAYERS * layer + 2 * WORDS * D + D


def parameters_in_use(experts: int, k: int) -> Numbers:
    """A token uses the router of all experts, but the networks of k only."""
    total = parameters_of(experts)
    active = total - LAYERS * (experts - k) * 3 * D * INNER
    return {"total_parameters": total, "active_parameters": active, "active_percent": 100 * active / total}


def chosen_weights(logits: Tensor, k: int) -> Numbers:
    """A softmax over all experts, cut to the chosen, no longer sums to 1."""
    _, over_chosen = route(logits, k)
    over_all = torch.softmax(logits, -1).topk(k, -1).values
    return {"weight_sum": over_chosen.sum(-1).mean(), "weight_sum_over_all": over_all.sum(-1).mean()}


PREFERENCE = Label("preference for expert 1", "对专家 1 的偏好")
CORRECTION = Label("correction", "修正次数")
LOAD = (1 / LARGEST, 1)  # the largest load is never below the even one
LOSS = (0, LARGEST)

MEASURES: tuple[Measure, ...] = (
    wrong("biased_largest_load", "largest share of an expert, one expert preferred", "负载最大的专家所占份额，偏好一个专家", within=LOAD),
    right("balanced_largest_load", "largest share of an expert, no preference", "负载最大的专家所占份额，没有偏好", within=LOAD),
    measured("even_load", "even share of an expert, 1/E", "平均份额 1/E", within=(1 / LARGEST, 1 / FEWEST)),
    wrong("biased_dropped_percent", "assignments beyond capacity, one expert preferred", "超出容量的分配，偏好一个专家", "%", PERCENT),
    right("balanced_dropped_percent", "assignments beyond capacity, no preference", "超出容量的分配，没有偏好", "%", PERCENT),
    wrong("biased_balance_loss", "balancing loss, one expert preferred", "负载均衡损失，偏好一个专家", within=LOSS),
    right("balanced_balance_loss", "balancing loss, no preference", "负载均衡损失，没有偏好", within=LOSS),
    measured(
        "corrected_largest_load",
        "largest share of an expert after {corrections} offset corrections",
        "{corrections} 次偏移修正后的最大份额",
        within=LOAD,
    ),
    measured("total_parameters", "parameters held, Mixtral's shape", "存放的参数量，Mixtral 的形状"),
    measured("active_parameters", "parameters that a token uses", "每个词元用到的参数量"),
    measured("active_percent", "parameters that a token uses, of those held", "每个词元用到的参数占存放的比例", "%", PERCENT),
    right("weight_sum", "weights of the chosen, mean sum, softmax over them", "所选专家的权重和，平均：只对它们做 softmax", within=SHARE),
    wrong(
        "weight_sum_over_all",
        "weights of the chosen, mean sum, softmax over all",
        "所选专家的权重和，平均：对全部做 softmax",
        within=SHARE,
    ),
    Grid(
        "loads",
        Label("share of assignments, b = preference for e1", "分到的比例，b 为对 e1 的偏好"),
        rows=("b = {preference:g}", "no b"),
        columns="e{1}",
        kind="weights",
    ),
    *(
        Grid(f"{name}_load", Label(f"share of assignments, {en}", f"分到的比例，{zh}"), ("share",), "e{1}", kind="weights", arm=arm)
        for name, en, zh, arm in (("biased", "e1 preferred", "偏爱 e1", "wrong"), ("balanced", "no preference", "不偏", "right"))
    ),
    Grid(
        "sent",
        Label("where six tokens go, biased router", "有偏路由下六个词元的去向"),
        rows="t{1}",
        columns="e{1}",
        kind="weights",
        arm="wrong",
    ),
    Curve(
        "largest_load_over_preference", Label("largest share of an expert", "负载最大的专家所占份额"), PREFERENCE, "preference", arm="wrong"
    ),
    Curve(
        "corrected_load_over_steps",
        Label("largest share of an expert, corrected", "负载最大的专家所占份额，修正"),
        CORRECTION,
        "correction",
        arm="right",
    ),
    Curve(
        "uncorrected_load_over_steps",
        Label("largest share of an expert, uncorrected", "负载最大的专家所占份额，不修正"),
        CORRECTION,
        "correction",
        arm="wrong",
    ),
    note("clamped", "chosen > experts", "There are {experts} experts: a token goes to {k}.", "只有 {experts} 个专家：每个词元去 {k} 个。"),
    note(
        "every",
        "k == experts",
        "Every token goes to every expert: this is no mixture, the load cannot differ.",
        "每个词元都去所有专家：负载不会有差别。",
    ),
    note("no_preference", "preference == 0", "Without a preference both routers are the same.", "没有偏好时两种路由相同。"),
    note(
        "too_small",
        "preference > 0 and k < experts and biased_largest_load <= balanced_largest_load",
        "So small a preference is no more than chance: without it the largest load is no smaller.",
        "这么小的偏好淹没在偶然之中：没有它，最大负载也不更小。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("mixture of experts", "混合专家（MoE）"),
    summary=Label(
        "Top-k routing of 2048 tokens: who gets how many, with and without a preference.",
        "2048 个词元的 top-k 路由：谁分到多少，有无偏好对照。",
    ),
    keywords=(
        "MoE",
        "router",
        "gating",
        "top-k routing",
        "load balancing",
        "Mixtral",
        "Switch Transformer",
        "DeepSeek",
        "专家",
        "路由",
        "门控",
        "负载均衡",
    ),
    parameters=(
        Parameter("experts", Label("experts E", "专家数 E"), 8, FEWEST, LARGEST, 2, "log"),
        Parameter("chosen", Label("experts a token, k", "每词元专家数 k"), 2, 1, 4),
        Parameter("preference", PREFERENCE, 1.0, BIASES[0], BIASES[-1], 0.25),
        Parameter("capacity", Label("capacity factor", "容量系数"), 1.25, 1.0, 4.0, 0.25),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "bars",
            ("biased_load", "balanced_load"),
            caption=Label(
                "A router that prefers one expert sends it more than its share: what exceeds its capacity is dropped, the others idle.",
                "路由偏爱一个专家，就会给它超出份额的词元：超过容量的被丢掉，别的专家闲着。",
            ),
        ),
        Figure("curve", ("largest_load_over_preference",), over="preference", mark="biased_largest_load"),
        Figure("bars", ("biased_dropped_percent", "balanced_dropped_percent")),
        Figure("curve", ("corrected_load_over_steps", "uncorrected_load_over_steps")),
        Figure("bars", ("total_parameters", "active_parameters")),
        Figure("heatmap", ("loads",)),
        Figure("heatmap", ("sent",)),
    ),
    arms=("biased_largest_load", "balanced_largest_load"),
    presets=(
        Preset(
            Label("preference 3", "偏好 3"),
            {"preference": 3.0},
            Label(
                "Half of all assignments go to one of eight experts, and a third of all is dropped.",
                "八个专家里，一个就拿走一半；全部的三分之一被丢掉。",
            ),
            "biased_largest_load > 0.45 and biased_dropped_percent > 25",
        ),
        Preset(
            Label("one expert a token", "每个词元一个专家"),
            {"chosen": 1},
            Label(
                "With a single choice the favourite weighs more, and the model uses a seventh of its parameters.",
                "只选一个时，偏爱的影响更大；模型每次只用约七分之一的参数。",
            ),
            "biased_largest_load > 0.35 and active_percent < 20",
        ),
        Preset(
            Label("two experts", "两个专家"),
            {"experts": 2},
            Label(
                "k = E: every token goes to every expert, the load cannot differ, and nothing is saved.",
                "k = E：每个词元都去所有专家，负载不可能不均，也什么都不省。",
            ),
            "active_percent == 100 and biased_largest_load == balanced_largest_load",
        ),
    ),
    run=run,
)
