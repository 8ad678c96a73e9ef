"""A table as a PettingZoo environment: one hand an episode, players in turn (AEC), rewards in big blinds.

    env = pettingzoo_env(HoldemGame(3))
    env.reset(seed=1)
    for name in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        env.step(None if termination or truncation else choose(observation["action_mask"]))

Observations are `table_numbers` and a mask over the entries of the `ActionMenu`. Cards are a function of the
seed and of how many hands were reset since.
"""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar

from overbet.errors import ConfigError
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.interfaces.bridges.table_numbers import ActionMenu, numbers_width, table_numbers


def pettingzoo_env(
    game: HoldemGame | None = None, sizes: tuple[float, ...] = (0.5, 1.0), render_mode: str | None = None
) -> Any:
    """Return a `pettingzoo.AECEnv` of a table (heads up, 100 big blinds, where none is given).

    sizes: bets and raises of the menu, as shares of the pot; fold, check or call and all-in come with them
    render_mode: None, or `ansi`: `render` then returns the hand in a line
    """
    return _env_class()(game or HoldemGame(), ActionMenu(tuple(sizes)), render_mode)


@cache
def _env_class() -> Any:
    try:
        import numpy as np
        from gymnasium import spaces
        from pettingzoo import AECEnv
    except ImportError as error:
        raise ConfigError("PettingZoo is not installed: pip install pettingzoo") from error

    class HoldemEnv(AECEnv):  # type: ignore[misc]  # optional library
        """A table of ours; `state_of_hand` is the hand as it stands."""

        metadata: ClassVar[dict[str, Any]] = {
            "name": "overbet_holdem_v0",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }

        def __init__(self, game: HoldemGame, menu: ActionMenu, render_mode: str | None) -> None:
            super().__init__()
            if render_mode not in (None, "ansi"):
                raise ConfigError(f"render_mode is None or 'ansi', not {render_mode!r}")
            self.game, self.menu, self.render_mode = game, menu, render_mode
            self.possible_agents = [f"player_{player}" for player in range(game.num_players)]
            width = numbers_width(game.num_players)
            self._observed = {
                name: spaces.Dict(
                    {
                        "observation": spaces.Box(0.0, 1.0, (width,), np.float32),
                        "action_mask": spaces.Box(0, 1, (len(menu),), np.int8),
                    }
                )
                for name in self.possible_agents
            }
            self._acted = {name: spaces.Discrete(len(menu)) for name in self.possible_agents}
            self._seed, self._hand = 0, -1
            self.state_of_hand: HoldemState = game.deal(0)

        def observation_space(self, agent: str) -> Any:
            return self._observed[agent]

        def action_space(self, agent: str) -> Any:
            return self._acted[agent]

        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
            """Deal a hand: the first of `seed`, or the next where none is given."""
            self._seed, self._hand = (self._seed, self._hand + 1) if seed is None else (seed, 0)
            self.agents = list(self.possible_agents)
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
            self.terminations = dict.fromkeys(self.agents, False)
            self.truncations = dict.fromkeys(self.agents, False)
            self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
            self.state_of_hand = self.game.deal(self._seed, self._hand)
            # with everybody all in from the blinds nobody acts, and the hand is over as it begins
            self.agent_selection = self.agents[max(self.state_of_hand.current_player(), 0)]
            if self.state_of_hand.is_terminal():
                self._end()

        def observe(self, agent: str) -> dict[str, Any]:
            """Return numbers and mask; the mask is empty for those who are not to act."""
            player, state = self.possible_agents.index(agent), self.state_of_hand
            to_act = state.current_player() == player
            mask = self.menu.mask(state) if to_act else np.zeros(len(self.menu), np.int8)
            return {"observation": table_numbers(state, player), "action_mask": mask}

        def step(self, action: int | None) -> None:
            """Play one entry of the menu for the player to act."""
            name = self.agent_selection
            if self.terminations[name] or self.truncations[name]:
                self._was_dead_step(action)
                return
            state = self.state_of_hand
            chosen = self.menu.action(state, -1 if action is None else int(action))
            self.state_of_hand = state.apply(chosen)
            self._cumulative_rewards[name] = 0.0
            self._clear_rewards()
            if self.state_of_hand.is_terminal():
                self._end()
            else:
                self.agent_selection = self.possible_agents[self.state_of_hand.current_player()]
            self._accumulate_rewards()

        def _end(self) -> None:
            won = self.state_of_hand.returns()
            for name, chips in zip(self.possible_agents, won, strict=True):
                self.rewards[name] = chips / self.game.big_blind
                self.terminations[name] = True
            self.agent_selection = self.possible_agents[0]

        def render(self) -> str | None:
            """Return the hand in a line, where `render_mode` is `ansi`."""
            return repr(self.state_of_hand) if self.render_mode == "ansi" else None

        def close(self) -> None:
            """Nothing is open."""

    return HoldemEnv
