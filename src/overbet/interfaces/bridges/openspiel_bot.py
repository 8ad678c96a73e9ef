"""Our agents as bots of OpenSpiel: whatever `make_agent` makes sits down at `universal_poker`.

    game = universal_poker_game(HoldemGame(2, stacks=20_000, blinds=(50, 100)))
    bots = [openspiel_bot("tag", game, 0), pyspiel.make_uniform_random_bot(1, 7)]
    pyspiel.evaluate_bots(game.new_initial_state(), bots, 1)

`pyspiel.Bot` has to be the base class, and importing it loads OpenSpiel: the class is made on first use.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from overbet.agents.protocol import Agent, Observation, prepare
from overbet.agents.registry import make_agent
from overbet.errors import IllegalActionError
from overbet.games.openspiel import load_openspiel, openspiel
from overbet.interfaces.bridges.universal_poker import SPIEL_CALL, SPIEL_FOLD, UniversalTable


def openspiel_bot(agent: Agent | str, game: Any, player: int, seed: int = 0) -> Any:
    """Return an agent as a `pyspiel.Bot` for one player of a `universal_poker` game.

    agent: an agent, or its name such as `tag` or `blueprint:heads-up`
    game: the `pyspiel.Game` or its text; no-limit hold'em, bettingAbstraction=fullgame
    seed: names the agent's random numbers; every hand has its own, counted from the first `restart`
    """
    openspiel()
    played = load_openspiel(game) if isinstance(game, str) else game
    table = UniversalTable.of(played)
    made = make_agent(agent) if isinstance(agent, str) else agent
    prepare(made, table.game)
    if not 0 <= player < table.game.num_players:
        raise IllegalActionError(f"player {player} is not at this table of {table.game.num_players}")
    return _bot_class()(made, table, player, seed)


@cache
def _bot_class() -> Any:
    openspiel()
    import pyspiel

    class OverbetBot(pyspiel.Bot):  # type: ignore[misc]  # pyspiel has no types
        """An agent that reads the state's history, acts, and writes its action as theirs."""

        def __init__(self, agent: Agent, table: UniversalTable, player: int, seed: int) -> None:
            pyspiel.Bot.__init__(self)
            self.agent, self.table, self.player, self.seed = agent, table, player, seed
            self.hand = 0

        def player_id(self) -> int:
            """Return which of their players this is."""
            return self.player

        def restart(self) -> None:
            """Count a new hand: its random numbers are others."""
            self.hand += 1

        def restart_at(self, state: Any) -> None:
            """The same; the state itself is read when it is this bot's turn."""
            self.restart()

        def step(self, state: Any) -> int:
            """Return the agent's action at a state of theirs where this bot is to act."""
            acting = int(state.current_player())
            if acting != self.player:
                raise IllegalActionError(f"player {acting} is to act, and this bot is player {self.player}")
            ours = self.table.state(state)
            action = self.agent.act(Observation.of(ours, self.seed, self.hand))
            legal = ours.legal_actions()
            if action not in legal:
                raise IllegalActionError(f"the agent's action {action} is not legal; legal: {legal}")
            return _possible(self.table.spiel_action(ours, action), state.legal_actions())

    return OverbetBot


def _possible(action: int, legal: list[int]) -> int:
    """Return the action, or the nearest raise where theirs differ in what is legal."""
    if action in legal:
        return action
    raises = [one for one in legal if one > SPIEL_CALL]
    if action > SPIEL_CALL and raises:
        return min(raises, key=lambda one: abs(one - action))
    return SPIEL_CALL if SPIEL_CALL in legal else SPIEL_FOLD
