"""Reservoirs: what they keep is Algorithm R's, every sample is as likely to stay, minibatches are fair."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from overbet.kernels.deep.reservoir import reservoir_places
from overbet.solvers.deep.memory import SampleMemory, Seen
from tests.reference.reservoir import kept_by


def things(first: int, count: int) -> Seen:
    numbers = np.arange(first, first + count, dtype=np.float32)
    return Seen(np.zeros(count, np.int32), numbers[:, None], np.ones(count, np.float32))


@pytest.mark.parametrize("pieces", [[500], [3, 4, 1, 92, 400], [1] * 500])
def test_what_is_kept_is_algorithm_r_whatever_the_pieces(pieces: list[int]) -> None:
    memory = SampleMemory([11, 12], 40, 1, 1)
    for seed, key in enumerate((11, 12)):
        first = 0
        for count in pieces:
            memory.add(seed, things(first, count), 1)
            first += count
        assert memory.numbers[seed, :, 0].tolist() == kept_by(key, 500, 40)


def test_every_thing_is_kept_as_often() -> None:
    """Inclusion over 2,000 reservoirs of 20 out of 60: the sum of squares follows chi-square."""
    things_, capacity, reservoirs = 60, 20, 2000
    kept = np.zeros(things_)
    last = np.full(capacity, -1, np.int64)
    for key in range(reservoirs):
        held = np.full(capacity, -1)
        for first in range(0, things_, 15):
            places = np.empty(15, np.int64)
            reservoir_places(np.uint64(key * 7919 + 1), first, capacity, places, last)
            taken = places >= 0
            held[places[taken]] = first + np.flatnonzero(taken)
        assert len(set(held.tolist())) == capacity
        kept[held] += 1
    share = capacity / things_
    # each count is a binomial; kept together their variance is smaller by (1 - share), and 1 is lost
    chi = float(((kept - reservoirs * share) ** 2).sum() / (reservoirs * share * (1 - share)))
    assert 32 < chi < 98  # 59 degrees of freedom: 0.1 % on either side


def filled(rows: int = 4) -> tuple[SampleMemory, Seen]:
    draw = np.random.default_rng(0)
    memory = SampleMemory([5], 1000, 2, rows)
    seen = Seen(
        draw.integers(0, rows, 600).astype(np.int32),
        draw.normal(size=(600, 2)).astype(np.float32),
        draw.random(600).astype(np.float32) + 0.5,
    )
    memory.add(0, Seen(*(part[:200] for part in seen)), 1)
    memory.add(0, Seen(*(part[200:] for part in seen)), 2)
    return memory, seen


def test_pooled_is_the_weighted_mean_of_each_row() -> None:
    memory, seen = filled()
    chunk = memory.pooled(torch.tensor([0.0, 1.0, 3.0]))
    weight = seen.scale * np.repeat([1.0, 3.0], [200, 400])
    for row in range(4):
        here = seen.row == row
        mean = (weight[here, None] * seen.numbers[here]).sum(0) / weight[here].sum()
        assert chunk.target[0, 0, row].numpy() == pytest.approx(mean, abs=1e-5)
        assert float(chunk.weight[0, 0, row, 0]) == pytest.approx(weight[here].sum() / weight.sum(), abs=1e-5)


def test_minibatches_by_set_and_by_sample_are_the_same_batch() -> None:
    memory, _ = filled()
    weights, legal = torch.tensor([0.0, 1.0, 3.0]), torch.ones((4, 2), dtype=torch.bool)
    pooled = memory.by_set(weights, 64, 3, (9,))
    drawn = memory.by_sample(weights, legal, 64, 3, (9,))
    assert drawn.rows is not None
    told = torch.randn(4, 2)
    for step in range(3):
        # the gradient of the loss by what the network says at each row
        by_sample = torch.zeros(4, 2)
        difference = told[drawn.rows[step, 0]] - drawn.target[step, 0]
        by_sample.index_add_(0, drawn.rows[step, 0], drawn.weight[step, 0] * difference)
        by_set = pooled.weight[step, 0] * (told - pooled.target[step, 0])
        # each divides by the mean weight of all it drew: the same for both, here over three steps and seeds
        assert torch.allclose(by_set, by_sample, atol=1e-5)


def test_draws_are_a_function_of_their_key() -> None:
    memory, _ = filled()
    weights = torch.ones(3)
    one, again, other = (memory.by_set(weights, 32, 2, (key,)).target for key in (1, 1, 2))
    assert torch.equal(one, again)
    assert not torch.equal(one, other)


def test_a_reservoir_goes_on_from_what_was_saved() -> None:
    memory, other = filled()[0], SampleMemory([5], 1000, 2, 4)
    other.load(memory.arrays(), 2)
    more = things(0, 3000)
    wide = Seen(more.row, np.repeat(more.numbers, 2, 1), more.scale)
    for one in (memory, other):
        one.add(0, wide, 3)
    assert torch.equal(memory.numbers, other.numbers)
    assert torch.equal(memory.when, other.when)


def test_mapped_memory_holds_the_same(tmp_path: Path) -> None:
    plain, mapped = SampleMemory([11], 40, 1, 1), SampleMemory([11], 40, 1, 1, mapped=tmp_path / "regrets0")
    for memory in (plain, mapped):
        memory.add(0, things(0, 500), 1)
    assert torch.equal(plain.numbers, mapped.numbers)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"regrets0-{part}.bin" for part in ("numbers", "row", "scale", "when")
    ]
