"""Whole boards at once: reach and counterfactual values of all hands at all nodes of a betting tree, in
PyTorch.

B boards, K hands of each (all that a board leaves, or some drawn at random; both players can hold any of
them), N nodes in order of depth. A sweep takes the strategies of all decisions and hands, carries both
players' reach down the tree depth by depth, pays the ends, and carries values up:

    fold       V(h) = chips * sum over hands o that share no card with h of reach(o)
    showdown   V(h) = chips * sum over o of sign(h beats o) reach(o)
    all in before the flop: the exact equity of the two hands in place of the sign

Sums over hands are matrix products. Chips are in big blinds; reach of the other player is that of hands, so
values are sums over hands and not means.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from overbet.blueprint.cards import pair_table
from overbet.blueprint.network.adam import Tensor
from overbet.blueprint.network.encoder import HoldemEncoder
from overbet.cards.combos import COMBOS, combo_table
from overbet.errors import ConfigError
from overbet.kernels.holdem.layout import SHOWDOWN, TERMINAL
from overbet.kernels.network.betting import SLOTS
from overbet.solvers.deep.torch_loading import the_torch

_EARLY = 3  # kind of an end: all in before the flop
_FOLDED, _SHOWN = 1, 2


class TreeLevel(NamedTuple):
    """The nodes of one depth.

    nodes: first and one after the last; parent, slot, mover: [n], of each node but the root: where it hangs,
    by which slot, whose move; decisions: [d] places of decisions among all nodes, number: [d] theirs among
    decisions; actor: [d]; child: [d, SLOTS] places, N where there is none.
    """

    nodes: tuple[int, int]
    parent: Any
    slot: Any
    mover: Any
    decisions: Any
    number: Any
    actor: Any
    child: Any


class Swept(NamedTuple):
    """What a sweep found: reach, value: two of [B, N + 1, K], by player (the last node is nothing)."""

    reach: list[Tensor]
    value: list[Tensor]


class SweepHands(NamedTuple):
    """The hands of boards: combo [B, K] int64; together [B, K, K] float32, 1 where two share no card; wins
    [B, K, K] float32, 1, 0 or -1 where they do not share one; early: the same before the flop, by equity."""

    combo: Tensor
    together: Tensor
    wins: Tensor
    early: Tensor


class TreeTensors:
    """A betting tree in order of depth on a device.

    decision: [D] the encoder's node of each decision; street, actor: [D]; legal: [D, SLOTS] bool; child: [D,
    SLOTS] places; pot: [D] big blinds; prior: [D] how often it is reached when all actions are played alike,
    0 where there is one action only; forced: those; by_street: the others.
    """

    def __init__(self, encoder: HoldemEncoder, device: Any = "cpu") -> None:
        torch = the_torch()
        tree, slots = encoder.tree, encoder.slots
        if tree.game.rake:
            raise ConfigError("training by whole boards pays no rake")
        nodes, size = tree.nodes, tree.size.nodes
        depth = np.zeros(size, np.int64)
        for node in range(1, size):  # parents have smaller numbers
            depth[node] = depth[nodes.parent[node]] + 1
        order = np.argsort(depth, kind="stable")
        place = np.empty(size + 1, np.int64)
        place[order], place[size] = np.arange(size), size
        is_decision = nodes.player >= 0
        decision = order[is_decision[order]]
        number = np.full(size, -1, np.int64)
        number[decision] = np.arange(len(decision))
        slot_of = np.full(size, -1, np.int64)
        for slot in range(SLOTS):
            has = np.flatnonzero(slots[:, slot] >= 0)
            slot_of[slots[has, slot]] = slot
        child = np.where(slots[decision] >= 0, place[np.maximum(slots[decision], 0)], size)
        self.device, self.size, self.decisions = torch.device(device), size, len(decision)
        self.max_depth = int(depth.max())
        self.node = decision

        def sent(array: Any, kind: Any = torch.int64) -> Any:
            return torch.as_tensor(np.ascontiguousarray(array), dtype=kind, device=self.device)

        self.levels = []
        for level in range(self.max_depth + 1):
            here = order[depth[order] == level]
            first = int(place[here[0]])
            deciding = here[is_decision[here]]
            above = nodes.parent[here]
            self.levels.append(
                TreeLevel(
                    (first, first + len(here)),
                    sent(number[np.maximum(above, 0)]) if level else None,
                    sent(slot_of[here]) if level else None,
                    sent(nodes.player[np.maximum(above, 0)]) if level else None,
                    sent(place[deciding]),
                    sent(number[deciding]),
                    sent(nodes.player[deciding]),
                    sent(child[number[deciding]]),
                )
            )
        self.parent_place = sent(place[np.maximum(nodes.parent[order], 0)])
        self.street, self.actor = sent(nodes.street[decision]), sent(nodes.player[decision])
        self.place = sent(place[decision])
        self.child, self.legal = sent(child), sent(slots[decision] >= 0, torch.bool)
        unit = float(tree.game.big_blind)
        self.pot = sent(nodes.pot[decision] / unit, torch.float32)
        self.betting = sent(encoder.betting[decision], torch.float32)
        choice = nodes.num_children[decision] > 1
        self.by_street = [np.flatnonzero(choice & (nodes.street[decision] == street)) for street in range(4)]
        for street, part in enumerate(self.by_street):
            if len(part) and not encoder.buckets[street]:
                raise ConfigError(
                    "the menu has decisions on a street without buckets; use cards.kind: buckets"
                )
        self.forced = sent(np.flatnonzero(~choice))
        prior = np.ones(size)
        for node in range(1, size):
            above = nodes.parent[node]
            prior[node] = prior[above] / nodes.num_children[above]
        self.prior = prior[decision] * choice
        self._ends(tree, place, unit, sent)

    def _ends(self, tree: Any, place: Any, unit: float, sent: Any) -> None:
        """Sort out the ends of the hand by how they are paid."""
        torch = the_torch()
        nodes = tree.nodes
        ends = np.flatnonzero(nodes.player < 0)
        number = nodes.first[ends]
        won = nodes.won[number] / unit  # [T, 2]; at a showdown minus what was put in
        folded = nodes.player[ends] == TERMINAL
        shown = nodes.player[ends] == SHOWDOWN
        if not (folded | shown).all():
            raise ConfigError("the tree has an end that is neither a fold nor a showdown")
        early = shown & (nodes.street[ends] == 0)
        later = (nodes.street > 0) & (nodes.player >= 0) & (nodes.num_children > 1)
        exact = early if later.any() else shown
        kind = np.where(folded, _FOLDED, np.where(exact, _EARLY, _SHOWN))
        self.ends = {}
        for which in (_FOLDED, _SHOWN, _EARLY):
            here = np.flatnonzero(kind == which)
            if which != _FOLDED and not np.allclose(won[here, 0], won[here, 1]):
                raise ConfigError("players put in different amounts at a showdown")
            paid = won[here] if which == _FOLDED else -won[here]
            self.ends[which] = (sent(place[ends[here]]), sent(paid, torch.float32))

    def hands(self, encoder_rows: Any, combos: Any) -> SweepHands:
        """Return the hands of boards. encoder_rows: `CardRows` of B boards; combos: [B, K] int64 numpy."""
        torch = the_torch()
        combo = torch.as_tensor(combos, dtype=torch.int64, device=self.device)
        apart, equity = _tables(self.device)
        boards = combo.shape[0]
        together = torch.stack([apart[combo[b]][:, combo[b]] for b in range(boards)])
        shown = torch.as_tensor(encoder_rows.shown, dtype=torch.float32, device=self.device).gather(1, combo)
        wins = torch.sign(shown[:, :, None] - shown[:, None, :]) * together
        early = torch.stack([equity[combo[b]][:, combo[b]] for b in range(boards)]) * together
        return SweepHands(combo, together, wins, early)

    def sweep(self, strategy: Tensor, hands: SweepHands) -> Swept:
        """Return reach and values under strategy: [B, D, SLOTS, K], 0 where there is no such action."""
        torch = the_torch()
        boards, count = strategy.shape[0], strategy.shape[3]
        reach = [strategy.new_zeros((boards, self.size + 1, count)) for _ in range(2)]
        value = [strategy.new_zeros((boards, self.size + 1, count)) for _ in range(2)]
        for player in range(2):
            reach[player][:, 0] = 1.0
        for level in self.levels[1:]:
            begin, end = level.nodes
            chance = strategy[:, level.parent, level.slot]
            for player in range(2):
                own = (level.mover == player).view(1, -1, 1)
                above = reach[player][:, self.parent_place[begin:end]]
                reach[player][:, begin:end] = torch.where(own, above * chance, above)
        matrices = {_FOLDED: hands.together, _SHOWN: hands.wins, _EARLY: hands.early}
        for which, (places, paid) in self.ends.items():
            if not len(places):
                continue
            for player in range(2):
                of_other = reach[1 - player][:, places]
                found = torch.bmm(of_other, matrices[which].to(of_other.dtype).transpose(1, 2))
                value[player][:, places] = found * paid[:, player].view(1, -1, 1).to(found.dtype)
        for level in reversed(self.levels):
            if not len(level.decisions):
                continue
            played = strategy[:, level.number]  # [B, d, SLOTS, K]
            for player in range(2):
                own = (level.actor == player).view(1, -1, 1, 1)
                below = value[player][:, level.child]
                value[player][:, level.decisions] = torch.where(own, below * played, below).sum(2)
        return Swept(reach, value)

    def best_values(self, strategy: Tensor, hands: SweepHands, player: int, of_hand: Any = None) -> Tensor:
        """Return what the best answer of a player is worth to each hand at the root: [B, K].

        It knows the board to come, so it is the value of a best response where the board decides nothing
        before its last decision: on a tree without decisions after the flop, and a bound elsewhere.
        """
        torch = the_torch()
        swept = self.sweep(strategy, hands)
        value = swept.value[player]
        for level in reversed(self.levels):
            if not len(level.decisions):
                continue
            below = value[:, level.child]
            own = (level.actor == player).view(1, -1, 1)
            there = (level.child < self.size).view(1, -1, SLOTS, 1)
            largest = below.masked_fill(~there, -torch.inf).amax(2)
            value[:, level.decisions] = torch.where(own, largest, below.sum(2))
        return value[:, 0]


_KEPT: dict[str, tuple[Any, Any]] = {}


def _tables(device: Any) -> tuple[Any, Any]:
    """Return which hands share no card, and 2 * equity - 1 of each pair: [1326, 1326] float32 each."""
    torch = the_torch()
    if str(device) not in _KEPT:
        cards = combo_table().astype(np.int64)
        masks = (np.int64(1) << cards[:, 0]) | (np.int64(1) << cards[:, 1])
        apart = (masks[:, None] & masks[None]) == 0
        equity = 2.0 * pair_table().astype(np.float32) - 1.0
        _KEPT[str(device)] = (
            torch.as_tensor(apart, dtype=torch.float32, device=device),
            torch.as_tensor(equity * apart, dtype=torch.float32, device=device),
        )
    return _KEPT[str(device)]


def drawn_hands(bucket: Any, count: int, source: Any) -> Any:
    """Return hands of each board: [B, K] int64; all that it leaves, or `count` of them drawn without repeats.

    bucket: [B, 4, 1326] int32, -1 where a hand cannot be held on the last street that is played.
    """
    live = bucket[:, 3] >= 0
    if not live.any():
        live = np.ones((len(bucket), COMBOS), np.bool_)
    lowest = int(live.sum(1).min())
    wanted = lowest if count <= 0 else min(count, lowest)
    if wanted == lowest and (live.sum(1) == lowest).all():
        return np.stack([np.flatnonzero(row) for row in live])
    return np.stack([np.sort(source.choice(np.flatnonzero(row), wanted, replace=False)) for row in live])
