"""In all-MiniLM-L6, a small BERT, single heads link a pronoun to its noun: one sends .74 of "it" to "kitten"; the mean of all hides it."""

from __future__ import annotations

from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import SHARE, Grid, Range, measured, note, right, wrong
from engine.parameter import Parameter
from engine.preset import Preset
from engine.textbook.bert_tokenizer import FIRST, LAST, UNKNOWN, WordPiece
from engine.textbook.checkpoint import bert_of, folder_of, vocabulary_of
from engine.textbook.pretrained_weights import Reading, read_sentence, token_positions

SHOWN = 24  # tokens of a head's matrix
WORDS, FORM = r"[\s\S]*\S[\s\S]*", Label("a word of the sentence", "句子中的一个词")

Here = tuple[int, int]  # a layer, and one of its heads


def run(*, sentence: str, asking: str, asked: str, rival: str, contrast: str, layer: int, head: int, model: str) -> Numbers:
    folder = folder_of(model)
    vocabulary, bert = vocabulary_of(folder), bert_of(folder)
    reading = read_sentence(bert, vocabulary, sentence)
    layers, heads, tokens, _ = reading.weights.shape
    here = (min(layer, layers - 1), min(head, heads - 1))
    reader = token_positions(reading, vocabulary, asking)
    links = reading.between(reader, token_positions(reading, vocabulary, asked))  # (layers, heads)
    other = read_sentence(bert, vocabulary, contrast) if contrast.strip() else None
    return {
        **over_heads(links, here),
        "rival_weight": weight_between(reading, vocabulary, asking, rival, here),
        **special_weights(reading, reader, here),
        "contrast_weight": weight_between(other, vocabulary, asking, asked, here),
        "contrast_rival_weight": weight_between(other, vocabulary, asking, rival, here),
        "model_layers": layers,
        "model_heads": heads,
        "token_count": tokens,
        "uniform_weight": 1 / tokens,
        "row_sum_error": (reading.weights.sum(-1) - 1).abs().max(),
        "links": links,
        "head_weights": reading.weights[here][:SHOWN, :SHOWN],
        "pieces": reading.pieces[:SHOWN],
        "asking_words": " ".join(asking.split()),
        "asked_words": " ".join(asked.split()),
        "last_layer": layers - 1,
        "last_head": heads - 1,
        "layer_shown": here[0],
        "head_shown": here[1],
        "tokens_shown": SHOWN,
        "unknown": reading.pieces.count(UNKNOWN),
        "rival_given": bool(rival.strip()),
        "contrast_given": other is not None,
    }


def over_heads(links: Tensor, here: Here) -> Numbers:
    """Of a weight that is known for all heads, (layers, heads): at one head, the means, and where it is largest."""
    best_layer, best_head = divmod(int(links.argmax()), links.shape[1])
    return {
        "mean_weight": links.mean(),
        "head_weight": links[here],
        "layer_mean_weight": links[here[0]].mean(),
        "best_weight": links.max(),
        "best_layer": best_layer,
        "best_head": best_head,
    }


def weight_between(reading: Reading | None, vocabulary: WordPiece, asking: str, asked: str, here: Here) -> float:
    """What one head sends from word to word; 0 where there is no sentence or nothing is asked for."""
    if reading is None:
        return 0.0
    reader = token_positions(reading, vocabulary, asking)
    return float(reading.between(reader, token_positions(reading, vocabulary, asked))[here]) if asked.strip() else 0.0


def special_weights(reading: Reading, reader: tuple[int, ...], here: Here) -> Numbers:
    places = tuple(index for index, piece in enumerate(reading.pieces) if piece in (FIRST, LAST))
    return {
        "special_weight": reading.between(reader, places)[here],
        "mean_special_weight": reading.weights[..., list(places)].sum(-1).mean(),
    }


LAYERS: Range = (1, 96)  # that a checkpoint may have
HEADS: Range = (1, 128)

