"""Training by whole boards beside training by sampled deals, in one run on one machine.

    python benchmarks/board_training.py --device cuda --marks 30 60 120 --sampled 30 120 867 --out rows.json
    python benchmarks/board_training.py --out rows.json --plot training.png  # a chart of rows written before

For each way: iterations (a board counts as 1,000), and at each mark, in seconds of training, how exploitable
the strategy is: what a learned response gains within the abstraction (in mbb a hand, both
players together) and the largest LBR of the family. With a GPU, where the time of a batch goes, the bytes
that its stages move, and how that compares with the memory's own pace (a copy of the same size).
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from overbet.agents.registry import make_agent
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.factory import make_trainer
from overbet.blueprint.measure import measure_blueprint
from overbet.blueprint.store import save_blueprint
from overbet.evaluation.lbr_family import run_lbr_family
from overbet.machine import core_count
from versions import vectors

CONFIG = Path(__file__).parent.parent / "configs" / "shipped-heads-up.yaml"


def main() -> None:
    """Train, measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--config", type=Path, default=CONFIG)
    parser.add_argument("--set", action="append", default=[], help="override a key of the config")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--marks", type=float, nargs="*", default=[], help="seconds of training by boards")
    parser.add_argument("--sampled", type=float, nargs="*", default=[], help="seconds by sampled deals")
    parser.add_argument("--workers", type=int, default=core_count())
    parser.add_argument("--hands", type=int, default=20_000, help="of each LBR")
    parser.add_argument("--response", type=int, default=2_000_000, help="walks that a response learns from")
    parser.add_argument("--stages", action="store_true", help="time the stages of a batch (GPU)")
    parser.add_argument("--out", type=Path, help="file that gets a line a mark")
    parser.add_argument("--plot", type=Path, help="chart of all lines of --out: .png, .svg or .pdf")
    parser.add_argument("--keep", type=Path, help="folder that keeps the blueprint of each mark")
    options = parser.parse_args()
    print(
        f"{vectors()}; {options.workers} threads; {options.config.name} {' '.join(options.set)}", flush=True
    )
    swept = ["solver.method=boards", f"run.device={options.device}"]
    if options.stages:
        _stages(BlueprintConfig.load(options.config, [*options.set, *swept]))
    deals = ["solver.method=external", "solver.tremble=0"]
    for name, settings, marks in (("boards", swept, options.marks), ("deals", deals, options.sampled)):
        if marks:
            _curve(name, BlueprintConfig.load(options.config, [*options.set, *settings]), marks, options)
    if options.plot is not None:
        if options.out is None:
            parser.error("--plot draws the lines of a file; name it by --out")
        draw([json.loads(line) for line in options.out.read_text().splitlines()], options.plot)


def draw(rows: list[dict[str, Any]], path: Path) -> None:
    """Draw both measures by minutes of training; what is not above 0 has no place on the axis."""
    from overbet.cards.curves import plot_curves

    curves = {}
    for way in dict.fromkeys(row["way"] for row in rows):
        for key, words in (("lbr_mbb", "the largest LBR"), ("response_mbb", "a learned response")):
            points = [(row["seconds"] / 60, row[key]) for row in rows if row["way"] == way and row[key] > 0]
            if points:
                curves[f"{way}: {words}"] = [list(column) for column in zip(*sorted(points))]
    plot_curves(
        path,
        {label: (found[0], found[1]) for label, found in curves.items()},
        "minutes of training",
        "wins, mbb/hand",
        "Boards and sampled deals",
    )


