"""A tree to a deck, or to every reason against it."""

from __future__ import annotations

from datetime import date

import pytest

from content.deck import model
from content.deck.cards import Deck
from content.deck.validation import valid_cards, validate
from content.yaml.problems import Problem
from content.yaml.reader import read
from tests.content.deck.good_deck import GOOD


def deck_of(text: str) -> Deck:
    tree, problems = read("a.yaml", text.encode())
    assert tree is not None
    deck, more = validate(tree)
    assert [] == [*problems, *more]
    assert deck is not None
    return deck


def problems_of(text: str) -> list[Problem]:
    tree, problems = read("a.yaml", text.encode())
    assert tree is not None
    assert [] == problems
    deck, problems = validate(tree)
    assert deck is None
    return sorted(problems)


def card(lines: str) -> str:
    return "deck: d\ntitle: T\ncards:\n  - " + lines.replace("\n", "\n    ") + "\n"


def test_a_good_deck_becomes_numbers_dates_and_texts_where_the_model_asks() -> None:
    """Text becomes what the model says it is, and stays text elsewhere."""
    one, two = deck_of(GOOD).cards
    assert date(2026, 11, 29) == one.checked
    assert one.verify is not None
    assert {"d_k": "512", "scaled": "no"} == one.verify.set
    assert [("4", True), ("no", False)] == [(option.text.said("en"), option.right) for option in two.options]


def test_defaults_are_what_a_card_does_not_say() -> None:
    """A card's own value wins, also an empty list."""
    assert [(3, ("attention",)), (5, ())] == [(card.level, card.tags) for card in deck_of(GOOD).cards]


