"""The parameter counts that cards and traps quote: our formula, the number, and the library's own model on the meta device."""

from __future__ import annotations

import pytest
import torch
import transformers
from torch import nn

from engine.parameter import Value
from engine.textbook.model_sizes import MODELS, embedding_parameters, layer_parameters, pretraining_head_parameters, total_parameters


def count(model: str, config: str, **sizes: Value) -> int:
    """The parameters of a model of the library, made on the meta device, where nothing is allocated."""
    with torch.device("meta"):
        made: nn.Module = getattr(transformers, model)(getattr(transformers, config)(**sizes))
    return sum(parameter.numel() for parameter in made.parameters())


LARGE = {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096}
ROBERTA = {"vocab_size": 50_265, "max_position_embeddings": 514, "type_vocab_size": 1}


@pytest.mark.parametrize(
    ("name", "parameters", "model", "config", "sizes"),
    [
        ("bert-base", 109_482_240, "BertModel", "BertConfig", {}),
        ("bert-large", 335_141_888, "BertModel", "BertConfig", LARGE),
        ("bert-base-cased", 108_310_272, "BertModel", "BertConfig", {"vocab_size": 28_996}),
        ("bert-base-chinese", 102_267_648, "BertModel", "BertConfig", {"vocab_size": 21_128}),
        ("bert-multilingual", 177_853_440, "BertModel", "BertConfig", {"vocab_size": 119_547}),
        ("roberta-base", 124_645_632, "RobertaModel", "RobertaConfig", ROBERTA),
        ("roberta-large", 355_359_744, "RobertaModel", "RobertaConfig", ROBERTA | LARGE),
        ("gpt2", 124_439_808, "GPT2LMHeadModel", "GPT2Config", {}),
        ("gpt2-medium", 354_823_168, "GPT2LMHeadModel", "GPT2Config", {"n_embd": 1024, "n_layer": 24, "n_head": 16}),
        ("gpt2-large", 774_030_080, "GPT2LMHeadModel", "GPT2Config", {"n_embd": 1280, "n_layer": 36, "n_head": 20}),
        ("gpt2-xl", 1_557_611_200, "GPT2LMHeadModel", "GPT2Config", {"n_embd": 1600, "n_layer": 48, "n_head": 25}),
        ("llama-7b", 6_738_415_616, "LlamaForCausalLM", "LlamaConfig", {"vocab_size": 32_000}),
    ],
)
def test_parameters(name: str, parameters: int, model: str, config: str, sizes: dict[str, Value]) -> None:
    """The formula's total is the number quoted and the number of the library's model."""
    assert parameters == total_parameters(MODELS[name]) == count(model, config, **sizes)


def test_parameters_without_a_formula_of_ours() -> None:
    """GPT-1, GPT-2 with untied tables, BERT with its pretraining heads, and the original encoder layer."""
    base, large = MODELS["bert-base"], MODELS["bert-large"]

    assert 116_534_784 == count("OpenAIGPTLMHeadModel", "OpenAIGPTConfig", vocab_size=40_478)
    assert 163_037_184 == count("GPT2LMHeadModel", "GPT2Config", tie_word_embeddings=False)
    assert 110_106_428 == total_parameters(base) + pretraining_head_parameters(base) == count("BertForPreTraining", "BertConfig")
    assert 336_226_108 == total_parameters(large) + pretraining_head_parameters(large)
    layer = nn.TransformerEncoderLayer(512, 8, 2048, device="meta")
    feed_forward = sum(each.numel() for part in (layer.linear1, layer.linear2) for each in part.parameters())
    assert 3_152_384 == sum(each.numel() for each in layer.parameters())
    assert 2 / 3 == pytest.approx(feed_forward / 3_152_384, abs=0.001)


def test_parts_of_bert() -> None:
    """Embeddings, a layer, all layers and the pooler of BERT base and large; 31 % of GPT-2 small are word embeddings."""
    base, large, gpt = MODELS["bert-base"], MODELS["bert-large"], MODELS["gpt2"]

    assert (23_837_184, 31_782_912) == (embedding_parameters(base), embedding_parameters(large))
    assert (7_087_872, 12_596_224) == (layer_parameters(base), layer_parameters(large))
    assert (85_054_464, 302_309_376) == (12 * layer_parameters(base), 24 * layer_parameters(large))
    poolers = [total_parameters(m) - embedding_parameters(m) - m.layers * layer_parameters(m) for m in (base, large)]
    assert [590_592, 1_049_600] == poolers
    assert 23_440_896 + 393_216 + 1_536 + 1_536 == embedding_parameters(base)  # words, positions, segments, LayerNorm
    assert 0.31 == pytest.approx(50_257 * 768 / total_parameters(gpt), abs=0.005)


def test_albert() -> None:
    """A table of 30,000 x 1024 has 30.7 million parameters; through a width of 128 it has 3.97 million."""
    assert (30_720_000, 3_971_072) == (30_000 * 1024, 30_000 * 128 + 128 * 1024)


def test_bert_read_its_corpus_forty_times() -> None:
    """256 sequences of 512 tokens, a million steps: 1.3e11 tokens, 39.7 times 3.3 billion."""
    assert 39.7 == pytest.approx(256 * 512 * 1e6 / 3.3e9, abs=0.05)
