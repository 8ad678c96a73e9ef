"""Strategies as files for other programs: Parquet or CSV, of chosen streets only.

One row for every (decision, hand, action), on the boards the tree keeps; `boards` says for how many real
boards a row stands (mirrors under a swap of suits). The size is known before anything is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from overbet.cards.cards import cards_name
from overbet.errors import ConfigError, TooLargeError
from overbet.files import replacing
from overbet.kernels.vector.response import FOLLOW
from overbet.machine import size_text
from overbet.solvers.vector.lines import PLAYERS, actions_at, line_of
from overbet.solvers.vector.node import with_blinds
from overbet.solvers.vector.view import action_values, hand_values
from overbet.tree.spot import IP, OOP, STREETS

if TYPE_CHECKING:
    import polars

    from overbet.solvers.vector.reader import TreeReader
    from overbet.solvers.vector.solution import Solution

SUFFIXES = (".parquet", ".csv")
MOST_ROWS = 20_000_000
_BYTES_A_ROW = {".parquet": 30, ".csv": 110}  # measured on a turn spot, for the figure in the refusal
_BATCH_ROWS = 500_000

Write = Callable[["polars.DataFrame"], None]


def export_rows(solution: Solution, streets: Sequence[str] | None = None) -> int:
    """Return how many rows an export of some streets would have."""
    reader, rows = solution.reader, 0
    for street in _numbers(solution, streets):
        for player in (OOP, IP):
            nodes = solution.tree.betting.street_nodes(street)
            kinds, sizes = solution.tree.betting.kind[nodes], solution.tree.betting.num_children[nodes]
            live = sum(
                reader.live_hands(player, street, b).sum() for b in range(solution.tree.board_count(street))
            )
            rows += int(sizes[kinds == player].sum()) * int(live)
    return rows


def export(solution: Solution, path: str | Path, streets: Sequence[str] | None, most_rows: int) -> int:
    """Write the rows of some streets (the first one unless named) and return their number."""
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in SUFFIXES:
        raise ConfigError(f"an export ends in {' or '.join(SUFFIXES)}, not in {target.suffix or 'nothing'!r}")
    numbers = _numbers(solution, streets)
    rows = export_rows(solution, streets)
    if rows > most_rows:
        size = size_text(rows * _BYTES_A_ROW[suffix])
        raise TooLargeError(
            f"exporting {', '.join(STREETS[n] for n in numbers)} would write {rows:,} rows, about "
            f"{size}; choose fewer streets, or allow it with most_rows={rows}"
        )
    with replacing(target) as beside, _writer(beside, suffix) as write:
        for street in numbers:
            for batch in _batches(solution.reader, street):
                write(batch)
    return rows


def _numbers(solution: Solution, streets: Sequence[str] | None) -> list[int]:
    from overbet.solvers.vector.solution import street_number

    named = [streets] if isinstance(streets, str) else list(streets or [STREETS[solution.spot.first_street]])
    numbers = sorted({street_number(solution.spot, name) for name in named})
    if numbers[-1] > solution.last_street:
        raise ConfigError(
            f"this solution holds {', '.join(solution.streets)} only; later streets need the whole tree"
        )
    return numbers


@contextmanager
def _writer(path: Path, suffix: str) -> Iterator[Write]:
    if suffix == ".csv":
        with open(path, "wb") as handle:
            yield lambda frame: frame.write_csv(handle, include_header=handle.tell() == 0, float_precision=6)
        return
    import polars

    with TemporaryDirectory(dir=path.parent) as folder:  # batch by batch, so that memory does not grow
        parts: list[Path] = []

        def write(frame: polars.DataFrame) -> None:
            parts.append(Path(folder) / f"{len(parts)}.parquet")
            frame.write_parquet(parts[-1], compression="lz4")

        yield write
        polars.scan_parquet(parts).sink_parquet(path, compression="zstd")


def _batches(reader: TreeReader, street: int) -> Iterator[polars.DataFrame]:
    import polars

    tree = reader.tree
    boards = tree.street_boards(street)
    assert boards is not None
    parts: list[polars.DataFrame] = []
    rows = 0
    stands_for = _stands_for(reader, street)
    for board in range(boards.size):
        cards = boards.cards[board].tolist()
        for node in tree.betting.street_nodes(street):
            if tree.betting.kind[node] in (OOP, IP):
                parts.append(_rows(reader, node, board, cards, stands_for[board]))
                rows += len(parts[-1])
        if rows >= _BATCH_ROWS or board == boards.size - 1:
            yield polars.concat(parts)
            parts, rows = [], 0


def _stands_for(reader: TreeReader, street: int) -> list[int]:
    """Return the number of real boards each kept board of a street stands for, itself included."""
    count = np.ones(1, np.int64)
    for boards in reader.tree.boards[1 : street - reader.tree.spot.first_street + 1]:
        count = count[boards.parent] * np.diff(boards.mirror_start)
    return [int(x) for x in count]


def _rows(reader: TreeReader, node: int, board: int, cards: list[int], boards: int) -> polars.DataFrame:
    import polars

    tree = reader.tree
    street, player = int(tree.betting.street[node]), int(tree.betting.kind[node])
    facts = hand_values(reader, player, FOLLOW, node, board)
    equity = reader.equity(player, street, board, reader.reach(1 - player, node, board), facts.met)
    evs = action_values(reader, player, FOLLOW, node, board, facts.met)
    live = np.flatnonzero(reader.live_hands(player, street, board))
    strategy = reader.strategy(node, board).T[live]
    actions = actions_at(tree.betting, tree.spot, node)
    each = np.repeat(live, len(actions))
    size = len(each)
    names = polars.Series(tree.hands[player].names())
    frame = polars.DataFrame(
        {
            "line": polars.repeat(line_of(tree, node, cards), size, eager=True),
            "board": polars.repeat(cards_name(cards), size, eager=True),
            "boards": polars.repeat(boards, size, dtype=polars.Int32, eager=True),
            "player": polars.repeat(PLAYERS[player], size, eager=True),
            "hand": names.gather(each),
            "reach": facts.own[each],
            "weight": facts.weight[each],
            "equity": equity[each],
            "ev_chips": facts.ev[each],
            "action": polars.Series([a.token for a in actions]).gather(
                np.tile(np.arange(len(actions)), len(live))
            ),
            "frequency": strategy.reshape(-1),
            "action_ev_chips": evs[live].reshape(-1),
        }
    )
    return with_blinds(frame, tree.spot.big_blind)
