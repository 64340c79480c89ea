"""BERT's heads and their loss, against Hugging Face with copied weights and torch's cross_entropy."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from transformers import BertConfig, BertForPreTraining, BertForSequenceClassification

from engine.experiments.prediction_heads import EXPERIMENT, MASKABLE
from engine.label import ParameterError
from engine.textbook.bert import Bert, BertShape, load_weights
from engine.textbook.pretraining_heads import IGNORED, Classifier, PretrainingBert, masked_loss
from engine.textbook.tiny_bert import VOCABULARY
from engine.textbook.trained_tiny_bert import DOES, examples, snapshots, unpack, untrained
from engine.textbook.training_loop import seeds_beside
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)

SHAPE = BertShape(vocabulary=30, d_model=12, layers=2, heads=3, width=20, positions=9, eps=1e-3)
CONFIGURATION = BertConfig(
    vocab_size=30,
    hidden_size=12,
    num_hidden_layers=2,
    num_attention_heads=3,
    intermediate_size=20,
    max_position_embeddings=9,
    layer_norm_eps=1e-3,
)
CONFIGURATION.num_labels = 4
IDS = torch.tensor([[2, 7, 4, 3, 9, 3], [2, 5, 3, 4, 20, 3]])
SEGMENTS = torch.tensor([[0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1]])
LABELS = torch.tensor([[IGNORED, 7, 11, IGNORED, IGNORED, IGNORED], [IGNORED, IGNORED, IGNORED, 29, IGNORED, IGNORED]])


def hugging_face(kind: Callable[[BertConfig], nn.Module]) -> nn.Module:
    theirs = kind(CONFIGURATION).double().eval()
    generator = torch.Generator().manual_seed(2)
    with torch.no_grad():
        for parameter in theirs.parameters():
            parameter.normal_(0, 0.5, generator=generator)
    return theirs


def test_pretraining_heads_are_hugging_faces() -> None:
    """With copied weights both heads give BertForPreTraining's logits, and our two losses sum to its loss."""
    theirs, ours = hugging_face(BertForPreTraining), PretrainingBert(SHAPE)
    load_weights(ours, theirs.state_dict(), torch.float64)
    follows = torch.tensor([0, 1])
    expected = theirs(IDS, token_type_ids=SEGMENTS, labels=LABELS, next_sentence_label=follows)

    tokens, next_sentence = ours.requires_grad_(False).predict(IDS, SEGMENTS)

    assert torch.allclose(expected.prediction_logits, tokens, rtol=0, atol=1e-11)
    assert torch.allclose(expected.seq_relationship_logits, next_sentence, rtol=0, atol=1e-11)
    assert torch.allclose(expected.loss, masked_loss(tokens, LABELS) + masked_loss(next_sentence[None], follows[None]), rtol=0, atol=1e-11)


def test_classifier_is_hugging_faces() -> None:
    """A linear map over the pooled [CLS] gives BertForSequenceClassification's logits."""
    theirs = hugging_face(BertForSequenceClassification)
    bert, classifier = Bert(SHAPE), Classifier(12, 4).double()
    state = theirs.state_dict()
    load_weights(bert, state, torch.float64)
    classifier.load_state_dict({"dense.weight": state["classifier.weight"], "dense.bias": state["classifier.bias"]})

    assert torch.allclose(theirs(IDS, token_type_ids=SEGMENTS).logits, classifier(bert(IDS, SEGMENTS).pooled), rtol=0, atol=1e-11)


