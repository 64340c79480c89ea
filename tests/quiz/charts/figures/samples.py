"""A small figure of every kind, and their pictures as text: `python -m tests.quiz.charts.figures.samples` writes the golden ones anew."""

from __future__ import annotations

import math
from pathlib import Path

from engine.experiment import Description
from engine.figures import Figure, Kind
from engine.label import Label
from engine.parameter import Parameter
from engine.result import Matrix, Quantity, Result, Series, Step, Table
from quiz.charts.figures.kinds import draw_figure
from quiz.charts.figures.subject import Cursor, Subject
from quiz.charts.style import Pen, Row, chart_style
from quiz.words.i18n import Words

GOLDEN = Path(__file__).with_name("golden")
WIDTHS = (80, 120)
LANGUAGES = ("en", "zh")
TOKENS = (Label("kitten", "小猫"), Label("refused", "没吃"), Label("fish", "鱼"), Label("it", "它"))
KEYS = ("1", "2")
D_K = Parameter("d_k", Label("width d_k", "宽度 d_k"), 64, 1, 4096, 2, "log")
LAYER, HEAD = (Parameter(name, Label(name, name), 1, 0, 3) for name in ("layer", "head"))
DESCRIPTION = Description("x", "", Label("x", "x"), Label("x", "x"), (D_K, LAYER, HEAD), 3.0, ())

QUERIES = Matrix("Q", ((1.0, 0.0), (0.0, 1.0), (2.0, -1.0), (3.0, 0.0)), Label("queries", "查询"), TOKENS, KEYS)
KEYS_T = Matrix("K_T", ((1.0, 0.0, 0.5, 0.0), (0.0, 1.0, 0.5, 0.0)), Label("keys, transposed", "键的转置"), KEYS, TOKENS)
SCORES = Matrix(
    "scores",
    tuple(tuple(sum(q * k for q, k in zip(row, key, strict=True)) for key in zip(*KEYS_T.values, strict=True)) for row in QUERIES.values),
    Label("scores", "分数"),
    TOKENS,
    TOKENS,
    product_of=("Q", "K_T"),
)
MASKED = Matrix(
    "masked",
    tuple(tuple(value if j <= i else -math.inf for j, value in enumerate(row)) for i, row in enumerate(SCORES.values)),
    Label("masked scores", "掩码后的分数"),
    TOKENS,
    TOKENS,
    made_of=("mask", "scores"),
    forbidden=Label("a later key", "键在查询之后"),
)


def softmax(row: tuple[float, ...]) -> tuple[float, ...]:
    powers = [math.exp(value) for value in row]
    return tuple(power / sum(powers) for power in powers)


