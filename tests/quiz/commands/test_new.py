"""`qkv new`: a deck that passes as it stands, and cards added to decks whose every other byte stays."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner

from content.deck import checks
from content.deck.checks import deck_problems
from content.deck.library import LoadedDeck, load
from content.deck.new_card import NoPlace, append_card, sample_card
from content.deck.validation import ids_of
from content.format import Kind
from content.yaml.reader import read
from engine import Worker, names
from quiz.card.judge import JudgedCard, judge_card
from quiz.card.settings import OtherSettings
from quiz.cli import qkv
from quiz.commands import schema
from quiz.commands.check_report import CodeReport
from tests.quiz.commands.listings import check_code

KINDS: tuple[Kind, ...] = get_args(Kind)
counted = itertools.count()

SMALL = """\
# mine
deck: small  # the deck
cards:
- id: one   # the first

  question: Why?
  answer: |
    So.

    # no comment, but text
# about the title
title: Small
"""


@pytest.fixture(autouse=True)
def no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The schema for editors is made without starting the engine; `test_schema` makes the real one."""
    monkeypatch.setattr(schema, "_made", lambda: schema.text(()))


def new(*arguments: str, code: int = 0) -> str:
    """What `qkv new` says on stderr; its exit code must be the one expected. stdout stays empty."""
    done = CliRunner().invoke(qkv, ["new", *arguments, "--lang", "en"])

    assert (code, "") == (done.exit_code, done.stdout), done.output
    return done.stderr


def loaded(path: Path) -> LoadedDeck:
    """The deck of a file that has no problem at all."""
    library = load((path,))
    (deck,) = library.decks

    assert [] == [*library.problems, *deck_problems(deck, names())]
    return deck


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_new_deck_passes(worker: Worker, tmp_path: Path, language: str) -> None:
    """Every kind once, in both languages, no problem, every claim holds and can fail; it is named after its file."""
    path = tmp_path / "My Deck 2.yaml"
    assert 0 == CliRunner().invoke(qkv, ["new", str(path), "--lang", language]).exit_code
    deck = loaded(path)

    assert "my-deck-2" == deck.deck.deck
    assert KINDS == tuple(card.kind for card in deck.deck.cards)
    assert {("en", "zh")} == {card.question.languages for card in deck.deck.cards}
    others = OtherSettings(worker)
    assert [JudgedCard(held=len(card.verify.claims)) for card in deck.deck.cards if card.verify] == [
        judge_card(deck, index, card, worker, others, 5) for index, card in enumerate(deck.deck.cards)
    ]
    assert CodeReport(cards=1, proved=1) == check_code(deck, worker)


def test_its_comments_speak_one_language(tmp_path: Path) -> None:
    """`--lang zh` writes Chinese comments, and no mark of the template is left."""
    comments = {"en": "# What every card has", "zh": "# 每张卡片的默认值"}
    for language in comments:
        path = tmp_path / f"{language}.yaml"
        CliRunner().invoke(qkv, ["new", str(path), "--lang", language])
        text = path.read_text(encoding="utf-8")

        assert [language] == [one for one, said in comments.items() if said in text]
        assert not any(mark in text for mark in ("#en", "#zh"))


def test_an_editor_finds_the_schema(tmp_path: Path) -> None:
    """The first line names the person's copy of the schema, as an address without spaces; it is there."""
    new(str(tmp_path / "a.yaml"))
    first = (tmp_path / "a.yaml").read_text(encoding="utf-8").splitlines()[0]
    mark, _, address = first.partition("$schema=file://")

    assert "# yaml-language-server: " == mark
    assert (schema.schema_path(), schema.text(())) == (Path(address), Path(address).read_text(encoding="utf-8"))


