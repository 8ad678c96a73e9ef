"""Counterfactual regret minimisation (Zinkevich et al. 2007) on a whole game, with any number of players.

One pass serves one player: down for the reach of the others, up for the player's values and regrets, over
the layout of `overbet.tree.passes`. Then the player's regrets and strategy are updated at once over all its
slots. Alternating updates do that after each pass, so that the next player answers the strategy just made;
simultaneous updates do it after all passes.

Indices are unsigned throughout: signed ones would be tested for being negative at every access, which
doubles the time of a pass.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.jit import inlined, kernel
from overbet.kernels.regret import RuleStep, accumulated, averaged, played, step_at

Floats = npt.NDArray[np.float64]
_1, _2, _3 = np.uint64(1), np.uint64(2), np.uint64(3)


class CfrTables(NamedTuple):
    """What a solver remembers and works on. A slots, T histories over all passes.

    regret:    [A] float64  cumulative regret
    average:   [A] float64  discounted sum of the owner's reach times strategy
    factors:   [A + 1 + chance] float64  the current strategy, the number 1, chance's distributions
    instant:   [A + most choices] float64  work space: this iteration's regret; from A on a dump
    own_reach: [A + 1] float64  work space: the owner's probability of playing to and through a slot
    reach:     [T] float64  work space: the probability that the others play to a history; 1 at the first
    value:     [T + constants] float64  work space: the player's value of a history; then the returns
    done:      [1] int64  iterations done; counted here so that no interruption can come between
    """

    regret: Floats
    average: Floats
    factors: Floats
    instant: Floats
    own_reach: Floats
    reach: Floats
    value: Floats
    done: npt.NDArray[np.int64]


@kernel
def iterate(game: Any, tables: CfrTables, steps: Floats, alternating: bool) -> None:
    """Run one iteration for each row of `steps: [iteration, 8] float64`; `game` is a `tree.passes.Passes`."""
    players = len(game.player_nodes) - 1
    for row in range(len(steps)):
        step = step_at(steps, row)
        for player in range(players):
            _add_to_average(game, tables, player, step)
            _walk_down(game, tables, player)
            _walk_up(game, tables, player)
            if alternating:
                _update(game, tables, player, step)
        if not alternating:
            for player in range(players):
                _update(game, tables, player, step)
        tables.done[0] += 1


@kernel
def _add_to_average(game: Any, tables: CfrTables, player: int, step: RuleStep) -> None:
    """Add the player's current strategy, weighted by its own reach, to the average."""
    own_reach, average, strategy = tables.own_reach, tables.average, tables.factors
    for infoset in range(game.player_infosets[player], game.player_infosets[player + 1]):
        before = own_reach[game.infoset_parent[infoset]]
        for slot in range(game.infoset_offset[infoset], game.infoset_offset[infoset + _1]):
            through = before * strategy[slot]
            own_reach[slot] = through
            average[slot] = averaged(average[slot], through, step)


@kernel
def _walk_down(game: Any, tables: CfrTables, player: int) -> None:
    """Fill the others' reach of every history; the first is its own parent and stays 1."""
    reach, factors = tables.reach, tables.factors
    for node in range(game.player_nodes[player], game.player_nodes[player + 1]):
        reach[node] = reach[game.node_parent[node]] * factors[game.node_factor[node]]


@kernel
def _walk_up(game: Any, tables: CfrTables, player: int) -> None:
    """Fill values and instantaneous regrets from the last group to the first.

    Regrets of groups that are not the player's own go to a dump: a test would cost as much. Two and three
    choices, all there is in most poker, keep their sums in registers. With more choices histories that the
    others never play to are passed over: whatever value they had counts with a probability of 0 above.
    """
    first, last = game.player_groups[player], game.player_groups[player + 1]
    for back in range(last - first):
        group = last - back - _1
        choices = game.group_choices[group]
        if choices == _2:
            _two_choices(game, tables, group)
        elif choices == _3:
            _three_choices(game, tables, group)
        else:
            _any_choices(game, tables, group)


@inlined
def _two_choices(game: Any, tables: CfrTables, group: int) -> None:
    value, child = tables.value, game.edge_child
    slot, edge = game.group_factor[group], np.uint64(game.group_edges[group])
    p0, p1 = tables.factors[slot], tables.factors[slot + _1]
    r0, r1 = 0.0, 0.0
    for node in range(game.group_nodes[group], game.group_nodes[group + _1]):
        v0, v1 = value[child[edge]], value[child[edge + _1]]
        mean = p0 * v0 + p1 * v1
        weight = tables.reach[node]
        r0 += weight * (v0 - mean)
        r1 += weight * (v1 - mean)
        value[node] = mean
        edge += _2
    into = game.group_regret[group]
    tables.instant[into], tables.instant[into + _1] = r0, r1


@inlined
def _three_choices(game: Any, tables: CfrTables, group: int) -> None:
    value, child = tables.value, game.edge_child
    slot, edge = game.group_factor[group], np.uint64(game.group_edges[group])
    p0, p1, p2 = tables.factors[slot], tables.factors[slot + _1], tables.factors[slot + _2]
    r0, r1, r2 = 0.0, 0.0, 0.0
    for node in range(game.group_nodes[group], game.group_nodes[group + _1]):
        v0, v1, v2 = value[child[edge]], value[child[edge + _1]], value[child[edge + _2]]
        mean = p0 * v0 + p1 * v1 + p2 * v2
        weight = tables.reach[node]
        r0 += weight * (v0 - mean)
        r1 += weight * (v1 - mean)
        r2 += weight * (v2 - mean)
        value[node] = mean
        edge += _3
    into = game.group_regret[group]
    tables.instant[into], tables.instant[into + _1], tables.instant[into + _2] = r0, r1, r2


@inlined
def _any_choices(game: Any, tables: CfrTables, group: int) -> None:
    value, child, instant = tables.value, game.edge_child, tables.instant
    slot, edge = game.group_factor[group], np.uint64(game.group_edges[group])
    choices, into = game.group_choices[group], game.group_regret[group]
    for a in range(choices):
        instant[into + a] = 0.0
    for node in range(game.group_nodes[group], game.group_nodes[group + _1]):
        weight = tables.reach[node]
        if weight != 0.0:
            mean = 0.0
            for a in range(choices):
                mean += tables.factors[slot + a] * value[child[edge + a]]
            for a in range(choices):
                instant[into + a] += weight * (value[child[edge + a]] - mean)
            value[node] = mean
        edge += choices


@kernel
def _update(game: Any, tables: CfrTables, player: int, step: RuleStep) -> None:
    """Update the player's cumulative regrets and make its next strategy."""
    first, last = game.player_infosets[player], game.player_infosets[player + 1]
    regret, instant, strategy = tables.regret, tables.instant, tables.factors
    for slot in range(game.infoset_offset[first], game.infoset_offset[last]):
        regret[slot] = accumulated(regret[slot], instant[slot], step)
        strategy[slot] = played(regret[slot], instant[slot], step)
    for infoset in range(first, last):
        start, end = game.infoset_offset[infoset], game.infoset_offset[infoset + _1]
        total = 0.0
        for slot in range(start, end):
            total += strategy[slot]
        for slot in range(start, end):
            strategy[slot] = strategy[slot] / total if total > 0.0 else 1.0 / (end - start)
