"""Finding and loading decks; one bad file never stops the others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from content.deck.deck_files import ORDER, bundled
from content.deck.library import LoadedDeck, load, load_deck
from content.format import SIZE_LIMIT
from content.yaml.problems import render

GOLDEN = Path(__file__).parents[1] / "golden"
DECK = "deck: {}\ntitle: T\ncards:\n  - {{id: a, question: q, answer: a}}\n"


def write(path: Path, deck: str) -> Path:
    path.write_text(DECK.format(deck), encoding="utf-8")
    return path


@pytest.mark.parametrize(("language", "suffix"), [("en", ".txt"), ("zh", ".zh.txt")])
@pytest.mark.parametrize("deck", sorted(GOLDEN.glob("*.yaml")), ids=lambda path: path.stem)
def test_golden_problems(deck: Path, language: str, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a person reads about a bad deck, to the letter."""
    monkeypatch.chdir(GOLDEN)
    loaded, problems = load_deck(Path(deck.name))
    assert not isinstance(loaded, LoadedDeck)
    assert deck.with_suffix(suffix).read_text(encoding="utf-8") == "\n".join(render(one, language) for one in problems) + "\n"


def test_every_bundled_deck_loads() -> None:
    """The decks that come with the program have no problem."""
    assert () == load(bundled()).problems
    assert bundled() == tuple(loaded.path for loaded in load(bundled()).decks)


def test_bundled_decks_are_in_the_order_in_which_one_learns_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Not by their names; one that has no place yet comes at the end. Every deck has a place."""
    for name in (*sorted(ORDER), "zebra", "another"):
        write(tmp_path / f"{name}.yaml", name)
    assert [] == [path.stem for path in bundled() if path.stem not in ORDER]
    monkeypatch.setattr("content.deck.deck_files.BUNDLED", tmp_path)

    assert (*ORDER, "another", "zebra") == tuple(loaded.deck.deck for loaded in load(bundled()).decks)


def test_a_folder_is_its_decks_in_order(tmp_path: Path) -> None:
    """A folder gives its .yaml and .yml files sorted, without hidden and other ones."""
    for name in ("b.yaml", "a.yml", "c.YAML"):
        write(tmp_path / name, name[0])
    write(tmp_path / ".hidden.yaml", "hidden")
    (tmp_path / "notes.txt").write_text("x", encoding="utf-8")
    found = load([tmp_path])
    assert ["a", "b", "c"] == [loaded.deck.deck for loaded in found.decks]
    assert () == found.problems


def test_folders_in_a_folder(tmp_path: Path) -> None:
    """Decks in folders of folders are read after those beside them, also through a link; hidden folders and circles are not."""
    for name in ("z", "sub/b", "sub/deeper/c", "a folder/d", ".git/hidden", "elsewhere/own/e"):
        (tmp_path / "decks" / name).parent.mkdir(parents=True, exist_ok=True)
        write(tmp_path / "decks" / f"{name}.yaml", Path(name).name)
    (tmp_path / "decks" / "elsewhere").rename(tmp_path / "elsewhere")
    (tmp_path / "decks" / "linked").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "decks" / "sub" / "circle").symlink_to(tmp_path / "decks")
    (tmp_path / "decks" / "empty").mkdir()
    found = load([tmp_path / "decks"])

    assert ["z", "d", "e", "b", "c"] == [loaded.deck.deck for loaded in found.decks]
    assert () == found.problems


def test_a_folder_in_a_folder_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told, and the decks beside it are there."""
    (tmp_path / "closed").mkdir()
    write(tmp_path / "a.yaml", "a")
    iterdir = Path.iterdir

    def refuse(folder: Path) -> Iterator[Path]:
        if folder.name == "closed":
            raise PermissionError(13, "Permission denied")
        return iterdir(folder)

    monkeypatch.setattr(Path, "iterdir", refuse)
    found = load([tmp_path])

    assert (["a"], ["you may not read this"]) == ([deck.deck.deck for deck in found.decks], [problem.message for problem in found.problems])


