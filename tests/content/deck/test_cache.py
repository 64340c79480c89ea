"""The cache of decks: it is quicker, and nothing else can be told of it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from content.deck import cache, validation
from content.deck.library import Library, load
from content.yaml.tree import Tree

DECK = "deck: sample\ntitle: T\ncards:\n  - {id: a, question: Why?, answer: So.}\n  - {id: b, question: How?, answer: Thus.}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "decks"


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    path = tmp_path / "deck.yaml"
    path.write_text(DECK, encoding="utf-8")
    return path


@pytest.fixture
def read(deck: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """One for each deck that is read from its YAML; the sample has been read and is in the cache."""
    found: list[object] = []
    validate = validation.validate

    def counted(tree: Tree) -> object:
        found.append(tree)
        return validate(tree)

    monkeypatch.setattr(validation, "validate", counted)
    load([deck], folder)
    found.clear()
    return found


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob("*"))


def answers(library: Library) -> list[str]:
    assert () == library.problems
    return [card.answer.said("en") for loaded in library.decks for card in loaded.deck.cards if card.answer]


def test_a_deck_that_has_not_changed_is_not_read_again(deck: Path, folder: Path, read: list[object]) -> None:
    """The second time it comes from the cache, and is the same deck."""
    assert load([deck]).decks[0].deck == load([deck], folder).decks[0].deck
    assert 1 == len(read)


def test_without_a_folder_nothing_is_kept(deck: Path, folder: Path, read: list[object]) -> None:
    """`qkv check` judges what is in the file."""
    load([deck])

    assert 1 == len(read)


def test_one_other_byte_is_another_deck(deck: Path, folder: Path, read: list[object]) -> None:
    """Also where the file keeps its size and its time."""
    before = deck.stat()
    deck.write_text(DECK.replace("So.", "No."), encoding="utf-8")
    os.utime(deck, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert ["No.", "Thus."] == answers(load([deck], folder))
    assert 2 == len(entries(folder))


def test_another_program_reads_for_itself(deck: Path, folder: Path, read: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    """An update may take for a mistake what was none before."""
    monkeypatch.setattr(cache, "_reader", lambda: b"of tomorrow")

    assert ["So.", "Thus."] == answers(load([deck], folder))
    assert 1 == len(read)


def test_every_module_that_reads_a_deck_is_part_of_its_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change of the language of claims or of the markup makes other decks of the same bytes."""
    monkeypatch.setattr(cache, "__file__", str(tmp_path / "deck" / "cache.py"))
    programs = {cache._reader.__wrapped__()}
    modules = ["format.py", "deck/model.py", "yaml/reader.py", "claims/parser.py", "text/markup.py"]
    for module in modules:
        (tmp_path / module).parent.mkdir(exist_ok=True)
        (tmp_path / module).write_text("")
        programs.add(cache._reader.__wrapped__())

    assert 1 + len(modules) == len(programs)


@pytest.mark.parametrize("content", [b"", b"\xff", b"{}", b"\0" * 100, b'{"deck": "sample"}', b"[" * 10_000])
def test_a_broken_entry_is_none(deck: Path, folder: Path, read: list[object], content: bytes) -> None:
    """It is read as usual, nothing is said, and the entry is mended."""
    (entry,) = entries(folder)
    entry.write_bytes(content)

    assert [["So.", "Thus."]] * 2 == [answers(load([deck], folder)) for _ in range(2)]
    assert 1 == len(read)


def test_of_a_huge_entry_only_the_start_is_read(deck: Path, folder: Path, read: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever fills a cache does not fill the memory."""
    (entry,) = entries(folder)
    monkeypatch.setattr(cache, "ENTRY_LIMIT", entry.stat().st_size - 1)

    assert ["So.", "Thus."] == answers(load([deck], folder))
    assert 1 == len(read)


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have owners on Unix")
def test_a_file_of_somebody_else_is_no_entry(deck: Path, folder: Path, read: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder that others may write to, too, only what this person's program wrote is taken."""
    own = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: own + 1)

    assert ["So.", "Thus."] == answers(load([deck], folder))
    assert 1 == len(read)


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes with a name")
def test_a_pipe_does_not_hold_the_program(deck: Path, folder: Path, read: list[object]) -> None:
    """Nothing that stands where an entry should be makes the start wait."""
    (entry,) = entries(folder)
    entry.unlink()
    os.mkfifo(entry)

    assert ["So.", "Thus."] == answers(load([deck], folder))


@pytest.mark.parametrize("where", ["cache", "cache/decks"])
def test_a_folder_that_cannot_be_written(deck: Path, tmp_path: Path, where: str) -> None:
    """Without a place for the cache everything is as it was before there was one."""
    (tmp_path / where).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / where).write_text("a file", encoding="utf-8")

    assert [["So.", "Thus."]] * 2 == [answers(load([deck], tmp_path / "cache" / "decks")) for _ in range(2)]


@pytest.mark.parametrize("more", ["  - {id: c, question: Why?}\n", "  - {id: a, question: Why?, answer: So.}\n", "  # a comment\n- x"])
def test_problems_are_told_every_time(deck: Path, folder: Path, more: str) -> None:
    """A deck with a problem is not kept, so the problem is there at the next start, too."""
    deck.write_text(DECK + more, encoding="utf-8")
    first, second = load([deck], folder), load([deck], folder)

    assert () != first.problems == second.problems
    assert [] == entries(folder)


def test_a_warning_is_a_problem(deck: Path, folder: Path) -> None:
    """A deck that can be used and has something to be said of it is not kept either."""
    deck.write_text(DECK.replace("So.", '"\\nabla"'), encoding="utf-8")
    first, second = load([deck], folder), load([deck], folder)

    assert ["warning"] == [problem.severity for problem in first.problems] == [problem.severity for problem in second.problems]


def test_two_decks_of_one_id_are_a_problem_with_its_place(deck: Path, folder: Path, read: list[object]) -> None:
    """A deck from the cache knows where its values stand, by reading its file then."""
    other = deck.with_name("other.yaml")
    other.write_text(DECK + "# another\n", encoding="utf-8")

    assert load([deck, other]).problems == load([deck, other], folder).problems == load([deck, other], folder).problems


def test_the_place_of_a_card(deck: Path, folder: Path, read: list[object]) -> None:
    """The editor opens at the card's line; where the file is gone, at its start."""
    (loaded,) = load([deck], folder).decks
    assert 5 == loaded.place(("cards", 1)).line

    (loaded,) = load([deck], folder).decks
    deck.unlink()
    assert (1, 1) == loaded.place(("cards", 1))[:2]


def test_old_entries_make_room(deck: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An author who saves a thousand times does not fill the disk: the newest are kept."""
    load([deck], folder)
    size = entries(folder)[0].stat().st_size
    monkeypatch.setattr(cache, "FOLDER_LIMIT", 3 * size)
    for number in range(5):
        deck.write_text(f"{DECK}# {number}\n", encoding="utf-8")
        load([deck], folder)
        (entry,) = set(entries(folder)) & {cache.entry_for(folder, deck.read_bytes())}
        os.utime(entry, (number, number))

    assert 3 == len(entries(folder))
    assert cache.entry_for(folder, deck.read_bytes()) in entries(folder)
