"""How large a spot is, before anything is allocated: nodes, actions x hands, memory, time an iteration.

Everything follows from the betting tree, the boards and the number of hands left on each. Nodes count every
betting node on every board kept, terminals included; A x H is the sum over decisions of actions x hands of
the acting player's range (as the other solvers count it: hands that a dealt card kills included).
"""

from __future__ import annotations

from typing import NamedTuple

from overbet import machine
from overbet.errors import TooLargeError
from overbet.kernels.vector.packing import BLOCK
from overbet.machine import size_text
from overbet.solvers.vector.layout import Layout, layout_of
from overbet.solvers.vector.lines import Action, actions_at
from overbet.solvers.vector.runner import working_bytes
from overbet.solvers.vector.settings import SolveSettings
from overbet.tree.betting import build_tree
from overbet.tree.boards import boards_of, hands_of, live_count, no_showdowns
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP, STREETS, Spot

FLOP, TURN, RIVER = 0, 1, 2
NANOSECONDS = 2.5  # per action x hand, iteration and core: 2.3 on the example turn
_SPARE = 0.95  # of the free memory is used at most


class StreetSize(NamedTuple):
    """One street: betting nodes on one board, boards kept, decisions on all boards, A x H."""

    street: str
    betting_nodes: int
    boards: int
    decisions: int
    action_hands: int

    @property
    def nodes(self) -> int:
        """Nodes on all boards."""
        return self.betting_nodes * self.boards


class TreeEstimate(NamedTuple):
    """The size of a spot.

    hands: of either range on the first board. root: the first actions. Bytes: tables (regrets and averages,
    by precision), working memory of the solve, and of a look at the exploitability. tree: what was measured,
    without showdowns; lines can be read on it, and a solve takes its betting over.
    """

    streets: tuple[StreetSize, ...]
    hands: tuple[int, int]
    root: tuple[Action, ...]
    table_bytes: dict[str, int]
    scratch_bytes: int
    judge_bytes: int
    precision: str
    threads: int
    locked: bool
    tree: PublicTree

    @property
    def nodes(self) -> int:
        """Nodes of all streets."""
        return sum(street.nodes for street in self.streets)

    @property
    def action_hands(self) -> int:
        """A x H: the sum over decisions of actions x hands."""
        return sum(street.action_hands for street in self.streets)

    def bytes(self, precision: str | None = None) -> int:
        """Return the memory of a whole solve at its largest."""
        chosen = precision or self.precision
        tables = self.table_bytes[chosen]
        masks = self.table_bytes["float32"] // 8 if self.locked else 0
        return tables + masks + self.scratch_bytes + self.judge_bytes

    @property
    def seconds_per_iteration(self) -> float:
        """A rough time of one iteration on the CPU."""
        return self.action_hands * NANOSECONDS * 1e-9 / self.threads

    def require(self, free: int | None = None) -> None:
        """Raise `TooLargeError` where memory does not suffice; free: bytes, this machine's if not given."""
        free = machine.available_bytes() if free is None else free
        if self.bytes() <= _SPARE * free:
            return
        half = self.bytes("int16")
        packed = (
            f"precision: int16 ({size_text(half)}), " if self.precision != "int16" and not self.locked else ""
        )
        raise TooLargeError(
            f"this spot needs about {size_text(self.bytes())} ({self.nodes:,} nodes, {self.action_hands:,} "
            f"actions x hands) and {size_text(free)} are free; use {packed}fewer bet sizes, narrower ranges "
            "or a later street"
        )


def estimate(spot: Spot, settings: SolveSettings | None = None, *, locked: bool = False) -> TreeEstimate:
    """Return the size of a spot."""
    settings = settings or SolveSettings()
    hands = hands_of(spot)
    boards = boards_of(spot, hands)
    betting = build_tree(spot)
    shown = [no_showdowns(live_count(boards[-1], hands[player])) for player in (OOP, IP)]
    tree = PublicTree(spot, betting, hands, boards, (shown[OOP], shown[IP]))
    layout = layout_of(tree)
    streets = []
    for number, kept in enumerate(boards):
        nodes = betting.street_nodes(spot.first_street + number)
        kinds, children = betting.kind[nodes], betting.num_children[nodes]
        size = kept.size * sum(int(children[kinds == p].sum()) * hands[p].size for p in (OOP, IP))
        decisions = int((kinds <= IP).sum()) * kept.size
        streets.append(
            StreetSize(STREETS[spot.first_street + number], len(nodes), kept.size, decisions, size)
        )
    workers = settings.worker_count() if len(boards) > 1 else 1  # a river spot runs on one thread
    copies = 3 if settings.the_rule().prediction else 2
    return TreeEstimate(
        streets=tuple(streets),
        hands=(hands[OOP].size, hands[IP].size),
        root=tuple(actions_at(betting, spot, 0)),
        table_bytes={name: copies * _table_bytes(layout, name) for name in ("float32", "int16", "float64")},
        scratch_bytes=working_bytes(tree, layout, workers, settings.precision),
        judge_bytes=_judge_bytes(tree),
        precision=settings.precision,
        threads=workers,
        locked=locked,
        tree=tree,
    )


def _table_bytes(layout: Layout, precision: str) -> int:
    total = 0
    for player in (OOP, IP):
        size, early = layout.table_size[player], int(layout.passes[player].own.base[RIVER])
        if precision != "int16":
            total += size * (8 if precision == "float64" else 4)
        else:
            total += 4 * early + 2 * (size - early) + 4 * -(-(size - early) // BLOCK)
    return total


def _judge_bytes(tree: PublicTree) -> int:
    """Add up the order of hands on every river, and the values a look at the exploitability keeps."""
    size = max(hands.size for hands in tree.hands)
    orders = sum(12 * tree.board_count(RIVER) * hands.size for hands in tree.hands)
    nodes = len(tree.betting.street_nodes(TURN))
    return orders + 8 * size * (tree.board_count(TURN) * nodes + len(tree.betting.street_nodes(FLOP)))