def test_a_bad_deck_does_not_stop_the_good_ones(tmp_path: Path) -> None:
    """Good decks load beside broken, missing and misnamed ones, each of which is a problem."""
    good = write(tmp_path / "good.yaml", "good")
    bad = tmp_path / "bad.yaml"
    bad.write_text("deck: [x", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    found = load([bad, tmp_path / "missing.yaml", good, tmp_path / "empty", Path("a\0b"), Path("/dev/null")])
    assert ["good"] == [loaded.deck.deck for loaded in found.decks]
    assert [
        "the list that opens with [ is not closed",
        "there is no such file or folder",
        "there is no deck in this folder",
        "this cannot be the name of a file",
        "this is not a file",
    ] == [problem.message for problem in found.problems]
    assert all(problem.hint for problem in found.problems)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (PermissionError(13, "Permission denied"), "you may not read this"),
        (OSError(5, "Input/output error"), "this cannot be read: input/output error"),
        (FileNotFoundError(2, "gone"), "there is no such file or folder"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, message: str) -> None:
    """Whatever the system says about a file or a folder, a person reads what it means."""
    deck = write(tmp_path / "a.yaml", "a")

    def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr("content.deck.named_files.read_file", refuse)
    monkeypatch.setattr(Path, "iterdir", refuse)
    assert [message, message] == [problem.message for problem in load([deck, tmp_path]).problems]


def test_two_decks_with_one_id_are_told_apart_by_their_files(tmp_path: Path) -> None:
    """The first deck is kept, and the problem names both files."""
    first, second = write(tmp_path / "a.yaml", "same"), write(tmp_path / "b.yaml", "same")
    found = load([first, second])
    assert [first] == [loaded.path for loaded in found.decks]
    (problem,) = found.problems
    assert (str(second), 1, 7) == (problem.path, problem.line, problem.column)
    assert f"the deck id same is already that of {first}" == problem.message


def test_a_file_is_read_once_however_it_is_named(tmp_path: Path) -> None:
    """A folder, a file in it and a link to that file are one deck."""
    deck = write(tmp_path / "a.yaml", "a")
    link = tmp_path / "link"
    link.symlink_to(deck)
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    found = load([tmp_path, deck, link])
    assert 1 == len(found.decks)
    assert () == found.problems
    assert 1 == len(load([tmp_path / "loop"]).problems)


def test_a_deck_with_a_warning_loads(tmp_path: Path) -> None:
    """A warning is told and stops nothing."""
    path = tmp_path / "a.yaml"
    path.write_text(DECK.format("a") + "  - id: b\n    question: use # of heads\n    answer: a\n", encoding="utf-8")
    found = load([path])
    assert 1 == len(found.decks)
    assert ["warning"] == [problem.severity for problem in found.problems]


def test_a_refused_key_stops_the_deck_even_where_the_model_would_take_it(tmp_path: Path) -> None:
    """An anchor is an error although the rest of the deck is fine."""
    path = tmp_path / "a.yaml"
    path.write_text(DECK.format("&x a"), encoding="utf-8")
    assert () == load([path]).decks


def test_later_checks_can_point_at_any_value(tmp_path: Path) -> None:
    """A loaded deck turns a location into a place, and a place into a problem with its line."""
    (loaded,) = load([write(tmp_path / "a.yaml", "a")]).decks
    problem = loaded.problem(("cards", 0, "question", "en"), "is unclear", "say more", "warning")
    assert (4, 23, "is unclear", "say more", "warning") == (
        problem.line, problem.column, problem.message, problem.hint, problem.severity,
    )  # fmt: skip
    assert "  - {id: a, question: q, answer: a}" == problem.source == loaded.place(("cards", 0, "question")).source


def test_a_big_file_is_refused(tmp_path: Path) -> None:
    """A file above the limit is one sentence, whatever is in it."""
    path = tmp_path / "a.yaml"
    path.write_bytes(b"#" * (SIZE_LIMIT + 1))
    assert ["the file has more than 8 MiB"] == [problem.message for problem in load([path]).problems]
