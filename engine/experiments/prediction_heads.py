"""BERT's heads turn vectors into logits and softmax into probabilities; the masked-token loss counts only the masked positions."""

from __future__ import annotations

import math
from functools import partial

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, names, number
from engine.result import Matrix, Quantity, Result, Step, Table
from engine.shorthand import SEED, choice, measured, right, wrong
from engine.textbook.model_sizes import MODELS, pretraining_head_parameters
from engine.textbook.pretraining_heads import IGNORED, Classifier, MaskedTokenHead, PretrainingBert, masked_loss
from engine.textbook.random_weights import with_normal_weights
from engine.textbook.tiny_bert import INNER, PAIR, PAIR_SEGMENTS, SPREAD, VOCABULARY, WIDTH, numbers_of, tiny_bert

MASK = "[MASK]"
LAYERS = 2
BERT = MODELS["bert-base"]
MASKABLE = {"1": (1,), "2": (2,), "4": (4,), "1,4": (1, 4), "1,2,4": (1, 2, 4)}  # words of the pair, counted from 0


def run(*, masked: str, classes: int, seed: int) -> Result:
    bert, classifier = tiny_bert(LAYERS, seed), with_normal_weights(partial(Classifier, WIDTH, classes), SPREAD, seed + 1)
    places = MASKABLE[masked]
    words = tuple(MASK if index in places else word for index, word in enumerate(PAIR))
    original = numbers_of(PAIR)
    labels = torch.full_like(original, IGNORED)
    labels[0, list(places)] = original[0, list(places)]  # only what was masked is asked for
    ids, segments = numbers_of(words), torch.tensor([PAIR_SEGMENTS])
    logits, next_sentence = bert.predict(ids, segments)  # (1, T, V), (1, 2)
    class_logits: Tensor = classifier(bert(ids, segments).pooled)  # (1, classes)
    return Result(
        quantities=(*_losses(logits, labels, original, places), *_probabilities(class_logits, next_sentence, logits), *_sizes(bert, ids)),
        matrices=_matrices(words, logits, next_sentence, class_logits),
        tables=(_asked(logits, labels, words),),
        steps=_steps(classes),
    )


def _losses(logits: Tensor, labels: Tensor, original: Tensor, places: tuple[int, ...]) -> tuple[Quantity, ...]:
    """The loss over the masked positions, over all, and what each makes of another label at a position that was not masked."""
    everywhere = masked_loss(logits, original)
    unmasked = next(index for index in range(1, len(PAIR)) if index not in places)
    other = original.clone()
    other[0, unmasked] = (original[0, unmasked] + 1) % len(VOCABULARY)
    relabelled = torch.where(labels == IGNORED, labels, other)  # the loss does not see what it is not asked for
    torchs = cross_entropy(logits[0], labels[0], ignore_index=IGNORED)
    return (
        wrong("all_positions_loss", number(everywhere), "loss over all positions", "所有位置上的损失"),
        right("masked_positions_loss", number(masked_loss(logits, labels)), "loss over the masked positions", "只算掩码位置的损失"),
        right(
            "torch_difference",
            number((torchs - masked_loss(logits, labels)).abs()),
            "difference to torch's cross_entropy",
            "与 torch 的 cross_entropy 之差",
        ),
        wrong(
            "all_label_change",
            number((masked_loss(logits, other) - everywhere).abs()),
            "another unmasked label: change over all",
            "改一个未掩码标签：全位置损失的变化",
        ),
        right(
            "masked_label_change",
            number((masked_loss(logits, relabelled) - masked_loss(logits, labels)).abs()),
            "... over the masked positions",
            "……只算掩码位置时的变化",
        ),
        measured("predicted_positions", int((labels != IGNORED).sum()), "positions with a loss", "计入损失的位置数"),
        measured("uniform_loss", math.log(len(VOCABULARY)), "loss of a uniform guess, ln V", "均匀猜测的损失，ln V"),
        measured("uniform_loss_bert", math.log(BERT.vocabulary), "the same with BERT's 30,522 pieces", "BERT 的 30,522 个词片时"),
    )


def _probabilities(class_logits: Tensor, next_sentence: Tensor, logits: Tensor) -> tuple[Quantity, ...]:
    classes, pair, pieces = (torch.softmax(each, -1) for each in (class_logits, next_sentence, logits))
    shifted = torch.softmax(class_logits + 100, -1)
    return (
        measured("class_probability", number(classes.max()), "largest class probability", "最大的类别概率"),
        measured("class_probability_sum", number(classes.sum()), "sum of the class probabilities", "类别概率之和"),
        wrong("class_logit_sum", number(class_logits.sum()), "sum of the class logits", "类别 logits 之和"),
        measured(
            "logit_shift_change",
            number((shifted - classes).abs().max()),
            "all logits + 100: probabilities move by",
            "全部 logits 加 100：概率的变化",
        ),
        measured("follows_probability", number(pair[0, 0]), "probability that the second sentence follows", "第二句紧接第一句的概率"),
        measured(
            "token_probability_sum_error",
            number((pieces.sum(-1) - 1).abs().max()),
            "token probabilities: sums off 1",
            "各位置词片概率之和与 1 的偏差",
        ),
    )


