"""From a public tree to the arrays the GPU kernels read; all of it host arrays, uploaded by the engine.

The tables keep the CPU's layout. What is made here beside it: all boards in one numbering (rivers, turns, the
flop), chains of action rows that make up a reach, runs of leaves for the blocks, and for every line of the
betting tree its decisions in the order a thread works through them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.cuda.arrays import GpuDeal, GpuLeaves, GpuProgram, LeafOrder, PlayerArrays
from overbet.cuda.device import SIMULATED
from overbet.cuda.leaves import LEAVES, lanes_of, sum_places
from overbet.cuda.lines import OP
from overbet.cuda.orders import RankedHands, make_order, weights_in_order
from overbet.errors import TooLargeError
from overbet.kernels.vector.bundles import FLOP, RIVER, TURN
from overbet.solvers.vector.layout import Layout, Side
from overbet.solvers.vector.terminals import Terminals, terminals_of
from overbet.threads import in_parts
from overbet.tree.betting import CHANCE, BettingTree
from overbet.tree.boards import Showdowns, live_on
from overbet.tree.public import PublicTree

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

_RUNS_WANTED = 3000  # fours of leaves are gathered into runs only where there are more runs than this
_LONGEST_RUN = 4
_FEW_LEAVES = 1000  # where there are fewer in all, each is evaluated by itself
_MOST_SLOTS = 64  # decisions of a line whose values a thread keeps; in longer lines they go to memory
# An operation is packed into numbers of 32 bits, in which places in a board's table and values must fit; a
# chain's length takes 6 bits beside its start. Beyond these the CPU serves.
_CHAIN = 64  # most actions of a player in one line
_MOST_ACTIONS = 127  # at a decision
_MOST_ROWS = (
    2**31 // 1328 - 1
)  # action rows of a player on a street, or rows of values: as long as 1,326 hands
_MOST_CHAINED = 2**31 // _CHAIN - 1  # entries of all chains together
_MOST_GROUPS = 65_535  # of lines on a street: the third dimension of a grid
_CROWD = 500_000  # threads; where there are more, each takes several lines
_GROUP_OPS, _MANY_BOARDS = 8, 500  # operations of a group, twice as many where there are so many boards

_PAIRS_OF_A_THREAD = 64  # boards and their mirrors, at least


class GpuPlan(NamedTuple):
    """All that the update of one player reads beside tables; seat: the opponent's. threads, shared: of a
    block that evaluates leaves, the latter in floats. slots: values a thread keeps. value_floats and
    line_floats: sizes of the buffers of values and of the lines' values. first_value, first_rows: where the
    first street's values begin, and how many rows they have.
    """

    seat: PlayerArrays
    order: LeafOrder
    leaves: GpuLeaves
    threads: int
    shared: int
    program: GpuProgram
    deals: dict[int, GpuDeal]
    slots: int
    value_floats: int
    line_floats: int
    first_value: int
    first_rows: int

    def bytes(self) -> int:
        """Return the size of all arrays together."""
        parts: list[Any] = [*self.seat, *self.order, *self.leaves, *self.program]
        parts += [array for deal in self.deals.values() for array in deal]
        return sum(part.nbytes for part in parts if isinstance(part, np.ndarray))


def plans_of(tree: PublicTree, layout: Layout, threads: int = 0, workers: int = 1) -> tuple[GpuPlan, GpuPlan]:
    """Return what each player's update reads. threads: of a block that evaluates leaves, 0 to choose.

    workers: threads of the CPU. Arrays that are alike for both players, as where both hold the same hands,
    are there once.
    """
    alike = np.array_equal(tree.hands[0].combos, tree.hands[1].combos)
    one = _seat(tree, layout, 0, workers)
    seats = [one, _seat(tree, layout, 1, workers, one if alike else None)]
    orders = _Orders(tree, seats, alike, workers)
    plans = [_plan(tree, layout, player, seats, orders, threads) for player in (0, 1)]
    return plans[0], plans[1]


class _Orders:
    """The orders of hands and the cards to come, made once where both players hold the same hands."""

    def __init__(self, tree: PublicTree, seats: list[PlayerArrays], alike: bool, workers: int) -> None:
        self.tree, self.seats, self.alike, self.workers = tree, seats, alike, workers
        self._ranked = [_ranked(tree, player) for player in ((0,) if alike else (0, 1))]
        self._leaves: dict[tuple[int, int], LeafOrder] = {}
        self._deals: dict[int, dict[int, GpuDeal]] = {}

    def leaves(self, own: int, lanes: int) -> LeafOrder:
        """Return how a player's leaves are evaluated."""
        mine = 0 if self.alike else own
        if (mine, lanes) not in self._leaves:
            seat = self.seats[mine]
            made = make_order(self._ranked[mine], self._ranked[-1 - mine], lanes, self.workers)
            self._leaves[mine, lanes] = LeafOrder(
                seat.hands, seat.alive, made.steps, made.words, made.place.ravel()
            )
        return self._leaves[mine, lanes]

    def deals(self, own: int) -> dict[int, GpuDeal]:
        """Return how a player's hands go from board to board."""
        mine = 0 if self.alike else own
        if mine not in self._deals:
            self._deals[mine] = _deals(self.tree, mine, self.workers)
        return self._deals[mine]


