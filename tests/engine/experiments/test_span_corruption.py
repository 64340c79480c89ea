"""Span corruption, against a sentence by hand and a round trip over every setting."""

from __future__ import annotations

import pytest

from engine.catalog import load
from engine.experiments._masking_statistics import PIECES as TEXT
from engine.experiments._span_corruption import TOKENS
from engine.label import Label
from engine.textbook.span_corruption import corrupt_spans, evenly_spaced_spans, restore_spans
from tests.engine.runs import runs_of

run, quantities = runs_of(load("span_corruption"))


def table(name: str, **given: float) -> tuple[tuple[object, ...], ...]:
    return next(each.rows for each in run(**given).tables if each.name == name)


def test_two_spans_by_hand() -> None:
    """Two spans of a sentence become two sentinels; the target names both and ends with a third."""
    words = ("two", "owls", "sat", "on", "a", "wet", "roof", "and", "slept")
    seen, target = corrupt_spans(words, [(2, 2), (6, 1)])

    assert "two owls <0> a wet <1> and slept" == " ".join(seen)
    assert "<0> sat on <1> roof <2>" == " ".join(target)
    assert words == restore_spans(seen, target)


@pytest.mark.parametrize("length", [18, 512])
@pytest.mark.parametrize("share", [0.1, 0.15, 0.3, 0.5])
@pytest.mark.parametrize("span", [1, 2, 3, 5])
def test_spans_are_apart_and_can_be_put_back(length: int, share: float, span: int) -> None:
    """Spans never touch, hold the wanted share to the word, and input and target give the text again."""
    spans, words = evenly_spaced_spans(length, share, span), tuple(f"w{index}" for index in range(length))
    ends = [0, *(start + size for start, size in spans)]

    assert all(start > end for (start, _), end in zip(spans, ends, strict=False))
    assert ends[-1] < length
    sizes = [size for _, size in spans]
    assert round(length * share) == sum(sizes)
    assert max(sizes) - min(sizes) <= 1
    assert len(spans) in (1, round(sum(sizes) / span), length - sum(sizes) - 1)
    assert words == restore_spans(*corrupt_spans(words, spans))


def test_lengths_by_arithmetic() -> None:
    """k spans of c words leave T - c + k words to read and k + c + 1 to write; longer spans mean less of both."""
    found, longer = quantities(share=0.15, span=3), quantities(share=0.15, span=5)
    c = round(TOKENS * 0.15)
    k = round(c / 3)

    assert (TOKENS - c + k, k + c + 1) == (found["span_input"], found["span_target"])
    assert (found["span_input"], found["span_target"]) > (longer["span_input"], longer["span_target"])
    assert found["span_target"] < found["one_by_one_target"]
    assert 1.0 == found["restores"]


@pytest.mark.parametrize("span", [1, 2, 3, 5])
@pytest.mark.parametrize("share", [0.1, 0.15, 0.5])
def test_what_is_cut_out_is_what_is_missing(share: float, span: int) -> None:
    """Words that were cut and words that are still read make the text, beside the sentinels; a span of one is one sentinel a word."""
    found = quantities(share=share, span=span)
    sentinels = len(evenly_spaced_spans(TOKENS, share, span))

    assert TOKENS == found["corrupted_words"] + found["span_input"] - sentinels
    assert found["one_by_one_target"] == quantities(share=share, span=1)["span_target"]


def test_the_table_hides_the_same_words() -> None:
    """BERT's input has a [MASK] for every word that T5's target spells out."""
    rows = {row[0].en: str(row[1]).split() for row in table("texts", share=0.3, span=2) if isinstance(row[0], Label)}
    spelled = [word for word in rows["T5's target"] if not word.startswith("<")]

    assert spelled == [word for word, shown in zip(TEXT, rows["BERT's input"], strict=True) if shown == "[MASK]"]
    assert len(rows["BERT's input"]) == len(TEXT) > len(rows["T5's input"])


@pytest.mark.parametrize("span", range(1, 6))
@pytest.mark.parametrize("share", [0.1, 0.15, 0.2, 0.35, 0.5])
def test_the_shown_sentence_keeps_the_share(share: float, span: int) -> None:
    """Half a word more or less than the share, whatever the length of the spans."""
    assert 100 * share == pytest.approx(quantities(share=share, span=span)["shown_percent"], abs=100 / 2 / len(TEXT) + 1e-9)