def _curve(name: str, config: BlueprintConfig, marks: list[float], options: argparse.Namespace) -> None:
    trainer = make_trainer(None, config)
    trainer.run(1, options.workers)  # compiled before the clock runs
    with tempfile.TemporaryDirectory() as folder:
        for mark in sorted(marks):

            def enough(done: int, mark: float = mark) -> None:
                if trainer.seconds >= mark:
                    raise _MarkReached

            with suppress(_MarkReached):
                trainer.run(10**15, options.workers, enough)
            file = save_blueprint(trainer, (options.keep or Path(folder)) / f"{name}-{mark:g}.h5")
            row = {"way": name, "seconds": trainer.seconds, "iterations": trainer.iterations}
            row |= {"per_second": trainer.iterations / trainer.seconds, **_quality(file, options)}
            print(json.dumps(row), flush=True)
            if options.out is not None:
                with options.out.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps(row) + "\n")


class _MarkReached(Exception):  # noqa: N818  # ends a stretch of training
    pass


def _quality(file: Path, options: argparse.Namespace) -> dict[str, Any]:
    begun = time.perf_counter()
    found = measure_blueprint(file, iterations=options.response, workers=options.workers)
    agent = make_agent(f"blueprint:{file}")
    game = BlueprintConfig.load(options.config, options.set).game.game()
    family = run_lbr_family(agent, game, options.hands, seed=11, workers=options.workers)
    largest = family.largest
    assert largest is not None
    return {
        "response_mbb": 1000 * found.nash_conv_bb,
        "response_interval_mbb": 1000 * found.nash_conv_interval_bb,
        "lbr_mbb": largest.aivat.mean,
        "lbr_half_mbb": largest.aivat.half,
        "lbr": largest.responder.in_words,
        "measured_in_s": time.perf_counter() - begun,
    }


def _stages(config: BlueprintConfig) -> None:
    """Time the stages of a batch on the GPU, and the memory beside them."""
    import numpy as np

    from overbet.blueprint.gpu_board_trainer import GpuBoardTrainer
    from overbet.cuda import boards as kernels
    from overbet.cuda import device

    trainer = make_trainer(None, config)
    assert isinstance(trainer, GpuBoardTrainer)
    trainer._compile()
    step = trainer._step(0)
    trainer._set(step)
    ready = trainer._prepared(0, trainer.batch)

    def timed(name: str, work: Any, bytes_moved: float = 0.0, rounds: int = 5) -> None:
        work()
        trainer._launch.stream.synchronize()
        begun = time.perf_counter()
        for _ in range(rounds):
            work()
        trainer._launch.stream.synchronize()
        taken = (time.perf_counter() - begun) / rounds
        pace = f", {bytes_moved / taken / 1e12:.2f} TB/s" if bytes_moved else ""
        print(f"  {name}: {1e3 * taken:.3f} ms for {trainer.batch} boards{pace}", flush=True)

    batch = trainer._sent(ready)
    live, slots = trainer.source.live, trainer.program.slots
    flow = 8.0 * slots * live * trainer.batch
    timed("prepared by the CPU", lambda: trainer._prepared(0, trainer.batch), rounds=2)
    timed("sent", lambda: trainer._sent(ready))
    rows = (
        (trainer._num_decisions, -(-max(trainer.cards.counts) // kernels.THREADS)),
        kernels.THREADS,
        0,
    )
    arrays = (trainer._decisions, trainer._table, trainer._strategy, trainer._rule)
    timed("strategy", lambda: trainer._launch(kernels.match_rows, rows, *arrays), 12.0 * trainer.entries)
    for street in range(4):
        timed(f"down {street}", partial(trainer._carry, kernels.carry_down, street, batch.boards))
    timed("ends", lambda: trainer._evaluate(batch), 2.0 * flow)
    for street in reversed(range(4)):
        timed(f"up {street}", partial(trainer._carry, kernels.carry_up, street, batch.boards))
    timed("a whole batch", lambda: trainer._sweep(ready), 4.0 * flow)
    spare = device.zeros(len(trainer._flow), np.float32)
    stream = trainer._launch.stream
    timed("a copy of all reaches", lambda: spare.copy_to_device(trainer._flow, stream=stream), 2.0 * flow)


if __name__ == "__main__":
    main()
