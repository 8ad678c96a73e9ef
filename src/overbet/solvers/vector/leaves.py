"""Values at a depth limit: hands checked down, payoffs given as matrices, fixed strategies for what follows.

All three are linear in the opponent's reach, so the judge can judge trees that end in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from overbet.cards.evaluator import evaluate_batch
from overbet.errors import ConfigError
from overbet.kernels.vector.equity import add_pair_shares
from overbet.solvers.vector.response import Judge
from overbet.solvers.vector.subgame import LeafBatch, leaf_places, path_to
from overbet.tree.boards import live_on
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]


class EquityLeaves:
    """The hand is checked down: every leaf pays its pot by equity, exact over all cards to come.

    share: [B, H of OOP, H of IP] float32, OOP's mean share of a pot against each of IP's hands, 0 for pairs
    that cannot be; met: the same, 1 for pairs that can be.
    """

    linear = True

    def __init__(self, tree: PublicTree) -> None:
        self.tree = tree
        self.met: Floats = _pairs(tree).astype(np.float32)
        self.share: Floats = np.zeros_like(self.met)
        for number, board in enumerate(tree.boards[-1].cards.tolist()):
            rest = [card for card in range(52) if card not in board]
            runs = np.array([[*board, *run] for run in combinations(rest, 5 - len(board))], np.int8)
            own, opp = (_strengths(hands.cards, runs) for hands in tree.hands)
            add_pair_shares(own, opp, self.share[number])
            self.share[number] *= self.met[number] / comb(52 - len(board) - 4, 5 - len(board))

    def values(self, batch: LeafBatch) -> Doubles:
        """Return counterfactual values [B, L, H]: equity x pot less the rake, less what was put in."""
        spot = self.tree.spot
        pot = spot.pot + batch.put.sum(1).astype(float)
        paid = np.array([each - spot.rake.of(each) for each in pot])[None, :, None]
        put = batch.put[:, batch.player][None, :, None]
        won = self.share if batch.player == IP else self.share.transpose(0, 2, 1)
        met = self.met if batch.player == IP else self.met.transpose(0, 2, 1)
        shared, all_met = batch.opp @ won, (batch.opp @ met).astype(np.float64)
        if batch.player == IP:
            shared = all_met - shared
        found: Doubles = paid * shared - put * all_met
        return found


class PayoffLeaves:
    """Payoffs of every pair of hands at every leaf.

    payoffs: [B, L, H of OOP, H of IP] float, OOP's pot share (chips it gets back beyond what it still puts in
    from the root on); IP gets the rest of the starting pot, so this game has no rake. Pairs that share a card
    with each other or the board pay nothing, whatever is given.
    """

    linear = True

    def __init__(self, tree: PublicTree, payoffs: npt.ArrayLike) -> None:
        self.met = _pairs(tree).astype(np.float64)[:, None]
        given = np.asarray(payoffs, np.float64)
        shape = (len(self.met), len(leaf_places(tree).above), *(hands.size for hands in tree.hands))
        if given.shape != shape:
            raise ConfigError(f"the payoffs must have the shape {shape}: [boards, leaves, OOP's hands, IP's]")
        self.pot, self.payoffs = tree.spot.pot, given * self.met

    def values(self, batch: LeafBatch) -> Doubles:
        """Return counterfactual values [B, L, H]."""
        reach = batch.opp.astype(np.float64)
        if batch.player == OOP:
            found: Doubles = np.einsum("blij,blj->bli", self.payoffs, reach)
        else:
            found = np.einsum("blij,bli->blj", self.pot * self.met - self.payoffs, reach)
        return found


class StrategyLeaves:
    """What follows a leaf is played by fixed strategies: both players' averages on the whole tree.

    judges: one for each continuation, of solves of the same spot without the depth limit; continuation k is
    what `judges[k]` judges (both players' strategies).
    """

    linear = True

    def __init__(self, tree: PublicTree, judges: Sequence[Judge]) -> None:
        places, self.street = leaf_places(tree), tree.betting.last_street
        if places.continuation.max(initial=0) >= len(judges):
            raise ConfigError(
                f"the tree has {places.continuation.max() + 1} continuations and {len(judges)} are given"
            )
        self.judges, self.line = list(judges), np.zeros(len(places.path), np.int64)
        whole = judges[0].tree
        betting = whole.betting
        roots = betting.line_start[
            betting.street_line[self.street + 1] : betting.street_line[self.street + 2]
        ]
        line = {path_to(whole, int(betting.parent[root])): k for k, root in enumerate(roots)}
        try:
            self.line[:] = [line[path] for path in places.path]
        except KeyError as error:
            raise ConfigError("the judged trees bet otherwise than this one; use the same spot") from error
        self.lines = len(roots)

    def values(self, batch: LeafBatch) -> Doubles:
        """Return counterfactual values [B, L, H]."""
        hands = self.judges[0].tree.hands[batch.player].size
        found = np.zeros((*batch.opp.shape[:2], hands))
        for number, judge in enumerate(self.judges):
            chosen = np.flatnonzero(batch.continuation == number)
            for board in range(len(found) if len(chosen) else 0):
                reach = np.zeros((self.lines, batch.opp.shape[2]), np.float32)
                reach[self.line[chosen]] = batch.opp[board, chosen]
                found[board, chosen] = judge.after(batch.player, self.street, board, reach)[self.line[chosen]]
        return found


def _pairs(tree: PublicTree) -> npt.NDArray[np.bool_]:
    """Return which pairs of hands can be on each board of the last street: [B, H of OOP, H of IP] bool."""
    boards, (own, opp) = tree.boards[-1], tree.hands
    apart = ~(own.cards[:, None, :, None] == opp.cards[None, :, None, :]).any((2, 3))
    live = [live_on(boards, hands) > 0 for hands in tree.hands]
    found: npt.NDArray[np.bool_] = apart[None] & live[OOP][:, :, None] & live[IP][:, None, :]
    return found


def _strengths(hands: npt.NDArray[np.uint8], boards: npt.NDArray[np.int8]) -> npt.NDArray[np.int16]:
    """Return every hand's strength on every board, -1 where it is dead: [boards, H] int16."""
    seven = np.empty((len(boards), len(hands), 7), np.int8)
    seven[:, :, :2] = hands
    seven[:, :, 2:] = boards[:, None, :]
    dead = (seven[:, :, :2, None] == seven[:, :, None, 2:]).any((2, 3))
    found = np.full(dead.shape, -1, np.int16)
    found[~dead] = evaluate_batch(np.ascontiguousarray(seven[~dead]))
    return found
