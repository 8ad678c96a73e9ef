"""What is shown of a tree and computed from it, in the words and the order of the commands.

EVs are global, as PioSOLVER's are: chips won in the whole tree, so that calling 100 and then folding is worth
-100. A node's children come bets first, the largest before the others, then the call or check, then the fold;
every list by action follows that order.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from overbet.cards.cards import card_name
from overbet.cards.combos import COMBOS
from overbet.cards.equity import hand_equities
from overbet.cards.range import Range
from overbet.errors import quoted
from overbet.games.lines import ROOT
from overbet.interfaces.protocols.upi.words import POSITIONS, Doubles, UpiError, matchups, row, spread
from overbet.solvers.vector.lines import LinePlace, follow, line_of, next_cards, read_line
from overbet.solvers.vector.node import Node
from overbet.solvers.vector.reader import RIVER
from overbet.solvers.vector.response import OBEY, Judge
from overbet.solvers.vector.solution import Solution
from overbet.tree.betting import CALL_EDGE, CHANCE, FOLD_EDGE
from overbet.tree.spot import IP, OOP, Spot

_TYPES = {OOP: "OOP_DEC", IP: "IP_DEC"}
_UNSEEN = (45, 44)  # cards that can come on turn and river, both hands and the board known
_TREE_ROOT = "r"  # above the first decision


def place_at(solution: Solution, name: str) -> LinePlace:
    """Return the place of a node id."""
    if name == _TREE_ROOT:
        return read_line(solution.tree, ROOT)
    return read_line(solution.tree, name)


def node_text(solution: Solution, name: str, locked: bool = False) -> str:
    """Return id, type, board, pot, number of children and flags, a line each."""
    place = place_at(solution, name)
    if name == _TREE_ROOT:
        return _block(solution, place, _TREE_ROOT, "ROOT", 1, False)
    return _block(solution, place, place.line, *_kind(solution, place), locked)


def children_text(solution: Solution, name: str, locked: frozenset[str]) -> str:
    """Return every child as `show_node` has it, under `child 0:`, `child 1:`, ... divided by empty lines."""
    place = place_at(solution, name)
    if name == _TREE_ROOT:
        found = [place]
    else:
        found = children(solution, place)
    blocks = [
        f"child {number}:\n{node_text(solution, child.line, child.line in locked)}\n"
        for number, child in enumerate(found)
    ]
    return "\n".join(blocks)


def children(solution: Solution, place: LinePlace) -> list[LinePlace]:
    """Return the places after a node: actions in their order, or one for every card that can come."""
    betting, kind = solution.tree.betting, int(solution.tree.betting.kind[place.node])
    if _ended(solution, place):
        return []
    if kind == CHANCE:
        return list(next_cards(solution.tree, place).values())
    tokens = [
        line_of(solution.tree, child, place.cards).rpartition(":")[2] for child in _order(solution, place)
    ]
    assert len(tokens) == int(betting.num_children[place.node])
    return [follow(solution.tree, place, token) for token in tokens]


def strategy(solution: Solution, name: str) -> Doubles:
    """Return how every hand plays a decision: [children, 1326] float64, in the order of the children."""
    place = place_at(solution, name)
    node = solution.node(place.line)
    seat = node.seat()
    if seat.strategy is None:
        raise UpiError(f"nobody decides at {place.line}")
    columns = _columns(solution, place)
    return np.stack([spread(seat.combos, seat.strategy[:, column]) for column in columns])


def tokens_in_order(solution: Solution, name: str) -> list[str]:
    """Return the parts of a line that lead to the children of a decision."""
    return [child.line.rpartition(":")[2] for child in children(solution, place_at(solution, name))]


def range_text(solution: Solution, player: int, name: str) -> str:
    """Return how much of every hand gets to a node."""
    seat = solution.node(place_at(solution, name).line).seat(player)
    return row(spread(seat.combos, seat.reach))


def ev_text(solution: Solution, player: int, name: str) -> str:
    """Return every hand's EV at a node, and its matchups."""
    place = place_at(solution, name)
    node = solution.node(place.line)
    seat = node.seat(player)
    put = int(solution.tree.betting.put[place.node, player])
    return _two_lines(node, player, spread(seat.combos, seat.ev_chips - put, np.nan))


