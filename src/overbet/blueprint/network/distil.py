"""A blueprint distilled: a small network that plays as its tables do.

Threads play the blueprint against itself (`kernels.network.imitation`) and fill a ring of samples; the
network learns the strategies in it by cross-entropy, an error in a large pot weighing more (the square root
of the pot). What is reported is measured on hands of another seed: how far the network's shares are from the
blueprint's (half the sum of differences), over the decisions that are met.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import numpy as np
import pydantic

from overbet.blueprint.cards import BucketedCards
from overbet.blueprint.network.adam import Adam
from overbet.blueprint.network.config import HoldemNetworkConfig, NetShapeConfig
from overbet.blueprint.network.encoder import HoldemEncoder, no_buckets, strength_tables
from overbet.blueprint.network.files import save_network
from overbet.blueprint.network.torch_net import HandTensors, TorchNet
from overbet.config import Config
from overbet.errors import ArtefactError
from overbet.kernels.network.betting import SLOTS
from overbet.kernels.network.cards import PLACES
from overbet.kernels.network.imitation import Lessons, Teacher, imitate
from overbet.solvers.deep.torch_loading import device_called, the_torch

if TYPE_CHECKING:
    from overbet.blueprint.query import Blueprint

Count = Annotated[int, pydantic.Field(ge=1)]
_ASKED_SEED = 1 << 61  # of the hands that the result is measured on


class DistilConfig(Config):
    """steps: of the network; ring: samples kept, `chunk` new ones a turn; explore, others, spread: as in
    `kernels.network.imitation`; asked: samples that the result is measured on."""

    shape: NetShapeConfig = NetShapeConfig(width=320, blocks=3, embedding=64)
    steps: Count = 20_000
    batch: Count = 8_192
    rate: pydantic.PositiveFloat = 2e-3
    ring: Count = 2_000_000
    chunk: Count = 65_536
    explore: Annotated[float, pydantic.Field(ge=0.0, le=1.0)] = 0.25
    others: Annotated[int, pydantic.Field(ge=0, le=64)] = 2
    spread: Annotated[float, pydantic.Field(ge=0.0)] = 0.25
    asked: Count = 100_000
    seed: Annotated[int, pydantic.Field(ge=0, lt=2**60)] = 0
    device: Literal["cpu", "cuda"] = "cpu"


class DistilPace(NamedTuple):
    """How far it is. apart: mean loss in nats above the blueprint's own entropy."""

    step: int
    seconds: float
    apart: float


