"""A model's parameters follow from a few numbers; 12·L·D² leaves out embeddings, biases, norms and what comes on top."""

from __future__ import annotations

from functools import cache, partial

from torch import nn

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import SHARE, Curve, Rows, measured, right, wrong
from engine.parameter import Parameter, choice
from engine.textbook.attention import MultiHeadAttention
from engine.textbook.bert import LookUp
from engine.textbook.feed_forward import FeedForward, SwiGLU, swiglu_width
from engine.textbook.model_sizes import (
    MODELS,
    Family,
    Sizes,
    attention_parameters,
    embedding_parameters,
    factorised_embedding_parameters,
    feed_forward_parameters,
    layer_parameters,
    norm_parameters,
    rule_of_thumb,
    shared_parameters,
    top_parameters,
    total_parameters,
    training_flops,
)
from engine.textbook.normalization import LayerNorm, RMSNorm
from engine.textbook.random_weights import build_on_meta, count_parameters

ALBERT = 128  # width of its word table
TOKENS_A_PARAMETER = 20  # Hoffmann et al. 2022
WIDTHS = tuple(64 * 2**power for power in range(8))  # 64 ... 8192, the x axis
FAMILIES: dict[str, Family] = {"bert": "bert", "gpt": "gpt", "llama": "llama"}


def run(*, model: str, family: str, d_model: int, layers: int, vocabulary: int) -> Numbers:
    sizes, own = MODELS[model], own_model(FAMILIES[family], d_model, layers, vocabulary)
    widths = [own_model(FAMILIES[family], width, layers, vocabulary) for width in WIDTHS]
    return {
        **model_parameters(sizes),
        "own_total": total_parameters(own),
        "own_word_table": own.vocabulary * own.d_model,
        "own_factorised_table": factorised_embedding_parameters(own, ALBERT),
        "own_shared_total": shared_parameters(own),
        "own_rule_share": rule_of_thumb(own) / total_parameters(own),
        "own_embedding_share": embedding_parameters(own) / total_parameters(own),
        "rule_share_over_d_model": (WIDTHS, [rule_of_thumb(each) / total_parameters(each) for each in widths]),
        "embedding_share_over_d_model": (WIDTHS, [embedding_parameters(each) / total_parameters(each) for each in widths]),
        "models": [
            (name, each.vocabulary, each.d_model, each.layers, total_parameters(each), rule_of_thumb(each)) for name, each in MODELS.items()
        ],
    }


def model_parameters(sizes: Sizes) -> Numbers:
    """All of one model, and part by part."""
    total, layers = total_parameters(sizes), sizes.layers
    embeddings, top = embedding_parameters(sizes), top_parameters(sizes)
    attention, feed_forward = layers * attention_parameters(sizes), layers * feed_forward_parameters(sizes)
    matrices = layers * (4 * sizes.d_model**2 + (3 if sizes.family == "llama" else 2) * sizes.d_model * sizes.width)
    return {
        "rule_of_thumb_parameters": rule_of_thumb(sizes),
        "total_parameters": total,
        "counted_parameters": counted(sizes),
        "embedding_parameters": embeddings,
        "layer_parameters": layer_parameters(sizes),
        "attention_parameters": attention,
        "ffn_parameters": feed_forward,
        "bias_and_norm_parameters": layers * layer_parameters(sizes) - matrices,
        "top_parameters": top,
        "embedding_share": embeddings / total,
        "untied_parameters": total + (sizes.vocabulary * sizes.d_model if sizes.tied else 0),
        "training_exaflop": training_flops(total, TOKENS_A_PARAMETER * total) / 1e18,
        "gibibytes_16_bit": 2 * total / 2**30,
        "parts": [(each,) for each in (embeddings, attention, feed_forward, 2 * layers * norm_parameters(sizes), top, total)],
        "model_layers": layers,
    }


def own_model(family: Family, d_model: int, layers: int, vocabulary: int) -> Sizes:
    """A model of the family's shape: BERT's and GPT-2's width 4·D and learned positions, LLaMA's 8/3·D and none."""
    if family == "llama":
        return Sizes(family, vocabulary, 0, d_model, layers, swiglu_width(d_model), tied=False)
    if family == "gpt":
        return Sizes(family, vocabulary, 1024, d_model, layers, 4 * d_model)
    return Sizes(family, vocabulary, 512, d_model, layers, 4 * d_model, segments=2, pooler=True)


class Layer(nn.Module):
    """A layer's parts, to be counted: BERT and GPT-2 have biases and LayerNorms, LLaMA has neither."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        if sizes.family == "llama":
            self.attention: nn.Module = nn.ModuleList(nn.Linear(sizes.d_model, sizes.d_model, bias=False) for _ in range(4))
            self.feed_forward: nn.Module = SwiGLU(sizes.d_model, sizes.width)
            self.norms = nn.ModuleList(RMSNorm(sizes.d_model) for _ in range(2))
        else:
            self.attention = MultiHeadAttention(sizes.d_model, heads=1)
            self.feed_forward = FeedForward(sizes.d_model, sizes.width)
            self.norms = nn.ModuleList(LayerNorm(sizes.d_model) for _ in range(2))


class Ends(nn.Module):
    """What is below and above the layers, to be counted."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        d_model = sizes.d_model
        rows = (sizes.vocabulary, sizes.positions, sizes.segments)
        self.tables = nn.ModuleList(LookUp(count, d_model) for count in rows if count)
        # BERT's norm comes after the embeddings, the others' after the last layer.
        self.norm = RMSNorm(d_model) if sizes.family == "llama" else LayerNorm(d_model)
        self.pooler = nn.Linear(d_model, d_model) if sizes.pooler else None
        self.output = None if sizes.tied else nn.Linear(d_model, sizes.vocabulary, bias=False)


