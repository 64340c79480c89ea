"""Softened by T, a teacher shows which wrong classes are nearly right; at high T its gradient shrinks like 1/T²: so the loss gets T²."""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import PERCENT, SHARE, Curve, Grid, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.divergence import kl, matching_gradient, soft_gradient, soft_loss
from engine.textbook.losses import cross_entropy_gradient
from engine.textbook.weight_statistics import entropy

CLASSES, STUDENTS = ("cat", "lynx", "dog", "wolf", "car", "bus"), 200
TEACHER = (6.0, 4.0, 2.0, 1.0, -3.0, -4.0)  # logits for a picture of a cat
TEMPERATURES = (1.0, 2.0, 4.0, 8.0, 16.0)


def run(*, temperature: float, soft_share: float, seed: int) -> Numbers:
    teacher = torch.tensor(TEACHER, dtype=torch.float64)
    students = torch.randn(STUDENTS, len(CLASSES), generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    plain = [mean_length(soft_gradient(students, teacher, each)) for each in TEMPERATURES]
    return {
        **gradients(students, teacher, temperature, soft_share),
        **targets(teacher, temperature),
        "kl_to_student": soft_loss(students, teacher, temperature).mean(),
        "kl_to_teacher": kl((students / temperature).softmax(-1), (teacher / temperature).softmax(-1)).mean(),
        "softened": torch.stack([(teacher / each).softmax(-1) for each in TEMPERATURES]),
        "plain_gradient_over_temperature": (TEMPERATURES, plain),
        "scaled_gradient_over_temperature": (TEMPERATURES, [each**2 * length for each, length in zip(TEMPERATURES, plain, strict=True)]),
    }


def mean_length(gradients: Tensor) -> float:
    """(students, V) -> over the students."""
    return float(gradients.norm(dim=-1).mean())


def gradients(students: Tensor, teacher: Tensor, temperature: float, soft_share: float) -> Numbers:
    label = torch.eye(len(CLASSES), dtype=torch.float64)[0].expand_as(students)
    soft, limit = soft_gradient(students, teacher, temperature), matching_gradient(students, teacher)
    plain, scaled = mean_length(soft), temperature**2 * mean_length(soft)
    hard = mean_length(cross_entropy_gradient(students, label))
    return {
        "plain_gradient": plain,
        "scaled_gradient": scaled,
        "gradient_shrinks": mean_length(soft_gradient(students, teacher, 1.0)) / plain,
        "temperature_squared": temperature**2,
        "hard_gradient": hard,
        "plain_soft_share": percent_of_both(soft_share * plain, (1 - soft_share) * hard),
        "scaled_soft_share": percent_of_both(soft_share * temperature**2 * plain, (1 - soft_share) * hard),
        "matching_cosine": cosine_similarity(soft, limit, dim=-1).mean(),
        "matching_ratio": scaled / mean_length(limit),
    }


def percent_of_both(part: float, rest: float) -> float:
    return 100 * part / (part + rest)


def targets(teacher: Tensor, temperature: float) -> Numbers:
    softened = (teacher / temperature).softmax(-1)
    return {
        "target_entropy": entropy(softened),
        "lynx_at_one": teacher.softmax(-1)[1],
        "lynx_at_temperature": softened[1],
        "lynx_over_bus": softened[1] / softened[-1],
    }


TEMPERATURE = Label("temperature T", "温度 T")

MEASURES = (
    wrong("plain_gradient", "mean length of the soft gradient over 200 students", "软标签梯度的长度，200 个学生平均"),
    right("scaled_gradient", "mean length of the soft gradient over 200 students, times T²", "软标签梯度的长度，200 个学生平均，乘 T²"),
    measured("gradient_shrinks", "mean length of the soft gradient, at T = 1 / at T", "软标签梯度的平均长度之比，T = 1 比温度 T"),
    measured(
        "temperature_squared",
        "T², by which the soft gradient shrinks at high T",
        "T²，高温下软标签梯度的缩小倍数",
        within=(1, TEMPERATURES[-1] ** 2),
    ),
    measured("hard_gradient", "mean length of the hard gradient over 200 students", "真实标签梯度的长度，200 个学生平均"),
    wrong(
        "plain_soft_share", "soft loss's share of the mixed gradient's length, no T²", "混合梯度长度中软损失所占比例，不乘 T²", "%", PERCENT
    ),
    right(
        "scaled_soft_share",
        "soft loss's share of the mixed gradient's length, with T²",
        "混合梯度长度中软损失所占比例，乘 T²",
        "%",
        PERCENT,
    ),
    measured(
        "matching_cosine",
        "soft gradient and z - v: mean cosine over 200 students",
        "软标签梯度与 z − v：200 个学生的平均余弦",
        within=(-1, 1),
    ),
    measured("matching_ratio", "T²·gradient / (z - v)/V: ratio of the mean lengths", "T²·梯度 与 (z − v)/V：平均长度之比"),
    measured("target_entropy", "entropy of the teacher's answer, at T", "教师输出的熵，温度 T", "nats", (0, math.log(len(CLASSES)))),
    measured("lynx_at_one", "what the teacher gives “lynx”, at T = 1", "教师给 lynx 的概率，T = 1", within=SHARE),
    measured("lynx_at_temperature", "what the teacher gives “lynx”, at T", "教师给 lynx 的概率，温度 T", within=SHARE),
    measured("lynx_over_bus", "what the teacher gives “lynx” / “bus”, at T", "教师给 lynx 与 bus 的概率之比，温度 T"),
    measured("kl_to_student", "KL(teacher, student), mean over 200 untrained students", "KL(教师, 学生)，200 个未训练学生的平均", "nats"),
    measured("kl_to_teacher", "KL(student, teacher), mean over 200 untrained students", "KL(学生, 教师)，200 个未训练学生的平均", "nats"),
    Grid(
        "softened",
        Label("the teacher's answer", "教师的输出"),
        rows=tuple(f"T = {temperature:g}" for temperature in TEMPERATURES),
        columns=CLASSES,
        formula=r"\mathrm{softmax}(v / T)",
        kind="weights",
    ),
    Curve(
        "plain_gradient_over_temperature",
        Label("mean length of the soft gradient, plain", "软标签梯度的平均长度，不乘"),
        TEMPERATURE,
        "gradient",
        log_x=True,
        arm="wrong",
    ),
    Curve(
        "scaled_gradient_over_temperature",
        Label("mean length of the soft gradient, times T²", "软标签梯度的平均长度，乘 T²"),
        TEMPERATURE,
        "gradient",
        log_x=True,
        arm="right",
    ),
    note("nothing_to_restore", "temperature == 1", "At T = 1 there is nothing to restore: T² = 1.", "T = 1 时无需修正：T² = 1。"),
)

EXPERIMENT = Experiment(
    title=Label("distillation", "知识蒸馏"),
    summary=Label(
        "A teacher's softened answer, the gradient it sends to a student, and why the loss is multiplied by T².",
        "教师的软化输出、它传给学生的梯度，以及为什么损失要乘 T²。",
    ),
    keywords=(
        "teacher",
        "student",
        "soft labels",
        "temperature",
        "DistilBERT",
        "TinyBERT",
        "Hinton",
        "教师",
        "学生",
        "软标签",
        "温度",
        "模型压缩",
    ),
    parameters=(
        Parameter("temperature", TEMPERATURE, 4.0, TEMPERATURES[0], TEMPERATURES[-1], 2, "log"),
        Parameter("soft_share", Label("weight of the soft loss", "软损失的权重"), 0.5, 0.1, 0.9, 0.1),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "heatmap",
            ("softened",),
            caption=Label(
                "The hotter, the more the teacher tells of its second choices; which of two words is likelier never changes.",
                "温度越高，老师越多地透露次优的选择；谁比谁更可能，始终不变。",
            ),
        ),
        Figure(
            "curve",
            ("plain_gradient_over_temperature", "scaled_gradient_over_temperature"),
            over="temperature",
            mark="plain_gradient",
        ),
        Figure("bars", ("plain_gradient", "scaled_gradient"), mark="hard_gradient"),
        Figure("bars", ("plain_soft_share", "scaled_soft_share")),
    ),
    arms=("plain_gradient", "scaled_gradient"),
    presets=(
        Preset(
            Label("T = 1", "T = 1"),
            {"temperature": 1.0},
            Label("Nothing is softened, and T² = 1: both ways to weigh the loss are the same.", "没有软化，T² = 1：两种加权完全一样。"),
            "temperature_squared == 1 and plain_gradient == scaled_gradient",
            show="plain_gradient",
        ),
        Preset(
            Label("T = 16", "T = 16"),
            {"temperature": 16.0},
            Label(
                "Without T² the teacher is hardly heard: less than one percent of the mixed gradient.",
                "不乘 T²，老师的话几乎听不见：不到混合梯度的百分之一。",
            ),
            "plain_soft_share < 1 and scaled_soft_share > 50",
            show="plain_soft_share",
        ),
        Preset(
            Label("the teacher at 0.9", "老师占 0.9"),
            {"soft_share": 0.9},
            Label(
                "A weight of 0.9 is not yet 0.9: without T² the teacher still has less than half.",
                "权重给到 0.9，实际还不到：不乘 T²，老师仍占不到一半。",
            ),
            "soft_share == 0.9 and plain_soft_share < 50 and scaled_soft_share > 90",
            show="plain_soft_share",
        ),
    ),
    run=run,
)
