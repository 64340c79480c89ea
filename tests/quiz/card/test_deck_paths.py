"""Which decks there are: the bundled ones, the person's own beside the progress, and files anywhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from content.deck.deck_files import bundled
from quiz.card.card_location import CardLocation, locate_card
from quiz.card.deck_paths import MissingDeck, all_deck_paths, note_studied, resolve_decks, studied_elsewhere, user_deck_folder
from quiz.cli import qkv
from tests.quiz.driving import Running, screen_text

DECK = "deck: {}\ntitle: {}\ncards:\n  - {{id: only, question: Why mine?, answer: So.}}\n"


@pytest.fixture
def own(own_data: Path) -> Path:
    """The person's own deck: the id is mine, the file is notes.yaml."""
    folder = own_data / "decks"
    folder.mkdir(parents=True)
    path = folder / "notes.yaml"
    path.write_text("# mine\n" + DECK.format("mine", "My notes"), encoding="utf-8")
    return path


def ids(*names: str) -> list[str]:
    return [loaded.deck.deck for loaded in resolve_decks(names)().decks]


def test_own_decks_lie_beside_the_progress(own_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In QKV_DATA when it is set, in the system's place for a person's data otherwise."""
    assert own_data / "decks" == user_deck_folder()
    monkeypatch.delenv("QKV_DATA")
    assert ("qkv", "decks") == user_deck_folder().parts[-2:]


def test_without_own_decks_there_are_the_bundled_ones() -> None:
    """A missing folder is no problem."""
    assert bundled() == all_deck_paths()
    assert () == resolve_decks(())().problems


def test_own_decks_are_read_after_the_bundled_ones(own: Path) -> None:
    """Without a name, everything on the shelf is read."""
    assert (*bundled(), own) == all_deck_paths()
    assert "mine" == ids()[-1]


@pytest.mark.parametrize("name", ["mine", "notes"])
def test_an_own_deck_is_found_by_id_and_by_file_name(own: Path, name: str) -> None:
    """`qkv quiz mine` finds the deck whatever its file is called."""
    assert ["mine"] == ids(name)


@pytest.mark.parametrize("fails", ["write_text", "replace"])
def test_a_deck_that_could_not_be_noted(own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str) -> None:
    """On a full disk the decks of a session are not noted, and nothing half done is left."""
    elsewhere = tmp_path / "elsewhere.yaml"
    elsewhere.write_text(DECK.format("other", "Other"), encoding="utf-8")
    before = sorted(own.parent.parent.iterdir())
    original = getattr(Path, fails)

    def full(path: Path, *given: object, **named: object) -> None:
        if fails == "write_text":
            original(path, *given, **named)
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(Path, fails, full)
        note_studied([elsewhere])
    assert before == sorted(own.parent.parent.iterdir())

    note_studied([elsewhere])
    assert (elsewhere,) == studied_elsewhere()


@pytest.mark.parametrize("head", ['\ufeffdeck: "mine"', "---\ndeck : mine", "{deck: mine, title: [", "title: {en: x}\ndeck: 'mine'"])
def test_the_id_is_found_however_it_is_written(own: Path, head: str) -> None:
    """Also a deck that cannot be read is found by its id, so that its problems are told instead of `no such deck`."""
    own.write_text(head, encoding="utf-8")

    assert {str(own)} == {problem.path for problem in resolve_decks(("mine",))().problems}


def test_a_bundled_deck_keeps_its_name(own: Path) -> None:
    """A person's file cannot hide a bundled deck; the two are told apart by a message that names both files."""
    own.write_text(DECK.format("attention", "Mine"), encoding="utf-8")
    library = resolve_decks(())()
    (ours,) = [path for path in bundled() if path.stem == "attention"]

    assert [ours] == [loaded.path for loaded in resolve_decks(("attention",))().decks]
    (problem,) = library.problems
    assert (str(own), f"the deck id attention is already that of {ours}") == (problem.path, problem.message)


def test_a_file_in_the_working_folder_comes_first(own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path that exists is that file."""
    (tmp_path / "mine").write_text(DECK.format("other", "Other"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    assert ["other"] == ids("mine")


def test_a_missing_deck_names_what_there_is(own: Path) -> None:
    """A misspelt name is answered with the nearest one."""
    with pytest.raises(MissingDeck, match=r"There is no deck notez\. Did you mean notes\?"):
        resolve_decks(("notez",))


def test_a_missing_deck_is_told_in_the_chosen_language(own: Path) -> None:
    """The sentence, its question and the list of names are Chinese where the interface is."""
    told = CliRunner().invoke(qkv, ["quiz", "notez", "--plain", "--lang", "zh"]).output

    assert "没有题库 notez。是不是想写 notes？文件要写出路径，例如 my/deck.yaml。" == told.strip()


def test_a_file_needs_its_ending(own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who names a file of the working folder without .yaml is told so."""
    (tmp_path / "draft.yaml").write_text(DECK.format("draft", "Draft"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    with pytest.raises(MissingDeck, match=r"There is no deck draft, but a file: write draft\.yaml\."):
        resolve_decks(("draft",))


def test_a_folder_that_is_none_is_a_problem(own_data: Path) -> None:
    """Whatever stands in the folder's place, the bundled decks are read and a sentence says what is wrong."""
    own_data.mkdir(parents=True)
    (own_data / "decks").write_text("x", encoding="utf-8")
    library = resolve_decks(())()

    assert len(bundled()) == len(library.decks)
    assert {str(own_data / "decks")} == {problem.path for problem in library.problems}


def test_the_commands_know_own_decks(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`qkv cards` lists their cards, `qkv show` prints them, `qkv check` reads them, beside a bundled one."""
    first = bundled()[:1]
    monkeypatch.setattr("content.deck.deck_files.bundled", lambda: first)
    run = CliRunner().invoke

    assert "mine" in {card["deck"] for card in json.loads(run(qkv, ["cards", "--json"]).stdout)}
    assert "Why mine?" in run(qkv, ["show", "mine/only", "--lang", "en"]).stdout
    assert f"{own}:5:" in run(qkv, ["check", "--no-run"]).stdout


def test_a_bad_own_deck_hides_nothing(own: Path) -> None:
    """The list of cards stays whole on stdout; what is wrong is told on stderr."""
    own.write_text("deck: mine\n", encoding="utf-8")
    done = CliRunner().invoke(qkv, ["cards", "--json"])

    assert 0 == done.exit_code
    assert {"attention"} <= {card["deck"] for card in json.loads(done.stdout)}
    assert "error: a deck needs title" in done.stderr


async def test_home_shows_own_decks(own: Path, running: Running) -> None:
    """A row for it, beside the bundled ones."""
    async with running(decks=("mine", "attention")) as pilot:
        assert "My notes" in screen_text(pilot)


@pytest.fixture
def several(own_data: Path) -> Path:
    """The person's own deck in two files."""
    folder = own_data / "decks"
    folder.mkdir(parents=True)
    head, cards = DECK.format("mine", "My notes").split("cards:")
    (folder / "notes.yaml").write_text(f"{head}include: [more.yaml]\n", encoding="utf-8")
    (folder / "more.yaml").write_text(f"cards:{cards}", encoding="utf-8")
    return folder


def test_a_deck_in_several_files_is_one(several: Path) -> None:
    """It is on the shelf once, is found by its id, by its path and by that of its other file, and by what is in the cache."""
    ours = {path.stem for path in bundled()}
    for _ in range(2):
        assert ["mine"] == [name for name in ids() if name not in ours]
        assert [["mine"]] * 3 == [ids("mine"), ids(str(several / "notes.yaml")), ids(str(several / "more.yaml"))]
        assert () == resolve_decks(())().problems


def test_a_card_is_opened_in_its_own_file(several: Path) -> None:
    """The editor gets the file that holds the card, at its line there."""
    assert CardLocation(several / "more.yaml", 2) == locate_card(resolve_decks(("mine",))(), ("mine", "only"))


def test_the_commands_know_a_deck_in_several_files(several: Path) -> None:
    """`qkv show` prints a card of its other file."""
    assert "Why mine?" in CliRunner().invoke(qkv, ["show", "mine/only", "--lang", "en"]).stdout
