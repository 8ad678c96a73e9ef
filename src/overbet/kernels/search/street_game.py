"""What sampled walks over the subgame of a street read and write, and what hands win at its ends."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.agents.blueprint import BlueprintArrays
from overbet.kernels.jit import lean
from overbet.kernels.search.street_tree import FOLDED, StreetNodes

PLAIN = 0
WAYS = 4  # to go on after a leaf: plain, leaning to folds, to calls, to raises


class StreetHands(NamedTuple):
    """H hands alive when the street began. cards: [H, 2] int8; reach: [P, H] float64, running sums of the
    weights that hands are drawn by; weight: [P, H] float32, never 0.
    """

    cards: npt.NDArray[np.int8]
    reach: npt.NDArray[np.float64]
    weight: npt.NDArray[np.float32]


class BoardRows(NamedTuple):
    """B full boards. cards: [B, 5] int8; known: how many of them lie already; rank: [B, H] int32; bucket:
    [B, 4, H] int32, of the blueprint, by street; -1 where a hand has a card of the board.
    """

    cards: npt.NDArray[np.int8]
    known: int
    rank: npt.NDArray[np.int32]
    bucket: npt.NDArray[np.int32]


class StreetTables(NamedTuple):
    """regret: [entries] float32; average: [averages] float32; fixed: [any] float32, strategies that are not
    learned, [action, hand]; fixed_at: [N] int64, where those of a decision begin, -1 where it is learned;
    choices: at a leaf; lean: the factor on what is leant to.
    """

    regret: npt.NDArray[np.float32]
    average: npt.NDArray[np.float32]
    fixed: npt.NDArray[np.float32]
    fixed_at: npt.NDArray[np.int64]
    choices: int
    lean: float


class WalkRoom(NamedTuple):
    """Work space. D decisions on a line, A actions.

    node, child: [D] int64; share, value: [D, A, H] float32; below a leaf follow_node, follow_child: [D] int64
    and ways: [D, A, WAYS, H] float32; way: [WAYS, H] float32; result, total: [H] float32; live: [H] float32,
    1 for hands that share no card with what was drawn; hand: [P] int64 and leaning: [P] int64, as drawn;
    row: [A] float32.
    """

    node: npt.NDArray[np.int64]
    child: npt.NDArray[np.int64]
    share: npt.NDArray[np.float32]
    value: npt.NDArray[np.float32]
    follow_node: npt.NDArray[np.int64]
    follow_child: npt.NDArray[np.int64]
    ways: npt.NDArray[np.float32]
    way: npt.NDArray[np.float32]
    result: npt.NDArray[np.float32]
    total: npt.NDArray[np.float32]
    live: npt.NDArray[np.float32]
    hand: npt.NDArray[np.int64]
    leaning: npt.NDArray[np.int64]
    row: npt.NDArray[np.float32]


class StreetGame(NamedTuple):
    """All that a walk reads and writes, but for its room."""

    nodes: StreetNodes
    hands: StreetHands
    boards: BoardRows
    tables: StreetTables
    blueprint: BlueprintArrays


@lean
def match_hands(regret: Any, first: int, count: int, share: Any, total: Any) -> None:
    """Regret matching for all hands. regret: flat, rows [action, hand] from `first` on; share: [A, H]."""
    hands = len(total)
    total[:] = np.float32(0)
    for a in range(count):
        for h in range(hands):
            weight = max(regret[first + a * hands + h], np.float32(0))
            share[a, h] = weight
            total[h] += weight
    for h in range(hands):
        total[h] = np.float32(1) / total[h] if total[h] > 0 else np.float32(0)
    alike = np.float32(1) / np.float32(count)
    for a in range(count):
        for h in range(hands):
            share[a, h] = share[a, h] * total[h] if total[h] > 0 else alike


@lean
def end_values(game: StreetGame, n: int, player: int, board: int, room: WalkRoom, out: Any) -> None:
    """Fill what every hand of a player wins at an end: out [H] float32."""
    nodes, ranks = game.nodes, game.boards.rank[board]
    end = nodes.first[n]
    out[:] = nodes.won[end, player]
    if nodes.kind[n] == FOLDED:
        return
    for pot in range(nodes.pot_first[end], nodes.pot_first[end + 1]):
        mask = nodes.pot_mask[pot]
        if not mask >> player & 1:
            continue
        best, ties = np.int32(-1), 1
        for other in range(len(room.hand)):
            if other != player and mask >> other & 1:
                rank = ranks[room.hand[other]]
                if rank > best:
                    best, ties = rank, 1
                elif rank == best:
                    ties += 1
        chips = nodes.pot_chips[pot]
        split = chips / np.float32(ties + 1)
        for h in range(len(out)):
            out[h] += chips if ranks[h] > best else split if ranks[h] == best else np.float32(0)
