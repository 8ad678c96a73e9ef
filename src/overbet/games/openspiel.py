"""Games of OpenSpiel as games of ours: `make_game("openspiel:liars_dice(numdice=1)")`.

A thin coat: the state protocol of `overbet.games.protocol` took OpenSpiel's names, so every call is passed
on. Whatever takes a game here (flattening, CFR, sampling, policies, best responses) then works on theirs. A
game in which players move at the same time is played one after the other, each without seeing the others
(OpenSpiel's own conversion). `pyspiel` is imported when a game is asked for.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from overbet.errors import ConfigError, IllegalActionError, RulesError, nearest, quoted, short

PREFIX = "openspiel:"
_LONGEST = 2_000  # characters of a game's text
_NAME = re.compile(r"[A-Za-z0-9_]+")


def openspiel() -> Any:
    """Return the module `pyspiel`, or raise the line that says how to get it."""
    try:
        import pyspiel
    except ImportError as error:
        raise ConfigError("OpenSpiel is not installed: pip install open_spiel") from error
    return pyspiel


@contextmanager
def one_line(what: str) -> Iterator[None]:
    """Turn what OpenSpiel's C++ raises into one line; what it prints on the way is kept off the screen."""
    pyspiel = openspiel()
    kept, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 2)
    try:
        yield
    except (pyspiel.SpielError, TypeError, ValueError, RuntimeError, MemoryError) as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        told = re.sub(r"^\S+\.(?:cc|h):\d+ ", "", lines[0]) if lines else type(error).__name__
        raise RulesError(f"{what}: {short(told, 300)}") from error
    except LookupError as error:  # a C++ map without the parameter
        raise RulesError(f"{what}: it needs a parameter that is not given") from error
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nothing)


@dataclass(frozen=True, slots=True)
class OpenSpielState:
    """One moment of a game of OpenSpiel; `spiel` is theirs, and is never changed here."""

    spiel: Any
    by_history: bool  # a game of perfect information without strings of its own: the history is what is known

    def current_player(self) -> int:
        return int(self.spiel.current_player())

    def is_terminal(self) -> bool:
        return bool(self.spiel.is_terminal())

    def legal_actions(self) -> Sequence[int]:
        actions: list[int] = self.spiel.legal_actions()
        return actions

    def chance_outcomes(self) -> Sequence[tuple[int, float]]:
        outcomes: list[tuple[int, float]] = (
            self.spiel.chance_outcomes() if self.spiel.is_chance_node() else []
        )
        return outcomes

    def apply(self, action: int) -> OpenSpielState:
        legal = self.spiel.legal_actions()  # their C++ does not look
        if action not in legal:
            raise IllegalActionError(
                f"action {action} is not legal here; legal: {legal or 'none, it is over'}"
            )
        try:
            return OpenSpielState(self.spiel.child(action), self.by_history)
        except MemoryError as error:  # some games' C++ asks for arrays of a negative length
            raise RulesError(f"OpenSpiel's own code fails after action {action}: {short(error)}") from error

    def returns(self) -> tuple[float, ...]:
        if not self.spiel.is_terminal():
            raise IllegalActionError("returns are known only once the game is over")
        return tuple(self.spiel.returns())  # the sum of all rewards, in games that pay on the way

    def information_state(self, player: int) -> str:
        if self.by_history:
            return " ".join(map(str, self.spiel.history()))
        return str(self.spiel.information_state_string(player))

    def action_name(self, action: int) -> str:
        return str(self.spiel.action_to_string(self.spiel.current_player(), action))


@dataclass(eq=False)
class OpenSpielGame:
    """A game of OpenSpiel with its parameters fixed.

    spiel: the `pyspiel.Game`, players in turns
    """

    name: str
    num_players: int
    spiel: Any

    def initial_state(self) -> OpenSpielState:
        return OpenSpielState(self.spiel.new_initial_state(), self._by_history)

    @cached_property
    def _by_history(self) -> bool:
        return not self.spiel.get_type().provides_information_state_string

    @property
    def smaller(self) -> str:
        """What can be done where the game is too large to enumerate."""
        names = sorted(self.spiel.get_type().parameter_specification)
        short_name = self.name.removeprefix(PREFIX).partition("(")[0]
        if not names:
            return f"{short_name} has no parameters that would make it smaller"
        return f"give smaller parameters, {PREFIX}{short_name}(name=value,...), of: {', '.join(names)}"


