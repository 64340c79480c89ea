"""The whole of BERT, against Hugging Face with copied weights, and its counts against the published models'."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import nn
from transformers import BertConfig, BertForPreTraining, BertModel

from engine.experiments.bert_architecture import EXPERIMENT
from engine.textbook.bert import Bert, BertShape, load_weights, our_name
from engine.textbook.bert_sizes import parameter_counts, sizes_of
from engine.textbook.model_sizes import total_parameters
from engine.textbook.pretraining_heads import PretrainingBert
from engine.textbook.random_weights import count_parameters, with_normal_weights
from engine.textbook.tiny_bert import tiny_bert, tiny_shape
from tests.engine.runs import runs_of

SHAPE = BertShape(vocabulary=30, d_model=12, layers=3, heads=3, width=20, positions=9, eps=1e-3)
REAL = {
    "bert-base": (109_482_240, 110_106_428),
    "bert-large": (335_141_888, 336_226_108),
    "bert-base-chinese": (102_267_648, 102_882_442),
    "bert-base-cased": (108_310_272, 108_932_934),
    "bert-multilingual": (177_853_440, 178_566_653),
}


run, quantities = runs_of(EXPERIMENT)


def configuration(shape: BertShape) -> BertConfig:
    return BertConfig(
        vocab_size=shape.vocabulary,
        hidden_size=shape.d_model,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        intermediate_size=shape.width,
        max_position_embeddings=shape.positions,
        layer_norm_eps=shape.eps,
    )


def hugging_face(kind: Callable[[BertConfig], nn.Module]) -> nn.Module:
    """With every weight, bias and norm random: none can be left out unnoticed."""
    theirs = kind(configuration(SHAPE)).double().eval()
    generator = torch.Generator().manual_seed(2)
    with torch.no_grad():
        for parameter in theirs.parameters():
            parameter.normal_(0, 0.5, generator=generator)
    return theirs


IDS = torch.tensor([[2, 7, 8, 3, 9, 3, 0, 0], [2, 5, 3, 6, 20, 21, 22, 3]])
SEGMENTS = torch.tensor([[0, 0, 0, 0, 1, 1, 0, 0], [0, 0, 0, 1, 1, 1, 1, 1]])
PRESENT = torch.arange(8) < torch.tensor([[6], [8]])


def test_bert_is_hugging_faces() -> None:
    """With copied weights every layer's tokens and the pooled vector are BertModel's: two sequences, segments, padding, three layers."""
    theirs = hugging_face(BertModel)
    ours = Bert(SHAPE)
    load_weights(ours, theirs.state_dict(), torch.float64)
    expected = theirs(IDS, PRESENT.long(), SEGMENTS, output_hidden_states=True)

    actual = ours.requires_grad_(False)(IDS, SEGMENTS, PRESENT)

    assert 4 == len(expected.hidden_states) == len(actual.hidden)
    for wanted, found in zip(expected.hidden_states, actual.hidden, strict=True):
        assert torch.allclose(wanted[PRESENT], found[PRESENT], rtol=0, atol=1e-11)
    assert torch.allclose(expected.pooler_output, actual.pooled, rtol=0, atol=1e-11)


def test_weights_of_the_first_checkpoints() -> None:
    """The first published checkpoints say bert., gamma and beta: they load to the same model."""
    state = hugging_face(BertModel).state_dict()
    old = {
        f"bert.{name}".replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): state[name]
        for name in state
    }
    new, renamed = Bert(SHAPE), Bert(SHAPE)
    load_weights(new, state)
    load_weights(renamed, old | {"cls.predictions.decoder.weight": torch.zeros(1)})

    assert any("gamma" in name for name in old)
    assert all(torch.equal(new.state_dict()[name], renamed.state_dict()[name]) for name in new.state_dict())
    assert "layers.3.attention.W_Q.weight" == our_name("bert.encoder.layer.3.attention.self.query.weight")


@pytest.mark.parametrize("model", REAL)
def test_counts_are_the_published_models(model: str) -> None:
    """Counted on our modules and by formula, a model has its published number of parameters, and 12·L·D² has far fewer."""
    found = quantities(model=model)
    total, with_heads = REAL[model]

    assert total == found["total_parameters"] == found["formula_parameters"]
    assert with_heads == found["with_heads_parameters"]
    assert found["rule_of_thumb_parameters"] < 0.95 * total


def test_counts_are_hugging_faces() -> None:
    """BERT-base in Hugging Face has as many parameters, alone and with its heads."""
    with torch.device("meta"):
        alone, pretraining = BertModel(BertConfig()), BertForPreTraining(BertConfig())

    assert count_parameters(alone) == parameter_counts("bert-base")["total"]
    assert count_parameters(pretraining) == parameter_counts("bert-base")["with_heads"]


def test_tiny_model_is_counted_too() -> None:
    """The formula counts the tiny model as its modules do."""
    assert parameter_counts("tiny")["total"] == total_parameters(sizes_of("tiny")) == count_parameters(Bert(tiny_shape(2)))


def test_tree_adds_up() -> None:
    """The parts of the table add up to the whole, layer by layer."""
    count = parameter_counts("bert-large")

    assert count["embeddings"] == sum(count[part] for part in ("word", "position", "segment", "norm")) == 31_782_912
    assert count["layer"] == sum(count[part] for part in ("attention", "attention_norm", "feed_forward", "output_norm")) == 12_596_224
    assert count["total"] == count["embeddings"] + 24 * count["layer"] + count["pooler"]
    assert count["with_heads"] == count["total"] + count["masked"] + count["next_sentence"]


@pytest.mark.parametrize(
    ("model", "published", "percent"),
    [
        ("bert-base", 110e6, 0),
        ("bert-large", 340e6, -1),
        ("bert-base-cased", 110e6, -2),
        ("bert-base-chinese", 110e6, -7),
        ("bert-multilingual", 110e6, 62),
    ],
)
def test_published_sizes(model: str, published: float, percent: int) -> None:
    """All bases were released as 110M: that is the uncased one's size, and the vocabulary of the multilingual one alone is more."""
    found = quantities(model=model)

    assert published == found["quoted_parameters"]
    assert percent == round(100 * (found["total_parameters"] / published - 1))


