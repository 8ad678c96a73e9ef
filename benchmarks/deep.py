"""Deep CFR in all its forms: what our runs reach, beside OpenSpiel's PyTorch Deep CFR and published figures.

    python benchmarks/deep.py kuhn                      # five seeds, 3,000 iterations, one core
    python benchmarks/deep.py cpu --seconds 560         # Leduc, a seed on two cores each, OpenSpiel's beside
    python benchmarks/deep.py cpu --cores 1 --together  # two cores: five seeds on one, OpenSpiel's on one
    python benchmarks/deep.py gpu --seconds 540         # Leduc, five seeds at once on a GPU
    python benchmarks/deep.py ablations --seconds 500   # the same, one part changed at a time
    python benchmarks/deep.py speed                     # traversals and samples a second, ours and theirs
    python benchmarks/deep.py rows deep-*.json          # markdown of results; --plot curves.svg draws them

Each command prints the rows of its table and writes JSON (`--json`, deep-<command>.json). Exploitability is
exact: NashConv over two, in chips. Episodes are single traversals, of either player. Seeds 0-4 are for
reports; settings were chosen on seeds from 100. Clocks begin when kernels are compiled; measuring counts as
time spent.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

Json = dict[str, Any]
PUBLISHED = {1_000_000: 0.158, 2_000_000: 0.121, 4_000_000: 0.115, 8_000_000: 0.088}  # Deep PDCFR+
SEEDS = (0, 1, 2, 3, 4)
THEIR_SECONDS = 60.0  # of OpenSpiel's budget, kept for its policy network

# What each table is made with; settings that are not here are those of the algorithm.
CHOSEN: dict[str, Json] = {
    "kuhn": {
        "algorithm": "single-deep-cfr",
        "game": "kuhn",
        "batches": "pooled",
        "traversals": 200,
        "advantage": {"steps": 60, "fresh": False},
    },
    "cpu": {
        "algorithm": "dream",
        "batches": "pooled",
        "advantage": {"steps": 200, "fresh": False},
        "baseline": {"steps": 200},
    },
    "pdcfr+": {"algorithm": "deep-pdcfr+"},
    "dream": {"algorithm": "dream", "advantage": {"fresh": False}},
    "single": {"algorithm": "single-deep-cfr", "traversals": 10_000, "advantage": {"fresh": False}},
}

# One part of a base (Deep PDCFR+ as published) changed at a time: a name and the settings.
ABLATIONS: list[tuple[str, Json]] = [
    ("nothing", {}),
    ("no baseline", {"baseline": None}),
    ("baseline from whole lines", {"baseline": {"target": "line"}}),
    ("no prediction (Deep DCFR+)", {"rule": "dcfr+"}),
    ("no discounting (CFR+)", {"rule": "cfr+"}),
    ("prediction, no discounting (PCFR+)", {"rule": "pcfr+"}),
    ("no bootstrapping: samples kept, linear (DREAM)", {"bootstrap": False, "rule": "lcfr"}),
    ("no bootstrapping: samples kept, all alike", {"bootstrap": False, "rule": "cfr"}),
    (
        "no bootstrapping, linear, networks from scratch",
        {"bootstrap": False, "rule": "lcfr", "advantage": {"fresh": True}},
    ),
    ("1 layer", {"network": {"layers": 1}}),
    ("2 layers", {"network": {"layers": 2}}),
    ("5 layers", {"network": {"layers": 5}}),
    ("width 128", {"network": {"width": 128}}),
    ("no skip, no norm", {"network": {"skip": False, "norm": False}}),
    ("running mean of weights (Polyak 0.99)", {"advantage": {"polyak": 0.99}}),
    ("learning rate falls to a tenth", {"advantage": {"last_rate": 0.1}}),
    ("exploration 0.6 to 0.2 in 50 iterations", {"epsilon": {"start": 0.6, "end": 0.2, "until": 50}}),
]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    verbs = parser.add_subparsers(dest="verb", required=True)

    def verb(name: str, seconds: float, device: str = "cpu") -> argparse.ArgumentParser:
        found = verbs.add_parser(name)
        found.add_argument("--seconds", type=float, default=seconds)
        found.add_argument("--seeds", type=_seeds, default=SEEDS)
        found.add_argument("--device", default=device)
        found.add_argument("--workers", type=int, default=1, help="threads that walk")
        found.add_argument("--set", action="append", default=[], dest="changes", metavar="KEY=VALUE")
        found.add_argument("--json", type=Path, default=Path(f"deep-{name}.json"))
        return found

    kuhn = verb("kuhn", 1e9)
    kuhn.add_argument("--iterations", type=int, default=3000)
    cpu = verb("cpu", 560.0)
    cpu.add_argument("--cores", type=int, default=2, help="for each seed, and for OpenSpiel's")
    cpu.add_argument(
        "--at-once", type=int, default=0, help="runs at a time; 0: as many as there are cores for"
    )
    cpu.add_argument("--together", action="store_true", help="all seeds side by side in one process")
    cpu.add_argument("--no-peer", action="store_true")
    one = verb("one", 560.0)  # a run of `cpu`, in a process of its own
    one.add_argument("--peer", action="store_true")
    one.add_argument("--threads", type=int, default=1)
    gpu = verb("gpu", 540.0, "cuda")
    gpu.add_argument("--which", default="pdcfr+", choices=sorted(CHOSEN))
    gpu.add_argument(
        "--every", type=float, default=30.0, help="seconds between measurements of kept networks"
    )
    ablations = verb("ablations", 500.0, "cuda")
    ablations.add_argument("--base", default="pdcfr+", choices=sorted(CHOSEN))
    ablations.add_argument("--episodes", type=int, default=1_000_000)
    ablations.add_argument("--only", type=_numbers, default=None, help="which rows, such as 0,3,4")
    speed = verb("speed", 20.0)
    speed.add_argument("--peer-traversals", type=int, default=400)
    rows = verbs.add_parser("rows")
    rows.add_argument("files", nargs="+", type=Path)
    rows.add_argument("--plot", type=Path, help="draw the curves: .png, .svg or .pdf")
    asked = parser.parse_args(arguments)
    if asked.verb == "rows":
        results = [json.loads(path.read_text()) for path in asked.files]
        for result in results:
            print(markdown(result), end="\n\n")
        if asked.plot:
            draw(results, asked.plot)
        return
    work = {"kuhn": _kuhn, "cpu": _cpu, "one": _one, "gpu": _gpu, "ablations": _ablations, "speed": _speed}
    result = {"verb": asked.verb, **machine(), "command": " ".join(sys.argv), **work[asked.verb](asked)}
    asked.json.write_text(json.dumps(result))
    if asked.verb != "one":
        print(markdown(result), flush=True)


def machine() -> Json:
    """Return what a figure has to name: processor, GPU, versions."""
    import torch

    names = [line.split(":")[1].strip() for line in _proc() if line.startswith("model name")]
    return {
        "processor": names[0] if names else platform.processor(),
        "cores": len(os.sched_getaffinity(0)),
        "gpu": torch.cuda.get_device_name(0) if torch.cuda.is_available() else None,
        "torch": torch.__version__,
        "python": platform.python_version(),
    }


def _proc() -> list[str]:
    try:
        return Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return []


def made(settings: Json, asked: Any, seeds: Sequence[int]) -> Any:
    """Return the trainer of some settings, kernels and graphs ready; parts they leave out are not changed."""
    from overbet.solvers.deep.config import DeepConfig
    from overbet.solvers.deep.trainer import DeepTrainer

    run = {"device": asked.device, "workers": asked.workers, "threads": getattr(asked, "threads", 1)}
    values = {**json.loads(json.dumps(settings)), "seeds": list(seeds), "run": run}
    without = tuple(f"{part}." for part, value in settings.items() if value is None)
    changes = [change for change in asked.changes if not change.startswith(without)]
    config = DeepConfig.overridden(values, changes, "benchmark")
    started = time.perf_counter()
    little: Json = {"traversals": 10, "seeds": config.seeds[:1]}
    for part in ("advantage", "policy", "baseline"):
        if getattr(config, part) is not None:
            little[part] = getattr(config, part).model_copy(update={"steps": 1})
    warm = DeepTrainer(config.model_copy(update=little))
    warm.run(1)
    warm.exploitability_of(warm.kept.strategies())
    print(f"# kernels ready in {time.perf_counter() - started:.1f} s", flush=True)
    return DeepTrainer(config)


def followed(trainer: Any, seconds: float, marks: Sequence[int], every: float, most: int = 10**9) -> Json:
    """Train for so many seconds (or iterations); measure at episodes `marks`, every so often, at the end."""
    points: list[Json] = []
    started = looked = time.perf_counter()
    left = sorted(marks)
    learns = bool(trainer.learned)

    def measure(learned: bool) -> None:
        point: Json = {
            "iterations": trainer.iterations,
            "episodes": trainer.episodes,
            "seconds": time.perf_counter() - started,
            "kept": trainer.exploitability_of(trainer.kept.strategies()).tolist(),
        }
        if learned:
            point["learned"] = trainer.exploitability().tolist()
        points.append(point)
        told = [
            f"{kind} {statistics.median(point[kind]):.4f}" for kind in ("kept", "learned") if kind in point
        ]
        print(
            f"# {point['seconds']:7.1f} s  iteration {point['iterations']:5}  "
            f"{point['episodes'] / 1e6:.3f} M episodes  {'  '.join(told)}",
            flush=True,
        )

    while trainer.iterations < most and time.perf_counter() - started < seconds:
        trainer.run(1)
        now = time.perf_counter()
        if left and trainer.episodes >= left[0]:
            left = [mark for mark in left if mark > trainer.episodes]
            measure(learns)
            looked = time.perf_counter()
        elif now - looked >= every or trainer.iterations == 1:
            measure(False)
            looked = time.perf_counter()
    if points[-1]["iterations"] < trainer.iterations or (learns and "learned" not in points[-1]):
        measure(learns)
    return {
        "seeds": list(trainer.config.seeds),
        "config": trainer.config.model_dump(mode="json"),
        "points": points,
        "samples": trainer.samples,
        "train_seconds": trainer.seconds,
    }


def _kuhn(asked: Any) -> Json:
    trainer = made(CHOSEN["kuhn"], asked, asked.seeds)
    marks = [n * 2 * trainer.config.traversals for n in range(50, asked.iterations + 1, 50)]
    return followed(trainer, asked.seconds, marks, 1e9, asked.iterations)


def _gpu(asked: Any) -> Json:
    trainer = made(CHOSEN[asked.which], asked, asked.seeds)
    marks = [*PUBLISHED, 500_000, *range(12_000_000, 200_000_000, 4_000_000)]
    return {"which": asked.which, **followed(trainer, asked.seconds, marks, asked.every)}


def _ablations(asked: Any) -> Json:
    rows, started = [], time.perf_counter()
    chosen = [row for n, row in enumerate(ABLATIONS) if asked.only is None or n in asked.only]
    for n, (name, settings) in enumerate(chosen):
        left = asked.seconds - (time.perf_counter() - started)
        if left <= 0:
            print(f"# no time left for {len(chosen) - n} rows", flush=True)
            break
        print(f"# {name}", flush=True)
        trainer = made({**CHOSEN[asked.base], **settings}, asked, asked.seeds)
        most = -(-asked.episodes // (2 * trainer.config.traversals))
        found = followed(trainer, left, [asked.episodes], 1e9, most)
        found.pop("config")
        rows.append({"name": name, "settings": settings, **found})
    return {"base": asked.base, "episodes": asked.episodes, "rows": rows}


def _one(asked: Any) -> Json:
    if asked.peer:
        return {"peer": True, **their_run(asked.seconds, asked.seeds[0], asked.threads)}
    return followed(made(CHOSEN["cpu"], asked, asked.seeds), asked.seconds, [], 20.0)


def _cpu(asked: Any) -> Json:
    """Run each seed (or all together), and OpenSpiel's, in a process of its own on its own cores."""
    cores = sorted(os.sched_getaffinity(0))
    places = [cores[n : n + asked.cores] for n in range(0, len(cores) - asked.cores + 1, asked.cores)]
    at_once = min(len(places), asked.at_once or len(places)) or 1
    alone = [str(seed) for seed in asked.seeds]
    jobs = [(seeds, False) for seeds in ([",".join(alone)] if asked.together else alone)]
    if not asked.no_peer:
        jobs += [(seed, True) for seed in alone[: 1 if at_once < 2 * len(alone) else None]]
    files = []
    for first in range(0, len(jobs), at_once):
        running = []
        for place, (seeds, peer) in zip(places, jobs[first : first + at_once]):
            file = asked.json.with_name(f"{asked.json.stem}-{'peer' if peer else 'ours'}-{seeds}.json")
            command = [sys.executable, __file__, "one", "--seconds", str(asked.seconds), "--seeds", seeds]
            command += ["--json", str(file), "--workers", str(asked.cores), "--threads", str(asked.cores)]
            command += [f"--set={change}" for change in asked.changes] + (["--peer"] if peer else [])
            log = open(file.with_suffix(".log"), "w")  # noqa: SIM115  # the process has it
            process = subprocess.Popen(
                command,
                stdout=log,
                stderr=subprocess.STDOUT,
                preexec_fn=lambda place=place: os.sched_setaffinity(0, place),
                env={
                    **os.environ,
                    "OMP_NUM_THREADS": str(asked.cores),
                    "NUMBA_NUM_THREADS": str(asked.cores),
                },
            )
            running.append((process, file, peer))
        for process, file, peer in running:
            if process.wait() == 0:
                files.append(file)
            else:
                why = " (is OpenSpiel there?)" if peer else ""
                print(f"# {file.stem} failed{why}: {file.with_suffix('.log')}")
    runs = [json.loads(file.read_text()) for file in files]
    return {"seconds": asked.seconds, "cores_each": asked.cores, "runs": runs}


