"""Ten thousand random public states, odd stacks and bets: a legal answer within twice the time, always."""

import time

import numpy as np
import pytest

from overbet.agents.protocol import Observation
from overbet.agents.registry import make_agent
from overbet.agents.searcher import SearchAgent
from overbet.games.holdem import HoldemGame

SECONDS = 0.5
STATES = 10_000


@pytest.mark.slow
def test_every_state_is_answered_legally_and_in_time() -> None:
    agent = make_agent(f"search:heads-up,seconds={SECONDS},turn.iterations=20,river.iterations=20")
    assert isinstance(agent, SearchAgent)
    rng = np.random.default_rng(20261116)
    asked, slowest, hand = 0, 0.0, 0
    while asked < STATES:
        hand += 1
        stacks = [int(chips) for chips in np.exp(rng.uniform(np.log(120), np.log(100_000), 2))]
        game = HoldemGame(stacks=stacks, ante=int(rng.choice([0, 0, 7, 25])))
        now = game.deal(17, hand)
        while not now.is_terminal():
            legal = now.legal_actions()
            if agent.searcher.covers(now):
                begun = time.perf_counter()
                action = agent.act(Observation.of(now, 17, hand))
                slowest = max(slowest, time.perf_counter() - begun)
                assert action in legal, now
                assert agent.counted[1] == 0, now  # the search answered, not the blueprint in its place
                asked += 1
            odd = int(rng.integers(legal.raise_min, legal.raise_max + 1)) if legal.raise_max else 0
            small = min(odd, int(now.pot * rng.uniform(0.1, 2.0))) if odd else 0
            small = max(small, legal.raise_min or 0)
            now = now.apply(int(rng.choice([0, 0, 0, odd, small])) if legal.raise_max else 0)
    assert slowest < 2 * SECONDS
