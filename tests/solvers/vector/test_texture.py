"""What flops look like."""

from __future__ import annotations

from collections import Counter

import pytest

from overbet.errors import ConfigError
from overbet.solvers.vector.batches.flops import board_set
from overbet.solvers.vector.batches.texture import TEXTURES, Texture, checked_filters, fits, texture


@pytest.mark.parametrize(
    ("board", "look"),
    [
        ("AsKd2c", ("rainbow", "unpaired", "A", "semi-connected")),  # AK, and A2 of the wheel
        ("Kd7s2c", ("rainbow", "unpaired", "K", "disconnected")),
        ("Js9s7d", ("two-tone", "unpaired", "J", "connected")),
        ("Js9s6s", ("monotone", "unpaired", "J", "semi-connected")),
        ("Ad4c5h", ("rainbow", "unpaired", "A", "connected")),
        ("7h7d3c", ("rainbow", "paired", "7", "semi-connected")),
        ("8h8d3h", ("two-tone", "paired", "8", "disconnected")),
        ("2h2d2c", ("rainbow", "trips", "2", "disconnected")),
        ("QhJdTcQs2s", ("rainbow", "unpaired", "Q", "connected")),  # of the flop alone
    ],
)
def test_textures(board: str, look: tuple[str, str, str, str]) -> None:
    assert texture(board) == Texture(*look)


def test_shares_of_all_flops() -> None:
    """Known counts of the 22,100 flops: 5,304 rainbow unpaired and so on (four suits, thirteen ranks)."""
    found = board_set("all")
    counts = {name: Counter[str]() for name in TEXTURES}
    for board, weight in zip(found.boards, found.weights):
        for name, word in texture(board)._asdict().items():
            counts[name][word] += round(22_100 * weight)
    # rainbow: 286 x 24 unpaired, 156 x 12 paired, 13 x 4 trips; monotone: 286 x 4
    assert counts["suits"] == {"rainbow": 8788, "two-tone": 12168, "monotone": 1144}
    assert counts["pairing"] == {"unpaired": 18304, "paired": 3744, "trips": 52}
    assert counts["high_card"]["A"] == 22_100 - 48 * 47 * 46 // 6
    assert sum(counts["connectedness"].values()) == 22_100
    # three ranks within one of the ten straights: 64 sets of ranks
    ranks = {frozenset(board[::2]) for board in found.boards if texture(board).connectedness == "connected"}
    assert len(ranks) == 64
    assert counts["connectedness"]["connected"] == 64 * 4**3


def test_filters() -> None:
    chosen = checked_filters({"High card": "a, K", "suits": ["Rainbow"], "pairing": ""})
    assert chosen == {"high_card": ("A", "K"), "suits": ("rainbow",)}
    assert fits("AsKd2c", chosen)
    assert not fits("AsKs2c", chosen)
    with pytest.raises(ConfigError, match="unknown texture 'height'"):
        checked_filters({"height": "A"})
