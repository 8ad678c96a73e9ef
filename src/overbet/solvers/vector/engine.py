"""The engine on the CPU: tables, threads over boards, iterations."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from overbet.kernels.regret import Step, single
from overbet.kernels.showdown_sweep import MOST, Sheets
from overbet.kernels.vector_streets import (
    FLOP,
    RIVER,
    TURN,
    Work,
    close_street,
    collect_all,
    open_street,
    play_rivers,
    play_turns,
)
from overbet.kernels.vector_update import Scratch, Tables
from overbet.solvers.rules import Rule
from overbet.solvers.vector.layout import PublicTree, layout_of
from overbet.solvers.vector.response import Judge
from overbet.tree.spot import IP, OOP

Floats = npt.NDArray[np.float32]


class VectorEngine:
    """CFR on a public tree with float32 tables in memory."""

    def __init__(self, tree: PublicTree, rule: Rule, threads: int = 1) -> None:
        self.tree, self.rule = tree, rule
        self.iteration = 0
        self.layout = layout_of(tree)
        self.regret = [np.zeros(size, np.float32) for size in self.layout.table_size]
        self.average = [np.zeros(size, np.float32) for size in self.layout.table_size]
        self.play = [np.zeros_like(r) for r in self.regret] if rule.prediction else self.regret
        self.first = tree.spot.first_street
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._root = [self._root_scratch(p) for p in (OOP, IP)]
        self._flop = [self._scratch(p, FLOP) for p in (OOP, IP)]
        self._turn = [self._scratch(p, TURN) for p in (OOP, IP)]
        self._work = [[self._new_work(p) for p in (OOP, IP)] for _ in range(threads)]
        self.judge = Judge(tree, self.layout, self.average)
        self._lines = [self._line_values(p) for p in (OOP, IP)]

    def run(self, iterations: int) -> None:
        """Run some iterations, player 0 then player 1 in each."""
        for _ in range(iterations):
            self.iteration += 1
            step = single(self.rule.at(self.iteration))
            for player in (OOP, IP):
                self._update(player, step)

    def exploitability(self) -> float:
        """Return half of what both players could gain by best responses to the averages, in chips."""
        return self.judge.exploitability(self._pool)

    def _update(self, player: int, step: Step) -> None:
        data = self.layout.passes[player]
        tables = Tables(self.regret[player], self.play[player], self.average[player], self.play[1 - player])
        root, lines = self._root[player], self._lines[player]
        if self.first == RIVER:
            play_rivers(data, np.zeros(1, np.int32), tables, step, root, self._work[0][player], lines)
            return
        street, scratch = (FLOP, self._flop[player]) if self.first == FLOP else (TURN, self._turn[player])
        sheets = self._work[0][player].sheets
        open_street(data, street, 0, tables, step, root, scratch, sheets)
        play = play_turns if street == FLOP else play_rivers
        boards = np.arange(self.tree.board_count(street + 1), dtype=np.int32)
        if self._pool is None:
            play(data, boards, tables, step, scratch, self._work[0][player], lines)
        else:
            shares = [boards[k :: self.threads].copy() for k in range(self.threads)]
            jobs = [
                self._pool.submit(play, data, share, tables, step, scratch, self._work[k][player], lines)
                for k, share in enumerate(shares)
            ]
            for job in jobs:
                job.result()
        collect_all(data, street + 1, lines, scratch.value)
        close_street(data, street, 0, tables, step, scratch, np.zeros((1, len(root.own)), np.float32))

    def _root_scratch(self, player: int) -> Scratch:
        sides = self.layout.passes[player]
        own = np.zeros(int(sides.own.stride[TURN]), np.float32)
        opp = np.zeros(int(sides.opp.stride[TURN]), np.float32)
        own[: sides.own.size] = self.tree.hands[player].weights
        opp[: sides.opp.size] = self.tree.hands[1 - player].weights
        none = np.zeros(1, np.float32)
        return Scratch(own, opp, none, none)

    def _scratch(self, player: int, street: int) -> Scratch:
        sizes, data = self.layout, self.layout.passes[player]
        own, opp = int(data.own.stride[street]), int(data.opp.stride[street])
        return Scratch(
            np.zeros(sizes.slots[player, street] * own, np.float32),
            np.zeros(sizes.slots[1 - player, street] * opp, np.float32),
            np.zeros((sizes.nodes[player, street] + 1) * own, np.float32),
            np.zeros(sizes.strategy_rows[player, street] * own, np.float32),
        )

    def _new_work(self, player: int) -> Work:
        data = self.layout.passes[player]
        own, opp = int(data.own.stride[TURN]), int(data.opp.stride[TURN])
        sheets = Sheets(
            np.zeros((opp + 1) * MOST, np.float32),
            np.zeros(own * MOST, np.float32),
            np.zeros(own * MOST, np.float32),
            np.zeros(53 * MOST, np.float32),
            np.zeros(MOST, np.uint64),
        )
        lines = np.zeros((self._lines_on(RIVER), own), np.float32)
        return Work(self._scratch(player, TURN), self._scratch(player, RIVER), sheets, lines)

    def _line_values(self, player: int) -> Floats:
        street = min(self.first + 1, RIVER)
        own = int(self.layout.passes[player].own.stride[TURN])
        return np.zeros((self.tree.board_count(street), self._lines_on(street), own), np.float32)

    def _lines_on(self, street: int) -> int:
        lines = self.tree.betting.street_line
        return int(lines[street + 1] - lines[street])
