"""A small good file of every kind we write, and a reader that returns all it answers.

`read` returns a value that is equal for equal contents, bit for bit; a file that is passed over, as a damaged
checkpoint or board is, counts as refused and raises.
"""

from __future__ import annotations

import importlib.util
import io
import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from overbet.errors import ArtefactError

RIVER: dict[str, Any] = {
    "board": "KsTh7s4d2c",
    "pot": 100,
    "stacks": 300,
    "ranges": {"oop": "AA,KQs,76s", "ip": "TT,AKs,87s:0.5"},
    "bets": {"every": {"bet": "50%, a", "raise": "60%, a"}},
    "solve": {"iterations": 10, "target": 0, "device": "cpu"},
}
TURN: dict[str, Any] = {
    "board": "Qs8h4d2c",
    "pot": 60,
    "stacks": 170,
    "big_blind": 10,
    "ranges": {"oop": "QQ,AQs,76s,AhKh", "ip": "88,KQs,T9s:0.5"},
    "bets": {"turn": {"bet": "75%", "raise": "60%"}, "river": {"bet": "75%"}},
    "solve": {"iterations": 10, "target": 0, "device": "cpu"},
}
PUSH: dict[str, Any] = {
    "name": "push",
    "game": {"players": 2, "stack_bb": 10},
    "menu": {"preflop": {"sizes": ["a"], "raises": 1, "limp": False}},
    "cards": {"kind": "preflop"},
    "solver": {"rule": "linear", "discount_every": 1000, "mode": "deterministic", "batch": 100},
    "iterations": 500,
    "run": {"workers": 1, "report_seconds": 1},
}
KEYED: dict[str, Any] = {
    **PUSH,
    "game": {"players": 3, "stack_bb": 10},
    "solver": {"tables": "keyed", "capacity": 4000, "discount_every": 1000},
}
HAND = """\
variant = 'NT'
ante_trimming_status = true
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [1000, 2000, 3000]
actions = [
  'd dh p1 AhKh', "d dh p2 ????", 'd dh p3 7c2d',
  'p3 f', 'p1 cbr 300 # a raise', 'p2 cc', 'd db Td6h3s', 'p1 cc', 'p2 cbr 1700', 'p1 cc',
  'p1 sm AhKh', 'p2 sm QsQd', 'd db Jc', 'd db 2h',
]
players = ['Ann', 'Ben', 'Cy']
finishing_stacks = [0, 3000, 3000]
"""


@dataclass(frozen=True)
class Kind:
    """A kind of file. write: makes a sample in a folder and returns the file; read: what a file answers."""

    name: str
    write: Callable[[Path], Path]
    read: Callable[[Path], Any]


def bits(value: Any) -> Any:
    """Return a value that compares as bits: arrays as type, shape and bytes, and numbers by `repr`."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, np.ascontiguousarray(value).tobytes()
    if isinstance(value, dict):
        return {str(key): bits(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [bits(inner) for inner in value]
    return repr(value)


# -- solved spots


def write_solution(folder: Path, spot: dict[str, Any] = RIVER, streets: int | None = None) -> Path:
    """Write a solved spot."""
    import overbet

    path = folder / "solution.h5"
    overbet.solve(spot).save(path, streets)
    return path


def read_solution(path: Path, *, resume: bool = True) -> Any:
    """Return the tables, everything about the solve, and the answers at some lines."""
    from overbet.solvers.vector.store import read
    from overbet.solvers.vector.tables import parts

    saved = read(path, resume=resume)
    solution = load_solution(path)
    tables = [
        {name: array for table in group for name, array in parts(table).items()}
        for group in (saved.tables.average, saved.tables.regret or (), saved.tables.play or ())
    ]
    lines = solution.lines()[:3]
    shown = [[solution.node(line).seat().frequencies(), solution.node(line).pot] for line in lines]
    facts = [saved.spot.model_dump(), saved.settings.model_dump(), saved.history, saved.last_street]
    return bits([tables, shown, lines, facts, saved.interrupted, [lock.model_dump() for lock in saved.locks]])


def load_solution(path: Path) -> Any:
    """Open a solution as a user does."""
    import overbet

    return overbet.load(path)


# -- training


def write_run(folder: Path, config: dict[str, Any] = PUSH) -> Path:
    """Train for a moment and return the run's folder: config, metrics, one checkpoint, blueprint."""
    from overbet.blueprint.config import BlueprintConfig
    from overbet.blueprint.run import Run

    run = folder / "run"
    Run.start(run, BlueprintConfig.parse(config, "sample")).go(workers=1)
    return run


