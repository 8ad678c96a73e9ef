"""Random six-handed hands a second: our kernel and our Python state against pokerkit and pokers (Rust).

Every side plays whole hands of no-limit hold'em, six players with 10,000 chips at 50/100, shuffled deck,
and the same kind of random player: one of the kinds of action it has (fold, check or call, raise) with
equal probability, and a raise size uniform from the smallest raise to all in. (pokers knows no minimum
raise; it is given a big blind. It also prints every showdown, which goes to /dev/null here.) Rounds
alternate between the sides and the best round counts.

Run: python benchmarks/bench_hands.py
"""

from __future__ import annotations

import os
import random
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pokers
from pokerkit import Automation, NoLimitTexasHoldem

from overbet.cards.evaluator import tables
from overbet.games.holdem import HoldemGame
from overbet.kernels.holdem.play import play_hands

PLAYERS, STACK, BLINDS = 6, 10_000, (50, 100)
ROUNDS = 5


def our_kernel(hands: int, seed: int) -> int:
    """Play in the kernel loop; return the number of decisions."""
    stacks = np.empty((hands, PLAYERS), np.int64)
    return play_hands(HoldemGame(PLAYERS, STACK, BLINDS).root, tables(), seed, 0, stacks)


def our_state(hands: int, seed: int) -> int:
    """Play through HoldemState, board and hole cards from the seeded deal."""
    rng, game, decisions = random.Random(seed), HoldemGame(PLAYERS, STACK, BLINDS), 0
    for hand in range(hands):
        state = game.deal(seed, hand)
        while not state.is_terminal():
            legal = state.legal_actions()
            pick = rng.randrange(1 + legal.fold + (legal.raise_min is not None))
            if pick == 0:
                state = state.apply(0)
            elif pick == 1 and legal.fold:
                state = state.apply(-1)
            else:
                state = state.apply(rng.randint(legal.raise_min or 0, legal.raise_max or 0))
            decisions += 1
    return decisions


def pokerkits(hands: int, seed: int) -> int:
    """Play in pokerkit with every automation on."""
    rng, decisions = random.Random(seed), 0
    for _ in range(hands):
        state = NoLimitTexasHoldem.create_state(tuple(Automation), True, 0, BLINDS, BLINDS[1], STACK, PLAYERS)
        while state.status:
            least = state.min_completion_betting_or_raising_to_amount
            may_fold = state.can_fold()
            pick = rng.randrange(1 + may_fold + (least is not None))
            if pick == 0:
                state.check_or_call()
            elif pick == 1 and may_fold:
                state.fold()
            else:
                most = state.max_completion_betting_or_raising_to_amount
                state.complete_bet_or_raise_to(rng.randint(least, most))
            decisions += 1
    return decisions


def pokers_rust(hands: int, seed: int) -> int:
    """Play in pokers; its raises are on top of the bet to match."""
    rng, decisions, raising = random.Random(seed), 0, pokers.ActionEnum.Raise
    for hand in range(hands):
        state = pokers.State.from_seed(PLAYERS, 0, *BLINDS, STACK, 1_000_003 * seed + hand)
        while not state.final_state:
            kind = rng.choice(state.legal_actions)
            if kind == raising:
                me = state.players_state[state.current_player]
                most = me.stake - (state.min_bet - me.bet_chips)
                action = pokers.Action(kind, rng.uniform(min(BLINDS[1], most), most))
            else:
                action = pokers.Action(kind)
            state = state.apply_action(action)
            decisions += 1
        if state.status != pokers.StateStatus.Ok:
            raise RuntimeError(f"pokers stopped a hand: {state.status}")
    return decisions


@contextmanager
def silent_stdout() -> Iterator[None]:
    """Send what Rust prints to nowhere."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def main() -> None:
    """Measure all sides in turn and print the table."""
    warnings.simplefilter("ignore")
    sides: dict[str, tuple[Callable[[int, int], int], int]] = {
        "overbet kernel": (our_kernel, 300_000),
        "overbet state": (our_state, 2_000),
        "pokerkit": (pokerkits, 100),
        "pokers (Rust)": (pokers_rust, 3_000),
    }
    best = dict.fromkeys(sides, 0.0)
    decisions = dict.fromkeys(sides, 0.0)
    with silent_stdout():
        for play, _ in sides.values():
            play(2, 0)  # compile and import
        for number in range(ROUNDS):
            for name, (play, hands) in sides.items():
                start = time.perf_counter()
                made = play(hands, number)
                best[name] = max(best[name], hands / (time.perf_counter() - start))
                decisions[name] = made / hands
    print(f"random six-handed hands, best of {ROUNDS} rounds")
    for name, speed in best.items():
        print(f"  {name:15} {speed:12,.0f} hands/s   {decisions[name]:5.1f} decisions a hand")
    targets = (
        ("overbet kernel", "pokerkit", 100),
        ("overbet kernel", "pokers (Rust)", 10),
        ("overbet state", "pokerkit", 5),
    )
    for ours, theirs, target in targets:
        ratio = best[ours] / best[theirs]
        verdict = "met" if ratio >= target else "MISSED"
        print(f"  {ours} / {theirs}: {ratio:,.0f}x (target {target}x, {verdict})")


if __name__ == "__main__":
    main()