def ev_table(solution: Solution, player: int, name: str) -> str:
    """Return the same for people: a hand a line, and the mean."""
    place = place_at(solution, name)
    node = solution.node(place.line)
    seat, put = node.seat(player), int(solution.tree.betting.put[place.node, player])
    found = matchups(_reach(node, 1 - player))[seat.combos]
    lines = [
        f"{hand}: {ev - put:.3f} {pairs:.3f}"
        for hand, ev, pairs in zip(seat.hands, seat.ev_chips, found, strict=True)
        if np.isfinite(ev)
    ]
    return "\n".join([*lines, f"EV: {seat.mean_ev_chips - put:.3f}"])


def equity_text(solution: Solution, player: int, name: str) -> str:
    """Return every hand's equity at a node, its matchups, and the range's equity."""
    node = solution.node(place_at(solution, name).line)
    seat = node.seat(player)
    return f"{_two_lines(node, player, spread(seat.combos, seat.equity, np.nan))}\n{row([seat.mean_equity])}"


def range_equity_text(mine: Range, theirs: Range, board: str) -> str:
    """Return the equity and the matchups of every hand of a range against another on a board."""
    equities = hand_equities(theirs, board=board)
    found = matchups(theirs.without(board).weights.astype(np.float64))
    held = (mine.weights > 0) & np.isfinite(equities)
    return f"{row(np.where(held, equities, np.nan))}\n{row(np.where(held, found, 0.0))}"


def frequency(solution: Solution, name: str) -> float:
    """Return how often a node is reached, cards included: the share of all deals of both hands."""
    place = place_at(solution, name)
    start, node = solution.node(ROOT), solution.node(place.line)
    share = _deals(node) / _deals(start)
    for left in _UNSEEN[solution.spot.first_street :][: len(place.swaps)]:
        share /= left
    return share


def results_text(solution: Solution) -> str:
    """Return running time, EVs, what best responses are worth, and half of what they gain together.

    Locked strategies are part of the game, as they are for the accuracy that ends a solve: who is locked
    answers with what is locked.
    """
    evs = [solution.ev(player) for player in (OOP, IP)]
    if solution.locks:
        best = _best_with_locks(solution, evs)
        gain = 2 * solution.exploitability * solution.spot.pot / 100
    else:
        best = [ev + solution.best_response(player).gain_chips for player, ev in enumerate(evs)]
        gain = sum(best) - sum(evs)
    return "\n".join(
        (
            f"running time: {solution.seconds:.3f}",
            *(f"EV {name}: {ev:.3f}" for name, ev in zip(POSITIONS, evs, strict=True)),
            *(f"{name}'s MES: {value:.3f}" for name, value in zip(POSITIONS, best, strict=True)),
            f"Exploitable for: {gain / 2:.3f}",
        )
    )


def all_lines(solution: Solution) -> str:
    """Return the ids of all betting nodes, cards left out, a line each."""
    betting, found = solution.tree.betting, list[str]()
    names = {0: ROOT}
    for node in range(1, betting.size):
        above = int(betting.parent[node])
        edge = int(betting.edge[node])
        if betting.kind[above] == CHANCE:
            names[node] = names[above]
            continue
        token = "f" if edge == FOLD_EDGE else "c" if edge == CALL_EDGE else f"b{edge}"
        names[node] = f"{names[above]}:{token}"
        found.append(names[node])
    return "\n".join(found)


def tree_info(spot: Spot, about: str) -> str:
    """Return what a tree is of, as PioSOLVER's own files have it: `#Key#Value`."""
    values = {
        "Type": "NoLimit",
        "Range0": spot.ranges.oop,
        "Range1": spot.ranges.ip,
        "Board": spaced(spot.board),
        "Pot": spot.pot,
        "EffectiveStacks": spot.effective_stack,
        "Rake": f"{spot.rake.share:g} {spot.rake.cap:g}",
        "Solved": about,
    }
    return "\n".join(f"#{key}#{value}" for key, value in values.items())


