"""The subgame of a search as a solution of its own: its spot says what was believed and what was bet."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from overbet.cards.cards import cards_name
from overbet.cards.combos import combo_name
from overbet.cards.range_text import weight_text
from overbet.errors import ConfigError
from overbet.games import lines
from overbet.search.searcher import SearchAnswer
from overbet.search.street_start import tokens_of
from overbet.solvers.vector.layout import layout_of
from overbet.solvers.vector.settings import SolveSettings
from overbet.solvers.vector.solution import Solution
from overbet.solvers.vector.store import layout_digest
from overbet.tree.boards import RangeHands
from overbet.tree.public import public_tree
from overbet.tree.spot import RangesConfig


def subgame_line(answer: SearchAnswer) -> str:
    """Return the decision of an answer as a line of its subgame, such as `r:0:c:b300`."""
    return lines.text(tokens_of(answer.edges))


def subgame_solution(answer: SearchAnswer) -> Solution:
    """Return the subgame of an answer as a solution that can be saved and opened again.

    The tables are the search's own. A search keeps its ranges and the bets really made beside the spot, and a
    file keeps the spot alone: here the spot has both.
    """
    found = answer.search.solution
    board = cards_name(answer.search.start.board)
    if not found.tree.is_ordered:
        raise ConfigError(f"the subgame on {board} was searched on drawn boards alone: it cannot be opened")
    ranges = [_text(hands) for hands in found.tree.hands]
    changes = {"ranges": RangesConfig(oop=ranges[0], ip=ranges[1]), "played": answer.edges}
    tree = public_tree(found.spot.model_copy(update=changes))
    layout = layout_of(tree)
    if layout_digest(tree, layout) != layout_digest(found.tree, found.layout):
        raise ConfigError(f"the subgame on {board} cannot be saved: its spot gives another tree")
    settings = SolveSettings.parse(found.settings.model_dump() | {"threads": 0}, "settings")
    return Solution(tree, settings, found.tables, found.history, layout=layout)


def _text(hands: RangeHands) -> str:
    """Return a range hand by hand, every weight to the last bit of its float32."""
    weights: npt.NDArray[np.float32] = hands.weights
    return ",".join(
        f"{combo_name(int(combo))}:{weight_text(weight)}" for combo, weight in zip(hands.combos, weights)
    )
