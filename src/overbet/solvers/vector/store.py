"""Solutions as files: whole or the first streets only, resumable.

    head                       spot, settings, locks, history, digests
    average/oop/values ...     the tables' parts, one array each
    regret/..., play/...       what a run resumes from (whole trees only, unless they were left out)
    locked/oop ...             masks of locked hands
    values/follow/oop/flop ... the judge's values of the streets that are kept, where later ones are not

`overbet.artefact` writes and verifies the file.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet import artefact
from overbet._version import __version__
from overbet.errors import ArtefactError, ConfigError
from overbet.kernels.vector.response import BEST, FOLLOW
from overbet.solvers.vector.layout import Layout, layout_of
from overbet.solvers.vector.lines import PLAYERS
from overbet.solvers.vector.locking import Lock, tree_for
from overbet.solvers.vector.packed import PackedTable
from overbet.solvers.vector.response import Values
from overbet.solvers.vector.settings import SolveSettings
from overbet.solvers.vector.solution import KnownValues, Solution
from overbet.solvers.vector.solver import Progress
from overbet.solvers.vector.tables import SolvedTables, Table, assembled, parts
from overbet.tree.public import PublicTree
from overbet.tree.spot import IP, OOP, STREETS, Spot

KIND = artefact.Kind("solution", 2, "save it again, or solve its spot again")
SUFFIXES = (".h5", ".hdf5")
FLOP, TURN, RIVER = 0, 1, 2
_BYTES_AN_ENTRY = 64  # of a table: more than any array of a solution has
_MODES = {"follow": FOLLOW, "best": BEST}

Array = npt.NDArray[Any]


class Saved(NamedTuple):
    """A file as it was read. `tables` has regrets only when they were asked for, or averages lack them."""

    spot: Spot
    settings: SolveSettings
    locks: tuple[Lock, ...]
    tree: PublicTree
    layout: Layout
    tables: SolvedTables
    known: KnownValues | None
    history: list[Progress]
    last_street: int
    interrupted: bool


def check_save(path: str | Path) -> Path:
    """Return `path`, or raise at once when its ending is not one of `SUFFIXES`: ask before a long run."""
    target = Path(path)
    if target.suffix.lower() not in SUFFIXES:
        raise ConfigError(f"a solution is saved as HDF5: end {str(target)!r} in {' or '.join(SUFFIXES)}")
    return target


def check_streets(spot: Spot, streets: int) -> None:
    """Raise where a spot does not have so many streets."""
    first = spot.first_street
    if not 1 <= streets <= 3 - first:
        raise ConfigError(
            f"streets={streets}: {spot.board} has {', '.join(STREETS[first:])}: 1 to {3 - first}"
        )


def save(
    solution: Solution,
    path: str | Path,
    streets: int | None = None,
    *,
    resumable: bool = True,
    compressed: bool = True,
) -> None:
    """Write a solution; streets: how many from the first on, all when None.

    compressed: smaller, and most of the time that it takes.
    """
    target = check_save(path)
    last = _last_street(solution, streets)
    whole = last == RIVER
    tables = solution.tables
    resumable = resumable and whole and tables.regret is not None
    arrays: dict[str, Array] = {}
    # without regrets nothing can fill in later what a hand does where it never gets: keep the filled averages
    averages = tables.average if resumable else solution.reader.average
    for player, name in enumerate(PLAYERS):
        kept = averages[player] if whole else _first_streets(solution, averages[player], player, last)
        arrays |= {f"average/{name}/{part}": array for part, array in parts(kept).items()}
        if resumable:
            assert tables.regret is not None
            assert tables.play is not None
            arrays |= {f"regret/{name}/{p}": a for p, a in parts(tables.regret[player]).items()}
            if tables.play[player] is not tables.regret[player]:
                arrays |= {f"play/{name}/{p}": a for p, a in parts(tables.play[player]).items()}
        if tables.locked is not None and whole:
            arrays[f"locked/{name}"] = tables.locked[player]
    if not whole:
        arrays |= _early_values(solution, last)
    head = {
        "overbet": __version__,
        "spot": solution.spot.model_dump(mode="json", by_alias=True),
        "spot_digest": solution.spot.digest(),
        "settings": solution.settings.model_dump(mode="json"),
        "settings_digest": solution.settings.digest(),
        "locks": [lock.model_dump(mode="json") for lock in solution.locks],
        "iteration": solution.iteration,
        "history": [list(look) for look in solution.history],
        "last_street": STREETS[last],
        "resumable": resumable,
        # some hand has no average somewhere: only the regrets tell what it does there
        "unplayed": any(a is not b for a, b in zip(solution.reader.average, tables.average)),
        "interrupted": solution.interrupted,
        "layout_digest": layout_digest(solution.tree, solution.layout),
    }
    artefact.write(target, KIND, head, arrays, level=1 if compressed else 0)


def load(path: str | Path) -> Solution:
    """Open a saved solution."""
    saved = read(path)
    return Solution(
        saved.tree,
        saved.settings,
        saved.tables,
        saved.history,
        layout=saved.layout,
        locks=saved.locks,
        last_street=saved.last_street,
        known=saved.known,
        interrupted=saved.interrupted,
    )


def read(path: str | Path, *, resume: bool = False) -> Saved:
    """Read a file, all checked; resume: with the regrets, which must be there."""
    with artefact.opened(path, KIND) as file, file.parsing():
        head = file.head
        facts = facts_of(file)
        if resume and not head["resumable"]:
            raise ArtefactError(
                f"{path} holds no regrets to resume from (it was saved with fewer streets or without them); "
                "solve without --resume"
            )
        tree = tree_for(facts.spot, facts.locks)
        layout = layout_of(tree)
        if layout_digest(tree, layout) != head["layout_digest"]:
            raise ArtefactError(
                f"{path} was saved by version {head['overbet']}, which lays its tables out in another way; "
                "solve the spot again"
            )
        last = STREETS.index(head["last_street"])
        regrets = resume or (head["resumable"] and head["unplayed"])
        groups = ["average", "locked", *(["regret", "play"] if regrets else []), "values"]
        _check_sizes(file, layout)
        arrays = {name: file[name].whole() for name in file.names if name.split("/")[0] in groups}
        tables = _tables(arrays, int(head["iteration"]))
        if last == RIVER and any(len(tables.average[p]) != layout.table_size[p] for p in (OOP, IP)):
            raise file.damaged("its tables do not fit its spot")
        return Saved(
            facts.spot,
            facts.settings,
            facts.locks,
            tree,
            layout,
            tables,
            _known(arrays, tree, last) if last < RIVER else None,
            [Progress(*look) for look in head["history"]],
            last,
            bool(head["interrupted"]),
        )


class Facts(NamedTuple):
    """What the head of a file says, before its tree is grown."""

    spot: Spot
    settings: SolveSettings
    locks: tuple[Lock, ...]
    resumable: bool


def facts_of(file: artefact.Artefact) -> Facts:
    """Return what an open file is of."""
    with file.parsing():
        head = file.head
        spot = Spot.parse(head["spot"], file.path)
        settings = SolveSettings.parse(head["settings"], file.path)
        locks = tuple(Lock.parse(lock, file.path) for lock in head["locks"])
        return Facts(spot, settings, locks, bool(head["resumable"]))


def _check_sizes(file: artefact.Artefact, layout: Layout) -> None:
    """Raise where an array is larger than its spot can fill: nothing of it has been read yet."""
    most = _BYTES_AN_ENTRY * sum(layout.table_size) + (1 << 20)
    for name in file.names:
        if file[name].nbytes > most:
            raise file.damaged(f"{name!r} is larger than its spot")


def layout_digest(tree: PublicTree, layout: Layout) -> str:
    """Return the sha256 of everything that decides which entry of a table means what."""
    sha = hashlib.sha256(layout.rows.astype("<i4").tobytes())
    for boards in tree.boards:
        sha.update(boards.cards.tobytes())
    for player in (OOP, IP):
        side = layout.passes[player].own
        for column in (side.base, side.rows, side.river_start, side.river_row):
            sha.update(column.astype("<i8").tobytes())
        sha.update(tree.hands[player].combos.astype("<i2").tobytes())
        sha.update(tree.showdowns[player].hand.astype("<i2").tobytes())
    return sha.hexdigest()


def _last_street(solution: Solution, streets: int | None) -> int:
    first = solution.spot.first_street
    most = solution.last_street - first + 1
    if streets is None:
        return solution.last_street
    check_streets(solution.spot, streets)
    if streets > most:
        raise ConfigError(f"this solution holds {most} street(s) only ({', '.join(solution.streets)})")
    return first + streets - 1


def _first_streets(solution: Solution, table: Table, player: int, last: int) -> Table:
    end = int(solution.layout.passes[player].own.base[last + 1])
    if isinstance(table, PackedTable):
        return table.early[:end]
    return table[:end]


def _early_values(solution: Solution, last: int) -> dict[str, Array]:
    found: dict[str, Array] = {}
    for mode, number in _MODES.items():
        for player, name in enumerate(PLAYERS):
            values = solution.reader.early_values(player, number)
            for street, array in ((FLOP, values.flop), (TURN, values.turn)):
                if array is not None and street <= last:
                    found[f"values/{mode}/{name}/{STREETS[street]}"] = array.astype(np.float32)
    return found


def _tables(arrays: dict[str, Array], iteration: int) -> SolvedTables:
    def group(kind: str) -> list[Table] | None:
        found = [
            {name.split("/")[2]: a for name, a in arrays.items() if name.startswith(f"{kind}/{player}/")}
            for player in PLAYERS
        ]
        return [assembled(part) for part in found] if all(found) else None

    average, regret = group("average"), group("regret")
    if average is None:
        raise ValueError("no average strategy")
    play = group("play") or regret
    masks = [arrays[f"locked/{name}"] for name in PLAYERS if f"locked/{name}" in arrays]
    return SolvedTables(iteration, average, regret, play, masks or None)


def _known(arrays: dict[str, Array], tree: PublicTree, last: int) -> KnownValues:
    known: KnownValues = {}
    for mode in _MODES:
        for player, name in enumerate(PLAYERS):
            for street in range(tree.spot.first_street, last + 1):
                found, hands = arrays[f"values/{mode}/{name}/{STREETS[street]}"], tree.hands[player].size
                nodes = len(tree.betting.street_nodes(street))
                wanted = (nodes, hands) if street == FLOP else (tree.board_count(street), nodes, hands)
                if found.shape != wanted:
                    raise ValueError("values that do not fit the tree")
    for mode, number in _MODES.items():
        for player, name in enumerate(PLAYERS):
            flop, turn = (
                arrays[key].astype(np.float64)
                if (key := f"values/{mode}/{name}/{street}") in arrays
                else None
                for street in STREETS[:2]
            )
            first = flop[0] if flop is not None else turn[0, 0] if turn is not None else np.zeros(0)
            known[player, number] = Values(first, flop, turn)
    return known
