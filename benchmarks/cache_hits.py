"""How often the cache of searches has the answer when real heads-up lines are replayed, after it was warmed.

    python benchmarks/cache_hits.py HANDS --lines 8 --flops all

HANDS: hand histories. The lines to warm are the most frequent ones of the even hands, as `overbet cache warm
--hands` takes them; the odd hands are replayed. A hand counts where two players are left on the flop and it
fits a heads-up table (see `evaluation/pluribus.py`). Every decision of either player after the flop is one
query, asked with the number of the hand as a match would. Nothing is solved: whether the cache has an answer
depends on its key alone. A decision on the flop is answered by the search of the street's beginning as long
as all bets are in its tree. Keys of turns and rivers are never warmed, and count as not found.
"""

from __future__ import annotations

import argparse
from collections import Counter

import numpy as np

from overbet.agents.blueprint import BlueprintAgent
from overbet.agents.protocol import PublicState
from overbet.agents.registry import make_agent
from overbet.agents.searcher import SearchAgent
from overbet.cards.combos import COMBOS
from overbet.evaluation.pluribus import PluribusDecision, RecordedHand, decisions
from overbet.games.holdem_state import HoldemState
from overbet.interfaces.history.replay import Replay, replay_all
from overbet.interfaces.history.sources import read_hands
from overbet.search.beliefs import Baseline
from overbet.search.question import SearchQuestion
from overbet.search.searcher import Searcher
from overbet.search.street_answer import Cost, StreetAnswer
from overbet.search.street_strategy import StreetStrategy
from overbet.search.subgame import root_ranges, spot_of
from overbet.solvers.vector.batches.flops import board_set
from overbet.study.advice import state_at
from overbet.study.cache_warming import common_lines, readings
from overbet.tree.betting import build_tree

SEED = 2026


class KeySearcher(Searcher):
    """Searches nothing: notes the key of every question, and answers with the bets of its tree."""

    asked_keys: list[bytes]

    def _made(self, question: SearchQuestion, clock: float) -> StreetAnswer:
        self.asked_keys.append(question.key(self._digest).data)
        betting = build_tree(spot_of(question.start, self.settings), played=question.played)
        nodes = betting.street_nodes(question.start.street)
        count = np.where(betting.kind[: len(nodes)] < 2, betting.num_children[: len(nodes)], 0)
        row = np.concatenate([[0], np.cumsum(count)]).astype(np.int32)
        shares = np.repeat(1 / np.maximum(count, 1), count)[:, None] * np.ones(COMBOS)
        ends = (betting.kind[: len(nodes)], betting.first_child[: len(nodes)], count.astype(np.int32))
        strategy = StreetStrategy(*ends, betting.edge[: len(nodes)], row[:-1], shares.astype(np.float32))
        ranges = root_ranges(question.ranges, question.start.board)[0]
        return StreetAnswer(question.start, ranges, strategy, Cost(0, 0.0, None), lambda: self._none())

    def _none(self) -> StreetAnswer:
        raise AssertionError("nothing was searched")

    def keys(self, state: HoldemState, baseline: Baseline) -> list[bytes]:
        """Return the keys that a decision asks for."""
        self.asked_keys = []
        self.answer(state, baseline)
        return self.asked_keys


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("hands")
    options.add_argument("--lines", type=int, nargs="+", default=[8])
    options.add_argument("--flops", default="all")
    options.add_argument("--agent", default="search:heads-up")
    chosen = options.parse_args()
    agent = make_agent(chosen.agent)
    assert isinstance(agent, SearchAgent)
    assert isinstance(agent.blueprint, BlueprintAgent)
    digest = agent.blueprint.blueprint.cards.digest
    searcher = KeySearcher(agent.searcher.asked, None, digest, agent._off_tree)
    played = [found for found in replay_all(read_hands(chosen.hands)) if isinstance(found, Replay)]
    asked = decisions([RecordedHand(hand.record.players, hand.final) for hand in played])
    tuned = [decision for decision in asked if decision.hand % 2 == 0]
    replayed = [decision for decision in asked if decision.hand % 2]
    halves = [len({decision.hand for decision in half}) for half in (tuned, replayed)]
    print(f"lines of {halves[0]:,} hands; {halves[1]:,} others replayed, {len(replayed):,} decisions")
    known: set[bytes] = set()
    boards = board_set(chosen.flops).boards
    for done, line in enumerate(common_lines(tuned, max(chosen.lines)), 1):
        ways = readings(agent, state_at(agent.own_table, line, boards[0]))
        for board in boards:
            for way in ways:
                state = state_at(agent.own_table, line, board)
                known.update(searcher.keys(state, agent.baseline(way.seed, way.hand)))
        print(f"warmed {line}: {len(ways)} readings, {len(known):,} searches", flush=True)
        if done in chosen.lines:
            print(found_in(known, replayed, searcher, agent), flush=True)


def found_in(
    known: set[bytes], asked: list[PluribusDecision], searcher: KeySearcher, agent: SearchAgent
) -> str:
    """Return how many decisions a warm cache answers."""
    hits, counts = Counter[str](), Counter[str]()
    for decision in asked:
        street, public = decision.state.street, PublicState.of(decision.state, SEED, decision.hand)
        begins = not any(where == 1 for where, _, _ in decision.state.history)
        names = [street, "all", *(["flop begins"] if begins else [])]
        counts.update(names)
        if street != "flop":
            continue
        keys = searcher.keys(public.state, agent.baseline(public.seed, public.hand))
        if keys[-1] in known:  # the last one answers
            hits.update(names)
    return "found: " + "; ".join(
        f"{name} {hits[name]:,} of {counts[name]:,} ({100 * hits[name] / counts[name]:.1f} %)"
        for name in ("flop begins", "flop", "turn", "river", "all")
    )


if __name__ == "__main__":
    main()
