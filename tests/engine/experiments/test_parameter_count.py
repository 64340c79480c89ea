"""Parameter counts, against Hugging Face's models on the meta device and the published numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
import torch
from torch import nn
from transformers import (
    BertConfig,
    BertModel,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    RobertaConfig,
    RobertaModel,
)

from engine.experiments.parameter_count import EXPERIMENT, counted, own_model
from engine.textbook.model_sizes import (
    MODELS,
    factorised_embedding_parameters,
    layer_parameters,
    pretraining_head_parameters,
    total_parameters,
)
from tests.engine.runs import runs_of

PUBLISHED = {
    "bert-base": 109_482_240,
    "bert-large": 335_141_888,
    "bert-base-chinese": 102_267_648,
    "bert-base-cased": 108_310_272,
    "bert-multilingual": 177_853_440,
    "roberta-base": 124_645_632,
    "roberta-large": 355_359_744,
    "gpt2": 124_439_808,
    "gpt2-medium": 354_823_168,
    "gpt2-large": 774_030_080,
    "gpt2-xl": 1_557_611_200,
    "llama-7b": 6_738_415_616,
}


run, quantities = runs_of(EXPERIMENT)


@pytest.mark.parametrize("model", MODELS)
def test_published_counts(model: str) -> None:
    """By formula and on the modules, every model has its published number of parameters; 12·L·D² is short of it."""
    found = quantities(model=model)

    assert PUBLISHED[model] == found["total_parameters"] == found["counted_parameters"]
    assert found["rule_of_thumb_parameters"] < 0.97 * PUBLISHED[model]


@pytest.mark.parametrize(
    ("model", "make"),
    [
        ("bert-base", lambda: BertModel(BertConfig())),
        ("roberta-base", lambda: RobertaModel(RobertaConfig(vocab_size=50_265, max_position_embeddings=514, type_vocab_size=1))),
        ("gpt2", lambda: GPT2LMHeadModel(GPT2Config())),
        ("llama-7b", lambda: LlamaForCausalLM(LlamaConfig())),
    ],
)
def test_counts_are_hugging_faces(model: str, make: Callable[[], nn.Module]) -> None:
    """Hugging Face's own model of each family has as many parameters, a tied matrix counted once."""
    with torch.device("meta"):
        theirs = make()

    assert sum(each.numel() for each in theirs.parameters()) == total_parameters(MODELS[model])


@pytest.mark.parametrize("family", ["bert", "gpt", "llama"])
@pytest.mark.parametrize(("d_model", "layers", "vocabulary"), [(64, 1, 1000), (192, 3, 5000)])
def test_own_model_is_counted_by_modules(family: str, d_model: int, layers: int, vocabulary: int) -> None:
    """The formula of a model of one's own agrees with its modules, at sizes where a bias shows."""
    sizes = own_model(family, d_model, layers, vocabulary)  # type: ignore[arg-type]  # one of the three, by parametrize
    found = quantities(family=family, d_model=d_model, layers=layers, vocabulary=vocabulary)

    assert counted(sizes) == found["own_total"]


@pytest.mark.parametrize("model", MODELS)
def test_parts_add_up(model: str) -> None:
    """The table's parts, and the quantities of the parts, add up to the total."""
    found = quantities(model=model)
    *parts, total = [float(str(row[1])) for row in run(model=model).tables[0].rows]

    assert found["total_parameters"] == total == sum(parts)
    assert total == found["embedding_parameters"] + MODELS[model].layers * found["layer_parameters"] + found["top_parameters"]


def test_parts_of_bert() -> None:
    """BERT-base: 23,837,184 embeddings, 7,087,872 a layer, 590,592 pooler; 110,106,428 with its heads."""
    found = quantities()

    assert (23_837_184, 7_087_872, 590_592) == tuple(found[f"{part}_parameters"] for part in ("embedding", "layer", "top"))
    assert 110_106_428 == found["total_parameters"] + pretraining_head_parameters(MODELS["bert-base"])
    assert 12 * 768**2 == layer_parameters(MODELS["bert-base"]) - found["bias_and_norm_parameters"] / 12


def test_tying() -> None:
    """GPT-2 small has 163,037,184 parameters untied; 31 % of it are embeddings, of LLaMA-7B 2 %."""
    assert 163_037_184 == quantities(model="gpt2")["untied_parameters"]
    assert quantities(model="llama-7b")["untied_parameters"] == PUBLISHED["llama-7b"]
    assert (0.316, 0.0195) == pytest.approx([quantities(model=model)["embedding_share"] for model in ("gpt2", "llama-7b")], abs=1e-3)


def test_curves() -> None:
    """The wider the model, the better 12·L·D² and the smaller the embeddings' share; the curves pass through the quantities."""
    rule, embeddings = (series.y for series in run().series)
    found = quantities(d_model=512)

    assert list(rule) == sorted(rule)
    assert list(embeddings) == sorted(embeddings, reverse=True)
    assert (found["own_rule_share"], found["own_embedding_share"]) == (rule[3], embeddings[3])


def test_memory() -> None:
    """Seven billion parameters in 16 bits are 12.55 GiB."""
    assert 12.55 == pytest.approx(quantities(model="llama-7b")["gibibytes_16_bit"], abs=0.01)


def test_albert() -> None:
    """V = 30,000 at D = 1024: 30.7M through E = 128 become 3.97M, as in Hugging Face's ALBERT; shared layers cost nothing with depth."""
    from torch.nn import Module
    from transformers import AlbertConfig, AlbertModel

    found = quantities(d_model=1024, layers=24, vocabulary=30_000)
    theirs: Module = AlbertModel(
        AlbertConfig(vocab_size=3000, embedding_size=128, hidden_size=64, num_hidden_layers=7, num_attention_heads=1)
    )
    tables = theirs.get_parameter("embeddings.word_embeddings.weight"), theirs.get_parameter("encoder.embedding_hidden_mapping_in.weight")

    assert (30_720_000, 3_971_072) == (found["own_word_table"], found["own_factorised_table"])
    assert sum(each.numel() for each in tables) == factorised_embedding_parameters(
        replace(MODELS["bert-base"], vocabulary=3000, d_model=64), 128
    )
    assert found["own_shared_total"] == quantities(d_model=1024, layers=1, vocabulary=30_000)["own_total"]


def test_training() -> None:
    """6·N·D of LLaMA-7B at 20 tokens a parameter: 5.4e21 operations."""
    assert 6 * 20 * 6_738_415_616**2 / 1e18 == pytest.approx(quantities(model="llama-7b")["training_exaflop"])