def board_first(tree: PublicTree) -> Ints:
    """Return the first board of each street in the numbering through all streets: [3] int32."""
    rivers, turns = tree.board_count(RIVER), tree.board_count(TURN)
    return np.array([rivers + turns, rivers, 0], np.int32)


def boards_above(tree: PublicTree) -> Ints:
    """Return for every board the number within its street of the board on each street: [B, 3] int32."""
    rivers, turns = tree.street_boards(RIVER), tree.street_boards(TURN)
    above = []
    if rivers:
        above.append(
            np.stack([np.zeros(rivers.size), np.maximum(rivers.parent, 0), np.arange(rivers.size)], 1)
        )
    if turns:
        above.append(np.stack([np.zeros(turns.size), np.arange(turns.size), np.zeros(turns.size)], 1))
    if tree.board_count(FLOP):
        above.append(np.zeros((1, 3)))
    return np.concatenate(above).astype(np.int32)


def _early_boards(tree: PublicTree) -> int:
    return tree.board_count(TURN) + tree.board_count(FLOP)


def _rivers(tree: PublicTree, player: int) -> Showdowns:
    """Return a player's hands on all rivers; none where the tree ends before them."""
    if not tree.is_cut:
        return tree.showdowns[player]
    none = np.zeros((0, tree.hands[player].size), np.int16)
    return Showdowns(
        np.zeros(0, np.int32), none, none, none[:, :, None].repeat(2, 2).astype(np.uint8), none, none
    )


def _ranked(tree: PublicTree, player: int) -> RankedHands:
    """Return a player's hands on all boards; before the river they are equally strong."""
    hands, shown = tree.hands[player], _rivers(tree, player)
    early, size = _early_boards(tree), hands.size
    return RankedHands(
        np.concatenate([shown.alive, np.full(early, size, np.int32)]),
        np.concatenate([shown.cards, np.broadcast_to(hands.cards, (early, size, 2))]),
        np.concatenate([shown.strength, np.zeros((early, size), np.int16)]),
        np.concatenate([shown.same, np.broadcast_to(hands.same, (early, size))]),
    )


