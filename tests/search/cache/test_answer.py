"""The answer of a search: shares sum to one again, values and nodes come back."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.cards.combos import live_combos
from overbet.errors import ArtefactError
from overbet.search.cache import CachedAnswer, CachedArray, CachedNode, CacheRecord
from overbet.search.cache.encoding import decode, encode


def an_answer(seed: int = 0, nodes: int = 3) -> CachedAnswer:
    rng = np.random.default_rng(seed)
    live = live_combos([33, 29, 18])
    found, strategy = [], []
    for number in range(nodes):
        actions = ("f", "c", "b300", "b900")[: 2 + number % 3]
        found.append(CachedNode(f"r:0:b{100 + number}", number % 2, actions))
        shares = rng.dirichlet(np.full(len(actions), 0.3), 1326).T * live
        strategy.append(shares.astype(np.float32))
    values = rng.normal(size=(2, 1326)).astype(np.float32)
    return CachedAnswer(tuple(found), tuple(strategy), values, 0.25, {"iterations": 200})


def test_an_answer_comes_back() -> None:
    answer, live = an_answer(), live_combos([33, 29, 18])
    found = CachedAnswer.of(decode(encode(answer.record())))
    assert found.nodes == answer.nodes
    assert np.array_equal(found.values, answer.values)
    assert (found.exploitability, found.notes) == (0.25, {"iterations": 200})
    for read, given in zip(found.strategy, answer.strategy):
        assert read.dtype == np.float32
        assert np.abs(read.sum(axis=0)[live] - 1.0).max() < 1e-6
        assert not read[:, ~live].any()
        assert np.abs(read - given).max() < 4 / 65535


def test_an_answer_without_nodes() -> None:
    empty = CachedAnswer((), (), np.zeros((2, 1326), np.float32), 0.0)
    assert CachedAnswer.of(decode(encode(empty.record()))).nodes == ()


@pytest.mark.parametrize(
    "change",
    [
        {"nodes": [["r:0", 0, ["f"]]]},
        {"nodes": [["r:0", 0]]},
        {"nodes": None},
        {"exploitability": "x"},
        {"notes": 3},
    ],
)
def test_another_record_is_no_answer(change: dict) -> None:
    record = an_answer().record()
    with pytest.raises(ArtefactError, match="not the answer of a search"):
        CachedAnswer.of(CacheRecord({**record.head, **change}, record.arrays))


def test_an_answer_of_other_arrays_is_refused() -> None:
    record = an_answer().record()
    floats = CachedArray(("row", "hand"), record["strategy"].astype(np.float32))
    for arrays in ({}, {**record.arrays, "strategy": floats}):
        with pytest.raises(ArtefactError, match="not the answer of a search"):
            CachedAnswer.of(CacheRecord(record.head, arrays))


def test_shapes_and_shares_are_checked() -> None:
    node, values = CachedNode("r:0", 0, ("c", "b1")), np.zeros((2, 1326), np.float32)
    with pytest.raises(ValueError, match="strategy"):
        CachedAnswer((node,), (np.zeros((3, 1326), np.float32),), values, 0.0)
    with pytest.raises(ValueError, match="values"):
        CachedAnswer((node,), (np.zeros((2, 1326), np.float32),), values[0], 0.0)
    with pytest.raises(ValueError, match="share"):
        CachedAnswer((node,), (np.full((2, 1326), np.nan, np.float32),), values, 0.0).record()
