"""A hand looked at again: what an adviser would have done in a seat, and what each action was worth.

The value of an action is estimated by playing on many times. The opponents' hands are drawn from the exact
range they have after all they did (Bayes on their own strategies, card removal included), the board cards to
come at random; after the action the adviser plays on in the seat and the opponents play themselves. All
actions get the same cards and random numbers. The best action is chosen on one half of the runs and compared
with the one taken on the other half, so that luck in choosing does not count as loss.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from overbet.agents.compiled import CompiledAgent, blueprint_arrays_of, match_of
from overbet.agents.protocol import Agent, PublicState, StrategicAgent
from overbet.cards.combos import COMBOS, combo_index, combo_table, live_combos
from overbet.errors import ConfigError
from overbet.games.holdem_state import HoldemState
from overbet.kernels.match.play import BLUEPRINTS, Start, new_space, roll_out, stand

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
_FIRST_RUN = 1 << 40  # hand numbers of runs: far from those of any match
_TRIES = 200


@dataclass(frozen=True)
class Choice:
    """One action: how often the adviser takes it with this hand, and what it is worth in big blinds.

    Values count from the beginning of the hand: folding at once is minus what has been put in.
    """

    action: int
    name: str
    share: float
    ev_bb: float
    error_bb: float


@dataclass(frozen=True)
class MatchDecision:
    """One decision of a hand. loss_bb: what the action taken gives up against the best, with its error."""

    state: HoldemState
    taken: int
    choices: tuple[Choice, ...]
    best: int
    loss_bb: float
    loss_error_bb: float


def can_review(agents: Sequence[Agent]) -> bool:
    """Return whether hands among these opponents can be played on: all compiled, strategies known."""
    compiled = [agent for agent in agents if isinstance(agent, CompiledAgent)]
    return len(compiled) == len(agents) and len(blueprint_arrays_of(compiled)) <= BLUEPRINTS


def review_hand(
    final: HoldemState,
    player: int,
    agents: Sequence[Agent],
    *,
    seed: int,
    hand: int,
    adviser: CompiledAgent | None = None,
    runs: int = 1000,
) -> list[MatchDecision]:
    """Return the decisions of `player` in a finished hand that was dealt by `game.deal`, each reviewed.

    agents: by player; what sits at `player` is not looked at. seed, hand: of the random numbers the opponents
    used. adviser: who plays on in the seat; the next player's agent where nobody is named.
    """
    others = [agent for place, agent in enumerate(agents) if place != player]
    if not can_review(others):
        raise ConfigError("a hand can be reviewed against scripted agents and blueprints only")
    if runs < 4:
        raise ConfigError(f"a review needs at least 4 runs, not {runs}")
    chosen = adviser or agents[(player + 1) % len(agents)]
    assert isinstance(chosen, CompiledAgent)
    seats = [chosen if place == player else agent for place, agent in enumerate(agents)]
    review = _Review(final, player, seats, seed, hand, runs)
    return review.decisions()


class _Review:
    def __init__(
        self, final: HoldemState, player: int, seats: Sequence[Agent], seed: int, hand: int, runs: int
    ) -> None:
        self.final, self.player, self.seats = final, player, seats
        self.seed, self.hand, self.runs = seed, hand, runs
        self.match = match_of([seat for seat in seats if isinstance(seat, CompiledAgent)], final.game, seed)
        self.ranges: list[Floats] = [np.ones(COMBOS) for _ in seats]

    def decisions(self) -> list[MatchDecision]:
        """Go through the hand again, narrowing the opponents' ranges, and stop at the player's decisions."""
        found = []
        vector = self.final.game.initial_state()
        state = vector.with_cards(self.final.hole, self.final.board)
        for _, player, action in self.final.history:
            if player == self.player:
                found.append(self._decision(state, action))
            else:
                self._narrow(state, player, action)
            state = state.apply(action)
        return found

    def _narrow(self, state: HoldemState, player: int, action: int) -> None:
        agent = self.seats[player]
        if not isinstance(agent, StrategicAgent):
            return
        try:
            strategy = agent.strategy_for_all_hands(PublicState.of(state, self.seed, self.hand))
        except ConfigError:
            return  # an agent without a table: its range stays as it was
        if action in strategy.actions:
            weights = self.ranges[player] * np.nan_to_num(strategy.shares[:, strategy.actions.index(action)])
            if weights.any():
                self.ranges[player] = weights

    def _decision(self, state: HoldemState, taken: int) -> MatchDecision:
        adviser = self.seats[self.player]
        assert isinstance(adviser, StrategicAgent)
        strategy = adviser.strategy_for_all_hands(PublicState.of(state, self.seed, self.hand))
        row = strategy.of_hand(combo_index(*state.hole[self.player]))
        shares = dict(zip(strategy.actions, row.tolist()))
        actions = sorted({*shares, taken})
        values = self._values(state, actions) / state.game.big_blind  # [action, run]
        half = self.runs // 2
        best = int(np.argmax(values[:, :half].mean(1)))
        given_up = values[best, half:] - values[actions.index(taken), half:]
        choices = tuple(
            Choice(action, state.action_name(action), shares.get(action, 0.0), *_mean(values[place]))
            for place, action in enumerate(actions)
        )
        return MatchDecision(state, taken, choices, actions[best], *_mean(given_up))

    def _values(self, state: HoldemState, actions: Sequence[int]) -> Floats:
        """Return what the player wins with each action in each run: [action, run] float64 chips."""
        cards = self._deals(state)
        taken = np.array([action for _, _, action in state.history], np.int64)
        players, space = np.arange(len(self.seats)), new_space(len(self.seats))
        won = np.empty((self.runs, len(self.seats)), np.int64)
        values: Floats = np.empty((len(actions), self.runs))
        for place, action in enumerate(actions):
            stand(self.match, space, state.vector, taken, self.hand)
            start = Start(cards, np.array([action], np.int64), len(taken))
            roll_out(self.match, space, players, start, _FIRST_RUN, won)
            values[place] = won[:, self.player]
        return values

    def _deals(self, state: HoldemState) -> Ints:
        """Return cards for every run: [run, 2 * players + 5] int64, drawn from the opponents' ranges."""
        rng = np.random.default_rng([self.seed, self.hand, len(state.history)])
        own, board = state.hole[self.player], state.board
        live = live_combos((*own, *board))
        players = len(self.seats)
        cards: Ints = np.zeros((self.runs, 2 * players + 5), np.int64)
        cards[:, 2 * self.player : 2 * self.player + 2] = own
        missing = np.arange(self.runs)
        for attempt in range(_TRIES):
            for player in range(players):
                if player != self.player:
                    weights = self.ranges[player] * live
                    if not weights.any() or attempt == _TRIES - 1:
                        weights = live.astype(np.float64)  # nothing is left of the range but surprise
                    drawn = rng.choice(COMBOS, len(missing), p=weights / weights.sum())
                    cards[missing, 2 * player : 2 * player + 2] = combo_table()[drawn]
            held = np.sort(cards[missing, : 2 * players], axis=1)
            missing = missing[(held[:, 1:] == held[:, :-1]).any(1)]
            if not len(missing):
                break
        cards = np.delete(cards, missing, axis=0) if len(missing) else cards
        if len(cards) < self.runs:  # hardly ever: use what was found again
            cards = np.resize(cards, (self.runs, cards.shape[1]))
        order = rng.random((self.runs, 52))
        np.put_along_axis(order, cards[:, : 2 * players], 2.0, axis=1)
        order[:, list(board)] = 2.0
        cards[:, 2 * players :] = np.argsort(order, axis=1)[:, :5]
        coming = cards[:, 2 * players : 2 * players + 5 - len(board)].copy()
        cards[:, 2 * players : 2 * players + len(board)] = board
        cards[:, 2 * players + len(board) :] = coming
        return cards


def _mean(values: Floats) -> tuple[float, float]:
    """Return the mean and its standard error."""
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))
