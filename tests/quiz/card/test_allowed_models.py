"""Decks and models: nothing outside the deck's folder is looked at, and inside it only what the person has allowed, as it was then."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine.label import ParameterError
from engine.model_files import LARGEST
from quiz.card import allowed_models
from quiz.card.allowed_models import allowed_list_path, fingerprint, model_of_deck
from quiz.cli import qkv
from tests.not_files import in_time, put


@pytest.fixture
def deck_folder(tmp_path: Path) -> Path:
    """A deck's folder with a model in it, and another model outside."""
    for folder in (tmp_path / "decks" / "bert", tmp_path / "elsewhere"):
        folder.mkdir(parents=True)
        for name in ("config.json", "vocab.txt", "model.safetensors"):
            (folder / name).write_text(name, encoding="utf-8")
    return tmp_path / "decks"


def allow(folder: Path, *more: str) -> int:
    done = CliRunner().invoke(qkv, ["trust", str(folder), *more])

    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code


@pytest.fixture
def untouched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is looked at or opened meanwhile."""
    seen: list[str] = []

    def watched(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(path: str, *rest: Any, **more: Any) -> Any:
            seen.append(os.fsdecode(path))
            return real(path, *rest, **more)

        return call

    for name in ("stat", "lstat", "open", "listdir", "scandir", "readlink"):
        monkeypatch.setattr(os, name, watched(getattr(os, name)))
    return seen


@pytest.mark.parametrize(
    "named",
    [
        *(
            "/anywhere/bertcopy",
            "~root/.ssh",
            "~",
            "~/models",
            "//server/share",
            "\\\\server\\share",
            "\\\\?\\C:\\x",
            "C:\\models",
            "c:models",
        ),
        *(
            "file:///etc",
            "http://host/model",
            "..",
            "../elsewhere",
            "bert/../../elsewhere",
            "bert\\..\\..\\elsewhere",
            ".",
            "./",
            "bert/..",
            " /etc ",
        ),
        *("/dev/zero", "/proc/self/root", "\0", "bert\0/../x", "NUL:", "/", "\\", "…/..", "bert/../bert"),
    ],
)
def test_a_folder_that_is_not_inside_the_decks_is_not_looked_at(deck_folder: Path, untouched: list[str], named: str) -> None:
    """Neither its files nor whether it is there: on a network even a look tells somebody who is looking."""
    with pytest.raises(ParameterError, match=r"inside its own, not through links\. Nothing was opened\."):
        model_of_deck(named, deck_folder)

    assert [] == [path for path in untouched if not str(deck_folder).startswith(path) and not path.startswith(str(deck_folder))]


@pytest.mark.parametrize("named", ["bert", "bert/", "./bert", "bert\\", " bert "])
def test_inside_it_only_what_was_allowed(deck_folder: Path, monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    """Before, nothing of the model is opened, and the sentence says what to type; afterwards the name is the folder of the model."""
    monkeypatch.setattr(allowed_models, "open_file", None)
    with pytest.raises(ParameterError, match=rf"Nothing was opened|nothing was opened. If you trust it: qkv trust {deck_folder}/bert"):
        model_of_deck(named, deck_folder)
    monkeypatch.undo()
    monkeypatch.setenv("QKV_DATA", str(deck_folder.parent / "data"))
    assert 0 == allow(deck_folder / "bert")

    assert str(deck_folder / "bert") == os.path.normpath(model_of_deck(named, deck_folder))


def test_no_name_is_the_packaged_model(deck_folder: Path) -> None:
    """Nothing is named, so nothing needs to be allowed; also for a deck that comes from a pipe."""
    assert ["", "", ""] == [model_of_deck(named, beside) for named, beside in (("", deck_folder), (" ", deck_folder), ("", None))]


def test_a_deck_from_a_pipe_has_no_folder(deck_folder: Path) -> None:
    """It may use no model of its own, wherever the program was started."""
    allow(deck_folder / "bert")
    with pytest.raises(ParameterError, match="inside its own"):
        model_of_deck("bert", None)


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "vocab.txt", "tokenizer_config.json"])
def test_what_was_allowed_is_a_content(deck_folder: Path, name: str) -> None:
    """A file that changes, even to the same length and time, or appears, makes another model of it, which is asked about anew."""
    allow(deck_folder / "bert")
    file = deck_folder / "bert" / name
    before = os.stat(file if file.exists() else deck_folder)
    file.write_text(name.upper(), encoding="utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(ParameterError, match="its files have changed"):
        model_of_deck("bert", deck_folder)
    allow(deck_folder / "bert")

    assert str(deck_folder / "bert") == model_of_deck("bert", deck_folder)


def test_the_same_files_are_the_same_model(deck_folder: Path) -> None:
    """A copy that was put back is what was allowed: times and numbers of files do not count."""
    allow(deck_folder / "bert")
    for file in (deck_folder / "bert").iterdir():
        content = file.read_bytes()
        file.unlink()
        file.write_bytes(content)

    assert str(deck_folder / "bert") == model_of_deck("bert", deck_folder)


def test_what_was_allowed_can_be_taken_back(deck_folder: Path) -> None:
    """`--forget`; what was never allowed cannot be."""
    allow(deck_folder / "bert")
    assert 0 == allow(deck_folder / "bert", "--forget")
    with pytest.raises(ParameterError, match="nobody has allowed"):
        model_of_deck("bert", deck_folder)

    assert 2 == allow(deck_folder / "bert", "--forget")


@pytest.mark.parametrize("kind", ["folder", "file", "file outside"])
def test_links_lead_nowhere(deck_folder: Path, kind: str) -> None:
    """A link inside the deck's folder may point anywhere, now or later: it is no way out."""
    elsewhere, bert = deck_folder.parent / "elsewhere", deck_folder / "bert"
    allow(elsewhere)
    if kind == "folder":
        (deck_folder / "link").symlink_to(elsewhere)
        with pytest.raises(ParameterError, match="not through links"):
            model_of_deck("link", deck_folder)
        return
    allow(bert)
    (bert / "vocab.txt").rename(bert / "other.txt")
    (bert / "vocab.txt").symlink_to("other.txt" if kind == "file" else elsewhere / "vocab.txt")
    with pytest.raises(ParameterError, match="its files have changed"):
        model_of_deck("bert", deck_folder)


