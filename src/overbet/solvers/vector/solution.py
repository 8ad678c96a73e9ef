"""A solved spot: open any node, compare cards, see what a best response gains, export, save.

    sol = overbet.solve("river.yaml")
    sol.node("r:0:c:b75")          strategy, EV, equity, realisation, reach and weights of both players
    sol.report("r:0:c:c")          one row for every card that can come
    sol.best_response("ip")        what each hand gains against the other player's strategy
    sol.save("river.h5")           and overbet.load("river.h5")

Everything is read off the average strategy; `exploitability` (in % of the pot) says how good it is, and every
view shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from overbet.errors import ConfigError, unknown
from overbet.games.lines import ROOT
from overbet.kernels.vector.response import FOLLOW
from overbet.solvers.vector.exploit import BestResponse, best_response_at
from overbet.solvers.vector.layout import Layout, layout_of
from overbet.solvers.vector.lines import PLAYERS, LinePlace, line_of, read_line
from overbet.solvers.vector.locking import Lock
from overbet.solvers.vector.node import Node, big_blind_of, player_number
from overbet.solvers.vector.reader import RIVER, TreeReader, filled
from overbet.solvers.vector.resolve import Subgames, is_run_out
from overbet.solvers.vector.response import Values
from overbet.solvers.vector.settings import SolveSettings
from overbet.solvers.vector.solver import Progress, Solver
from overbet.solvers.vector.tables import LateTables, SolvedTables
from overbet.solvers.vector.view import hand_values, node_of
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP, STREETS, Spot

if TYPE_CHECKING:
    import polars

KnownValues = dict[tuple[int, int], Values]


class Solution:
    """A solved spot. Made by `overbet.solve` and `overbet.load`."""

    def __init__(
        self,
        tree: PublicTree,
        settings: SolveSettings,
        tables: SolvedTables | LateTables,
        history: Sequence[Progress],
        *,
        layout: Layout | None = None,
        locks: Sequence[Lock] = (),
        last_street: int = RIVER,
        known: KnownValues | None = None,
        interrupted: bool = False,
    ) -> None:
        """Take what a solve left. last_street: the last one the tables hold; known: values of the judge."""
        self.tree, self.settings, self.tables, self.locks = tree, settings, tables, tuple(locks)
        self.layout = layout or layout_of(tree)
        self.history = list(history)
        self.last_street, self.interrupted = last_street, interrupted
        self._known = known
        self._subgames = Subgames()

    @classmethod
    def of(cls, solver: Solver) -> Solution:
        """Return the solution of a solver as it stands; it shares the solver's tables."""
        return cls(
            solver.tree,
            solver.settings,
            SolvedTables.of(solver.engine),
            solver.history,
            layout=solver.engine.layout,
            locks=solver.locks,
            interrupted=solver.interrupted,
        )

    @property
    def spot(self) -> Spot:
        """The spot."""
        return self.tree.spot

    @property
    def iteration(self) -> int:
        """Iterations done."""
        return self.tables.iteration

    @property
    def exploitability(self) -> float:
        """Half of what both players could gain by best responses, in % of the starting pot."""
        return self.history[-1].exploitability if self.history else float("inf")

    @property
    def seconds(self) -> float:
        """How long the solve took."""
        return self.history[-1].seconds if self.history else 0.0

    @property
    def streets(self) -> tuple[str, ...]:
        """The streets the tables hold; later ones are solved again when they are asked for."""
        return STREETS[self.spot.first_street : self.last_street + 1]

    @cached_property
    def reader(self) -> TreeReader:
        """The reader of the tables."""
        tables, average = self.tables, self.tables.average
        if tables.play is not None and self.last_street == RIVER:
            average = filled(self.tree, self.layout, tables.average, tables.play)
        threads = self.settings.worker_count()
        return TreeReader(self.tree, self.layout, average, self._known, threads, self.last_street)

    @cached_property
    def _first_reader(self) -> TreeReader:
        """A reader that need know no more than the first street."""
        late = (
            self.tables.first_reader(self.settings.worker_count())
            if isinstance(self.tables, LateTables)
            else None
        )
        return late or self.reader

    def ev(self, player: str | int, unit: str = "chips") -> float:
        """Return a player's expected share of the pot, in `chips` or `bb`."""
        if unit not in ("chips", "bb"):
            raise ConfigError(unknown("unit", unit, ("chips", "bb")))
        found = hand_values(self._first_reader, player_number(player), FOLLOW, 0, 0)
        known = np.isfinite(found.ev)
        chips = float(found.weight[known] @ found.ev[known] / found.weight[known].sum())
        return chips / big_blind_of(self.spot.big_blind) if unit == "bb" else chips

    def node(self, line: str = ROOT) -> Node:
        """Open a node, such as `r:0:c:b75:c:8h`, also on lines that are never played."""
        place = read_line(self.tree, line)
        if self._missing(place):
            return self._subgames.node(self._solve_subgame, self.reader, place, self.exploitability)
        first = self.tree.betting.street[place.node] == self.spot.first_street
        return node_of(self._first_reader if first else self.reader, place, self.exploitability)

    def best_response(self, player: str | int, line: str = ROOT) -> BestResponse:
        """Return a player's best response to the other's strategy from a node on, with each hand's gain."""
        place, number = read_line(self.tree, line), player_number(player)
        if self._missing(place):
            return self._subgames.best_response(
                self._solve_subgame, self.reader, place, number, self.exploitability
            )
        return best_response_at(self.reader, place, number, self.exploitability)

    def report(
        self, line: str, then: str = "", progress: Callable[[int, int], None] | None = None
    ) -> polars.DataFrame:
        """Return one row for every turn or river card that can come at the end of a line.

        EV, equity and realisation of both players and the frequencies of the actions that follow; `then` goes
        on after the card, `then="c"` to see the answers to a check. `progress(done, total)` counts cards.
        """
        from overbet.solvers.vector.report import card_report

        return card_report(self, line, then, progress)

    def export(
        self, path: str | Path, streets: Sequence[str] | None = None, *, most_rows: int | None = None
    ) -> int:
        """Write a row for every hand and action at every decision of some streets; return how many.

        The first street unless told otherwise. Parquet or CSV by the name's ending. More than `most_rows`
        rows (20 million) are refused with their number.
        """
        from overbet.solvers.vector.export import MOST_ROWS, export

        return export(self, path, streets, MOST_ROWS if most_rows is None else most_rows)

    def save(self, path: str | Path, streets: int | None = None, *, resumable: bool = True) -> None:
        """Write an HDF5 file: the whole tree, or the first streets only (`streets=1` or 2).

        What was not saved is solved again when it is asked for. A whole tree that is `resumable` holds the
        regrets too, at twice the size.
        """
        from overbet.solvers.vector.store import save

        save(self, path, streets, resumable=resumable)

    def lines(self, street: str | None = None) -> list[str]:
        """Return the lines of all decisions of a street (the first unless named), on its first board."""
        name = street or STREETS[self.spot.first_street]
        number = street_number(self.spot, name)
        boards = self.tree.street_boards(number)
        assert boards is not None
        nodes = self.tree.betting.street_nodes(number)
        cards = boards.cards[0].tolist()
        return [line_of(self.tree, n, cards) for n in nodes if self.tree.betting.kind[n] in (OOP, IP)]

    def summary(self) -> str:
        """Return the solve in one line."""
        evs = [f"{name.upper()} {self._amount(self.ev(name)):.2f}" for name in PLAYERS]
        unit = "bb" if self.spot.big_blind else "chips"
        stopped = ", stopped early" if self.interrupted else ""
        return (
            f"{self.spot.board}, pot {self._amount(self.spot.pot):g} {unit}; EV {', '.join(evs)} {unit}; "
            f"exploitability {self.exploitability:.3f}% of the pot after {self.iteration:,} iterations"
            f"{stopped}"
        )

    def __repr__(self) -> str:
        return f"Solution({self.summary()})"

    def _repr_html_(self) -> str:
        return self.node()._repr_html_()

    def _amount(self, chips: float) -> float:
        return chips / self.spot.big_blind if self.spot.big_blind else chips

    def _missing(self, place: LinePlace) -> bool:
        street = int(self.tree.betting.street[place.node])
        return street > self.last_street and not is_run_out(self.reader, place)

    def _solve_subgame(self, spot: Spot) -> Solution:
        solver = Solver(spot, self.settings.model_copy(update={"seconds": None}))
        solver.run()
        return Solution.of(solver)


def street_number(spot: Spot, street: str) -> int:
    """Return 0 to 2 for a street of the spot, by name."""
    known = STREETS[spot.first_street :]
    if street not in known:
        raise ConfigError(unknown("street", street, known))
    return STREETS.index(street)