WEIGHTS = Matrix(
    "weights",
    tuple(map(softmax, MASKED.values)),
    Label("weights with the mask", "加掩码的权重"),
    TOKENS,
    TOKENS,
    kind="weights",
    arm="right",
    made_of=("softmax", "masked", "scores"),
    forbidden=Label("a later key", "键在查询之后"),
)
UNMASKED = Matrix(
    "unmasked",
    tuple(map(softmax, SCORES.values)),
    Label("weights without a mask", "不加掩码的权重"),
    TOKENS,
    TOKENS,
    kind="weights",
    arm="wrong",
    made_of=("softmax", "scores"),
)
MATRICES = (QUERIES, KEYS_T, SCORES, MASKED, WEIGHTS, UNMASKED)
XS = tuple(float(2**i) for i in range(13))
RISING = tuple(7.0 * i for i in range(13))
SERIES = (
    Series("raw", XS, RISING, Label("saturated rows, unscaled", "饱和的行，未缩放"), D_K.label, "s", True, "wrong"),
    Series("scaled", XS, (0.5,) * 13, Label("saturated rows, scaled", "饱和的行，已缩放"), D_K.label, "s", True, "right"),
)
QUANTITIES = (
    Quantity("leak", 0.58, Label("largest change, no mask", "最大变化，不加掩码"), arm="wrong"),
    Quantity("kept", 0.0, Label("largest change, masked", "最大变化，加掩码"), arm="right"),
    Quantity("bound", 0.4, Label("what rounding explains", "舍入误差所能解释的")),
    Quantity("at", 42.0, Label("saturated rows", "饱和的行"), "%"),
)
WAVES = Matrix(
    "waves",
    tuple(tuple(math.sin(p / 10 ** (i / 8)) for i in range(8)) for p in range(6)),
    Label("positions", "位置编码"),
    tuple(f"p{p}" for p in range(6)),
    tuple(map(str, range(8))),
)
LINKS = Matrix(
    "links",
    tuple(tuple((4 * layer + head) / 20 for head in range(4)) for layer in range(4)),
    Label("it → kitten, every layer and head", "它 → 小猫，各层各头"),
    tuple(f"L{layer}" for layer in range(4)),
    tuple(f"H{head}" for head in range(4)),
    kind="weights",
)
ROW = Matrix("row", (UNMASKED.values[3],), Label("unscaled", "未缩放"), ("q",), TOKENS, kind="weights", arm="wrong")
TABLES = (
    Table(
        "texts",
        Label("all texts", "所有文本"),
        (Label("text", "文本"), Label("first", "首词"), Label("second", "次词"), Label("probability", "概率")),
        (("the cat", 0.6, 0.55, 0.33), ("the dog", 0.6, 0.45, 0.27), ("a cat", 0.4, 0.95, 0.38), ("a dog", 0.4, 0.05, 0.02)),
    ),
    Table(
        "merging",
        Label("merge by merge", "逐次合并"),
        (Label("merges", "合并数"), Label("symbols", "符号")),
        ((0, "l o w e s t"), (1, "l o w es t"), (2, "l o w est"), (3, "lo w est")),
    ),
    Table(
        "running",
        Label("row by blocks", "逐块处理"),
        (Label("block", "块"), Label("maximum m", "最大值 m"), Label("denominator l", "分母 l")),
        (("b1", -0.7, 1.4), ("b2", 0.66, 1.66)),
    ),
)
STEPS = (
    Step(Label("how well they match", "匹配程度"), "Q K^T", (4, 4), "scores", "S = Q @ K.transpose(-2, -1)"),
    Step(Label("weights that sum to 1", "和为 1 的权重"), "P", (4, 4), "weights"),
)
RESULT = Result(QUANTITIES, (*MATRICES, WAVES, LINKS, ROW), SERIES, TABLES, STEPS)
FIGURES: dict[Kind, Figure] = {
    "bars": Figure("bars", ("leak", "kept"), mark="bound"),
    "heatmap": Figure("heatmap", ("unmasked", "weights", "masked")),
    "strip": Figure("strip", ("weights",)),
    "curve": Figure("curve", ("raw", "scaled"), over="d_k", mark="at", caption=Label("Undivided scores blind it.", "不除就会失明。")),
    "waves": Figure("waves", ("waves",)),
    "grid": Figure("grid", ("links",)),
    "tree": Figure("tree", ("texts",)),
    "merges": Figure("merges", ("merging",)),
    "blocks": Figure("blocks", ("unmasked", "running")),
    "steps": Figure("steps", ("scores", "weights")),
    "table": Figure("table", ("texts",)),
}
DISTRIBUTION = Figure("bars", ("row",))


def subject(figure: Figure, result: Result = RESULT) -> Subject:
    return Subject(figure, DESCRIPTION, result, {"d_k": 64, "layer": 1, "head": 2})


def pen(language: str = "en", *, dark: bool = True, colour: bool = False, ascii_only: bool = False) -> Pen:
    return Pen(chart_style(dark=dark, colour=colour, ascii_only=ascii_only), Words(language))


def text(rows: list[Row]) -> str:
    return "\n".join("".join(segment.text for segment in row).rstrip() for row in rows) + "\n"


def picture(kind: Kind, width: int, language: str) -> str:
    """On paper; where it can be walked through, then as it is on a screen while nobody does."""
    shown = subject(FIGURES[kind])
    drawn = [draw_figure(shown, width, 17, pen(language)), draw_figure(shown, width, 17, pen(language), Cursor(focused=False))]
    return "\n".join(dict.fromkeys(map(text, drawn)))


def golden(kind: Kind, width: int, language: str) -> Path:
    return GOLDEN / f"{kind}-{width}-{language}.txt"


if __name__ == "__main__":
    for kind in FIGURES:
        for width in WIDTHS:
            for language in LANGUAGES:
                golden(kind, width, language).write_text(picture(kind, width, language), encoding="utf-8")
