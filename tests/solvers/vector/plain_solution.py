"""The strategies of a solution handed to the plain reference, which then says what everything is worth."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from overbet.cards.cards import card
from overbet.solvers.vector.lines import LinePlace, next_cards, renamed, root_place
from overbet.solvers.vector.solution import Solution
from overbet.tree.betting import CHANCE
from tests.reference.postflop import PlainSolver, Point

Array = npt.NDArray[np.float64]


def plain_solution(solution: Solution) -> PlainSolver:
    """Return a reference solver whose averages are the solution's strategies, on every real board."""
    plain = PlainSolver(solution.spot)
    tree = solution.tree
    index = {s: {b: i for i, b in enumerate(boards)} for s, boards in plain.deals.boards.items()}

    def walk(point: Point, place: LinePlace) -> None:
        if isinstance(point.what, int):
            order = renamed(solution.reader.tree, point.what, place.swaps)
            strategy = solution.reader.strategy(place.node, place.board)[:, order]
            plain.average[point.line][index[point.street][place.cards]] = strategy
        children = list(tree.betting.children(place.node))
        for child, after in zip(point.after.values(), children):
            if tree.betting.kind[place.node] == CHANCE:
                for dealt in next_cards(tree, place).values():
                    walk(child, dealt)
            else:
                walk(child, place._replace(node=after))

    walk(plain.root, root_place(tree))
    return plain


class Oracle:
    """EV, equity and reach of one line of the reference, on one real board, by the pairs of hands."""

    def __init__(self, plain: PlainSolver, line: str) -> None:
        self.plain = plain
        parts = line.split(":")[2:]
        dealt = [part for part in parts if part[0] not in "cfb" or (len(part) == 2 and part[1] in "cdhs")]
        self.cards = (*plain.spot.cards, *(card(part) for part in dealt))
        self.point, reach = plain.root, list(plain.deals.weights)
        board = plain.spot.cards
        for part in parts:
            if part in dealt:
                board = (*board, card(part))
                self.point = self.point.after["card"]
                continue
            if isinstance(self.point.what, int):
                number = plain.deals.boards[self.point.street].index(board)
                strategy = plain.average_strategy(self.point.line)[number]
                action = list(self.point.after).index(part)
                reach[self.point.what] = reach[self.point.what] * strategy[action]
            self.point = self.point.after[part]
        self.board = plain.deals.boards[self.point.street].index(board)
        live = plain.deals.live[self.point.street]
        self.reach = [reach[p] * live[p][self.board] for p in (0, 1)]

    def met(self, player: int) -> Array:
        pairs = self.plain.deals.pairs[self.point.street][self.board]
        return pairs @ self.reach[1] if player == 0 else self.reach[0] @ pairs

    def ev(self, player: int, values: dict[str, Array]) -> Array:
        met = self.met(player)
        with np.errstate(invalid="ignore", divide="ignore"):
            return values[self.point.line][self.board] / met + self.point.put[player]

    def equity(self, player: int) -> Array:
        deals = self.plain.deals
        first = len(self.cards)
        boards = [i for i, board in enumerate(deals.boards[2]) if board[:first] == self.cards]
        sign = deals.sign[boards] * deals.pairs[2][boards]
        half = (sign + deals.pairs[2][boards]) / 2
        half = half if player == 0 else deals.pairs[2][boards] - half
        total = half.sum(0)
        runs = {5: 1, 4: 44, 3: 45 * 44}[first]
        beaten = total @ self.reach[1] if player == 0 else self.reach[0] @ total
        with np.errstate(invalid="ignore", divide="ignore"):
            return beaten / runs / self.met(player)