def load_openspiel(text: str) -> Any:
    """Return the `pyspiel.Game` of a text such as `leduc_poker(players=3)`, players in turns.

    `RulesError` where there is no such game, or its parameters are not possible.
    """
    pyspiel = openspiel()
    asked = text.strip()
    found = _NAME.match(asked)
    if not found or len(asked) > _LONGEST:
        raise RulesError(
            f"{quoted(asked)} is not a game of OpenSpiel; write name or name(parameter=value,...), "
            "such as leduc_poker(players=3)"
        )
    known = pyspiel.registered_names()
    if found[0] not in known:
        raise RulesError(
            f"OpenSpiel has no game {quoted(found[0])}{nearest(found[0], known)}; "
            "`overbet games --openspiel` lists those there are"
        )
    with one_line(f"OpenSpiel cannot make {quoted(asked)}"):
        game = pyspiel.load_game(asked)
        _check_counts(game)
        if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
            game = pyspiel.convert_to_turn_based(game)
    return game


def _check_counts(game: Any) -> None:
    """Refuse a count below 0 where the game's own is not: some games' C++ takes it and goes astray."""
    standard = game.get_type().parameter_specification
    for name, value in game.get_parameters().items():
        own = standard.get(name)
        if isinstance(value, int) and value < 0 and isinstance(own, int) and own >= 0:
            raise ValueError(f"{name} is {value}, below 0")


def openspiel_game(text: str) -> OpenSpielGame:
    """Return the game of a text such as `leduc_poker(players=3)`, with `openspiel:` before it or not.

    Refused are games that cannot be enumerated by their nature: chance that is drawn inside the game, a
    continuum of players, or players who are told nothing in words.
    """
    pyspiel = openspiel()
    asked = text.strip().removeprefix(PREFIX)
    game = load_openspiel(asked)
    name, kind = asked.partition("(")[0].strip(), game.get_type()
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise RulesError(f"{name} is a mean-field game: its players are a continuum and do not move in turns")
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise RulesError(f"{name} draws its chance inside the game, so its histories cannot be enumerated")
    perfect = kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
    if not perfect and not kind.provides_information_state_string:
        raise RulesError(
            f"{name} does not say what a player knows (no information state string), so it cannot be solved"
        )
    with one_line(f"OpenSpiel cannot begin {quoted(asked)}"):
        state = game.new_initial_state()
        if not perfect and not state.is_chance_node() and not state.is_terminal():
            state.information_state_string(state.current_player())
    written = str(game) if "turn_based_simultaneous" not in str(game) else asked
    return OpenSpielGame(PREFIX + written.removesuffix("()"), int(game.num_players()), game)


@dataclass(frozen=True, slots=True)
class OpenSpielEntry:
    """What OpenSpiel says of one of its games before any parameter is chosen."""

    name: str
    players: str
    dynamics: str
    solvable: bool  # by its nature; its size depends on the parameters


def openspiel_entries() -> list[OpenSpielEntry]:
    """Return every game that OpenSpiel can load without further parameters."""
    pyspiel = openspiel()
    found = []
    for kind in pyspiel.registered_games():
        if not kind.default_loadable:
            continue
        least, most = kind.min_num_players, kind.max_num_players
        dynamics = str(kind.dynamics).rpartition(".")[2].lower().replace("_", "-")
        perfect = kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
        drawn = kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
        solvable = (
            dynamics != "mean-field" and not drawn and (perfect or kind.provides_information_state_string)
        )
        players = str(least) if least == most else f"{least}-{most}"
        found.append(OpenSpielEntry(kind.short_name, players, dynamics, solvable))
    return found
