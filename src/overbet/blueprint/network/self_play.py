"""Deep DCFR+ and Deep PDCFR+ by whole boards: a network for a whole heads-up game, learned from self-play
alone.

An iteration draws boards, asks the regret network R for the strategy of every hand at every decision of the
tree, sweeps the tree (`sweep.py`), and lets R learn, at decisions and hands that are drawn anew,

    max(R, 0) * d + r,       d = (t - 1)^2.3 / ((t - 1)^2.3 + 1)

where r is what each action was worth beyond what was played, averaged over the hands that the opponent can
have there and divided by the size of the pot. Only boards are sampled: r is exact in the hands of both
players and in all that can be bet. With `predict` a second network learns r itself, and max(R, 0) * d + r is
played, which is Deep PDCFR+ (the published rule, from walks of single hands). Strategies, weighted by the own
reach, go to a reservoir whose law favours late iterations as t^gamma, and the policy network learns from it
what is to be played.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
import pydantic

from overbet.blueprint.network.adam import Adam, Tensor
from overbet.blueprint.network.config import HoldemNetworkConfig
from overbet.blueprint.network.encoder import HoldemEncoder
from overbet.blueprint.network.files import save_network
from overbet.blueprint.network.memory import PolicyMemory
from overbet.blueprint.network.sweep import SweepHands, Swept, TreeTensors, drawn_hands
from overbet.blueprint.network.torch_net import HandTensors, TorchNet
from overbet.config import Config
from overbet.kernels.network.betting import SLOTS
from overbet.kernels.network.cards import CardRows
from overbet.kernels.training.deal import deal_cards
from overbet.solvers.deep.torch_loading import device_called, the_torch

Count = Annotated[int, pydantic.Field(ge=1)]
_LEAST_MASS = 1e-6
_NOTHING = 1e-6  # regret that counts as none


class SelfPlayConfig(Config):
    """boards: of an iteration; hands: of a board, 0 all; samples: decisions and hands that R learns from in
    an iteration; passes: over them; memory: strategies the reservoir keeps, of which `stored` are new in an
    iteration; policy_steps: of the policy network an iteration; spread: decisions are drawn by how often they
    are reached when all actions are played alike, to this power; stack: how much of the chips behind is added
    to the pot as the unit of regrets; rows: that go through the network at once.
    """

    network: HoldemNetworkConfig = HoldemNetworkConfig()
    iterations: Count = 1000
    boards: Count = 8
    hands: Annotated[int, pydantic.Field(ge=0)] = 0
    samples: Count = 262_144
    batch: Count = 16_384
    passes: Count = 1
    rate: pydantic.PositiveFloat = 1e-3
    memory: Count = 4_000_000
    stored: Count = 131_072
    policy_steps: Count = 8
    gamma: pydantic.NonNegativeFloat = 2.0
    spread: pydantic.NonNegativeFloat = 0.6
    stack: pydantic.NonNegativeFloat = 0.1
    predict: bool = False
    seed: Annotated[int, pydantic.Field(ge=0, lt=2**62)] = 0
    device: Literal["cpu", "cuda"] = "cpu"
    rows: Count = 2_000_000


class SelfPlayPace(NamedTuple):
    """How far training is. regret: mean loss of the regret network; policy: of the policy network, in nats
    above the entropy of what it learns from.
    """

    iteration: int
    seconds: float
    regret: float
    policy: float


class SelfPlay:
    """A run. `policy` is the network that is played in the end."""

    def __init__(self, config: SelfPlayConfig, encoder: HoldemEncoder) -> None:
        torch = the_torch()
        self.config, self.encoder = config, encoder
        self.device = device_called(config.device)
        self.tree = TreeTensors(encoder, self.device)
        shape, device = config.network.shape, self.device
        self.regrets = TorchNet(encoder, shape, device, config.seed)
        self.policy = TorchNet(encoder, shape, device, config.seed + 1)
        self.instant = TorchNet(encoder, shape, device, config.seed + 2) if config.predict else None
        self.learning = {
            name: Adam(list(net.parameters.values()), config.rate)
            for name, net in (("regrets", self.regrets), ("policy", self.policy), ("instant", self.instant))
            if net is not None
        }
        self.memory = PolicyMemory(config.memory, config.gamma, device)
        self.iteration, self.seconds = 0, 0.0
        self._beside = ThreadPoolExecutor(1)
        self._ahead: tuple[int, Future[tuple[CardRows, Any]]] | None = None
        prior = self.tree.prior**config.spread
        self._drawing = torch.as_tensor(np.cumsum(prior / prior.sum()), dtype=torch.float64, device=device)
        behind = torch.expm1(self.tree.betting[:, 7] * 5.0) * self.tree.pot
        self._unit = self.tree.pot + config.stack * behind
        self._streets = np.array([len(part) > 0 for part in self.tree.by_street])
        self._of_street = [torch.as_tensor(part, device=device) for part in self.tree.by_street]

    def networks(self) -> dict[str, tuple[TorchNet, Adam]]:
        """Return all networks with what changes them, by name."""
        nets = {"regrets": self.regrets, "policy": self.policy, "instant": self.instant}
        return {name: (net, self.learning[name]) for name, net in nets.items() if net is not None}

    def save(self, path: str | Path) -> Path:
        """Write the policy network as a file that `deep:FILE` plays."""
        manifest = {
            "iterations": self.iteration,
            "boards": self.iteration * self.config.boards,
            "seconds": round(self.seconds, 1),
            "run": self.config.model_dump(mode="json", exclude={"network"}),
        }
        return save_network(
            path, self.config.network, self.encoder, self.policy.arrays(), "self-play", manifest
        )

    def close(self) -> None:
        """Let the thread go that deals ahead."""
        self._beside.shutdown(wait=True, cancel_futures=True)

    def run(
        self, iterations: int, progress: Callable[[SelfPlayPace], None] | None = None, seconds: float = np.inf
    ) -> None:
        """Go on for so many iterations, or until so many seconds have passed in all."""
        while iterations > 0 and self.seconds < seconds:
            begun = time.perf_counter()
            regret, policy = self.iterate(min(1.0, self.seconds / seconds))
            self.seconds += time.perf_counter() - begun
            iterations -= 1
            if progress is not None:
                progress(SelfPlayPace(self.iteration, self.seconds, regret, policy))

    def iterate(self, done: float | None = None) -> tuple[float, float]:
        """Run one iteration; return the losses. done: share of the run that lies behind, for the rates."""
        torch = the_torch()
        config = self.config
        self.iteration += 1
        share = max(done or 0.0, min(1.0, self.iteration / config.iterations))
        for adam in self.learning.values():
            adam.rate = config.rate * (1.0 - 0.95 * share)
        source = torch.Generator(device=self.device).manual_seed(config.seed * 1_000_003 + self.iteration)
        with torch.no_grad():
            given, hands = self._boards()
            strategy = self.strategy(given)
            swept = self.tree.sweep(strategy, hands)
            found = self._samples(given, hands, strategy, swept, source)
            self._store(given, strategy, swept, source)
            del strategy, swept
        regret = self._learn_regrets(found, source)
        return regret, self._learn_policy(source)

    def _dealt(self, iteration: int) -> tuple[CardRows, Any]:
        """Return the rows of an iteration's boards and which hands of each are played."""
        config = self.config
        boards = np.zeros((config.boards, 5), np.int8)
        deal_cards(boards, self.encoder.cards.deck, 0, config.seed, (iteration - 1) * config.boards)
        rows = self.encoder.rows(boards, self._streets | np.array([False, False, False, True]))
        drawn = np.random.default_rng((config.seed, iteration))
        return rows, drawn_hands(rows.bucket, config.hands, drawn)

    def _boards(self) -> tuple[list[HandTensors | None], SweepHands]:
        """Return the hands of this iteration's boards, by street [B, K, ...], and what they are to each
        other.
        """
        torch = the_torch()
        config = self.config
        if self._ahead is None or self._ahead[0] != self.iteration:
            self._ahead = self.iteration, self._beside.submit(self._dealt, self.iteration)
        rows, combos = self._ahead[1].result()
        after = self.iteration + 1
        self._ahead = after, self._beside.submit(self._dealt, after)  # while the device works
        place = np.arange(config.boards)[:, None]
        given: list[HandTensors | None] = []
        for street in range(4):
            if not self._streets[street]:
                given.append(None)
                continue
            bucket = np.maximum(rows.bucket[place, street, combos], 0)
            given.append(
                HandTensors(
                    torch.as_tensor(rows.card[place, street, combos], device=self.device),
                    torch.as_tensor(bucket, device=self.device) + self.policy.first_bucket[street],
                    torch.as_tensor(rows.strength[place, street, combos], device=self.device),
                    torch.full(combos.shape, street, device=self.device),
                )
            )
        return given, self.tree.hands(rows, combos)

    def strategy(self, given: list[HandTensors | None], average: bool = False) -> Tensor:
        """Return what is played now, or on average: [B, D, SLOTS, K]."""
        torch = the_torch()
        some = next(part for part in given if part is not None)
        boards, count = some.bucket.shape
        kind = torch.bfloat16 if self.device.type == "cuda" else torch.float32
        nets = [self.policy] if average else [self.regrets, *([self.instant] if self.instant else [])]
        found = torch.zeros((boards, self.tree.decisions, SLOTS, count), device=self.device)
        found[:, self.tree.forced] = self.tree.legal[self.tree.forced].float().view(1, -1, SLOTS, 1)
        at_once = max(1, self.config.rows // (boards * count))
        by_node = [net.of_betting(self.tree.betting).to(kind) for net in nets]
        for street in range(4):
            hands = given[street]
            if hands is None:
                continue
            by_hand = [net.of_hands(hands).to(kind) for net in nets]
            for part in self._of_street[street].split(at_once):
                legal = self.tree.legal[part].view(1, -1, 1, SLOTS)
                told = [
                    net.trunk(node[part].view(1, -1, 1, node.shape[1]) + hand.unsqueeze(1)).float()
                    for net, node, hand in zip(nets, by_node, by_hand)
                ]
                if average:
                    played = torch.softmax(told[0].masked_fill(~legal, -torch.inf), -1)
                else:
                    played = self._played(told, legal)
                found[:, part] = played.transpose(2, 3)
        return found

    def _played(self, told: list[Tensor], legal: Tensor) -> Tensor:
        """Return what regrets are played as: in proportion to what is positive, else the largest."""
        torch = the_torch()
        known = told[0]
        if len(told) > 1:
            known = known.clamp(min=0.0) * self._discount(self.iteration) + told[1]
        positive = known.clamp(min=0.0) * legal
        total = positive.sum(-1, keepdim=True)
        best = known.masked_fill(~legal, -torch.inf).argmax(-1, keepdim=True)
        only = torch.zeros_like(positive).scatter_(-1, best, 1.0)
        return torch.where(total > _NOTHING, positive / total.clamp(min=_NOTHING), only)

    @staticmethod
    def _discount(iteration: int) -> float:
        passed = float(iteration - 1) ** 2.3
        return float(passed / (passed + 1.0))

    def _draw(self, count: int, boards: int, hands: int, source: Any) -> tuple[Any, Any, Any]:
        """Return boards, decisions and hands drawn at random: [count] each."""
        torch = the_torch()
        where = torch.rand(count, dtype=torch.float64, device=self.device, generator=source)
        decision = torch.searchsorted(self._drawing, where).clamp(max=self.tree.decisions - 1)
        board = torch.randint(boards, (count,), device=self.device, generator=source)
        hand = torch.randint(hands, (count,), device=self.device, generator=source)
        return board, decision, hand

    def _samples(
        self, given: Any, hands: SweepHands, strategy: Tensor, swept: Swept, source: Any
    ) -> dict[str, Any]:
        """Return what R learns from: rows of hands and what each action was worth beyond what was played."""
        torch = the_torch()
        tree = self.tree
        boards, _, _, count = strategy.shape
        board, decision, hand = self._draw(self.config.samples, boards, count, source)
        actor = tree.actor[decision]
        mass = torch.zeros(len(board), device=self.device)
        worth = torch.zeros((len(board), SLOTS), device=self.device)
        child = tree.child[decision]
        for player in range(2):
            here = torch.nonzero(actor == player)[:, 0]
            b, k = board[here], hand[here]
            worth[here] = swept.value[player][b[:, None], child[here], k[:, None]]
            theirs = torch.bmm(swept.reach[1 - player][:, tree.place], hands.together)
            mass[here] = theirs[b, decision[here], k]
        legal = tree.legal[decision]
        played = strategy[board, decision, :, hand]
        beyond = (worth - (worth * played).sum(1, keepdim=True)) * legal
        known = mass > _LEAST_MASS * count
        beyond = beyond / (mass.clamp(min=_LEAST_MASS) * self._unit[decision])[:, None]
        keep = torch.nonzero(known)[:, 0]
        rows = self._rows(given, board[keep], decision[keep], hand[keep])
        return {"decision": decision[keep], "legal": legal[keep], "beyond": beyond[keep], "rows": rows}

    def _rows(self, given: Any, board: Any, decision: Any, hand: Any) -> HandTensors:
        """Return rows of hands, each on the street of its decision."""
        torch = the_torch()
        street = self.tree.street[decision]
        some = next(part for part in given if part is not None)
        kept = [part if part is not None else some for part in given]
        parts = {
            name: torch.stack([getattr(part, name) for part in kept])[street, board, hand]
            for name in ("card", "bucket", "strength")
        }
        return HandTensors(**parts, street=street)

    def _store(self, given: Any, strategy: Tensor, swept: Swept, source: Any) -> None:
        """Give strategies, weighted by the own reach, to the reservoir."""
        torch = the_torch()
        tree = self.tree
        boards, _, _, count = strategy.shape
        board, decision, hand = self._draw(self.config.stored, boards, count, source)
        place, actor = tree.place[decision], tree.actor[decision]
        own = torch.where(actor == 0, swept.reach[0][board, place, hand], swept.reach[1][board, place, hand])
        reached = torch.nonzero(own > 1e-4)[:, 0]
        board, decision, hand, own = board[reached], decision[reached], hand[reached], own[reached]
        rows = self._rows(given, board, decision, hand)
        self.memory.add(decision, rows, strategy[board, decision, :, hand], own, self.iteration, source)

    def _learn_regrets(self, found: dict[str, Any], source: Any) -> float:
        torch = the_torch()
        config, rows = self.config, found["rows"]
        count = len(found["decision"])
        if not count:
            return 0.0
        discount = self._discount(self.iteration)
        with torch.no_grad():
            old = torch.cat(
                [
                    self._told(self.regrets, found["decision"], rows, part)
                    for part in _parts(count, config.batch * 4)
                ]
            )
            target = (old.clamp(min=0.0) * discount + found["beyond"]) * found["legal"]
        total, steps = 0.0, 0
        for _ in range(config.passes):
            order = torch.randperm(count, device=self.device, generator=source)
            for part in order.split(config.batch):
                for name, net, wanted in (
                    ("regrets", self.regrets, target),
                    ("instant", self.instant, found["beyond"]),
                ):
                    if net is None:
                        continue
                    told = self._told(net, found["decision"], rows, part)
                    loss = (((told - wanted[part]) * found["legal"][part]) ** 2).sum(1).mean()
                    self.learning[name].step(loss)
                    if name == "regrets":
                        total, steps = total + loss.detach(), steps + 1
        return float(total) / max(steps, 1)

    def _told(self, net: TorchNet, decision: Any, rows: HandTensors, part: Any) -> Tensor:
        given = HandTensors(*[values[part] for values in rows])
        first = net.of_betting(self.tree.betting[decision[part]]) + net.of_hands(given)
        if self.device.type == "cuda":
            return net.trunk(first.to(the_torch().bfloat16)).float()
        return net.trunk(first)

    def _learn_policy(self, source: Any) -> float:
        torch = the_torch()
        total = torch.zeros((), device=self.device)
        steps = self.config.policy_steps
        for _ in range(steps):
            batch = self.memory.drawn(self.config.batch, source)
            told = self._told(self.policy, batch.decision, batch.rows, slice(None))
            legal = self.tree.legal[batch.decision]
            log = torch.log_softmax(told.masked_fill(~legal, -1e9), -1)
            wanted = batch.played
            apart = (wanted * (torch.log(wanted.clamp(min=1e-6)) - log)).sum(1)
            loss = (apart * batch.weight).sum() / batch.weight.sum()
            self.learning["policy"].step(loss)
            total += loss.detach()
        return float(total) / steps


def _parts(count: int, size: int) -> list[slice]:
    return [slice(begin, min(begin + size, count)) for begin in range(0, count, size)]
