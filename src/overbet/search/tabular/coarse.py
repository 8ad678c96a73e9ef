"""A coarse blueprint: the strategy of players who cannot tell all of their information sets apart.

    coarse_policy("leduc", lambda seen: seen.replace("Q", "J"))     # jacks and queens look the same

The game is solved with what the players see passed through a function, and each information set of the real
game then plays what the coarse one does. That is what card buckets do to a large game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from overbet.games.protocol import Game, State
from overbet.games.registry import make_game
from overbet.search.tabular.resolving import Solve, cfr_solve
from overbet.solvers.policy import TabularPolicy
from overbet.tree.flat import flatten

See = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class CoarseState:
    """A state whose players see less."""

    state: State
    see: See

    def current_player(self) -> int:
        return self.state.current_player()

    def is_terminal(self) -> bool:
        return self.state.is_terminal()

    def legal_actions(self) -> Sequence[int]:
        return self.state.legal_actions()

    def chance_outcomes(self) -> Sequence[tuple[int, float]]:
        return self.state.chance_outcomes()

    def apply(self, action: int) -> CoarseState:
        return CoarseState(self.state.apply(action), self.see)

    def returns(self) -> tuple[float, ...]:
        return self.state.returns()

    def information_state(self, player: int) -> str:
        return self.see(self.state.information_state(player))

    def action_name(self, action: int) -> str:
        return self.state.action_name(action)


@dataclass(frozen=True, slots=True)
class CoarseGame:
    """A game whose players see less."""

    name: str
    num_players: int
    game: Game
    see: See

    def initial_state(self) -> CoarseState:
        return CoarseState(self.game.initial_state(), self.see)


def coarse_policy(game: Game | str, see: See, solve: Solve | None = None) -> TabularPolicy:
    """Return the equilibrium of the game seen through `see`, as a policy of the real game.

    see: what a player sees (`infoset_names`) to what it makes of it. A player must still remember its own
    actions and what it made of earlier sights. solve: as in `resolve_all`.
    """
    real = make_game(game) if isinstance(game, str) else game
    flat = flatten(real)
    coarse = flatten(cast(Game, CoarseGame(f"coarse {real.name}", real.num_players, real, see)))
    solved = (solve or cfr_solve())(coarse)
    # both trees have the same histories in the same order, so slots meet node by node
    strategy = np.zeros(flat.num_slots)
    decided = flat.tree.slot >= 0
    strategy[flat.tree.slot[decided]] = solved[coarse.tree.slot[decided]]
    return TabularPolicy.from_weights(
        flat, strategy, {"solver": "tabular", "information_sets": coarse.num_infosets}
    )
