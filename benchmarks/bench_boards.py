"""How many boards an iteration should draw: exploitability after equal processor time, one thread.

    python benchmarks/bench_boards.py                       # every hand of every board has rows of its own
    python benchmarks/bench_boards.py --buckets 50          # rows shared by strength, on a larger spot

Without buckets nothing is lost, and the spot is small: a row is met again only when its board is drawn again.
With buckets, hands of the same strength (on the turn: mean strength over all rivers) share rows. The judge
judges in the game with all hands and boards, so what buckets lose stays.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import numpy.typing as npt

from overbet.cards.combos import combo_table
from overbet.cards.evaluator import evaluate_batch
from overbet.solvers.rules import make_rule
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.sampling import BoardBuckets, BoardSampling
from overbet.tree.public import PublicTree, public_tree
from overbet.tree.spot import Spot

SPOT = {
    "board": "Qs9h4d",
    "pot": 60,
    "stacks": 300,
    "isomorphism": False,
    "ranges": {
        "oop": "22+,A2s+,K7s+,Q8s+,J8s+,T8s+,97s+,86s+,75s+,65s,54s,ATo+,KTo+,QTo+,JTo",
        "ip": "22+,A2s+,K5s+,Q7s+,J8s+,T7s+,97s+,86s+,76s,65s,54s,A9o+,KTo+,QTo+,JTo,T9o",
    },
    "bets": {"every": {"bet": "75%", "raise": "a"}},
}
SMALL = {
    "board": "Ts7s4s",
    "pot": 20,
    "stacks": 60,
    "ranges": {"oop": "KK,88,A5s", "ip": "AA,55:0.5,QJs"},
    "bets": {"every": {"bet": "100%"}},
}
Scores = npt.NDArray[np.float64]


def _scores(board: tuple[int, ...]) -> Scores:
    """Return every combo's share of the others that it beats on a river: [1326], NaN where it is dead."""
    cards = combo_table()
    dead = np.isin(cards, board).any(1)
    seven = np.concatenate([cards[~dead], np.tile(board, ((~dead).sum(), 1))], 1).astype(np.int8)
    strength = evaluate_batch(np.ascontiguousarray(seven))
    _, place, count = np.unique(strength, return_inverse=True, return_counts=True)
    found = np.full(len(cards), np.nan)
    found[~dead] = (np.cumsum(count) - count / 2)[place] / count.sum()
    return found


class Strengths:
    """Buckets by strength, worked out once a board."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._known: dict[tuple[int, ...], npt.NDArray[np.int64]] = {}

    def of_board(self, board: tuple[int, ...]) -> npt.NDArray[np.int64]:
        """Return the bucket of every combo: [1326]."""
        if board not in self._known:
            if len(board) == 5:
                score = _scores(board)
            else:
                rest = [card for card in range(52) if card not in board]
                score = np.nanmean([_scores((*board, card)) for card in rest], 0)
            score = np.nan_to_num(score)
            self._known[board] = np.minimum((score * self.count).astype(np.int64), self.count - 1)
        return self._known[board]


def lossless(tree: PublicTree) -> BoardBuckets:
    """Return a bucket for every hand on every board that the tree keeps."""
    held = np.union1d(*(hands.combos for hands in tree.hands))
    place = np.zeros(len(combo_table()), np.int64)
    place[held] = np.arange(len(held))
    numbers = {tuple(cards): k for boards in tree.boards for k, cards in enumerate(boards.cards.tolist())}
    counts = {street: tree.board_count(street) * len(held) for street in (1, 2)}
    return BoardBuckets(lambda board: numbers[board] * len(held) + place, counts)


def by_strength(tree: PublicTree, count: int) -> BoardBuckets:
    """Return buckets of equal strength, worked out beforehand."""
    buckets = BoardBuckets(Strengths(count).of_board, {1: count, 2: count})
    buckets.maps(tree)
    return buckets


def measure(
    tree: PublicTree, buckets: BoardBuckets, sampling: BoardSampling, budgets: list[float]
) -> tuple[list[int], list[float]]:
    """Return iterations and exploitabilities in percent of the pot after each budget of processor time."""
    engine = VectorEngine(tree, make_rule("dcfr"), buckets=buckets, sampling=sampling)
    spent, counts, found = 0.0, [], []
    for budget in budgets:
        while spent < budget:
            begun = time.process_time()
            engine.run(10)
            spent += time.process_time() - begun
        counts.append(engine.iteration)
        found.append(100 * engine.exploitability() / tree.spot.pot)
    return counts, found


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, nargs="+", default=[1.0, 4.0, 16.0])
    parser.add_argument("--buckets", type=int, default=0)
    given = parser.parse_args()
    tree = public_tree(Spot.parse(SPOT if given.buckets else SMALL))
    buckets = by_strength(tree, given.buckets) if given.buckets else lossless(tree)
    warm = VectorEngine(tree, make_rule("dcfr"), buckets=buckets, sampling=BoardSampling(1, 1))
    warm.run(1)
    print(f"{[hands.size for hands in tree.hands]} hands, {tree.betting.size} betting nodes")
    for turns, rivers in ((1, 1), (4, 1), (16, 1), (1, 4), (4, 4)):
        counts, found = measure(tree, buckets, BoardSampling(turns, rivers), given.seconds)
        line = ", ".join(
            f"{s:g} s: {c} iterations {x:.2f} %" for s, c, x in zip(given.seconds, counts, found)
        )
        print(f"{turns:2d} turns x {rivers} rivers  {line}", flush=True)


if __name__ == "__main__":
    main()