def write_blueprint(folder: Path, config: dict[str, Any] = PUSH) -> Path:
    """Write a blueprint."""
    return write_run(folder, config) / "blueprint.h5"


def read_blueprint(path: Path) -> Any:
    """Return the whole strategy, the manifest and the config."""
    from overbet.blueprint.query import Blueprint

    blueprint = Blueprint.load(path)
    facts = [blueprint.manifest, blueprint.config.model_dump()]
    lines = ["r:0", "r:0:b1000"] if blueprint.game.num_players == 2 else ["r:0", "r:0:f", "r:0:b1000"]
    rows = [blueprint.strategy_for_all_hands(line, allow_missing=True) for line in lines]
    return bits([facts, rows, [blueprint.strategy_by_bucket(line) for line in lines]])


def write_checkpoint(folder: Path) -> Path:
    """Write a run and return its only checkpoint."""
    from overbet.blueprint.checkpoint import checkpoints

    (found,) = checkpoints(write_run(folder))
    return found


def read_checkpoint(path: Path) -> Any:
    """Resume the run of a checkpoint and return its tables and counts."""
    from overbet.blueprint.checkpoint import resume

    found = resume(path.parent)
    if found.notes or not found.trainer.iterations:
        raise ArtefactError("the checkpoint was passed over")
    trainer = found.trainer
    return bits([dict(trainer.arrays), trainer.iterations, trainer.seconds, trainer.core_seconds])


def write_blueprint_json(folder: Path) -> Path:
    """Write a blueprint as JSON."""
    from overbet.blueprint.exchange import export_json
    from overbet.blueprint.query import Blueprint

    export_json(Blueprint.load(write_blueprint(folder)), folder / "blueprint.json")
    return folder / "blueprint.json"


def read_blueprint_json(path: Path) -> Any:
    """Return what an imported blueprint holds."""
    from overbet.blueprint.exchange import import_json

    found = import_json(path)
    return bits([found.rows_of_255ths(), found.manifest, found.config.model_dump()])


