"""Asking a blueprint of keyed tables: the hand is played again by the rules, and its key looked up.

There is no tree here: a public state is a `HoldemState` or a line, every action of which has to be one of the
menu's; the key of (street, position, ..., raises) as in `kernels.training.keys` leads to the row. A key that
training never met is an error that says so, never a uniform strategy.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from overbet.artefact import Artefact
from overbet.betting.following import followed, move_name, moves_of
from overbet.blueprint.cards import CardModel
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.keyed import game_digest, keyed_game
from overbet.blueprint.query import (
    BOARD_CARDS,
    Blueprint,
    Floats,
    cards_in,
    check_count,
    checked_line,
    held_cards,
    lying_cards,
    shares_of,
)
from overbet.cards.cards import cards_name
from overbet.cards.combos import COMBOS, combo_index, combo_name
from overbet.errors import ArtefactError, CardError, IllegalActionError
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import STREETS, HoldemState
from overbet.kernels.holdem.layout import CALL, FOLD, STREET
from overbet.kernels.training.keys import board_texture, keys_of_buckets
from overbet.kernels.training.tree import MOST_ACTIONS, menu_actions


class _Spot(NamedTuple):
    """A decision: the state, bets and raises made on its street, and the menu's actions."""

    state: HoldemState
    level: int
    actions: tuple[int, ...]


