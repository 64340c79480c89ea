"""Cards set aside and cards in trouble in the plain session, where what to do is typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from quiz.memory.scheduler import Grade
from quiz.memory.study_day import Moment
from quiz.progress.decisions import Decision, Decisions
from quiz.progress.reviews import Review
from tests.quiz.commands.own_deck import DECK, decisions, run, store, today

pytestmark = pytest.mark.usefixtures("shelf")


@pytest.mark.parametrize(("word", "kind"), [("suspend", "suspended"), ("@", "suspended"), ("bury", "buried"), ("-", "buried")])
def test_plain_words(word: str, kind: str) -> None:
    """At any prompt the word or Anki's sign sets the card aside, says so, and the next card comes."""
    told, _ = run("quiz", "--plain", "--lang", "en", typed=f"{word}\nq\n")

    assert {("own", "one")} == set(getattr(decisions(), kind))
    assert "one comes back tomorrow" in told or "one is suspended" in told
    assert "[1/2] three" in told


def test_plain_undo_of_a_mark() -> None:
    """u at the next grade takes the mark back, and the card is asked after all."""
    told, _ = run("quiz", "--plain", "--lang", "en", typed="suspend\n\n\nu\n\n\n3\nq\n")

    assert frozenset() == decisions().suspended
    assert 2 == told.count("] one")


def test_plain_practice_sets_nothing_aside() -> None:
    """It says why, and asks the card again."""
    told, _ = run("quiz", "--plain", "--practice", "--lang", "en", typed="suspend\nq\n")

    assert "Practice sets nothing aside" in told
    assert Decisions() == decisions()


def test_plain_leech(own_data: Path) -> None:
    """A card that keeps failing comes with its detail before it is answered; there is no lab to move here."""
    verify = "verify: {experiment: nothing, claims: [{says: So., check: x > 1}]}"
    (own_data / "decks" / "own.yaml").write_text(DECK.replace("Because of it.}", f"Because of it., {verify}}}"), encoding="utf-8")
    with store() as opened:
        for n in range(5):
            for grade, days in ((Grade.good, 40 - 4 * n), (Grade.again, 38 - 4 * n)):
                opened.record(Review.new(Moment(0, today().toordinal() - days), ("own", "three"), grade))
    told, _ = run("quiz", "--plain", "--weak", "--lang", "en", typed="q\n")

    assert "Failed 5 times. Read the detail, then answer." in told
    assert "Because of it." in told


def test_along_a_path(own_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--path asks its cards in its order, as many new ones a day as it says, unless --new says another number."""
    (tmp_path / "back.yaml").write_text("title: B\nsays: S\nnew: 1\ncards: [own/three, own/one]\n", encoding="utf-8")
    monkeypatch.setattr("content.deck.learning_paths.FOLDER", tmp_path)

    assert "[1/1] three" in run("quiz", "--plain", "--path", "back", "--lang", "en", typed="q\n")[0]
    assert "[1/2] three" in run("quiz", "--plain", "--path", "back", "--new", "9", "--lang", "en", typed="q\n")[0]
    assert "There is no path first-week; there are back." in run("quiz", "--plain", "--path", "first-week", "--lang", "en", code=2)[1]


def test_new_cards_by_wish() -> None:
    """`--new N` is the day's number of new cards; without any nothing is left to do, and it says so."""
    assert "[1/1]" in run("quiz", "--plain", "--new", "1", typed="q\n")[0]
    assert "Nothing is due today, and no card here has been met" in run("quiz", "--plain", "--new", "0", "--lang", "en", typed="q\n")[0]


def test_nothing_fits() -> None:
    """A tag that no card has is not the same as nothing being due, nor is practice in which every card is suspended."""
    assert "No card has that tag, level or kind." in run("quiz", "--plain", "--tag", "nope", "--lang", "en")[0]
    assert "没有符合" in run("quiz", "--plain", "--practice", "--tag", "nope", "--lang", "zh")[0]
    with store() as opened:
        for card in ("one", "two", "three"):
            opened.decide(Decision.new("suspend", ("own", card), Moment.now()))
    assert "Every card here is suspended." in run("quiz", "own", "--plain", "--practice", "--lang", "en")[0]


def test_an_interrupt_is_an_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl+c ends with the summary, and with the code by which a shell's loop ends, too."""

    def interrupted(*_: object, **__: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("quiz.commands.plain_session.Talk.ask", interrupted)

    assert "No card was graded." in run("quiz", "--plain", "--lang", "en", code=130)[0]


TWO_RUNS = """\
deck: own
title: Own
cards:
  - id: square
    kind: number
    question: "How many times more from {{short.tokens}} to {{long.tokens}} tokens?"
    number: {quantity: long.pairs_multiply_adds / short.pairs_multiply_adds}
    answer: "{{pairs_multiply_adds:,}}, then {{long.pairs_multiply_adds:,}}; {{soft.raw_std_low:.1f}} to {{soft.raw_std_high:.1f}}."
    verify:
      runs:
        short: {experiment: attention_cost, set: {tokens: 128}}
        long: {experiment: attention_cost, set: {tokens: {en: 256, zh: 1024}}}
        soft: {experiment: softmax_saturation, set: {d_k: 64}, seeds: 5}
      claims: [{says: More., check: "long.pairs_multiply_adds > 2 * short.pairs_multiply_adds"}]
"""


@pytest.mark.parametrize(("language", "tokens", "times", "total"), [("en", 256, "4", "100,663,296"), ("zh", 1024, "64", "1,610,612,736")])
def test_several_runs(own_data: Path, language: str, tokens: int, times: str, total: str) -> None:
    """The question shows what they set, the guess is held against an expression of them, the answer shows them all."""
    (own_data / "decks" / "own.yaml").write_text(TWO_RUNS, encoding="utf-8")
    told, _ = run("quiz", "--plain", "--lang", language, typed=f"{times}\n\n3\nq\n")

    assert f"from 128 to {tokens} tokens?" in told
    assert "✔" in told
    assert f"25,165,824, then {total}; 7." in told
    assert "✔ More." in told
