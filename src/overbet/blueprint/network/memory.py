"""The reservoir of strategies on the device: what is kept favours late iterations.

Until it is full all samples are kept. Then a sample of iteration t is kept with probability (gamma + 1) *
size / (samples seen), at most 1, in a place drawn at random. A place that was taken at t is still that
sample's at T with probability (t / T)^(gamma + 1), so what is kept comes from iteration t in proportion to
t^gamma: the weights of the average strategy need not be in the loss.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from overbet.blueprint.network.adam import Tensor
from overbet.blueprint.network.torch_net import HandTensors
from overbet.kernels.network.betting import SLOTS
from overbet.kernels.network.cards import PLACES
from overbet.solvers.deep.torch_loading import the_torch


class PolicyBatch(NamedTuple):
    """Samples: decision [n], rows of hands, played [n, SLOTS], weight [n]."""

    decision: Tensor
    rows: HandTensors
    played: Tensor
    weight: Tensor


def first_of_each(places: Tensor) -> Tensor:
    """Return where each place stands first: [distinct places].

    Arrays are written one after another, and a GPU that writes several values to one place keeps any of them:
    a sample would be put together from parts of others.
    """
    torch = the_torch()
    ordered, order = torch.sort(places, stable=True)
    new = torch.ones_like(ordered, dtype=torch.bool)
    new[1:] = ordered[1:] != ordered[:-1]
    found: Tensor = order[new]
    return found


class PolicyMemory:
    """Up to `size` strategies. kept: how many there are; seen: how many there have been."""

    def __init__(self, size: int, gamma: float, device: Any = "cpu") -> None:
        torch = the_torch()
        self.size, self.gamma, self.device, self.kept, self.seen = size, gamma, torch.device(device), 0, 0

        def room(kind: Any, *shape: int) -> Any:
            return torch.zeros((size, *shape), dtype=kind, device=self.device)

        self.arrays = {
            "decision": room(torch.int32),
            "card": room(torch.int8, PLACES),
            "bucket": room(torch.int32),
            "strength": room(torch.float16, 3),
            "street": room(torch.int8),
            "played": room(torch.float16, SLOTS),
            "weight": room(torch.float16),
        }

    def add(
        self, decision: Any, rows: HandTensors, played: Any, weight: Any, iteration: int, source: Any
    ) -> None:
        """Offer samples of an iteration."""
        torch = the_torch()
        count = len(decision)
        self.seen += count
        fresh = min(count, self.size - self.kept)
        chance = min(1.0, (self.gamma + 1.0) * self.size / self.seen)
        late = torch.rand(count - fresh, device=self.device, generator=source) < chance
        chosen = torch.cat(
            [
                torch.arange(fresh, device=self.device),
                fresh + torch.nonzero(late)[:, 0],
            ]
        )
        late_places = torch.randint(self.size, (len(chosen) - fresh,), device=self.device, generator=source)
        places = torch.cat([torch.arange(self.kept, self.kept + fresh, device=self.device), late_places])
        only = first_of_each(places)
        places, chosen = places[only], chosen[only]
        self.kept += fresh
        given = {"decision": decision, **rows._asdict(), "played": played, "weight": weight}
        for name, array in self.arrays.items():
            array[places] = given[name][chosen].to(array.dtype)

    def drawn(self, count: int, source: Any) -> PolicyBatch:
        """Return samples drawn at random, with repeats."""
        torch = the_torch()
        which = torch.randint(self.kept, (count,), device=self.device, generator=source)
        got = {name: array[which] for name, array in self.arrays.items()}
        rows = HandTensors(
            got["card"].long(), got["bucket"].long(), got["strength"].float(), got["street"].long()
        )
        return PolicyBatch(got["decision"].long(), rows, got["played"].float(), got["weight"].float())