SLUG = "it must be small letters a-z and digits, with single dashes between them"
DATE = "write year, month and day: 2026-11-29"
COMMA = "write an ordinary comma between two items"
CARD_KEYS = ", ".join(list(model.Card.model_fields)[:-1]) + " and checked"
WRONG = [
    ("id: a\nlevel: 9\nquestion: q\nanswer: a", 5, 12, "level is 9; it must be a whole number, 1 to 5", "1 warm-up ... 5 senior."),
    ("id: a\nlevel: two\nquestion: q\nanswer: a", 5, 12, "level is two; it must be a whole number, 1 to 5", "1 warm-up ... 5 senior."),
    ("id: a\nquestion: q\nanswr: a", 6, 5, "answr is not a key of a card; did you mean answer?", "write answer, or delete it"),
    ("id: a\nanswer: a", 4, 5, "a card needs question", "add `question:` (What the interviewer asks.)"),
    ("question: q\nanswer: a", 4, 5, "a card needs id", "add `id:` (Stable for ever: progress hangs on it.)"),
    ("id: a\nquestion: q", 4, 5, "an explain card needs an answer", ""),
    ("id: A b\nquestion: q\nanswer: a", 4, 9, f'id is "A b"; {SLUG}', "write a-b"),
    ("id: a\nquestion: q\nanswer: a\ntags: x", 7, 11, "tags is x; it must be a list", "write `tags: [x]`"),
    ("id: a\nquestion: q\nanswer: a\ntags: [x, Y]", 7, 15, f"item 2 of tags is Y; {SLUG}", "write y"),
    (
        "id: a\nquestion: {fr: q}\nanswer: a",
        5,
        16,
        "fr is not a language",
        "write en or zh; if this is one text, put the whole text in quotes",
    ),
    (
        "id: a\nquestion: {en: [q]}\nanswer: a",
        5,
        20,
        "the en of question is a list; it must be a text",
        "if it is one, put the whole text in quotes",
    ),
    ("id: a\nquestion: ' '\nanswer: a", 5, 15, "question: the text is empty", ""),
    ("id: a\nquestion: {}\nanswer: a", 5, 15, "question: the text is empty", ""),
    ("id: a\nquestion: " + "q" * 2001 + "\nanswer: a", 5, 15, "question: 2,001 characters; the limit is 2,000", ""),
    ("id: a\nquestion: q\nanswer: a\nclaims: []", 7, 5, "claims is not a key of a card", "it is a key of verify: check the indentation"),
    ("id: a\nquestion: q\nanswer: a\nxyz: b", 7, 5, "xyz is not a key of a card", f"the keys of a card are {CARD_KEYS}"),
    (
        "id: a\nkind: explane\nquestion: q\nanswer: a",
        5,
        11,
        "kind is explane; it must be explain, choice, number, order or code",
        "write explain",
    ),
    (
        "id: a\nquestion: q\nanswer: a\nchecked: 29.11.2026",
        7,
        14,
        "checked is 29.11.2026; it must be a date",
        "write year, month and day: 2026-11-29",
    ),
    (
        "id: a\nquestion: q\nanswer: a\nverify: x",
        7,
        13,
        "verify is x; it must be keys with values",
        "the keys of verify are experiment, set, seeds, runs, claims, show, caption and presets",
    ),
    (
        "id: a\nkind: number\nquestion: q\nnumber: {value: nan}",
        7,
        21,
        "value is nan; it must be a number",
        "write digits, such as 0.25 or 1e-3; the unit has its own key",
    ),
    (
        "id: a\nquestion: q\nanswer: a\npredict: {ask: q, quantity: x, within: lots}",
        7,
        44,
        "within: lots is not a tolerance; write 5 or 10%",
        "",
    ),
    (
        "id: a\nquestion: q\nanswer: a\norder: [a, b, c, d, e, f, g, h, i, j]",
        7,
        12,
        "order has 10 items; the limit is 9",
        "delete some, or split it",
    ),
    ("id: a\nlevel: 1_0\nquestion: q\nanswer: a", 5, 12, "level is 1_0; it must be a whole number, 1 to 5", "1 warm-up ... 5 senior."),
    ("id: a\nlevel: 2.5\nquestion: q\nanswer: a", 5, 12, "level is 2.5; it must be a whole number, 1 to 5", "1 warm-up ... 5 senior."),
    (
        "id: a\nkind: choice\nquestion: q\noptions: [a, {text: b, right: true}]",
        7,
        15,
        "item 1 of options is a; it must be keys with values",
        "write `- text: a`, and `right: true` at what is right",
    ),
    (
        "id: a\nquestion: q\nanswer:\n  - one\n  - two",
        7,
        7,
        "answer is a list; it must be a text",
        "write `answer: |`, and the list below it as it stands: a text may have one",
    ),
    ("id: a\nkind: quiz\nquestion: q\nanswer: a", 5, 11, "kind is quiz; it must be explain, choice, number, order or code", "write choice"),
    ("id: 注意力\nquestion: q\nanswer: a", 4, 9, f"id is 注意力; {SLUG}", "write it with English letters, such as why-attention"),
    ("id: a\nlevel: ３\nquestion: q\nanswer: a", 5, 12, "level is ３; it must be a whole number, 1 to 5", "write 3"),
    ("id: a\nkind: number\nquestion: q\nnumber: {value: '1,000'}", 7, 21, "value is 1,000; it must be a number", "write 1000"),
    (
        "id: a\nkind: number\nquestion: q\nnumber: {value: 8,5 ms}".replace(",", "."),
        7,
        21,
        'value is "8.5 ms"; it must be a number',
        'write 8.5, and `unit: "ms"`',
    ),
    ("id: a\nkind: number\nquestion: q\nnumber: {value: 5%}", 7, 21, "value is 5%; it must be a number", 'write 5, and `unit: "%"`'),
    ("id: a\nlevel: 0x2\nquestion: q\nanswer: a", 5, 12, "level is 0x2; it must be a whole number, 1 to 5", "write 2"),
    ("id: a\nlevel: 1e1\nquestion: q\nanswer: a", 5, 12, "level is 10; it must be a whole number, 1 to 5", "1 warm-up ... 5 senior."),
    *(
        (f"id: a\nquestion: q\nanswer: a\nchecked: {said}", 7, 14, f"checked is {said}; it must be a date", DATE)
        for said in ("0", "20261129", "2026-02-30", "2026-11-29T00:00", "2026-1-2")
    ),
    (
        "id: a\nkind: number\nquestion: q\nnumber: {value: 1_0}",
        7,
        21,
        "value is 1_0; it must be a number",
        "write 10",
    ),
    (
        "id: a\nquestion: q\nanswer: a\npredict: {ask: q, quantity: x, within: 1_0%}",
        7,
        44,
        "within: 1_0% is not a tolerance; write 10%",
        "",
    ),
    (
        "id: a\nquestion: q\nanswer: a\noptions: [{text: x, right: yes}, {text: y}]",
        7,
        5,
        "options belongs to a card of kind choice, and this one is explain",
        "write `kind: choice`, or delete options",
    ),
    (
        "id: a\nkind: code\nquestion: q\norder: [a, b, c]",
        7,
        5,
        "order belongs to a card of kind order, and this one is code",
        "write `kind: order`, or delete order",
    ),
    (
        "id: a\nkind: number\nquestion: q\nnumber: {value: 3}\npredict: {ask: q, quantity: x}",
        8,
        5,
        "predict would ask for a second number: a number card has its own",
        "delete predict, or make it an explain card",
    ),
    ("id: a\nquestion: q\nanswer: a\ntags: [x，y]", 7, 12, "item 1 of tags is x，y; ， separates nothing here", COMMA),
    (
        "id：a",
        4,
        5,
        "item 1 of cards is id：a; it must be keys with values (a full-width colon stands after the key)",
        "write an ordinary colon and a space",
    ),
    (
        "id: a\nquestion: q\nanswer: a\n\u3000level: 2",
        7,
        5,
        '"\u3000level" is not a key of a card; did you mean level? (the line starts with a space of another kind)',
        "indent with ordinary spaces",
    ),
]


