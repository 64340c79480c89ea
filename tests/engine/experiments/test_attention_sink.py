"""Attention sinks, against rows computed one by one with torch's softmax over the keys that are left."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch

from engine.experiments.attention_sink import EXPERIMENT, LENGTH, ROWS, idle_head
from engine.textbook.checkpoint import packaged_folder
from engine.textbook.sink_tokens import softmax_with_sink, window_with_sinks_mask
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def by_rows(strength: float, window: int, sinks: int) -> torch.Tensor:
    """The last outputs, each from the keys that its row keeps: (64, 8)."""
    head = idle_head(strength, 0)
    outputs = []
    for row in range(LENGTH - ROWS, LENGTH):
        kept = [key for key in range(row + 1) if key < sinks or key > row - window]
        outputs.append(torch.softmax(head.scores[row, kept], -1) @ head.values[kept])
    return torch.stack(outputs)


@pytest.mark.parametrize(("window", "sinks"), [(4, 1), (32, 4), (128, 0)])
def test_errors_are_those_of_the_kept_keys(window: int, sinks: int) -> None:
    """Both windows are off the full attention by what a softmax over their keys alone is off, relative to the full output."""
    found, full = quantities(window=window, sinks=sinks), by_rows(7.0, LENGTH, 0)
    alone, kept = by_rows(7.0, window, 0), by_rows(7.0, window, sinks)

    assert float((alone - full).norm() / full.norm()) == pytest.approx(found["window_error"])
    assert float((kept - full).norm() / full.norm()) == pytest.approx(found["sink_error"])


@pytest.mark.parametrize("seed", [0, 7, 99])
def test_a_dropped_sink_floods_the_rest(seed: int) -> None:
    """The first token takes most of the weight and says nothing; without it the outputs are several times as long, with it they are not."""
    found = quantities(seed=seed)

    assert found["sink_weight"] > 0.7
    assert found["window_error"] > 4 * found["sink_error"]
    assert found["window_length"] > 4 * found["full_length"] > 4 * found["sink_length"]


def test_mask_keeps_the_first() -> None:
    """The window's keys and the first ones, never a later key."""
    expected = [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 1, 1, 0, 0], [1, 0, 1, 1, 0], [1, 0, 0, 1, 1]]

    assert expected == window_with_sinks_mask(5, 5, 2, 1).int().tolist()


def test_a_learned_sink_is_a_token_without_a_value() -> None:
    """A sink in the softmax is a key of that score whose value is 0; rows sum to less than 1, and to Σe^s / (1 + Σe^s) at sink 0."""
    found, scores = quantities(), torch.tensor([[1.0, -2.0, 0.5]], dtype=torch.float64)
    powers = [math.exp(each) for each in (1.0, -2.0, 0.5)]

    assert found["learned_sink_error"] < 1e-14
    assert 0.0 < found["learned_row_sum"] < 0.5
    assert sum(powers) / (1 + sum(powers)) == pytest.approx(float(softmax_with_sink(scores, 0.0).sum()))


def test_notes() -> None:
    """Without kept tokens, and with a first token that draws nobody, a note says so; else, that the output is short."""
    assert quantities(sinks=0)["window_error"] == quantities(sinks=0)["sink_error"]
    said = [[note.en[:16] for note in run(**given).notes] for given in ({"sinks": 0}, {"strength": -2.0}, {})]

    assert [["No first token i"], ["With such a scor"], ["An idle head's o"]] == said


def test_curves_pass_through_the_quantities() -> None:
    """At the sliders' values the curves are the quantities."""
    found, curves = quantities(window=32), {series.name: dict(zip(series.x, series.y, strict=True)) for series in run(window=32).series}

    assert found["window_error"] == pytest.approx(curves["window_error_over_window"][32.0])
    assert found["sink_error"] == pytest.approx(curves["sink_error_over_window"][32.0])
    assert found["sink_weight"] == pytest.approx(curves["sink_weight_over_strength"][7.0])


def test_a_real_model_has_a_sink() -> None:
    """In MiniLM words give [CLS] several times an equal share, in each head what Hugging Face's gives; without it a note says so."""
    folder = packaged_folder()
    if folder is None:
        assert any("extra" in each.en for each in run().notes)
        pytest.skip("the package with the model is not installed")
    from transformers import BertModel, BertTokenizer

    sentence = "the dog slept because it was tired"
    model: Any = BertModel.from_pretrained(folder, attn_implementation="eager")
    model.eval()
    tokens = BertTokenizer.from_pretrained(folder)(sentence, return_tensors="pt")
    with torch.no_grad():
        weights = torch.cat(model(**tokens, output_attentions=True).attentions)
    found, matrices = quantities(sentence=sentence), {each.name: each for each in run(sentence=sentence).matrices}

    assert weights[:, :, 1:-1, 0].mean(-1).tolist() == [pytest.approx(row, abs=1e-4) for row in matrices["pretrained_heads"].values]
    assert ("[CLS]", "[SEP]") == (matrices["pretrained_received"].columns[0], matrices["pretrained_received"].columns[-1])
    assert found["pretrained_first_weight"] > 3 * found["pretrained_uniform_weight"] > 3 * found["pretrained_word_weight"]