def their_run(seconds: float, seed: int, threads: int) -> Json:
    """Run OpenSpiel's PyTorch Deep CFR as its example does (deep_cfr_pytorch.py), on Leduc, for so long."""
    import pyspiel
    import torch
    from open_spiel.python import policy

    deep_cfr = their_module()
    torch.set_num_threads(threads)
    deep_cfr.set_seed(seed)
    game = pyspiel.load_game("leduc_poker")
    solver = their_solver(game, seed)
    started, iterations = time.perf_counter(), 0
    while time.perf_counter() - started < max(seconds - THEIR_SECONDS, seconds / 2):
        for player in range(2):
            for _ in range(375):
                solver._traverse_game_tree(solver._root_node, player)
            solver._reinitialize_advantage_network(player)
            solver._learn_advantage_network(player)
        solver._iteration += 1
        iterations += 1
    solver._learn_strategy_network()
    spent = time.perf_counter() - started
    average = policy.tabular_policy_from_callable(game, solver.action_probabilities)
    conv = pyspiel.nash_conv(game, policy.python_policy_to_pyspiel_policy(average))
    print(f"# OpenSpiel: {iterations} iterations, {spent:.0f} s, exploitability {conv / 2:.4f}", flush=True)
    return {"seed": seed, "iterations": iterations, "seconds": spent, "exploitability": conv / 2}


