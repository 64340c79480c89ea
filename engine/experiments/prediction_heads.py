"""BERT's heads turn vectors into logits and softmax into probabilities; the masked-token loss counts only the masked positions.

The body and both of its heads are pre-trained for a moment (see trained_tiny_bert); the classifier is new, as before any fine-tuning.
"""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.experiments._prediction_losses import BERT, costs_by_position, losses, over_steps
from engine.figures import Figure
from engine.label import Label
from engine.measures import ANY, SHARE, Curve, Grid, Rows, Scalar, Walk, measured, right, wrong
from engine.parameter import SEED, Parameter, choice
from engine.preset import Preset
from engine.textbook.model_sizes import pretraining_head_parameters
from engine.textbook.pretraining_heads import IGNORED, Classifier, PretrainingBert
from engine.textbook.random_weights import with_normal_weights
from engine.textbook.tiny_bert import PAIR, PAIR_SEGMENTS, SPREAD, VOCABULARY, numbers_of
from engine.textbook.trained_tiny_bert import EVERY, STEPS, WIDTH, trained_tiny_bert

MASK = "[MASK]"
MASKABLE = {"1": (1,), "2": (2,), "4": (4,), "1,4": (1, 4), "1,2,4": (1, 2, 4)}  # words of the pair, counted from 0
MOST_CLASSES = 6


def run(*, masked: str, steps: int, classes: int, seed: int) -> Numbers:
    bert, classifier = trained_tiny_bert(steps, seed), with_normal_weights(partial(Classifier, WIDTH, classes), SPREAD, seed + 1)
    places = MASKABLE[masked]
    words = tuple(MASK if index in places else word for index, word in enumerate(PAIR))
    original = numbers_of(PAIR)
    labels = torch.full_like(original, IGNORED)
    labels[0, list(places)] = original[0, list(places)]  # only what was masked is asked for
    ids, segments = numbers_of(words), torch.tensor([PAIR_SEGMENTS])
    logits, next_sentence = bert.predict(ids, segments)  # (1, T, V), (1, 2)
    class_logits: Tensor = classifier(bert(ids, segments).pooled)  # (1, classes)
    return {
        **losses(logits, labels, original),
        **probabilities(class_logits, next_sentence, logits),
        **sizes(bert, ids),
        **over_steps(ids, segments, labels, original, seed),
        "words": words,
        "asked": costs_by_position(logits, labels, words),
    }


def probabilities(class_logits: Tensor, next_sentence: Tensor, logits: Tensor) -> Numbers:
    classes, pair, pieces = (torch.softmax(each, -1) for each in (class_logits, next_sentence, logits))
    return {
        "class_probability": classes.max(),
        "class_probability_sum": classes.sum(),
        "class_logit_sum": class_logits.sum(),
        "logit_shift_change": (torch.softmax(class_logits + 100, -1) - classes).abs().max(),
        "follows_probability": pair[0, 0],
        "token_probability_sum_error": (pieces.sum(-1) - 1).abs().max(),
        "token_probabilities": pieces[0],
        "token_logits": logits[0],
        "class_probabilities": classes,
        "class_logits": class_logits,
        "next_probabilities": pair,
        "next_logits": next_sentence,
    }


def sizes(bert: PretrainingBert, ids: Tensor) -> Numbers:
    """The decoder is the embedding table: the table's gradient has a part from each of its two uses."""
    table = bert.embeddings.word.weight.detach().clone().requires_grad_()
    hidden = bert(ids, torch.tensor([PAIR_SEGMENTS])).hidden[-1]
    (from_decoder,) = torch.autograd.grad(bert.masked(hidden, table).logsumexp(-1).sum(), table)
    tied = pretraining_head_parameters(BERT)
    return {
        "tied_head_parameters": tied,
        "untied_head_parameters": tied + BERT.vocabulary * BERT.d_model,
        "rows_reached_as_input": len(set(ids[0].tolist())),
        "rows_reached_as_decoder": (from_decoder.abs().sum(-1) > 0).sum(),
    }


SOFTMAX = r"\mathrm{softmax}(z)"
ONE, FOLLOWS = ("[CLS]",), ("IsNext", "NotNext")  # names of a row and of columns

