"""A person at a table against agents: who sits where in a hand, which random numbers it uses, its review.

Hand n is deal n in rotation n of a match: the person is slot 0, and player p of the rules is slot
(p + n) mod players. The terminal and the page both play and review hands by it, so that a hand of the same
seed, number and actions is the same hand, with the same verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from overbet.agents.blueprint import fits_table, load_blueprint_agent
from overbet.agents.compiled import CompiledAgent
from overbet.agents.family import stacks_in_bb
from overbet.agents.human import HumanAgent
from overbet.agents.protocol import Agent, Observation, own_table
from overbet.blueprint.catalogue import family_of, nearest
from overbet.errors import ConfigError
from overbet.evaluation.match_blocks import Estimator, lone_hand
from overbet.evaluation.match_review import can_review, review_hand
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.study.review import MOST_RUNS, ReviewedDecision, full_effort, reviewed
from overbet.study.thoughts import Thought, stand_in, thought_of

HERO = 0


def dice(number: int, players: int) -> int:
    """Return the number by which a hand's random choices are named: deal n in rotation n of a match."""
    return number * players + number % players


def player_of(seat: int, number: int, players: int) -> int:
    """Return which player of the rules a seat is in a hand."""
    return (seat - number) % players


def seat_of(player: int, number: int, players: int) -> int:
    """Return the seat of a player of the rules in a hand."""
    return (player + number) % players


class Sitting:
    """A person on seat 0 against agents, who fill the other seats in turn."""

    def __init__(
        self, game: HoldemGame, seed: int, opponents: Sequence[Agent], person: Agent | None = None
    ) -> None:
        """Take person: the agent that asks the person; None where the person acts elsewhere."""
        self.game, self.seed = game, seed
        others = [opponents[place % len(opponents)] for place in range(game.num_players - 1)]
        self.slots: list[Agent] = [person or _ABSENT, *others]
        self.thoughts: list[Thought] = []  # of the hand under way, or the last one

    def dice(self, number: int) -> int:
        """Return the number by which a hand's random choices are named."""
        return dice(number, self.game.num_players)

    def hero(self, number: int) -> int:
        """Return which player of the rules the person is in a hand."""
        return player_of(HERO, number, self.game.num_players)

    def players(self, number: int) -> list[int]:
        """Return the slot of each player of the rules in a hand."""
        count = self.game.num_players
        return [seat_of(player, number, count) for player in range(count)]

    def agents(self, number: int) -> list[Agent]:
        """Return who plays as each player of the rules in a hand."""
        return [self.slots[slot] for slot in self.players(number)]

    def begin(self) -> None:
        """Begin with a hand: the thoughts of the last one are forgotten."""
        self.thoughts = []

    def note(self, agent: Agent, state: HoldemState) -> None:
        """Note what an agent thought, who has just acted in a state."""
        found = thought_of(agent, state)
        if found is not None:
            self.thoughts.append(found)

    @cached_property
    def _played_on(self) -> list[Agent]:
        """Who plays hands on, by slot."""
        return [stand_in(agent, self.game) for agent in self.slots]

    @property
    def stands_in(self) -> bool:
        """Whether a blueprint plays hands on for an opponent who searches."""
        return any(one is not other for one, other in zip(self.slots, self._played_on))

    @cached_property
    def adviser(self) -> CompiledAgent | None:
        """Who says what the person should have done; None where nobody can.

        The first opponent that plays a blueprint; else a blueprint that came with the package and was made
        for this table; else the first opponent whose strategy is known.
        """
        known = [agent for agent in self._played_on[1:] if isinstance(agent, CompiledAgent)]
        own = next((agent for agent in known if own_table(agent) is not None), None)
        return own or (shipped_adviser(self.game) if known else None) or next(iter(known), None)

    def review(
        self, final: HoldemState, number: int, adviser: CompiledAgent | None = None, most: int = MOST_RUNS
    ) -> list[ReviewedDecision]:
        """Return the person's decisions in a finished hand with their verdicts.

        Nothing where the opponents cannot be played on; for one who searches its blueprint plays on.
        adviser: who says what should have been done, `self.adviser` where nobody is named; most: how often
        an action is played on where the verdict does not become clear before.
        """
        if not can_review(self._played_on[1:]):
            return []
        chosen = adviser or self.adviser
        assert chosen is not None  # whoever can be played on has a strategy
        found = review_hand(
            final,
            self.hero(number),
            [self._played_on[slot] for slot in self.players(number)],
            seed=self.seed,
            hand=self.dice(number),
            adviser=chosen,
            effort=full_effort(most),
        )
        return [reviewed(decision) for decision in found]

    def adjusted(self, estimator: Estimator, final: HoldemState, number: int) -> float | None:
        """Return what the person won in a hand by AIVAT, in chips; None where it is not known."""
        rotation = number % self.game.num_players
        block = lone_hand(final, self.slots, self.seed, number, rotation)
        value = float(estimator.estimate(block)[rotation, HERO])
        return value if np.isfinite(value) else None


def shipped_adviser(game: HoldemGame) -> CompiledAgent | None:
    """Return a blueprint that came with the package and was made for this table, None where none was."""
    family = family_of(game.num_players)
    if family is None:
        return None
    found = load_blueprint_agent(nearest(family, stacks_in_bb(game)).name)
    made_for = own_table(found)
    fits = made_for is not None and fits_table(made_for, game)
    return found if fits and isinstance(found, CompiledAgent) else None


def _silent(observation: Observation) -> int:
    raise ConfigError("the person acts elsewhere")


_ABSENT = HumanAgent(_silent)
