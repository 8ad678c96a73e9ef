"""Speed of the local best response, and of what it asks most: one hand's equity against every other on a
flop.

The peer of the whole is the same responder in numpy (`overbet.evaluation.lbr_agents`); that of the equities
is plain enumeration with our own evaluator, every opponent on every run-out. Run: python
benchmarks/bench_lbr.py
"""

from __future__ import annotations

import time

import numpy as np

from overbet.agents.registry import make_agent
from overbet.cards.combos import combo_masks
from overbet.cards.evaluator import tables
from overbet.evaluation.lbr import run_lbr, run_responders
from overbet.evaluation.lbr_family import FAMILY
from overbet.kernels.cards.evaluator import rank_masks
from overbet.kernels.lbr.equity import equity_work, hand_equities

ROUNDS, HANDS = 3, 400
TARGET_HANDS = 200  # a second and core, with fold, call, pot and all-in


class Plain:
    """An agent seen from outside: the responder in numpy plays it."""

    def __init__(self, agent: object) -> None:
        self.agent, self.name = agent, "plain"

    def act(self, observation: object) -> int:
        return int(self.agent.act(observation))  # type: ignore[attr-defined]

    def strategy_for_all_hands(self, public: object) -> object:
        return self.agent.strategy_for_all_hands(public)  # type: ignore[attr-defined]


def by_enumeration(own: tuple[int, int], board: list[int]) -> np.ndarray:
    """Every opponent on every run-out, one evaluation each."""
    masks, out = combo_masks(), np.zeros(1326)
    hole = np.uint64((1 << own[0]) | (1 << own[1]))
    lying = np.uint64(sum(1 << card for card in board))
    ranks, mine = np.empty(1326, np.int32), np.empty(1, np.int32)
    for a in range(52):
        for b in range(a):
            runout = np.uint64((1 << a) | (1 << b))
            if runout & (hole | lying):
                continue
            full = lying | runout
            rank_masks(masks | full, tables(), ranks)
            rank_masks(np.array([hole | full]), tables(), mine)
            live = (masks & (full | hole)) == 0
            out += live * ((mine[0] > ranks) + 0.5 * (mine[0] == ranks))
    return out / 990


def best(work, rounds: int = ROUNDS) -> float:
    """The shortest of some rounds, in seconds of this process."""
    times = []
    for _ in range(rounds):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return min(times)


def main() -> None:
    own, board = (51, 46), [30, 21, 2]
    work, out = equity_work(tables()), np.empty(1326)
    hand_equities(*own, np.array(board), tables(), work, out)
    expected = by_enumeration(own, board)
    live = out >= 0
    assert np.abs(out[live] - expected[live]).max() < 1e-12
    ours = best(lambda: hand_equities(*own, np.array(board), tables(), work, out))
    peer = best(lambda: by_enumeration(own, board), 2)
    print(f"{'equities of a hand on a flop':<34}{'ms':>10}")
    print(f"{'ours':<34}{1000 * ours:>10.2f}\n{'enumeration':<34}{1000 * peer:>10.2f}")
    print(f"enumeration / ours {peer / ours:.1f}x (target 5x)\n")
    print(f"{'hands/s a core, fcpa':<34}{'ours':>10}{'numpy':>10}{'ratio':>8}")
    for spec in ("tag", "lag", "random", "blueprint:heads-up"):
        agent = make_agent(spec)
        game = getattr(getattr(agent, "blueprint", None), "tree", None)
        table = None if game is None else game.game
        run_lbr(agent, table, hands=50, workers=1)
        kernel = HANDS / best(lambda a=agent, t=table: run_lbr(a, t, hands=HANDS, seed=1, workers=1))
        plain = HANDS / best(lambda a=agent, t=table: run_lbr(Plain(a), t, hands=HANDS, seed=1, workers=1), 1)
        verdict = f"(target {TARGET_HANDS} hands/s)"
        print(f"{spec:<34}{kernel:>10.0f}{plain:>10.0f}{kernel / plain:>7.1f}x {verdict}")
    family()


def family() -> None:
    """The members of the family against the shipped blueprint."""
    agent = make_agent("blueprint:heads-up")
    table = agent.blueprint.game
    print(f"\n{'blueprint:heads-up, hands/s a core':<46}")
    for member in FAMILY:
        taken = best(lambda m=member: run_responders(agent, table, HANDS, [m], seed=1, workers=1))
        print(f"{member.in_words:<46}{HANDS / taken:>10.0f}")


if __name__ == "__main__":
    main()
