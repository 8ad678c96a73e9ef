"""A KL anchor on the first street of a tree: piKL's next strategy in the place of regret matching's.

Each player maximises what it wins less lambda times the sum, over its decisions on the street, of the
divergence KL(strategy || anchor) (Jacob et al. 2022). At a decision, with r the regrets of an iteration, met
the weight of the opponent's range that a hand meets there and tau the anchor,

    Q(a) = sum of r(a) / sum of met
    strategy(a)  in proportion to  exp[(Q(a) + lambda log tau(a)) / (kappa + lambda)]

where kappa, the step of the method, is `STEP` x sqrt(sum of the largest r^2) / sum of met, and sums fade as
the rule's do. With lambda 0 that is Hedge with a step of its own for every hand and decision.

The passes over the tree know nothing of it. They play what the regret table says: here that is `TRACE` times
the strategy. What they add to it, the regrets of the iteration, dwarfs it and is read off again. Divergences
at later decisions of the player are taken off here, too, by a walk over the street.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import kernel, lean

TRACE = 1e-20  # what a strategy is multiplied by in the table of regrets
STEP = 0.5
_LEAST = 1e-30

Doubles = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]


class AnchoredStreet(NamedTuple):
    """The first street of a tree, N nodes, parents first, and one player's anchored rows on it.

    kind, first_child, num_children: [N] int64, as in the betting tree. row: [N] int64, where a decision's
    first row is in its player's table; stride: [2] int64, from a row to the next; place: [2, longest H]
    int64, of each hand in a row, -1 where it cannot be held. own_row: [N] int64, first of a decision's rows
    in the arrays below, -1 where it is not anchored. cards: [2, longest H, 2] int64; same: [longest H] int64,
    the opponent's hand of the same cards, -1 for none.
    log_anchor, log_policy, policy, sums: [rows, H] float64. visits, squares: [N, H] float64.
    """

    kind: Longs
    first_child: Longs
    num_children: Longs
    row: Longs
    stride: Longs
    place: Longs
    own_row: Longs
    cards: Longs
    same: Longs
    log_anchor: Doubles
    log_policy: Doubles
    policy: Doubles
    sums: Doubles
    visits: Doubles
    squares: Doubles


class AnchorWork(NamedTuple):
    """reach: [N, H of the opponent], met, cost: [N, H] float64; by_card: [52] float64."""

    reach: Doubles
    met: Doubles
    cost: Doubles
    by_card: Doubles


@lean
def _reach_down(street: AnchoredStreet, player: Any, opp_play: Any, work: AnchorWork) -> None:
    """Carry the opponent's reach down the street from work.reach[0], by regret matching on its table."""
    other = 1 - player
    for node in range(len(street.kind)):
        child, count = street.first_child[node], street.num_children[node]
        if street.kind[node] > 1 or count == 0:
            continue
        for h in range(work.reach.shape[1]):
            here = work.reach[node, h]
            if street.kind[node] != other:
                for a in range(count):
                    work.reach[child + a, h] = here
                continue
            at, total = street.row[node] + street.place[other, h], 0.0
            for a in range(count):
                total += max(opp_play[at + a * street.stride[other]], 0.0)
            for a in range(count):
                share = max(opp_play[at + a * street.stride[other]], 0.0)
                work.reach[child + a, h] = here * (share / total if total > 0.0 else 1.0 / count)


@lean
def _meet(street: AnchoredStreet, player: Any, node: Any, work: AnchorWork) -> None:
    """Fill the opponent's reach at a node that shares no card with each hand."""
    other, by_card, total = 1 - player, work.by_card, 0.0
    for card in range(52):
        by_card[card] = 0.0
    for h in range(work.reach.shape[1]):
        here = work.reach[node, h]
        total += here
        by_card[street.cards[other, h, 0]] += here
        by_card[street.cards[other, h, 1]] += here
    for h in range(work.met.shape[1]):
        met = total - by_card[street.cards[player, h, 0]] - by_card[street.cards[player, h, 1]]
        if street.same[h] >= 0:
            met += work.reach[node, street.same[h]]
        work.met[node, h] = max(met, 0.0)