def _seat(
    tree: PublicTree, layout: Layout, player: int, workers: int, like: PlayerArrays | None = None
) -> PlayerArrays:
    """Return a player's hands and rows. like: the other player, who holds the same hands."""
    hands, shown = tree.hands[player], _rivers(tree, player)
    side, size = layout.passes[player].own, hands.size
    turns, rivers = tree.street_boards(TURN), len(shown.hand)
    start = np.empty((rivers + _early_boards(tree), size), np.float32)
    weights_in_order(hands.weights, shown.hand, start[:rivers], workers)
    if turns:
        start[rivers : rivers + turns.size] = hands.weights * live_on(turns, hands)
    if tree.board_count(FLOP):
        start[-1] = hands.weights
    alive, hand, orbit, above = like[1:3] + like[4:6] if like else _boards_of_seat(tree, player, side)
    up_start, up = [0], []
    last = last_rows(tree.betting, layout.rows, player)
    for line in range(len(tree.betting.line_start) - 1):
        node = int(tree.betting.parent[tree.betting.line_start[line]])
        while node >= 0:  # through the lines of the streets before, last action first
            up += [2 * row + int(tree.betting.street[node]) for row in last[node]]
            node = int(tree.betting.parent[tree.betting.line_start[tree.betting.line[node]]])
        up_start.append(len(up))
    opened_base, opened = _opened(tree, layout, player)
    return PlayerArrays(
        size,
        alive,
        hand,
        start.ravel(),
        orbit,
        above,
        side.base.astype(np.int64),
        side.rows.astype(np.int64),
        side.stride.astype(np.int64),
        np.array(up_start, np.int32),
        np.array(up or [0], np.int32),
        tree.spot.first_street,
        max(tree.board_count(TURN), 1),
        tree.betting.street_line.astype(np.int32),
        opened_base,
        opened,
    )


def _boards_of_seat(tree: PublicTree, player: int, side: Side) -> tuple[npt.NDArray[Any], ...]:
    """Return what the boards make of a player's hands: alive, hand, orbit, above; see `PlayerArrays`."""
    size, shown = tree.hands[player].size, _rivers(tree, player)
    hand = np.empty((len(shown.hand) + _early_boards(tree), size), np.uint16)
    hand[: len(shown.hand)] = shown.hand
    hand[len(shown.hand) :] = np.arange(size)
    orbit: list[npt.NDArray[Any]] = [np.broadcast_to(np.arange(size, dtype=np.uint16), shown.hand.shape)]
    orbit += [side.turn_orbit] if tree.board_count(TURN) else []
    orbit += [side.flop_orbit] if tree.board_count(FLOP) else []
    alive = np.concatenate([shown.alive, np.full(_early_boards(tree), size)]).astype(np.int32)
    orbits = np.concatenate(orbit).astype(np.uint16, copy=False)
    return alive, hand.ravel(), orbits.ravel(), boards_above(tree).ravel()


def _opened(tree: PublicTree, layout: Layout, player: int) -> tuple[Longs, npt.NDArray[np.float32]]:
    """Return where each street's reaches at the beginning of lines lie, and room for them: root weights in
    the first street's, zeros in the others'."""
    stride, lines = layout.passes[player].own.stride, np.diff(tree.betting.street_line)
    first, weights = tree.spot.first_street, tree.hands[player].weights
    sizes = np.zeros(3, np.int64)
    sizes[first] = max(int(stride[first]), len(weights))
    for street in range(first + 1, 3):
        sizes[street] = tree.board_count(street - 1) * lines[street] * stride[street - 1]
    opened = np.zeros(int(sizes.sum()), np.float32)
    base = np.concatenate([[0], np.cumsum(sizes)[:2]]).astype(np.int64)
    opened[base[first] : base[first] + len(weights)] = weights
    return base, opened


def last_rows(betting: BettingTree, rows: Ints, player: int) -> list[list[int]]:
    """Return for every node the player's action rows from its line's first node to it, last action first."""
    chains: list[list[int]] = [[] for _ in range(betting.size)]
    for node in range(betting.size):
        parent = int(betting.parent[node])
        if parent < 0 or betting.kind[parent] == CHANCE:
            continue
        if betting.kind[parent] == player:
            row = int(rows[parent]) + node - int(betting.first_child[parent])
            chains[node] = [row, *chains[parent]]
        else:
            chains[node] = chains[parent]
    return chains


