"""What a page orders to be run: training, a match, LBR, a scorecard; checked, and as a command line.

A value that cannot be used is a fault at its field, in words. What is kept of an order is all that the worker
needs: specs of agents, a config, a folder below the data folder.
"""

from __future__ import annotations

import shlex
from typing import Annotated, Any, Literal

import pydantic
from pydantic import ConfigDict, Field, FiniteFloat

from overbet.abstraction.bucket_files import find_buckets
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.preset_configs import preset_names, preset_path
from overbet.config import read_override
from overbet.errors import ConfigError, OverbetError
from overbet.interfaces.web.agent_choices import spec_of
from overbet.interfaces.web.blueprint_library import BlueprintLibrary, slug
from overbet.interfaces.web.faults import Fault, place_of, words_of
from overbet.interfaces.web.folder import RUNS, DataFolder
from overbet.interfaces.web.work.jobs import Kind

Seed = Annotated[int, Field(ge=0, lt=2**63)]
Hands = Annotated[int, Field(ge=2, le=1_000_000_000)]
Blinds = Annotated[FiniteFloat, Field(ge=1, le=10_000)]
AgentId = Annotated[str, Field(max_length=80)]


class _Order(pydantic.BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class TrainingOrder(_Order):
    """Train a strategy from a preset. settings: overrides such as `solver.rule=linear`."""

    preset: Annotated[str, Field(max_length=60)]
    name: Annotated[str, Field(max_length=48)] = ""
    iterations: Annotated[int, Field(ge=1, le=10**12)] | None = None
    seed: Seed | None = None
    workers: Annotated[int, Field(ge=0, le=256)] = 0
    settings: Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=40)] = []


class MatchOrder(_Order):
    """Play agents against each other; the first is the measured one."""

    agents: Annotated[list[AgentId], Field(min_length=1, max_length=9)]
    hands: Hands = 10_000
    seed: Seed = 0
    seats: Annotated[int, Field(ge=2, le=10)] | None = None
    stack_bb: Blinds | None = None


class LbrOrder(_Order):
    """Measure what the local best response wins from an agent, heads-up."""

    agent: AgentId
    bets: Literal["fc", "fcpa", "56", "all"] = "fcpa"
    streets: Literal["all", "turn,river"] = "all"
    hands: Hands = 20_000
    seed: Seed = 1
    stack_bb: Blinds | None = None


class ScorecardOrder(_Order):
    """Measure an agent against all scripted ones and against LBR."""

    agent: AgentId
    hands: Hands = 100_000
    lbr_hands: Hands = 20_000
    seed: Seed = 0


ORDERS: dict[str, type[_Order]] = {
    "train": TrainingOrder,
    "match": MatchOrder,
    "lbr": LbrOrder,
    "scorecard": ScorecardOrder,
}


class CheckedOrder(pydantic.BaseModel):
    """An order that can be run. values: what the worker gets; asked: what the form held."""

    kind: Kind
    name: str
    command: str
    values: dict[str, Any]
    asked: dict[str, Any]


def read_order(asked: dict[str, Any], folder: DataFolder, blueprints: BlueprintLibrary) -> CheckedOrder:
    """Return an order as it can be run; what cannot be used is a fault at its field."""
    kind = asked.get("kind")
    if not isinstance(kind, str) or kind not in ORDERS:
        raise Fault(422, "choose training, a match, LBR or a scorecard", "kind")
    try:
        order = ORDERS[kind].model_validate({key: value for key, value in asked.items() if key != "kind"})
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        raise Fault(422, _words(first), place_of(first["loc"])) from error
    kept = {"kind": kind, **order.model_dump(mode="json")}
    if isinstance(order, TrainingOrder):
        return _training(order, kept, folder)
    if isinstance(order, MatchOrder):
        return _match(order, kept, blueprints)
    if isinstance(order, LbrOrder):
        return _lbr(order, kept, blueprints)
    assert isinstance(order, ScorecardOrder)
    spec, _ = spec_of(order.agent, blueprints, "agent")
    words = ["scorecard", spec, "--hands", order.hands, "--lbr-hands", order.lbr_hands, "--seed", order.seed]
    values = {"agent": spec, "hands": order.hands, "lbr_hands": order.lbr_hands, "seed": order.seed}
    return _checked("scorecard", f"Scorecard of {spec}", words, values, kept)


def _words(error: Any) -> str:
    """Return what is wrong with a value, as a person says it."""
    kinds = {
        "too_short": "choose at least one player",
        "literal_error": "choose one of the list",
        "string_type": "write a text",
        "string_too_long": "it is too long",
    }
    return kinds.get(str(error["type"])) or words_of(error)


def _checked(kind: Kind, name: str, words: list[Any], values: dict[str, Any], kept: Any) -> CheckedOrder:
    command = " ".join(["overbet", *(shlex.quote(str(word)) for word in words)])
    return CheckedOrder(kind=kind, name=name[:120], command=command, values=values, asked=kept)


