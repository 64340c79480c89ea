"""A pronoun is resolved by reading: a two-layer model finds what "it" means in a pair it never saw, and fails once that edge is cut."""

from __future__ import annotations

from collections.abc import Generator

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid
from engine.result import Matrix, Progress, Quantity, Result, Series, Table
from engine.shorthand import SEED, choice, measured, right, wrong
from engine.textbook.coreference_model import Answer, Resolver, cut, everyone_reads, only_the_pronoun_reads
from engine.textbook.optimizers import adam, adam_step
from engine.textbook.pronoun_sentences import LANGUAGES, Language, held_out_examples
from engine.textbook.tiny_transformer import Shape, encode, initial_weights
from engine.textbook.training_loop import train

WIDTH, LAYERS, HEADS, HIDDEN = 32, 2, 1, 32
BATCH, RATE = 16, 0.006
EVERY = 10  # steps between two points of the curves
READERS = {"pronoun": only_the_pronoun_reads, "everyone": everyone_reads}
STEPS = Label("training steps", "训练步数")

Points = list[tuple[float, float, float]]  # step, loss, accuracy on the held-out pair


def run(*, language: str, reason: str, edge: str, readers: str, steps: int, seed: int) -> Generator[Progress, None, Result]:
    model = resolver(language, readers)
    generator = torch.Generator().manual_seed(seed)
    theta = initial_weights(model.shape, generator)
    asked = held_out_examples(model.language)
    points: Points = []
    for step, (after, loss) in enumerate(train(theta, model.lesson(BATCH, generator), adam(theta, RATE), steps), start=1):
        theta = after
        if step % EVERY == 0:
            points.append((step, loss, model.accuracy(theta, asked)))
            yield Progress(step / steps, Result(series=_curves(points)))
    first_food_reason = len(model.language.animal_reasons)
    hungry, fresh = (model.held_out_answer(theta, index, edge) for index in (0, first_food_reason))
    chosen = hungry if reason == "hungry" else fresh
    return Result(
        quantities=(*_all_stories(model, theta, edge), *_quantities(chosen, hungry, fresh), *_marks(model, points)),
        matrices=_matrices(model.language, chosen),
        series=_curves(points),
        tables=(_examination(model, theta, edge),),
        notes=_notes(edge, readers, chosen),
    )


def resolver(language: str, readers: str) -> Resolver:
    """The model before it has learned anything."""
    words = LANGUAGES[language]
    tokens = len(words.sentence)
    mask = READERS[readers](tokens, words.sentence.index(words.pronoun))
    return Resolver(words, Shape(len(words.vocabulary), tokens, WIDTH, LAYERS, HEADS, HIDDEN), mask)


def _all_stories(model: Resolver, theta: Tensor, edge: str) -> tuple[Quantity, ...]:
    """Over every animal, food and reason, so that a lucky guess cannot count for knowledge: cut off, at most one animal in six is right."""
    cut_off, whole = (100 * model.resolved(theta, each) for each in (edge, "none"))
    return (
        wrong("cut_resolved_percent", cut_off, "all sentences: resolved, edge cut", "全部句子：判断正确，切断后", "%"),
        right("resolved_percent", whole, "all sentences: resolved", "全部句子：判断正确", "%"),
    )


def _quantities(chosen: Answer, hungry: Answer, fresh: Answer) -> tuple[Quantity, ...]:
    reading = chosen.reading[0, -1]
    return (
        wrong("cut_probability", chosen.sure[1], "probability of the right noun, edge cut", "正确名词的概率，切断一条边"),
        right("probability", chosen.sure[0], "probability of the right noun", "正确名词的概率"),
        right("hungry_probability", hungry.sure[0], "not hungry: probability of the animal", "“不饿”：指动物的概率"),
        right("fresh_probability", fresh.sure[0], "not fresh: probability of the food", "“不新鲜”：指食物的概率"),
        wrong("cut_hungry_probability", hungry.sure[1], "not hungry, edge cut: the animal", "“不饿”，切断后：指动物的概率"),
        wrong("cut_fresh_probability", fresh.sure[1], "not fresh, edge cut: the food", "“不新鲜”，切断后：指食物的概率"),
        measured("referent_weight", float(reading[chosen.referent]), "layer 2: weight on the referent", "第 2 层：对所指名词的权重"),
        measured("other_weight", float(reading[chosen.other]), "layer 2: weight on the other noun", "第 2 层：对另一名词的权重"),
    )