def write_buckets(folder: Path) -> Path:
    """Write buckets that mean nothing, in the compact form; being alike they take little room."""
    from overbet.abstraction.bucket_config import BucketsConfig
    from overbet.abstraction.bucket_files import save_buckets
    from overbet.abstraction.buckets import Buckets

    config = BucketsConfig(flop=4, turn=4, river=4, feature="strength")
    flop = (np.arange(1_286_792) // 400_000).astype(np.uint16)
    turn = (np.arange(13_960_050) // 4_000_000).astype(np.uint16)
    rule = (np.arange(1981) * 4 // 1981).astype(np.uint16)
    return save_buckets(Buckets(config, flop, turn, rule), folder / "buckets.h5", compact=True)


def read_buckets(path: Path) -> Any:
    """Return tables, rule, config and report."""
    from overbet.abstraction.bucket_files import load_buckets

    found = load_buckets(path)
    return bits(
        [found.config.model_dump(), found.flop, found.turn, found.river_rule, found.hash, found.report]
    )


# -- small games


def _write_policy(folder: Path, name: str) -> Path:
    from overbet.solvers.tabular import TabularSolver

    solver = TabularSolver("kuhn")
    solver.run(20)
    solver.policy().save(folder / name)
    return folder / name


def write_policy_parquet(folder: Path) -> Path:
    """Write a policy as Parquet."""
    return _write_policy(folder, "policy.parquet")


def write_policy_json(folder: Path) -> Path:
    """Write a policy as JSON."""
    return _write_policy(folder, "policy.json")


def read_policy(path: Path) -> Any:
    """Return a policy's numbers, where it is from, and how good it is."""
    from overbet.solvers.policy import TabularPolicy

    found = TabularPolicy.load(path)
    return bits([found.game.name, found.probabilities, dict(found.origin), found.exploitability()])


def write_sampling(folder: Path) -> Path:
    """Write a sampling run."""
    from overbet.solvers.sampling import SamplingSolver

    solver = SamplingSolver("kuhn", seed=1)
    solver.run(500)
    solver.save(folder / "run.h5")
    return folder / "run.h5"


def read_sampling(path: Path) -> Any:
    """Return a sampling run's table, config and count."""
    from overbet.solvers.sampling import SamplingSolver

    found = SamplingSolver.load(path)
    return bits([found.flat.name, found.table, found.iterations, found.config.model_dump()])


# -- the others

BOARDS = ("KsTh7s4d2c", "KsTh7s4d3c")


def write_batch(folder: Path) -> Path:
    """Write a batch and return the file of one board."""
    from overbet.solvers.vector.batches.batch import solve_batch

    solve_batch(RIVER, list(BOARDS), folder / "batch")
    return folder / "batch" / "boards" / f"{BOARDS[0]}.json"


def write_batch_head(folder: Path) -> Path:
    """Write a batch and return the file that says what it is of."""
    return write_batch(folder).parent.parent / "batch.json"


def read_batch(path: Path) -> Any:
    """Return a batch's rows; a board that would be solved again was refused."""
    from overbet.solvers.vector.batches.batch import solve_batch

    folder = path.parent if path.name == "batch.json" else path.parent.parent
    found = solve_batch(RIVER, list(BOARDS), folder, progress=lambda state: not state.board)
    if found.interrupted:
        raise ArtefactError("a board was passed over")
    return bits([found.rows, found.lines, found.to_polars().rows(), found.averages()])


def write_report(folder: Path) -> Path:
    """Write a batch's report to one file."""
    from overbet.solvers.vector.batches.batch import load_batch as opened

    return opened(write_batch(folder).parent.parent).save(folder / "report.h5", "a minute")


def read_report(path: Path) -> Any:
    """Open a report and ask it at a line."""
    from overbet.solvers.vector.batches.packed import load_report

    found = load_report(path)
    return bits([found.rows, found.lines, found.boards, found.averages(), found.cost])


def write_batch_set(folder: Path) -> Path:
    """Write a batch and return the file that says which boards were asked for."""
    return write_batch(folder).parent.parent / "set.json"


def load_batch(path: Path) -> Any:
    """Open a batch's folder as users do."""
    import overbet

    found = overbet.load(path.parent, overbet.Batch)
    if not found.complete:
        raise ArtefactError("a board was passed over")
    return bits([found.rows, found.lines, found.boards, found.to_polars().rows(), found.averages()])


def write_preflop(folder: Path) -> Path:
    """Copy the shipped preflop table."""
    from importlib import resources

    shipped = resources.files("overbet.cards") / "data"
    (name,) = [file.name for file in shipped.iterdir() if file.name.startswith("preflop.")]
    path = folder / name
    path.write_bytes((shipped / name).read_bytes())
    return path


def read_preflop(path: Path) -> Any:
    """Return the counts of a preflop table."""
    from overbet.cards.preflop import read_counts

    return bits(read_counts(path))


def write_ledger(folder: Path) -> Path:
    """Write a ledger of two measurements."""
    from overbet.evaluation.ledger import append
    from overbet.evaluation.statistics import Estimate

    path = folder / "ledger.sqlite"
    for seed in (1, 2):
        numbers = np.arange(50.0) * seed
        append(
            "match", "tag", Estimate(1.5, 0.5, 2.0, 50), against="lag", seed=seed, values=numbers, path=path
        )
    return path


def read_ledger(path: Path) -> Any:
    """Return every measurement with its values, and compare two."""
    from overbet.evaluation.ledger import compare, rows, values

    found = rows(path=path)
    shown = [[row.facts(), values(row.number, path)] for row in found]
    return bits([shown, compare(1, 2, path).difference])


def write_archive(folder: Path) -> Path:
    """Write an archive of three files with two hands each."""
    path = folder / "hands.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for number in range(3):
            content = f"[1]\n{HAND}\n[2]\n{HAND}".encode()
            member = tarfile.TarInfo(f"hands/{number}.phhs")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


def read_archive(path: Path) -> Any:
    """Return every hand; a fault that is told is a refusal."""
    from overbet.interfaces.history.record import HandFault
    from overbet.interfaces.history.sources import read_hands

    hands = list(read_hands(path))
    for hand in hands:
        if isinstance(hand, HandFault):
            raise ArtefactError(str(hand))
    return bits(hands)


def made(name: str, root: Path) -> tuple[Path, Path]:
    """Return the folder of a sample and the file in it, written once for all targets of a scratch folder."""
    folder, note = root / name, root / f"{name}.txt"
    if not note.exists():
        folder.mkdir(parents=True, exist_ok=True)
        file = KINDS[name].write(folder)
        note.write_text(str(file.relative_to(folder)))
    return folder, folder / note.read_text()


def write_deep_network(folder: Path) -> Path:
    """Write small networks of Kuhn poker that play all alike."""
    from overbet.games.registry import make_game
    from overbet.solvers.deep.network_file import NetworkFile
    from overbet.solvers.deep.networks import NetworkShape
    from overbet.solvers.policy_io import game_digest
    from overbet.tree.flat import flatten

    shape = NetworkShape(10, 2, 1, 4, False, True)
    arrays = {name: np.full(size, 0.25, np.float32) for name, size in shape.expected().items()}
    digest = game_digest(flatten(make_game("kuhn")))
    networks = NetworkFile("kuhn", digest, "kuhn", "shares", (shape, shape), (arrays, arrays), {"seed": 1})
    networks.save(folder / "network.h5")
    return folder / "network.h5"


def read_deep_network(path: Path) -> Any:
    """Return the networks, what they are of, and the policy they play."""
    from overbet.solvers.deep.network_file import NetworkFile
    from overbet.solvers.deep.policy_networks import network_policy

    networks = NetworkFile.load(path)
    facts = [networks.game, networks.encoder, networks.says, networks.shapes, dict(networks.origin)]
    return bits([facts, list(networks.networks), network_policy(path).probabilities])


def write_deep_checkpoint(folder: Path) -> Path:
    """Train networks on Kuhn poker for a moment and return the run's only checkpoint."""
    from overbet.runs.folder import checkpoints
    from overbet.solvers.deep.config import DeepConfig
    from overbet.solvers.deep.run import DeepRun

    little = {"steps": 2, "batch": 16}
    parts = {"advantage": little, "policy": little, "baseline": little}
    settings: dict[str, Any] = {"game": "kuhn", "iterations": 1, "traversals": 20, **parts}
    settings |= {"network": {"layers": 1, "width": 4}, "memory": {"regrets": 100, "strategies": 100}}
    DeepRun.start(folder / "run", DeepConfig.named("deep-pdcfr+", **settings)).go()
    (found,) = checkpoints(folder / "run")
    return found


def read_deep_checkpoint(path: Path) -> Any:
    """Return the whole state of the run of a checkpoint."""
    from overbet.solvers.deep.run import look_at

    trainer = look_at(path)
    return bits([trainer.arrays(), trainer.iterations, trainer.seconds, trainer.samples])


def _deep() -> tuple[Kind, ...]:
    """Return the kinds that need PyTorch, where it is."""
    there = importlib.util.find_spec("torch") is not None
    return (Kind("deep-checkpoint", write_deep_checkpoint, read_deep_checkpoint),) if there else ()


def write_holdem_network(folder: Path) -> Path:
    """Write a small network of heads-up push or fold."""
    from tests.blueprint.networks import write_small

    return write_small(folder / "network.h5", "push")


def read_holdem_network(path: Path) -> Any:
    """Return the network, how it was made, and what it plays."""
    from overbet.blueprint.network.files import load_network
    from overbet.blueprint.network.net import hands_of_street

    file = load_network(path)
    net = file.net
    hands = hands_of_street(net.encoder.rows(np.zeros((1, 5), np.int8), [True, False, False, False]), 0, 0)
    facts = [file.what, file.manifest, file.config.model_dump()]
    return bits([facts, dict(net.arrays), net.shares(0, net.of_hands(0, hands))])


KINDS = {
    kind.name: kind
    for kind in (
        Kind("solution", write_solution, read_solution),
        Kind("solution-whole-turn", lambda folder: write_solution(folder, TURN), read_solution),
        Kind(
            "solution-turn",
            lambda folder: write_solution(folder, TURN, streets=1),
            lambda path: read_solution(path, resume=False),
        ),
        Kind("blueprint", write_blueprint, read_blueprint),
        Kind("blueprint-keyed", lambda folder: write_blueprint(folder, KEYED), read_blueprint),
        Kind("blueprint-json", write_blueprint_json, read_blueprint_json),
        Kind("checkpoint", write_checkpoint, read_checkpoint),
        Kind("buckets", write_buckets, read_buckets),
        Kind("policy-parquet", write_policy_parquet, read_policy),
        Kind("policy-json", write_policy_json, read_policy),
        Kind("sampling-run", write_sampling, read_sampling),
        Kind("deep-network", write_deep_network, read_deep_network),
        Kind("holdem-network", write_holdem_network, read_holdem_network),
        *_deep(),
        Kind("batch-board", write_batch, read_batch),
        Kind("batch-head", write_batch_head, read_batch),
        Kind("batch-set", write_batch_set, load_batch),
        Kind("batch-report", write_report, read_report),
        Kind("preflop-table", write_preflop, read_preflop),
        Kind("ledger", write_ledger, read_ledger),
        Kind("archive", write_archive, read_archive),
    )
}
