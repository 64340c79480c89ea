"""Heads cost no parameters, but they are cut and joined with a transpose: without it the shapes fit, and tokens are lost or leak."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.experiments._multi_head_checks import BERT, MERGES, SPLITS, averages, head_statistics, sizes, split_and_merge
from engine.figures import Figure
from engine.label import Label
from engine.measures import LATER, SHARE, Grid, Measure, Walk, measured, note, right, wrong
from engine.parameter import SEED, Divides, Parameter, choice
from engine.preset import Preset
from engine.textbook.attention import (
    Split,
    causal_mask,
    split_heads,
    split_heads_by_view,
)
from engine.textbook.multi_head_variants import (
    random_layer,
    random_probe,
    rewired,
)

MOST_HEADS, MOST_TOKENS = 8, 6


def run(*, heads: int, d_model: int, tokens: int, silenced: int, split: str, merge: str, causal: str, seed: int) -> Numbers:
    layer = random_layer(d_model, heads, seed)
    chosen = rewired(layer, SPLITS[split], MERGES[merge])
    probe = random_probe(tokens, d_model, seed, causal_mask(tokens, tokens) if causal == "yes" else None)
    return {
        **split_and_merge(layer, chosen, probe),
        **sizes(d_model, heads),
        **head_statistics(layer, probe, min(silenced, heads)),
        **averages(heads, d_model, tokens, min(silenced, heads), split, merge, causal, seed),
        "head_{1}": probe.weights(chosen)[0],  # as the chosen split makes them
        "scores_{1}": probe.scores(chosen)[0],
        "read_right": readers(split_heads, heads, tokens, d_model),
        "read_by_view": readers(split_heads_by_view, heads, tokens, d_model),
        "split_arm": "right" if split == "right" else "wrong",
        f"split_by_{split}": True,
        f"merge_by_{merge}": True,
        "d_head": d_model // heads,
    }


def readers(split: Split, heads: int, tokens: int, d_model: int) -> Tensor:
    """Which head, counted from 1, reads each number of each token, (T, D): the numbers' places, split as a tensor would be."""
    places = split(torch.arange(tokens * d_model).view(1, tokens, d_model), heads)[0]  # (h, T, d)
    read = torch.empty(tokens * d_model, dtype=torch.float64)
    for head, piece in enumerate(places):
        read[piece.flatten()] = head + 1
    return read.view(tokens, d_model)


WHOLE = (1, "tokens", "d_model")  # (B, T, D)
PIECES = (1, "tokens", "heads", "d_head")  # (B, T, h, d)
APART = (1, "heads", "tokens", "d_head")  # (B, h, T, d)

