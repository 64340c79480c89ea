"""The likeliest next word need not begin the likeliest text: greedy finds .6 x .55, a beam .4 x .95; wide beams prefer short texts."""

from __future__ import annotations

import math
from statistics import fmean

import torch

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.result import Quantity, Result, Series, Table
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.sequence_search import END, Bigrams, Text, beam_search, greedy, likeliest, penalised

MODELS, VOCABULARY, ENDING = 40, 6, 0.05  # random models, their words with the end, the probability of the end after every word
WORDS = ("<end>", "the", "a", "cat", "dog")
AFTER_THE, AFTER_A = 0.55, 0.95  # probability of "cat"
SHORT, LONG = (0.3, 2), (0.2, 6)  # two candidates: probability, tokens
WIDTHS = (1, 2, 4, 8, 16)
WIDTH, ALPHA = Label("beam width", "束宽"), Label("length exponent α", "长度惩罚指数 α")


def run(*, first: float, width: int, alpha: float, longest: int, seed: int) -> Result:
    small = two_words(first)
    by_greedy, by_beam = greedy(small, 3), beam_search(small, 3, width)
    models = random_models(seed)
    return Result(
        quantities=(
            wrong(
                "greedy_probability",
                math.exp(small.score(by_greedy)),
                f"probability of greedy's text: {spelled(by_greedy)}",
                f"贪心所得文本的概率：{spelled(by_greedy)}",
            ),
            right(
                "beam_probability",
                math.exp(small.score(by_beam)),
                f"... of beam search's: {spelled(by_beam)}",
                f"……束搜索所得：{spelled(by_beam)}",
            ),
            measured("best_probability", math.exp(small.score(likeliest(small, 3))), "... of the likeliest text", "……概率最大的文本"),
            *_found(models, width, longest),
            *_lengths(models, width, alpha, longest),
            *_two_candidates(alpha),
        ),
        series=_curves(models, alpha, longest),
        tables=(_all_texts(small),),
        notes=_notes(first, width),
    )


def two_words(first: float) -> Bigrams:
    """the (p = first) or a, then cat or dog, then the end: what a person can multiply."""

    def row(**chances: float) -> list[float]:
        return [math.log(chances.get(word.strip("<>"), 0.0) or 1e-12) for word in WORDS]

    nouns = {"the": row(cat=AFTER_THE, dog=1 - AFTER_THE), "a": row(cat=AFTER_A, dog=1 - AFTER_A)}
    return Bigrams(row(the=first, a=1 - first), [nouns.get(word, row(end=1.0)) for word in WORDS])


def spelled(text: Text) -> str:
    return " ".join(WORDS[token] for token in text if token != END)


def random_models(seed: int) -> list[Bigrams]:
    """Forty models of five words; each word is the last with p = 0.05, and no text is empty."""
    generator = torch.Generator().manual_seed(seed)
    logits = 1.5 * torch.randn(MODELS, VOCABULARY + 1, VOCABULARY, generator=generator, dtype=torch.float64)
    logits[..., END] = logits[..., 1:].logsumexp(-1) + math.log(ENDING / (1 - ENDING))
    logits[:, 0, END] = -50.0
    logs = logits.log_softmax(-1).tolist()
    return [Bigrams(each[0], each[1:]) for each in logs]


def _found(models: list[Bigrams], width: int, longest: int) -> tuple[Quantity, ...]:
    """How often the search ends at the likeliest of all texts."""
    best = [likeliest(model, longest) for model in models]

    def percent(texts: list[Text]) -> float:
        hits = (model.score(text) > model.score(goal) - 1e-9 for model, text, goal in zip(models, texts, best, strict=True))
        return 100 * fmean(hits)

    return (
        wrong(
            "greedy_found",
            percent([greedy(model, longest) for model in models]),
            f"{MODELS} random models: likeliest text found, greedy",
            f"{MODELS} 个随机模型：找到概率最大文本，贪心",
            "%",
        ),
        right("beam_found", percent([beam_search(model, longest, width) for model in models]), "... beam search", "……束搜索", "%"),
    )