MEASURES = (
    wrong("mean_weight", "asking → asked word: mean over all heads and layers", "提问词 → 被问词：所有层、所有头的平均", within=SHARE),
    right("head_weight", "asking → asked word: the chosen head", "提问词 → 被问词：所选的头", within=SHARE),
    measured("layer_mean_weight", "asking → asked word: mean over the layer's heads", "提问词 → 被问词：该层各头的平均", within=SHARE),
    measured("best_weight", "asking → asked word: largest of all heads", "提问词 → 被问词：所有头中的最大值", within=SHARE),
    measured(
        "best_layer",
        "asking → asked word: layer of the largest (from 0)",
        "提问词 → 被问词：最大值所在的层（从 0 数）",
        within=(0, LAYERS[1] - 1),
    ),
    measured(
        "best_head",
        "asking → asked word: head of the largest (from 0)",
        "提问词 → 被问词：最大值所在的头（从 0 数）",
        within=(0, HEADS[1] - 1),
    ),
    measured("rival_weight", "asking word → rival: the chosen head", "提问词 → 对比词：所选的头", within=SHARE),
    measured("special_weight", "asking word → [CLS] and [SEP]: the chosen head", "提问词 → [CLS] 与 [SEP]：所选的头", within=SHARE),
    measured(
        "mean_special_weight",
        "all tokens → [CLS] and [SEP]: mean over all heads",
        "所有词元 → [CLS] 与 [SEP]：所有头的平均",
        within=SHARE,
    ),
    measured("contrast_weight", "other sentence, asking → asked word: the chosen head", "另一句，提问词 → 被问词：所选的头", within=SHARE),
    measured(
        "contrast_rival_weight", "other sentence, asking word → rival: the chosen head", "另一句，提问词 → 对比词：所选的头", within=SHARE
    ),
    measured("model_layers", "layers of the model", "模型的层数", within=LAYERS),
    measured("model_heads", "heads of a layer", "每层的头数", within=HEADS),
    measured("token_count", "tokens of the sentence", "句子的词元数"),
    measured("uniform_weight", "weight if all tokens counted alike", "若平均分配，每个词元的权重", within=SHARE),
    measured("row_sum_error", "largest |row sum - 1|, all heads", "最大的 |行和 − 1|，所有头"),
    Grid(
        "links",
        Label("{asking_words} → {asked_words}, every layer and head", "{asking_words} → {asked_words}，每一层、每个头"),
        "L{0}",
        "H{0}",
        kind="weights",
    ),
    Grid(
        "head_weights",
        Label(
            "layer {layer_shown}, head {head_shown}: who reads (row) whom (column)",
            "第 {layer_shown} 层第 {head_shown} 头：谁（行）读谁（列）",
        ),
        "{pieces}",
        "{pieces}",
        r"\mathrm{softmax}\left(\frac{Q K^\top}{\sqrt{d}}\right)",
        "weights",
    ),
    note(
        "beyond_layers",
        "layer > last_layer",
        "This model has layers 0..{last_layer}; layer {layer_shown} is shown.",
        "此模型有第 0..{last_layer} 层；显示的是第 {layer_shown} 层。",
    ),
    note(
        "beyond_heads",
        "head > last_head",
        "This model has heads 0..{last_head}; head {head_shown} is shown.",
        "此模型有第 0..{last_head} 头；显示的是第 {head_shown} 头。",
    ),
    note(
        "below_the_mean",
        "head_weight < mean_weight",
        "The chosen head links these words less than the mean of all heads does.",
        "所选的头把这两个词连起来的权重低于所有头的平均。",
    ),
    note(
        "cropped",
        "token_count > tokens_shown",
        "The head's matrix shows the first {tokens_shown} of {token_count} tokens.",
        "该头的矩阵只显示 {token_count} 个词元中的前 {tokens_shown} 个。",
    ),
    note("unknown", "unknown > 0", "{unknown} pieces are [UNK]: the vocabulary lacks them.", "有 {unknown} 个 [UNK]：词表里没有这些词。"),
    note("no_rival", "rival_given == 0", "No rival is given; its weights are shown as 0.", "没有给出对比词，其权重显示为 0。"),
    note(
        "no_contrast", "contrast_given == 0", "No other sentence is given; its weights are shown as 0.", "没有给出另一句，其权重显示为 0。"
    ),
)

EXPERIMENT = Experiment(
    title=Label("a pretrained head at work", "看预训练模型的注意力头"),
    summary=Label(
        "Your sentence through all-MiniLM-L6, a BERT of 6 layers, or one of yours: which heads link one word to another.",
        "让你的句子通过 6 层的 BERT（all-MiniLM-L6）或你自己的模型：哪些头把一个词连到另一个词。",
    ),
    keywords=("BertViz", "MiniLM", "real BERT", "visualise attention", "attention map", "可视化", "真实模型", "注意力图"),
    parameters=(
        Parameter("sentence", Label("sentence", "句子"), "the kitten did not eat the fish because it was not hungry", scale="text"),
        Parameter("asking", Label("asking word", "提问词"), "it", scale="text", pattern=WORDS, form=FORM),
        Parameter("asked", Label("asked word", "被问词"), "kitten", scale="text", pattern=WORDS, form=FORM),
        Parameter("rival", Label("rival", "对比词"), "fish", scale="text"),
        Parameter("contrast", Label("other sentence", "另一句"), "the kitten did not eat the fish because it was not fresh", scale="text"),
        Parameter("layer", Label("layer (from 0)", "层（从 0 数）"), 3, 0, 11),
        Parameter("head", Label("head (from 0)", "头（从 0 数）"), 1, 0, 11),
        Parameter(
            "model", Label("model folder (empty = the packaged one)", "模型文件夹（空 = 随附模型）"), "", scale="text", names_model=True
        ),
    ),
    presets=(
        Preset(
            Label("not fresh", "不新鲜"),
            {"sentence": "the kitten did not eat the fish because it was not fresh"},
            Label(
                "One word changed at the end, and this head gives “kitten” half of what it gave.",
                "句末换了一个词，这个头给 kitten 的权重就少了一半。",
            ),
            "head_weight < 0.5",
        ),
        Preset(
            Label("the head beside it", "旁边的头"),
            {"head": 0},
            Label(
                "The same layer, another head: it hardly looks at either noun, most goes to [CLS] and [SEP].",
                "同一层换一个头：两个名词几乎都不看，大部分给了 [CLS] 和 [SEP]。",
            ),
            "head_weight < mean_weight and special_weight > 0.5",
            show="head_weights",
        ),
    ),
    run=run,
    measures=MEASURES,
    figures=(
        Figure(
            "grid",
            ("links",),
            caption=Label(
                "Which of the heads link these two words? A few do, and most look elsewhere: one head is not the model.",
                "哪些头把这两个词连起来？少数几个；大多数在看别处：一个头不等于整个模型。",
            ),
        ),
        Figure("strip", ("head_weights",)),
        Figure("bars", ("mean_weight", "layer_mean_weight", "head_weight", "best_weight"), mark="uniform_weight"),
        Figure("bars", ("head_weight", "rival_weight", "special_weight", "contrast_weight", "contrast_rival_weight")),
        Figure("heatmap", ("head_weights",)),
    ),
    arms=("mean_weight", "head_weight"),
    deadline=20.0,  # the first run maps the weights from disk
)
