"""The blueprints a page can open: those that came with the package, and those of the data folder's runs."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any, Literal, NamedTuple

from overbet.blueprint.catalogue import SHIPPED
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.query import Blueprint
from overbet.blueprint.store import open_blueprint
from overbet.errors import OverbetError
from overbet.interfaces.web.faults import Fault
from overbet.interfaces.web.folder import RUNS, DataFolder, checked_id
from overbet.interfaces.web.reading import is_plain, shown, shown_text

Origin = Literal["shipped", "own"]
_OPEN = 3  # blueprints held open
_MOST_OWN = 500


class BlueprintEntry(NamedTuple):
    """A blueprint file. facts: its manifest and table, read without opening the strategy."""

    id: str
    origin: Origin
    path: Path
    facts: dict[str, Any]
    error: str | None


class BlueprintLibrary:
    """The blueprints of a server."""

    def __init__(self, folder: DataFolder, shipped: Path = SHIPPED) -> None:
        self._folder, self._shipped = folder, shipped
        self._lock = threading.Lock()
        self._facts: dict[tuple[str, int], tuple[dict[str, Any], str | None]] = {}
        self._open: OrderedDict[tuple[str, int], Blueprint] = OrderedDict()

    def all(self) -> list[BlueprintEntry]:
        """Return the blueprints there are, shipped ones first."""
        return [self._entry(*found) for found in self._paths()]

    def get(self, name: str) -> BlueprintEntry:
        """Return one by its id."""
        checked_id(name)
        for id, origin, path in self._paths():
            if id == name:
                return self._entry(id, origin, path)
        raise Fault(404, "there is no blueprint of that name")

    def open(self, name: str) -> Blueprint:
        """Return an open blueprint."""
        entry = self.get(name)
        try:
            key = (str(entry.path), entry.path.stat().st_mtime_ns)
        except OSError as error:
            raise Fault(404, "the file has gone") from error
        with self._lock:
            if key not in self._open:
                try:
                    self._open[key] = Blueprint.load(entry.path)
                except OverbetError as error:
                    raise Fault(409, str(error).replace(str(entry.path), entry.id)) from error
                except (OSError, MemoryError, *_DAMAGED) as error:
                    raise Fault(409, f"{entry.id} is damaged: it cannot be opened") from error
            self._open.move_to_end(key)
            while len(self._open) > _OPEN:
                self._open.popitem(last=False)
            return self._open[key]

    def _paths(self) -> list[tuple[str, Origin, Path]]:
        shipped = sorted(self._shipped.rglob("*.h5")) if self._shipped.is_dir() else []
        own = [path for path in (self._folder.root / RUNS).glob("*/blueprint.h5") if is_plain(path)]
        own = sorted(own)[:_MOST_OWN]
        found: list[tuple[str, Origin, Path]] = []
        for path in shipped:
            name = path.parent.name if path.stem == "blueprint" else path.stem
            found.append((f"shipped-{slug(name)}", "shipped", path))
        found += [(f"own-{slug(path.parent.name)}", "own", path) for path in own]
        return list({id: (id, origin, path) for id, origin, path in found}.values())

    def _entry(self, id: str, origin: Origin, path: Path) -> BlueprintEntry:
        try:
            key = (str(path), path.stat().st_mtime_ns)
        except OSError:
            return BlueprintEntry(id, origin, path, {}, "the file has gone")
        if key not in self._facts:
            self._facts[key] = _read(path, id)
        return BlueprintEntry(id, origin, path, *self._facts[key])


# what a head of others can lead to
_DAMAGED = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)


def _read(path: Path, id: str) -> tuple[dict[str, Any], str | None]:
    try:
        with open_blueprint(path) as file:
            head = file.head
        config = BlueprintConfig.parse(head["config"], id)
        game = config.game.game()
        positions = [game.position(player) for player in range(game.num_players)]
        return {
            "name": config.name,
            "tables": head["tables"],
            "players": game.num_players,
            "stack_bb": [stack / game.big_blind for stack in game.start],
            "big_blind": game.big_blind,
            "positions": positions,
            "manifest": dict(shown(head["manifest"])),
            "game": head["game"],
            "cards": head["cards"],
        }, None
    except OverbetError as error:
        return {}, shown_text(str(error).replace(str(path), id))[:2000]
    except (OSError, MemoryError, *_DAMAGED):
        return {}, f"{id} is damaged: its head cannot be read"


def slug(name: str) -> str:
    """Return a name as an id."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:48] or "x"