MEASURES: tuple[Measure, ...] = (
    right("right_error", "largest error against a loop over heads, right", "与逐头循环的最大误差，正确写法"),
    wrong("wrong_split_error", "largest error, split and merge by view only", "最大误差，拆与合都只用 view"),
    wrong("wrong_merge_error", "largest error, merge by transpose(-1, -2)", "最大误差，用 transpose(-1, -2) 合并"),
    measured("chosen_error", "largest error, your choice", "最大误差，所选写法"),
    right("leak_right", "last token changes: largest move of the others, right", "改末词元：其余输出的最大变化，正确写法"),
    wrong("leak_wrong_split", "last token changes: largest move of the others, view only", "改末词元：其余输出的最大变化，只用 view"),
    wrong("leak_mixed", "last token changes: largest move, view split, right merge", "改末词元：最大变化，view 拆头、正确合并"),
    wrong("leak_wrong_merge", "last token changes: largest move, merge by transpose", "改末词元：最大变化，用 transpose 合并"),
    measured("chosen_leak", "last token changes: largest move of the others, your choice", "改末词元：其余输出的最大变化，所选写法"),
    right("reach_right", "token 1 changed: largest move of the last output, right", "改首词元：最后输出的最大变化，正确写法"),
    wrong("reach_wrong_split", "token 1 changed: largest move of the last output, view only", "改首词元：最后输出的最大变化，只用 view"),
    measured("chosen_reach", "token 1 changed: largest move of the last output, yours", "改首词元：最后输出的最大变化，所选写法"),
    measured("parameters", "parameters at d_model = {d_model}", "d_model = {d_model} 的参数量"),
    right("parameters_bert", "parameters at d_model = 768", "d_model = 768 的参数量"),
    measured("score_mebibytes", "scores of 512 tokens, all heads, float32", "512 个词元的分数，所有头，float32", "MiB", (1, MOST_HEADS)),
    measured("silenced_change", "one head ablated: largest change of the output", "消融一个头：输出的最大变化"),
    measured("silenced_share", "one head ablated: norm of the change / norm of the output", "消融一个头：变化的范数 ÷ 输出的范数"),
    measured("head_similarity", "mean cosine of two heads' weights, over all pairs", "两个头权重的余弦，对所有配对平均", within=SHARE),
    measured("score_rank", "largest rank of a head's scores", "各头分数矩阵的最大秩", within=(1, MOST_TOKENS)),
    wrong("parameters_bert_full_size_heads", "parameters if every head were 768 wide", "若每个头都宽 768 的参数量"),
    measured("mean_chosen_error", "largest error, your choice, mean of 64 layers", "最大误差，所选写法，64 层的平均"),
    measured("mean_chosen_leak", "last token changes: largest move, yours, mean of 64 layers", "改末词元：最大变化，所选写法，64 层的平均"),
    wrong("mean_wrong_merge_error", "largest error, merge by transpose, mean of 64 layers", "最大误差，用 transpose 合并，64 层的平均"),
    wrong(
        "mean_wrong_merge_leak",
        "last token changes: largest move, transpose, mean of 64 layers",
        "改末词元：最大变化，用 transpose，64 层的平均",
    ),
    right(
        "mean_reach_right", "token 1 changed: last output's largest move, mean of 64 layers", "改首词元：最后输出的最大变化，64 层的平均"
    ),
    measured(
        "mean_silenced_share", "one head ablated: change / output, norms, mean of 64 layers", "消融一个头：变化 ÷ 输出的范数，64 层的平均"
    ),
    measured(
        "mean_head_similarity", "mean cosine between heads' weights, mean of 64 layers", "各头权重的平均余弦，64 层的平均", within=SHARE
    ),
    Grid(
        "head_{1}",
        Label("head {1}", "头 {1}"),
        "q{1}",
        "k{1}",
        kind="weights",
        arm="{split_arm}",
        made_of=("softmax", "scores_{1}"),
        forbidden=LATER,
    ),
    *(
        Grid(name, Label(f"which head reads each number, {en}", f"每个数由哪个头读，{zh}"), "x{1}", "{1}", kind="magnitude", arm=arm)
        for name, en, zh, arm in (
            ("read_right", "view and transpose", "view 再 transpose", "right"),
            ("read_by_view", "view only", "只用 view", "wrong"),
        )
    ),
    Grid("scores_{1}", Label("scores of head {1}", "头 {1} 的分数"), "q{1}", "k{1}", forbidden=LATER),
    Walk(Label("queries; keys and values alike", "查询；键和值同理"), "Q = X W_Q", WHOLE),
    Walk(Label("view: cut every token", "view：把每个词元切开"), shape=PIECES, when="split_by_right"),
    Walk(Label("transpose(1, 2): heads first", "transpose(1, 2)：头提前"), shape=APART, when="split_by_right"),
    Walk(Label("view only: cuts across tokens", "只用 view：切乱了词元"), shape=APART, when="split_by_view"),
    Walk(
        Label("weights, one matrix a head", "权重，每个头一个矩阵"),
        r"\mathrm{softmax}\left(\frac{Q_i K_i^\top}{\sqrt{d}}\right)",
        (1, "heads", "tokens", "tokens"),
        "head_1",
    ),
    Walk(Label("what each head reads", "每个头读到的内容"), "P_i V_i", APART),
    Walk(Label("transpose(1, 2): tokens first", "transpose(1, 2)：词元提前"), shape=PIECES, when="merge_by_right"),
    Walk(Label("reshape: join the pieces", "reshape：拼接各头"), shape=WHOLE, when="merge_by_right"),
    Walk(Label("view only: joins across tokens", "只用 view：拼错了词元"), shape=WHOLE, when="merge_by_view"),
    Walk(
        Label("transpose(-1, -2): swaps tokens and features", "transpose(-1, -2)：词元与特征互换"),
        shape=(1, "heads", "d_head", "tokens"),
        when="merge_by_transpose",
    ),
    Walk(Label("reshape: the shape fits, the content does not", "reshape：形状对，内容错"), shape=WHOLE, when="merge_by_transpose"),
    Walk(Label("W_O mixes the heads", "W_O 混合各头"), r"\mathrm{concat}(O_1, \ldots, O_h) W_O", WHOLE),
    note(
        "clamped",
        "silenced > heads",
        "There is no head {silenced}; head {heads} is ablated.",
        "没有第 {silenced} 个头，消融的是头 {heads}。",
    ),
    note(
        "accident",
        "heads == 1",
        "With one head there is nothing to cut: view alone is right by accident.",
        "只有一个头时无需拆分：只用 view 恰好也对。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("multi-head attention", "多头注意力"),
    summary=Label(
        "Split, attend, merge: the right way, the copied wrong ways, and what heads cost.",
        "拆头、注意、合并：正确与常见的错误写法，以及多头的代价。",
    ),
    keywords=("MHA", "heads", "split heads", "merge heads", "view and transpose", "W_O", "多头", "拆分", "合并", "输出投影"),
    parameters=(
        Parameter("heads", Label("heads h", "头数 h"), 4, 1, MOST_HEADS, 2, "log", divisor_of=BERT),
        Parameter("d_model", Label("d_model", "d_model"), 16, 8, 64, 2, "log"),
        Parameter("tokens", Label("tokens T", "词元数 T"), 6, 2, MOST_TOKENS),
        Parameter("silenced", Label("ablated head (0 = none)", "消融的头（0 = 无）"), 0, 0, MOST_HEADS),
        choice("split", Label("split", "拆头"), ("right", "view, transpose", "view + transpose"), ("view", "view only", "只用 view")),
        choice(
            "merge",
            Label("merge", "合并"),
            ("right", "transpose, view", "transpose + view"),
            ("view", "view only", "只用 view"),
            ("transpose", "transpose(-1, -2)", "transpose(-1, -2)"),
        ),
        choice("causal", Label("causal mask", "因果掩码"), ("yes", "yes", "有"), ("no", "no", "无")),
        SEED,
    ),
    rules=(Divides("heads", "d_model"),),
    measures=MEASURES,
    figures=(
        Figure(
            "heatmap",
            ("read_right", "read_by_view"),
            caption=Label(
                "Cut right, each head reads a slice of every token; cut by view alone, several heads share out the tokens instead.",
                "切对了，每个头读每个词元的一段；只用 view 切，几个头就变成了瓜分词元，各读各的。",
            ),
        ),
        Figure("heatmap", ("head_{1}",)),
        Figure("bars", ("leak_right", "leak_wrong_split", "leak_mixed", "leak_wrong_merge", "chosen_leak")),
        Figure("bars", ("reach_right", "reach_wrong_split", "chosen_reach")),
        Figure("bars", ("right_error", "wrong_split_error", "wrong_merge_error", "chosen_error")),
        Figure("bars", ("silenced_share", "mean_silenced_share")),
        Figure("steps", ("head_{1}",)),
        Figure("heatmap", ("scores_{1}",)),
    ),
    arms=("wrong_split_error", "right_error"),
    presets=(
        Preset(
            Label("split by view alone", "只用 view 切"),
            {"split": "view"},
            Label(
                "The heads read the wrong tokens, so the last token moves earlier outputs in spite of the mask.",
                "头读错了词元，于是有因果掩码也没用：改最后一个词元，前面的输出会变。",
            ),
            "split == view and chosen_leak > 0.1",
            show="leak_right",
        ),
        Preset(
            Label("one head", "一个头"),
            {"heads": 1},
            Label(
                "With one head there is nothing to cut: even the wrong split is right by accident.",
                "只有一个头就没什么可切：错误的切法也碰巧是对的。",
            ),
            "wrong_split_error < 1e-9",
        ),
        Preset(
            Label("without head 1", "去掉头 1"),
            {"silenced": 1},
            Label(
                "Without one of four heads the output moves by about half of its length, 1/√4: random heads are not redundant.",
                "四个头去掉一个，输出约变化其长度的一半，即 1/√4：随机的头并不冗余。",
            ),
            "mean_silenced_share > 0.35 and mean_silenced_share < 0.65",
            show="silenced_share",
        ),
    ),
    run=run,
)
