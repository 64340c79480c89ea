"""A model's parameters follow from a few numbers; 12·L·D² leaves out embeddings, biases, norms and what comes on top."""

from __future__ import annotations

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import SHARE, Curve, Grid, Rows, measured, note, right, wrong
from engine.parameter import Parameter, choice
from engine.preset import Preset
from engine.textbook.counted_models import counted
from engine.textbook.feed_forward import swiglu_width
from engine.textbook.model_sizes import (
    MODELS,
    Family,
    Sizes,
    active_parameters,
    all_feed_forward_parameters,
    attention_parameters,
    bias_and_norm_parameters,
    embedding_parameters,
    factorised_embedding_parameters,
    layer_parameters,
    norm_parameters,
    rule_of_thumb,
    shared_parameters,
    top_parameters,
    total_parameters,
    training_flops,
)

ALBERT = 128  # width of its word table
TOKENS_A_PARAMETER = 20  # Hoffmann et al. 2022
WIDTHS = tuple(64 * 2**power for power in range(8))  # 64 ... 8192, the x axis
COMPARED = ("bert-base", "bert-large", "gpt2", "gpt2-xl", "llama-7b", "llama-3-8b", "llama-3-70b", "qwen2.5-7b", "deepseek-v3")
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
        "part_shares": [part_shares(MODELS[name]) for name in COMPARED],
        "models": [
            (name, each.vocabulary, each.d_model, each.layers, total_parameters(each), rule_of_thumb(each)) for name, each in MODELS.items()
        ],
    }


def model_parameters(sizes: Sizes) -> Numbers:
    """All of one model, and part by part."""
    total, layers = total_parameters(sizes), sizes.layers
    embeddings, top = embedding_parameters(sizes), top_parameters(sizes)
    attention, feed_forward = layers * attention_parameters(sizes), all_feed_forward_parameters(sizes)
    return {
        "rule_of_thumb_parameters": rule_of_thumb(sizes),
        "total_parameters": total,
        "counted_parameters": counted(sizes),
        "embedding_parameters": embeddings,
        "layer_parameters": layer_parameters(sizes),
        "attention_parameters": attention,
        "ffn_parameters": feed_forward,
        "bias_and_norm_parameters": bias_and_norm_parameters(sizes),
        "active_parameters": active_parameters(sizes),
        "top_parameters": top,
        "embedding_share": embeddings / total,
        "untied_parameters": total + (sizes.vocabulary * sizes.d_model if sizes.tied else 0),
        "training_exaflop": training_flops(total, TOKENS_A_PARAMETER * total) / 1e18,
        "gibibytes_16_bit": 2 * total / 2**30,
        "parts": [(each,) for each in (embeddings, attention, feed_forward, 2 * layers * norm_parameters(sizes), top, total)],
        "model_layers": layers,
    }


def part_shares(sizes: Sizes) -> list[float]:
    """Of a model's parameters, in percent: embeddings with an output matrix of its own, attention, feed-forward, the rest."""
    total, tables = total_parameters(sizes), embedding_parameters(sizes) + (0 if sizes.tied else sizes.vocabulary * sizes.d_model)
    attention, feed_forward = sizes.layers * attention_parameters(sizes), all_feed_forward_parameters(sizes)
    return [100 * each / total for each in (tables, attention, feed_forward, total - tables - attention - feed_forward)]


def own_model(family: Family, d_model: int, layers: int, vocabulary: int) -> Sizes:
    """A model of the family's shape: BERT's and GPT-2's width 4·D and learned positions, LLaMA's 8/3·D and none."""
    if family == "llama":
        return Sizes(family, vocabulary, 0, d_model, layers, swiglu_width(d_model), tied=False)
    if family == "gpt":
        return Sizes(family, vocabulary, 1024, d_model, layers, 4 * d_model)
    return Sizes(family, vocabulary, 512, d_model, layers, 4 * d_model, segments=2, pooler=True)


D_MODEL = Label("your model: d_model", "自定义模型：d_model")
PARAMETERS, RULE = Label("parameters", "参数量"), Label("12·L·D²", "12·L·D²")

