"""A hand looked at again: what an adviser would have done in a seat, and what each action was worth.

The value of an action is estimated by playing on many times. The opponents' hands are drawn from the exact
range they have after all they did (Bayes on their own strategies, card removal included), the board cards to
come at random; after the action the adviser plays on in the seat and the opponents play themselves. All
actions get the same cards and random numbers, so that much of the luck is in none of their differences.
Where all that may follow can be summed instead, it is (`exact_review`).

It is played on until whoever asked is content, or as often as they allow (`Effort`). Only actions that may
still be the best, and the one taken, are played on for long.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from overbet import machine
from overbet.agents.compiled import CompiledAgent, blueprint_arrays_of, match_of
from overbet.agents.protocol import Agent, PublicState, StrategicAgent
from overbet.cards.combos import COMBOS, combo_index, combo_table, live_combos
from overbet.errors import ConfigError
from overbet.evaluation.exact_review import exact_values
from overbet.games.holdem_state import HoldemState
from overbet.kernels.holdem.layout import HIDDEN_CARD
from overbet.kernels.match.play import BLUEPRINTS, Start, new_space, roll_out, stand
from overbet.search.beliefs import HandShares, likelihood

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
_FIRST_RUN = 1 << 40  # hand numbers of runs: far from those of any match
_TRIES = 200
_BLOCK = 16_000  # runs that are dealt at once
_BOARDS = 48  # on which a run that ends all in is settled: less luck of the largest pots
_RIVALS = 4.0  # standard errors by which an action that is played on no longer may seem worse than the best
NEVER = 0.01  # an action that the adviser takes less often than this is not one of its own


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
    """One decision of a hand.

    best: the action worth most of those that the adviser takes; loss_bb: its value less that of the action
    taken, below 0 where an action that the adviser does not take is worth more; loss_error_bb: its standard
    error. runs: how often each of these two was played on; 0 where the values are exact sums.
    lead_bb, lead_error_bb: by how much `best` is worth more than the next of the adviser's actions, and the
    standard error; infinite where it has no other.
    """

    state: HoldemState
    taken: int
    choices: tuple[Choice, ...]
    best: int
    loss_bb: float
    loss_error_bb: float
    runs: int = 0
    lead_bb: float = np.inf
    lead_error_bb: float = 0.0


@dataclass(frozen=True)
class Effort:
    """How often actions are played on: `first` times, then as often again, and so on, until `settled` says
    that the decision is known well enough, or `most` times.

    play_on: even where the values could be summed.
    """

    first: int
    most: int
    settled: Callable[[MatchDecision], bool]
    play_on: bool = False


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
    effort: Effort | None = None,
    only: int | None = None,
) -> list[MatchDecision]:
    """Return the decisions of `player` in a finished hand that was dealt by `game.deal`, each reviewed.

    agents: by player; what sits at `player` is not looked at. seed, hand: of the random numbers the opponents
    used. adviser: who plays on in the seat; the next player's agent where nobody is named. runs: how often
    each action is played on, where no `effort` says more. only: the number of the one decision that is asked
    for.
    """
    others = [agent for place, agent in enumerate(agents) if place != player]
    if not can_review(others):
        raise ConfigError("a hand can be reviewed against scripted agents and blueprints only")
    effort = effort or Effort(runs, runs, lambda _: True)
    if effort.first < 4:
        raise ConfigError(f"a review needs at least 4 runs, not {effort.first}")
    chosen = adviser or agents[(player + 1) % len(agents)]
    assert isinstance(chosen, CompiledAgent)
    seats = [chosen if place == player else agent for place, agent in enumerate(agents)]
    with ThreadPoolExecutor(machine.core_count()) as pool:
        return _Review(final, player, seats, seed, hand, effort, pool).decisions(only)


class _ActionSums:
    """What actions won in the runs so far: means, and errors of means and of differences between them."""

    def __init__(self, actions: int) -> None:
        self.runs = np.zeros((actions, actions))  # in which both were played on
        self.total: Floats = np.zeros((actions, actions))  # of the first, in those
        self.square: Floats = np.zeros((actions, actions))  # of the differences
        self.own: Floats = np.zeros((actions, 2))  # runs, squares

    def add(self, played: Ints, values: Floats) -> None:
        """Add runs of some actions. values: [played, run] float64."""
        for i, one in enumerate(played):
            self.own[one] += values.shape[1], float((values[i] ** 2).sum())
            for k, other in enumerate(played):
                self.runs[one, other] += values.shape[1]
                self.total[one, other] += values[i].sum()
                self.square[one, other] += float(((values[i] - values[k]) ** 2).sum())

    def mean(self, action: int) -> tuple[float, float]:
        """Return what an action is worth, and the standard error."""
        runs = self.runs[action, action]
        return _moments(runs, self.total[action, action], self.own[action, 1])

    def difference(self, one: int, other: int) -> tuple[float, float]:
        """Return by how much one action is worth more than another, and the standard error."""
        gained = self.total[one, other] - self.total[other, one]
        return _moments(self.runs[one, other], gained, self.square[one, other])


class _ExactValues:
    """Values without luck, asked as `_ActionSums` is. values: [action] float64 big blinds."""

    def __init__(self, values: Floats) -> None:
        self.values = values
        self.own: Floats = np.zeros((len(values), 2))

    def mean(self, action: int) -> tuple[float, float]:
        """Return what an action is worth, and that this is certain."""
        return float(self.values[action]), 0.0

    def difference(self, one: int, other: int) -> tuple[float, float]:
        """Return by how much one action is worth more than another, and that this is certain."""
        return float(self.values[one] - self.values[other]), 0.0


def _moments(runs: float, total: float, square: float) -> tuple[float, float]:
    mean = total / runs
    return float(mean), float(np.sqrt(max(square / runs - mean**2, 0.0) / (runs - 1)))


_Known = _ActionSums | _ExactValues


class _Review:
    def __init__(
        self,
        final: HoldemState,
        player: int,
        seats: Sequence[Agent],
        seed: int,
        hand: int,
        effort: Effort,
        pool: Executor,
    ) -> None:
        self.final, self.player, self.seats, self.pool = final, player, seats, pool
        self.seed, self.hand, self.effort = seed, hand, effort
        self.match = match_of([seat for seat in seats if isinstance(seat, CompiledAgent)], final.game, seed)
        self.ranges: list[Floats] = [np.ones(COMBOS) for _ in seats]

    def decisions(self, only: int | None) -> list[MatchDecision]:
        """Go through the hand again, narrowing the opponents' ranges, and stop at the player's decisions."""
        found = []
        vector = self.final.game.initial_state()
        holes = [None if HIDDEN_CARD in pair else pair for pair in self.final.hole]
        state = vector.with_cards(holes, self.final.board)
        place = 0
        for _, player, action in self.final.history:
            if player == self.player:
                if only in (None, place):
                    found.append(self._decision(state, action))
                place += 1
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
        chances = likelihood(HandShares(*strategy), state, action)  # a bet may lie between those it has
        weights = self.ranges[player] * chances
        if weights.any():
            self.ranges[player] = weights

    def _decision(self, state: HoldemState, taken: int) -> MatchDecision:
        adviser = self.seats[self.player]
        assert isinstance(adviser, StrategicAgent)
        strategy = adviser.strategy_for_all_hands(PublicState.of(state, self.seed, self.hand))
        row = strategy.of_hand(combo_index(*state.hole[self.player]))
        shares = dict(zip(strategy.actions, row.tolist()))
        actions = sorted({*shares, taken})
        exact = None
        if not self.effort.play_on:
            exact = exact_values(state, self.player, self.seats, self.ranges, actions)
        if exact is not None:
            return _decided(state, taken, actions, shares, _ExactValues(exact))
        sums, block, runs = _ActionSums(len(actions)), 0, self.effort.first
        while True:
            played = self._rivals(sums, actions, shares, taken)
            left = runs - int(sums.own[played[0], 0])
            counts = [min(_BLOCK, left - begun) for begun in range(0, left, _BLOCK)]
            work = partial(self._values, state, [actions[k] for k in played])
            for values in self.pool.map(work, counts, range(block, block + len(counts))):
                sums.add(played, values / state.game.big_blind)
            block += len(counts)
            found = _decided(state, taken, actions, shares, sums)
            if runs >= self.effort.most or self.effort.settled(found):
                return found
            runs = min(2 * runs, self.effort.most)

    def _rivals(
        self, sums: _ActionSums, actions: Sequence[int], shares: dict[int, float], taken: int
    ) -> npt.NDArray[np.int64]:
        """Return the numbers of the actions that are played on: the one taken, and all that may be best."""
        if not sums.own[:, 0].any():
            return np.arange(len(actions))
        best, asked = _best(actions, shares, sums), actions.index(taken)
        kept = []
        for k in range(len(actions)):
            less, error = sums.difference(best, k) if k != best else (0.0, 0.0)
            if k in (best, asked) or (shares.get(actions[k], 0.0) >= NEVER and less <= _RIVALS * error):
                kept.append(k)
        return np.array(kept)

    def _values(self, state: HoldemState, actions: Sequence[int], runs: int, block: int) -> Floats:
        """Return what the player wins with each action in each run: [action, run] float64 chips."""
        cards = self._deals(state, runs, block)
        taken = np.array([action for _, _, action in state.history], np.int64)
        players, space = np.arange(len(self.seats)), new_space(len(self.seats))
        won: Floats = np.empty((runs, len(self.seats)))
        values: Floats = np.empty((len(actions), runs))
        for place, action in enumerate(actions):
            stand(self.match, space, state.vector, taken, self.hand)
            start = Start(cards, np.array([action], np.int64), len(taken))
            roll_out(self.match, space, players, start, _FIRST_RUN + block * _BLOCK, _BOARDS, won)
            values[place] = won[:, self.player]
        return values

    def _deals(self, state: HoldemState, runs: int, block: int) -> Ints:
        """Return cards for every run: [run, 2 * players + 5] int64, drawn from the opponents' ranges."""
        rng = np.random.default_rng([self.seed, self.hand, len(state.history), block])
        own, board = state.hole[self.player], state.board
        live = live_combos((*own, *board))
        players = len(self.seats)
        cards: Ints = np.zeros((runs, 2 * players + 5), np.int64)
        cards[:, 2 * self.player : 2 * self.player + 2] = own
        missing = np.arange(runs)
        for attempt in range(_TRIES):
            for player in range(players):
                if player != self.player:
                    weights = self.ranges[player] * live
                    if not weights.any() or attempt == _TRIES - 1:
                        weights = live.astype(np.float64)  # nothing is left of the range but surprise
                    drawn = _spread(rng, weights, len(missing))
                    cards[missing, 2 * player : 2 * player + 2] = combo_table()[drawn]
            held = np.sort(cards[missing, : 2 * players], axis=1)
            missing = missing[(held[:, 1:] == held[:, :-1]).any(1)]
            if not len(missing):
                break
        cards = np.delete(cards, missing, axis=0) if len(missing) else cards
        if len(cards) < runs:  # hardly ever: use what was found again
            cards = np.resize(cards, (runs, cards.shape[1]))
        order = rng.random((runs, 52))
        np.put_along_axis(order, cards[:, : 2 * players], 2.0, axis=1)
        order[:, list(board)] = 2.0
        cards[:, 2 * players :] = np.argsort(order, axis=1)[:, :5]
        coming = cards[:, 2 * players : 2 * players + 5 - len(board)].copy()
        cards[:, 2 * players : 2 * players + len(board)] = board
        cards[:, 2 * players + len(board) :] = coming
        return cards


