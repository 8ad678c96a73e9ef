"""What a run of self-play or of distillation needs to go on: networks, what Adam remembers, and the
reservoir.

The file lies beside the network that is played, `net.h5` and `net.state.h5`. A run of self-play that was
stopped and taken up again is, on one thread of a CPU and with iterations for its end, the run that was not
stopped, bit for bit. Distillation draws its samples anew and goes on from the weights.

Head: overbet, what, config, facts. Arrays: `NET.weight.ARRAY`, `NET.first.ARRAY`, `NET.second.ARRAY` for
every network, and `memory.ARRAY`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from overbet import artefact
from overbet._version import __version__
from overbet.blueprint.network.distil import DistilConfig, Distillation
from overbet.blueprint.network.files import encoder_of
from overbet.blueprint.network.memory import PolicyMemory
from overbet.blueprint.network.self_play import SelfPlay, SelfPlayConfig
from overbet.errors import ArtefactError
from overbet.solvers.deep.torch_loading import the_torch

KIND = artefact.Kind("network state", 1, "begin the run again without --resume")
SELF_PLAY, DISTILLED = "self-play", "distilled"
Array = npt.NDArray[Any]


def state_path(network: str | Path) -> Path:
    """Return where the state of a network's run lies."""
    return Path(network).with_suffix(".state.h5")


def save_state(path: str | Path, run: SelfPlay | Distillation) -> None:
    """Write the state of a run, atomically."""
    facts: dict[str, Any] = {"seconds": run.seconds}
    arrays: dict[str, Array] = {}
    if isinstance(run, SelfPlay):
        what = SELF_PLAY
        facts |= {"iteration": run.iteration, "kept": run.memory.kept, "seen": run.memory.seen}
        arrays |= {
            f"memory.{name}": array[: run.memory.kept].cpu().numpy()
            for name, array in run.memory.arrays.items()
        }
    else:
        what = DISTILLED
        facts |= {"steps": run.steps, "samples": run.samples, "turn": run.turn}
    for name, (net, adam) in run.networks().items():
        facts[f"{name}.steps"] = adam.steps
        for place, (part, weights) in enumerate(net.parameters.items()):
            arrays[f"{name}.weight.{part}"] = weights.detach().cpu().numpy()
            arrays[f"{name}.first.{part}"] = adam.first[place].cpu().numpy()
            arrays[f"{name}.second.{part}"] = adam.second[place].cpu().numpy()
    head = {
        "overbet": __version__,
        "what": what,
        "config": run.config.model_dump(mode="json"),
        "facts": facts,
    }
    artefact.write(path, KIND, head, arrays, level=1)


def load_self_play(path: str | Path, changes: dict[str, Any] | None = None) -> SelfPlay:
    """Return a run of self-play as it was left; changes: settings in place of those of the file."""
    with artefact.opened(path, KIND) as file:
        config = SelfPlayConfig.parse({**_config(file, SELF_PLAY), **(changes or {})}, str(path))
        run = SelfPlay(config, encoder_of(config.network))
        facts = _facts(file, run)
        run.iteration, run.memory.seen = facts["iteration"], facts["seen"]
        _remember(file, run.memory, facts["kept"])
    return run


def load_distillation(path: str | Path, run: Distillation) -> None:
    """Give a new distillation of the same blueprint the weights and steps of a file."""
    with artefact.opened(path, KIND) as file:
        DistilConfig.parse(_config(file, DISTILLED), str(path))
        facts = _facts(file, run)
        run.steps, run.samples, run.turn = facts["steps"], facts["samples"], facts["turn"]


def _config(file: artefact.Artefact, what: str) -> dict[str, Any]:
    with file.parsing():
        if file.head["what"] != what:
            raise ArtefactError(
                f"{file.path} is the state of another kind of run ({str(file.head['what'])[:20]}), not {what}"
            )
        return dict(file.head["config"])


def _facts(file: artefact.Artefact, run: SelfPlay | Distillation) -> dict[str, int]:
    """Take seconds, weights and what Adam remembers; return the whole numbers."""
    torch = the_torch()
    with file.parsing():
        told = dict(file.head["facts"])
        run.seconds = float(told.pop("seconds"))
        facts = {str(name): int(value) for name, value in told.items()}
        if min(facts.values()) < 0 or not run.seconds >= 0.0:
            raise ValueError("a count below 0")
        steps = {name: facts[f"{name}.steps"] for name in run.networks()}
    for name, (net, adam) in run.networks().items():
        adam.steps = steps[name]
        for place, (part, weights) in enumerate(net.parameters.items()):
            shape = cast(tuple[int | None, ...], tuple(weights.shape))
            for kind, target in (
                ("weight", weights),
                ("first", adam.first[place]),
                ("second", adam.second[place]),
            ):
                array = file.array(f"{name}.{kind}.{part}", np.float32, shape)
                if not np.isfinite(array).all():
                    raise file.damaged("its weights are not finite")
                with torch.no_grad():
                    target.copy_(torch.from_numpy(array))
    return facts


def _remember(file: artefact.Artefact, memory: PolicyMemory, kept: int) -> None:
    torch = the_torch()
    if kept > memory.size:
        raise file.damaged("its reservoir is larger than its config says")
    for name, array in memory.arrays.items():
        shape = cast(tuple[int | None, ...], (kept, *array.shape[1:]))
        kind = {torch.float16: np.float16, torch.int8: np.int8, torch.int32: np.int32}[array.dtype]
        array[:kept] = torch.from_numpy(file.array(f"memory.{name}", kind, shape)).to(array.device)
    memory.kept = kept
