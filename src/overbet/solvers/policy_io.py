"""Policies as files: Parquet or JSON, tied to their game by a digest of its structure, checked for damage.

Both formats hold the tidy table (infoset, player, action, action_id, probability) in the order of the game's
slots, and beside it a head: format, version, game, digest of the game, checksum of the probabilities, and how
the policy came about. In a Parquet file the head is the schema's metadata entry `overbet`, as JSON.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from overbet._version import __version__
from overbet.errors import ArtefactError, ConfigError, OverbetError
from overbet.files import replacing, write_text
from overbet.games.registry import make_game
from overbet.tree.flat import FlatGame, flatten

if TYPE_CHECKING:
    from overbet.solvers.policy import TabularPolicy

Floats = npt.NDArray[np.float64]
Columns = dict[str, list[Any]]
FORMAT, VERSION = "overbet policy", 1
SUFFIXES = (".parquet", ".json")
_HEAD = b"overbet"
_COLUMNS = ("infoset", "player", "action", "action_id", "probability")


def game_digest(flat: FlatGame) -> str:
    """Return the sha256 of everything that makes two flat games the same to a policy or a solver's tables.

    That is the tree, its chances and payoffs, who knows what, and the names of sets and actions.
    """
    tree = flat.tree
    sha = hashlib.sha256(f"{flat.num_players} {flat.num_nodes} {flat.num_slots}".encode())
    structure = (
        tree.player,
        tree.parent,
        tree.action,
        tree.infoset,
        tree.infoset_player,
        tree.infoset_offset,
    )
    for integers in structure:
        sha.update(integers.astype("<i4").tobytes())
    for floats in (tree.probability, tree.returns):
        sha.update(floats.astype("<f8").tobytes())
    sha.update(json.dumps([flat.infoset_names, flat.slot_names, flat.slot_actions.tolist()]).encode())
    return sha.hexdigest()


def checksum(values: Floats) -> str:
    """Return the sha256 of the numbers themselves, the same in every format."""
    return hashlib.sha256(values.astype("<f8").tobytes()).hexdigest()


def game_of(path: str | Path, name: object, digest: object, game: FlatGame | None) -> FlatGame:
    """Return `game`, or the registered one called `name`, once it is known to be the file's game."""
    if game is None:
        try:
            game = flatten(make_game(str(name)))
        except OverbetError as error:
            raise ArtefactError(
                f"{path} belongs to the game {name!r}, which is not registered here; pass the game"
            ) from error
    if name != game.name:
        raise ArtefactError(f"{path} belongs to the game {name!r}, not to {game.name!r}")
    if digest != game_digest(game):
        raise ArtefactError(
            f"{path} was made with other rules of {name!r} than these (its structure differs); make it again"
        )
    return game


def save_policy(policy: TabularPolicy, path: str | Path) -> None:
    """Write `policy` in the format that the suffix of `path` names."""
    writer = _by_suffix(path, {".parquet": _write_parquet, ".json": _write_json})
    head = {
        "format": FORMAT,
        "version": VERSION,
        "overbet": __version__,
        "game": policy.game.name,
        "players": policy.game.num_players,
        "game_digest": game_digest(policy.game),
        "checksum": checksum(policy.probabilities),
        "origin": dict(policy.origin),
    }
    writer(Path(path), head, policy)


def load_policy(path: str | Path, game: FlatGame | None) -> tuple[FlatGame, Floats, dict[str, Any]]:
    """Return (game, probabilities: [slot] float64, origin) of a policy file, all checked."""
    reader = _by_suffix(path, {".parquet": _read_parquet, ".json": _read_json})
    if not Path(path).is_file():
        raise ArtefactError(f"there is no policy file {path}")
    head, columns = reader(Path(path))
    if head.get("format") != FORMAT:
        raise ArtefactError(f"{path} is not a policy file of overbet")
    if head.get("version") != VERSION:
        raise ArtefactError(
            f"{path} has version {head.get('version')} of the policy format and this program reads {VERSION}"
        )
    flat = game_of(path, head.get("game"), head.get("game_digest"), game)
    probabilities = _probabilities(path, flat, columns)
    if "checksum" in head and head["checksum"] != checksum(probabilities):
        raise ArtefactError(
            f"{path} is damaged: its numbers do not match its checksum "
            "(after an edit by hand, remove 'checksum')"
        )
    origin = head.get("origin", {})
    return flat, probabilities, origin if isinstance(origin, dict) else {}


