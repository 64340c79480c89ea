"""Searching as one types, in both languages."""

from __future__ import annotations

import pytest

from quiz.card.text_search import folded, matches, search, tokens

TEXTS = [
    folded(["causal-mask masks", "Why does a decoder need a causal mask? 为什么需要因果掩码？", "It forbids the future. 不许看未来。"]),
    folded(["saturation softmax", "Why divide by $\\sqrt{d_k}$? 缩放的点积为什么要除以 √d_k？", "Softmax saturates. softmax 饱和。"]),
    folded(["ids", "What does **BERT** read? BERT 读什么？", "[CLS], [SEP] and a mask. 掩码"]),
]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", [0, 1, 2]),
        ("   ", [0, 1, 2]),
        ("causal", [0]),
        ("CAUSAL Mask", [0]),
        ("ｃａｕｓａｌ　ｍａｓｋ", [0]),
        ("mask", [0, 2]),  # in the name before in the answer
        ("因果掩码", [0]),
        ("掩码", [0, 2]),
        ("缩放点积", [1]),  # 缩放 and 点积, which stand apart
        ("缩放掩码", []),
        ("softmax饱和", [1]),
        ("√d_k", [1]),
        ("sqrt d_k", [1]),
        ("d_k 1/x", []),
        ("bert read", [2]),
        ("[CLS]", [2]),
        ("causal 饱和", []),
    ],
)
def test_every_word_has_to_be_found(query: str, found: list[int]) -> None:
    """Case, full width and marks of LaTeX do not matter; Chinese needs no spaces; what has a word in its name comes first."""
    assert found == search(TEXTS, query)


def test_a_word_that_begins_comes_before_one_within_another() -> None:
    """rope is RoPE before it is a property; what is first in a text does not matter."""
    assert [1, 2, 0] == search([folded(["a property"]), folded(["property of RoPE"]), folded(["位置rope"])], "rope")


def test_letters_and_chinese_part_without_a_space() -> None:
    """A word is what stands between spaces, and a run of Chinese."""
    assert ("softmax", "饱和", "k²".replace("²", "2")) == tokens("Softmax饱和 K² softmax")


@pytest.mark.parametrize(
    ("text", "query", "ranges"),
    [
        ("Softmax and soft masks", "SOFT", [(0, 4), (12, 16)]),
        ("ＳｏｆｔＭａｘ 饱和", "max饱和", [(4, 7), (8, 10)]),
        ("ﬁne", "i", [(0, 1)]),  # one character that is compared as two
        ("aaa", "aa a", [(0, 3)]),
        ("nothing", "", []),
    ],
)
def test_what_was_found_is_marked(text: str, query: str, ranges: list[tuple[int, int]]) -> None:
    """Ranges are of the text as it is written."""
    assert ranges == matches(text, query)
