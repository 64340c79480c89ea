"""In a pretrained BERT single heads link a pronoun to its noun: one sends .74 of "it" to "kitten", which the mean over heads hides."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, number
from engine.result import Matrix, Quantity, Result
from engine.shorthand import measured, right, wrong
from engine.textbook.attention import scaled_dot_product_attention
from engine.textbook.bert import Bert, BertShape, EncoderLayer, load_weights
from engine.textbook.bert_tokenizer import FIRST, LAST, UNKNOWN, WordPiece
from engine.textbook.checkpoint import bert_of, folder_of, shape_of, vocabulary_of
from engine.textbook.pretrained_weights import Reading, read_sentence, token_positions

SHOWN = 24  # tokens of a head's matrix
PACKAGED = BertShape(d_model=384, layers=6, heads=12, width=1536)


def run(*, sentence: str, asking: str, asked: str, rival: str, contrast: str, layer: int, head: int, model: str) -> Result:
    folder = folder_of(model)
    vocabulary, bert = vocabulary_of(folder), bert_of(folder)
    reading = read_sentence(bert, vocabulary, sentence)
    layers, heads = reading.weights.shape[:2]
    here = (min(layer, layers - 1), min(head, heads - 1))
    reader = token_positions(reading, vocabulary, asking)
    links = reading.between(reader, token_positions(reading, vocabulary, asked))  # (layers, heads)
    other = read_sentence(bert, vocabulary, contrast) if contrast.strip() else None
    return Result(
        quantities=(
            *_links(links, here),
            *_rivals(reading, reader, vocabulary, rival, here),
            *_contrast(other, vocabulary, (asking, asked, rival), here),
            *_model(reading, here),
        ),
        matrices=_matrices(reading, links, here, (asking, asked)),
        notes=_notes(reading, here, (layer, head), (rival, contrast)),
    )


def _links(links: Tensor, here: tuple[int, int]) -> tuple[Quantity, ...]:
    best = int(links.argmax())
    heads = links.shape[1]
    return (
        wrong("mean_weight", number(links.mean()), "mean over all layers and heads", "所有层、所有头的平均"),
        right(
            "head_weight", number(links[here]), "the chosen head: from the asking word to the asked one", "所选的头：从提问词到被问词的权重"
        ),
        measured("layer_mean_weight", number(links[here[0]].mean()), "mean over the heads of its layer", "该层各头的平均"),
        measured("best_weight", number(links.max()), "largest of all heads", "所有头中的最大值"),
        measured("best_layer", best // heads, "... in layer (from 0)", "……所在的层（从 0 数）"),
        measured("best_head", best % heads, "... in head (from 0)", "……所在的头（从 0 数）"),
    )


def _rivals(reading: Reading, reader: tuple[int, ...], vocabulary: WordPiece, rival: str, here: tuple[int, int]) -> tuple[Quantity, ...]:
    special = tuple(index for index, piece in enumerate(reading.pieces) if piece in (FIRST, LAST))
    weight = reading.between(reader, token_positions(reading, vocabulary, rival))[here] if rival.strip() else torch.zeros(())
    return (
        measured("rival_weight", number(weight), "the chosen head: to the rival", "所选的头：到对比词的权重"),
        measured(
            "special_weight",
            number(reading.between(reader, special)[here]),
            "the chosen head: to [CLS] and [SEP]",
            "所选的头：到 [CLS] 与 [SEP] 的权重",
        ),
        measured(
            "mean_special_weight",
            number(reading.weights[..., list(special)].sum(-1).mean()),
            "all heads and tokens: to [CLS] and [SEP]",
            "所有头、所有词元：到 [CLS] 与 [SEP] 的权重",
        ),
    )


def _contrast(other: Reading | None, vocabulary: WordPiece, words: tuple[str, str, str], here: tuple[int, int]) -> tuple[Quantity, ...]:
    """The same head on the other sentence."""
    asking, *targets = words
    found = [0.0, 0.0]
    if other is not None:
        reader = token_positions(other, vocabulary, asking)
        found = [number(other.between(reader, token_positions(other, vocabulary, each))[here]) if each.strip() else 0.0 for each in targets]
    return (
        measured("contrast_weight", found[0], "other sentence: to the asked word", "另一句：到被问词的权重"),
        measured("contrast_rival_weight", found[1], "other sentence: to the rival", "另一句：到对比词的权重"),
    )


def _model(reading: Reading, here: tuple[int, int]) -> tuple[Quantity, ...]:
    layers, heads, tokens, _ = reading.weights.shape
    sums = reading.weights.sum(-1)
    return (
        measured("model_layers", layers, "layers of the model", "模型的层数"),
        measured("model_heads", heads, "heads of a layer", "每层的头数"),
        measured("token_count", tokens, "tokens of the sentence", "句子的词元数"),
        measured("uniform_weight", 1 / tokens, "weight if all tokens counted alike", "若平均分配，每个词元的权重"),
        measured("row_sum_error", number((sums - 1).abs().max()), "row sums off 1", "行和与 1 的偏差"),
    )


def _matrices(reading: Reading, links: Tensor, here: tuple[int, int], words: tuple[str, str]) -> tuple[Matrix, ...]:
    layers, heads = links.shape
    pieces = reading.pieces[:SHOWN]
    asking, asked = (" ".join(word.split()) for word in words)
    layer, head = here
    return (
        Matrix(
            "links",
            grid(links),
            Label(f"{asking} → {asked}, every layer and head", f"{asking} → {asked}，每一层、每个头"),
            tuple(f"L{index}" for index in range(layers)),
            tuple(f"H{index}" for index in range(heads)),
            kind="weights",
        ),
        Matrix(
            "head_weights",
            grid(reading.weights[here][:SHOWN, :SHOWN]),
            Label(f"layer {layer}, head {head}: who reads (row) whom (column)", f"第 {layer} 层第 {head} 头：谁（行）读谁（列）"),
            pieces,
            pieces,
            r"\mathrm{softmax}\left(\frac{Q K^\top}{\sqrt{d}}\right)",
            "weights",
        ),
    )


def _notes(reading: Reading, here: tuple[int, int], wanted: tuple[int, int], optional: tuple[str, str]) -> tuple[Label, ...]:
    layers, heads, tokens, _ = reading.weights.shape
    unknown = reading.pieces.count(UNKNOWN)
    rival, contrast = optional
    found = (
        (here != wanted, clamped(layers, heads, *here)),
        (tokens > SHOWN, cropped(tokens)),
        (unknown > 0, Label(f"{unknown} pieces are [UNK]: the vocabulary lacks them.", f"有 {unknown} 个 [UNK]：词表里没有这些词。")),
        (not rival.strip(), Label("No rival is given; its weights are shown as 0.", "没有给出对比词，其权重显示为 0。")),
        (not contrast.strip(), Label("No other sentence is given; its weights are shown as 0.", "没有给出另一句，其权重显示为 0。")),
    )
    return tuple(note for applies, note in found if applies)


def clamped(layers: int, heads: int, layer: int, head: int) -> Label:
    return Label(
        f"This model has layers 0..{layers - 1} and heads 0..{heads - 1}; layer {layer}, head {head} is shown.",
        f"此模型有第 0..{layers - 1} 层、第 0..{heads - 1} 头；显示的是第 {layer} 层第 {head} 头。",
    )


def cropped(tokens: int) -> Label:
    return Label(f"The head's matrix shows the first {SHOWN} of {tokens} tokens.", f"该头的矩阵只显示 {tokens} 个词元中的前 {SHOWN} 个。")


def cost(*, sentence: str, asking: str, asked: str, rival: str, contrast: str, layer: int, head: int, model: str) -> Cost:
    """No piece is shorter than a character. The weights stay in their file, mapped and not copied; they are limited by its size."""
    shape = shape_of(folder_of(model)) if model.strip() else PACKAGED
    tokens = max(len(sentence), len(contrast)) + 2
    matrices = 4 * shape.d_model**2 + 2 * shape.d_model * shape.width
    a_layer = 2 * tokens * matrices + 4 * tokens**2 * shape.d_model
    kept = shape.layers * (tokens * shape.d_model + shape.heads * tokens**2)
    return Cost(bytes=4 * 3 * kept + 4 * tokens * 4 * shape.width, flops=2 * shape.layers * a_layer)


EXPERIMENT = Experiment(
    title=Label("a pretrained head at work", "看预训练模型的注意力头"),
    summary=Label(
        "Your sentence through a real BERT: which heads of which layers link one word to another.",
        "让你的句子通过真实的 BERT：哪些层的哪些头把一个词连到另一个词。",
    ),
    parameters=(
        Parameter("sentence", Label("sentence", "句子"), "the kitten did not eat the fish because it was not hungry", scale="text"),
        Parameter("asking", Label("asking word", "提问词"), "it", scale="text"),
        Parameter("asked", Label("asked word", "被问词"), "kitten", scale="text"),
        Parameter("rival", Label("rival", "对比词"), "fish", scale="text"),
        Parameter("contrast", Label("other sentence", "另一句"), "the kitten did not eat the fish because it was not fresh", scale="text"),
        Parameter("layer", Label("layer (from 0)", "层（从 0 数）"), 3, 0, 11),
        Parameter("head", Label("head (from 0)", "头（从 0 数）"), 1, 0, 11),
        Parameter("model", Label("model folder (empty = the packaged one)", "模型文件夹（空 = 随附模型）"), "", scale="text"),
    ),
    run=run,
    cost=cost,
    shows=(scaled_dot_product_attention, EncoderLayer, Bert, load_weights, WordPiece),
    arms=("mean_weight", "head_weight"),
    deadline=20.0,  # the first run maps the weights from disk
)
