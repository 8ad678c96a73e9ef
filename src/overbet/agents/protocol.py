"""What an agent is: `act(observation) -> action`, and what it may know when it acts.

An action is an int as in `HoldemState`: -1 folds, 0 checks or calls, n > 0 bets or raises to n chips on this
street. An `Observation` holds the table as the player sees it: the others' hole cards lie face down
(`HIDDEN_CARD`) and no card to come is in it. Randomness is given, not drawn: `observation.uniform(i)` is a
function of (seed, hand, place in the hand, i), so a match has the same result however it is split.

An agent that can say how it would play every hand also has `strategy_for_all_hands(public)`: what is asked
for by LBR, by AIVAT and by the review of a hand just played. Both answers have to be the same strategy:
`act` plays `pick(strategy of the own hand, observation.uniform())`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from overbet.cards.combos import combo_index
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import STREETS, HoldemState
from overbet.games.legal_actions import LegalActions
from overbet.kernels.holdem import layout as at
from overbet.kernels.rng import stream_key, uniform

Floats = npt.NDArray[np.float64]

# streams of one hand; 0 and 1 are the deal's and the random player's of `kernels.holdem.play`, 3 is the
# mapping's of `kernels.betting.mapping`
CHOICE_STREAM = 2
DRAWS = 4  # random numbers a decision may use


def face_down(state: HoldemState, seen_by: int | None = None) -> HoldemState:
    """Return the state with hole cards hidden, all or all but those of `seen_by`, and no card to come."""
    vector = state.vector
    for player in range(state.num_players):
        if player != seen_by:
            cards = vector[at.HOLE + 2 * player : at.HOLE + 2 * player + 2]
            cards[cards != at.NO_CARD] = at.HIDDEN_CARD
    vector[at.COMING : at.COMING + 5] = at.NO_CARD
    return HoldemState(state.game, vector, state.history)


@dataclass(frozen=True)
class PublicState:
    """What everybody sees when a player is to act, and which hand it is.

    state: all hole cards face down. seed, hand: name the random numbers of the hand; an agent that maps bets
    at random maps the same bet of the same hand always the same way.
    """

    state: HoldemState
    seed: int = 0
    hand: int = 0

    @classmethod
    def of(cls, state: HoldemState, seed: int = 0, hand: int = 0) -> PublicState:
        """Return what is public of any state."""
        return cls(face_down(state), seed, hand)

    @property
    def player(self) -> int:
        """Who is to act."""
        return self.state.current_player()

    @property
    def place(self) -> int:
        """How many actions were taken before."""
        return len(self.state.history)

    @property
    def legal(self) -> LegalActions:
        """What the player to act may do."""
        return self.state.legal_actions()

    @property
    def street(self) -> int:
        """0 before the flop to 3 on the river."""
        return STREETS.index(self.state.street)

    def uniform(self, number: int = 0) -> float:
        """Return a random number in [0, 1) of this decision; there are `DRAWS` of them."""
        if not 0 <= number < DRAWS:
            raise ValueError(f"a decision has {DRAWS} random numbers, 0 to {DRAWS - 1}, not number {number}")
        key = np.uint64(stream_key(self.seed, self.hand, CHOICE_STREAM))
        return float(uniform(key, DRAWS * self.place + number))


@dataclass(frozen=True)
class Observation(PublicState):
    """What the player to act knows: the public state and two cards of their own.

    state: the own hole cards open, the others' face down.
    """

    @classmethod
    def of(cls, state: HoldemState, seed: int = 0, hand: int = 0) -> Observation:
        """Return what the player to act in `state` may know."""
        return cls(face_down(state, state.current_player()), seed, hand)

    @property
    def hole(self) -> tuple[int, int]:
        """The own hole cards."""
        first, second = self.state.hole[self.player]
        return first, second

    @property
    def combo(self) -> int:
        """The own hand as a combo 0..1325."""
        return combo_index(*self.hole)

    @property
    def public(self) -> PublicState:
        """The same without the own cards."""
        return PublicState(face_down(self.state), self.seed, self.hand)


class Strategy(NamedTuple):
    """How every hand is played: actions ascending and legal; shares: [1326, action] float64, rows add up to
    one, NaN for hands that share a card with the board.
    """

    actions: tuple[int, ...]
    shares: Floats

    def of_hand(self, combo: int) -> Floats:
        """Return one hand's row: [action] float64."""
        row: Floats = self.shares[combo]
        return row


@runtime_checkable
class Agent(Protocol):
    """A player.

    May also have `prepare(game)`, called before a match, which raises where it cannot play, `at_table(game)`,
    which returns who plays for it there, `own_table`, the `HoldemGame` it was made for, `play_for(prizes)`,
    called before a tournament with the prizes of its places, and `report`, a line about how it played.
    """

    def act(self, observation: Observation) -> int:
        """Return what to do: -1 fold, 0 check or call, n > 0 bet or raise to n chips on this street."""


@runtime_checkable
class StrategicAgent(Agent, Protocol):
    """A player who can say how every hand would be played."""

    def strategy_for_all_hands(self, public: PublicState) -> Strategy:
        """Return the strategy of the player to act."""


@runtime_checkable
class GlancingAgent(StrategicAgent, Protocol):
    """A player who can say about how it would answer several bets, more quickly than one by one."""

    def answers_to_bets(self, public: PublicState, amounts: Sequence[int]) -> list[Strategy]:
        """Return about how it would answer each of several bets or raises of the player to act."""


def pick(shares: Sequence[float] | Floats, u: float) -> int:
    """Return the place that a random number u in [0, 1) falls on: the first whose running sum exceeds u."""
    total, last = 0.0, 0
    for place, share in enumerate(shares):
        if share > 0.0:
            total += float(share)
            last = place
            if u < total:
                return place
    return last


def prepare(agent: Agent, game: HoldemGame) -> Agent:
    """Let an agent look at the table before a match; it raises an `OverbetError` where it cannot play.

    Return who plays: the agent, or of a family of blueprints the one that is nearest to the table's stacks.
    """
    find = getattr(agent, "at_table", None)
    seated: Agent = agent if find is None else find(game)
    look = getattr(seated, "prepare", None)
    if look is not None:
        look(game)
    return seated


def play_for(agents: Iterable[Agent], prizes: Sequence[float]) -> None:
    """Tell agents who ask for it what a tournament pays: the prizes of first, second and third place."""
    for agent in agents:
        told = getattr(agent, "play_for", None)
        if told is not None:
            told(prizes)


def own_table(agent: Agent) -> HoldemGame | None:
    """Return the table an agent was made for; None where it plays at any."""
    table: HoldemGame | None = getattr(agent, "own_table", None)
    return table


def reports_of(agents: Sequence[Agent]) -> list[str]:
    """Return what agents have to say about how they played, a line each, of those that have something."""
    found = [getattr(agent, "report", "") for agent in agents]
    return [str(line) for line in found if line]