def _probabilities(path: str | Path, flat: FlatGame, columns: Columns) -> Floats:
    sets = flat.tree.slot_infoset
    expected: Columns = {
        "infoset": [flat.infoset_names[i] for i in sets],
        "player": flat.tree.infoset_player[sets].tolist(),
        "action": list(flat.slot_names),
        "action_id": flat.slot_actions.tolist(),
    }
    for name, values in expected.items():
        if columns[name] != values:
            raise ArtefactError(f"{path} is damaged: its column {name!r} is not that of {flat.name}")
    numbers = columns["probability"]
    if not all(isinstance(x, int | float) and math.isfinite(x) and 0.0 <= x <= 1.0 + 1e-9 for x in numbers):
        raise ArtefactError(f"{path} is damaged: it has probabilities that are not between 0 and 1")
    probabilities = np.array(numbers, dtype=np.float64)
    sums = np.add.reduceat(probabilities, flat.tree.infoset_offset[:-1])
    if not np.allclose(sums, 1.0, rtol=0.0, atol=1e-9):
        raise ArtefactError(f"{path} is damaged: its probabilities do not sum to 1 in every information set")
    return probabilities


def _by_suffix(path: str | Path, choices: dict[str, Callable[..., Any]]) -> Callable[..., Any]:
    suffix = Path(path).suffix.lower()
    if suffix == ".arrow":
        raise ConfigError(
            f"{path} names a sampling run, not a policy; "
            f"`overbet sample --resume {path} --policy policy.parquet` writes its policy"
        )
    if suffix not in choices:
        raise ConfigError(f"a policy file ends in {' or '.join(SUFFIXES)}, not in {suffix or 'nothing'!r}")
    return choices[suffix]


def _write_parquet(path: Path, head: dict[str, Any], policy: TabularPolicy) -> None:
    import pyarrow.parquet

    table = policy.to_polars().to_arrow()
    table = table.replace_schema_metadata({_HEAD: json.dumps(head).encode()})
    with replacing(path) as beside:
        pyarrow.parquet.write_table(table, beside, compression="zstd")


def _read_parquet(path: Path) -> tuple[dict[str, Any], Columns]:
    import pyarrow
    import pyarrow.parquet

    try:
        table = pyarrow.parquet.read_table(path)
        head = json.loads((table.schema.metadata or {}).get(_HEAD, b"{}"))
        columns = {name: table.column(name).to_pylist() for name in _COLUMNS if name in table.column_names}
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise ArtefactError(f"{path} is damaged or not a Parquet file: {_first_line(error)}") from error
    if not isinstance(head, dict):
        head = {}
    if head and len(columns) < len(_COLUMNS):
        raise ArtefactError(f"{path} is damaged: it lacks columns of a policy ({', '.join(_COLUMNS)})")
    return head, columns


def _write_json(path: Path, head: dict[str, Any], policy: TabularPolicy) -> None:
    flat = policy.game
    rows = []
    for i in range(flat.num_infosets):
        slots = flat.slots(i)
        row = {
            "player": int(flat.tree.infoset_player[i]),
            "infoset": flat.infoset_names[i],
            "actions": list(flat.slot_names[slots]),
            "action_ids": flat.slot_actions[slots].tolist(),
            "probabilities": policy.probabilities[slots].tolist(),
        }
        rows.append(json.dumps(row, ensure_ascii=False))
    # one line an information set: readable, and a difference of two files shows the sets that differ
    body = ",\n  ".join(rows)
    text = json.dumps(head, ensure_ascii=False, indent=1)
    write_text(path, f'{text[:-2]},\n "policy": [\n  {body}\n ]\n}}\n')


def _read_json(path: Path) -> tuple[dict[str, Any], Columns]:
    try:
        head = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ArtefactError(f"{path} is damaged or not a JSON file: {_first_line(error)}") from error
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        return {}, {}
    columns: Columns = {name: [] for name in _COLUMNS}
    try:
        for row in head.pop("policy"):
            columns["action"] += row["actions"]
            columns["action_id"] += row["action_ids"]
            columns["probability"] += row["probabilities"]
            columns["infoset"] += [row["infoset"]] * len(row["actions"])
            columns["player"] += [row["player"]] * len(row["actions"])
    except (KeyError, TypeError) as error:
        raise ArtefactError(f"{path} is damaged: its 'policy' is not a list of information sets") from error
    return head, columns


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
