"""Looking ahead to the end of a street, on many boards at once: the value function of AIVAT on hold'em.

From a place in a hand, with all hole cards open, the betting of the street is followed through every action
that the strategies take. What a line is worth: chips at the end of a hand; the share of the pot when the
street or the betting ends; and where too little is at stake (`RARE`), the share of the pot as if the bet were
called.

A look goes down the tree once for several lanes, each a board with its own equities and strategies. The first
lane is the board that came; its values stay in the tree for the decisions of the street. Which lines are
followed is decided by all lanes alike: boards that came and boards that were drawn are treated in the same
way, and the mean over the ones less the other stays without bias.

Nothing here has to be right for AIVAT to be unbiased: it has to be near for AIVAT to be good.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.agents.blueprint import blueprint_shares, folds_kept_at
from overbet.kernels.agents.scripted import (
    BLUEPRINT,
    BLUEPRINT_NUMBER,
    BY_EQUITY,
    KIND,
    MOST_CHOICES,
    RULES,
    shares,
)
from overbet.kernels.aivat.deal_boards import DealBoards
from overbet.kernels.aivat.pots import Pots, pot_worth, pots_worth
from overbet.kernels.aivat.tree import (
    ACTION,
    AMOUNT,
    BASE,
    FIRST,
    FITS,
    MASK,
    MIDDLE,
    NONE,
    OVER,
    PARENT,
    SCALE,
    STAKE,
    TABLE,
    TILT,
    WHO,
    WIDTH,
    AgentTables,
    LookTree,
    add_state,
    copy,
    open_list,
    put_in_call,
)
from overbet.kernels.holdem.rules import apply
from overbet.kernels.jit import lean, lean_inlined

DEEPEST = 24
VISITS = 3000  # children that one look weighs at most
RARE = 0.08  # lines with less at stake, chance times pot over the pot of now, are not followed further
NO_ROOM = -1  # in the tree; below it, -2 - player: features of that player's hands are asked for


class LookWalk(NamedTuple):
    """The way down of a look, D deep, L lanes, P columns of values (heads up one: player 0).

    place: [D, 4] int64, node, next child, how many of its own list, how many in all; reach: [D, L] float64;
    weights: [D, 2 * MOST_CHOICES, L] float64; value: [D, P, L] float64; look: [2] int64, the number of the
    last look, and children weighed in all of them; worth: [players] and row: [2 * MOST_CHOICES] float64;
    good: [L] bool.
    """

    place: npt.NDArray[np.int64]
    reach: npt.NDArray[np.float64]
    weights: npt.NDArray[np.float64]
    value: npt.NDArray[np.float64]
    look: npt.NDArray[np.int64]
    worth: npt.NDArray[np.float64]
    row: npt.NDArray[np.float64]
    good: npt.NDArray[np.bool_]


def new_walk(players: int, lanes: int) -> LookWalk:
    """Return room for looks with up to `lanes` boards."""
    return LookWalk(
        place=np.zeros((DEEPEST, 4), np.int64),
        reach=np.zeros((DEEPEST + 1, lanes)),
        weights=np.zeros((DEEPEST, 2 * MOST_CHOICES, lanes)),
        value=np.zeros((DEEPEST, 1 if players == 2 else players, lanes)),
        look=np.zeros(2, np.int64),
        worth=np.zeros(players),
        row=np.zeros(2 * MOST_CHOICES),
        good=np.zeros(lanes, np.bool_),
    )


@lean
def worth_of(tree: LookTree, pots: Pots, node: int, out: Any) -> None:
    """Write what a node is worth by itself with more than two players to out: [P] float64."""
    for player in range(len(out)):
        out[player] = tree.net[node, player]
    mask, amount, scale = int(tree.worth[node, MASK]), tree.worth[node, AMOUNT], tree.worth[node, SCALE]
    if mask > 0:
        if amount > 0.0:
            pot_worth(pots, mask, amount, scale, out)
        return
    form, state = tree.form[node], tree.scratch
    if form[TABLE] != NONE:
        copy(tree.table[form[TABLE], 0], state)
    else:
        copy(tree.table[tree.form[form[PARENT], TABLE], 0], state)
        apply(state, int(form[ACTION]))
    if not form[OVER]:
        put_in_call(state)
    pots_worth(pots, state, scale, out)


@lean_inlined
def strategies(
    agent_tables: AgentTables,
    tree: LookTree,
    deal_boards: DealBoards,
    pots: Pots,
    walk: LookWalk,
    node: int,
    first: int,
    lanes: int,
    depth: int,
) -> int:
    """Write how often the children of a node are played to walk.weights[depth]: [child, lane].

    The children of its own list come first, then those of the fallback, where a lane needs it. Return how
    many, or NO_ROOM, or -2 - player; walk.place[depth] receives the node and these numbers. Lanes that do not
    come here are left out, but for the first one.
    """
    if not add_state(agent_tables, tree, node, MIDDLE):
        return NO_ROOM
    form, row, weights, good = tree.form[node], walk.row, walk.weights[depth], walk.good
    player = form[WHO]
    agent_row = agent_tables.rows[agent_tables.agents[player]]
    blueprint, number = agent_row[KIND] == BLUEPRINT, int(agent_row[BLUEPRINT_NUMBER])
    node_of_blueprint = int(form[FITS + number]) if blueprint else int(NONE)
    own, lacking = 0, node_of_blueprint < 0
    for lane in range(lanes):  # whether nothing is asked, or the blueprint has answered
        good[lane] = lane > 0 and walk.reach[depth, lane] == 0.0
    if node_of_blueprint >= 0:
        if form[WIDTH] == NONE and not open_list(agent_tables, tree, pots, node, 0):
            return NO_ROOM
        own, table = int(form[WIDTH]), tree.table[form[TABLE]]
        if number == 0:
            kept = folds_kept_at(agent_tables.one, node_of_blueprint, table[1], table[0])
        else:
            kept = folds_kept_at(agent_tables.two, node_of_blueprint, table[2], table[0])
        for lane in range(lanes):
            asked = not good[lane]
            if asked:
                bucket = deal_boards.buckets[first + lane, number, player]
                if number == 0:
                    good[lane] = blueprint_shares(agent_tables.one, node_of_blueprint, bucket, kept, row)
                else:
                    good[lane] = blueprint_shares(agent_tables.two, node_of_blueprint, bucket, kept, row)
                lacking |= not good[lane]
            for place in range(own):
                weights[place, lane] = row[place] if asked and good[lane] else 0.0
    total = own
    if lacking:
        kind = 1 if blueprint else 0
        if blueprint:
            agent_row = agent_tables.fallback
        looks = agent_row[KIND] == RULES or agent_row[KIND] == BY_EQUITY
        if form[WIDTH + kind] == NONE and not open_list(agent_tables, tree, pots, node, kind):
            return NO_ROOM
        more = int(form[WIDTH + kind])
        state = tree.table[form[TABLE], 0]
        if not looks:
            shares(state, agent_row, deal_boards.features[first, player], more, row)
        for lane in range(lanes):
            if looks and not good[lane]:
                if not deal_boards.has_features[first + lane, player]:
                    return int(-2 - player)
                shares(state, agent_row, deal_boards.features[first + lane, player], more, row)
            for place in range(more):
                weights[own + place, lane] = 0.0 if good[lane] else row[place]
        total += more
        if kind == 0:
            own = more
    walk.place[depth, 0], walk.place[depth, 1] = node, 0
    walk.place[depth, 2], walk.place[depth, 3] = own, total
    return int(total)


@lean
def look_ahead(
    agent_tables: AgentTables,
    tree: LookTree,
    deal_boards: DealBoards,
    pots: Pots,
    walk: LookWalk,
    root: int,
    first: int,
    lanes: int,
) -> int:
    """Look ahead from a decision to the end of the street on the boards of deal_boards first, first + 1, ...

    walk.value[0]: [P, lane] receives what the place is worth. Return 0, NO_ROOM, or -2 - player. With more
    than two players there is one lane, whose shares `pots` has.
    """
    # bundles are opened once: this is the inner loop of it all
    form, worths, values = tree.form, tree.worth, tree.value
    places, reaches, weights, value = walk.place, walk.reach, walk.weights, walk.value
    chance, worth = deal_boards.chance, walk.worth
    columns = value.shape[1]
    walk.look[0] += 1
    for lane in range(lanes):
        reaches[0, lane] = 1.0
    least = RARE * worths[root, STAKE]
    depth, visits, entering = 0, 0, root
    while True:
        if entering >= 0:
            total = strategies(agent_tables, tree, deal_boards, pots, walk, entering, first, lanes, depth)
            if total < 0:
                return total
            visits += total
            walk.look[1] += total
            for column in range(columns):
                for lane in range(lanes):
                    value[depth, column, lane] = 0.0
            entering = NONE
        node, slot = places[depth, 0], places[depth, 1]
        if slot == places[depth, 3]:
            tree.look[node] = walk.look[0]
            for column in range(columns):
                values[node, column] = value[depth, column, 0]
            if depth == 0:
                return 0
            depth -= 1
            slot = places[depth, 1] - 1
            for column in range(columns):
                for lane in range(lanes):
                    value[depth, column, lane] += weights[depth, slot, lane] * value[depth + 1, column, lane]
            continue
        places[depth, 1] += 1
        own = places[depth, 2]
        child = form[node, FIRST] + slot if slot < own else form[node, FIRST + 1] + slot - own
        most, played = 0.0, weights[depth, slot, 0]
        for lane in range(lanes):
            weight = weights[depth, slot, lane]
            reach = reaches[depth, lane] * weight
            reaches[depth + 1, lane] = reach
            played = max(played, weight)
            most = max(most, reach)
        if played <= 0.0:
            continue
        follow = not form[child, OVER] and depth + 2 < DEEPEST and visits < VISITS
        if follow and most * worths[child, STAKE] >= least:
            depth += 1
            entering = child
            continue
        if columns == 1:
            base, tilt = worths[child, BASE], worths[child, TILT]
            for lane in range(lanes):
                value[depth, 0, lane] += weights[depth, slot, lane] * (base + tilt * chance[first + lane])
            values[child, 0] = base + tilt * chance[first]
        else:
            worth_of(tree, pots, child, worth)
            for column in range(columns):
                value[depth, column, 0] += weights[depth, slot, 0] * worth[column]
                values[child, column] = worth[column]
