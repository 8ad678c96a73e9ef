"""Games as flat arrays: small games, a postflop spot with all its boards, the betting of a whole hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overbet.lazy import lazy

if TYPE_CHECKING:
    from overbet.tree.betting import BettingTree as BettingTree
    from overbet.tree.betting import DepthLimit as DepthLimit
    from overbet.tree.flat import FlatGame as FlatGame
    from overbet.tree.flat import flatten as flatten
    from overbet.tree.holdem import HoldemTree as HoldemTree
    from overbet.tree.holdem import measure_tree as measure_tree
    from overbet.tree.public import PublicTree as PublicTree
    from overbet.tree.public import public_tree as public_tree
    from overbet.tree.spot import IP as IP
    from overbet.tree.spot import OOP as OOP
    from overbet.tree.spot import Spot as Spot
else:
    _TABLE = {
        "overbet.tree.betting": (
            "BettingTree",
            "DepthLimit",
        ),
        "overbet.tree.flat": (
            "FlatGame",
            "flatten",
        ),
        "overbet.tree.holdem": (
            "HoldemTree",
            "measure_tree",
        ),
        "overbet.tree.public": (
            "PublicTree",
            "public_tree",
        ),
        "overbet.tree.spot": (
            "IP",
            "OOP",
            "Spot",
        ),
    }
    __getattr__, __dir__, __all__ = lazy(__name__, _TABLE)
