"""Splitting and merging heads: the right way against a loop, the wrong ways by what they let through."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from engine.experiments.multi_head import EXPERIMENT
from engine.label import ParameterError
from engine.textbook.multi_head_variants import head_similarity, loop_over_heads, random_layer, random_probe, score_rank, without_head
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("heads", [2, 4, 8])
def test_what_each_way_does(heads: int, seed: int) -> None:
    """Right: no error, no leak. View only: wrong, causal, and the first token is lost. The other two leak the future."""
    found = quantities(heads=heads, seed=seed)

    assert 0.0 == pytest.approx(found["right_error"], abs=1e-12)
    assert 0.0 == found["leak_right"] == found["leak_wrong_split"] == found["reach_wrong_split"]
    for name in ("wrong_split_error", "wrong_merge_error", "leak_mixed", "leak_wrong_merge", "reach_right"):
        assert found[name] > 0.01, name


@pytest.mark.parametrize("heads", [1, 2, 4, 8])
def test_which_head_reads_what(heads: int) -> None:
    """Right: of every token head i gets the i-th slice. View only: of as many tokens as heads, head i gets token i and nothing else."""
    found = {matrix.name: matrix.values for matrix in run(heads=heads, d_model=16, tokens=min(max(heads, 2), 6)).matrices}
    slices = tuple(float(1 + place // (16 // heads)) for place in range(16))

    assert {slices} == set(found["read_right"])
    if heads in (2, 4):
        assert tuple((1.0 + token,) * 16 for token in range(heads)) == found["read_by_view"]


def test_one_head_hides_the_wrong_split() -> None:
    """With h = 1 splitting by view is right, which is why a test with one head proves nothing."""
    assert 0.0 == quantities(heads=1)["wrong_split_error"]


def test_without_a_mask_everything_reaches_everything() -> None:
    """Without the causal mask the last token moves earlier outputs also in the right layer."""
    assert quantities(causal="no")["leak_right"] > 0.1


@pytest.mark.parametrize(
    ("split", "merge", "error", "leak", "reach"),
    [
        ("right", "right", None, "leak_right", "reach_right"),
        ("view", "view", "wrong_split_error", "leak_wrong_split", "reach_wrong_split"),
        ("view", "right", None, "leak_mixed", None),
        ("right", "transpose", "wrong_merge_error", "leak_wrong_merge", None),
    ],
)
def test_choice(split: str, merge: str, error: str | None, leak: str, reach: str | None) -> None:
    """What is chosen is one of the measured ways, with the same numbers."""
    found = quantities(split=split, merge=merge)

    assert error is None or found[error] == found["chosen_error"]
    assert found[leak] == found["chosen_leak"]
    assert reach is None or found[reach] == found["chosen_reach"]
    assert (split == merge == "right") == (found["chosen_error"] == 0)


@pytest.mark.parametrize("heads", [1, 2, 4, 8])
def test_heads_are_free_and_scores_are_not(heads: int) -> None:
    """Parameters do not depend on h and are those of torch's layer; the scores of 512 tokens take h MiB."""
    found = quantities(heads=heads, d_model=32)
    theirs = nn.MultiheadAttention(32, heads, device="meta")

    assert sum(each.numel() for each in theirs.parameters()) == found["parameters"]
    assert 2_362_368 == found["parameters_bert"]
    assert heads == found["score_mebibytes"]


def test_right_layer_equals_torch() -> None:
    """The loop over heads, the experiment's second opinion, is nn.MultiheadAttention."""
    layer = random_layer(16, 4, seed=3)
    bench = random_probe(6, 16, 3, torch.ones(6, 6, dtype=torch.bool).tril())
    theirs = nn.MultiheadAttention(16, 4, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([layer.W_Q.weight, layer.W_K.weight, layer.W_V.weight]))
        theirs.out_proj.weight.copy_(layer.W_O.weight)

        expected = theirs(bench.x, bench.x, bench.x, attn_mask=torch.ones(6, 6, dtype=torch.bool).triu(1))[0][0]

        torch.testing.assert_close(loop_over_heads(layer, bench.x[0], bench.mask), expected, rtol=0, atol=1e-12)