def test_nobody_published_the_tiny_one() -> None:
    """Where nothing was published nothing is quoted."""
    assert "quoted_parameters" not in quantities(model="tiny")


def test_embeddings_are_one_product() -> None:
    """Three summed look-ups equal one product of joined one-hot rows with the stacked tables."""
    assert 0.0 == pytest.approx(quantities()["one_hot_difference"], abs=1e-12)


def test_positions_end() -> None:
    """A token beyond the position table is an error, not a guess: 512 rows in BERT, 6 in the tiny model."""
    assert (1.0, 6.0) == (quantities()["position_beyond_fails"], quantities()["position_rows"])


def test_first_token_reads_the_sentence() -> None:
    """[CLS] is the same row for every sentence before the layers, and another one after the first."""
    found = quantities()

    assert 0.0 == found["cls_change_embedded"]
    assert found["cls_change_layer_1"] > 0.01


@pytest.mark.parametrize(("layers", "classes"), [(1, 2), (4, 6)])
def test_shapes(layers: int, classes: int) -> None:
    """Each step that shows a matrix has its shape, there is a step a layer, and the class probabilities sum to 1."""
    result = run(layers=layers, classes=classes)
    shapes = {matrix.name: (len(matrix.rows), len(matrix.columns)) for matrix in result.matrices}

    assert [] == [step for step in result.steps if step.matrix and step.shape[-2:] != shapes[step.matrix]]
    assert f"hidden_{layers}" in shapes
    assert f"hidden_{layers + 1}" not in shapes
    assert (1, classes) == shapes["probabilities"]
    assert 1.0 == pytest.approx(quantities(layers=layers, classes=classes)["probability_sum"])


def test_weights_come_from_the_seed() -> None:
    """The tiny model's weights are the seed's, and different seeds differ."""
    first, same, other = (tiny_bert(2, seed).embeddings.word.weight for seed in (1, 1, 2))

    assert torch.equal(first, same)
    assert not torch.equal(first, other)
    assert 1.0 == with_normal_weights(lambda: PretrainingBert(SHAPE), 0.02, 0).state_dict()["layers.2.output_norm.weight"].min()