def their_module() -> Any:
    """Return OpenSpiel's module; of the package dm-tree it needs one function, which PyTorch has too."""
    try:
        import tree  # noqa: F401
    except ImportError:
        from torch.utils import _pytree

        module = ModuleType("tree")
        module.__spec__ = ModuleSpec("tree", None)
        module.map_structure = _pytree.tree_map  # type: ignore[attr-defined]
        sys.modules["tree"] = module
    from open_spiel.python.pytorch import deep_cfr

    return deep_cfr


def their_solver(game: Any, seed: int) -> Any:
    return their_module().DeepCFRSolver(
        game,
        policy_network_layers=(64,),
        advantage_network_layers=(64,),
        num_iterations=101,
        num_traversals=375,
        reinitialize_advantage_networks=True,
        learning_rate=1e-3,
        batch_size_advantage=256,
        batch_size_strategy=256,
        memory_capacity=100_000,
        policy_network_train_steps=2500,
        advantage_network_train_steps=375,
        seed=seed,
    )


def _speed(asked: Any) -> Json:
    """Time traversals of external sampling on Leduc, in turn with OpenSpiel's, one thread."""
    import pyspiel
    import torch

    from overbet.solvers.deep.config import DeepConfig
    from overbet.solvers.deep.trainer import DeepTrainer

    torch.set_num_threads(1)
    theirs = their_solver(pyspiel.load_game("leduc_poker"), 0)
    config = DeepConfig.named("deep-cfr", game="leduc", seeds=[0], traversals=20_000)
    ours = DeepTrainer(config)
    ours.step()  # networks that play something else than all alike, kernels compiled
    rounds: list[tuple[float, float, float, float]] = []
    ends = time.perf_counter() + asked.seconds
    number = 1
    while time.perf_counter() < ends or len(rounds) < 3:
        before, started = their_count(theirs), time.thread_time()
        for _ in range(asked.peer_traversals):
            theirs._traverse_game_tree(theirs._root_node, number % 2)
        spent = time.thread_time() - started
        rates = [asked.peer_traversals / spent, (their_count(theirs) - before) / spent]
        kept, started = our_count(ours), time.thread_time()
        number += 1
        for found in ours._walk(number % 2, number):
            ours._take(0, number % 2, found, number)
        spent = time.thread_time() - started
        rates += [config.traversals / spent, (our_count(ours) - kept) / spent]
        rounds.append(tuple(rates))  # type: ignore[arg-type]
    best = np.array(rounds).max(axis=0).tolist()
    return {"rounds": len(rounds), "theirs": best[:2], "ours": best[2:]}


