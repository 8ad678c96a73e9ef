"""Train networks for heads-up hold'em without the command line: what a machine needs that has little
installed.

    python benchmarks/deep_holdem.py self-play --run heads-up-gpu --seconds 300 --out network.h5
    python benchmarks/deep_holdem.py distill --seconds 180 --out distilled.h5 --device cuda
"""

from __future__ import annotations

import argparse
import sys
import time

from overbet.blueprint.network.files import encoder_of, save_network
from overbet.blueprint.network.presets import self_play_config


def self_play(given: argparse.Namespace) -> None:
    """Train by self-play."""
    from overbet.blueprint.network.self_play import SelfPlay, SelfPlayPace

    config = self_play_config(given.run, given.set)
    encoder = encoder_of(config.network)
    print(encoder.tree.size.describe(), flush=True)
    run = SelfPlay(config, encoder)
    shown = [0.0]

    def progress(pace: SelfPlayPace) -> None:
        if pace.seconds > shown[0] or pace.iteration <= 2:
            shown[0] = pace.seconds + given.every
            print(
                f"{pace.iteration} {pace.seconds:.1f}s regret {pace.regret:.4f} policy {pace.policy:.4f}",
                flush=True,
            )

    run.run(config.iterations, progress, given.seconds)
    manifest = {
        "iterations": run.iteration,
        "boards": run.iteration * config.boards,
        "seconds": round(run.seconds, 1),
    }
    manifest["run"] = config.model_dump(mode="json", exclude={"network"})
    arrays = run.policy.arrays()
    print(
        "written", save_network(given.out, config.network, encoder, arrays, "self-play", manifest), flush=True
    )


def distill(given: argparse.Namespace) -> None:
    """Distil the shipped heads-up blueprint."""
    import os

    from overbet.blueprint.catalogue import find_blueprint
    from overbet.blueprint.network.distil import DistilConfig, Distillation, DistilPace
    from overbet.blueprint.query import Blueprint

    config = DistilConfig.changed([f"device={given.device}", "steps=1000000000", *given.set], "distill")
    run = Distillation(Blueprint.load(find_blueprint("heads-up")), config, os.cpu_count() or 1)
    shown = [0.0]

    def progress(pace: DistilPace) -> None:
        if pace.seconds > shown[0]:
            shown[0] = pace.seconds + given.every
            print(
                f"{pace.step} {pace.seconds:.1f}s apart {pace.apart:.4f} samples {run.samples:,}", flush=True
            )

    run.run(10**9, progress, given.seconds)
    run.close()
    far, weighted = run.apart()
    print(f"half the sum of differences {far:.4f}, by the pot {weighted:.4f}", flush=True)
    manifest = {
        "steps": run.steps,
        "samples": run.samples,
        "seconds": round(run.seconds, 1),
        "apart": round(far, 4),
    }
    manifest["of"] = run.blueprint.config.name
    manifest["run"] = run.config.model_dump(mode="json")
    arrays = run.net.arrays()
    print(
        "written",
        save_network(given.out, run.network, run.encoder, arrays, "distilled", manifest),
        flush=True,
    )


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="?", choices=["self-play", "distill"])
    parser.add_argument("--run", default="heads-up-cpu")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--every", type=float, default=5.0)
    parser.add_argument("--out", default="network.h5")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--set", action="append", default=[])
    given = parser.parse_args()
    begun = time.perf_counter()
    if given.what == "self-play":
        self_play(given)
    elif given.what == "distill":
        distill(given)
    else:
        parser.print_help()
        sys.exit(2)
    print(f"{time.perf_counter() - begun:.0f} s in all", flush=True)


if __name__ == "__main__":
    main()
