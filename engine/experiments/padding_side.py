"""Padded on the right, the last place is padding and generation goes on from nothing; on the left it is the prompt's last token."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import Rows, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.absolute_positions import sinusoidal
from engine.textbook.attention import MultiHeadAttention, causal_mask
from engine.textbook.multi_head_variants import random_layer
from engine.textbook.padding import attend_rotated, causal_and_padding_mask, position_ids, prefill

WIDTH, HEADS, MOST = 16, 2, 6  # numbers a token, heads, tokens or padding at most


def run(*, tokens: int, padding: int, layers: int, seed: int) -> Numbers:
    stack = [random_layer(WIDTH, HEADS, seed * 10 + layer) for layer in range(layers)]
    generator = torch.Generator().manual_seed(seed + 2000)
    words = torch.randn(MOST, WIDTH, generator=generator, dtype=torch.float64)
    pad = torch.randn(WIDTH, generator=generator, dtype=torch.float64)
    row = Row(words[:tokens], pad, padding)
    errors = next_token_errors(stack, row)
    return {
        **errors,
        "empty_rows_left": empty_rows(row.left[1]),
        "empty_rows_right": empty_rows(row.right[1]),
        "layouts": layouts(errors, tokens, padding),
    }


@dataclass(frozen=True)
class Row:
    """One prompt of the batch: its tokens (n, D) and the vector of [PAD] (D,), so many times."""

    words: Tensor
    pad: Tensor
    count: int

    @property
    def left(self) -> tuple[Tensor, Tensor]:
        """Padding first: (T, D), and which places are tokens (T,)."""
        x = torch.cat((self.pad.expand(self.count, -1), self.words))
        return x, torch.arange(len(x)) >= self.count

    @property
    def right(self) -> tuple[Tensor, Tensor]:
        x = torch.cat((self.words, self.pad.expand(self.count, -1)))
        return x, torch.arange(len(x)) < len(self.words)


def next_token_errors(stack: list[MultiHeadAttention], row: Row) -> dict[str, float]:
    """How far the vector that the next token is predicted from is off the one without padding, for every way to pad."""
    alone = torch.ones(len(row.words), dtype=torch.bool)
    exact = prefill(stack, with_positions(row.words, torch.arange(len(row.words))), causal_mask)[-1]  # (D,)
    exact_rotary = prefill(stack, row.words, causal_and_padding_mask(alone), attend_rotated)[-1]
    (right, at_right), (left, at_left) = row.right, row.left
    counted = torch.arange(len(left))
    on_right = prefill(stack, with_positions(right, counted), causal_and_padding_mask(at_right))  # (T, D)
    changes = {
        "right_last_error": on_right[-1] - exact,
        "right_gathered_error": on_right[len(row.words) - 1] - exact,
        "left_unmasked_error": prefill(stack, with_positions(left, position_ids(at_left)), causal_mask)[-1] - exact,
        "left_counted_error": prefill(stack, with_positions(left, counted), causal_and_padding_mask(at_left))[-1] - exact,
        "left_error": prefill(stack, with_positions(left, position_ids(at_left)), causal_and_padding_mask(at_left))[-1] - exact,
        "left_rotary_error": prefill(stack, left, causal_and_padding_mask(at_left), attend_rotated)[-1] - exact_rotary,
    }
    return {name: float(change.abs().max()) for name, change in changes.items()}


def with_positions(x: Tensor, places: Tensor) -> Tensor:
    """With sinusoidal positions added."""
    return x + sinusoidal(places, WIDTH)


def empty_rows(present: Tensor) -> Tensor:
    """How many places have no key that they may attend to."""
    return (~causal_and_padding_mask(present)(len(present), len(present)).any(-1)).double().sum()


def layouts(errors: dict[str, float], tokens: int, padding: int) -> list[tuple[str, str, float]]:
    """Each way's places, position numbers and error."""
    words, pads = [f"w{index + 1}" for index in range(tokens)], ["·"] * padding
    places = [str(place) for place in range(tokens + padding)]
    after, before, counted = " ".join(words + pads), " ".join(pads + words), " ".join(places)
    only_tokens = " ".join(["0"] * padding + places[:tokens])
    return [
        (after, counted, errors["right_last_error"]),
        (after, counted, errors["right_gathered_error"]),
        (before, only_tokens, errors["left_unmasked_error"]),
        (before, counted, errors["left_counted_error"]),
        (before, only_tokens, errors["left_error"]),
    ]