@lean
def _divergence(street: AnchoredStreet, first: Any, count: Any, h: Any) -> Any:
    total = 0.0
    for a in range(count):
        far = street.log_policy[first + a, h] - street.log_anchor[first + a, h]
        total += street.policy[first + a, h] * far
    return max(total, 0.0)


@lean
def _costs_up(street: AnchoredStreet, player: Any, strength: Any, play: Any, work: AnchorWork) -> None:
    """Fill what later divergences cost from each node on, summed over the opponent's reach."""
    for node in range(len(street.kind) - 1, -1, -1):
        child, count = street.first_child[node], street.num_children[node]
        for h in range(work.cost.shape[1]):
            work.cost[node, h] = 0.0
        if street.kind[node] > 1 or count == 0:
            continue
        first = street.own_row[node]
        for h in range(work.cost.shape[1]):
            total = 0.0
            if street.kind[node] != player:
                for a in range(count):
                    total += work.cost[child + a, h]
            elif first >= 0:
                total = strength * work.met[node, h] * _divergence(street, first, count, h)
                for a in range(count):
                    total += street.policy[first + a, h] * work.cost[child + a, h]
            elif street.place[player, h] >= 0:  # a decision that is fixed
                at, whole = street.row[node] + street.place[player, h], 0.0
                for a in range(count):
                    share = max(play[at + a * street.stride[player]], 0.0)
                    whole += share
                    total += share * work.cost[child + a, h]
                total = total / whole if whole > 0.0 else 0.0
            work.cost[node, h] = total


@lean
def _learn(
    street: AnchoredStreet,
    player: Any,
    node: Any,
    strength: Any,
    fade: Any,
    weight: Any,
    regret: Any,
    work: AnchorWork,
) -> None:
    """Make the next strategy of all hands at one decision."""
    child, count, first = street.first_child[node], street.num_children[node], street.own_row[node]
    for h in range(work.met.shape[1]):
        if street.place[player, h] < 0:
            continue
        at, stride = street.row[node] + street.place[player, h], street.stride[player]
        later = 0.0
        for a in range(count):
            later += street.policy[first + a, h] * work.cost[child + a, h]
        largest = 0.0
        for a in range(count):
            gain = np.float64(regret[at + a * stride]) / weight - (work.cost[child + a, h] - later)
            street.sums[first + a, h] = street.sums[first + a, h] * fade + gain
            largest = max(largest, gain * gain)
        street.visits[node, h] = street.visits[node, h] * fade + work.met[node, h]
        street.squares[node, h] = street.squares[node, h] * fade + largest
        visits = street.visits[node, h]
        most = -np.inf
        for a in range(count):
            pull = street.log_anchor[first + a, h]
            if visits > _LEAST:
                kappa = STEP * np.sqrt(street.squares[node, h]) / visits
                if kappa + strength > 0.0:
                    pull = (street.sums[first + a, h] / visits + strength * pull) / (kappa + strength)
            street.log_policy[first + a, h] = pull
            most = max(most, pull)
        total = 0.0
        for a in range(count):
            street.policy[first + a, h] = np.exp(street.log_policy[first + a, h] - most)
            total += street.policy[first + a, h]
        whole = most + np.log(total)
        for a in range(count):
            street.log_policy[first + a, h] -= whole
            street.policy[first + a, h] /= total
            regret[at + a * stride] = TRACE * street.policy[first + a, h]


@kernel
def learn_anchored(
    street: AnchoredStreet,
    player: int,
    strength: float,
    fade: float,
    weight: float,
    regret: Any,
    opp_play: Any,
    work: AnchorWork,
) -> None:
    """Make a player's next strategy on the street, after the passes have added an iteration's regrets.

    strength: lambda, in chips; fade: factor on the sums of before; weight: the rule's factor on regrets;
    regret: the player's table; opp_play: what the opponent's regret matching reads; work.reach[0]: the reach
    with which the opponent's hands began the iteration.
    """
    _reach_down(street, player, opp_play, work)
    for node in range(len(street.kind)):
        if street.own_row[node] >= 0:
            _meet(street, player, node, work)
    _costs_up(street, player, strength, regret, work)
    for node in range(len(street.kind)):
        if street.own_row[node] >= 0:
            _learn(street, player, node, strength, fade, weight, regret, work)
