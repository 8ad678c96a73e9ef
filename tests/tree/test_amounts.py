"""Spots written in big blinds are the same spots in whole chips."""

from __future__ import annotations

from typing import Any

import pytest

from overbet.betting.sizes import Decision, Thresholds, menu, parse_sizes
from overbet.errors import ConfigError
from overbet.solvers.vector.api import SolveFile

SPOT: dict[str, Any] = {
    "board": "KsTh7s4d2c",
    "pot": "5.5bb",
    "stacks": "97.5 bb",
    "ranges": {"oop": "QQ", "ip": "JJ"},
    "rake": {"share": 0.05, "cap": "3bb"},
}


def spot(**changes: Any) -> SolveFile:
    return SolveFile.parse({**SPOT, **changes}, "spot")


def test_big_blinds_become_whole_chips() -> None:
    found = spot(min_bet="1bb")
    assert (found.pot, found.stacks, found.big_blind) == (550, 9750, 100)
    assert (found.min_bet, found.rake.cap) == (100, 300)
    assert spot(big_blind=10, stacks=["97.5bb", 340]).stacks == (975, 340)
    same = spot(pot=550, stacks=9750, big_blind=100, rake={"share": 0.05, "cap": 300})
    assert same.digest() == spot().digest()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"pot": "5.55bb", "big_blind": 10}, "5.55bb is not a whole number of chips .* set big_blind: 20"),
        ({"pot": "5.5 blinds"}, "pot"),
        ({"pot": "-5bb"}, "pot"),
    ],
)
def test_amounts_that_cannot_be_counted_in_chips(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        spot(**changes)


def test_a_bet_size_in_big_blinds_needs_a_big_blind() -> None:
    bets = {"river": {"bet": "4bb", "raise": "12 bb"}}
    assert spot(bets=bets).bets.menu(2, 0).raises(0) == (("bb", 12.0),)
    with pytest.raises(ConfigError, match="does not say what a big blind is; set big_blind"):
        spot(pot=55, stacks=975, rake={}, bets=bets)
    first = Decision(550, 0, 0, 9750, 1, 1, 1, big_blind=100)
    assert menu(parse_sizes("4bb"), first, Thresholds()) == [400]
    raising = Decision(950, 400, 0, 9750, 1, 1, 800, big_blind=100)
    assert menu(parse_sizes("12bb", raising=True), raising, Thresholds()) == [1200]