def _lengths(models: list[Bigrams], width: int, alpha: float, longest: int) -> tuple[Quantity, ...]:
    return (
        measured("greedy_length", mean_length([greedy(model, longest) for model in models]), "mean length, greedy", "平均长度，贪心"),
        wrong(
            "beam_length",
            mean_length([beam_search(model, longest, width) for model in models]),
            "mean length, beam search by probability",
            "平均长度，束搜索按概率",
        ),
        right(
            "beam_length_normalised",
            mean_length([beam_search(model, longest, width, alpha) for model in models]),
            "mean length, beam search by ln p / length^α",
            "平均长度，束搜索按 ln p / 长度^α",
        ),
        measured(
            "likeliest_length",
            mean_length([likeliest(model, longest) for model in models]),
            "mean length, likeliest text",
            "平均长度，概率最大的文本",
        ),
    )


def mean_length(texts: list[Text]) -> float:
    return fmean(len(text) for text in texts)


def _two_candidates(alpha: float) -> tuple[Quantity, ...]:
    (short, few), (long, many) = SHORT, LONG
    return (
        measured(
            "short_score",
            penalised(math.log(short), few, alpha),
            f"score ln p / length^α: p = {short}, {few} tokens",
            f"得分 ln p / 长度^α：p = {short}，{few} 个词元",
        ),
        measured("long_score", penalised(math.log(long), many, alpha), f"... p = {long}, {many} tokens", f"……p = {long}，{many} 个词元"),
    )


def _curves(models: list[Bigrams], alpha: float, longest: int) -> tuple[Series, ...]:
    x = tuple(map(float, WIDTHS))

    def lengths(exponent: float) -> tuple[float, ...]:
        return tuple(mean_length([beam_search(model, longest, width, exponent) for model in models[:20]]) for width in WIDTHS)

    return (
        Series(
            "length_over_width",
            x,
            lengths(0.0),
            Label("length, by probability", "长度，按概率"),
            WIDTH,
            "length",
            True,
            "wrong",
        ),
        Series(
            "length_normalised_over_width",
            x,
            lengths(alpha),
            Label("length, by ln p / length^α", "长度，按 ln p / 长度^α"),
            WIDTH,
            "length",
            True,
            "right",
        ),
    )


def _all_texts(model: Bigrams) -> Table:
    texts = [(first, noun, END) for first in (1, 2) for noun in (3, 4)]
    rows = tuple(
        (spelled(text), math.exp(model.first[text[0]]), math.exp(model.after[text[0]][text[1]]), math.exp(model.score(text)))
        for text in texts
    )
    columns = (Label("text", "文本"), Label("first word", "首词"), Label("second word", "次词"), Label("probability", "概率"))
    return Table("texts", Label("all four texts", "全部四个文本"), columns, rows)


def _notes(first: float, width: int) -> tuple[Label, ...]:
    one = Label("A beam of width 1 is greedy search.", "束宽为 1 就是贪心。")
    lucky = Label("Here the likeliest first word does begin the likeliest text.", "这里概率最大的首词恰好也是最优文本的开头。")
    return tuple(note for applies, note in ((width == 1, one), (first * AFTER_THE > (1 - first) * AFTER_A, lucky)) if applies)


def cost(*, first: float, width: int, alpha: float, longest: int, seed: int) -> Cost:
    kept = 3 * width + sum(WIDTHS)
    return Cost(
        bytes=100 * MODELS * VOCABULARY**2 + 200 * width * VOCABULARY * longest, flops=MODELS * longest * VOCABULARY * (kept + VOCABULARY)
    )


EXPERIMENT = Experiment(
    title=Label("greedy and beam search", "贪心与束搜索"),
    summary=Label(
        "Four texts that you can multiply out, forty random models, and what a length penalty does.",
        "四个可以手算的文本、四十个随机模型，以及长度惩罚的作用。",
    ),
    parameters=(
        Parameter("first", Label("probability of “the”", "“the” 的概率"), 0.6, 0.5, 0.95, 0.05),
        Parameter("width", WIDTH, 8, 1, 16, 2, "log"),
        Parameter("alpha", ALPHA, 1.0, 0.0, 2.0, 0.1),
        Parameter("longest", Label("longest text, tokens", "文本最长的词元数"), 6, 2, 10),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(greedy, beam_search, likeliest, penalised, Bigrams),
    arms=("greedy_probability", "beam_probability"),
)
