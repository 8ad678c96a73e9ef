"""This version against another one of ours, in one run: the same work in turn, in processes of their own.

    python benchmarks/against.py 972f692            # a commit, checked out beside for the time of the run
    python benchmarks/against.py --folder OTHER     # a folder with another version's src/

Each figure is processor time of one thread, the best of several rounds. Rounds of the two versions
alternate, so that what else the machine does hits both. A ratio above 1 means that this version is faster.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

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

    config = BlueprintConfig.load(HERE.parent / "configs" / "shipped-heads-up.yaml")
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


def _asked(folder: Path, what: str) -> float:
    """Return the figure of a version, worked out in a process of its own."""
    more = os.environ.get("PYTHONPATH", "")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [str(folder / "src"), more]))}
    words = [sys.executable, str(HERE / "against.py"), "--probe", what]
    found = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    if found.returncode:
        raise SystemExit(f"{what} of {folder} ended with an error:\n{found.stderr[-2000:]}")
    return float(json.loads(found.stdout.splitlines()[-1]))


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
    with tempfile.TemporaryDirectory() as place:
        other = options.folder
        if other is None:
            if not options.commit:
                parser.error("name a commit, or a folder with --folder")
            other = Path(place) / "other"
            subprocess.run(["git", "worktree", "add", "--detach", str(other), options.commit], check=True)
        try:
            for what in chosen:
                figures: dict[Path, list[float]] = {HERE.parent: [], other: []}
                for _ in range(options.rounds):
                    for folder, found in figures.items():
                        found.append(_asked(folder, what))
                ours, theirs = min(figures[HERE.parent]) * 1e3, min(figures[other]) * 1e3
                print(
                    f"{what}: {ours:.2f} ms, before {theirs:.2f} ms: {theirs / ours:.2f}x  ({WORK[what]})",
                    flush=True,
                )
        finally:
            if options.folder is None:
                subprocess.run(["git", "worktree", "remove", "--force", str(other)], check=False)


if __name__ == "__main__":
    main()
