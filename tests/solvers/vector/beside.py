"""The engine and the plain reference side by side: the same decisions, boards and hands in both.

The engine keeps one of several boards that mirror each other; here its tables are spread out over all real
boards again, so that every entry the reference holds is compared.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.solvers.vector.engine import VectorEngine
from overbet.tree import betting as tree_of_bets
from overbet.tree.boards import SWAPS
from overbet.tree.public import PublicTree
from tests.reference.postflop import DEAL, FOLD, SHOWDOWN, PlainSolver, Point

Floats = npt.NDArray[np.float64]
Table = npt.NDArray[np.float32]
_KINDS = {0: 0, 1: 1, FOLD: tree_of_bets.FOLD, SHOWDOWN: tree_of_bets.SHOWDOWN, DEAL: tree_of_bets.CHANCE}


class Copies(NamedTuple):
    """Where the engine keeps every real board of a street, B of them in the reference's order.

    kept: [B] int64, the board kept for it. hands: for each player [B, H] int64, the hand there that stands
    for each hand here.
    """

    kept: npt.NDArray[np.int64]
    hands: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]


def same_tree(betting: tree_of_bets.BettingTree, root: Point) -> dict[str, int]:
    """Check that a betting tree is the reference's, node by node; return the node of every decision."""
    found: dict[str, int] = {}
    nodes: list[int] = []

    def walk(point: Point, node: int) -> None:
        nodes.append(node)
        assert betting.kind[node] == _KINDS[point.what]
        assert betting.street[node] == point.street
        assert tuple(betting.put[node]) == point.put
        if isinstance(point.what, int):
            found[point.line] = node
        children = list(betting.children(node))
        assert len(children) == len(point.after)
        for (name, child), number in zip(point.after.items(), children):
            assert betting.parent[number] == node
            edge = {"f": tree_of_bets.FOLD_EDGE, "c": tree_of_bets.CALL_EDGE, "card": 0}
            assert betting.edge[number] == (edge[name] if name in edge else int(name[1:]))
            walk(child, number)

    walk(root, 0)
    assert sorted(nodes) == list(range(betting.size))
    return found


def copies(tree: PublicTree, plain: PlainSolver) -> dict[int, Copies]:
    """Return where the engine keeps the boards of each street.

    A mirror of a river is a mirror within its turn, seen through the mirrors of that turn.
    """
    first = tree.spot.first_street
    whole = [np.arange(hands.size)[None] for hands in tree.hands]
    found = {first: Copies(np.zeros(1, np.int64), (whole[0], whole[1]))}
    above = [[(0, 1, 2, 3)]]  # for each board kept on the street before: a renaming of suits a copy
    for street in range(first + 1, 3):
        boards = tree.street_boards(street)
        assert boards is not None
        places = {b: i for i, b in enumerate(plain.deals.boards[street])}
        kept = np.full(len(places), -1)
        hands = [np.zeros((len(places), len(own)), np.int64) for own in plain.deals.hands]
        here = []
        for number, cards in enumerate(boards.cards.tolist()):
            mirrors = boards.mirrors[boards.mirror_start[number] : boards.mirror_start[number + 1]]
            swaps = [_swapped(int(swap)) for swap in mirrors]
            here.append([_after(swap, outer) for swap in swaps for outer in above[boards.parent[number]]])
            for suits in here[-1]:
                real = places[(*tree.spot.cards, *_renamed(cards[len(tree.spot.cards) :], suits))]
                assert kept[real] == -1
                kept[real] = number
                for player in (0, 1):
                    hands[player][real, _images(plain.deals.hands[player], suits)] = whole[player][0]
        above = here
        assert (kept >= 0).all()
        found[street] = Copies(kept, (hands[0], hands[1]))
    return found


def _swapped(swap: int) -> tuple[int, ...]:
    suits = list(range(4))
    if swap:
        a, b = SWAPS[swap - 1]
        suits[a], suits[b] = b, a
    return tuple(suits)


def _after(inner: tuple[int, ...], outer: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(outer[suit] for suit in inner)


def _renamed(cards: list[int] | tuple[int, ...], suits: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(card - card % 4 + suits[card % 4] for card in cards)


def _images(hands: list[tuple[int, int]], suits: tuple[int, ...]) -> npt.NDArray[np.int64]:
    place = {hand: i for i, hand in enumerate(hands)}
    return np.array([place[min(pair), max(pair)] for pair in (_renamed(hand, suits) for hand in hands)])


class Beside:
    """Reads an engine's tables as the reference lays them out."""

    def __init__(self, engine: VectorEngine, plain: PlainSolver) -> None:
        tree = engine.tree
        every = copies(tree, plain)
        self.swaps = _live_swaps(tree, plain)
        self.street = {line: point.street for line, point in plain.decisions.items()}
        self.index: dict[str, npt.NDArray[np.int64]] = {}  # by line: [board, action, hand] into the table
        self.live: dict[str, npt.NDArray[np.bool_]] = {}  # by line: [board, 1, hand]
        self.player = {
            line: int(tree.betting.kind[n]) for line, n in same_tree(tree.betting, plain.root).items()
        }
        for line, node in same_tree(tree.betting, plain.root).items():
            street, player = int(tree.betting.street[node]), self.player[line]
            found = [engine.rows_of(node, board) for board in range(tree.board_count(street))]
            starts, places = (np.stack(column) for column in zip(*found))
            copy = every[street]
            place = places[copy.kept[:, None], copy.hands[player]]
            self.index[line] = starts[copy.kept][:, :, None] + place[:, None, :]
            self.live[line] = plain.deals.live[street][player][:, None] > 0

    def read(self, tables: list[Table]) -> dict[str, Floats]:
        """Return tables by line, on all real boards: [board, action, hand], 0 where a hand is dead."""
        return {
            line: np.where(self.live[line], tables[self.player[line]][index].astype(float), 0.0)
            for line, index in self.index.items()
        }

    def lopsided(self, strategies: dict[str, Floats]) -> float:
        """Return the most by which strategies differ between hands and boards that mirror each other."""
        most = 0.0
        for line, strategy in strategies.items():
            for boards, hands in self.swaps[self.street[line]]:
                image = strategy[boards][:, :, hands[self.player[line]]]
                most = max(most, float((np.abs(image - strategy) * self.live[line]).max()))
        return most


Swap = tuple[npt.NDArray[np.int64], tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]


def _live_swaps(tree: PublicTree, plain: PlainSolver) -> dict[int, list[Swap]]:
    """Return, by street, what becomes of boards and hands by the swaps the engine uses on the first."""
    first, swaps = tree.spot.first_street, set()
    if first < 2:
        boards = tree.street_boards(first + 1)
        assert boards is not None
        swaps = {int(swap) for swap in boards.mirrors} - {0}
    found: dict[int, list[Swap]] = {}
    for street, every in plain.deals.boards.items():
        places = {board: i for i, board in enumerate(every)}
        found[street] = []
        for suits in map(_swapped, sorted(swaps)):
            known = len(tree.spot.cards)
            images = [places[(*b[:known], *_renamed(b[known:], suits))] for b in every]
            hands = [_images(own, suits) for own in plain.deals.hands]
            found[street].append((np.array(images), (hands[0], hands[1])))
    return found
