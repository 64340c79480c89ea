"""In cross-attention the decoder asks and the encoder answers: T×S weights, and the order of the encoder's tokens changes nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import LATER, Grid, Range, Rows, Walk, measured, note, right, wrong
from engine.parameter import SEED, Parameter, choice
from engine.preset import Preset
from engine.textbook.attention import causal_mask, scaled_dot_product_attention
from engine.textbook.differences import largest
from engine.textbook.permutation_symmetry import ORDERS
from engine.textbook.projections import Projections, cross_attention, random_projections, scores, self_attention

MOST = 6
WIDTH, ENCODER_WIDTH = 4, 6  # different on purpose: W_Q fits the decoder's tokens only, W_K and W_V the encoder's only


def run(*, decoder_tokens: int, encoder_tokens: int, order: str, seed: int) -> Numbers:
    decoder, y, x, y2, x2 = draw(decoder_tokens, encoder_tokens, seed)
    indices = ORDERS[order](encoder_tokens)
    before, other_y, other_x = decoder.read(y, x), decoder.read(y2, x), decoder.read(y, x2)
    by_decoder, by_encoder = ({part: largest(after[part] - before[part]) for part in before} for after in (other_y, other_x))
    return {
        "self_encoder_effect": by_encoder["self-attention"],
        "cross_encoder_effect": by_encoder["cross-attention"],
        **reordered(y, x, decoder.across, indices),
        **stages(y, x, decoder, indices),
        "output_rows": float(len(before["cross-attention"])),
        "who_reads_whom": [(by_decoder[part], by_encoder[part]) for part in before],
    }


@dataclass(frozen=True)
class Decoder:
    """The two attentions of a decoder layer."""

    among_itself: Projections
    across: Projections

    def read(self, y: Tensor, x: Tensor) -> dict[str, Tensor]:
        """Everything that a decoder layer computes from its own tokens y (T, 4) and the encoder's output x (S, 6)."""
        return {
            "Q = Y W_Q": y @ self.across.W_Q,
            "K = X W_K": x @ self.across.W_K,
            "V = X W_V": x @ self.across.W_V,
            "self-attention": self_attention(y, self.among_itself, causal_mask(len(y), len(y)))[0],
            "cross-attention": cross_attention(y, x, self.across)[0],
        }


def draw(decoder_tokens: int, encoder_tokens: int, seed: int) -> tuple[Decoder, Tensor, Tensor, Tensor, Tensor]:
    """The layer, y (T, 4) and x (S, 6), and both again with another last token."""
    generator = torch.Generator().manual_seed(seed)
    drawn_y, drawn_x = (torch.randn(MOST + 1, width, generator=generator, dtype=torch.float64) for width in (WIDTH, ENCODER_WIDTH))
    y, x = drawn_y[:decoder_tokens], drawn_x[:encoder_tokens]
    y2, x2 = torch.cat((y[:-1], drawn_y[MOST:])), torch.cat((x[:-1], drawn_x[MOST:]))
    decoder = Decoder(random_projections(generator, WIDTH, WIDTH), random_projections(generator, WIDTH, WIDTH, ENCODER_WIDTH))
    return decoder, y, x, y2, x2


def reordered(y: Tensor, x: Tensor, p: Projections, indices: Tensor) -> Numbers:
    """Keys and values in another order, and the keys alone."""
    Q, K, V = y @ p.W_Q, x @ p.W_K, x @ p.W_V
    output, weights = scaled_dot_product_attention(Q, K, V)
    output2, weights2 = scaled_dot_product_attention(Q, K[indices], V[indices])
    keys_only = scaled_dot_product_attention(Q, K[indices], V)[0]
    return {
        "reordered_change": largest(output2 - output),
        "reordered_column_change": largest(weights2 - weights[:, indices]),
        "keys_only_change": largest(keys_only - output),
    }


def stages(y: Tensor, x: Tensor, decoder: Decoder, indices: Tensor) -> Numbers:
    p = decoder.across
    output, weights = cross_attention(y, x, p)
    return {
        "weight_rows": float(weights.shape[0]),
        "weight_columns": float(weights.shape[1]),
        "weights": weights,
        "self_weights": self_attention(y, decoder.among_itself, causal_mask(len(y), len(y)))[1],
        "reordered_weights": cross_attention(y, x[indices], p)[1],
        "reordered_tokens": [f"e{index + 1}" for index in indices.tolist()],
        "Q": y @ p.W_Q,
        "K_T": (x @ p.W_K).T,
        "V": x @ p.W_V,
        "scores": scores(y, x, p),
        "output": output,
    }


COUNT: Range = (1, MOST)
SOFTMAX, SCORES = r"P = \mathrm{softmax}(S)", r"S = \frac{Q K^\top}{\sqrt{d}}"

