"""Sentences beside figures hold at every setting, not at the defaults only."""

from __future__ import annotations

import pytest

from engine.assemble import MENTIONED
from engine.catalog import load, names
from engine.conditions import comparisons
from engine.measures import Note
from engine.parameter import Value
from tests.engine.experiments.observed import Seen, every, observed
from tests.engine.experiments.sentences import GENERAL, MEANING, Meaning
from tests.engine.runs import run

# Which of two arms is the larger is no claim here: a count, a form at one place, a loss over other positions, a head among many.
EITHER_WAY = {"bert_architecture", "gelu", "prediction_heads"}
SAME = 1e-9

# The notes that say why two arms are the same, or the other way round.
EXPLAINING = {
    "additive_vs_dot": {"small"},
    "attention_explanation": {"determined", "no_distance"},
    "attention_mask": {"leaks", "all_see_it"},
    "attention_sink": {"none_kept", "no_help"},
    "beam_search": {"lucky", "width_of_one"},
    "bert_architecture": {"unpublished"},
    "coreference": {"uncut", "harmless"},
    "dead_units": {"relu_learns", "too_slow"},
    "distillation": {"nothing_to_restore"},
    "dropout": {"nothing_dropped"},
    "flash_attention": {"single", "still"},
    "gelu": {"at_zero"},
    "gradient_clipping": {"not_clipped", "value_idle"},
    "grouped_query_attention": {"accident"},
    "kl_divergence": {"coincide", "same"},
    "kv_cache": {"one_layer", "one_token"},
    "layer_norm": {"epsilon_counts"},
    "linear_attention": {"equal"},
    "masking_rule": {"all_masked", "no_gain"},
    "mixture_of_experts": {"every", "no_preference", "too_small"},
    "multi_head": {"accident"},
    "padding_side": {"no_padding"},
    "positions_alibi": {"few_anyway"},
    "positions_learned": {"fits", "still"},
    "precision": {"no_difference", "rounded_up"},
    "pretrained_attention": {"below_the_mean"},
    "query_key_symmetry": {"narrow"},
    "recurrent_dilution": {"near", "few_tokens"},
    "residual_gradient": {"plain_ahead"},
    "sampling": {"no_penalty"},
    "sliding_window": {"ends", "one_layer", "alone"},
    "softmax": {"still_works"},
    "softmax_jacobian": {"no_difference"},
    "softmax_saturation": {"none_saturated", "all_saturated"},
    "speculative_decoding": {"same"},
    "two_relations": {"alike"},
}


def notes(name: str) -> list[Note]:
    return [measure for measure in load(name).measures if isinstance(measure, Note)]


def test_every_note_has_a_meaning() -> None:
    """A note that is not held against the numbers is not written."""
    written = {(name, note.name) for name in names() for note in notes(name)}
    listed = {(name, note) for table in (MEANING, GENERAL) for name, said in table.items() for note in said}

    assert written == listed


