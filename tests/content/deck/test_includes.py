"""A deck in several files: joined they are one deck, and each mistake is told in the file in which it was made."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from content.deck import checks, includes, library
from content.deck.cards import Card
from content.deck.library import Given, Library, load
from content.format import INCLUDES_LIMIT

MAIN = """\
deck: many
title: Many
include: [shared.yaml, masks.yaml]
defaults: {level: 3}
cards:
  - {id: first, question: Why?, answer: So., follow_ups: [masked]}
"""
SHARED = """\
defaults: {level: 4, asked: 5, tags: [shared]}
experiments:
  twice:
    title: Twice
    parameters: {n: {default: 2, low: 1, high: 9}}
    compute: {double: n * 2}
"""
MASKS = """\
defaults: {tags: [masks]}
cards:
  - id: masked
    question: What is doubled?
    answer: Everything.
    verify: {experiment: twice, claims: [{says: It is., check: double == 2 * n}]}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a deck in three files."""
    folder = tmp_path / "decks"
    folder.mkdir()
    for name, text in {"main.yaml": MAIN, "shared.yaml": SHARED, "masks.yaml": MASKS}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def cards(library: Library) -> dict[str, Card]:
    assert () == library.problems
    return {card.id: card for loaded in library.decks for card in loaded.deck.cards}


def told(library: Library) -> list[tuple[str, int, int, str]]:
    return [(Path(found.path).name, found.line, found.column, found.message) for found in library.problems]


def test_several_files_are_one_deck(folder: Path) -> None:
    """The cards of the deck's own file come first, then those of the files that it includes, in the order in which it names them."""
    assert ["first", "masked"] == list(cards(load([folder / "main.yaml"])))


def test_defaults_of_the_nearest_file_win(folder: Path) -> None:
    """A card's own value, then its file's, then the deck's, then that of a file without cards, which is shared."""
    found = cards(load([folder / "main.yaml"]))

    assert [(3, 5, ("shared",)), (3, 5, ("masks",))] == [(one.level, one.asked, one.tags) for one in found.values()]


def test_computations_are_shared(folder: Path) -> None:
    """A card may stand on a computation of another file."""
    masked = cards(load([folder / "main.yaml"]))["masked"].verify
    assert masked is not None
    assert masked.computation is not None

    assert {"double": "n * 2"} == masked.computation.compute


@pytest.mark.parametrize("named", [".", "main.yaml", "masks.yaml", "shared.yaml"])
def test_a_file_stands_for_its_deck(folder: Path, named: str) -> None:
    """Whoever names the folder or any of the files gets the one deck, once, and no word about files that are no decks."""
    assert ["first", "masked"] == list(cards(load([folder / named])))
    assert ["first", "masked"] == list(cards(load([folder / named, folder / "masks.yaml", folder / "shared.yaml"])))


def test_decks_may_share_a_file(folder: Path) -> None:
    """Two decks of a folder include the same defaults."""
    (folder / "other.yaml").write_text(MAIN.replace("many", "other").replace(", masks.yaml", ""), encoding="utf-8")
    change(folder / "other.yaml", ", follow_ups: [masked]", "")

    assert ["many", "other"] == [loaded.deck.deck for loaded in load([folder]).decks]


def test_a_problem_is_told_where_it_is(folder: Path) -> None:
    """With the path of the file, and the line and column there; the caret's line is that file's."""
    change(folder / "masks.yaml", "answer: Everything.", "answr: Everything.")
    found = load([folder / "main.yaml"])

    assert [("masks.yaml", 5, 5, "answr is not a key of a card; did you mean answer?")] == told(found)
    assert "    answr: Everything." == found.problems[0].source


def test_what_is_said_without_a_run_is_told_where_it_is(folder: Path) -> None:
    """Checks that follow the reading use the same places: a claim, a text, an experiment."""
    change(folder / "masks.yaml", "double == 2 * n", "double ==")
    change(folder / "masks.yaml", "Everything.", "$a$ and {{b c}}.")
    found = [(Path(one.path).name, one.line) for one in checks.all_problems(load([folder / "main.yaml"]), ()) if one.severity == "error"]

    assert [("masks.yaml", 5), ("masks.yaml", 6)] == sorted(set(found))


