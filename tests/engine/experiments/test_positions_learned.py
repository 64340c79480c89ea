"""Learned positions against torch's embedding and the tables of Hugging Face's models."""

from __future__ import annotations

import pytest
import torch

from engine.experiments.positions_learned import EXPERIMENT
from engine.textbook.absolute_positions import look_up_position
from engine.textbook.text_chunks import best_chunk, chunks, context
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def test_is_an_embedding() -> None:
    """Rows come as from torch's embedding, in the order asked for; beyond the table both refuse, and so do negative positions."""
    table = torch.randn(5, 3, generator=torch.Generator().manual_seed(1))
    positions = torch.tensor([4, 0, 0, 2])

    assert torch.equal(torch.nn.functional.embedding(positions, table), look_up_position(table, positions))
    with pytest.raises(IndexError):
        torch.nn.functional.embedding(torch.tensor([5]), table)
    with pytest.raises(IndexError, match=r"position 5 is outside the table of 5 rows \(0\.\.4\)"):
        look_up_position(table, torch.tensor([1, 5]))
    with pytest.raises(IndexError, match="position -1"):
        look_up_position(table, torch.tensor([-1]))


@pytest.mark.parametrize(("length", "missing"), [(512, 0), (513, 1), (1024, 512)])
def test_the_limit(length: int, missing: int) -> None:
    """512 tokens fit, the 513th is an IndexError that a note quotes; sinusoidal positions never end."""
    found = quantities(length=length)

    assert (missing, bool(missing)) == (found["positions_missing"], found["is_index_error"])
    assert 0 == found["sinusoid_missing"]
    assert bool(missing) == any(each.en.startswith("IndexError: ") for each in run(length=length).notes)


def test_bert_itself_refuses() -> None:
    """Hugging Face's BERT reads as many tokens as its table has rows, and not one more."""
    from transformers import BertConfig, BertModel

    small = BertConfig(
        vocab_size=9, hidden_size=8, num_hidden_layers=1, num_attention_heads=1, intermediate_size=8, max_position_embeddings=12
    )
    model = BertModel(small)

    assert 12 == model(torch.zeros(1, 12, dtype=torch.long)).last_hidden_state.shape[1]
    with pytest.raises((IndexError, RuntimeError)):
        model(torch.zeros(1, 13, dtype=torch.long))


def test_parameters() -> None:
    """BERT-base's table has 393,216 parameters, as its configuration says."""
    from transformers import BertConfig

    config = BertConfig()

    assert 393_216 == quantities()["table_parameters"] == config.max_position_embeddings * config.hidden_size


def test_rows_beyond_the_text_are_not_trained() -> None:
    """A loss over 128 tokens gives no gradient to the other 384 rows."""
    assert 384 == quantities(length=128)["rows_without_gradient"]


@pytest.mark.parametrize("seed", range(3))
def test_a_shift_changes_scores(seed: int) -> None:
    """The same tokens one row further down have other scores; at a shift of 0 they have not."""
    assert quantities(seed=seed, shift=10)["shifted_scores_change"] > 0.1
    assert 0.0 == quantities(seed=seed, shift=0)["shifted_scores_change"]


def test_an_untrained_table_knows_no_order() -> None:
    """Neighbouring rows of an untrained table have nothing in common, neighbouring sinusoids nearly everything."""
    found = quantities()

    assert 0 == pytest.approx(found["neighbour_cosine_untrained"], abs=0.05)
    assert found["neighbour_cosine_sinusoid"] > 0.9


@pytest.mark.parametrize(("length", "window", "stride"), [(10, 4, 2), (11, 4, 3), (3, 4, 2), (4, 4, 4), (1000, 512, 256)])
def test_chunks_cover_the_text(length: int, window: int, stride: int) -> None:
    """Every token is in a chunk, no chunk is longer than the window or the text, and all are as long as they can be."""
    parts = chunks(length, window, stride)

    assert set(range(length)) == {token for part in parts for token in part}
    assert {min(window, length)} == {len(part) for part in parts}
    assert len(set(parts)) == len(parts)


def test_overlap_gives_context() -> None:
    """Chunks that overlap by half leave every inner token a quarter of the window on both sides; side by side some have none."""
    found = quantities(length=1024, rows=512)

    assert (512, 0, 3) == (found["truncated_tokens"], found["uncovered_tokens"], found["chunk_count"])
    assert 127 <= found["least_context"] <= 128
    assert 0 == found["least_context_apart"]
    assert range(4, 8) == best_chunk(5, chunks(8, 4, 4))
    assert 1 == context(5, range(4, 8))


def test_the_defaults_show_the_limit() -> None:
    """A text of 1000 tokens in a table of 512: 488 have no row, and only chunks that overlap give every token some context."""
    found = quantities()

    assert (488, 488, 0) == (found["positions_missing"], found["truncated_tokens"], found["uncovered_tokens"])
    assert found["least_context"] > 10 * found["least_context_apart"]


@pytest.mark.parametrize("shift", [0, 40, 500])
def test_what_a_shift_changes(shift: int) -> None:
    """Scores with absolute positions move with the text; those of distances, of T5's buckets and of rotations do not."""
    result = run(shift=shift)
    table = next(each.rows for each in result.tables if each.name == "questions")
    learned, computed, *others = (float(str(row[1])) for row in table)

    assert (shift > 0, shift > 0) == (learned > 0.5, computed > 0.5)
    assert [0.0] * 3 == pytest.approx(others, abs=1e-9)


def test_the_curves_pass_through_the_numbers() -> None:
    """At the slider's shift the curves are the quantities; where the table ends, its curve does."""
    found, curves = quantities(shift=200), {each.name: each for each in run(shift=200).series}
    short = next(each for each in run(rows=256).series if each.name == "learned_change_over_shift")

    assert found["shifted_scores_change"] == curves["learned_change_over_shift"].y[10]
    assert found["sinusoid_shifted_scores_change"] == pytest.approx(curves["sinusoid_change_over_shift"].y[10])
    assert 240 == short.x[-1]
    assert [0.0] * 26 == pytest.approx(list(curves["rotary_change_over_shift"].y), abs=1e-9)
