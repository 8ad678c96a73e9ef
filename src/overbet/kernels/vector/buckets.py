"""One CFR update where hands of a bucket share their rows: the general, slower twin of `update`.

A bucket is the same on all boards of its street, so nothing may be updated before all boards have been seen:
`forward_by_bucket` and `backward_by_bucket` only add up, over hands and boards, what the bucket's row is to
learn, and `apply_sums` applies the regret rule once at the end of the pass. A hand's regret counts with the
hand's root weight, and a board's with the number of real boards it stands for: both are chance.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import fast_inlined, fast_kernel
from overbet.kernels.regret import RuleStep, accumulated, averaged

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]
_OWN, _OPP = 0, 1


class Sums(NamedTuple):
    """What the rows of the bucketed streets learn in this pass, flat float64 like the player's table; one
    element each where nothing is bucketed.
    """

    regret: npt.NDArray[np.float64]
    average: npt.NDArray[np.float64]


class Shared(NamedTuple):
    """One board's buckets. own, opp: [hand] int32 in the board's order; weight: [hand] float32, own root
    weights; own_base, own_row, opp_base, opp_row: where the street's rows begin, and their length. copies:
    real boards that this one stands for.
    """

    own: Ints
    opp: Ints
    weight: Floats
    own_base: int
    own_row: int
    opp_base: int
    opp_row: int
    copies: float


@fast_inlined
def _total(table: Any, start: int, row: int, actions: int) -> float:
    """Return the sum of a bucket's positive regrets."""
    total = 0.0
    for a in range(actions):
        total += max(table[start + a * row], 0.0)
    return total


@fast_kernel
def forward_by_bucket(
    view: Any, chunk: int, place: Any, tables: Any, sums: Sums, shared: Shared, scratch: Any
) -> None:
    """Carry both reaches down a chunk on one board; add up what is played."""
    own, opp, strategy = scratch.own, scratch.opp, scratch.strategy
    used = 0
    for node in range(view.line_start[view.chunk_line[chunk]], view.line_start[view.chunk_line[chunk + 1]]):
        role = view.role[node]
        if role > _OPP:
            continue
        actions, child = view.num_children[node], view.first_child[node]
        if role == _OWN:
            base = shared.own_base + view.row[node] * shared.own_row
            reach = view.own_slot[node] * place.own_stride
            for h in range(place.own_hands):
                start = base + shared.own[h]
                total = _total(tables.play, start, shared.own_row, actions)
                for a in range(actions):
                    at = start + a * shared.own_row
                    share = max(tables.play[at], 0.0) / total if total > 0.0 else 1.0 / actions
                    met = own[reach + h] * share
                    strategy[used + a * place.own_stride + h] = share
                    own[view.own_slot[child + a] * place.own_stride + h] = met
                    sums.average[at] += shared.copies * met
            used += actions * place.own_stride
        else:
            base = shared.opp_base + view.row[node] * shared.opp_row
            reach = view.opp_slot[node] * place.opp_stride
            for h in range(place.opp_hands):
                start = base + shared.opp[h]
                total = _total(tables.opp_play, start, shared.opp_row, actions)
                for a in range(actions):
                    at = start + a * shared.opp_row
                    share = max(tables.opp_play[at], 0.0) / total if total > 0.0 else 1.0 / actions
                    opp[view.opp_slot[child + a] * place.opp_stride + h] = opp[reach + h] * share


@fast_kernel
def backward_by_bucket(view: Any, chunk: int, place: Any, sums: Sums, shared: Shared, scratch: Any) -> None:
    """Carry values up a chunk on one board; add up regrets."""
    value, strategy, stride = scratch.value, scratch.strategy, place.own_stride
    first, last = view.line_start[view.chunk_line[chunk]], view.line_start[view.chunk_line[chunk + 1]]
    used = 0
    for node in range(first, last):
        if view.role[node] == _OWN:
            used += view.num_children[node] * stride
    for node in range(last - 1, first - 1, -1):
        role = view.role[node]
        if role > _OPP:
            continue
        actions = view.num_children[node]
        out, child = (node - first) * stride, (view.first_child[node] - first) * stride
        if role == _OWN:
            used -= actions * stride
        for h in range(place.own_hands):
            total = value[child + h] * (strategy[used + h] if role == _OWN else type(value[out])(1.0))
            for a in range(1, actions):
                share = strategy[used + a * stride + h] if role == _OWN else type(value[out])(1.0)
                total += share * value[child + a * stride + h]
            value[out + h] = total
        if role == _OWN and actions > 1:
            base = shared.own_base + view.row[node] * shared.own_row
            for h in range(place.own_hands):
                weight = shared.copies * shared.weight[h]
                for a in range(actions):
                    instant = value[child + a * stride + h] - value[out + h]
                    sums.regret[base + a * shared.own_row + shared.own[h]] += weight * instant


@fast_kernel
def apply_sums(tables: Any, sums: Sums, start: int, end: int, step: RuleStep) -> None:
    """Apply the regret rule to the entries start .. end - 1, and begin the sums anew."""
    for at in range(start, end):
        instant: Any = type(tables.regret[at])(sums.regret[at])
        share: Any = type(tables.regret[at])(sums.average[at])
        total = accumulated(tables.regret[at], instant, step)
        tables.regret[at] = total
        if step.prediction != 0:
            tables.play[at] = total * step.carry + step.prediction * instant
        tables.average[at] = averaged(tables.average[at], share, step)
        sums.regret[at] = 0.0
        sums.average[at] = 0.0