def spaced(board: str) -> str:
    """Return a board with blanks between its cards."""
    return " ".join(board[place : place + 2] for place in range(0, len(board), 2))


def about(solution: Solution) -> str:
    """Return how far a solution is."""
    if not solution.history:
        return "no"
    return f"{solution.exploitability:.3f}% of the pot after {solution.iteration} iterations"


def _best_with_locks(solution: Solution, evs: list[float]) -> list[float]:
    """Return what best responses that keep to the locks are worth, by player.

    A file without its rivers does not say which hands are locked there: `nan` for who is locked then.
    """
    masks = solution.tables.locked
    if masks is not None and solution.last_street == RIVER:
        judge = Judge(solution.tree, solution.layout, solution.reader.average, masks)
        with ThreadPoolExecutor(solution.settings.worker_count()) as pool:
            return [judge.expected(player, OBEY, pool) for player in (OOP, IP)]
    bound = {int(solution.tree.betting.kind[place_at(solution, lock.line).node]) for lock in solution.locks}
    return [
        np.nan if player in bound else ev + solution.best_response(player).gain_chips
        for player, ev in enumerate(evs)
    ]


def _kind(solution: Solution, place: LinePlace) -> tuple[str, int]:
    """Return the type of a node and the number of its children."""
    kind = int(solution.tree.betting.kind[place.node])
    if _ended(solution, place):
        return "END_NODE", 0
    if kind == CHANCE:
        return "SPLIT_NODE", len(next_cards(solution.tree, place))
    return _TYPES[kind], int(solution.tree.betting.num_children[place.node])


def _ended(solution: Solution, place: LinePlace) -> bool:
    """Return whether nobody decides any more: a fold, a showdown, or both all-in."""
    betting = solution.tree.betting
    kind = int(betting.kind[place.node])
    all_in = int(betting.put[place.node].min()) >= solution.spot.effective_stack
    return kind not in (OOP, IP) and (kind != CHANCE or all_in)


def _block(solution: Solution, place: LinePlace, name: str, kind: str, count: int, locked: bool) -> str:
    put = solution.tree.betting.put[place.node].tolist()
    return "\n".join(
        (
            name,
            kind,
            " ".join(card_name(card) for card in place.cards),
            f"{put[OOP]} {put[IP]} {solution.spot.pot}",
            f"{count} children",
            "flags: LOCKED" if locked else "flags:",
        )
    )


def _order(solution: Solution, place: LinePlace) -> list[int]:
    """Return the children of a decision: bets from the largest, then call or check, then fold."""
    betting = solution.tree.betting
    return sorted(betting.children(place.node), key=lambda child: -int(betting.edge[child]))


def _columns(solution: Solution, place: LinePlace) -> list[int]:
    """Return the places of the ordered children among our own, which come the other way round."""
    first = int(solution.tree.betting.first_child[place.node])
    return [child - first for child in _order(solution, place)]


def _reach(node: Node, player: int) -> Doubles:
    seat = node.seat(player)
    return spread(seat.combos, seat.reach)


def _deals(node: Node) -> float:
    """Return the weight of all pairs of hands that get to a node."""
    return float(_reach(node, OOP) @ matchups(_reach(node, IP)))


def _two_lines(node: Node, player: int, values: Doubles) -> str:
    found = matchups(_reach(node, 1 - player))
    mine = np.zeros(COMBOS, np.bool_)
    mine[node.seat(player).combos] = True
    return f"{row(np.where(mine & (found > 0), values, np.nan))}\n{row(np.where(mine, found, 0.0))}"


def check_name(name: str) -> str:
    """Return a node id that begins as one."""
    if name != _TREE_ROOT and not name.startswith(f"{_TREE_ROOT}:"):
        raise UpiError(f"{quoted(name)} is no node id; they begin with r:0")
    return name
