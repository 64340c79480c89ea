"""Softened by T, a teacher shows which wrong classes are nearly right; its gradient shrinks like 1/T², so the loss is multiplied by T²."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, number
from engine.result import Matrix, Quantity, Result, Series
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.divergence import kl, matching_gradient, soft_gradient, soft_loss
from engine.textbook.losses import cross_entropy_gradient
from engine.textbook.weight_statistics import entropy

CLASSES, STUDENTS = ("cat", "lynx", "dog", "wolf", "car", "bus"), 200
TEACHER = (6.0, 4.0, 2.0, 1.0, -3.0, -4.0)  # logits for a picture of a cat
TEMPERATURES = (1.0, 2.0, 4.0, 8.0, 16.0)
TEMPERATURE = Label("temperature T", "温度 T")


def run(*, temperature: float, soft_share: float, seed: int) -> Result:
    teacher = torch.tensor(TEACHER, dtype=torch.float64)
    students = torch.randn(STUDENTS, len(CLASSES), generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    hard = torch.eye(len(CLASSES), dtype=torch.float64)[0]
    return Result(
        quantities=(
            *_gradients(students, teacher, hard, temperature, soft_share),
            *_targets(teacher, temperature),
            measured(
                "kl_to_student",
                number(soft_loss(students, teacher, temperature).mean()),
                "KL(teacher, student), mean of 200 untrained students",
                "KL(教师, 学生)，200 个未训练学生的平均",
                "nats",
            ),
            measured(
                "kl_to_teacher",
                number(kl((students / temperature).softmax(-1), (teacher / temperature).softmax(-1)).mean()),
                "KL(student, teacher), the other way round",
                "KL(学生, 教师)，方向相反",
                "nats",
            ),
        ),
        matrices=(_softened(teacher),),
        series=_curves(students, teacher),
        notes=_notes(temperature),
    )


def size(gradients: Tensor) -> float:
    """Mean length over the students."""
    return number(gradients.norm(dim=-1).mean())


def _gradients(students: Tensor, teacher: Tensor, hard: Tensor, temperature: float, soft_share: float) -> tuple[Quantity, ...]:
    soft, label = soft_gradient(students, teacher, temperature), cross_entropy_gradient(students, hard.expand_as(students))
    limit = matching_gradient(students, teacher)

    def share_of_soft(factor: float) -> float:
        part, rest = soft_share * factor * size(soft), (1 - soft_share) * size(label)
        return 100 * part / (part + rest)

    return (
        wrong("plain_gradient", size(soft), "gradient of the soft loss", "软标签损失的梯度"),
        right("scaled_gradient", temperature**2 * size(soft), "... times T²", "……乘 T²"),
        measured("hard_gradient", size(label), "gradient of the true label's cross-entropy", "真实标签交叉熵的梯度"),
        wrong(
            "plain_soft_share",
            share_of_soft(1.0),
            "soft loss's share of the mixed gradient, no T²",
            "混合梯度中软损失所占比例，不乘 T²",
            "%",
        ),
        right("scaled_soft_share", share_of_soft(temperature**2), "... with T²", "……乘 T²", "%"),
        measured(
            "matching_cosine",
            number(cosine_similarity(soft, limit, dim=-1).mean()),
            "cosine with the difference of the logits",
            "与 logits 之差的余弦",
        ),
        measured(
            "matching_ratio", temperature**2 * size(soft) / size(limit), "T²·gradient over its limit (z - v)/V", "T²·梯度 ÷ 极限 (z − v)/V"
        ),
    )


def _targets(teacher: Tensor, temperature: float) -> tuple[Quantity, ...]:
    softened = (teacher / temperature).softmax(-1)
    return (
        measured("target_entropy", entropy(softened), "entropy of the teacher's answer at T", "教师输出在温度 T 下的熵", "nats"),
        measured("lynx_at_one", number(teacher.softmax(-1)[1]), "what the teacher gives “lynx” at T = 1", "教师给 lynx 的概率，T = 1"),
        measured("lynx_at_temperature", number(softened[1]), "... at T", "……在温度 T 下"),
        measured("lynx_over_bus", number(softened[1] / softened[-1]), "... times what “bus” gets", "……是 bus 的多少倍"),
    )


def _softened(teacher: Tensor) -> Matrix:
    rows = torch.stack([(teacher / temperature).softmax(-1) for temperature in TEMPERATURES])
    names = tuple(f"T = {temperature:g}" for temperature in TEMPERATURES)
    return Matrix(
        "softened", grid(rows), Label("the teacher's answer", "教师的输出"), names, CLASSES, r"\mathrm{softmax}(v / T)", "weights"
    )


def _curves(students: Tensor, teacher: Tensor) -> tuple[Series, ...]:
    plain = tuple(size(soft_gradient(students, teacher, temperature)) for temperature in TEMPERATURES)
    scaled = tuple(temperature**2 * each for temperature, each in zip(TEMPERATURES, plain, strict=True))
    return (
        Series(
            "plain_gradient_over_temperature",
            TEMPERATURES,
            plain,
            Label("gradient of the soft loss", "软标签损失的梯度"),
            TEMPERATURE,
            "gradient",
            True,
            "wrong",
        ),
        Series(
            "scaled_gradient_over_temperature",
            TEMPERATURES,
            scaled,
            Label("gradient times T²", "梯度乘 T²"),
            TEMPERATURE,
            "gradient",
            True,
            "right",
        ),
    )


def _notes(temperature: float) -> tuple[Label, ...]:
    one = Label("At T = 1 there is nothing to restore: T² = 1.", "T = 1 时无需修正：T² = 1。")
    return (one,) if temperature == 1 else ()


def cost(*, temperature: float, soft_share: float, seed: int) -> Cost:
    return Cost(bytes=8 * 20 * STUDENTS * len(CLASSES), flops=60 * (len(TEMPERATURES) + 6) * STUDENTS * len(CLASSES))


EXPERIMENT = Experiment(
    title=Label("distillation", "知识蒸馏"),
    summary=Label(
        "A teacher's softened answer, the gradient it sends to a student, and why the loss is multiplied by T².",
        "教师的软化输出、它传给学生的梯度，以及为什么损失要乘 T²。",
    ),
    parameters=(
        Parameter("temperature", TEMPERATURE, 4.0, TEMPERATURES[0], TEMPERATURES[-1], 2, "log"),
        Parameter("soft_share", Label("weight of the soft loss", "软损失的权重"), 0.5, 0.1, 0.9, 0.1),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(soft_loss, soft_gradient, matching_gradient, kl),
    arms=("plain_gradient", "scaled_gradient"),
)
