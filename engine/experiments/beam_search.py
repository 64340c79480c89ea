"""The likeliest next word need not begin the likeliest text: .6 x .55 is less than .4 x .95; and the likeliest texts are short ones."""

from __future__ import annotations

import math
from statistics import fmean

import torch

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import PERCENT, SHARE, Curve, Rows, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.sequence_search import END, Bigrams, Text, beam_search, greedy, likeliest, penalised

MODELS, VOCABULARY, ENDING = 40, 6, 0.05  # random models, their words with the end, the probability of the end after every word
WORDS = ("<end>", "the", "a", "cat", "dog")
AFTER_THE, AFTER_A = 0.55, 0.95  # probability of "cat"
SHORT, LONG = (0.3, 2), (0.2, 6)  # two candidates: probability, tokens
WIDTHS = (1, 2, 4, 8, 16)


def run(*, first: float, width: int, alpha: float, longest: int, seed: int) -> Numbers:
    small = two_words(first)
    by_greedy, by_beam = greedy(small, 3), beam_search(small, 3, width)
    return {
        "greedy_probability": math.exp(small.score(by_greedy)),
        "beam_probability": math.exp(small.score(by_beam)),
        "best_probability": math.exp(small.score(likeliest(small, 3))),
        "greedy_text": spelled(by_greedy),
        "beam_text": spelled(by_beam),
        **found_and_lengths(random_models(seed), width, alpha, longest),
        "short_score": score_of(*SHORT, alpha),
        "long_score": score_of(*LONG, alpha),
        "texts": all_texts(small),
    }


def two_words(first: float) -> Bigrams:
    """the (p = first) or a, then cat or dog, then the end: what a person can multiply."""

    def row(**chances: float) -> list[float]:
        return [math.log(chances.get(word.strip("<>"), 0.0) or 1e-12) for word in WORDS]

    nouns = {"the": row(cat=AFTER_THE, dog=1 - AFTER_THE), "a": row(cat=AFTER_A, dog=1 - AFTER_A)}
    return Bigrams(row(the=first, a=1 - first), [nouns.get(word, row(end=1.0)) for word in WORDS])


def spelled(text: Text) -> str:
    return " ".join(WORDS[token] for token in text if token != END)


def all_texts(model: Bigrams) -> list[tuple[str, float, float, float]]:
    texts = [(first, noun, END) for first in (1, 2) for noun in (3, 4)]
    return [
        (spelled(text), math.exp(model.first[text[0]]), math.exp(model.after[text[0]][text[1]]), math.exp(model.score(text)))
        for text in texts
    ]


def random_models(seed: int) -> list[Bigrams]:
    """Forty models of five words; each word is the last with p = 0.05, and no text is empty."""
    generator = torch.Generator().manual_seed(seed)
    logits = 1.5 * torch.randn(MODELS, VOCABULARY + 1, VOCABULARY, generator=generator, dtype=torch.float64)
    logits[..., END] = logits[..., 1:].logsumexp(-1) + math.log(ENDING / (1 - ENDING))
    logits[:, 0, END] = -50.0
    logs = logits.log_softmax(-1).tolist()
    return [Bigrams(each[0], each[1:]) for each in logs]


def found_and_lengths(models: list[Bigrams], width: int, alpha: float, longest: int) -> Numbers:
    """How often a search ends at the likeliest of all texts, and how long its texts are."""
    best = [likeliest(model, longest) for model in models]
    by_greedy = [greedy(model, longest) for model in models]

    def beams(width: int, alpha: float) -> list[Text]:
        return [beam_search(model, longest, width, alpha) for model in models]

    def percent(texts: list[Text]) -> float:
        hits = (model.score(text) > model.score(goal) - 1e-9 for model, text, goal in zip(models, texts, best, strict=True))
        return 100 * fmean(hits)

    by_beam = beams(width, 0.0)
    return {
        "greedy_found": percent(by_greedy),
        "beam_found": percent(by_beam),
        "greedy_length": mean_length(by_greedy),
        "beam_length": mean_length(by_beam),
        "beam_length_normalised": mean_length(beams(width, alpha)),
        "likeliest_length": mean_length(best),
        "length_over_width": (WIDTHS, [mean_length(beams(each, 0.0)) for each in WIDTHS]),
        "length_normalised_over_width": (WIDTHS, [mean_length(beams(each, alpha)) for each in WIDTHS]),
    }


def mean_length(texts: list[Text]) -> float:
    """In tokens, the end counted as one where a text has it."""
    return fmean(len(text) for text in texts)


def score_of(probability: float, tokens: int, alpha: float) -> float:
    return penalised(math.log(probability), tokens, alpha)


WIDTH = Label("beam width", "束宽")
LENGTHS = (1, 10)  # no text is empty, none longer than the last tick of `longest`