def test_an_id_is_given_once_among_all_files(folder: Path) -> None:
    """The second is told, with the line and the file of the first."""
    change(folder / "masks.yaml", "id: masked", "id: first")

    assert [("masks.yaml", 3, 9, "the id first is already used in line 6 of main.yaml")] == told(load([folder / "main.yaml"]))


def test_an_experiment_is_given_once_among_all_files(folder: Path) -> None:
    """Nothing is silently put in the place of another file's."""
    change(folder / "masks.yaml", "cards:", 'experiments: {twice: {title: T, compute: {double: "3"}}}\ncards:')

    assert [("masks.yaml", 2, 15, "there is an experiment twice already, in line 3 of shared.yaml")] == told(load([folder / "main.yaml"]))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("none.yaml", "there is no file none.yaml beside this deck"),
        ("../main.yaml", "item 1 of include is ../main.yaml; it must be the name of a file beside this one, ending in .yaml"),
        ("/etc/passwd", "item 1 of include is /etc/passwd; it must be the name of a file beside this one, ending in .yaml"),
        (".hidden.yaml", "item 1 of include is .hidden.yaml; it must be the name of a file beside this one, ending in .yaml"),
        ("secret.txt", "item 1 of include is secret.txt; it must be the name of a file beside this one, ending in .yaml"),
        ("inner/main.yaml", "item 1 of include is inner/main.yaml; it must be the name of a file beside this one, ending in .yaml"),
        ("folder.yaml", "folder.yaml is not a file"),
        ("main.yaml", "main.yaml is a deck of its own: it has `deck:`"),
        ("other.yaml", "other.yaml is a deck of its own: it has `deck:`"),
    ],
)
def test_what_cannot_be_included_is_told_where_it_is_named(folder: Path, name: str, message: str) -> None:
    """A deck reaches no file but those beside it, and decks do not include each other."""
    (folder / "other.yaml").write_text(MAIN.replace("many", "other"), encoding="utf-8")
    for secret in (".hidden.yaml", "secret.txt"):
        (folder / secret).write_text(MASKS, encoding="utf-8")
    (folder / "folder.yaml").mkdir()
    change(folder / "main.yaml", "[shared.yaml, masks.yaml]", f"[{name}]")

    assert [("main.yaml", 3, 11, message)] == told(load([folder / "main.yaml"]))


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes need Unix")
@pytest.mark.parametrize("kind", ["link", "link to a folder's file", "pipe", "link to nowhere"])
def test_links_and_pipes_are_not_opened(folder: Path, tmp_path: Path, kind: str) -> None:
    """Wherever a link leads, it is none of the deck's files; a pipe is not waited for."""
    (folder / "masks.yaml").unlink()
    (tmp_path / "masks.yaml").write_text(MASKS, encoding="utf-8")
    match kind:
        case "link":
            os.symlink(folder / "shared.yaml", folder / "masks.yaml")
        case "link to a folder's file":
            os.symlink(tmp_path / "masks.yaml", folder / "masks.yaml")
        case "link to nowhere":
            os.symlink(tmp_path / "nowhere", folder / "masks.yaml")
        case _:
            os.mkfifo(folder / "masks.yaml")

    assert [("main.yaml", 3, 24, "masks.yaml is not a file")] == told(load([folder / "main.yaml"]))


@pytest.mark.parametrize(
    ("written", "column", "message"),
    [
        ("include: [main.yaml]", 1, "include belongs into the deck's own file, not into one that it includes"),
        ("title: Masks", 1, "title belongs into the deck's own file, not into one that it includes"),
        ("experimnts: {}", 1, "experimnts is not a key of a deck; did you mean experiments?"),
        ("defaults: {level: 9}", 19, "level is 9; it must be a whole number, 1 to 5"),
        ("cards: none", 8, "cards is none; it must be a list"),
        ("experiments: [a]", 14, "experiments is a list; it must be names with values"),
        ("- a", 1, "a file that a deck includes has keys with values"),
        ("deck", 1, "a file that a deck includes has keys with values"),
    ],
)
def test_what_an_included_file_cannot_hold(folder: Path, written: str, column: int, message: str) -> None:
    """Cards, experiments and defaults; it includes nothing, so that nothing goes round in circles. Each mistake is told once."""
    (folder / "masks.yaml").write_text(f"{written}\n", encoding="utf-8")
    change(folder / "main.yaml", ", follow_ups: [masked]", "")

    assert [("masks.yaml", 1, column, message)] == told(load([folder / "main.yaml"]))