@pytest.mark.parametrize(
    ("name", "given", "shown"),
    [
        ("additive_vs_dot", {"sigma": 4.0}, "entries"),
        ("additive_vs_dot", {"sigma": 0.1}, "small"),
        ("attention_mask", {"fully_masked": "yes"}, "empty_row"),
        ("attention_mask", {"fill": "-1e-9"}, "leaks"),
        ("attention_mask", {"kind": "window", "queries": 1, "keys": 3, "fully_masked": "yes"}, "empty_row no_such_key"),
        ("attention_sink", {}, "short"),
        ("attention_sink", {"strength": -1.5, "window": 64, "sinks": 2, "seed": 60}, "no_help no_sink"),
        ("dead_units", {"bias": -2.0}, "gelu_falls none_silent"),
        ("dead_units", {"bias": 0.0}, "none_silent relu_learns"),
        ("gradient_clipping", {"limit": 32.0, "outlier": 68.0}, "not_clipped"),
        ("initialization", {"activation": "none"}, "doubled"),
        ("kl_divergence", {"distance": 1.0}, "same"),
        ("kl_divergence", {"spread": 1.5}, "undecided"),
        ("kl_divergence", {}, ""),
        ("layer_norm", {"scale": 0.001}, "a_row epsilon_counts scale_counts"),
        ("layer_norm", {"epsilon": 0.1}, "a_row epsilon_counts"),
        ("mixture_of_experts", {"preference": 0.0}, "no_preference"),
        ("mixture_of_experts", {"experts": 4, "chosen": 2, "preference": 0.0229436, "seed": 28}, "too_small"),
        ("query_key_symmetry", {"d_model": 4, "tokens": 16}, "cropped narrow"),
        ("residual_gradient", {"activation": "relu", "gain": 2.0}, "plain_explodes skip_grows"),
        ("residual_gradient", {"activation": "sigmoid"}, "sigmoid"),
        ("softmax_saturation", {"sigma_q": 10.0}, "entries winner"),
    ],
    ids=str,
)
def test_what_was_found_false(name: str, given: dict[str, Value], shown: str) -> None:
    """Away from the defaults the notes are those that are true there, and no others."""
    seen = Seen(load(name), given)

    assert shown == " ".join(sorted(seen.notes))
    assert [] == [note for note in seen.notes if not meant(name, note)(seen.values)]


def test_an_arm_is_right_where_it_is() -> None:
    """Kaiming's factor is made for ReLU: without an activation its arm is the wrong one, and Xavier's is right."""
    arms = {
        activation: {each.name: each.arm for each in run(load("initialization"), activation=activation).quantities}
        for activation in ("relu", "tanh", "none")
    }

    assert ["right", "", "wrong"] == [each["kaiming_std"] for each in arms.values()]
    assert ["", "right", "right"] == [each["xavier_std"] for each in arms.values()]


@every
def test_notes_agree_with_numbers(name: str) -> None:
    """With the sliders anywhere, whatever note is shown holds of the numbers beside it.

    Where the right arm is not on the side of the wrong one on which it is at the defaults, a note says why.
    """
    seen = observed(name)
    silent = [each.given for each in seen if side(each, name) != side(seen[0], name) and not set(each.notes) & EXPLAINING.get(name, set())]

    assert [] == [(each.given, note) for each in seen for note in each.notes if not meant(name, note)(each.values)]
    assert [] == silent
    assert [] == unknown_sides(name, seen[0])


def meant(name: str, note: str) -> Meaning:
    return MEANING.get(name, {}).get(note, lambda _: True)


def side(seen: Seen, name: str) -> int:
    if any(arm not in seen.values for arm in load(name).arms):
        return 0  # nothing to compare
    wrong, right = (float(getattr(seen.values, arm)) for arm in load(name).arms)
    if abs(right - wrong) <= SAME * max(1, abs(wrong)):
        return 0
    return 1 if right > wrong or name in EITHER_WAY else -1


def unknown_sides(name: str, seen: Seen) -> list[tuple[str, str]]:
    """What a condition names and there is not: no parameter, nothing that the run returned, no number, not the value of a choice."""
    choices = {each.name: {choice.value for choice in each.choices} for each in load(name).parameters}
    return [
        (note.name, f"{left} {sign} {right}")
        for note in notes(name)
        for left, sign, right in comparisons(note.when)
        if left not in seen.values or not (right in seen.values or right in choices.get(left, ()) or is_number(right))
    ]


def is_number(text: str) -> bool:
    return text.replace(".", "", 1).lstrip("-").isdigit()


@every
def test_both_languages_mention_the_same_numbers(name: str) -> None:
    """What one language fills in, the other does too; an error in a machine's own English is worded anew."""
    differing = [
        note.name
        for note in notes(name)
        if note.name != "refused" and set(MENTIONED.findall(note.label.en)) != set(MENTIONED.findall(note.label.zh))
    ]

    assert [] == differing