@pytest.mark.parametrize("kind", ["pipe", "zero", "socket", "folder", "loop"])
def test_what_is_no_file_is_no_model(deck_folder: Path, kind: str) -> None:
    """It is neither waited for nor read without end, when it is allowed and when it has come later."""
    allow(deck_folder / "bert")
    (deck_folder / "bert" / "vocab.txt").unlink()
    put(kind, deck_folder / "bert" / "vocab.txt")
    with in_time(), pytest.raises(ParameterError, match="its files have changed"):
        model_of_deck("bert", deck_folder)
    with in_time():
        assert 2 == allow(deck_folder / "bert")


def test_a_file_that_is_too_large_is_no_model(deck_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not hashed for minutes only to be refused by the engine."""
    monkeypatch.setitem(LARGEST, "vocab.txt", 3)

    assert 2 == allow(deck_folder / "bert")


@pytest.mark.parametrize("folder", ["no-such-folder", "empty", "x" * 300])
def test_a_folder_without_a_model_cannot_be_allowed(deck_folder: Path, folder: str) -> None:
    """What is not there has no content to be remembered by."""
    (deck_folder / "empty").mkdir()

    assert 2 == allow(deck_folder / folder)


@pytest.mark.parametrize("listed", ["", "[]", "no JSON", '{"a": []}', "[" * 100_000])
def test_a_list_that_cannot_be_read_allows_nothing(deck_folder: Path, listed: str) -> None:
    """Nor is it in the way of the next model that is allowed."""
    allow(deck_folder / "bert")
    allowed_list_path().write_text(listed, encoding="utf-8")
    with pytest.raises(ParameterError, match="nobody has allowed"):
        model_of_deck("bert", deck_folder)
    allow(deck_folder / "bert")

    assert fingerprint(deck_folder / "bert") == json.loads(allowed_list_path().read_text(encoding="utf-8"))[str(deck_folder / "bert")]