def _sizes(bert: PretrainingBert, ids: Tensor) -> tuple[Quantity, ...]:
    """The decoder is the embedding table: the table's gradient has a part from each of its two uses."""
    table = bert.embeddings.word.weight.detach().clone().requires_grad_()
    hidden = bert(ids, torch.tensor([PAIR_SEGMENTS])).hidden[-1]
    (from_decoder,) = torch.autograd.grad(bert.masked(hidden, table).logsumexp(-1).sum(), table)
    reached = int((from_decoder.abs().sum(-1) > 0).sum())
    tied = pretraining_head_parameters(BERT)
    return (
        right(
            "tied_head_parameters", tied, "BERT-base: parameters of both heads, decoder tied", "BERT-base：两个头的参数量（解码矩阵共享）"
        ),
        wrong("untied_head_parameters", tied + BERT.vocabulary * BERT.d_model, "... with a decoder of its own", "……若解码矩阵另设"),
        measured("rows_reached_as_input", len(set(ids[0].tolist())), "rows of the table used by the input", "输入用到的词表行数"),
        measured("rows_reached_as_decoder", reached, "rows that get a gradient from the decoder", "从解码端得到梯度的词表行数"),
    )


def _matrices(words: tuple[str, ...], logits: Tensor, next_sentence: Tensor, class_logits: Tensor) -> tuple[Matrix, ...]:
    classes, pair = names("c", class_logits.shape[-1]), ("IsNext", "NotNext")

    def weights(name: str, values: Tensor, en: str, zh: str, rows: tuple[str, ...], columns: tuple[str, ...]) -> Matrix:
        return Matrix(name, grid(torch.softmax(values, -1)), Label(en, zh), rows, columns, r"\mathrm{softmax}(z)", "weights")

    def scores(name: str, values: Tensor, en: str, zh: str, rows: tuple[str, ...], columns: tuple[str, ...]) -> Matrix:
        return Matrix(name, grid(values), Label(en, zh), rows, columns, "z")

    return (
        weights(
            "token_probabilities", logits[0], "probabilities of every piece at every position", "每个位置上各词片的概率", words, VOCABULARY
        ),
        scores("token_logits", logits[0], "their logits", "对应的 logits", words, VOCABULARY),
        weights("class_probabilities", class_logits, "class probabilities over [CLS]", "[CLS] 上的类别概率", ("[CLS]",), classes),
        scores("class_logits", class_logits, "class logits", "类别 logits", ("[CLS]",), classes),
        weights("next_probabilities", next_sentence, "does the second sentence follow?", "第二句是否紧接第一句？", ("[CLS]",), pair),
        scores("next_logits", next_sentence, "their logits", "对应的 logits", ("[CLS]",), pair),
    )


def _asked(logits: Tensor, labels: Tensor, words: tuple[str, ...]) -> Table:
    """Position by position: what stands there, what is asked for, and what it costs."""
    losses = torch.nn.functional.cross_entropy(logits[0], labels[0], ignore_index=IGNORED, reduction="none").tolist()
    rows = tuple(
        (word, VOCABULARY[label] if label != IGNORED else Label("not asked", "不计"), loss if label != IGNORED else 0.0)
        for word, label, loss in zip(words, labels[0].tolist(), losses, strict=True)
    )
    return Table(
        "asked",
        Label("which positions have a loss", "哪些位置计入损失"),
        (Label("input", "输入"), Label("label", "标签"), Label("loss", "损失")),
        rows,
    )


def _steps(classes: int) -> tuple[Step, ...]:
    tokens, pieces = len(PAIR), len(VOCABULARY)
    return (
        Step(Label("tokens after the last layer", "最后一层之后的词元"), "H", (1, tokens, WIDTH)),
        Step(Label("masked token: transform", "掩码词元：变换"), r"\mathrm{LN}(\mathrm{GELU}(H W + b))", (1, tokens, WIDTH)),
        Step(
            Label("compare with every word embedding (tied)", "与每个词嵌入比较（共享）"),
            r"z = \mathrm{LN}(\ldots) E^\top + b_V",
            (1, tokens, pieces),
            "token_logits",
        ),
        Step(Label("probabilities of every piece", "每个词片的概率"), r"\mathrm{softmax}(z)", (1, tokens, pieces), "token_probabilities"),
        Step(Label("[CLS], pooled", "池化后的 [CLS]"), r"p = \tanh(W h_{CLS} + b)", (1, WIDTH)),
        Step(Label("next sentence: two logits", "下一句：两个 logits"), "W_n p + b_n", (1, 2), "next_logits"),
        Step(Label("classification: one logit a class", "分类：每类一个 logit"), "W_c p + b_c", (1, classes), "class_logits"),
        Step(Label("class probabilities", "类别概率"), r"\mathrm{softmax}(W_c p + b_c)", (1, classes), "class_probabilities"),
    )


def cost(*, masked: str, classes: int, seed: int) -> Cost:
    tokens, pieces = len(PAIR), len(VOCABULARY)
    weights = LAYERS * (4 * WIDTH**2 + 2 * WIDTH * INNER) + 2 * pieces * WIDTH + WIDTH * (classes + WIDTH)
    return Cost(bytes=16 * (weights + 4 * tokens * pieces), flops=8 * tokens * (weights + 4 * tokens * WIDTH))


EXPERIMENT = Experiment(
    title=Label("prediction heads and their loss", "预测头与损失"),
    summary=Label(
        "Class over [CLS], masked token with the tied decoder, next sentence: logits, probabilities, and where the loss is.",
        "[CLS] 分类、共享解码矩阵的掩码词元、下一句：logits、概率，以及损失算在哪里。",
    ),
    parameters=(
        choice(
            "masked",
            Label("masked positions", "掩码的位置"),
            ("2", "nap", "nap"),
            ("1", "cats", "cats"),
            ("4", "birds", "birds"),
            ("1,4", "cats, birds", "cats、birds"),
            ("1,2,4", "all three words", "三个词全部"),
        ),
        Parameter("classes", Label("classes", "类别数"), 3, 2, 6),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(MaskedTokenHead, masked_loss, Classifier, PretrainingBert),
    arms=("all_positions_loss", "masked_positions_loss"),
)