@pytest.mark.parametrize(("lines", "line", "column", "message", "hint"), WRONG, ids=[case[3][:40] for case in WRONG])
def test_a_wrong_value_is_a_sentence_at_its_place(lines: str, line: int, column: int, message: str, hint: str) -> None:
    """One mistake is one problem, at the value, or at the key where the key is wrong, with the value, the limit and the fix."""
    assert [Problem("a.yaml", line, column, message, hint, source=card(lines).split("\n")[line - 1])] == problems_of(card(lines))


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("- a\n", [(1, 1, "the file holds a list, not a deck")]),
        ("just text\n", [(1, 1, 'the file holds "just text", not a deck')]),
        ("deck: d\n", [(1, 1, "a deck needs title")]),
        ("deck: d\ntitle: t\ncards: []\n", [(3, 8, "cards is empty")]),
        ("deck: d\ntitle: t\ncards: x\n", [(3, 8, "cards is x; it must be a list")]),
    ],
)
def test_what_is_no_deck(text: str, places: list[tuple[int, int, str]]) -> None:
    """A file that is no deck at all says what a deck would be."""
    assert places[0] in [(problem.line, problem.column, problem.message) for problem in problems_of(text)]


def test_one_bad_card_does_not_hide_the_others() -> None:
    """Every card's problems are told at once, and no list is called short because its cards are bad."""
    text = card("id: a\nlevel: 9\nquestion: q\nanswer: a") + "  - {id: b, question: q}\n  - {id: c, question: q, answer: a, asked: 0}\n"
    assert [5, 8, 9] == [problem.line for problem in problems_of(text)]


def test_a_wrong_default_is_one_problem() -> None:
    """A default that no card may have is told once, where it stands, and hides nothing else."""
    text = "deck: d\ntitle: T\ndefaults: {level: 9}\ncards:\n  - {id: a, question: q}\n  - {id: b, question: q, answer: a}\n"
    assert [(3, 19), (5, 5)] == [(problem.line, problem.column) for problem in problems_of(text)]


@pytest.mark.parametrize("second", ["id: a", "id: b\n    formerly: [a]"])
def test_an_id_belongs_to_one_card(second: str) -> None:
    """A second use of an id, also among former ids, names the line of the first."""
    text = card("id: a\nquestion: q\nanswer: a") + f"  - {second}\n    question: q\n    answer: a\n"
    (problem,) = problems_of(text)
    assert "the id a is already used in line 4" == problem.message
    assert problem.line > 6


def test_a_deck_of_a_newer_format_is_one_sentence() -> None:
    """A deck for a program to come is not judged by the rules of today: one problem, whatever else is new in it."""
    (problem,) = problems_of("format: 2\ndeck: d\ntitle: {fr: T}\nnew: [x]\ncards: [{id: a, kind: essay}, {id: a}]\n")

    assert (1, 9, "the deck is written in format 2, and this program reads formats up to 1") == (
        problem.line,
        problem.column,
        problem.message,
    )
    tree, _ = read("a", b"format: 2\ncards: [{id: a, question: q, answer: a}]\n")
    assert tree is not None
    assert ({}, {}) == valid_cards(tree)


@pytest.mark.parametrize("said", ["1", "01", "1.0"])
def test_a_deck_may_say_the_format_of_today(said: str) -> None:
    """The key may be left out, or name the format that there is."""
    assert 1 == deck_of(f"format: {said}\n" + GOOD).format


@pytest.mark.parametrize("said", ["0", "x", "1.5", "''"])
def test_a_format_is_a_whole_number(said: str) -> None:
    """Anything else is told as for every other number."""
    (problem,) = problems_of(f"format: {said}\n" + GOOD)

    assert problem.message.startswith("format is")
    assert problem.message.endswith("it must be a whole number, 1 or more")
