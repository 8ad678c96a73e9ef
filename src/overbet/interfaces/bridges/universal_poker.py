"""OpenSpiel's `universal_poker` read as our table: its parameters, its history of a hand, its actions.

Their actions are 0 fold, 1 check or call, and n > 1 a bet or raise after which the player has put in n chips
over the whole hand; ours count the chips of the street. Cards have the same numbers. Seats may be turned:
theirs follow the parameters `blind` and `firstPlayer`, ours begin left of the button (heads up with the big
blind).

Theirs lets a player raise again who has acted already and faces an all-in that is less than a full raise;
ours does not, as in casinos. That needs unequal stacks. Where it happens our table cannot follow, and says
so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from overbet.errors import IllegalActionError, RulesError, short
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.games.openspiel import load_openspiel
from overbet.kernels.holdem.layout import CALL, FOLD

SPIEL_FOLD, SPIEL_CALL = 0, 1
_PREFLOP, _LATER = 0, 1  # places in `firstPlayer`
_FIXED = {
    "betting": "nolimit",
    "bettingAbstraction": "fullgame",
    "numRounds": 4,
    "numSuits": 4,
    "numRanks": 13,
    "numHoleCards": 2,
    "numBoardCards": "0 3 1 1",
    "potSize": 0,
    "boardCards": "",
    "handReaches": "",
    "maxRaises": "",
}


def universal_poker_game(game: HoldemGame) -> Any:
    """Return OpenSpiel's `universal_poker` with our table's stacks and blinds, seats in our order.

    Antes, rake and a minimum bet other than the big blind it does not have: `RulesError`.
    """
    if any(game.antes) or game.rake or game.least_bet != max(game.blinds):
        raise RulesError("universal_poker has no antes, no rake and no minimum bet but the largest blind")
    players = game.num_players
    blinds = [0] * players
    blinds[: len(game.blinds)] = game.blinds
    if players == 2:
        blinds.reverse()
    first = _first_before_flop(players, len(game.blinds))
    text = (
        f"universal_poker(betting=nolimit,bettingAbstraction=fullgame,numPlayers={players},numRounds=4,"
        f"blind={' '.join(map(str, blinds))},firstPlayer={first + 1} 1 1 1,numSuits=4,numRanks=13,"
        f"numHoleCards=2,numBoardCards=0 3 1 1,stack={' '.join(map(str, game.start))})"
    )
    return load_openspiel(text)


def _first_before_flop(players: int, blinds: int) -> int:
    """Return which of our players acts first: heads up the button, else the one after the blinds."""
    return 1 if players == 2 else blinds % players


@dataclass(frozen=True)
class UniversalTable:
    """One `universal_poker` game as a table of ours.

    game: the table
    turned: their player p sits in our seat (p - turned) modulo the number of players
    """

    game: HoldemGame
    turned: int

    @classmethod
    def of(cls, spiel: Any) -> UniversalTable:
        """Read the parameters of a `pyspiel.Game`; what is not no-limit hold'em raises `RulesError`."""
        name = spiel.get_type().short_name
        if name != "universal_poker":
            raise RulesError(f"agents play hold'em in OpenSpiel's universal_poker, not {name}")
        told = spiel.get_parameters()
        for key, value in _FIXED.items():
            if told.get(key, value) != value:
                raise RulesError(
                    f"universal_poker: agents play no-limit hold'em with {key}={value or 'nothing'}, "
                    f"not {key}={short(told[key])}; universal_poker_game(game) makes one that fits"
                )
        players = int(told["numPlayers"])
        stacks, blinds, firsts = (
            _numbers(told[key], key, count)
            for key, count in (("stack", players), ("blind", players), ("firstPlayer", 4))
        )
        turned = firsts[_LATER] - 1
        if len(set(firsts[_LATER:])) != 1:
            raise RulesError(
                f"universal_poker: after the flop one player acts first, not {told['firstPlayer']}"
            )
        order = [(seat + turned) % players for seat in range(players)]  # their player in each of our seats
        own_stacks, own_blinds = [stacks[p] for p in order], [blinds[p] for p in order]
        if players == 2:
            own_blinds.reverse()
        while len(own_blinds) > 2 and not own_blinds[-1]:
            own_blinds.pop()
        game = HoldemGame(players, stacks=own_stacks, blinds=own_blinds)
        first = _first_before_flop(players, len(own_blinds))
        if (firsts[_PREFLOP] - 1 - turned) % players != first:
            raise RulesError(
                f"universal_poker: with blinds {told['blind']} player {order[first] + 1} acts first in "
                f"hold'em, and firstPlayer={told['firstPlayer']} says {firsts[_PREFLOP]}"
            )
        return cls(game, turned)

    def seat(self, player: int) -> int:
        """Return our seat of their player."""
        return (player - self.turned) % self.game.num_players

    def state(self, spiel_state: Any) -> HoldemState:
        """Return the hand so far as a state of ours: cards and actions are followed one by one."""
        history = spiel_state.full_history()
        players = self.game.num_players
        hole: list[list[int]] = [[] for _ in range(players)]
        dealt = 2 * players
        if len(history) < dealt:
            raise IllegalActionError("the hole cards are not dealt yet; deal them before an agent is asked")
        for place, one in enumerate(history[:dealt]):
            hole[self.seat(place // 2)].append(int(one.action))
        state = self.game.initial_state().with_cards(hole)
        for one in history[dealt:]:
            action = int(one.action)
            state = state.apply(action if one.player < 0 else self.action(state, action))
        return state

    def action(self, state: HoldemState, spiel_action: int) -> int:
        """Return our action for theirs, of the player to act in our `state`."""
        if spiel_action == SPIEL_FOLD:
            return FOLD
        if spiel_action == SPIEL_CALL:
            return CALL
        return spiel_action - self._earlier(state)

    def spiel_action(self, state: HoldemState, action: int) -> int:
        """Return their action for ours."""
        if action == FOLD:
            return SPIEL_FOLD
        if action == CALL:
            return SPIEL_CALL
        return action + self._earlier(state)

    def _earlier(self, state: HoldemState) -> int:
        """Return the chips the player to act has put in on earlier streets."""
        player = state.current_player()
        return state.put_in[player] - state.bets[player]


def _numbers(value: object, key: str, count: int) -> list[int]:
    words = str(value).split()
    try:
        numbers = [int(word) for word in words]
    except ValueError:
        numbers = []
    if len(numbers) != count:
        raise RulesError(f"universal_poker: {key} is {count} whole numbers, not {short(value)!r}")
    return numbers