@cache
def counted(sizes: Sizes) -> int:
    """Parameters of the modules, all layers alike; the meta device allocates nothing."""
    return sizes.layers * count_parameters(build_on_meta(partial(Layer, sizes))) + count_parameters(build_on_meta(partial(Ends, sizes)))


D_MODEL = Label("your model: d_model", "自定义模型：d_model")
PARAMETERS, RULE = Label("parameters", "参数量"), Label("12·L·D²", "12·L·D²")

MEASURES = (
    wrong("rule_of_thumb_parameters", "parameters, by 12·L·D²", "参数量，按 12·L·D²"),
    right("total_parameters", "parameters, by formula", "参数量，按公式计算"),
    right("counted_parameters", "parameters, counted on modules", "参数量，按模块清点"),
    measured("embedding_parameters", "parameters of the embeddings", "嵌入的参数量"),
    measured("layer_parameters", "parameters of one layer", "一层的参数量"),
    measured("attention_parameters", "parameters of the attention, all layers", "注意力的参数量，全部层"),
    measured("ffn_parameters", "parameters of the feed-forward, all layers", "前馈网络的参数量，全部层"),
    measured("bias_and_norm_parameters", "parameters of biases and norms, all layers", "偏置与归一化的参数量，全部层"),
    measured("top_parameters", "parameters of pooler, last norm, output matrix", "池化层、末尾归一化与输出矩阵的参数量"),
    measured("embedding_share", "share of the embeddings in the parameters", "嵌入占参数量的比例", within=SHARE),
    wrong("untied_parameters", "parameters, with an output matrix of its own", "参数量，输出矩阵另设"),
    measured("training_exaflop", "training, 6·N·D at 20 tokens a parameter", "训练运算量 6·N·D，每参数 20 个词元", "EFLOP"),
    measured("gibibytes_16_bit", "memory in 16 bits", "16 位精度占用的内存", "GiB"),
    measured("own_total", "your model: parameters", "自定义模型：参数量"),
    measured("own_word_table", "your model: word table, V·D", "自定义模型：词表嵌入 V·D"),
    measured("own_factorised_table", "your model: word table through E = 128, as in ALBERT", "自定义模型：词表嵌入经过 E = 128（ALBERT）"),
    measured("own_shared_total", "your model: parameters, one layer shared by all", "自定义模型：所有层共享一套的参数量"),
    measured("own_rule_share", "your model: 12·L·D² / its parameters", "自定义模型：12·L·D² ÷ 参数量", within=SHARE),
    measured("own_embedding_share", "your model: embeddings / its parameters", "自定义模型：嵌入 ÷ 参数量", within=SHARE),
    Curve("rule_share_over_d_model", Label("12·L·D² / parameters", "12·L·D² / 参数量"), D_MODEL, "share", log_x=True, arm="wrong"),
    Curve("embedding_share_over_d_model", Label("embeddings / parameters", "嵌入 / 参数量"), D_MODEL, "share", log_x=True),
    Rows(
        "parts",
        Label("parameters of {model}", "{model} 的参数"),
        (Label("part", "部分"), PARAMETERS),
        rows=(
            Label("embeddings", "嵌入"),
            Label("attention, {model_layers} layers", "注意力，{model_layers} 层"),
            Label("feed-forward, {model_layers} layers", "前馈网络，{model_layers} 层"),
            Label("norms, {model_layers} layers", "归一化，{model_layers} 层"),
            Label("on top", "顶部"),
            Label("total", "合计"),
        ),
    ),
    Rows(
        "models",
        Label("well-known models", "常见模型"),
        (Label("model", "模型"), Label("V", "V"), Label("D", "D"), Label("L", "L"), PARAMETERS, RULE),
    ),
)

EXPERIMENT = Experiment(
    title=Label("counting parameters", "参数量计算"),
    summary=Label(
        "BERT, RoBERTa, GPT-2 and LLaMA by formula and by module, and a model of your own.",
        "按公式与按模块清点 BERT、RoBERTa、GPT-2 与 LLaMA，也可自定义模型。",
    ),
    parameters=(
        choice("model", Label("model", "模型"), *((name, name, name) for name in MODELS)),
        choice(
            "family",
            Label("your model: family", "自定义模型：系列"),
            ("bert", "BERT", "BERT"),
            ("gpt", "GPT-2", "GPT-2"),
            ("llama", "LLaMA", "LLaMA"),
        ),
        Parameter("d_model", D_MODEL, 768, WIDTHS[0], WIDTHS[-1], 64),
        Parameter("layers", Label("your model: layers L", "自定义模型：层数 L"), 12, 1, 96),
        Parameter("vocabulary", Label("your model: vocabulary V", "自定义模型：词表 V"), 30_000, 1000, 200_000, 1000),
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "bars",
            ("attention_parameters", "ffn_parameters", "embedding_parameters", "bias_and_norm_parameters", "top_parameters"),
            mark="rule_of_thumb_parameters",
        ),
        Figure("bars", ("rule_of_thumb_parameters", "total_parameters", "untied_parameters")),
        Figure("curve", ("rule_share_over_d_model", "embedding_share_over_d_model"), over="d_model", mark="own_rule_share"),
        Figure("bars", ("own_total", "own_shared_total")),
        Figure("bars", ("own_word_table", "own_factorised_table")),
        Figure("table", ("parts",)),
        Figure("table", ("models",)),
    ),
    arms=("rule_of_thumb_parameters", "total_parameters"),
    run=run,
)
