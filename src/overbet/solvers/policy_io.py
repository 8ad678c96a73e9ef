"""Policies as files: Parquet or JSON, tied to their game by a digest of its structure, sealed against damage.

Both formats hold the tidy table (infoset, player, action, action_id, probability) in the order of the
game's slots, and beside it a head: format, version, seal, game, digest of the game, and how the policy came
about. In a Parquet file the head is the metadata entry `overbet`, as JSON. A policy written or edited by
hand has no seal and is taken as it is, once its probabilities add up.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from overbet import artefact
from overbet._version import __version__
from overbet.artefact.sealed import UNSEALED, first_line, read_bytes
from overbet.errors import ArtefactError, ConfigError, OverbetError, short
from overbet.files import replacing
from overbet.games.registry import make_game
from overbet.tree.flat import FlatGame, flatten

if TYPE_CHECKING:
    from overbet.solvers.policy import TabularPolicy

Floats = npt.NDArray[np.float64]
Columns = dict[str, list[Any]]
KIND = artefact.Kind("policy", 2, "make it again (after an edit by hand, remove the line with its seal)")
SUFFIXES = (".parquet", ".json")
_HEAD = "overbet"
_HEAD_KEYS = {"format", "version", "seal", "overbet", "game", "players", "game_digest", "origin"}
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


def game_of(path: str | Path, name: object, digest: object, game: FlatGame | None) -> FlatGame:
    """Return `game`, or the registered one called `name`, once it is known to be the file's game."""
    if game is None and str(name).startswith("openspiel:"):
        raise ArtefactError(
            f"{path} belongs to {short(name)}, and a file does not load a game of another library by itself; "
            "name the game (`--game`, or `TabularPolicy.load(path, game)`)"
        )
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
        "format": KIND.label,
        "version": KIND.version,
        "seal": UNSEALED,
        "overbet": __version__,
        "game": policy.game.name,
        "players": policy.game.num_players,
        "game_digest": game_digest(policy.game),
        "origin": dict(policy.origin),
    }
    with replacing(path) as beside:
        writer(beside, head, policy)
        artefact.seal(beside)


def load_policy(path: str | Path, game: FlatGame | None) -> tuple[FlatGame, Floats, dict[str, Any]]:
    """Return (game, probabilities: [slot] float64, origin) of a policy file, all checked."""
    reader = _by_suffix(path, {".parquet": _read_parquet, ".json": _read_json})
    data = read_bytes(path, KIND)
    sealed = artefact.check_seal(data, path, KIND)
    head, columns = reader(Path(path), data)
    if head.get("format") != KIND.label:
        raise ArtefactError(f"{path} is not a policy file of overbet")
    if head.get("version") != KIND.version:
        raise ArtefactError(
            f"{path} has version {str(head.get('version'))[:20]} of the policy format and this program reads "
            f"{KIND.version}"
        )
    if sealed != ("seal" in head) or set(head) - _HEAD_KEYS:
        raise ArtefactError(f"{path} is damaged: its head is not that of a policy; {KIND.again}")
    flat = game_of(path, head.get("game"), head.get("game_digest"), game)
    probabilities = _probabilities(path, flat, columns)
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
    if suffix == ".h5" and Path(path).is_file() and artefact.kind_of(path) == "deep network":
        raise ConfigError(f"{path} has networks, not a policy; overbet.solvers.network_policy reads it")
    if suffix == ".h5":
        raise ConfigError(
            f"{path} names a sampling run, not a policy; "
            f"`overbet sample --resume {path} --policy policy.parquet` writes its policy"
        )
    if suffix not in choices:
        raise ConfigError(f"a policy file ends in {' or '.join(SUFFIXES)}, not in {suffix or 'nothing'!r}")
    return choices[suffix]


def _write_parquet(path: Path, head: dict[str, Any], policy: TabularPolicy) -> None:
    policy.to_polars().write_parquet(path, compression="zstd", metadata={_HEAD: json.dumps(head)})


def _read_parquet(path: Path, data: bytes) -> tuple[dict[str, Any], Columns]:
    import polars

    try:
        head = json.loads(polars.read_parquet_metadata(io.BytesIO(data)).get(_HEAD, "{}"))
        if not isinstance(head, dict) or head.get("format") != KIND.label:
            return {}, {}
        frame = polars.read_parquet(io.BytesIO(data), columns=list(_COLUMNS))
        columns = {name: frame[name].to_list() for name in _COLUMNS}
    except (polars.exceptions.ColumnNotFoundError, polars.exceptions.SchemaError) as error:
        raise ArtefactError(
            f"{path} is damaged: it lacks columns of a policy ({', '.join(_COLUMNS)})"
        ) from error
    except (
        polars.exceptions.PolarsError,
        polars.exceptions.PanicException,
        OSError,
        ValueError,
        RecursionError,
    ) as error:
        raise ArtefactError(f"{path} is damaged or not a Parquet file: {first_line(error)}") from error
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
    path.write_text(f'{text[:-2]},\n "policy": [\n  {body}\n ]\n}}\n', encoding="utf-8")


def _read_json(path: Path, data: bytes) -> tuple[dict[str, Any], Columns]:
    try:
        head = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ArtefactError(f"{path} is damaged or not a JSON file: {first_line(error)}") from error
    if not isinstance(head, dict) or head.get("format") != KIND.label:
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
