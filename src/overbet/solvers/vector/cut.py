"""Updates of a tree with a depth limit: down on all boards, all leaves valued at once, up again."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor

import numpy as np
import numpy.typing as npt

from overbet.errors import ConfigError
from overbet.kernels.memory import zeros
from overbet.kernels.regret import RuleStep
from overbet.kernels.vector.bundles import TURN
from overbet.kernels.vector.cut import LateBoards, SharedPair, close_cut, open_cut
from overbet.kernels.vector.walk import Store
from overbet.solvers.vector.layout import chance_scale
from overbet.solvers.vector.runner import Runner
from overbet.solvers.vector.subgame import LeafBatch, Leaves, compatible, leaf_places


class CutStreet:
    """Plays trees that end before the river. Every board of the last street keeps its working memory until
    all leaves have been valued.
    """

    def __init__(self, runner: Runner, leaves: Leaves) -> None:
        self.runner, self.tree, self.leaves = runner, runner.tree, leaves
        self.places, self.last = leaf_places(self.tree), self.tree.betting.last_street
        late = self.tree.board_count(self.last) if self.last > runner.first else 0
        one = runner.opened(TURN) if late else runner.early
        self.late = LateBoards(one.width, *(zeros((late, len(part)), part.dtype) for part in one[1:]))

    def play(self, tables: Sequence[Store], player: int, step: RuleStep, pool: Executor | None) -> None:
        """Update one player."""
        runner, late = self.runner, self.late
        players = runner.players(tables)
        own, opp = players[player], players[1 - player]

        def pair(rank: int) -> SharedPair | None:
            if runner.sharing is None:
                return None
            shared = runner.sharing.players
            return SharedPair(shared[player], shared[1 - player], runner.work[rank])

        def down(rank: int, threads: int) -> None:
            open_cut(
                own, opp, runner.first, step, runner.early, late, runner.edges,
                runner.shared, rank, threads, runner.memory[rank], pair(rank),
            )  # fmt: skip

        def up(rank: int, threads: int) -> None:
            close_cut(
                own, opp, runner.deal, runner.first, step, runner.early, late, runner.edges, runner.totals,
                runner.shared, rank, threads, runner.memory[rank], pair(rank),
            )  # fmt: skip

        runner.share_out(down, pool)
        self._value(player)
        runner.share_out(up, pool)

    def _value(self, player: int) -> None:
        """Ask what all leaves are worth and put it where it comes back, in the engine's units."""
        boards = self.late if len(self.late.value) else self.runner.early
        count, width = len(self.places.above), boards.width
        sizes = [hands.size for hands in self.tree.hands]

        def reach(side: npt.NDArray[np.floating], hands: int) -> npt.NDArray[np.floating]:
            return side.reshape(-1, side.shape[-1] // width, width)[:, :hands, :count].transpose(0, 2, 1)

        own, opp = reach(boards.own, sizes[player]).copy(), reach(boards.opp, sizes[1 - player]).copy()
        cards = self.tree.boards[-1].cards
        batch = LeafBatch(player, cards, self.places.put, self.places.continuation, opp, own)
        given = np.asarray(self.leaves.values(batch))
        if given.shape != own.shape or not np.isfinite(given).all():
            raise ConfigError(
                f"the leaves' values must be finite numbers of shape {own.shape}: [boards, leaves, hands]"
            )
        even = compatible(self.tree, player, opp) * (self.tree.spot.pot / 2)
        scale = chance_scale(self.tree.spot, self.last)
        reach(boards.back, sizes[player])[:] = (given - even) * scale