class Distillation:
    """A network that learns from a blueprint."""

    def __init__(self, blueprint: Blueprint, config: DistilConfig, workers: int = 1) -> None:
        torch = the_torch()
        self.config, self.blueprint = config, blueprint
        own = blueprint.config
        self.network = HoldemNetworkConfig(
            name=f"{own.name}-distilled", game=own.game, menu=own.menu, cards=own.cards, shape=config.shape
        )
        self.encoder = HoldemEncoder(blueprint.tree, blueprint.cards)
        self.teacher = teacher_of(blueprint, self.encoder)
        self.device = device_called(config.device)
        if config.device == "cuda":
            torch.backends.cuda.matmul.allow_tf32 = True
        self.net = TorchNet(self.encoder, config.shape, self.device, config.seed)
        self.adam = Adam(list(self.net.parameters.values()), config.rate)
        self.betting = torch.as_tensor(self.encoder.betting, device=self.device)
        self.legal = torch.as_tensor(self.encoder.slots >= 0, device=self.device)
        self.steps, self.seconds, self.samples = 0, 0.0, 0
        self._ring: dict[str, Any] = {}
        self._kept, self._next = 0, 0
        self._workers = max(1, workers)
        self._pool = ThreadPoolExecutor(self._workers)
        self._turns: list[Future[Lessons]] = []
        self.turn = 0  # of the threads: which deals come next

    def networks(self) -> dict[str, tuple[TorchNet, Adam]]:
        """Return the network with what changes it, by name."""
        return {"policy": (self.net, self.adam)}

    def run(
        self, steps: int, progress: Callable[[DistilPace], None] | None = None, seconds: float = np.inf
    ) -> None:
        """Go on for so many steps, or until so many seconds have passed in all."""
        torch = the_torch()
        source = torch.Generator(device=self.device).manual_seed(self.config.seed + self.steps)
        total, counted = torch.zeros((), device=self.device), 0
        begun = time.perf_counter() - self.seconds
        while steps > 0 and self.seconds < seconds:
            self._refill()
            share = max(self.steps / self.config.steps, self.seconds / seconds)
            self.adam.rate = self.config.rate * max(0.02, 1.0 - min(share, 1.0))
            which = torch.randint(self._kept, (self.config.batch,), device=self.device, generator=source)
            total += self._step({name: array[which] for name, array in self._ring.items()})
            self.steps, steps, counted = self.steps + 1, steps - 1, counted + 1
            self.seconds = time.perf_counter() - begun
            if progress is not None and counted == 50:
                progress(DistilPace(self.steps, self.seconds, float(total) / counted))
                total, counted = torch.zeros((), device=self.device), 0

    def apart(self, samples: int = 0) -> tuple[float, float]:
        """Return how far the network is from the blueprint on hands of another seed.

        Half the sum of differences of shares (0 to 1) over the hands that are met without exploring, and the
        same weighted by the pot.
        """
        torch = the_torch()
        lessons = lessons_of(samples or self.config.asked)
        _, count = imitate(self.teacher, _ASKED_SEED, 0, 0.0, 0, 0.0, lessons)
        differences, weights = [], lessons.weight[:count]
        with torch.no_grad():
            for begin in range(0, count, 65_536):
                part = {
                    name: torch.as_tensor(array[begin : min(begin + 65_536, count)], device=self.device)
                    for name, array in lessons._asdict().items()
                }
                told = torch.softmax(self._told(part), -1)
                differences.append((0.5 * (told - part["played"]).abs().sum(1)).cpu().numpy())
        found = np.concatenate(differences)
        return float(found.mean()), float((found * weights).sum() / weights.sum())

    def _told(self, rows: dict[str, Any]) -> Any:
        torch = the_torch()
        street = rows["street"].long()
        hands = HandTensors(
            rows["card"].long(),
            rows["bucket"].long() + self.net.first_bucket[street],
            rows["strength"].float(),
            street,
        )
        node = rows["node"].long()
        first = self.net.of_betting(self.betting[node]) + self.net.of_hands(hands)
        if self.device.type == "cuda":
            first = first.to(torch.bfloat16)
        return self.net.trunk(first).float().masked_fill(~self.legal[node], -1e9)

    def _step(self, rows: dict[str, Any]) -> Any:
        torch = the_torch()
        wanted, weight = rows["played"].float(), rows["weight"].float()
        log = torch.log_softmax(self._told(rows), -1)
        apart = (wanted * (torch.log(wanted.clamp(min=1e-6)) - log)).sum(1)
        loss = (apart * weight).sum() / weight.sum()
        self.adam.step(loss)
        return loss.detach()

    def _lessons(self, turn: int) -> Lessons:
        config = self.config
        lessons = lessons_of(config.chunk)
        first = turn * config.chunk  # a turn plays fewer deals than it has room for samples
        _, count = imitate(
            self.teacher, config.seed, first, config.explore, config.others, config.spread, lessons
        )
        return Lessons(**{name: array[:count] for name, array in lessons._asdict().items()})

    def _refill(self) -> None:
        """Put what threads have made into the ring; wait only while it is empty."""
        torch = the_torch()
        while len(self._turns) < 2 * self._workers:
            self._turns.append(self._pool.submit(self._lessons, self.turn))
            self.turn += 1
        while self._turns and (self._kept == 0 or self._turns[0].done()):
            lessons = self._turns.pop(0).result()
            kept = {
                name: torch.as_tensor(array, device=self.device) for name, array in lessons._asdict().items()
            }
            if not self._ring:
                for name, array in kept.items():
                    kind = torch.float16 if array.dtype == torch.float32 else array.dtype
                    self._ring[name] = torch.zeros(
                        (self.config.ring, *array.shape[1:]), dtype=kind, device=self.device
                    )
            count = len(lessons.node)
            places = (torch.arange(count, device=self.device) + self._next) % self.config.ring
            for name, array in kept.items():
                self._ring[name][places] = array.to(self._ring[name].dtype)
            self._next = (self._next + count) % self.config.ring
            self._kept = min(self._kept + count, self.config.ring)
            self.samples += count

    def save(self, path: str | Path, measured: dict[str, Any] | None = None) -> Path:
        """Write the network as a file that `deep:FILE` plays."""
        manifest = {
            "of": self.blueprint.config.name,
            "steps": self.steps,
            "samples": self.samples,
            "seconds": round(self.seconds, 1),
            "measured": measured or {},
            "run": self.config.model_dump(mode="json"),
        }
        return save_network(path, self.network, self.encoder, self.net.arrays(), "distilled", manifest)

    def close(self) -> None:
        """Let the threads go."""
        self._pool.shutdown(wait=True, cancel_futures=True)


def lessons_of(room: int) -> Lessons:
    """Return room for samples."""
    return Lessons(
        np.zeros(room, np.int32),
        np.zeros((room, PLACES), np.int8),
        np.zeros(room, np.int32),
        np.zeros((room, 3), np.float32),
        np.zeros(room, np.int8),
        np.zeros((room, SLOTS), np.float32),
        np.zeros(room, np.float32),
    )


def teacher_of(blueprint: Blueprint, encoder: HoldemEncoder) -> Teacher:
    """Return what is imitated of a blueprint of dense tables."""
    if blueprint.tables != "dense":
        raise ArtefactError("only blueprints of dense tables are distilled: keyed ones have no betting tree")
    tree, cards = blueprint.tree, blueprint.cards
    tables = cards.buckets.tables if isinstance(cards, BucketedCards) else no_buckets()
    pot = np.sqrt(tree.nodes.pot / float(tree.game.big_blind)).astype(np.float32)
    return Teacher(
        tree.records(cards.counts)[0],
        blueprint.rows_of_255ths(),
        encoder.slots,
        pot,
        tables,
        strength_tables(),
    )