def test_loss_is_the_mean_over_asked_positions() -> None:
    """The loss divides by the number of labels, not by the number of tokens or sequences, as torch's does."""
    logits = 3 * torch.randn(2, 6, 30, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    by_hand = [-math.log(torch.softmax(logits[b, t], -1)[LABELS[b, t]]) for b, t in ((0, 1), (0, 2), (1, 3))]

    assert sum(by_hand) / 3 == pytest.approx(float(masked_loss(logits, LABELS)))
    assert torch.allclose(cross_entropy(logits.reshape(-1, 30), LABELS.reshape(-1)), masked_loss(logits, LABELS), rtol=0, atol=1e-12)


@pytest.mark.parametrize("masked", MASKABLE)
def test_loss_is_at_masked_positions_only(masked: str) -> None:
    """Another label at an unmasked position moves the loss over all positions and not the masked loss."""
    found = quantities(masked=masked)

    assert len(MASKABLE[masked]) == found["predicted_positions"]
    assert found["all_label_change"] > 1e-3
    assert 0.0 == found["masked_label_change"]
    assert 0.0 == pytest.approx(found["torch_difference"], abs=1e-12)
    assert found["all_positions_loss"] != pytest.approx(found["masked_positions_loss"], abs=1e-3)


def test_masked_loss_is_what_the_table_says() -> None:
    """The table's losses average to the quantity, and its labels are the words that were masked."""
    result = run(masked="1,4")
    rows = result.tables[0].rows
    asked = [(word, label, loss) for word, label, loss in rows if isinstance(label, str)]

    assert [("[MASK]", "cats"), ("[MASK]", "birds")] == [(word, label) for word, label, _ in asked]
    assert result.scope()["masked_positions_loss"] == pytest.approx(sum(float(str(loss)) for *_, loss in asked) / 2)


def test_softmax_makes_probabilities() -> None:
    """Logits sum to anything, probabilities to 1; a number added to all logits changes nothing."""
    found = quantities()

    assert 1.0 == pytest.approx(found["class_probability_sum"])
    assert 1.0 != pytest.approx(found["class_logit_sum"], abs=0.01)
    assert 0.0 == pytest.approx(found["logit_shift_change"], abs=1e-9)
    assert 0.0 == pytest.approx(found["token_probability_sum_error"], abs=1e-12)


def test_tied_decoder() -> None:
    """Both heads of BERT-base have 624,188 parameters tied, 24 million untied; every row of the table gets a gradient from the decoder."""
    found = quantities(masked="1,4")

    assert 110_106_428 - 109_482_240 == found["tied_head_parameters"]
    assert 30_522 * 768 == found["untied_head_parameters"] - found["tied_head_parameters"]
    assert (4, 12) == (found["rows_reached_as_input"], found["rows_reached_as_decoder"])


def test_uniform_guess() -> None:
    """A uniform guess costs ln V: 10.326 for BERT's vocabulary."""
    assert 10.326 == pytest.approx(quantities()["uniform_loss_bert"], abs=1e-3)


@pytest.mark.parametrize("seed", [0, 1])
def test_training_learns_where_it_asks(seed: int) -> None:
    """After 150 steps cats nap and another animal follows no one; words that were never asked were not learned."""
    before, after = quantities(steps=0, seed=seed), quantities(seed=seed)

    assert after["masked_positions_loss"] < 0.05 < 1 < before["masked_positions_loss"]
    assert after["follows_probability"] < 0.05
    assert after["all_positions_loss"] > before["all_positions_loss"]


def test_what_cannot_be_known_costs_its_entropy() -> None:
    """Half of the second sentences follow and the others are drawn from two: birds after cats has probability 1/4, and costs ln 4."""
    assert math.log(4) == pytest.approx(quantities(masked="4")["masked_positions_loss"], abs=0.1)


def test_steps_are_those_of_the_curve() -> None:
    """Between two points of the curve nothing is kept: 55 steps are refused, they were answered with the numbers of 50."""
    with pytest.raises(ParameterError, match="a multiple of 10; not 55"):
        quantities(steps=55)


def test_seeds_trained_beside_each_other_are_those_trained_alone() -> None:
    """What a seed predicts does not depend on those that are trained with it, rounding apart.

    Its weights may: a key's bias moves no weight of attention, so its gradient is rounding alone, of which Adam makes whole steps.
    """

    def predicted(theta: Tensor) -> Tensor:
        bert = untrained(7).double()
        bert.load_state_dict(unpack(theta.double(), bert))
        return bert.predict(examples()[0]).tokens

    torch.testing.assert_close(predicted(snapshots((7,))[2, 0]), predicted(snapshots(seeds_beside(7))[2, 2]), rtol=0, atol=1e-3)


def test_examples_mask_one_word_each() -> None:
    """36 examples, half of what is seen followed, each animal seen alike; each asks for one word, and shows all others."""
    ids, labels, follows, times = examples()
    sentences = torch.where(labels == IGNORED, ids, labels)

    assert [1] * 36 == (labels != IGNORED).sum(-1).tolist()
    assert (72, 36) == (int(times.sum()), int(times[follows == 1].sum()))
    assert [24, 24, 24] == [int(times[sentences[:, 1] == VOCABULARY.index(animal)].sum()) for animal in DOES]
    assert torch.equal(ids == VOCABULARY.index("[MASK]"), labels != IGNORED)
    assert {(animal, verb) for animal, verbs in DOES.items() for verb in verbs} == {
        (VOCABULARY[first], VOCABULARY[verb]) for first, verb in sentences[:, 1:3].tolist()
    }