def _marks(model: Resolver, points: Points) -> tuple[Quantity, ...]:
    _, loss, held_out = points[-1]
    return (
        measured("held_out_percent", 100 * held_out, "the held-out pair: resolved", "没见过的组合：判断正确", "%"),
        measured("final_loss", loss, "loss of the last batch", "最后一批的损失"),
        measured("weights", model.shape.count(), "weights of the model", "模型的参数量"),
    )


def _matrices(language: Language, chosen: Answer) -> tuple[Matrix, ...]:
    whole_cut = ("whole", "cut") if language is LANGUAGES["en"] else ("完整", "切断")
    reading = chosen.reading.flatten(0, 1)  # (2·layers, T)
    rows = tuple(f"{state} L{layer}" for state in whole_cut for layer in range(1, LAYERS + 1))
    return (
        Matrix("nouns", grid(chosen.nouns), Label("what it may mean", "“它”指什么"), whole_cut, language.nouns, kind="weights"),
        Matrix(
            "reading", grid(reading), Label("what the pronoun reads, by layer", "代词在各层读了什么"), rows, chosen.words, kind="weights"
        ),
    )


def _curves(points: Points) -> tuple[Series, ...]:
    steps, losses, held_out = (tuple(column) for column in zip(*points, strict=True))
    percent = tuple(100 * share for share in held_out)
    return (
        Series("loss_over_steps", steps, losses, Label("loss", "损失"), STEPS, "loss"),
        Series("held_out_over_steps", steps, percent, Label("held-out pair, % resolved", "没见过的组合，正确率（%）"), STEPS, "exam"),
    )


def _examination(model: Resolver, theta: Tensor, edge: str) -> Table:
    """Every sentence about the held-out pair."""
    language = model.language
    found = [model.held_out_answer(theta, index, edge) for index in range(len(language.reasons))]
    rows = tuple(
        (
            language.space.join(each.words),
            each.words[each.referent],
            language.nouns[int(each.nouns[0].argmax())],
            language.nouns[int(each.nouns[1].argmax())],
            round(each.sure[0], 3),
            round(each.sure[1], 3),
        )
        for each in found
    )
    columns = (
        Label("sentence", "句子"),
        Label("meant", "应指"),
        Label("answer", "回答"),
        Label("answer, cut", "切断后的回答"),
        Label("probability", "概率"),
        Label("probability, cut", "切断后的概率"),
    )
    return Table("examination", Label("the pair it never saw", "没见过的组合"), columns, rows)


def _notes(edge: str, readers: str, chosen: Answer) -> tuple[Label, ...]:
    found = (
        (edge == "none", Label("No edge is cut: both answers are the same.", "没有切断任何边：两个回答相同。")),
        (
            edge == "referent" and readers == "pronoun" and chosen.sure[1] > 0.5,
            Label(
                "Cut off, it answers with its favourite guess, which happens to be right here: see the share over all sentences.",
                "切断后它只会给出自己偏爱的答案，这里碰巧猜对：请看全部句子的正确率。",
            ),
        ),
        (
            readers == "everyone",
            Label(
                "All tokens read, so the news may come by way of another token: a weight of 0 on the referent proves nothing.",
                "所有词元都在读，信息可以经别的词元绕道而来：对所指名词的权重为 0 说明不了什么。",
            ),
        ),
    )
    return tuple(note for applies, note in found if applies)


def cost(*, language: str, reason: str, edge: str, readers: str, steps: int, seed: int) -> Cost:
    model = resolver(language, readers)
    tokens = len(model.language.sentence)
    a_pass = 2 * tokens * (model.shape.count() + 2 * LAYERS * tokens * WIDTH)
    exam = len(model.language.reasons) * a_pass * steps / EVERY
    return Cost(bytes=4 * (8 * model.shape.count() + 40 * BATCH * tokens * WIDTH), flops=3 * BATCH * a_pass * steps + exam)


EXPERIMENT = Experiment(
    title=Label("what does “it” mean?", "“它”指谁？"),
    summary=Label(
        "A small model is trained before your eyes, then asked about the kitten and the fish, a pair it never saw.",
        "当场训练一个小模型，再问它从没见过的组合：小猫和鱼。",
    ),
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
            "readers",
            Label("who reads", "谁在读"),
            ("pronoun", "only the pronoun", "只有代词"),
            ("everyone", "every token", "所有词元"),
        ),
        Parameter("steps", STEPS, 300, 50, 500, 50),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(encode, only_the_pronoun_reads, cut, train, adam_step),
    arms=("cut_resolved_percent", "resolved_percent"),
    deadline=30.0,
)