def _plan(
    tree: PublicTree,
    layout: Layout,
    own: int,
    seats: list[PlayerArrays],
    orders: _Orders,
    threads: int,
) -> GpuPlan:
    betting = tree.betting
    side, opp = layout.passes[own].own, seats[1 - own]
    boards = np.array([tree.board_count(s) for s in range(3)], np.int64)
    ends = terminals_of(tree, own)
    program, value_row, slots = _program(tree, layout, own, ends)
    sizes = boards * program.value_rows * side.stride
    program = program._replace(value_base=np.concatenate([[0], np.cumsum(sizes)[:2]]).astype(np.int64))
    leaves = _leaves(tree, layout, own, ends, value_row, program)
    threads = threads or _threads_for(int(opp.alive.max()), leaves.units)
    lanes = lanes_of(threads)
    order = orders.leaves(own, lanes)
    stretch = int(opp.alive.max()) // threads + 1
    stretch += 1 - stretch % 2  # odd: no two lanes of a scan meet in one bank
    places = threads * stretch + 1 + 4 * order.steps * lanes + 1 + sum_places(threads)
    return GpuPlan(
        opp,
        order,
        leaves._replace(stretch=stretch),
        threads,
        LEAVES * places,
        program,
        orders.deals(own),
        slots,
        int(sizes.sum()),
        int((boards * np.diff(betting.street_line) * side.stride).max()),
        int(program.value_base[tree.spot.first_street]),
        int(program.value_rows[tree.spot.first_street]),
    )


def _threads_for(hands: int, units: int) -> int:
    """Return how many threads work on four leaves: the fewer fours there are, the more."""
    if SIMULATED:
        return 4  # each costs a thread of the operating system
    if units < 1000:
        return 256
    return 128 if hands > 400 else 64


def value_rows_of(betting: BettingTree) -> tuple[Ints, Longs]:
    """Number the nodes whose values come from outside a line's walk, by street: rows [N], counts [3]."""
    row, count = np.full(betting.size, -1, np.int32), np.zeros(3, np.int64)
    for node in np.flatnonzero(betting.kind >= CHANCE):
        street = betting.street[node]
        row[node] = count[street]
        count[street] += 1
    return row, count