LOSS_ALL, LOSS_MASKED = (
    Label("mean loss over all positions", "平均损失，所有位置"),
    Label("mean loss over the masked positions", "平均损失，只算掩码位置"),
)
TRAINED = Label("training steps", "训练步数")

MEASURES = (
    Curve("all_positions_loss_over_steps", LOSS_ALL, TRAINED, "steps", arm="wrong"),
    Curve("masked_positions_loss_over_steps", LOSS_MASKED, TRAINED, "steps", arm="right"),
    Scalar("all_positions_loss", LOSS_ALL, arm="wrong"),
    Scalar("masked_positions_loss", LOSS_MASKED, arm="right"),
    right("torch_difference", "loss: difference to torch's cross_entropy", "损失与 torch 的 cross_entropy 之差"),
    wrong("all_label_change", "an unmasked label changed: change of the loss over all", "改一个未掩码标签：全位置损失的变化"),
    right("masked_label_change", "an unmasked label changed: change of the masked loss", "改一个未掩码标签：掩码位置损失的变化"),
    measured("predicted_positions", "positions with a loss", "计入损失的位置数", within=(1, 3)),
    measured("uniform_loss", "loss of a uniform guess, ln V", "均匀猜测的损失，ln V"),
    measured("uniform_loss_bert", "loss of a uniform guess, BERT's 30,522 pieces", "均匀猜测的损失，BERT 的 30,522 个词片"),
    measured("class_probability", "largest class probability", "最大的类别概率", within=(1 / MOST_CLASSES, 1)),
    measured("class_probability_sum", "sum of the class probabilities", "类别概率之和", within=(0.999, 1.001)),
    wrong("class_logit_sum", "sum of the class logits", "类别 logits 之和", within=ANY),
    measured("logit_shift_change", "all logits + 100: largest change of a probability", "全部 logits 加 100：概率的最大变化", within=SHARE),
    measured("follows_probability", "probability that the second sentence follows", "第二句紧接第一句的概率", within=SHARE),
    measured("token_probability_sum_error", "token probabilities: largest |sum - 1|", "各位置词片概率：最大的 |和 − 1|", within=(0, 0.001)),
    right("tied_head_parameters", "BERT-base: parameters of both heads, decoder tied", "BERT-base：两个头的参数量（解码矩阵共享）"),
    wrong("untied_head_parameters", "BERT-base: parameters of both heads, own decoder", "BERT-base：两个头的参数量（解码矩阵另设）"),
    measured("rows_reached_as_input", "rows of the table used by the input", "输入用到的词表行数", within=(1, len(PAIR))),
    measured(
        "rows_reached_as_decoder", "rows that get a gradient from the decoder", "从解码端得到梯度的词表行数", within=(0, len(VOCABULARY))
    ),
    Grid(
        "token_probabilities",
        Label("probabilities of every piece at every position", "每个位置上各词片的概率"),
        "{words}",
        VOCABULARY,
        SOFTMAX,
        "weights",
    ),
    Grid("token_logits", Label("logits of every piece at every position", "每个位置上各词片的 logits"), "{words}", VOCABULARY, "z"),
    Grid(
        "class_probabilities",
        Label("class probabilities over [CLS], the head still untrained", "[CLS] 上的类别概率，分类头尚未训练"),
        ONE,
        "c{1}",
        SOFTMAX,
        "weights",
    ),
    Grid("class_logits", Label("class logits", "类别 logits"), ONE, "c{1}", "z"),
    Grid("next_probabilities", Label("does the second sentence follow?", "第二句是否紧接第一句？"), ONE, FOLLOWS, SOFTMAX, "weights"),
    Grid("next_logits", Label("does the second sentence follow? logits", "第二句是否紧接第一句？logits"), ONE, FOLLOWS, "z"),
    Rows(
        "asked",
        Label("which positions have a loss", "哪些位置计入损失"),
        (Label("input", "输入"), Label("label", "标签"), Label("loss", "损失")),
    ),
    Walk(Label("tokens after the last layer", "最后一层之后的词元"), "H", (1, len(PAIR), WIDTH)),
    Walk(Label("masked token: transform", "掩码词元：变换"), r"\mathrm{LN}(\mathrm{GELU}(H W + b))", (1, len(PAIR), WIDTH)),
    Walk(
        Label("compare with every word embedding (tied)", "与每个词嵌入比较（共享）"),
        r"z = \mathrm{LN}(\ldots) E^\top + b_V",
        (1, len(PAIR), len(VOCABULARY)),
        "token_logits",
    ),
    Walk(Label("probabilities of every piece", "每个词片的概率"), SOFTMAX, (1, len(PAIR), len(VOCABULARY)), "token_probabilities"),
    Walk(Label("[CLS], pooled", "池化后的 [CLS]"), r"p = \tanh(W h_{CLS} + b)", (1, WIDTH)),
    Walk(Label("next sentence: two logits", "下一句：两个 logits"), "W_n p + b_n", (1, 2), "next_logits"),
    Walk(Label("classification: one logit a class", "分类：每类一个 logit"), "W_c p + b_c", (1, "classes"), "class_logits"),
    Walk(Label("class probabilities", "类别概率"), r"\mathrm{softmax}(W_c p + b_c)", (1, "classes"), "class_probabilities"),
)

