"""Relative positions against a plain loop over pairs, Hugging Face's T5, and a shifted text."""

from __future__ import annotations

import pytest
import torch

from engine.catalog import load
from engine.textbook.relative_positions import distances, relative_key_scores, t5_bucket
from tests.engine.runs import runs_of

run, quantities = runs_of(load("positions_relative"))


def drawn(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(9), dtype=torch.float64)


@pytest.mark.parametrize("farthest", [1, 2, 10])
def test_every_pair_by_itself(farthest: int) -> None:
    """Query i and key j get q_i · a_(j - i), distances beyond the farthest the outermost row; also with more keys than queries."""
    query, table = drawn(3, 4), drawn(2 * farthest + 1, 4)

    expected = [[float(query[i] @ table[max(-farthest, min(farthest, j - i)) + farthest]) for j in range(5)] for i in range(3)]

    assert expected == [pytest.approx(row) for row in relative_key_scores(query, table, 5).tolist()]


@pytest.mark.parametrize("both_ways", [True, False])
@pytest.mark.parametrize(("buckets", "farthest"), [(32, 128), (8, 128), (64, 128), (16, 20)])
def test_buckets_are_the_librarys(both_ways: bool, buckets: int, farthest: int) -> None:
    """All buckets from 300 back to 300 ahead are those of Hugging Face's T5."""
    from transformers.models.t5.modeling_t5 import T5Attention

    relative = torch.arange(-300, 301)
    expected = T5Attention._relative_position_bucket(relative, both_ways, buckets, farthest)

    assert expected.tolist() == t5_bucket(relative, buckets, farthest, both_ways).tolist()


def test_buckets_of_the_paper() -> None:
    """With 32 buckets both ways, distances 0 to 7 have their own, 8 to 11 share the next, and 384 numbers serve 12 heads."""
    found = quantities()

    assert [0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 8, 9] == t5_bucket(-torch.arange(13)).tolist()
    assert (8, 16, 384) == (found["t5_exact"], found["t5_buckets_back"], found["t5_parameters"])
    assert 16 == quantities(direction="back")["t5_exact"]
    assert t5_bucket(torch.tensor([-100_000])) == t5_bucket(torch.tensor([-128])) == 15


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("farthest", [1, 3, 64])
def test_a_shift_changes_nothing(farthest: int, seed: int) -> None:
    """With relative positions a shifted text has the scores it had, with an absolute table it has not."""
    found = quantities(farthest=farthest, seed=seed)

    assert found["relative_shift_change"] < 1e-12
    assert found["absolute_shift_change"] > 0.5
    assert found["order_change"] > 0.1


def test_distances_have_a_direction() -> None:
    """A key further on is ahead by a positive distance."""
    assert [[0, 1, 2], [-1, 0, 1]] == distances(2, 3).tolist()


def test_rows_in_use() -> None:
    """Six tokens use the 2·3 + 1 rows of a table that tells 3 apart, and 11 of a longer one."""
    assert (7, 7) == (quantities(farthest=3)["table_rows"], quantities(farthest=3)["rows_used"])
    assert (129, 11) == (quantities(farthest=64)["table_rows"], quantities(farthest=64)["rows_used"])


def test_scores_add_up() -> None:
    """A score is content plus what the distance adds, over √d."""
    found = {matrix.name: torch.tensor(matrix.values, dtype=torch.float64) for matrix in run().matrices}
    added, content, scores = (found[name] for name in ("added", "content", "scores"))

    assert torch.allclose((content + added) / 8**0.5, scores)


def test_table_of_buckets_has_every_distance_once() -> None:
    """The buckets' ranges follow each other without a gap."""
    rows = next(table.rows for table in run().tables if table.name == "t5_buckets_table")
    ends = [int(start) + int(count) for _, start, count in rows[:-1] if isinstance(start, int) and isinstance(count, int)]

    assert [start for _, start, _ in rows[1:]] == ends
