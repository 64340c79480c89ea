"""A label is read alone: in a table, beside a claim, at the end of a curve."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from rich.cells import cell_len

from engine.catalog import load, names
from engine.label import Label
from engine.measures import Curve, Grid, Rows, Scalar

every = pytest.mark.parametrize("name", names())

WIDEST = 62  # of the 76 columns that a number's row has in a terminal of 80; the rest is the number, its unit and the mark of its arm
FILLED = re.compile(r"\{[^}]*\}")

LEANS = re.compile(r"^(\.\.\.|…|the same\b|its |their |and |at that|它|这些|同上|其中)")

# A number of several has to say how many became one: the largest, the mean, the root of the mean square, a length.
SEVERAL = re.compile(r"\b(error|differences?|differs?|moves?|changes?|(?<!cross-)entropy|cosine|row sum|spread)\b")
HOW = re.compile(r"\b(largest|smallest|mean|RMS|relative|length|longest|median|std|loss)\b|norm of")
SEVERAL_ZH = re.compile(r"误差|之差|变化|偏差(?!修正)|余弦|行和")
HOW_ZH = re.compile(r"最大|最小|平均|均方根|相对|长度|最长|中位数|标准差|损失|范数|影响最大|均值")

# One number, or a count: nothing was put together.
SINGLE = {
    "attention_explanation": {"silent_directions", "decisive_weight", "rank_agreement"},
    "attention_mask": {"fully_masked_rows"},
    "attention_sink": {"learned_row_sum"},
    "bert_architecture": {"position_beyond_fails"},
    "cross_entropy": {"mse_gradient", "ce_gradient"},
    "distillation": {"target_entropy"},
    "dropout": {"row_sum_test"},
    "gradient_clipping": {"value_cosine", "norm_cosine"},
    "kl_divergence": {"identity_error"},
    "lora": {"share_in_reach"},
    "positions_rotary": {"other_layout_error", "reordered_layout_error", "shift_change", "one_sided_shift_change"},
    "pre_vs_post_norm": {"post_norm_last_move", "pre_norm_last_move"},
    "sampling": {"word_entropy"},
    "self_attention": {"value_outputs_moved", "key_outputs_moved", "query_outputs_moved", "token_outputs_moved"},
    "softmax": {"weight_entropy", "uniform_entropy"},
    "softmax_saturation": {"max_entropy"},
}


def labels(name: str) -> list[tuple[str, Label]]:
    return [(each.name, each.label) for each in load(name).measures if isinstance(each, Scalar | Curve | Grid | Rows)]


def scalars(name: str) -> list[Scalar]:
    return [each for each in load(name).measures if isinstance(each, Scalar)]


@every
def test_leans_on_no_neighbour(name: str) -> None:
    """No label goes on from the one above, in either language."""
    assert [] == [(each, text) for each, label in labels(name) for text in (label.en, label.zh) if LEANS.search(text)]


@every
def test_is_the_only_one(name: str) -> None:
    """Two numbers of an experiment never have the same label."""
    for texts in ([each.label.en for each in scalars(name)], [each.label.zh for each in scalars(name)]):
        assert [] == [text for text, count in Counter(texts).items() if count > 1]


@every
def test_fits_a_narrow_terminal(name: str) -> None:
    """A number's label leaves room for the number in 80 columns."""
    long = [(each.name, text) for each in scalars(name) for text in (each.label.en, each.label.zh) if width(text) > WIDEST]

    assert [] == long


def width(text: str) -> int:
    return cell_len(FILLED.sub("12345", text))


@every
def test_says_how_many_became_one(name: str) -> None:
    """An error, a change, a cosine of many numbers is their largest, their mean, their length; the label says which."""
    single = SINGLE.get(name, set())
    silent = [each.name for each in scalars(name) if SEVERAL.search(each.label.en) and not HOW.search(each.label.en)]
    silent_zh = [each.name for each in scalars(name) if SEVERAL_ZH.search(each.label.zh) and not HOW_ZH.search(each.label.zh)]

    assert [] == sorted({*silent, *silent_zh} - single)
