"""In cross-attention the decoder asks and the encoder answers: T×S weights, and the order of the encoder's tokens changes nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, names, number
from engine.result import Matrix, Quantity, Result, Step, Table
from engine.shorthand import SEED, choice, measured, right, wrong
from engine.textbook.attention import causal_mask, scaled_dot_product_attention
from engine.textbook.permutation_symmetry import ORDERS
from engine.textbook.projections import Projections, cross_attention, random_projections, scores, self_attention

MOST = 6
WIDTH, ENCODER_WIDTH = 4, 6  # different on purpose: W_Q fits the decoder's tokens only, W_K and W_V the encoder's only

PARTS = {"self-attention": Label("self-attention", "自注意力"), "cross-attention": Label("cross-attention", "交叉注意力")}


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


def run(*, decoder_tokens: int, encoder_tokens: int, order: str, seed: int) -> Result:
    decoder, y, x, y2, x2 = draw(decoder_tokens, encoder_tokens, seed)
    indices = ORDERS[order](encoder_tokens)
    before, other_y, other_x = decoder.read(y, x), decoder.read(y2, x), decoder.read(y, x2)
    by_decoder, by_encoder = ({name: change(before[name], after[name]) for name in before} for after in (other_y, other_x))
    self_change, cross_change = by_encoder["self-attention"], by_encoder["cross-attention"]
    return Result(
        quantities=(
            wrong(
                "self_encoder_effect",
                self_change,
                "another encoder token moves decoder self-attention by",
                "换一个编码器词元，解码器自注意力变化",
            ),
            right(
                "cross_encoder_effect", cross_change, "another encoder token moves cross-attention by", "换一个编码器词元，交叉注意力变化"
            ),
            *_reordered(y, x, decoder.across, indices),
            *_shapes(before, cross_attention(y, x, decoder.across)[1]),
        ),
        matrices=_matrices(y, x, decoder, indices),
        tables=(_who_reads_whom(by_decoder, by_encoder),),
        steps=_steps(decoder_tokens, encoder_tokens),
        notes=(SINGLE,) if encoder_tokens == 1 else (),
    )


SINGLE = Label(
    "A single encoder token gets the weight 1 from everyone: there is no order.", "只有一个编码器词元时，它总是得到权重 1，谈不上顺序。"
)


def change(before: Tensor, after: Tensor) -> float:
    return number((after - before).abs().max())


def _reordered(y: Tensor, x: Tensor, p: Projections, indices: Tensor) -> tuple[Quantity, ...]:
    Q, K, V = y @ p.W_Q, x @ p.W_K, x @ p.W_V
    output, weights = scaled_dot_product_attention(Q, K, V)
    output2, weights2 = scaled_dot_product_attention(Q, K[indices], V[indices])
    keys_only = scaled_dot_product_attention(Q, K[indices], V)[0]
    columns = change(weights[:, indices], weights2)
    return (
        right("reordered_change", change(output, output2), "encoder reordered: outputs move by", "编码器换序：输出变化"),
        measured("reordered_column_change", columns, "... columns of weights, reordered alike, move by", "……权重的列同样换序后变化"),
        wrong("keys_only_change", change(output, keys_only), "only the keys reordered: outputs move by", "只给键换序：输出变化"),
    )


def _shapes(before: dict[str, Tensor], weights: Tensor) -> tuple[Quantity, ...]:
    return (
        measured("weight_rows", float(weights.shape[0]), "rows of weights = decoder tokens", "权重的行数 = 解码器词元数"),
        measured("weight_columns", float(weights.shape[1]), "columns of weights = encoder tokens", "权重的列数 = 编码器词元数"),
        measured("output_rows", float(len(before["cross-attention"])), "outputs = decoder tokens", "输出个数 = 解码器词元数"),
    )


def _who_reads_whom(by_decoder: dict[str, float], by_encoder: dict[str, float]) -> Table:
    heads = (
        Label("moves by", "变化"),
        Label("another decoder token", "换一个解码器词元"),
        Label("another encoder token", "换一个编码器词元"),
    )
    rows = tuple((PARTS.get(name, name), by_decoder[name], by_encoder[name]) for name in by_decoder)
    return Table("who_reads_whom", Label("which part sees which input", "哪一部分看到哪个输入"), heads, rows)


def _matrices(y: Tensor, x: Tensor, decoder: Decoder, indices: Tensor) -> tuple[Matrix, ...]:
    p = decoder.across
    output, weights = cross_attention(y, x, p)
    _, reordered = cross_attention(y, x[indices], p)
    own = self_attention(y, decoder.among_itself, causal_mask(len(y), len(y)))[1]
    d, e = names("d", len(y)), names("e", len(x))
    shuffled = tuple(e[index] for index in indices.tolist())
    numbers, scale = names("", WIDTH), 1 / math.sqrt(WIDTH)
    softmax = r"P = \mathrm{softmax}(S)"
    return (
        Matrix("weights", grid(weights), Label("cross-attention weights", "交叉注意力权重"), d, e, softmax, "weights", arm="right"),
        Matrix(
            "self_weights", grid(own), Label("decoder self-attention weights", "解码器自注意力权重"), d, d, softmax, "weights", arm="wrong"
        ),
        Matrix(
            "reordered_weights", grid(reordered), Label("weights, encoder reordered", "权重，编码器换序"), d, shuffled, softmax, "weights"
        ),
        Matrix("Q", grid(y @ p.W_Q), Label("queries of the decoder", "解码器的查询"), d, numbers, "Q = Y W_Q"),
        Matrix(
            "K_T", grid((x @ p.W_K).T), Label("keys of the encoder, transposed", "编码器的键，转置"), numbers, e, r"K^\top = (X W_K)^\top"
        ),
        Matrix("V", grid(x @ p.W_V), Label("values of the encoder", "编码器的值"), e, numbers, "V = X W_V"),
        Matrix(
            "scores", grid(scores(y, x, p)), Label("scores", "分数"), d, e, r"S = \frac{Q K^\top}{\sqrt{d}}", "signed", ("Q", "K_T"), scale
        ),
        Matrix("output", grid(output), Label("outputs", "输出"), d, numbers, "O = P V", "signed", ("weights", "V")),
    )


def _steps(T: int, S: int) -> tuple[Step, ...]:
    return (
        Step(Label("the decoder asks", "解码器提问"), "Q = Y W_Q", (T, WIDTH), "Q"),
        Step(Label("the encoder's output can be found by its keys", "编码器输出凭键被找到"), "K = X W_K", (S, WIDTH), "K_T"),
        Step(Label("and passes on its values", "并传递它的值"), "V = X W_V", (S, WIDTH), "V"),
        Step(
            Label("every decoder token with every encoder token", "每个解码器词元对每个编码器词元"),
            r"S = \frac{Q K^\top}{\sqrt{d}}",
            (T, S),
            "scores",
        ),
        Step(
            Label("a row for every decoder token, no causal mask", "每个解码器词元一行，不加因果掩码"),
            r"P = \mathrm{softmax}(S)",
            (T, S),
            "weights",
        ),
        Step(Label("as many outputs as decoder tokens", "输出个数等于解码器词元数"), "O = P V", (T, WIDTH), "output"),
    )


def cost(*, decoder_tokens: int, encoder_tokens: int, order: str, seed: int) -> Cost:
    T, S = max(decoder_tokens, MOST), max(encoder_tokens, MOST)
    return Cost(
        bytes=8 * 30 * (T + S) * ENCODER_WIDTH + 8 * 10 * (T + S) ** 2, flops=2 * 12 * (T + S) * ENCODER_WIDTH * (ENCODER_WIDTH + T + S)
    )


EXPERIMENT = Experiment(
    title=Label("cross-attention", "交叉注意力"),
    summary=Label(
        "A decoder reads an encoder: who asks, who answers, and what order means here.",
        "解码器读编码器：谁提问，谁回答，顺序还有没有意义。",
    ),
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
    run=run,
    cost=cost,
    shows=(cross_attention, self_attention, Decoder),
    arms=("self_encoder_effect", "cross_encoder_effect"),
)