MEASURES = (
    wrong("self_encoder_effect", "encoder token replaced: largest change, self-attention", "换一个编码器词元：最大变化，解码器自注意力"),
    right("cross_encoder_effect", "encoder token replaced: largest change, cross-attention", "换一个编码器词元：最大变化，交叉注意力"),
    right("reordered_change", "encoder reordered: largest change of the outputs", "编码器换序：输出的最大变化"),
    measured(
        "reordered_column_change", "encoder reordered: largest change of weights put back in order", "编码器换序：权重的列复原后的最大变化"
    ),
    wrong("keys_only_change", "only the keys reordered: largest change of the outputs", "只给键换序：输出的最大变化"),
    measured("weight_rows", "rows of weights = decoder tokens", "权重的行数 = 解码器词元数", within=COUNT),
    measured("weight_columns", "columns of weights = encoder tokens", "权重的列数 = 编码器词元数", within=COUNT),
    measured("output_rows", "outputs = decoder tokens", "输出个数 = 解码器词元数", within=COUNT),
    Grid(
        "weights",
        Label("cross-attention weights", "交叉注意力权重"),
        "d{1}",
        "e{1}",
        SOFTMAX,
        "weights",
        arm="right",
        made_of=("softmax", "scores"),
    ),
    Grid(
        "self_weights",
        Label("decoder self-attention weights", "解码器自注意力权重"),
        "d{1}",
        "d{1}",
        SOFTMAX,
        "weights",
        arm="wrong",
        forbidden=LATER,
    ),
    Grid("reordered_weights", Label("weights, encoder reordered", "权重，编码器换序"), "d{1}", "{reordered_tokens}", SOFTMAX, "weights"),
    Grid("Q", Label("queries of the decoder", "解码器的查询"), "d{1}", "{1}", "Q = Y W_Q"),
    Grid("K_T", Label("keys of the encoder, transposed", "编码器的键，转置"), "{1}", "e{1}", r"K^\top = (X W_K)^\top"),
    Grid("V", Label("values of the encoder", "编码器的值"), "e{1}", "{1}", "V = X W_V"),
    Grid("scores", Label("scores", "分数"), "d{1}", "e{1}", SCORES, product_of=("Q", "K_T"), factor=1 / math.sqrt(WIDTH)),
    Grid("output", Label("outputs", "输出"), "d{1}", "{1}", "O = P V", product_of=("weights", "V")),
    Rows(
        "who_reads_whom",
        Label("which part sees which input", "哪一部分看到哪个输入"),
        (
            Label("moves by", "变化"),
            Label("another decoder token", "换一个解码器词元"),
            Label("another encoder token", "换一个编码器词元"),
        ),
        rows=(
            "Q = Y W_Q",
            "K = X W_K",
            "V = X W_V",
            Label("self-attention", "自注意力"),
            Label("cross-attention", "交叉注意力"),
        ),
    ),
    Walk(Label("the decoder asks", "解码器提问"), "Q = Y W_Q", ("decoder_tokens", WIDTH), "Q"),
    Walk(Label("the encoder's output can be found by its keys", "编码器输出凭键被找到"), "K = X W_K", ("encoder_tokens", WIDTH), "K_T"),
    Walk(Label("the encoder passes on its values", "编码器传递它的值"), "V = X W_V", ("encoder_tokens", WIDTH), "V"),
    Walk(
        Label("every decoder token with every encoder token", "每个解码器词元对每个编码器词元"),
        SCORES,
        ("decoder_tokens", "encoder_tokens"),
        "scores",
    ),
    Walk(
        Label("a row for every decoder token, no causal mask", "每个解码器词元一行，不加因果掩码"),
        SOFTMAX,
        ("decoder_tokens", "encoder_tokens"),
        "weights",
    ),
    Walk(Label("as many outputs as decoder tokens", "输出个数等于解码器词元数"), "O = P V", ("decoder_tokens", WIDTH), "output"),
    note(
        "single",
        "encoder_tokens == 1",
        "A single encoder token gets the weight 1 from everyone: there is no order.",
        "只有一个编码器词元时，它总是得到权重 1，谈不上顺序。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("cross-attention", "交叉注意力"),
    summary=Label(
        "A decoder reads an encoder: who asks, who answers, and what order means here.",
        "解码器读编码器：谁提问，谁回答，顺序还有没有意义。",
    ),
    keywords=("encoder-decoder", "seq2seq", "translation", "memory", "编码器-解码器", "序列到序列", "翻译"),
    parameters=(
        Parameter("decoder_tokens", Label("decoder tokens T", "解码器词元数 T"), 3, 1, MOST),
        Parameter("encoder_tokens", Label("encoder tokens S", "编码器词元数 S"), 5, 1, MOST),
        choice(
            "order",
            Label("encoder tokens reordered", "编码器词元换序"),
            ("reverse", "reversed", "倒序"),
            ("rotate", "first to the end", "首个移到末尾"),
            ("swap", "first two swapped", "前两个互换"),
        ),
        SEED,
    ),
    presets=(
        Preset(
            Label("one encoder token", "一个编码器词元"),
            {"encoder_tokens": 1},
            Label("With one key there is no choice: every weight is 1, whatever is asked.", "只有一个键就没得选：问什么，权重都是 1。"),
            "weight_columns == 1 and keys_only_change < 1e-9",
        ),
        Preset(
            Label("one decoder token", "一个解码器词元"),
            {"decoder_tokens": 1},
            Label("The shape of a step while decoding: one row, all columns.", "解码时一步的形状：一行，全部列。"),
            "weight_rows == 1 and weight_columns == 5",
        ),
        Preset(
            Label("6 from 2", "6 读 2"),
            {"decoder_tokens": 6, "encoder_tokens": 2},
            Label("Six read two: the weights are 6 × 2, and there are six outputs.", "六个读两个：权重是 6 × 2，输出有六个。"),
            "weight_rows == 6 and output_rows == 6 and weight_columns == 2",
        ),
    ),
    run=run,
    measures=MEASURES,
    figures=(
        Figure(
            "heatmap",
            ("weights", "self_weights"),
            caption=Label(
                "A row for each decoder token, a column for each encoder token, no causal mask: the source is read from end to end.",
                "每个解码器词元一行，每个编码器词元一列，没有因果掩码：源句从头到尾都可以看。",
            ),
        ),
        Figure("steps", ("Q", "K_T", "V", "scores", "weights", "output")),
        Figure("bars", ("self_encoder_effect", "cross_encoder_effect")),
        Figure("bars", ("keys_only_change", "reordered_change")),
        Figure("table", ("who_reads_whom",)),
        Figure("heatmap", ("weights", "reordered_weights")),
    ),
    arms=("self_encoder_effect", "cross_encoder_effect"),
)
