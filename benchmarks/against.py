"""This version against another one of ours, in one run: the same work in turn, in processes of their own.

    python benchmarks/against.py 972f692            # a commit, checked out beside for the time of the run
    python benchmarks/against.py --folder OTHER     # a folder with another version's src/

Each figure is processor time of one thread, the best of several rounds. Rounds of the two versions
alternate, so that what else the machine does hits both. A ratio above 1 means that this version is faster.
"""

from __future__ import annotations

import argparse
import json
from contextlib import nullcontext
from pathlib import Path

from versions import alternating, checked_out

HERE = Path(__file__).resolve().parent
WORK = {
    "turn": "iteration of examples/turn.yaml",
    "training": "1,000 iterations of configs/shipped-heads-up.yaml, stand-in buckets",
    "match": "1,000 hands of tag against lag",
    "lbr": "100 hands of the local best response (fcpa) against tag",
}


def probe(what: str) -> float:
    """Return seconds of processor time for one unit of some work, best of three, after a warm-up."""
    import time

    run = globals()[f"_{what}"]()
    run()
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        units = run()
        best = min(best, (time.process_time() - start) / units)
    return best


def _turn():
    from overbet.solvers.vector.engine import VectorEngine
    from overbet.solvers.vector.settings import SolveSettings, SpotFile

    try:
        from overbet.tree.public import public_tree
    except ImportError:  # an older version
        from overbet.solvers.vector.layout import public_tree
    tree = public_tree(SpotFile.load(HERE.parent / "examples" / "turn.yaml"))
    engine = VectorEngine(tree, SolveSettings().the_rule(), 1)

    def run() -> float:
        engine.run(8)
        return 8

    return run


def _training():
    import numpy as np

    from overbet.blueprint.config import BlueprintConfig
    from overbet.blueprint.trainer import Trainer
    from overbet.cards.combos import class_of_combos

    try:
        from overbet.kernels.training.deal import classify_deals
    except ImportError:  # an older version
        from overbet.kernels.training_deal import classify_deals

    class Buckets:
        """Buckets that take no time to look up: walks are what is measured."""

        counts = (169, 500, 1000, 1000)
        digest = "stand-in"
        deck = np.arange(52, dtype=np.int8)

        def fill(self, deals, players):
            classify_deals(deals, players, class_of_combos())
            for player in range(players):
                hole = deals.cards[:, 2 * player : 2 * player + 2].astype(np.int64)
                for street, cards in enumerate((3, 4, 5), 1):
                    board = deals.cards[:, 2 * players : 2 * players + cards].astype(np.int64)
                    mixed = (hole.prod(1) + 17 * board.sum(1)) * 2_654_435_761 >> 7
                    deals.bucket[:, player, street] = mixed % self.counts[street]

    config = BlueprintConfig.load(
        HERE.parent / "configs" / "shipped-heads-up.yaml", ["solver.method=external", "solver.tremble=0"]
    )
    trainer = Trainer(config, Buckets())
    trainer.run(100_000, workers=1)

    def run() -> float:
        trainer.run(trainer.iterations + 60_000, workers=1)
        return 60

    return run


def _match():
    from overbet.agents.registry import make_agent
    from overbet.evaluation.matches import play_match

    def run() -> float:
        play_match([make_agent("tag"), make_agent("lag")], hands=60_000, seed=3, workers=1)
        return 60

    return run


def _lbr():
    from overbet.agents.registry import make_agent
    from overbet.evaluation.lbr import run_lbr

    def run() -> float:
        run_lbr(make_agent("tag"), hands=2_000, seed=3, workers=1)
        return 20

    return run


def main() -> None:
    """Print a line a kind of work: both figures and their ratio."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("commit", nargs="?", help="a commit of ours")
    parser.add_argument("--folder", type=Path, help="a folder with another version's src/")
    parser.add_argument("--only", help="turn, training, match or lbr; several with commas")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--probe", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.probe:
        print(json.dumps(probe(options.probe)))
        return
    chosen = options.only.split(",") if options.only else list(WORK)
    if options.folder is None and not options.commit:
        parser.error("name a commit, or a folder with --folder")
    with nullcontext(options.folder) if options.folder else checked_out(options.commit) as other:
        for what in chosen:
            ours, theirs = alternating(other, Path(__file__), options.rounds, what)
            print(
                f"{what}: {ours * 1e3:.2f} ms, before {theirs * 1e3:.2f} ms: "
                f"{theirs / ours:.2f}x  ({WORK[what]})",
                flush=True,
            )


if __name__ == "__main__":
    main()