def _spread(rng: np.random.Generator, weights: Floats, count: int) -> Ints:
    """Return `count` hands drawn by their weights, as evenly as can be: what luck there is in who comes how
    often is under one hand each. In random order."""
    sums = np.cumsum(weights)
    places = (np.arange(count) + rng.random()) * (sums[-1] / count)
    found = np.searchsorted(sums, places, side="right")
    drawn: Ints = np.minimum(found, int(np.flatnonzero(weights)[-1])).astype(np.int64)
    rng.shuffle(drawn)
    return drawn


def _best(actions: Sequence[int], shares: dict[int, float], sums: _Known) -> int:
    """Return the number of the action worth most of those that the adviser takes."""
    return max(_own(actions, shares) or range(len(actions)), key=lambda k: sums.mean(k)[0])


def _own(actions: Sequence[int], shares: dict[int, float]) -> list[int]:
    """Return the numbers of the actions that the adviser takes."""
    return [k for k, action in enumerate(actions) if shares.get(action, 0.0) >= NEVER]


def _lead(best: int, own: Sequence[int], sums: _Known) -> tuple[float, float]:
    """Return by how much the best action is worth more than the next, and the standard error."""
    others = [sums.difference(best, k) for k in own if k != best]
    return min(others, default=(np.inf, 0.0))


def _decided(
    state: HoldemState, taken: int, actions: Sequence[int], shares: dict[int, float], sums: _Known
) -> MatchDecision:
    """Return a decision with what is known of it."""
    best, asked = _best(actions, shares, sums), actions.index(taken)
    loss, error = sums.difference(best, asked) if best != asked else (0.0, 0.0)
    choices = tuple(
        Choice(action, state.action_name(action), shares.get(action, 0.0), *sums.mean(place))
        for place, action in enumerate(actions)
    )
    lead = _lead(best, _own(actions, shares), sums)
    return MatchDecision(state, taken, choices, actions[best], loss, error, int(sums.own[asked, 0]), *lead)
