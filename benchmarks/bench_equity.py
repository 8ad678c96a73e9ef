"""AhKh against QsQd over all 1,712,304 boards: our enumeration against phevaluator's C function in a loop.

Both sides rank both hands on every board on one thread; the shipped table, which ranks nothing, is shown
for what a user waits, and so are ranges on a flop. Run: .venv/bin/python benchmarks/bench_equity.py
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import combinations

from phevaluator import _pheval as theirs

from overbet import machine
from overbet.cards import equity_engines
from overbet.cards.cards import cards
from overbet.cards.equity import equity
from overbet.cards.equity_field import read_question

ROUNDS = 3
TARGET = 10.0


def loop() -> tuple[int, int, int]:
    """Count wins, ties and losses as one would with phevaluator."""
    a, b, c, d = cards("AhKhQsQd")
    rank = theirs.evaluate_7cards
    wins = ties = losses = 0
    for e, f, g, h, i in combinations([card for card in range(52) if card not in (a, b, c, d)], 5):
        first, second = rank(a, b, e, f, g, h, i), rank(c, d, e, f, g, h, i)
        if first < second:
            wins += 1
        elif first == second:
            ties += 1
        else:
            losses += 1
    return wins, ties, losses


def timed(work: Callable[[], object]) -> float:
    """Return the seconds one call takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    """Measure both sides in turn, keep the best of each, and print the ratio."""
    question = read_question(("AhKh", "QsQd"), "", "")
    cores = machine.core_count
    machine.core_count = lambda: 1  # one thread against one
    counts = equity_engines.showdowns(question)
    assert loop() == (counts[0, 1], counts[0, 2], counts[1, 1]) == (787_966, 6_732, 917_606)
    peer = ours = float("inf")
    for _ in range(ROUNDS):
        peer = min(peer, timed(loop))
        ours = min(ours, *(timed(lambda: equity_engines.showdowns(question)) for _ in range(5)))
    table = min(timed(lambda: equity("AhKh", "QsQd")) for _ in range(5))
    wide = "22+,A2s+,K2s+,Q5s+,J7s+,T7s+,97s+,A7o+,K9o+,QTo+"
    equity(wide, wide, board="Td9d6h")
    flop = min(timed(lambda: equity(wide, wide, board="Td9d6h")) for _ in range(5))
    machine.core_count = cores
    print(f"AhKh against QsQd, 1,712,304 boards, one thread, best of {ROUNDS}")
    ratio = f"{peer / ours:.1f}x (target {TARGET:.0f}x)"
    print(f"  phevaluator C function in a loop     {peer * 1e3:9.2f} ms")
    print(f"  overbet, every board ranked          {ours * 1e3:9.2f} ms  {ratio}")
    print(f"  overbet, as asked: shipped table     {table * 1e3:9.2f} ms")
    print(f"  (range against range on a flop, exact{flop * 1e3:9.2f} ms)")


if __name__ == "__main__":
    main()
