"""Train a shipped family: one blueprint for each of many stacks, from one config.

    python packaging/blueprint_family.py configs/shipped-heads-up-short.yaml 5 8 12 --seconds 60 --out family
    python packaging/blueprint_family.py configs/shipped-expresso-stacks.yaml 16 8,16,16 --out family

Stacks are in big blinds: one number for all, or one a player, the seat left of the button first. Cores are
shared out among processes of `--cores` each; the processes take the stacks in turn, the largest first, and
load the buckets once. A stack may have its own seconds: 25=90. Files are called `NAME-25bb.h5` and
`NAME-8-16-16bb.h5`, NAME being the config's; one that is there already is left as it is.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))


def main() -> int:
    """Share the stacks out and wait."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("config", type=Path)
    parser.add_argument("stacks", nargs="+", help="such as 25, 25=90 (seconds) or 8,16,16")
    parser.add_argument("--seconds", type=float, default=60.0, help="of training, a stack")
    parser.add_argument("--cores", type=int, default=4, help="of a process")
    parser.add_argument("--of", type=int, default=0, help="take so many cores of the machine; 0: all")
    parser.add_argument("--first", type=int, default=0, help="leave so many cores to others")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--set", action="append", default=[], help="override a key of the config")
    told = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))[told.first :]
    cores = cores[: told.of or len(cores)]
    groups = [cores[at : at + told.cores] for at in range(0, len(cores), told.cores)]
    groups = [group for group in groups if len(group) == min(told.cores, len(cores))]
    jobs = multiprocessing.get_context("spawn")
    waiting = jobs.Queue()
    for text in told.stacks:
        stacks, _, own = text.partition("=")
        waiting.put((stacks, float(own or told.seconds)))
    for _ in groups:
        waiting.put(None)
    told.out.mkdir(parents=True, exist_ok=True)
    workers = [
        jobs.Process(target=_work, args=(told.config, tuple(told.set), told.out, group, waiting))
        for group in groups
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return int(any(worker.exitcode for worker in workers))


def _work(config: Path, settings: tuple[str, ...], out: Path, cores: list[int], waiting: object) -> None:
    """Train stacks until there are none left, on these cores."""
    os.sched_setaffinity(0, cores)
    from overbet.blueprint.cards import load_cards
    from overbet.blueprint.config import BlueprintConfig
    from overbet.blueprint.run import Run

    cards = None
    while (job := waiting.get()) is not None:  # type: ignore[attr-defined]
        stacks, seconds = job
        begun, processor = time.monotonic(), time.process_time()
        family = BlueprintConfig.load(config, [*settings, f"game.stack_bb={_stack_bb(stacks)}"])
        name = f"{family.name}-{stacks.replace(',', '-')}bb"
        target = out / f"{name}.h5"
        if target.exists():
            continue
        own = family.model_copy(update={"name": name})
        cards = load_cards(own.cards) if cards is None else cards
        run = Run.start(out / f".{name}", own, cards)
        path = run.go(seconds=seconds)
        trainer, used = run.trainer, time.process_time() - processor
        path.replace(target)
        shutil.rmtree(run.folder)
        words = f"{trainer.iterations:,} iterations in {trainer.seconds:.1f} s on {len(cores)} cores"
        whole, size = time.monotonic() - begun, target.stat().st_size / 1e6
        spent = f"{whole:.1f} s in all, {used:.1f} s of processor"
        print(f"{name}: {trainer.describe()}; {words}, {spent}; {size:.2f} MB", flush=True)


def _stack_bb(text: str) -> str:
    return f"[{text}]" if "," in text else text


if __name__ == "__main__":
    sys.exit(main())
