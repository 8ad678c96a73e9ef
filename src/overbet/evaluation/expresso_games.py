"""Whole Expressos between three agents: shares of wins and results in buy-ins, with 95 % intervals.

Every deal, the cards of a whole tournament, is played once in each different seating of the agents: six, or
fewer where agents are the same. The seatings of a deal are one group; intervals are over groups.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations

import numpy as np
import numpy.typing as npt

from overbet.agents.any_stacks import tournament_player
from overbet.agents.protocol import Agent, play_for, reports_of
from overbet.agents.registry import name_of
from overbet.errors import ConfigError
from overbet.evaluation.match_referee import OnError, Referee, RefereeFault
from overbet.evaluation.statistics import Estimate, interval_of
from overbet.games.expresso import SEATS, ExpressoGame, ExpressoState, expresso_game, next_hand
from overbet.games.multipliers import draw_multiplier
from overbet.kernels.rng import stream_key

Floats = npt.NDArray[np.float64]
GamesPace = Callable[[int, int], None]  # told of the games played and of how many there will be

EVEN = 3.0  # the multiplier that gives back what three players paid in
_STREAM = 42  # of a series' seed: the seeds of its deals


@dataclass(frozen=True)
class ExpressoSeries:
    """What a series of Expressos came to. wins, buy_ins: [deal, agent] float64, means over the seatings."""

    names: tuple[str, ...]
    wins: Floats
    buy_ins: Floats
    games: int
    hands: int
    multiplier: float | None  # None: drawn for every deal
    seed: int
    stopped: bool = False
    faults: list[RefereeFault] = field(default_factory=list)
    reports: list[str] = field(default_factory=list)

    def win_share(self, agent: int) -> Estimate:
        """Return how often an agent had all the chips at the end."""
        return interval_of(self.wins[:, agent])

    def result(self, agent: int) -> Estimate:
        """Return what an agent won a game, in buy-ins, its own taken off."""
        return interval_of(self.buy_ins[:, agent])


def seatings(agents: Sequence[Agent]) -> list[tuple[int, ...]]:
    """Return the different seatings: the agent of each seat. Agents that are one object are the same."""
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    for order in permutations(range(SEATS)):
        found.setdefault(tuple(id(agents[place]) for place in order), order)
    return list(found.values())


def play_expressos(
    agents: Sequence[Agent],
    games: int = 1000,
    *,
    multiplier: float | None = EVEN,
    seed: int = 0,
    on_error: OnError = "stop",
    time_limit: float | None = None,
    progress: GamesPace | None = None,
) -> ExpressoSeries:
    """Play at least `games` Expressos (whole deals: every deal in all seatings) among three agents.

    An agent that was made for one table is helped out at the others as `agents.any_stacks` says. multiplier:
    the prize in buy-ins; None draws one for every deal. Ctrl-C ends it; the result is what was played.
    """
    if len(agents) != SEATS:
        raise ConfigError(f"an Expresso has {SEATS} agents, not {len(agents)}")
    if games < 1:
        raise ConfigError(f"{games} games cannot be played; ask for at least one")
    made = {id(agent): tournament_player(agent) for agent in agents}
    players = [made[id(agent)] for agent in agents]
    orders = seatings(players)
    names = tuple(name_of(agent) for agent in players)
    deals = -(-games // len(orders))
    wins, buy_ins = np.zeros((deals, SEATS)), np.zeros((deals, SEATS))
    faults: list[RefereeFault] = []
    hands, done, stopped = 0, 0, False
    try:
        for deal in range(deals):
            own = deal_seed(seed, deal)
            rules = expresso_game(multiplier=multiplier or draw_multiplier(own), pays="prize")
            for order in orders:
                seated = [players[agent] for agent in order]
                play_for(seated, rules.prizes)
                referee = Referee(seated, [names[agent] for agent in order], on_error, time_limit)
                end = play_expresso(rules, own, referee)
                hands += end.number + 1
                for seat, agent in enumerate(order):
                    wins[deal, agent] += (end.places(seat) == (1,)) / len(orders)
                    buy_ins[deal, agent] += end.returns()[seat] / rules.buy_in / len(orders)
                faults += referee.faults
                if progress is not None:
                    progress(deal * len(orders) + orders.index(order) + 1, deals * len(orders))
            done = deal + 1
    except KeyboardInterrupt:
        stopped = True
    return ExpressoSeries(
        names,
        wins[:done],
        buy_ins[:done],
        done * len(orders),
        hands,
        multiplier,
        seed,
        stopped,
        faults,
        reports_of(list({id(agent): agent for agent in players}.values())),
    )


def play_expresso(game: ExpressoGame, seed: int, referee: Referee) -> ExpressoState:
    """Play one Expresso to its end; the referee's slots are the seats."""
    state = game.first_hand(seed)
    while not state.is_settled:
        hand = state.hand
        while not hand.is_terminal():
            seat = state.order[hand.current_player()]
            hand = hand.apply(referee.action(seat, hand, seed, state.number))
        state = next_hand(replace(state, hand=hand))
    return state


def deal_seed(seed: int, deal: int) -> int:
    """Return the seed of a deal of a series."""
    return int(stream_key(seed, deal, _STREAM)) >> 1
