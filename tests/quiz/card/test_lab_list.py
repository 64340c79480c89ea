"""The list of experiments."""

from __future__ import annotations

import pytest

from engine import Worker, names
from engine.contents import CONTENTS
from quiz.card.lab_history import LabHistory
from quiz.card.lab_list import LAST, LabRow, found_rows, index_labs, lab_rows
from quiz.words.i18n import Words

EN = Words("en")


def test_pinned_and_used_stand_above_the_groups() -> None:
    """Each also stays in its group; one that is gone from the program is not listed, one that is pinned not twice on top."""
    rows = lab_rows(["bpe", "softmax", "lora"], LabHistory(("lora", "gone"), ("softmax", "lora", "away")), EN)
    assert [
        ("", "Favourites"), ("lora", ""), ("", "Used last"), ("softmax", ""),
        ("", "Attention"), ("softmax", ""), ("", "Training"), ("lora", ""), ("", "Tokens"), ("bpe", ""),
    ] == [(row.name, row.title) for row in rows]  # fmt: skip
    assert len({row.id for row in rows}) == len(rows)


def test_a_new_learner_sees_the_groups_alone() -> None:
    """In the order of the contents, in their language."""
    rows = lab_rows(names(), LabHistory(), Words("zh"))
    assert [group.title.zh for group in CONTENTS] == [row.title for row in rows if row.title]
    assert LAST == len([row for row in lab_rows(names(), LabHistory((), names()), EN) if row.section == "used" and row.name])


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("label smoothing", "cross_entropy"),
        ("标签平滑", "cross_entropy"),
        ("L2", "pre_vs_post_norm"),
        ("权重衰减", "pre_vs_post_norm"),
        ("RMSNorm", "layer_norm"),
        ("ｒｍｓｎｏｒｍ", "layer_norm"),
        ("ALBERT", "parameter_count"),
        ("QK-norm", "softmax_saturation"),
        ("GQA", "grouped_query_attention"),
        ("因果掩码", "attention_mask"),
        ("旋转位置编码", "positions_rotary"),
        ("RoPE", "positions_rotary"),
        ("梯度消失", "residual_gradient"),
        ("nucleus", "sampling"),
        ("sqrt d_k", "softmax_saturation"),
        ("MoE", "mixture_of_experts"),
    ],
)
def test_found_by_what_people_call_it(worker: Worker, query: str, name: str) -> None:
    """Synonyms in both languages lead there, among the first three."""
    index = index_labs(worker.survey.result().found)
    assert LabRow("found", name) in found_rows(index, query)[:3]
