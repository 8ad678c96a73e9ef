"""Our games as games of OpenSpiel, so that its algorithms, bots and tests run on them.

    register_openspiel_games()
    game = pyspiel.load_game("overbet_leduc(max_raises=1)")

One Python game and one state serve all of them: they pass every call on to a game of ours. OpenSpiel counts
actions from 0, hold'em here has fold -1, check or call 0 and chips: so its actions are 0 fold, 1 check or
call, and n + 1 a bet or raise to n chips on this street. What a player knows is given as text (information
state and observation are the same here); there are no tensors, so algorithms that learn from numbers need an
observer of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from overbet.errors import ConfigError, OverbetError
from overbet.games.holdem import HoldemGame
from overbet.games.kuhn import MAX_PLAYERS as MOST_KUHN_PLAYERS
from overbet.games.kuhn import kuhn_game
from overbet.games.leduc import leduc_game
from overbet.games.openspiel import openspiel
from overbet.games.protocol import CHANCE, TERMINAL, State
from overbet.games.pushfold import pushfold_game
from overbet.kernels.holdem.layout import MAX_PLAYERS as MOST_HOLDEM_PLAYERS

Parameters = Mapping[str, Any]
_LEDUC_BETS = 2 + 4  # chips of one raise in each round
_HOLDEM_SHIFT = 1  # their action is ours plus one: fold is -1 here


@dataclass(frozen=True)
class _Bounds:
    """What OpenSpiel wants to know of a game before it is played."""

    actions: int
    outcomes: int  # of one chance event
    least: float  # returns of a player
    most: float
    length: int  # decisions in the longest history


@dataclass(frozen=True)
class _Entry:
    """One of our games under its name there."""

    title: str
    defaults: Parameters
    players: tuple[int, int]
    make: Callable[[Parameters], Any]
    bounds: Callable[[Any], _Bounds]
    shift: int = 0


def _kuhn_bounds(game: Any) -> _Bounds:
    players = game.num_players
    return _Bounds(2, players + 1, -2.0, 2.0 * (players - 1), 2 * players - 1)


def _leduc_bounds(game: Any) -> _Bounds:
    most = 1.0 + _LEDUC_BETS * game.max_raises
    return _Bounds(3, 6, -most, most, 2 * (game.max_raises + 2))


def _pushfold_bounds(game: Any) -> _Bounds:
    return _Bounds(2, 169, -float(game.stack_bb), float(game.stack_bb), 2)


def _holdem_bounds(game: Any) -> _Bounds:
    most = max(game.start)
    # every action but the last of a player on a street is a raise, and each takes a big blind at least
    length = game.num_players * (4 + sum(game.start) // game.least_bet)
    return _Bounds(
        most + _HOLDEM_SHIFT + 1, 52, -float(most), float(sum(game.start) - min(game.start)), length
    )


def _holdem(given: Parameters) -> HoldemGame:
    words = str(given["stacks"]).split()
    try:
        stacks = [int(word) for word in words] or int(given["stack"])
    except ValueError:
        raise ConfigError(f"stacks: whole numbers, one a player, not {given['stacks']!r}") from None
    blinds = (int(given["small_blind"]), int(given["big_blind"]))
    return HoldemGame(int(given["players"]), stacks=stacks, blinds=blinds, ante=int(given["ante"]))


_ENTRIES = {
    "overbet_kuhn": _Entry(
        "Kuhn poker",
        {"players": 2},
        (2, MOST_KUHN_PLAYERS),
        lambda given: kuhn_game(int(given["players"])),
        _kuhn_bounds,
    ),
    "overbet_leduc": _Entry(
        "Leduc hold'em",
        {"max_raises": 2},
        (2, 2),
        lambda given: leduc_game(int(given["max_raises"])),
        _leduc_bounds,
    ),
    "overbet_pushfold": _Entry(
        "Heads-up push or fold",
        {"stack_bb": 10.0, "ante_bb": 0.0},
        (2, 2),
        lambda given: pushfold_game(float(given["stack_bb"]), float(given["ante_bb"])),
        _pushfold_bounds,
    ),
    "overbet_holdem": _Entry(
        "No-limit hold'em",
        {"players": 2, "stack": 10_000, "stacks": "", "small_blind": 50, "big_blind": 100, "ante": 0},
        (2, MOST_HOLDEM_PLAYERS),
        _holdem,
        _holdem_bounds,
        _HOLDEM_SHIFT,
    ),
}


def openspiel_names() -> list[str]:
    """Return the names under which OpenSpiel knows our games once they are registered."""
    return list(_ENTRIES)


@cache
def register_openspiel_games() -> tuple[str, ...]:
    """Register our games with OpenSpiel, once a process, and return their names.

    `overbet_kuhn(players=2)`, `overbet_leduc(max_raises=2)`, `overbet_pushfold(stack_bb=10.0,ante_bb=0.0)`,
    `overbet_holdem(players=2,stack=10000,small_blind=50,big_blind=100,ante=0)`; `stacks=500 300 900` where
    they are not the same for all.
    """
    pyspiel = openspiel()
    for name, entry in _ENTRIES.items():
        pyspiel.register_game(_game_type(name, entry), _game_class(name, entry))
    return tuple(_ENTRIES)


def _game_type(name: str, entry: _Entry) -> Any:
    pyspiel = openspiel()
    kind = pyspiel.GameType
    return kind(
        short_name=name,
        long_name=f"{entry.title} (Overbet)",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=entry.players[1],
        min_num_players=entry.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification=dict(entry.defaults),
    )


class _Held:
    """A state of ours in one of theirs. It cannot change, so copies share it: theirs are copied deeply."""

    __slots__ = ("state",)

    def __init__(self, state: State) -> None:
        self.state = state

    def __copy__(self) -> _Held:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> _Held:
        return self


def _game_class(name: str, entry: _Entry) -> Any:
    import pyspiel

    state_class = _state_class()

    class OverbetGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
        """A game of ours with its parameters."""

        def __init__(self, params: Parameters | None = None) -> None:
            given = {**entry.defaults, **(params or {})}
            try:
                self.ours = entry.make(given)
            except OverbetError as error:
                raise ValueError(f"{name}: {error}") from error
            self.shift = entry.shift
            bounds = entry.bounds(self.ours)
            info = pyspiel.GameInfo(
                num_distinct_actions=bounds.actions,
                max_chance_outcomes=bounds.outcomes,
                num_players=self.ours.num_players,
                min_utility=bounds.least,
                max_utility=bounds.most,
                utility_sum=0.0,
                max_game_length=bounds.length,
            )
            super().__init__(_game_type(name, entry), info, params or {})

        def new_initial_state(self) -> Any:
            return state_class(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            return _Observer(params)

    return OverbetGame


class _Observer:
    """What a player knows, as text; no tensor."""

    tensor = None

    def __init__(self, params: Any) -> None:
        if params:
            raise ValueError(f"there are no observation parameters here; got {params}")
        self.dict: dict[str, Any] = {}

    def set_from(self, state: Any, player: int) -> None:
        """Nothing: there are no numbers to fill in."""

    def string_from(self, state: Any, player: int) -> str:
        """Return the information state of a player."""
        return str(state.ours.information_state(player))


@cache
def _state_class() -> Any:
    import pyspiel

    class OverbetState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
        """A state of ours; actions are theirs, `shift` above ours at decisions."""

        def __init__(self, game: Any) -> None:
            super().__init__(game)
            self._held = _Held(game.ours.initial_state())
            self._shift = game.shift

        @property
        def ours(self) -> State:
            """The state of ours that this one stands for."""
            return self._held.state

        def current_player(self) -> int:
            player = self.ours.current_player()
            if player == CHANCE:
                return int(pyspiel.PlayerId.CHANCE)
            return int(pyspiel.PlayerId.TERMINAL) if player == TERMINAL else player

        def _legal_actions(self, player: int) -> list[int]:
            return [action + self._shift for action in self.ours.legal_actions()]

        def chance_outcomes(self) -> list[tuple[int, float]]:
            return list(self.ours.chance_outcomes())

        def _apply_action(self, action: int) -> None:
            shift = 0 if self.ours.current_player() == CHANCE else self._shift
            self._held = _Held(self.ours.apply(action - shift))

        def _action_to_string(self, player: int, action: int) -> str:
            shift = 0 if self.ours.current_player() == CHANCE else self._shift
            return self.ours.action_name(action - shift)

        def is_terminal(self) -> bool:
            return self.ours.is_terminal()

        def returns(self) -> list[float]:
            if not self.ours.is_terminal():
                return [0.0] * self.get_game().num_players()
            return list(self.ours.returns())

        def __str__(self) -> str:
            players = range(self.get_game().num_players())
            return " | ".join(self.ours.information_state(player) for player in players)

    return OverbetState