def _training(order: TrainingOrder, kept: dict[str, Any], folder: DataFolder) -> CheckedOrder:
    if order.preset not in preset_names():
        raise Fault(422, "there is no such preset; choose one of the list", "preset")
    own = [text.strip() for text in order.settings if text.strip()]
    for text in own:
        try:
            keys, _ = read_override(text)
        except OverbetError as error:
            raise Fault(
                422, f"{text}: write it as name=value, such as solver.rule=linear", "settings"
            ) from error
        if keys[0] in ("name", "iterations"):
            raise Fault(422, f"{keys[0]} has a field of its own", "settings")
    if order.seed is not None:
        own.append(f"solver.seed={order.seed}")
    try:
        config = BlueprintConfig.load(preset_path(order.preset), own)
        if config.cards.kind == "buckets":
            if slug(config.cards.path) != config.cards.path.lower():  # a name, never a file of the machine
                raise ConfigError("cards.path: write the name of buckets, such as play")
            find_buckets(config.cards.path)
    except (OverbetError, ValueError, OverflowError, RecursionError) as error:
        text = str(error).removeprefix(f"{preset_path(order.preset)}: ")
        raise Fault(422, " ".join(text.split())[:500], "settings") from error
    name = slug(order.name) if order.name.strip() else _free_name(folder, order.preset)
    place = folder.root / RUNS / name
    if place.exists():
        raise Fault(422, f"there is a run called {name} already; choose another name", "name")
    goal = order.iterations or config.iterations
    values = {
        "config": config.model_copy(update={"name": name, "iterations": goal}).model_dump(mode="json"),
        "folder": str(place),
        "run": name,
        "workers": order.workers,
        "goal": goal,
    }
    words: list[Any] = ["train", order.preset]
    for text in [*own, f"name={name}"]:
        words += ["--set", text]
    words += ["--out", place, "--iterations", goal]
    if order.workers:
        words += ["--workers", order.workers]
    return _checked("train", f"Training {name}", words, values, kept)


def _free_name(folder: DataFolder, base: str) -> str:
    names = [base, *(f"{base}-{number}" for number in range(2, 1000))]
    return next((name for name in names if not (folder.root / RUNS / name).exists()), base)


def _match(order: MatchOrder, kept: dict[str, Any], blueprints: BlueprintLibrary) -> CheckedOrder:
    specs, wanted = [], order.seats
    if len(order.agents) < 2 and (order.seats or 0) < 2:
        raise Fault(422, "choose at least two players", "agents")
    for number, id in enumerate(order.agents):
        spec, players = spec_of(id, blueprints, f"agents.{number}")
        if players is not None:
            if order.seats is not None and order.seats != players:
                raise Fault(422, f"{spec} plays at a table of {players}; leave the seats out", "seats")
            if wanted is not None and wanted != players:
                raise Fault(422, f"{spec} plays at a table of {players}", f"agents.{number}")
            wanted = players
        specs.append(spec)
    if wanted is not None and len(specs) > wanted:
        raise Fault(422, f"there are {wanted} seats for {len(specs)} players", "agents")
    if order.stack_bb is not None and any(spec.startswith(("blueprint:", "search:")) for spec in specs):
        raise Fault(422, "a strategy has its own stacks; leave them out", "stack_bb")
    stacks = "" if order.stack_bb is None else f"{order.stack_bb:g}bb"
    words: list[Any] = ["match", *specs, "--hands", order.hands, "--seed", order.seed]
    words += ["--seats", order.seats] if order.seats else []
    words += ["--stacks", stacks] if stacks else []
    values = {
        "agents": specs,
        "hands": order.hands,
        "seed": order.seed,
        "seats": order.seats,
        "stacks": stacks,
    }
    return _checked("match", " against ".join(specs[:2]) + (" …" if specs[2:] else ""), words, values, kept)


def _lbr(order: LbrOrder, kept: dict[str, Any], blueprints: BlueprintLibrary) -> CheckedOrder:
    spec, players = spec_of(order.agent, blueprints, "agent")
    if players not in (None, 2):
        raise Fault(422, f"LBR is heads-up, and {spec} plays with {players} players", "agent")
    if order.bets == "all" and order.streets != "all":
        raise Fault(422, "all kinds of bets have their own streets; choose all streets", "streets")
    if order.stack_bb is not None and players is not None:
        raise Fault(422, "a strategy has its own stacks; leave them out", "stack_bb")
    words: list[Any] = ["lbr", spec, "--bets", order.bets, "--hands", order.hands, "--seed", order.seed]
    words += ["--streets", order.streets] if order.streets != "all" else []
    words += ["--stack", f"{order.stack_bb:g}"] if order.stack_bb else []
    values = {
        "agent": spec,
        "bets": order.bets,
        "streets": order.streets,
        "hands": order.hands,
        "seed": order.seed,
        "stack_bb": order.stack_bb or 0.0,
    }
    return _checked("lbr", f"LBR against {spec}", words, values, kept)