def test_silenced_heads_add_up() -> None:
    """Without biases W_O is linear: what the heads take away one by one is the whole output."""
    layer, bench = random_layer(16, 4, seed=0), random_probe(6, 16, 0, None)
    output = bench.output(layer)

    taken = torch.stack([output - bench.output(without_head(layer, head)) for head in (1, 2, 3, 4)]).sum(0)

    torch.testing.assert_close(taken, output, rtol=0, atol=1e-12)


def test_silencing_none_changes_nothing() -> None:
    """Head 0 is no head; any other changes the output; one beyond the last means the last, and a note says so."""
    assert 0.0 == quantities(silenced=0)["silenced_change"]
    assert quantities(silenced=4)["silenced_change"] == quantities(silenced=7)["silenced_change"] > 0.1
    assert ["There is no head 7; head 4 is ablated."] == [note.en for note in run(silenced=7).notes]


def test_score_rank_is_at_most_the_heads_width() -> None:
    """Scores of 40 tokens have rank d_model / h."""
    bench = random_probe(40, 32, 0, None)

    assert [32, 16, 4] == [score_rank(random_layer(32, heads, seed=0), bench.x) for heads in (1, 2, 8)]


def test_head_similarity() -> None:
    """The mean over pairs: two equal heads and one that shares nothing give 1/3."""
    one, other = torch.eye(2, dtype=torch.float64), torch.eye(2, dtype=torch.float64).flip(0)

    assert 1 / 3 == pytest.approx(head_similarity(torch.stack([one, one, other])))


def test_steps_show_the_shapes() -> None:
    """The right way goes (B,T,D), (B,T,h,d), (B,h,T,d) and back; the wrong split jumps over one."""
    right = [step.shape for step in run(heads=4, d_model=32, tokens=5).steps]
    view = [step.shape for step in run(heads=4, d_model=32, tokens=5, split="view", merge="view").steps]

    assert [(1, 5, 32), (1, 5, 4, 8), (1, 4, 5, 8), (1, 4, 5, 5), (1, 4, 5, 8), (1, 5, 4, 8), (1, 5, 32), (1, 5, 32)] == right
    assert [(1, 5, 32), (1, 4, 5, 8), (1, 4, 5, 5), (1, 4, 5, 8), (1, 5, 32), (1, 5, 32)] == view


def test_heads_must_divide() -> None:
    """Three heads divide a width of 12 and not of 16; five do not divide BERT's 768, whatever the width."""
    assert 3 == sum(matrix.name.startswith("head_") for matrix in run(heads=3, d_model=12).matrices)
    with pytest.raises(ParameterError, match="heads = 3 does not divide d_model = 16"):
        run(heads=3)
    with pytest.raises(ParameterError, match=r"heads is a whole number in 1\.\.8, a divisor of 768; not 5"):
        run(heads=5, d_model=40)


@pytest.mark.parametrize("heads", [2, 4, 8])
def test_a_heads_share_is_one_over_the_root_of_heads(heads: int) -> None:
    """Heads with random weights add up like independent vectors: without one of h the output moves by about 1/√h of its norm."""
    assert heads**-0.5 == pytest.approx(quantities(heads=heads, silenced=1, causal="no")["mean_silenced_share"], rel=0.15)


@pytest.mark.parametrize("heads", [1, 2, 4, 8])
def test_full_size_heads_would_multiply_the_parameters(heads: int) -> None:
    """If every head were 768 wide, h of them would need about h times the weights."""
    assert 4 * heads * 768**2 + 3 * heads * 768 + 768 == quantities(heads=heads)["parameters_bert_full_size_heads"]


def test_averages_are_of_the_chosen_way() -> None:
    """The right way has no error and no leak on average; a way that is chosen has the error of that way."""
    right, view = quantities(), quantities(split="view")

    assert 0.0 == right["mean_chosen_error"] == right["mean_chosen_leak"]
    assert view["mean_chosen_error"] > 2
    assert view["mean_chosen_leak"] > 0.5