MEASURES = (
    wrong("rule_of_thumb_parameters", "parameters, by 12·L·D²", "参数量，按 12·L·D²"),
    right("total_parameters", "parameters, by formula", "参数量，按公式计算"),
    right("counted_parameters", "parameters, counted on modules", "参数量，按模块清点"),
    measured("embedding_parameters", "parameters, embeddings", "参数量，嵌入"),
    measured("layer_parameters", "parameters of one layer", "一层的参数量"),
    measured("attention_parameters", "parameters, attention of all layers", "参数量，全部注意力"),
    measured("ffn_parameters", "parameters, feed-forward of all layers", "参数量，全部前馈"),
    measured("bias_and_norm_parameters", "parameters, biases and norms", "参数量，偏置与归一化"),
    measured("top_parameters", "parameters, on top of the layers", "参数量，层之上的部分"),
    measured("active_parameters", "parameters that work for one token", "处理一个词元时用到的参数量"),
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
    Grid(
        "part_shares",
        Label(
            "share of a model's parameters, %: tables, attention, feed-forward, rest", "各部分占模型参数的百分比：词表、注意力、前馈、其余"
        ),
        COMPARED,
        ("tables", "attention", "ffn", "rest"),
        kind="magnitude",
    ),
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
    note(
        "idle_experts",
        "active_parameters < total_parameters",
        "Of {total_parameters:,} parameters {active_parameters:,} work for a token: the router chooses some of the experts.",
        "{total_parameters:,} 个参数中，每个词元只用到 {active_parameters:,} 个：路由器只选几个专家。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("counting parameters", "参数量计算"),
    summary=Label(
        "BERT, GPT-2, LLaMA, Qwen2.5 and DeepSeek-V3 by formula and by module, and a model of your own.",
        "按公式与按模块清点 BERT、GPT-2、LLaMA、Qwen2.5 与 DeepSeek-V3，也可自定义模型。",
    ),
    keywords=("model size", "12LD²", "ALBERT", "GPT-2", "LLaMA", "RoBERTa", "Qwen", "DeepSeek", "embeddings", "模型大小", "参数", "嵌入"),
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
            caption=Label(
                "12·L·D² is the line: tables, shared keys, wide SwiGLU and above all experts move a model away from it.",
                "横线是 12·L·D²：词表、共享的键、加宽的 SwiGLU，尤其是专家，都让模型偏离它。",
            ),
        ),
        Figure("heatmap", ("part_shares",)),
        Figure("bars", ("rule_of_thumb_parameters", "active_parameters", "total_parameters", "untied_parameters")),
        Figure("curve", ("rule_share_over_d_model", "embedding_share_over_d_model"), over="d_model", mark="own_rule_share"),
        Figure("bars", ("own_total", "own_shared_total")),
        Figure("bars", ("own_word_table", "own_factorised_table")),
        Figure("table", ("parts",)),
        Figure("table", ("models",)),
    ),
    arms=("rule_of_thumb_parameters", "total_parameters"),
    presets=(
        Preset(
            Label("DeepSeek-V3", "DeepSeek-V3"),
            {"model": "deepseek-v3"},
            Label(
                "671 billion parameters, nearly all of them experts; 37.6 billion work for a token.",
                "6710 亿参数，几乎全是专家；处理一个词元只用到 376 亿。",
            ),
            "total_parameters > 671000000000 and active_parameters < 37600000000",
        ),
        Preset(
            Label("LLaMA-3 8B", "LLaMA-3 8B"),
            {"model": "llama-3-8b"},
            Label(
                "Eight billion: more than LLaMA-7B by its table of 128,256 words and wider SwiGLU, less by shared keys.",
                "80 亿：比 LLaMA-7B 多在 128,256 个词的词表与更宽的 SwiGLU，少在共享的键。",
            ),
            "total_parameters == 8030261248",
        ),
        Preset(
            Label("Qwen2.5 0.5B", "Qwen2.5 0.5B"),
            {"model": "qwen2.5-0.5b"},
            Label(
                "A small model with a large vocabulary: more than a quarter of it is the word table, tied to save a second one.",
                "小模型配大词表：四分之一以上是词表，并与输出矩阵共享，省下第二张表。",
            ),
            "embedding_share > 0.27 and total_parameters < 500000000",
        ),
    ),
    run=run,
)