def test_a_file_that_is_no_yaml(folder: Path) -> None:
    """Its own mistake is told, and the deck waits with what else it has."""
    (folder / "masks.yaml").write_text("cards:\n  - {id: masked\n", encoding="utf-8")
    found = load([folder])

    assert [("masks.yaml", 2, 5, "the mapping that opens with { is not closed")] == told(found)
    assert ((), 1) == (found.decks, len(found.drafts))


def test_a_deck_of_nothing_but_other_files(folder: Path) -> None:
    """It needs no cards of its own, and where its only file is missing that is the one thing to say."""
    (folder / "main.yaml").write_text("deck: many\ntitle: Many\ninclude: masks.yaml\n", encoding="utf-8")
    change(folder / "masks.yaml", "    verify: {experiment: twice, claims: [{says: It is., check: double == 2 * n}]}\n", "")
    assert ["masked"] == list(cards(load([folder / "main.yaml"])))

    (folder / "masks.yaml").unlink()
    assert [("main.yaml", 3, 10, "there is no file masks.yaml beside this deck")] == told(load([folder / "main.yaml"]))


def test_a_deck_from_a_pipe_has_nothing_beside_it() -> None:
    """Not even a file that lies where the program was started."""
    assert [("mine.yaml", 3, 10, "a deck from a pipe includes no files: it lies in no folder")] == told(
        load([Given("mine.yaml", MAIN.encode())])
    )


def test_all_files_together_have_a_limit(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one file may not have, several may not have either."""
    monkeypatch.setattr(includes, "SIZE_LIMIT", len(MAIN) + len(SHARED) + len(MASKS) - 1)

    assert ["with masks.yaml the deck has more than 0 MiB"] == [message for *_, message in told(load([folder / "main.yaml"]))]


def test_a_deck_has_so_many_files(folder: Path) -> None:
    """More are not opened."""
    for number in range(INCLUDES_LIMIT + 1):
        (folder / f"p{number}.yaml").write_text("cards: []\n", encoding="utf-8")
    names = ", ".join(f"p{number}.yaml" for number in range(INCLUDES_LIMIT + 1))
    change(folder / "main.yaml", "masks.yaml]", f"masks.yaml, {names}]")

    assert [f"include has {INCLUDES_LIMIT + 3} items; the limit is {INCLUDES_LIMIT}"] == [
        message for *_, message in told(load([folder / "main.yaml"]))
    ]


def test_the_paths_are_all_files_of_a_deck(folder: Path, tmp_path: Path) -> None:
    """Whoever waits for a change looks at them, also where the deck is refused or comes from the cache, or a file is missing."""
    expected = tuple(folder / name for name in ("main.yaml", "shared.yaml", "masks.yaml"))
    for _ in range(2):
        assert [expected] == [loaded.paths for loaded in load([folder], tmp_path / "cache").files]

    (folder / "masks.yaml").unlink()
    assert [expected] == [loaded.paths for loaded in load([folder], tmp_path / "cache").files]


def test_the_cache_knows_all_files(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A deck in several files is not read again as long as none of them changes, and places are still those of each file."""
    kept = tmp_path / "cache"
    load([folder], kept)
    read: list[str] = []
    fresh = library._fresh

    def counted(path: Path, cached: Path | None) -> library.Loaded:
        read.append(path.name)
        return fresh(path, cached)

    monkeypatch.setattr(library, "_fresh", counted)

    (loaded,) = load([folder], kept).decks
    assert [] == read
    assert (str(folder / "masks.yaml"), 3) == (loaded.place(("cards", 1)).path, loaded.place(("cards", 1)).line)

    change(folder / "masks.yaml", "Everything.", "All of it.")
    answer = cards(load([folder], kept))["masked"].answer
    assert (answer and answer.said("en"), "main.yaml" in read) == ("All of it.", True)
