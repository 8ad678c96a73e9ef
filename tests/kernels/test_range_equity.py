"""Many ranges in one sweep against one range at a time."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.cards.cards import board
from overbet.cards.equity import hand_equities
from overbet.cards.range import Range
from overbet.solvers.vector.batches.flop_features import equities_on


@pytest.mark.parametrize("flop", ["8s4s3s", "AsAhAd", "KsQh2d"])
def test_equities_against_several_ranges(flop: str) -> None:
    texts = ["AA,KK", "22+,A2s+:0.3", "any", "7s6s,AsKs:0.5", "QQ:0.01"]
    held = np.stack([Range.parse(text).weights.astype(np.float64) for text in texts])
    found = equities_on(np.array(board(flop), np.int8), held)
    for number, text in enumerate(texts):
        live = Range.parse(text).without(flop)
        if not live:
            assert np.isnan(found[:, number]).all()
            continue
        expected = hand_equities(text, board=flop)
        assert np.array_equal(np.isnan(found[:, number]), np.isnan(expected))
        assert np.nanmax(np.abs(found[:, number] - expected)) < 2e-6
