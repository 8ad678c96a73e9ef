"""Hands a second: matches on one core, against random hands in pokerkit and in OpenSpiel's universal_poker.

    python benchmarks/bench_matches.py [--hands 20000]

Ours and the peers' are measured in turns in one run, best of several. The peers play uniformly random hands
(any legal action; OpenSpiel with its fold, call, pot, all-in menu), which asks nothing of a player: the row
`random-chips` is the one that does the same work. The others look at their hands and at a blueprint.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable

from overbet.agents.protocol import Agent
from overbet.agents.registry import make_agent
from overbet.evaluation.matches import play_match
from overbet.games.holdem import HoldemGame

TARGETS = {"scripted": 20_000.0, "blueprint": 5_000.0}


def ours(agents: list[Agent], game: HoldemGame, hands: int) -> Callable[[], int]:
    return lambda: play_match(agents, game, hands, workers=1).hands


def in_pokerkit(hands: int) -> Callable[[], int]:
    from pokerkit import Automation, NoLimitTexasHoldem

    automations = tuple(Automation)

    def play() -> int:
        rng = random.Random(1)
        for _ in range(hands):
            state = NoLimitTexasHoldem.create_state(automations, True, 0, (50, 100), 100, (10_000, 10_000), 2)
            while state.status:
                kind = rng.randrange(3)
                least = state.min_completion_betting_or_raising_to_amount
                if kind == 0 and state.can_fold():
                    state.fold()
                elif kind == 1 and least is not None and state.can_complete_bet_or_raise_to():
                    most = state.max_completion_betting_or_raising_to_amount
                    state.complete_bet_or_raise_to(rng.randint(least, most))
                else:
                    state.check_or_call()
        return hands

    return play


def in_openspiel(hands: int) -> Callable[[], int]:
    import pyspiel

    game = pyspiel.load_game(
        "universal_poker(betting=nolimit,numPlayers=2,numRounds=4,blind=100 50,firstPlayer=2 1 1 1,"
        "numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,"
        "stack=10000 10000,bettingAbstraction=fcpa)"
    )

    def play() -> int:
        rng = random.Random(1)
        for _ in range(hands):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes = state.chance_outcomes()
                    state.apply_action(outcomes[rng.randrange(len(outcomes))][0])
                else:
                    actions = state.legal_actions()
                    state.apply_action(actions[rng.randrange(len(actions))])
        return hands

    return play


def main() -> None:
    parser = argparse.ArgumentParser(description="Hands a second of matches on one core.")
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--blueprint", default="heads-up", help="name or file of a heads-up blueprint")
    options = parser.parse_args()
    two, six = HoldemGame(2), HoldemGame(6)
    made = {spec: make_agent(spec) for spec in ("random-chips", "tag", "lag", "equity:0.6", "always-call")}
    arrays = make_agent(f"blueprint:{options.blueprint}")
    work: dict[str, Callable[[], int]] = {
        "random-chips": ours([made["random-chips"]] * 2, two, options.hands),
        "tag v lag": ours([made["tag"], made["lag"]], two, options.hands),
        "tag v always-call": ours([made["tag"], made["always-call"]], two, options.hands),
        "tag, lag, equity on six seats": ours(
            [made["tag"], made["lag"], made["equity:0.6"]], six, options.hands
        ),
        "blueprint v tag": ours([arrays, made["tag"]], two, options.hands),
        "blueprint v always-call": ours([arrays, made["always-call"]], two, options.hands),
        "blueprint v random-chips": ours([arrays, made["random-chips"]], two, options.hands),
        "pokerkit, random": in_pokerkit(60),
        "OpenSpiel, random": in_openspiel(1_000),
    }
    best = dict.fromkeys(work, 0.0)
    for play in work.values():
        play()  # compile, load
    for _ in range(options.rounds):
        for name, play in work.items():
            begun = time.perf_counter()
            hands = play()
            best[name] = max(best[name], hands / (time.perf_counter() - begun))
    peers = [best[name] for name in ("pokerkit, random", "OpenSpiel, random")]
    print(f"{'one core':<32}{'hands/s':>10}{'/ pokerkit':>12}{'/ OpenSpiel':>13}{'target':>9}")
    for name, rate in best.items():
        kind = "blueprint" if name.startswith("blueprint") else "scripted"
        target = f"{TARGETS[kind]:,.0f}" if ", random" not in name else ""
        print(f"{name:<32}{rate:>10,.0f}{rate / peers[0]:>11,.1f}x{rate / peers[1]:>12,.1f}x{target:>9}")


if __name__ == "__main__":
    main()
