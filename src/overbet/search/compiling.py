"""The kernels of search, compiled by the other core while a blueprint is loaded and asked.

A process of its own searches a small subgame of each street once. What it calls is what any search calls, so
nothing has to be named; the kernels are kept on disk, and whoever comes to one of them waits for it.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable

import numpy as np

from overbet.ahead import note, start_work
from overbet.cards.cards import cards as read_cards
from overbet.games.holdem import HoldemGame
from overbet.search.beliefs import all_hands, on_board
from overbet.search.settings import SearchSettings
from overbet.search.street_search import FLOP, search_street
from overbet.search.street_start import StreetStart
from overbet.solvers.vector.sampling import BoardBuckets
from overbet.tree.spot import STREETS

_BOARD = read_cards("Td9d6h2cAs")
_BUCKETS = 2


def compile_early(streets: Iterable[str]) -> None:
    """Have the kernels of searches on some streets compiled, in this order, where it was not done yet.

    The note of the first street decides: a command that is over before the others are done ends the process
    that compiles them, and would else begin it anew every time.
    """
    words = tuple(streets)
    if words:
        start_work(__name__, *words, what=_name(words[0]))


def search_once(street: int) -> None:
    """Search a street for one iteration, and ask what hands are worth."""
    board = _BOARD[: street + 3]
    start = StreetStart(HoldemGame(), street, board, 500, 1000, "")
    bets = {"every": {"bet": "50%"}}
    settings = SearchSettings.of({STREETS[street]: {"bets": bets, "iterations": 1}, "cache": False})
    settings = settings.settled(gpu=False)
    ranges = on_board(all_hands(), board)
    found = search_street(start, ranges, (), (), None, _no_buckets(), None, (), (), settings)
    if street != FLOP:  # with drawn boards there is no judge
        _ = found.solution.node("r:0").oop.ev_chips


def _no_buckets() -> BoardBuckets:
    """Return buckets of turn and river in which all hands are alike."""
    alike = np.zeros(len(all_hands()[0]), np.int32)

    def of_board(board: tuple[int, ...]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        return alike

    return BoardBuckets(of_board, {1: _BUCKETS, 2: _BUCKETS})


def main(streets: Iterable[str]) -> None:
    """Search each street once and leave its note."""
    gc.disable()  # there is little garbage, and it ends soon
    for street in streets:
        with note(_name(street)):
            search_once(STREETS.index(street))


def _name(street: str) -> str:
    return f"search-{street}"


if __name__ == "__main__":
    main(sys.argv[1:])
