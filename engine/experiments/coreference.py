"""A pronoun is resolved by reading: a trained model finds what "it" means in a pair it never saw, and guesses once that edge is cut."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment, Steps
from engine.figures import Figure
from engine.label import Label
from engine.measures import PERCENT, SHARE, Curve, Grid, Rows, measured, note, right, wrong
from engine.parameter import SEED, Parameter, choice
from engine.preset import Preset
from engine.textbook.coreference_model import Answer, Resolver, everyone_reads, only_the_pronoun_reads
from engine.textbook.optimizers import adam
from engine.textbook.pronoun_sentences import LANGUAGES, held_out_examples
from engine.textbook.tiny_transformer import Shape, initial_weights
from engine.textbook.training_loop import SEEDS, Remembered, seeds_beside, train

WIDTH, LAYERS, HEADS, HIDDEN = 32, 2, 1, 32
BATCH, RATE = 16, 0.006
EVERY, MOST_STEPS = 10, 500  # steps between two points of the curves, and of a whole training
READERS = {"pronoun": only_the_pronoun_reads, "everyone": everyone_reads}
EN, ZH = LANGUAGES["en"], LANGUAGES["zh"]
STATES = (Label("whole", "完整"), Label("cut", "切断"))  # of the model
# Chinese sentences, read in English: word by word, so that a picture says the same in both languages.
GLOSSES = dict(zip((*ZH.nouns, *ZH.reasons), (*EN.nouns, *EN.reasons), strict=True)) | {
    "没有": "did not",
    "吃": "eat",
    "，": ",",
    "因为": "because",
    "它": "it",
    "不": "not",
}

Points = list[tuple[int, float, float]]  # step, loss, percent of the held-out pair resolved


def run(*, language: str, reason: str, edge: str, readers: str, steps: int, seed: int) -> Steps:
    model = resolver(language, readers)
    asked = held_out_examples(model.language)
    points: Points = []
    for thetas, losses in trainings(language, readers, seeds_beside(seed)).first(steps // EVERY):
        theta, step = thetas[seed % SEEDS], EVERY * (len(points) + 1)
        points.append((step, float(losses[seed % SEEDS]), 100 * model.accuracy(theta, asked)))
        yield step / steps, curves(points)
    answers = [model.held_out_answer(theta, index, edge) for index in range(len(model.language.reasons))]
    hungry, fresh = answers[0], answers[len(model.language.animal_reasons)]
    chosen = hungry if reason == "hungry" else fresh
    return {
        **probabilities(chosen, hungry, fresh),
        "cut_resolved_percent": 100 * model.resolved(theta, edge),
        "resolved_percent": 100 * model.resolved(theta, "none"),
        "held_out_percent": points[-1][2],
        "final_loss": points[-1][1],
        "weights": model.shape.count(),
        **readings(chosen),
        "candidates": spoken(model.language.nouns),
        **curves(points),
        "examination": [examination_row(model, each) for each in answers],
    }


def resolver(language: str, readers: str) -> Resolver:
    """The model before it has learned anything."""
    words = LANGUAGES[language]
    tokens = len(words.sentence)
    mask = READERS[readers](tokens, words.sentence.index(words.pronoun))
    return Resolver(words, Shape(len(words.vocabulary), tokens, WIDTH, LAYERS, HEADS, HIDDEN), mask)


@lru_cache(10)  # 12,000 numbers a model, five models, fifty times: twenty seeds of both languages, and some
def trainings(language: str, readers: str, seeds: range) -> Remembered[tuple[Tensor, Tensor]]:
    """The weights (S, P) and the losses (S,) after every tenth step."""
    model, generators = resolver(language, readers), [torch.Generator().manual_seed(seed) for seed in seeds]
    thetas = torch.stack([initial_weights(model.shape, generator) for generator in generators])
    steps = train(thetas, model.lesson(BATCH, generators), adam(thetas, RATE), MOST_STEPS)
    return Remembered(islice(steps, EVERY - 1, None, EVERY))


def curves(points: Points) -> Numbers:
    steps, losses, percents = zip(*points, strict=True)
    return {"loss_over_steps": (steps, losses), "held_out_over_steps": (steps, percents)}


def probabilities(chosen: Answer, hungry: Answer, fresh: Answer) -> Numbers:
    """How sure the model is, whole and cut, and what its last layer read."""
    last_layer: Tensor = chosen.reading[0, -1]  # (T,)
    return {
        "cut_probability": chosen.sure[1],
        "probability": chosen.sure[0],
        "hungry_probability": hungry.sure[0],
        "fresh_probability": fresh.sure[0],
        "cut_hungry_probability": hungry.sure[1],
        "cut_fresh_probability": fresh.sure[1],
        "referent_weight": last_layer[chosen.referent],
        "other_weight": last_layer[chosen.other],
    }


def readings(chosen: Answer) -> Numbers:
    return {
        "nouns": chosen.nouns,
        "states": STATES,
        "reading": chosen.reading.flatten(0, 1),  # (2·layers, T)
        "layers": [Label(f"{state.en}, L{layer}", f"{state.zh}，L{layer}") for state in STATES for layer in range(1, LAYERS + 1)],
        "words": spoken(chosen.words),
    }


def spoken(words: tuple[str, ...]) -> list[Label | str]:
    """Words as each reader sees them."""
    return [Label(GLOSSES[word], word) if word in GLOSSES else word for word in words]


def examination_row(model: Resolver, answer: Answer) -> tuple[str | float, ...]:
    """One sentence about the held-out pair: what was meant, what is answered whole and cut, and how sure that is."""
    said = (model.language.nouns[int(state.argmax())] for state in answer.nouns)
    return model.language.space.join(answer.words), answer.words[answer.referent], *said, *(round(each, 3) for each in answer.sure)


STEPS = Label("training steps", "训练步数")

MEASURES = (
    # Over every animal, food and reason, so that a lucky guess cannot count for knowledge: cut off, at most one animal in six is right.
    wrong("cut_resolved_percent", "resolved, of all sentences, edge cut", "判断正确的句子，切断一条边", "%", PERCENT),
    right("resolved_percent", "resolved, of all sentences, no cut", "判断正确的句子，不切断", "%", PERCENT),
    wrong("cut_probability", "probability of the right noun, edge cut", "正确名词的概率，切断一条边", within=SHARE),
    right("probability", "probability of the right noun, no cut", "正确名词的概率，不切断", within=SHARE),
    right("hungry_probability", "“not hungry”: probability of the animal, no cut", "“不饿”：指动物的概率，不切断", within=SHARE),
    right("fresh_probability", "“not fresh”: probability of the food, no cut", "“不新鲜”：指食物的概率，不切断", within=SHARE),
    wrong("cut_hungry_probability", "“not hungry”: probability of the animal, edge cut", "“不饿”：指动物的概率，切断一条边", within=SHARE),
    wrong("cut_fresh_probability", "“not fresh”: probability of the food, edge cut", "“不新鲜”：指食物的概率，切断一条边", within=SHARE),
    measured("referent_weight", "layer 2: the pronoun's weight on the referent", "第 2 层：代词对所指名词的权重", within=SHARE),
    measured("other_weight", "layer 2: the pronoun's weight on the other noun", "第 2 层：代词对另一名词的权重", within=SHARE),
    measured("held_out_percent", "resolved, of the sentences with the held-out pair", "判断正确的句子，没见过的组合", "%", PERCENT),
    measured("final_loss", "loss of the last batch", "最后一批的损失"),
    measured("weights", "parameters of the model", "模型的参数量"),
    Grid("nouns", Label("what it may mean", "“它”指什么"), "{states}", "{candidates}", kind="weights"),
    Grid("reading", Label("what the pronoun reads, by layer", "代词在各层读了什么"), "{layers}", "{words}", kind="weights"),
    Curve("loss_over_steps", Label("loss", "损失"), STEPS, "loss"),
    Curve("held_out_over_steps", Label("held-out pair, % resolved", "没见过的组合，正确率（%）"), STEPS, "exam"),
    Rows(
        "examination",
        Label("the pair it never saw", "没见过的组合"),
        (
            Label("sentence", "句子"),
            Label("meant", "应指"),
            Label("answer", "回答"),
            Label("answer, cut", "切断后的回答"),
            Label("probability", "概率"),
            Label("probability, cut", "切断后的概率"),
        ),
    ),
    note("uncut", "edge == none", "No edge is cut: both answers are the same.", "没有切断任何边：两个回答相同。"),
    note(
        "lucky",
        "edge == referent and readers == pronoun and cut_probability > 0.5",
        "Cut off, it answers with its favourite guess, which happens to be right here: see the share over all sentences.",
        "切断后它只会给出自己偏爱的答案，这里碰巧猜对：请看全部句子的正确率。",
    ),
    note(
        "detour",
        "readers == everyone",
        "All tokens read, so the news may come by way of another token: a weight of 0 on the referent proves nothing.",
        "所有词元都在读，信息可以经别的词元绕道而来：对所指名词的权重为 0 说明不了什么。",
    ),
    note(
        "harmless",
        "edge != none and cut_resolved_percent >= resolved_percent",
        "Cutting this edge costs nothing: {cut_resolved_percent:.0f} % of the sentences are resolved without it, "
        "{resolved_percent:.0f} % with it.",
        "切断这条边没有代价：切断后 {cut_resolved_percent:.0f}% 的句子判断正确，不切断时为 {resolved_percent:.0f}%。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("what does “it” mean?", "“它”指谁？"),
    summary=Label(
        "A small model is trained before your eyes, then asked about the kitten and the fish, a pair it never saw.",
        "当场训练一个小模型，再问它从没见过的组合：小猫和鱼。",
    ),
    keywords=("pronoun", "anaphora", "Winograd", "kitten", "指代消解", "代词", "小猫"),
    parameters=(
        choice("reason", Label("because it was not ...", "因为它不……"), ("hungry", "hungry", "饿"), ("fresh", "fresh", "新鲜")),
        choice(
            "edge",
            Label("edge cut", "切断的边"),
            ("referent", "pronoun → referent", "代词 → 所指名词"),
            ("other", "pronoun → other noun", "代词 → 另一名词"),
            ("reason", "pronoun → reason", "代词 → 原因"),
            ("none", "none", "不切断"),
        ),
        choice("language", Label("sentences", "句子"), ("zh", "Chinese", "中文"), ("en", "English", "英文")),
        choice(
            "readers", Label("who reads", "谁在读"), ("pronoun", "only the pronoun", "只有代词"), ("everyone", "every token", "所有词元")
        ),
        Parameter("steps", STEPS, 300, 50, MOST_STEPS, 50, multiple_of=EVERY),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "strip",
            ("reading",),
            caption=Label(
                "What “it” reads in each layer, in the whole model and after a cut: an edge matters if the answer changes without it.",
                "“它”在每一层读了什么，完整时与切断后：去掉一条边答案就变，这条边才重要。",
            ),
        ),
        Figure("heatmap", ("nouns",)),
        Figure("bars", ("cut_resolved_percent", "resolved_percent")),
        Figure("curve", ("held_out_over_steps",), over="steps", mark="held_out_percent"),
        Figure("curve", ("loss_over_steps",), over="steps", mark="final_loss"),
        Figure("table", ("examination",)),
    ),
    arms=("cut_resolved_percent", "resolved_percent"),
    presets=(
        Preset(
            Label("cut the other noun", "切断另一个名词"),
            {"edge": "other"},
            Label("An edge that is not used can go: every answer stays.", "没用到的边可以去掉：答案一个都不变。"),
            "cut_resolved_percent > 95",
        ),
        Preset(
            Label("cut the reason", "切断原因"),
            {"edge": "reason"},
            Label(
                "Blind to “hungry” or “fresh”, the model can only guess which of the two is meant.",
                "看不到“饿”还是“新鲜”，模型就只能在两者之间猜一个。",
            ),
            "cut_resolved_percent > 25 and cut_resolved_percent < 75",
        ),
        Preset(
            Label("not fresh", "不新鲜"),
            {"reason": "fresh"},
            Label(
                "One word is another, and “it” is the food: the answer follows the reason.",
                "换了一个词，“它”就变成了食物：答案跟着原因走。",
            ),
            "reason == fresh and probability > 0.8",
        ),
    ),
    run=run,
    deadline=30.0,
)
