"""The masking rule, against its closed forms, a count by hand and a simulation."""

from __future__ import annotations

import pytest
import torch

from engine.experiments._masking_statistics import MASK, PIECES, VOCABULARY, WORDS, split_percent
from engine.experiments.masking_rule import EXPERIMENT, MOST, TEXT, cut
from engine.label import Label
from engine.parameter import Value
from engine.textbook.masked_language_model import (
    Rule,
    choose_at_least,
    choose_positions,
    corrupt,
    expected_coverage,
    labels_of,
    whole_words,
)
from engine.textbook.pretraining_heads import IGNORED
from engine.textbook.pretraining_objectives import pieces_of
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def sentence_table(**given: Value) -> tuple[tuple[float | str | Label, ...], ...]:
    return next(each.rows for each in run(**given).tables if each.name == "sentence")


@pytest.mark.parametrize("seed", [0, 7, 99])
def test_the_rule_is_berts(seed: int) -> None:
    """15 % are asked for: 12 % as [MASK], 1.5 % as a random piece, 1.5 % as they are; 77 predictions of a sequence of 512."""
    found = quantities(seed=seed)

    assert (15, 12, 1.5, 1.5) == pytest.approx(
        (found["asked_percent"], found["masked_percent"], found["random_percent"], found["kept_percent"]), abs=0.3
    )
    assert 76.8 == pytest.approx(found["asked_of_sequence"], abs=1.5)


def test_what_the_rule_is_for() -> None:
    """A visible word is asked for with 3/88, and false with 1.5/88; if all chosen ones are masked it is never asked for."""
    found, all_masked = quantities(), quantities(masked=1.0)

    assert 100 * 0.03 / 0.88 == pytest.approx(found["visible_asked"], abs=0.2)
    assert 100 * 0.015 / 0.88 == pytest.approx(found["visible_false"], abs=0.2)
    assert 0.0 == found["visible_asked_all_masked"] == all_masked["visible_asked"] == all_masked["visible_false"]
    assert 1 == len(run(masked=1.0).notes)


def test_nothing_else_is_touched() -> None:
    """Tokens that were not chosen are the original in the input and have no label; chosen ones have the original as label."""
    generator = torch.Generator().manual_seed(1)
    ids = torch.randint(1000, VOCABULARY, (40, 128), generator=generator)
    chosen = choose_positions(ids, 0.3, generator)
    seen, labels = corrupt(ids, chosen, Rule(0.3, 0.5, 0.5), MASK, VOCABULARY, generator), labels_of(ids, chosen)

    assert torch.equal(ids[~chosen], seen[~chosen])
    assert {IGNORED} == set(labels[~chosen].tolist())
    assert torch.equal(ids[chosen], labels[chosen])
    assert 0.5 == pytest.approx(float((seen[chosen] == MASK).double().mean()), abs=0.06)
    assert (seen[chosen] == ids[chosen]).double().mean() < 0.01  # nothing is left to stay


def test_whole_words() -> None:
    """A word's pieces share their first piece's fate: all or none."""
    chosen = torch.tensor([[True, False, True, False, True, True], [False, True, True, True, False, False]])
    words = torch.tensor([0, 0, 0, 1, 1, 2])

    assert [[True, True, True, False, False, True], [False, False, False, True, True, False]] == whole_words(chosen, words).tolist()


def test_split_words_are_counted_by_hand() -> None:
    """A word that is touched and not whole counts as split; untouched words and words of one piece do not count."""
    chosen = torch.zeros(1, len(PIECES), dtype=torch.bool)
    chosen[0, [0, 1, 4, 5, 6]] = True  # the, kit, un ##want ##ed: one word touched in part, one whole

    assert 50.0 == split_percent(chosen)
    assert 0.0 == split_percent(torch.zeros(1, len(PIECES), dtype=torch.bool))


def test_pieces_give_their_words_away() -> None:
    """By piece most touched words keep a visible piece, 1 - p^n / (1 - (1 - p)^n) of those with n; by whole word none does."""
    found = quantities(chosen=0.5)
    sizes = [2, 3, 2, 3]
    touched, whole = sum(1 - 0.5**n for n in sizes), sum(0.5**n for n in sizes)

    assert 100 * (1 - whole / touched) == pytest.approx(found["split_words"], abs=2)
    assert 0.0 == found["split_words_whole"]
    assert 50 == pytest.approx(found["asked_whole"], abs=1.5)


def test_masks_anew_in_every_epoch() -> None:
    """Ten epochs ask for 80 % of the tokens if each chooses anew, for 15 % if all share one choice: a simulation says so, too."""
    found, generator = quantities(), torch.Generator().manual_seed(3)
    ids = torch.zeros(50_000)
    ever = torch.stack([choose_positions(ids, 0.15, generator) for _ in range(10)]).any(0)

    assert 100 * float(ever.double().mean()) == pytest.approx(found["dynamic_covered"], abs=0.6)
    assert 15.0 == found["static_covered"]
    assert 0.15 == pytest.approx(expected_coverage(0.15, 1))
    assert found["dynamic_covered"] == {series.name: series.y for series in run().series}["dynamic_covered_over_epochs"][9]


