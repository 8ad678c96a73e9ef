"""A damaged preflop table is told, whatever the damage."""

from pathlib import Path

import numpy as np
import pytest

from overbet.cards import preflop
from overbet.errors import ArtefactError


def table(path: Path) -> bytes:
    wins = np.full(preflop.MATCHUPS, 5, np.int32)
    np.savez_compressed(path, wins=wins, ties=wins)
    return path.read_bytes()


def test_every_damaged_byte_is_told(tmp_path: Path) -> None:
    path = tmp_path / "preflop.npz"
    whole = table(path)
    assert preflop.read_counts(path)[0][0] == 5
    refused = 0
    for place in range(0, len(whole), max(1, len(whole) // 200)):
        damaged = bytearray(whole)
        damaged[place] ^= 0x41
        path.write_bytes(damaged)
        try:
            preflop.read_counts(path)
        except ArtefactError:
            refused += 1
    assert refused > 100


@pytest.mark.parametrize("value", [-1, preflop.BOARDS])
def test_counts_that_cannot_be(tmp_path: Path, value: int) -> None:
    path = tmp_path / "preflop.npz"
    wins = np.full(preflop.MATCHUPS, value, np.int32)
    np.savez(path, wins=wins, ties=wins)
    with pytest.raises(ArtefactError, match="is not a preflop table"):
        preflop.read_counts(path)
