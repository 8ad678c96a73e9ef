"""Small spots that solve at once, shared by the tests of solutions, files and commands."""

from __future__ import annotations

from typing import Any

# three suits left to come, two of them interchangeable; unequal ranges with weights; rake; two sizes
TURN: dict[str, Any] = {
    "board": "KsTs7s4d",
    "pot": 40,
    "stacks": 100,
    "ranges": {"oop": "AA,KQs,76s:0.5", "ip": "QQ,AKs,T9s:0.25"},
    "bets": {"every": {"bet": "50%,a", "raise": "60%"}},
    "rake": {"share": 0.05, "cap": 3},
}

# one bet a street and few hands: small enough to write out all 2,352 run-outs of the flop
FLOP: dict[str, Any] = {
    "board": "Ts7s4s",
    "pot": 20,
    "stacks": 20,
    "ranges": {"oop": "KK,88", "ip": "AA,55:0.5"},
    "bets": {"every": {"bet": "a"}},
}

RIVER: dict[str, Any] = {
    "board": "KsTh7s4d2c",
    "pot": 60,
    "stacks": 150,
    "big_blind": 10,
    "ranges": {"oop": "QQ-99,AKs,KQs,T9s,76s", "ip": "JJ-77,AQs,KJs,QJs,87s"},
    "bets": {"every": {"bet": "50%", "raise": "a"}},
}