def _leaves(
    tree: PublicTree, layout: Layout, own: int, ends: Terminals, value_row: Ints, program: GpuProgram
) -> GpuLeaves:
    betting, side, opp = tree.betting, layout.passes[own].own, layout.passes[own].opp
    chains = last_rows(betting, layout.rows, 1 - own)
    line_of, street_of = betting.line.tolist(), betting.street.tolist()
    leaves = sorted(zip(*(x.tolist() for x in (ends.reach, ends.fold, ends.show, ends.pays))))
    folds: list[int] = []
    shows: list[int] = []
    opened: list[int] = []
    chain_start, chain, factors = [0], [], []
    street_run, run_start, street_unit, units = [0], [0], np.zeros(3, np.int32), 0
    for street in range(3):
        found = [leaf for leaf in leaves if street_of[leaf[0]] == street]
        length, opp_length = int(side.stride[street]), int(opp.stride[street])
        above = int(opp.stride[street - 1]) if street > tree.spot.first_street else 0
        first, boards = len(chain_start) - 1, tree.board_count(street)
        at_a_time = LEAVES if len(found) * boards > _FEW_LEAVES else 1
        for k in range(0, len(found), at_a_time):
            four = found[k : k + at_a_time]
            missing = LEAVES - len(four)
            lines = [line_of[leaf[0]] - int(betting.street_line[street]) for leaf in four]
            opened += [line * above for line in lines + lines[-1:] * missing]
            ways = [chains[leaf[0]] for leaf in four] + [[]] * missing
            for step in range(max(map(len, ways))):
                chain += [way[step] * opp_length if step < len(way) else -1 for way in ways]
            chain_start.append(len(chain) // LEAVES)
            for places, part in ((folds, 1), (shows, 2)):
                nodes = [leaf[part] for leaf in four]
                places += [int(value_row[node]) * length if node >= 0 else -1 for node in nodes]
                places += [-1] * missing
            paid = [[half, half, lost, fold] for *_, (half, lost, fold) in four] + [[0.0] * 4] * missing
            factors += np.array(paid).T.ravel().tolist()
        last = len(chain_start) - 1
        longest = int(np.clip((last - first) * boards // _RUNS_WANTED, 1, _LONGEST_RUN))
        run_start += [*range(first + longest, last, longest), last] if last > first else []
        street_run.append(len(run_start) - 1)
    for street in (RIVER, TURN, FLOP):
        street_unit[street] = units
        units += (street_run[street + 1] - street_run[street]) * tree.board_count(street)
    return GpuLeaves(
        units,
        0,
        street_unit,
        np.array(street_run, np.int32),
        np.array(run_start, np.int32),
        np.array(opened or [0] * LEAVES, np.int32),
        np.array(chain_start, np.int32),
        np.array(chain or [0] * LEAVES, np.int32),
        np.array(folds or [0] * LEAVES, np.int32),
        np.array(shows or [0] * LEAVES, np.int32),
        np.array(factors or [0] * 4 * LEAVES, np.float32),
        program.board_first,
        program.value_base,
        program.value_rows,
        side.stride.astype(np.int64),
    )


def _program(tree: PublicTree, layout: Layout, own: int, ends: Terminals) -> tuple[GpuProgram, Ints, int]:
    """Return the walks through all lines, the value row of every node that has one ([N] int32, -1 elsewhere),
    and how many values a thread must keep at most."""
    betting, stride = tree.betting, layout.passes[own].own.stride
    chains = last_rows(betting, layout.rows, own)
    value_row, value_rows = value_rows_of(betting)
    derived = {end: (int(ends.fold[leaf]), k + 1) for k, (end, leaf) in enumerate(ends.derived.tolist())}
    line_level, level_op, line_ref = [0], [], []
    ops: list[int] = []
    refs: list[int] = []
    chain: list[int] = []
    most = 1
    for line in range(len(betting.line_start) - 1):
        levels = _levels(betting, line)
        kept = sum(map(len, levels))
        where: dict[int, int] = {}
        length, slots = int(stride[betting.street[betting.line_start[line]]]), 0
        free: list[int] = []
        for level in levels:
            level_op.append(len(ops) // OP)
            for node in level:
                if kept <= _MOST_SLOTS:
                    where[node] = -1 - (free.pop() if free else slots)
                    slots = max(slots, -where[node])
                else:
                    street = betting.street[node]
                    value_row[node] = int(value_rows[street])
                    where[node] = int(value_row[node]) * length
                    value_rows[street] += 1
                mine = betting.kind[node] == own
                above = chains[node] if mine else []
                if len(above) >= _CHAIN:
                    raise TooLargeError("a player acts over 63 times in one street; use device: cpu")
                if betting.num_children[node] > _MOST_ACTIONS:
                    raise TooLargeError(
                        f"a decision has {int(betting.num_children[node])} actions and a GPU takes "
                        f"{_MOST_ACTIONS}; use fewer bet sizes, or device: cpu"
                    )
                kind = int(mine) + 2 * int(betting.num_children[node])
                children = list(betting.children(node))
                # a decision of the opponent: by what its first child, a fold, is multiplied
                children[0], factor = derived.get(children[0], (children[0], 0))
                start = len(chain) * _CHAIN + len(above) if mine else factor
                found = [where.get(child, int(value_row[child]) * length) for child in children]
                first = [*found, 0, 0][:3]
                ops += [kind, where[node], start, int(layout.rows[node]) * length, *first, len(refs)]
                refs += found
                chain += [row * length for row in above]
            for node in level:  # the children's values have been read when the next level begins
                free += [-1 - where[child] for child in betting.children(node) if where.get(child, 0) < 0]
        most = max(most, slots)
        line_level.append(len(level_op))
        root = int(betting.line_start[line])
        line_ref.append(where.get(root, int(value_row[root]) * length))
    most_rows = max(int(layout.rows.max()), int(value_rows.max()))
    if most_rows > _MOST_ROWS or len(chain) > _MOST_CHAINED:
        raise TooLargeError("the betting tree is too large for a GPU; use fewer bet sizes, or device: cpu")
    above_line = betting.parent[betting.line_start[:-1]]
    street_group, group_line = _groups(tree, np.array([*level_op, len(ops) // OP])[line_level])
    program = GpuProgram(
        street_group,
        group_line,
        np.array(line_level, np.int32),
        np.array([*level_op, len(ops) // OP], np.int32),
        np.array(ops or [0] * OP, np.int32),
        np.array(refs or [0], np.int32),
        np.array(chain or [0], np.int32),
        np.concatenate([[1.0], ends.factors]).astype(np.float32),
        np.array(line_ref, np.int32),
        betting.street_line.astype(np.int32),
        board_first(tree),
        np.zeros(3, np.int64),
        value_rows,
        np.where(above_line < 0, 0, value_row[np.maximum(above_line, 0)]).astype(np.int32),
    )
    return program, value_row, most


def _groups(tree: PublicTree, line_op: Longs) -> tuple[Ints, Ints]:
    """Gather lines that one thread works through, enough of them to be worth its start, where there are many
    boards. line_op: [L + 1], first operation of each line. Return street_group: [4] and group_line."""
    street_group, group_line = [0], []
    for street in range(3):
        first, last = (int(x) for x in tree.betting.street_line[street : street + 2])
        crowded = tree.board_count(street) * (last - first) * tree.hands[0].size > _CROWD
        begun = [first] if last > first else []
        wanted = _GROUP_OPS * (2 if tree.board_count(street) >= _MANY_BOARDS else 1)
        for line in range(first + 1, last):
            if not crowded or line_op[line] - line_op[begun[-1]] >= wanted:
                begun.append(line)
        groups = list(zip(begun, [*begun[1:], last]))
        group_line += sorted(groups, key=lambda lines: line_op[lines[0]] - line_op[lines[1]])
        if len(groups) > _MOST_GROUPS:
            raise TooLargeError(
                f"a street has {len(groups):,} groups of lines and a GPU takes {_MOST_GROUPS:,}; "
                "use fewer bet sizes, or device: cpu"
            )
        street_group.append(len(group_line))
    return np.array(street_group, np.int32), np.array(group_line, np.int32).ravel()


def _levels(betting: BettingTree, line: int) -> list[list[int]]:
    """Return the decisions of a line by depth, deepest first."""
    first = int(betting.line_start[line])
    depth = {first: 0}
    levels: list[list[int]] = []
    for node in range(first, int(betting.line_start[line + 1])):
        if node > first:
            depth[node] = depth[int(betting.parent[node])] + 1
        if betting.kind[node] < CHANCE:
            levels += [[] for _ in range(depth[node] + 1 - len(levels))]
            levels[depth[node]].append(node)
    return levels[::-1]


def _deals(tree: PublicTree, own: int, workers: int) -> dict[int, GpuDeal]:
    """Return for each street dealt in the spot how its boards follow from those of the street before."""
    hands, found = tree.hands[own], {}
    for street in range(tree.spot.first_street + 1, tree.betting.last_street + 1):
        boards = tree.street_boards(street)
        assert boards is not None
        place = tree.showdowns[own].place if street == RIVER else None
        pairs = np.repeat(np.arange(boards.size), np.diff(boards.mirror_start))
        there = hands.swapped[boards.mirrors].astype(np.int16)  # [pairs, H]
        if place is not None:
            _at_places(there, place, pairs, workers)
        found[street] = GpuDeal(
            boards.mirror_start[boards.child_start].astype(np.int32), pairs.astype(np.int32), there.ravel()
        )
    return found


def _at_places(images: npt.NDArray[np.int16], place: Any, pairs: Any, workers: int) -> None:
    """Turn hands, [pairs, H], into their places on the boards of the pairs."""

    def fill(part: slice) -> None:
        images[part] = place[pairs[part, None], images[part]]

    in_parts(fill, len(images), workers, _PAIRS_OF_A_THREAD)