@pytest.mark.parametrize("units", ["pieces", "words"])
def test_the_sentence_is_what_the_rule_makes(units: str) -> None:
    """In the table a piece without a label is unchanged, a label is the original, and by whole word no word is asked for in part."""
    rows = sentence_table(units=units, chosen=0.5)
    asked = [isinstance(label, str) for _, _, label in rows]

    assert list(PIECES) == [original for original, _, _ in rows]
    assert [] == [row for row, is_asked in zip(rows, asked, strict=True) if row[0] != (row[2] if is_asked else row[1])]
    assert any(asked)
    if units == "words":
        assert len(set(WORDS)) == len(set(zip(WORDS, asked, strict=True)))


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("units", ["pieces", "words"])
def test_the_sentence_has_something_to_show(units: str, seed: int) -> None:
    """At the defaults some pieces are asked for, and no more than two pieces or the word that reaches two."""
    asked = [place for place, row in enumerate(sentence_table(units=units, seed=seed)) if isinstance(row[2], str)]

    assert len(asked) == 2 if units == "pieces" else 2 <= len(asked) <= 4


def test_the_default_sentence_shows_the_rule() -> None:
    """A [MASK] and a piece that is left as it is; and by whole word other pieces are asked for than by piece."""
    pieces, words = (sentence_table(units=units) for units in ("pieces", "words"))

    assert {("##ten", "[MASK]"), ("was", "was")} == {(row[0], row[1]) for row in pieces if isinstance(row[2], str)}
    assert [row[2] for row in pieces] != [row[2] for row in words]


def test_groups_are_taken_until_there_are_enough() -> None:
    """Whole groups only; the last one may go beyond, and one less would not be enough."""
    groups = torch.tensor([0, 0, 1, 2, 2, 2, 3])
    for seed in range(20):
        chosen = choose_at_least(2, groups, torch.Generator().manual_seed(seed))
        taken = sorted(int((groups == group).sum()) for group in set(groups[chosen].tolist()))

        assert sum(taken) >= 2 > sum(taken) - max(taken)
        assert all(len(set(chosen[groups == group].tolist())) == 1 for group in range(4))


def objectives(**given: Value) -> dict[str, tuple[list[str], list[str], list[bool]]]:
    """Of each way of pre-training: its input, its target, and which pieces are asked for."""
    result = run(**given)
    rows = next(each.rows for each in result.tables if each.name == "objectives")
    asked = next(each.values for each in result.matrices if each.name == "asked_pieces")
    return {
        str(name): (str(seen).split(), str(target).split(), [bool(cell) for cell in cells])
        for (name, seen, target), cells in zip(rows, asked, strict=True)
    }


@pytest.mark.parametrize("seed", range(5))
def test_what_each_objective_asks_for(seed: int) -> None:
    """Masked pieces are asked for where they stand, a word whole, spans by their sentinels, GPT all but the first, ELECTRA all."""
    found, pieces = objectives(seed=seed, chosen=0.3, share=0.3, span=2), list(PIECES)
    for name in ("MLM", "whole word"):
        seen, target, asked = found[name]

        assert target == [piece for piece, is_asked in zip(pieces, asked, strict=True) if is_asked]
        assert [] == [piece for piece, shown, is_asked in zip(pieces, seen, asked, strict=True) if piece != shown and not is_asked]
    seen, target, asked = found["T5"]

    assert [piece for piece, is_asked in zip(pieces, asked, strict=True) if is_asked] == [each for each in target if each[0] != "<"]
    assert [piece for piece, is_asked in zip(pieces, asked, strict=True) if not is_asked] == [each for each in seen if each[0] != "<"]
    assert (pieces[:-1], pieces[1:]) == found["causal"][:2]
    assert [False, *[True] * 15] == found["causal"][2]
    assert [one != other for one, other in zip(found["ELECTRA"][0], pieces, strict=True)] == [
        each == "replaced" for each in found["ELECTRA"][1]
    ]
    assert all(found["ELECTRA"][2])
    whole = found["whole word"][2]
    assert len(set(WORDS)) == len(set(zip(WORDS, whole, strict=True)))


def test_the_table_and_the_strip_are_one_draw() -> None:
    """What stands in the table of the sentence is what the picture says, by piece and by word."""
    for units, name in (("pieces", "MLM"), ("words", "whole word")):
        rows, (seen, _, asked) = sentence_table(units=units, chosen=0.5, seed=3), objectives(chosen=0.5, seed=3)[name]

        assert seen == [row[1] for row in rows]
        assert asked == [isinstance(row[2], str) for row in rows]


def test_a_typed_sentence() -> None:
    """Known pieces first, then a stem and its ending, at most 40 pieces; a single word is a sentence."""
    known = {"un", "##want", "##ed"}

    assert [["un", "##want", "##ed"], ["jump", "##ing"], ["cat"], ["red"]] == [
        pieces_of(word, known) for word in ("unwanted", "jumping", "cat", "red")
    ]
    assert (PIECES, list(WORDS)) == (cut("The kitten was unwanted AND never played in the snowflakes")[0], cut(TEXT)[1].tolist())
    assert MOST == len(cut("cats " * 100)[0])
    assert {"causal": 0.0, "electra": 1.0} == {name: quantities(text="x")[f"shown_{name}_losses"] for name in ("causal", "electra")}