def their_count(solver: Any) -> int:
    """Return the samples that have come by OpenSpiel's memories."""
    buffers = [*solver.advantage_buffers, solver.strategy_buffer]
    return sum(int(buffer.add_calls) for buffer in buffers if buffer is not None)


def our_count(trainer: Any) -> int:
    """Return the samples that have come by our memories."""
    memories = [own.memory for own in (*trainer.regrets, *trainer.learned)]
    return sum(sum(memory.seen) for memory in memories)


def markdown(result: Json) -> str:
    """Return the rows of a result's table."""
    verb = result["verb"]
    where = result["gpu"] if verb in ("gpu", "ablations") and result["gpu"] else result["processor"]
    head = [f"{where}, PyTorch {result['torch']}: `{_short(result['command'])}`", ""]
    if verb == "ablations":
        table = ["| change | episodes | policy network | kept networks | seconds |", "|---|---|---|---|---|"]
        for row in result["rows"]:
            last = row["points"][-1]
            cells = [spread(last.get("learned", [])), spread(last["kept"]), f"{last['seconds']:.0f}"]
            table.append(f"| {row['name']} | {last['episodes']:,} | {' | '.join(cells)} |")
        return "\n".join(head + table)
    if verb == "speed":
        table = ["| a second, one thread | OpenSpiel | ours | ratio |", "|---|---|---|---|"]
        for name, their, our in zip(("traversals", "samples kept"), result["theirs"], result["ours"]):
            table.append(f"| {name} | {their:,.0f} | {our:,.0f} | {our / their:,.0f} |")
        return "\n".join(head + table)
    if verb == "cpu":
        table = ["| run | seconds | episodes | exploitability |", "|---|---|---|---|"]
        ours = [run for run in result["runs"] if not run.get("peer")]
        theirs = [run for run in result["runs"] if run.get("peer")]
        if ours:
            ends = [run["points"][-1] for run in ours]
            seconds = statistics.median(end["seconds"] for end in ends)
            episodes = spread([end["episodes"] / 1e6 for end in ends], "{:.2f}")
            values = spread([one for end in ends for one in end["kept"]])
            count = sum(len(run["seeds"]) for run in ours)
            table.append(f"| ours, {count} seeds | {seconds:.0f} | {episodes} M | {values} |")
        if theirs:
            seconds = statistics.median(run["seconds"] for run in theirs)
            games = spread([run["iterations"] * 750 / 1e6 for run in theirs], "{:.3f}")
            values = spread([run["exploitability"] for run in theirs])
            table.append(
                f"| OpenSpiel's Deep CFR, {len(theirs)} seeds | {seconds:.0f} | {games} M | {values} |"
            )
        if ours:
            table += [
                "",
                "| episodes, at most | published, Deep PDCFR+ | ours | seconds |",
                "|---|---|---|---|",
            ]
        for mark, figure in PUBLISHED.items() if ours else ():
            points = [_before(run["points"], mark) for run in ours]
            if all(point["episodes"] > 0.9 * mark - 2e5 for point in points):
                seconds = statistics.median(point["seconds"] for point in points)
                values = spread([one for point in points for one in point["kept"]])
                table.append(f"| {mark:,} | {figure:.3f} | {values} | {seconds:.0f} |")
        return "\n".join(head + table)
    table = [
        "| episodes | iterations | seconds | published | policy network | kept networks |",
        "|---|---|---|---|---|---|",
    ]
    points = result["points"]
    shown = [p for p in points if any(_just(p, mark, points) for mark in PUBLISHED) or p is points[-1]]
    if verb == "kuhn":
        shown = [p for p in points if p["iterations"] in (100, 200, 500, 1000, 2000, 3000) or p is points[-1]]
        for n in range(len(result["seeds"])):
            below = [p["iterations"] for p in points if p["kept"][n] < 0.01]
            head.insert(
                -1, f"seed {result['seeds'][n]}: first under 0.01 at iteration {min(below, default=None)}  "
            )
    for point in shown:
        marks = [figure for mark, figure in PUBLISHED.items() if verb == "gpu" and _just(point, mark, points)]
        cells = [f"{point['episodes']:,}", f"{point['iterations']:,}", f"{point['seconds']:.0f}"]
        cells += [f"{marks[0]:.3f}" if marks else "", spread(point.get("learned", [])), spread(point["kept"])]
        table.append(f"| {' | '.join(cells)} |")
    return "\n".join(head + table)