MEASURES = (
    wrong("greedy_probability", "probability of greedy's text: {greedy_text}", "贪心所得文本的概率：{greedy_text}", within=SHARE),
    right("beam_probability", "probability of beam search's text: {beam_text}", "束搜索所得文本的概率：{beam_text}", within=SHARE),
    measured("best_probability", "probability of the likeliest of the four texts", "四个文本中最大的概率", within=SHARE),
    wrong("greedy_found", "40 random models: likeliest text found, greedy", "40 个随机模型：找到概率最大文本，贪心", "%", PERCENT),
    right("beam_found", "40 random models: likeliest text found, beam search", "40 个随机模型：找到概率最大文本，束搜索", "%", PERCENT),
    measured("greedy_length", "mean tokens of 40 texts with their end, greedy", "40 个文本的平均词元数（含结束符），贪心", within=LENGTHS),
    wrong("beam_length", "mean tokens of 40 texts with their end, by ln p", "40 个文本的平均词元数（含结束符），按 ln p", within=LENGTHS),
    right(
        "beam_length_normalised",
        "mean tokens of 40 texts with their end, by ln p / length^α",
        "40 个文本的平均词元数（含结束符），按 ln p / 长度^α",
        within=LENGTHS,
    ),
    measured(
        "likeliest_length",
        "mean tokens of 40 texts with their end, the likeliest",
        "40 个文本的平均词元数（含结束符），概率最大者",
        within=LENGTHS,
    ),
    measured(
        "short_score",
        "ln p / length^α of p = 0.3 and 2 tokens",
        "ln p / 长度^α：p = 0.3，2 个词元",
        within=(math.log(SHORT[0]), 0),
    ),
    measured("long_score", "ln p / length^α of p = 0.2 and 6 tokens", "ln p / 长度^α：p = 0.2，6 个词元", within=(math.log(LONG[0]), 0)),
    Curve(
        "length_over_width",
        Label("mean tokens of 40 texts with their end, by ln p", "40 个文本的平均词元数（含结束符），按 ln p"),
        WIDTH,
        "length",
        log_x=True,
        arm="wrong",
    ),
    Curve(
        "length_normalised_over_width",
        Label("mean tokens of 40 texts with their end, by ln p / length^α", "40 个文本的平均词元数（含结束符），按 ln p / 长度^α"),
        WIDTH,
        "length",
        log_x=True,
        arm="right",
    ),
    Rows(
        "texts",
        Label("all four texts", "全部四个文本"),
        (Label("text", "文本"), Label("first word", "首词"), Label("second word", "次词"), Label("probability", "概率")),
    ),
    note("width_of_one", "width == 1", "A beam of width 1 is greedy search.", "束宽为 1 就是贪心。"),
    note(
        "lucky",
        "greedy_probability == best_probability",
        "Here the likeliest first word does begin the likeliest text.",
        "这里概率最大的首词恰好也是最优文本的开头。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("greedy and beam search", "贪心与束搜索"),
    summary=Label(
        "Four texts that you can multiply out, forty random models, and what a length penalty does.",
        "四个可以手算的文本、四十个随机模型，以及长度惩罚的作用。",
    ),
    keywords=("decoding", "length penalty", "length normalisation", "sequence search", "解码", "长度惩罚", "搜索"),
    parameters=(
        Parameter("first", Label("probability of “the”", "“the” 的概率"), 0.6, 0.5, 0.95, 0.05),
        Parameter("width", WIDTH, 8, 1, 16, 2, "log"),
        Parameter("alpha", Label("length exponent α", "长度惩罚指数 α"), 1.0, 0.0, 2.0, 0.1),
        Parameter("longest", Label("longest text, tokens", "文本最长的词元数"), 6, 2, 10),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "tree",
            ("texts",),
            caption=Label(
                "The likeliest first word need not begin the likeliest text: compare the products at the ends.",
                "概率最大的首词，不一定是最优文本的开头：比较末端的乘积。",
            ),
        ),
        Figure("bars", ("greedy_probability", "beam_probability"), mark="best_probability"),
        Figure("bars", ("greedy_found", "beam_found")),
        Figure("curve", ("length_over_width", "length_normalised_over_width"), over="width"),
        Figure("bars", ("greedy_length", "beam_length", "beam_length_normalised"), mark="likeliest_length"),
        Figure("bars", ("short_score", "long_score")),
    ),
    arms=("greedy_probability", "beam_probability"),
    presets=(
        Preset(
            Label("“the” at 0.95", "“the” 为 0.95"),
            {"first": 0.95},
            Label(
                "A first word this likely cannot be made up for: greedy search finds the best text, too.",
                "首词的概率这么大就追不回来了：贪心也能找到最优文本。",
            ),
            "greedy_probability == best_probability",
        ),
        Preset(
            Label("a beam of one", "束宽为 1"),
            {"width": 1},
            Label("A beam of one is greedy search, and misses the same texts.", "束宽为 1 就是贪心，错过的也是同样的文本。"),
            "beam_probability == greedy_probability and beam_found == greedy_found and beam_probability < best_probability",
            show="greedy_found",
        ),
        Preset(
            Label("a beam of sixteen", "束宽为 16"),
            {"width": 16},
            Label(
                "A wider beam finds likelier texts, and likelier texts are shorter: without a length penalty it stops early.",
                "束越宽，找到的文本概率越大；而概率大的文本更短：不加长度惩罚就会过早结束。",
            ),
            "beam_found > 90 and beam_length < 5",
            show="greedy_length",
        ),
    ),
    run=run,
)
