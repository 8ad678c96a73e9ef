"""Seven-card ranks a second on one thread: our batch kernel against phevaluator's C function in a loop.

Run: .venv/bin/python benchmarks/bench_evaluator.py
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from phevaluator import _pheval as theirs

from overbet.cards.evaluator import evaluate_batch

HANDS = 400_000
ROUNDS = 7
TARGET = 10.0


def main() -> None:
    """Measure both sides in turn, keep the best of each, and print the ratios."""
    deck = np.random.default_rng(1).random((HANDS, 52), dtype=np.float32)
    cards = np.argpartition(deck, 7, axis=1)[:, :7].astype(np.int8)
    masks = np.bitwise_or.reduce(np.uint64(1) << cards.astype(np.uint64), axis=1)
    columns = cards.T.tolist()
    rank, rows = theirs.evaluate_7cards, list(zip(*columns))

    def loop() -> list[int]:
        return [rank(a, b, c, d, e, f, g) for a, b, c, d, e, f, g in rows]

    sides: dict[str, Callable[[], object]] = {
        "phevaluator C function, for loop": loop,
        "phevaluator C function, map": lambda: list(map(rank, *columns)),
        "overbet batch of cards [n, 7] int8": lambda: evaluate_batch(cards),
        "overbet batch of masks [n] uint64": lambda: evaluate_batch(masks),
    }
    assert (evaluate_batch(cards) == 7463 - np.array(loop())).all()
    evaluate_batch(masks)  # compile before the clock runs
    best = dict.fromkeys(sides, float("inf"))
    for _ in range(ROUNDS):
        for name, side in sides.items():
            start = time.perf_counter()
            side()
            best[name] = min(best[name], time.perf_counter() - start)
    peer = min(best[name] for name in sides if name.startswith("phevaluator"))
    print(f"{HANDS:,} random seven-card hands, one thread, best of {ROUNDS}")
    for name, seconds in best.items():
        ratio = f"{peer / seconds:6.1f}x  (target {TARGET:.0f}x)" if name.startswith("overbet") else ""
        print(f"  {name:36s} {HANDS / seconds / 1e6:8.1f} M/s  {ratio}")


if __name__ == "__main__":
    main()