def test_a_deck_needs_no_schema(tmp_path: Path) -> None:
    """Where the copy cannot be written, a sentence says so, and the deck is there and right."""
    (tmp_path / "data").touch()
    said = new(str(tmp_path / "a.yaml"))

    assert "The schema for editors cannot be written to" in said
    assert loaded(tmp_path / "a.yaml")


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """A file that exists stays as it is: exit 2, and what to do instead."""
    path = tmp_path / "a.yaml"
    path.write_bytes(b"mine")

    assert "exists and is left as it is" in new(str(path), code=2)
    assert b"mine" == path.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("a",), "ends in .yaml"),
        (("no/such/folder/a.yaml",), "no such file or directory"),
        (("a\0.yaml",), "cannot be written"),
        (("a.yaml", "--kind", "order"), "name the card with --card ID"),
        (("a.yaml", "--card", "one"), "There is no file"),
        (("a.yaml", "--card", "Not An Id"), "cannot be an id"),
    ],
)
def test_mistakes_are_usage(arguments: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be done is a sentence, exit 2, and no file."""
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(qkv, ["new", *arguments, "--lang", "en"])

    assert (2, []) == (done.exit_code, list(tmp_path.iterdir()))
    assert said in done.output


@pytest.mark.parametrize("kind", KINDS)
def test_a_card_of_each_kind_can_be_added(tmp_path: Path, kind: Kind) -> None:
    """The card is the last one, has the id and the kind, and is full of gaps: each is told at its place, and nothing else of the deck."""
    path = tmp_path / "a.yaml"
    new(str(path))
    before = path.read_bytes()
    said = new(str(path), "--card", "another", "--kind", kind)
    library = load((path,))
    lines = path.read_text(encoding="utf-8").splitlines()
    line = lines.index("  - id: another") + 1
    (draft,) = library.drafts
    last = draft.fragments[len(KINDS)]

    assert path.read_bytes().startswith(before)
    assert (kind, "another") == (last.kind, last.id)
    assert f"a.yaml:{line}: the card another" in said
    assert [number for number, text in enumerate(lines, 1) if "TODO: " in text and not text.strip().startswith(("#", "TODO"))] == sorted(
        problem.line for problem in checks.all_problems(library, names()) if "listing" not in problem.source
    )


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_filled_card_passes(tmp_path: Path, kind: Kind, language: str) -> None:
    """Every gap says what belongs there in the author's language, and with all of them filled the card is one like any other."""
    path = tmp_path / "a.yaml"
    path.write_text("deck: a\ntitle: A\ncards:\n", encoding="utf-8")
    assert 0 == CliRunner().invoke(qkv, ["new", str(path), "--card", "b", "--kind", kind, "--lang", language]).exit_code
    text = path.read_text(encoding="utf-8")
    gaps = re.findall(r"TODO: .*", re.sub(r" *#.*", "", text))
    text = re.sub(
        r"experiment: .*", "experiment: softmax", re.sub(r"check: .*", lambda _: f"check: shift_change < {next(counted)}e-9", text)
    )
    text = re.sub(r"inputs: .*", "inputs: {x: ones(2)}", re.sub(r"compare: .*", "compare: x", text))
    text = re.sub(r"agrees: .*", "agrees: wrong > shift_change", re.sub(r"asked: .*", "asked: 3", text))
    text = re.sub(r"checked: .*", "checked: 2026-11-30", re.sub(r"- \"TODO: a tag.*|- \"TODO: 标签.*|- \"TODO: 便于.*", "- tag", text))
    text = re.sub(r"quantity: .*", "quantity: naive_unusable", re.sub(r"wrong_line: .*", "wrong_line: 1", text))
    path.write_text(re.sub(r"TODO: [^\n\"]*", lambda _: f"word {next(counted)}", text), encoding="utf-8")

    assert len(gaps) > 8
    assert {language} == {"zh" if re.search("[\u4e00-\u9fff]", gap) else "en" for gap in gaps}
    assert not any("|" in gap for gap in gaps)
    assert (kind, "b") == (loaded(path).deck.cards[0].kind, loaded(path).deck.cards[0].id)


@pytest.mark.parametrize(
    "text",
    [
        SMALL,
        SMALL.replace("\n", "\r\n"),
        "\ufeff" + SMALL,
        SMALL.rstrip("\n"),
        "deck: a\ntitle: A\ncards:\n",
        "deck: a\ntitle: A\ncards:  # none yet",
        "deck: a\ntitle: A\ncards:\n    - id: b\n      question: Q\n      answer: |+\n        A\n\n\n# the end",
        "cards:\n  - {id: b, question: Q, answer: A}\ndeck: a\ntitle: A\n",
        "deck: a\ntitle: A\ncards:\n- id: b\n  question: Q\n  answer: A\n",
        "deck: a\ntitle: A\ncards:\n      - id: b\n        question: Q\n        answer: A\n",
        "deck: a\r\ntitle: A\r\ncards:\r\n- id: b\r\n  question: Q\r\n  answer: A",
        "deck: a\ntitle: A\ncards:\n  - id: b\n    question: Q\n    answer: A\n\n  # of the next card\n# the end\n\n",
        "deck: a\ntitle: 题库\ncards:\n  - id: b\n    question: 为什么？\n    answer: |-\n      因为\n      如此\n",
        "deck: a\n标题: 题库\ncards:\n  - id: b\n    问题: 为什么？\n    答案: 因为\n备注: 完\n",
        "title: A\ndeck: a\ncards:\n  - id: b\n    question: Q\n    answer: A\ndefaults: {level: 2}",
    ],
)
def test_every_other_byte_stays(text: str) -> None:
    """The changed file is the old one with something put in between, its line ends those of the file, and one card more."""
    data = text.encode()
    tree, _ = read("a.yaml", data)
    assert tree is not None
    changed, line = append_card(tree, data, sample_card("order", "another", "en"))
    start = next((place for place, (old, now) in enumerate(zip(data, changed, strict=False)) if old != now), len(data))
    rest = data[start:]
    added = changed[start : len(changed) - len(rest)]
    again, problems = read("a.yaml", changed)

    assert changed.endswith(rest)
    assert added.count(b"\n") == added.count(b"\r\n") or b"\r" not in data
    assert again is not None
    assert isinstance(again.root, dict)
    assert [] == problems
    assert "another" == again.root["cards"][-1]["id"]  # type: ignore[index, call-overload]
    assert b"- id: another" == changed.split(b"\n")[line - 1].strip()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("more", ["", "  # none yet", "\ndefaults: {level: 2}"])
def test_empty_brackets_make_room(end: str, more: str) -> None:
    """`cards: []` becomes a list of one card; every other line stays."""
    text = f"deck: a\ntitle: A\ncards: []{more}\n".replace("\n", end)
    tree, _ = read("a.yaml", text.encode())
    assert tree is not None
    changed, line = append_card(tree, text.encode(), sample_card("order", "another", "en"))
    again, problems = read("a.yaml", changed)

    assert [] == problems
    assert again is not None
    assert isinstance(again.root, dict)
    assert ["another"] == [one["id"] for one in again.root["cards"]]  # type: ignore[index, call-overload]
    added = sample_card("order", "another", "en").replace("\n", end)
    assert text.replace(" []", "").split() == changed.decode().replace(added, "").split()
    assert "- id: another" == changed.decode().split(end)[line - 1].strip()


def test_a_comment_stays_with_its_key() -> None:
    """A key that follows the cards keeps the comment above it: the new card comes before both."""
    tree, _ = read("a.yaml", SMALL.encode())
    assert tree is not None
    changed, _ = append_card(tree, SMALL.encode(), sample_card("order", "another", "en"))

    assert changed.endswith(b"\n# about the title\ntitle: Small\n")
    assert b"# about" not in changed[: changed.index(b"- id: another")]


@pytest.mark.parametrize(
    "text",
    [
        "deck: a\ntitle: A\ncards: [{id: b, question: Q, answer: A}]\n",
        "{deck: a, title: A, cards: [{id: b, question: Q, answer: A}]}\n",
        "deck: a\ntitle: A\ncards:\n  -\n    id: b\n    question: Q\n    answer: A\n",
        "deck: a\ntitle: A\ncards: none\n",
        "deck: a\ntitle: A\n",
        "deck: a\ntitle: A\ncards:\n  - {id: b, question: Q, answer: A}\n...\n",
        "deck: a\ntitle: A\ncards:\n  - id: b\n    question: Q\n    answer: A\n? \n# c\nformerly: [z]\n",
        "just a text",
    ],
)
def test_where_no_line_can_be_added_nothing_is(text: str, tmp_path: Path) -> None:
    """A deck in another form is refused: exit 1, and the file stays."""
    path = tmp_path / "a.yaml"
    path.write_text(text, encoding="utf-8")

    assert "Nothing was changed." in new(str(path), "--card", "another", code=1)
    assert text == path.read_text(encoding="utf-8")
    tree, _ = read("a.yaml", text.encode())
    assert tree is not None
    with pytest.raises(NoPlace):
        append_card(tree, text.encode(), sample_card("order", "another", "en"))


def test_an_id_belongs_to_one_card(tmp_path: Path) -> None:
    """An id that a card has or had is refused, and the file stays."""
    path = tmp_path / "a.yaml"
    path.write_text(SMALL.replace("  question", "  formerly: [zero]\n  question"), encoding="utf-8")
    before = path.read_bytes()

    for name in ("one", "zero"):
        assert f"has a card {name} already, or had one" in new(str(path), "--card", name, code=2)
    assert before == path.read_bytes()


def test_a_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    """The reader's own problems, exit 1."""
    path = tmp_path / "a.yaml"
    path.write_text("deck: 'a\n", encoding="utf-8")

    assert "a.yaml:1:7: error:" in new(str(path), "--card", "b", code=1)


def test_a_link_and_its_rights_stay(tmp_path: Path) -> None:
    """A card added through a link changes the file behind it, whose permissions stay; nothing else is left beside it."""
    real, link = tmp_path / "real.yaml", tmp_path / "link.yaml"
    new(str(real))
    real.chmod(0o640)
    link.symlink_to(real)
    new(str(link), "--card", "another")

    assert (True, 0o640) == (link.is_symlink(), real.stat().st_mode & 0o777)
    assert {"real.yaml", "link.yaml", "data"} == {path.name for path in tmp_path.iterdir()}
    assert "- id: another" in real.read_text(encoding="utf-8")


@pytest.fixture
def several(tmp_path: Path) -> Path:
    """A deck whose cards are in another file."""
    (tmp_path / "main.yaml").write_text("deck: a\ntitle: A\ninclude: [part.yaml, shared.yaml]\n", encoding="utf-8")
    (tmp_path / "part.yaml").write_text("cards:\n  - {id: one, question: Why?, answer: So.}\n", encoding="utf-8")
    (tmp_path / "shared.yaml").write_text("defaults: {level: 2}", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("file", ["main.yaml", "part.yaml", "shared.yaml"])
def test_a_card_for_any_file_of_a_deck(several: Path, file: str) -> None:
    """It is added to the file that was named, which gets its cards where it has none, and the deck has it."""
    before = (several / file).read_text(encoding="utf-8")
    new(str(several / file), "--card", "another")
    (draft,) = load((several,)).drafts

    assert (several / file).read_text(encoding="utf-8").startswith(before)
    assert {"one", "another"} == ids_of(draft.tree)


@pytest.mark.parametrize("file", ["main.yaml", "part.yaml", "shared.yaml"])
def test_an_id_belongs_to_one_card_of_all_files(several: Path, file: str) -> None:
    """An id that a card of another file has is refused as well."""
    assert "has a card one already" in new(str(several / file), "--card", "one", code=2)