class KeyedBlueprint(Blueprint):
    """A trained strategy of keyed tables: a blueprint without `tree`, `node` and `entries`."""

    tables = "keyed"

    def __init__(
        self,
        config: BlueprintConfig,
        cards: CardModel,
        keys: npt.NDArray[np.uint64],
        strategy: Any,
        manifest: dict[str, Any],
    ) -> None:
        """Take keys: [rows] uint64, ascending, and strategy: [rows, actions] uint8."""
        self.config, self.cards, self.manifest = config, cards, manifest
        self._keys, self._strategy = keys, strategy
        self._holdem = config.game.game()
        solver = config.solver
        self._rules = keyed_game(self._holdem, config.menu, solver.coarse, solver.texture)
        if len(keys) != len(strategy):
            raise ArtefactError(f"{len(keys):,} keys do not fit {len(strategy):,} rows of strategy")

    def __getattr__(self, name: str) -> NoReturn:
        if name in ("tree", "entries"):
            raise ArtefactError(f"a blueprint of keyed tables has no {name}: its lines cannot be listed")
        raise AttributeError(name)

    @classmethod
    def read(cls, file: Artefact, config: BlueprintConfig, cards: CardModel) -> KeyedBlueprint:
        """Return the blueprint of an open file; the keys are mapped, not read."""
        column = file["keys"]
        if column.dtype != np.uint64 or len(column.shape) != 1 or len(file["strategy"].shape) != 2:
            raise file.damaged("its keys and rows are not those of a keyed table")
        keys: npt.NDArray[np.uint64] = (
            column.whole()
            if column.offset is None
            else np.memmap(file.path, np.uint64, "r", offset=column.offset, shape=(len(column),))
        )
        found = cls(config, cards, keys, file["strategy"], file.head["manifest"])
        own = game_digest(found._rules, config.menu)
        if own != file.head["game"]:
            raise ArtefactError(
                f"{file.path} was trained on another game: its hash is {file.head['game']}, this program has "
                f"{own}"
            )
        return found

    def __repr__(self) -> str:
        counts = "/".join(map(str, self.cards.counts))
        return f"KeyedBlueprint({self.config.name}, {len(self._keys):,} rows, {counts} buckets)"

    @property
    def game(self) -> HoldemGame:
        return self._holdem

    def node(self, line: str | HoldemState) -> NoReturn:
        raise ArtefactError("a blueprint of keyed tables has no nodes: ask with a line or a state")

    def rows_of_255ths(self) -> NoReturn:
        raise ArtefactError("the rows of keyed tables are found by their keys: ask with a line or a state")

    def street(self, line: str | HoldemState) -> int:
        return int(self._spot(line).state.vector[STREET])

    def player(self, line: str | HoldemState) -> int:
        return self._spot(line).state.current_player()

    def actions(self, line: str | HoldemState) -> tuple[int, ...]:
        return self._spot(line).actions

    def action_names(self, line: str | HoldemState) -> tuple[str, ...]:
        spot = self._spot(line)
        verb = "raise" if spot.level or spot.state.street == STREETS[0] else "bet"
        passive = "call" if FOLD in spot.actions else "check"
        words = {FOLD: "fold", CALL: passive}
        unit = self._holdem.big_blind
        return tuple(words.get(action) or f"{verb} {action / unit:g}bb" for action in spot.actions)

    def follow(self, state: HoldemState, seed: int = 0, hand: int = 0) -> str:
        return moves_of(self.followed(state, seed, hand))

    def followed(self, state: HoldemState, seed: int = 0, hand: int = 0) -> HoldemState:
        """Return the blueprint's own hand, any cards, that stands for a real one."""
        return followed(state, self._holdem, lambda inner: self._at(inner).actions, seed, hand)

    def strategy(
        self, line: str | HoldemState, hole: str | Iterable[int], board: str | Iterable[int] = ()
    ) -> Floats:
        spot = self._spot(line)
        lying = self._lying(spot, line, board)
        held = held_cards(hole, lying)
        bucket = int(self.cards.of_board(lying)[combo_index(*held)])
        if bucket < 0:
            raise CardError(f"{cards_name(held)} cannot be held on {cards_name(lying)}")
        row = self._rows(spot, lying)[bucket]
        if np.isnan(row[0]):
            raise ArtefactError(_never_met(spot, f"{cards_name(held)}, bucket {bucket}"))
        found: Floats = row
        return found

    def strategy_for_all_hands(
        self, line: str | HoldemState, board: str | Iterable[int] = (), *, allow_missing: bool = False
    ) -> Floats:
        spot = self._spot(line)
        lying = self._lying(spot, line, board)
        buckets = self.cards.of_board(lying)
        rows = self._rows(spot, lying)
        found: Floats = np.full((COMBOS, rows.shape[1]), np.nan)
        live = buckets >= 0
        found[live] = rows[buckets[live]]
        lost = np.flatnonzero(live & np.isnan(found[:, 0]))
        if len(lost) and not allow_missing:
            raise ArtefactError(_never_met(spot, f"{len(lost)} hands such as {combo_name(int(lost[0]))}"))
        return found

    def strategy_by_bucket(self, line: str | HoldemState) -> Floats:
        spot = self._spot(line)
        return self._rows(spot, self._lying(spot, line, ()))

    def _rows(self, spot: _Spot, board: tuple[int, ...]) -> Floats:
        """Return the strategy of every bucket: [bucket, action] float64, NaN where the key is missing."""
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

    def _keys_of(self, spot: _Spot, board: tuple[int, ...]) -> npt.NDArray[np.uint64]:
        """Return the key of every bucket: [bucket] uint64."""
        vector = spot.state.vector
        street = int(vector[STREET])
        texture = board_texture(np.array(board, np.int8), 0, street) if self._rules.textures else 0
        keys = np.empty(self.cards.counts[street], np.uint64)
        keys_of_buckets(vector, spot.level, len(spot.actions), texture, self._rules.edges, keys)
        return keys

    def _spot(self, line: str | HoldemState) -> _Spot:
        """Return the decision at a public state; every action on the way has to be one of the menu's."""
        text = line.line if isinstance(line, HoldemState) else checked_line(line)
        if isinstance(line, HoldemState) and line.num_players != self._holdem.num_players:
            raise IllegalActionError(
                f"{line.num_players} players are not the {self._holdem.num_players} here"
            )
        state = self._holdem.deal(0)
        for token in text.removeprefix("r:0").split(":"):
            if not token or not (token in ("f", "c") or (token[0] == "b" and token[1:].isdigit())):
                continue  # cards
            spot = self._at(state)
            action = FOLD if token == "f" else CALL if token == "c" else int(token[1:])
            if action not in spot.actions:
                words = ", ".join(map(move_name, spot.actions)) or "nothing: the hand is over"
                raise IllegalActionError(
                    f"{token!r} is not in the menu after {moves_of(state)}; there is {words}"
                )
            state = state.apply(action)
        spot = self._at(state)
        if not spot.actions:
            raise IllegalActionError(f"the hand is over after {text}: there is nothing to decide")
        if text is line:
            check_count(text, BOARD_CARDS[int(spot.state.vector[STREET])])
        return spot

    def _at(self, state: HoldemState) -> _Spot:
        if state.current_player() < 0:
            return _Spot(state, 0, ())
        now = STREETS.index(state.street)
        level = sum(street == now and action > CALL for street, _, action in state.history)
        actions = np.zeros(MOST_ACTIONS + 2, np.int64)
        count = menu_actions(state.vector, level, self._rules.menu, self._rules.blind, actions)
        return _Spot(state, level, tuple(actions[:count].tolist()))

    def _lying(self, spot: _Spot, line: str | HoldemState, board: str | Iterable[int]) -> tuple[int, ...]:
        written = cards_in(line.line if isinstance(line, HoldemState) else line)
        return lying_cards(board, written, BOARD_CARDS[int(spot.state.vector[STREET])])


def _never_met(spot: _Spot, which: str) -> str:
    return (
        f"training never met the key of {moves_of(spot.state)} with {which}; train longer, or ask for "
        "another line"
    )