EXPERIMENT = Experiment(
    title=Label("prediction heads and their loss", "预测头与损失"),
    summary=Label(
        "A tiny BERT is pre-trained: masked token with the tied decoder, next sentence, a new class over [CLS]; and where the loss is.",
        "预训练一个微型 BERT：共享解码矩阵的掩码词元、下一句、[CLS] 上新的分类头，以及损失算在哪里。",
    ),
    keywords=(
        "MLM",
        "NSP",
        "classifier",
        "tied weights",
        "weight tying",
        "logits",
        "next sentence prediction",
        "分类器",
        "权重共享",
        "下一句预测",
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
        Parameter("steps", TRAINED, STEPS, 0, STEPS, EVERY, multiple_of=EVERY),
        Parameter("classes", Label("classes", "类别数"), 3, 2, MOST_CLASSES),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "curve",
            ("all_positions_loss_over_steps", "masked_positions_loss_over_steps"),
            over="steps",
            mark="masked_positions_loss",
            caption=Label(
                "Where it is asked the model learns; where it never is, it may say anything.",
                "问到的位置，模型学会了；从不问的位置，它可以乱说。",
            ),
        ),
        Figure(
            "heatmap",
            ("token_probabilities", "token_logits"),
            caption=Label(
                "The head gives every piece a probability at every position, a row sums to 1; the loss asks at masked positions only.",
                "预测头在每个位置给每个词片一个概率，每行和为 1；损失只问掩码的位置。",
            ),
        ),
        Figure("table", ("asked",)),
        Figure("bars", ("all_positions_loss", "masked_positions_loss", "uniform_loss")),
        Figure("bars", ("all_label_change", "masked_label_change")),
        Figure("bars", ("class_probabilities", "class_logits")),
        Figure("bars", ("next_probabilities", "next_logits")),
        Figure("bars", ("tied_head_parameters", "untied_head_parameters")),
        Figure("steps", ("token_logits", "token_probabilities", "next_logits", "class_logits", "class_probabilities")),
    ),
    arms=("all_positions_loss", "masked_positions_loss"),
    presets=(
        Preset(
            Label("untrained", "未训练"),
            {"steps": 0},
            Label("At the start a masked word costs about as much as a uniform guess.", "一开始，掩码词的损失和均匀猜测差不多。"),
            "masked_positions_loss > 1",
        ),
        Preset(
            Label("mask birds", "掩码 birds"),
            {"masked": "4"},
            Label(
                "Nothing says which animal comes second: no training brings the loss to 0.",
                "句子里没有信息说明第二个动物是谁：再怎么训练，损失也到不了 0。",
            ),
            "masked_positions_loss > 1",
        ),
        Preset(
            Label("two classes", "两个类别"),
            {"classes": 2},
            Label(
                "Two logits, which sum to anything, and two probabilities, which sum to 1.",
                "两个 logits，和可以是任何数；两个概率，和为 1。",
            ),
            "classes == 2 and class_probability_sum > 0.999",
            show="class_probabilities",
        ),
    ),
    deadline=30.0,  # a first run trains five seeds, and may pay for what the first optimizer imports
    run=run,
)