MEASURES = (
    wrong("right_last_error", "next token's vector: largest error, right, last place", "预测向量的最大误差，右填充，取最后一个位置"),
    right(
        "right_gathered_error",
        "next token's vector: largest error, right, last token",
        "预测向量的最大误差，右填充，取最后一个真实词元",
    ),
    wrong("left_unmasked_error", "next token's vector: largest error, left, no mask", "预测向量的最大误差，左填充，不加填充掩码"),
    wrong(
        "left_counted_error",
        "next token's vector: largest error, left, padding counted",
        "预测向量的最大误差，左填充，位置把填充也数进去",
    ),
    right("left_error", "next token's vector: largest error, left, done right", "预测向量的最大误差，左填充，掩码与位置都对"),
    measured("left_rotary_error", "next token's vector: largest error, left, RoPE, counted", "预测向量的最大误差，左填充，RoPE，填充也数"),
    measured("empty_rows_left", "rows with nothing to attend to, padded left", "没有可见键的行数，左填充", within=(0, MOST)),
    measured("empty_rows_right", "rows with nothing to attend to, padded right", "没有可见键的行数，右填充", within=(0, 0)),
    Rows(
        "layouts",
        Label("where padding goes", "填充放在哪里"),
        (
            Label("padded", "填充"),
            Label("places (· = padding)", "各位置（· = 填充）"),
            Label("positions", "位置编号"),
            Label("error", "误差"),
        ),
        rows=(
            Label("right, last place", "右，取末位"),
            Label("right, last token", "右，取末词元"),
            Label("left, no mask", "左，无掩码"),
            Label("left, padding counted", "左，填充计位"),
            Label("left", "左"),
        ),
    ),
    note("no_padding", "padding == 0", "Without padding every way is the same.", "没有填充时各种做法完全一样。"),
)

EXPERIMENT = Experiment(
    title=Label("padding on the left or on the right", "左填充与右填充"),
    summary=Label(
        "One prompt, filled up with padding in five ways; where does the next token come from?",
        "同一提示用五种方式填充：下一个词元由哪里预测？",
    ),
    keywords=("left padding", "right padding", "batch generation", "position_ids", "pad token", "填充", "批量生成", "左侧", "右侧"),
    parameters=(
        Parameter("tokens", Label("prompt tokens", "提示的词元数"), 4, 1, MOST),
        Parameter("padding", Label("padding", "填充个数"), 2, 0, MOST),
        Parameter("layers", Label("layers", "层数"), 2, 1, 4),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "bars",
            ("right_last_error", "right_gathered_error", "left_unmasked_error", "left_counted_error", "left_error", "left_rotary_error"),
            caption=Label(
                "Padded right, read the last real token; padded left, mask the padding and do not count it as positions.",
                "右填充：取最后一个真实词元；左填充：掩住填充，位置也不能把它算进去。",
            ),
        ),
        Figure("table", ("layouts",)),
    ),
    arms=("right_last_error", "left_error"),
    presets=(
        Preset(
            Label("no padding", "没有填充"),
            {"padding": 0},
            Label(
                "Without padding every way is right: a test with one prompt finds no bug.",
                "没有填充，怎么写都对：只用一条提示测试，什么错都查不出来。",
            ),
            "right_last_error < 1e-9 and left_counted_error < 1e-9",
        ),
        Preset(
            Label("six of padding", "填充六个"),
            {"padding": 6},
            Label(
                "Padded left, six rows have nothing to attend to: 0/0 in an ordinary softmax.",
                "左填充时有六行什么都看不到：普通 softmax 里就是 0/0。",
            ),
            "empty_rows_left == 6",
        ),
        Preset(
            Label("one token, one layer", "一个词元，一层"),
            {"tokens": 1, "layers": 1},
            Label(
                "One real token is enough to go wrong: the last place on the right is padding.",
                "只有一个真实词元也会出错：右填充的最后一个位置是填充。",
            ),
            "tokens == 1 and right_last_error > 0.1 and left_error < 1e-9",
        ),
    ),
    run=run,
)