def _just(point: Json, mark: int, points: list[Json]) -> bool:
    """Tell whether a point is the first at so many episodes."""
    return point["episodes"] >= mark and all(
        p["episodes"] < mark or p["episodes"] >= point["episodes"] for p in points
    )


def _before(points: list[Json], episodes: float) -> Json:
    """Return the last point at no more episodes."""
    return [point for point in points if point["episodes"] <= episodes or point is points[0]][-1]


def _short(command: str) -> str:
    parts = command.split(" ")
    return "python benchmarks/deep.py " + " ".join(parts[1:])


def spread(values: Sequence[float], form: str = "{:.4f}") -> str:
    """Return the median and the range of seeds."""
    if not values:
        return ""
    middle, low, high = (form.format(f(values)) for f in (statistics.median, min, max))
    return f"{middle} ({low}-{high})" if len(values) > 1 else middle


def draw(results: list[Json], path: Path) -> None:
    """Draw the medians over seeds by episodes, and the published curve; of Kuhn also the range of seeds."""
    from overbet.cards.curves import plot_curves

    curves: dict[str, tuple[list[float], list[float]]] = {}
    if [result["verb"] for result in results] == ["kuhn"]:
        points = [point for point in results[0]["points"] if point["iterations"] > 1]
        for label, over_seeds in (
            ("highest of the seeds", max),
            ("median", statistics.median),
            ("lowest", min),
        ):
            at = [float(point["iterations"]) for point in points]
            curves[label] = at, [float(over_seeds(point["kept"])) for point in points]
        count = len(results[0]["seeds"])
        plot_curves(path, curves, "iterations", "exploitability (chips)", f"Kuhn, {count} seeds")
        return
    for result in results:
        if result["verb"] == "cpu":
            ours = [run for run in result["runs"] if not run.get("peer")]
            points = list(zip(*(run["points"][1:] for run in ours)))  # measured every so many seconds
            at = [statistics.median(one["episodes"] for one in alike) for alike in points]
            values = [statistics.median(v for one in alike for v in one["kept"]) for alike in points]
            config = ours[0]["config"]
            curves[f"{config['algorithm']}, {config['batches']} batches, kept networks"] = (at, values)
        if "points" not in result:
            continue
        for kind, words in (("learned", "policy network"), ("kept", "kept networks")):
            points = [point for point in result["points"] if kind in point and point["iterations"] > 1]
            if points:
                config = result["config"]
                label = f"{config['algorithm']}, {config['batches']} batches, {words}"
                curves[label] = (
                    [point["episodes"] for point in points],
                    [statistics.median(point[kind]) for point in points],
                )
    curves["Deep PDCFR+, published"] = ([float(n) for n in PUBLISHED], list(PUBLISHED.values()))
    plot_curves(path, curves, "episodes", "exploitability (chips)", "Leduc, median of seeds")


def _seeds(text: str) -> tuple[int, ...]:
    """Read 0-4, or 0,1,7."""
    if "-" in text:
        first, last = text.split("-")
        return tuple(range(int(first), int(last) + 1))
    return _numbers(text)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


if __name__ == "__main__":
    main()
