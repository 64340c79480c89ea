"""Which number is asked for before the sliders move, and how far off it was."""

from dataclasses import replace

from engine.label import Label
from engine.parameter import Parameter, Value, choice
from engine.result import Quantity, Result
from quiz.card.expectation import Expectation, gap_parts, moves, number_to_guess, question_parts
from quiz.card.typeset import text_of
from quiz.words.i18n import Words

RUN = Result(quantities=tuple(Quantity(name, 59.5, Label(f"{name} rows", f"{name} 行"), "%") for name in ("first", "second", "third")))
EXPECTED = Expectation(Label("d_k = 1", "d_k = 1"), {"d_k": 1}, RUN.quantities[0])


def asked(marked: list[str], spoken: list[str], fixed: tuple[str, ...] = ()) -> str:
    found = number_to_guess(RUN, marked, spoken, fixed)
    return found.name if found else ""


def test_what_is_spoken_of_and_can_be_marked_comes_first() -> None:
    """Then what the picture can mark, then what the sentence is about, then whatever moves."""
    assert ["second", "third", "first", "first"] == [
        asked(["first", "second"], ["third", "second"]),
        asked(["third"], ["first"]),
        asked(["elsewhere"], ["first"]),
        asked([], ["d_k"]),
    ]


def test_what_no_slider_moves_is_no_riddle() -> None:
    """A number that is always the same is not asked for; where there is no other, nothing is."""
    assert ["second", ""] == [asked(["first"], [], ("first",)), asked([], [], ("first", "second", "third"))]


def test_the_question_names_the_setting_the_number_and_what_it_is_now() -> None:
    """In the reader's language. Also sliders that the setting does not name move: the number of now is of another place."""
    parameters = (
        Parameter("d_k", Label("d_k", "d_k"), 64, 1, 4096, 2, "log"),
        Parameter("sigma", Label("σ", "σ"), 1.0, 0.1, 10.0, 0.1),
        Parameter("keys", Label("keys", "键"), 64, 2, 512, 2, "log"),
        choice("mask", Label("mask", "掩码"), ("none", "none", "无"), ("causal", "causal", "因果")),
    )
    before: dict[str, Value] = {"d_k": 64, "sigma": 3.0, "keys": 64, "mask": "causal"}
    there = replace(EXPECTED, moves=moves(parameters, before, {"d_k": 1, "sigma": 1.0, "keys": 64, "mask": "none"}))
    texts = [[text_of(line) for line in question_parts(there, Words(language))[0].lines(80)] for language in ("en", "zh")]

    assert [
        ["d_k = 1: first rows?", "d_k 64 → 1  σ 3 → 1  mask causal → none  (now 59.5 %)"],
        ["d_k = 1：first 行？", "d_k 64 → 1  σ 3 → 1  掩码 因果 → 无  （现在 59.5 %）"],
    ] == texts


def test_the_gap_is_said_and_drawn() -> None:
    """Both numbers with their unit, both on one line; without a guess nothing is."""
    said, line = gap_parts(EXPECTED.with_number(40.0), 0.0, Words("en"))

    assert "◆ you 40 %   ● measured 0 %   first rows" == text_of(said.lines(80)[0])
    assert ["●", "◆"] == [sign for sign in text_of(line.lines(60)[0]) if sign in "◆●◈"]
    assert [] == gap_parts(EXPECTED, 0.0, Words("en"))
