"""Asking a blueprint of keyed tables: the hand is played again by the rules, and its key looked up.

There is no tree here: a public state is a `HoldemState` or a line, every action of which has to be one of the
menu's; the key of (street, position, ..., raises) as in `kernels.training.keys` leads to the row. A key that
training never met is an error that says so, never a uniform strategy.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from overbet.artefact import Artefact
from overbet.betting.following import moves_of
from overbet.blueprint.cards import CardModel
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.keyed import game_digest, keyed_game
from overbet.blueprint.query import (
    BOARD_CARDS,
    Blueprint,
    DecisionPoint,
    Floats,
    check_count,
    checked_line,
    shares_of,
)
from overbet.errors import ArtefactError, IllegalActionError
from overbet.games import lines
from overbet.games.holdem_state import STREETS, HoldemState
from overbet.kernels.holdem.layout import CALL, STREET
from overbet.kernels.training.keys import board_texture, keys_of_buckets
from overbet.kernels.training.tree import MOST_ACTIONS, menu_actions


class KeyedBlueprint(Blueprint):
    """A trained strategy of keyed tables: there is no tree of it."""

    tables = "keyed"
    _missing = "never met the key of"

    def __init__(
        self,
        config: BlueprintConfig,
        cards: CardModel,
        keys: npt.NDArray[np.uint64],
        strategy: Any,
        manifest: dict[str, Any],
    ) -> None:
        """Take keys: [rows] uint64, ascending, and strategy: [rows, actions] uint8."""
        super().__init__(config, config.game.game(), cards, manifest)
        self._keys, self._strategy = keys, strategy
        solver = config.solver
        self._rules = keyed_game(self.game, config.menu, solver.coarse, solver.texture)
        if len(keys) != len(strategy):
            raise ArtefactError(f"{len(keys):,} keys do not fit {len(strategy):,} rows of strategy")

    @classmethod
    def read(cls, file: Artefact, config: BlueprintConfig, cards: CardModel) -> KeyedBlueprint:
        """Return the blueprint of an open file; where there are many keys they are mapped, not read."""
        column = file["keys"]
        if column.dtype != np.uint64 or len(column.shape) != 1 or len(file["strategy"].shape) != 2:
            raise file.damaged("its keys and rows are not those of a keyed table")
        keys: npt.NDArray[np.uint64] = (
            column.whole()
            if column.offset is None
            else np.memmap(file.path, np.uint64, "r", offset=column.offset, shape=(len(column),))
        )
        keys.setflags(write=False)  # as mapped ones are: kernels are compiled for one kind of array
        found = cls(config, cards, keys, file["strategy"], file.head["manifest"])
        if found.game_digest != file.head["game"]:
            raise ArtefactError(
                f"{file.path} was trained on another game: its hash is {file.head['game']}, this program has "
                f"{found.game_digest}"
            )
        return found

    def keep_in_memory(self) -> None:
        """Read all rows, some megabytes: an agent would unpack chunks for every bucket of a decision."""
        self._strategy = np.asarray(self._strategy[:])

    def __repr__(self) -> str:
        counts = "/".join(map(str, self.cards.counts))
        return f"KeyedBlueprint({self.config.name}, {len(self._keys):,} rows, {counts} buckets)"

    @property
    def game_digest(self) -> str:
        return game_digest(self._rules, self.config.menu)

    @property
    def tree(self) -> NoReturn:
        """There is none."""
        raise ArtefactError("a blueprint of keyed tables has no tree: its lines cannot be listed")

    def rows_of_255ths(self) -> NoReturn:
        raise ArtefactError("the rows of keyed tables are found by their keys: ask with a line or a state")

    def _tokens(self, spot: DecisionPoint) -> tuple[str, ...]:
        return tuple(spot.place.token(action) for action in spot.actions)

    def strategy_by_bucket(self, line: str | HoldemState) -> Floats:
        spot = self._spot(line)
        return self._rows(spot, self._lying(spot, line, ()))

    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        return {"keys": np.array(self._keys), "strategy": np.asarray(self._strategy[:])}

    def _actions_at(self, inner: HoldemState) -> tuple[int, ...]:
        return self._at(inner).actions

    def _rows(self, spot: DecisionPoint, board: tuple[int, ...]) -> Floats:
        keys = self._keys_of(spot, board)
        rows: Floats = np.full((len(keys), len(spot.actions)), np.nan)
        places = np.minimum(np.searchsorted(self._keys, keys), max(len(self._keys) - 1, 0))
        there = np.flatnonzero(self._keys[places] == keys) if len(self._keys) else np.zeros(0, np.int64)
        if len(there):
            found = np.asarray(self._strategy[places[there]])
            if found[:, rows.shape[1] :].any():
                raise ArtefactError("a row of the strategy has more actions than its decision")
            rows[there] = shares_of(found[:, : rows.shape[1]])
        return rows

    def _keys_of(self, spot: DecisionPoint, board: tuple[int, ...]) -> npt.NDArray[np.uint64]:
        """Return the key of every bucket: [bucket] uint64."""
        vector = spot.place.vector
        street = int(vector[STREET])
        texture = board_texture(np.array(board, np.int8), 0, street) if self._rules.textures else 0
        keys = np.empty(self.cards.counts[street], np.uint64)
        keys_of_buckets(vector, spot.level, len(spot.actions), texture, self._rules.edges, keys)
        return keys

    def _spot(self, line: str | HoldemState) -> DecisionPoint:
        """Return the decision there; every action on the way has to be one of the menu's."""
        text = line.line if isinstance(line, HoldemState) else checked_line(line)
        if isinstance(line, HoldemState) and line.num_players != self.game.num_players:
            raise IllegalActionError(f"{line.num_players} players are not the {self.game.num_players} here")
        state = self.game.deal(0)
        for token in map(str, lines.moves(lines.parse(text))):
            spot = self._at(state)
            actions = {state.token(action): action for action in spot.actions}
            if token not in actions:
                words = ", ".join(actions) or "nothing: the hand is over"
                raise IllegalActionError(
                    f"{token!r} is not in the menu after {moves_of(state)}; there is {words}"
                )
            state = state.apply(actions[token])
        spot = self._at(state)
        if not spot.actions:
            raise IllegalActionError(f"the hand is over after {text}: there is nothing to decide")
        if text is line:
            check_count(text, BOARD_CARDS[spot.street])
        return spot

    def _at(self, state: HoldemState) -> DecisionPoint:
        """Return the decision of a state; there are no actions where the hand is over."""
        player = state.current_player()
        if player < 0:
            return DecisionPoint(moves_of(state), len(STREETS), player, 0, (), state)
        now = STREETS.index(state.street)
        level = sum(street == now and action > CALL for street, _, action in state.history)
        actions = np.zeros(MOST_ACTIONS + 2, np.int64)
        count = menu_actions(state.vector, level, self._rules.menu, self._rules.blind, actions)
        return DecisionPoint(moves_of(state), now, player, level, tuple(actions[:count].tolist()), state)
