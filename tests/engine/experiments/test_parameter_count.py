"""Parameter counts, against Hugging Face's models on the meta device and the published numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
import torch
from torch import nn
from transformers import (
    BertConfig,
    BertModel,
    DeepseekV3Config,
    DeepseekV3ForCausalLM,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    Qwen2Config,
    Qwen2ForCausalLM,
    RobertaConfig,
    RobertaModel,
)

from engine.experiments.parameter_count import COMPARED, EXPERIMENT, own_model
from engine.textbook.counted_models import Layer, counted
from engine.textbook.model_sizes import (
    MODELS,
    factorised_embedding_parameters,
    layer_parameters,
    pretraining_head_parameters,
    stack_parameters,
    total_parameters,
)
from engine.textbook.random_weights import build_on_meta
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
    "llama-3-8b": 8_030_261_248,
    "llama-3-70b": 70_553_706_496,
    "qwen2.5-0.5b": 494_032_768,
    "qwen2.5-7b": 7_615_616_512,
    "deepseek-v3": 671_026_404_352,
}
LLAMA_3_8B: dict[str, Any] = {"vocab_size": 128_256, "intermediate_size": 14_336, "num_key_value_heads": 8}
LLAMA_3_70B: dict[str, Any] = {
    "vocab_size": 128_256,
    "hidden_size": 8192,
    "intermediate_size": 28_672,
    "num_hidden_layers": 80,
    "num_attention_heads": 64,
    "num_key_value_heads": 8,
}
QWEN_SMALL: dict[str, Any] = {
    "vocab_size": 151_936,
    "hidden_size": 896,
    "intermediate_size": 4864,
    "num_hidden_layers": 24,
    "num_attention_heads": 14,
    "num_key_value_heads": 2,
    "tie_word_embeddings": True,
}
QWEN: dict[str, Any] = {
    "vocab_size": 152_064,
    "hidden_size": 3584,
    "intermediate_size": 18_944,
    "num_hidden_layers": 28,
    "num_attention_heads": 28,
    "num_key_value_heads": 4,
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
        ("llama-3-8b", lambda: LlamaForCausalLM(LlamaConfig(**LLAMA_3_8B))),
        ("llama-3-70b", lambda: LlamaForCausalLM(LlamaConfig(**LLAMA_3_70B))),
        ("qwen2.5-0.5b", lambda: Qwen2ForCausalLM(Qwen2Config(**QWEN_SMALL))),
        ("qwen2.5-7b", lambda: Qwen2ForCausalLM(Qwen2Config(**QWEN))),
        ("deepseek-v3", lambda: DeepseekV3ForCausalLM(DeepseekV3Config())),
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
    assert total == found["embedding_parameters"] + stack_parameters(MODELS[model]) + found["top_parameters"]
    if model != "deepseek-v3":  # its first three layers have no experts
        assert stack_parameters(MODELS[model]) == MODELS[model].layers * found["layer_parameters"]


@pytest.mark.parametrize("model", MODELS)
def test_what_is_no_matrix(model: str) -> None:
    """Biases and norms of all layers are the parameters of the modules that have one dimension."""
    sizes = MODELS[model]
    dense = sizes.experts.dense if sizes.experts else 0
    counted = [
        sum(each.numel() for each in build_on_meta(partial(Layer, sizes, kind)).parameters() if each.dim() == 1)
        for kind in (False, True)[: 1 + bool(dense)]
    ]

    assert quantities(model=model)["bias_and_norm_parameters"] == sum(
        count * each for count, each in zip((sizes.layers - dense, dense), counted, strict=False)
    )


def test_only_some_experts_work() -> None:
    """DeepSeek-V3 has 671 billion parameters, of which 37 are published as active; a dense model uses all."""
    found, dense = quantities(model="deepseek-v3"), quantities(model="llama-3-8b")

    assert (671, 37) == (found["total_parameters"] // 1e9, found["active_parameters"] // 1e9)
    assert dense["active_parameters"] == dense["total_parameters"]


def test_shares_are_of_the_whole() -> None:
    """A model's shares are all of it; of DeepSeek-V3 97 % is feed-forward, of LLaMA-3 8B 13 % are its two tables."""
    shares = dict(zip(COMPARED, run().matrices[0].values, strict=True))

    assert [100.0] * len(COMPARED) == pytest.approx([sum(row) for row in shares.values()])
    assert 97.6 == pytest.approx(shares["deepseek-v3"][2], abs=0.5)
    assert 100 * 2 * 128_256 * 4096 / PUBLISHED["llama-3-8b"] == pytest.approx(shares["llama-3-8b"][0])


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
