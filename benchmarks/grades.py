"""How trustworthy the grades of a blueprint's decisions are: beside a long run, and how often they abstain.

    python benchmarks/grades.py --decisions 500 --reference 1000000

Decisions come up as the blueprint plays itself; the answer is any of the offered actions, drawn at random.
The verdict is the one of the drill and of the review. The reference plays on so many times with other random
numbers. `best` and `correct` are one verdict here: which of two actions that the strategy takes is worth a
hundredth more is not what is graded.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

import numpy as np

from overbet.agents.compiled import CompiledAgent
from overbet.agents.protocol import Observation
from overbet.agents.registry import make_agent
from overbet.evaluation.match_review import Effort, review_hand
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.study.review import ReviewedDecision, full_effort, reviewed
from versions import vectors


def main() -> None:
    """Grade and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--agent", default="blueprint:heads-up")
    parser.add_argument("--decisions", type=int, default=500)
    parser.add_argument("--reference", type=int, default=1_000_000, help="0 for none")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    agent = make_agent(options.agent)
    assert isinstance(agent, CompiledAgent)
    table: HoldemGame = agent.own_table
    rng = np.random.default_rng(options.seed)
    words, unclear, agreed, seconds = Counter[str](), Counter[str](), Counter[bool](), []
    while len(seconds) < options.decisions:
        seed, hero = int(rng.integers(2**40)), int(rng.integers(table.num_players))
        final, place = _hand(agent, table, seed, hero, rng)
        if final is None:
            continue
        begun = time.perf_counter()
        found = _verdict(agent, final, hero, place, seed, full_effort())
        seconds.append(time.perf_counter() - begun)
        words[found.grade] += 1
        if found.grade == "unclear":
            unclear[found.decision.state.street] += 1
        elif options.reference:
            effort = Effort(options.reference, options.reference, lambda _: True)
            long = _verdict(agent, final, hero, place, seed + 1, effort)
            agreed[_kind(found) == _kind(long)] += 1
            if _kind(found) != _kind(long):
                print(
                    f"  {found.grade} ({found.loss_bb:.3f} ± {found.accuracy_bb:.3f} bb), "
                    f"the reference {long.grade} ({long.loss_bb:.3f} ± {long.accuracy_bb:.3f})",
                    flush=True,
                )
    print(f"{vectors()}; {options.agent}, {options.decisions} decisions: {dict(words)}")
    print(f"unclear {sum(unclear.values()) / options.decisions:.1%}, by street {dict(unclear)}")
    if options.reference:
        print(f"with {options.reference:,} runs: {agreed[True]} of {sum(agreed.values())} verdicts agree")
    print(f"seconds a verdict: mean {np.mean(seconds):.2f}, slowest tenth {np.quantile(seconds, 0.9):.2f}")


def _hand(
    agent: CompiledAgent, table: HoldemGame, seed: int, hero: int, rng: np.random.Generator
) -> tuple[HoldemState | None, int]:
    """Return a hand in which one of hero's actions is drawn, and which of its decisions that is."""
    state, met = table.deal(seed, 0), list[HoldemState]()
    while not state.is_terminal():
        if state.current_player() == hero:
            met.append(state)
        state = state.apply(agent.act(Observation.of(state, seed, 0)))
    if not met:
        return None, 0
    place = int(rng.integers(len(met)))
    asked = met[place]
    offered = agent.strategy_for_all_hands(Observation.of(asked, seed, 0).public).actions
    state = asked.apply(int(rng.choice(offered)))
    while not state.is_terminal():
        state = state.apply(agent.act(Observation.of(state, seed, 0)))
    return state, place


def _verdict(
    agent: CompiledAgent, final: HoldemState, hero: int, place: int, seed: int, effort: Effort
) -> ReviewedDecision:
    seats = [agent] * final.game.num_players
    (found,) = review_hand(final, hero, seats, seed=seed, hand=0, adviser=agent, effort=effort, only=place)
    return reviewed(found)


def _kind(found: ReviewedDecision) -> str:
    return "right" if found.grade in ("best", "correct") else found.grade


if __name__ == "__main__":
    main()
