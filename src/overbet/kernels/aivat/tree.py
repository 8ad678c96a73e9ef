"""The betting of a hand as a tree that grows where it is looked at: AIVAT on hold'em.

Betting does not depend on cards, so its tree is kept and shared by all boards, hands and deals. A node has
two lists of actions: those that the player to act considers, and those of the fallback that a blueprint
plays where it has no strategy; real actions outside of both are kept beside. What a look reads of a node lies
in one row of `LookTree.form` and one of `LookTree.worth`. Most nodes are leaves that no look goes beyond:
only those where somebody acts on get a table (`add_state`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.agents.blueprint import advance, blueprint_actions, in_step
from overbet.kernels.agents.scripted import BLUEPRINT, BLUEPRINT_NUMBER, KIND, MOST_CHOICES, menu
from overbet.kernels.aivat.pots import Pots, pair_line
from overbet.kernels.holdem.layout import (
    ACTIVE,
    ACTOR,
    PLAYERS,
    POT,
    PUT_IN,
    SIZE,
    STACK,
    STREET,
    TERMINAL,
    TO_CALL,
)
from overbet.kernels.holdem.pots import side_pots
from overbet.kernels.holdem.rules import apply
from overbet.kernels.jit import lean, lean_inlined
from overbet.kernels.match.play import BLUEPRINTS

NODES, TABLES = 65536, 24576
NONE = -1
MIDDLE = 0.5  # the number by which looks map bets that a blueprint does not have

# a row of `LookTree.form`
WHO = 0  # player to act, below 0 where the hand is over
OVER = 1  # whether the street was over when this was reached
ACTION = 2  # that led here
MAPPED = 3  # whether a blueprint had to map it
FIRST = 4  # two: the first child of each list
WIDTH = 6  # two: how many, NONE where the list was not opened
MORE, BESIDE = 8, 9  # first of the other real actions; the next one of them
BLUEPRINT_NODE = 10  # BLUEPRINTS: where the blueprints' trees stand, once there is a table
FITS = 12  # BLUEPRINTS: the same where that tree stands where the table does, else NONE
TABLE = 14  # which, NONE where there is none
PARENT = 15
FORM = 16
# a row of `LookTree.worth`
BASE, TILT = 0, 1  # heads up, what the node is worth by itself to player 0: a line in its equity
AMOUNT, MASK = 0, 1  # more players: of the pot, and who can win it; 0 where there are several pots
STAKE = 2  # chips in the pot
SCALE = 3  # of a lead, where betting goes on after the street
WORTH = 4


class AgentTables(NamedTuple):
    """Who plays: rows: [agents, ROW] float64; fallback: [ROW] float64; one, two: `BlueprintDecisions` of
    the blueprints that rows name; used: [BLUEPRINTS] bool; gain: [4] float64, how much a better hand is
    worth beyond its share of the pot where betting goes on after the street; agents: [P] int64, whose row
    plays for each player.
    """

    rows: npt.NDArray[np.float64]
    fallback: npt.NDArray[np.float64]
    one: Any
    two: Any
    used: npt.NDArray[np.bool_]
    gain: npt.NDArray[np.float64]
    agents: npt.NDArray[np.int64]


class LookTree(NamedTuple):
    """N nodes, P players; node r is the first decision in rotation r. used: [2] int64, how many nodes and
    tables there are.

    form: [N, FORM] int32; worth: [N, WORTH] float64; table: [T, 1 + blueprints, SIZE] int64, the real table
    (any cards) and the blueprints' own. Of the last looks: value: [N, P] float64 (heads up [N, 1], player
    0) of the first lane, and look: [N] int64, the last one that went on below the node. net: [N, P]
    float64, with more than two players what everybody has lost before a pot is won. actions: [MOST_CHOICES]
    and scratch, called: [SIZE] int64.
    """

    used: npt.NDArray[np.int64]
    form: npt.NDArray[np.int32]
    worth: npt.NDArray[np.float64]
    table: npt.NDArray[np.int64]
    value: npt.NDArray[np.float64]
    look: npt.NDArray[np.int64]
    net: npt.NDArray[np.float64]
    actions: npt.NDArray[np.int64]
    scratch: npt.NDArray[np.int64]
    called: npt.NDArray[np.int64]


def new_tree(players: int, blueprints: int) -> LookTree:
    """Return an empty tree for a table of `players` with so many blueprints."""
    return LookTree(
        used=np.zeros(2, np.int64),
        form=np.zeros((NODES, FORM), np.int32),
        worth=np.zeros((NODES, WORTH)),
        table=np.empty((TABLES, 1 + blueprints, SIZE), np.int64),
        value=np.zeros((NODES, 1 if players == 2 else players)),
        look=np.zeros(NODES, np.int64),
        net=np.zeros((1 if players == 2 else NODES, players)),
        actions=np.zeros(MOST_CHOICES, np.int64),
        scratch=np.zeros(SIZE, np.int64),
        called=np.zeros(SIZE, np.int64),
    )


@lean_inlined
def copy(source: Any, target: Any) -> None:
    """Write source to target: [SIZE] int64; an assignment of slices would allocate."""
    for place in range(SIZE):
        target[place] = source[place]


@lean_inlined
def put_in_call(state: Any) -> None:
    """Put in what the player to act would have to call."""
    player, chips = state[ACTOR], state[TO_CALL]
    state[STACK + player] -= chips
    state[PUT_IN + player] += chips
    state[POT] += chips


@lean
def _value(agent_tables: AgentTables, tree: LookTree, pots: Pots, node: int, state: Any, street: int) -> None:
    """Work out what a new node is worth by itself; state: its table; street: of the action that led to it."""
    form, worth = tree.form[node], tree.worth[node]
    over = state[ACTOR] < 0 or state[STREET] != street
    form[WHO], form[OVER], form[MAPPED] = state[ACTOR], over, False
    form[WIDTH] = form[WIDTH + 1] = form[MORE] = form[BESIDE] = form[TABLE] = NONE
    tree.look[node] = 0
    worth[STAKE], worth[SCALE] = state[POT], 1.0
    if over and state[ACTOR] >= 0:  # betting goes on: what is behind may follow
        behind = 0
        for player in range(state[PLAYERS]):
            if state[ACTIVE] >> player & 1 and (behind == 0 or state[STACK + player] < behind):
                behind = state[STACK + player]
        worth[SCALE] += agent_tables.gain[street] * min(1.0, behind / np.float64(state[POT]))
    copy(state, tree.called)
    if not over:  # as if the bet were called
        put_in_call(tree.called)
    if state[PLAYERS] == 2 and state[ACTOR] == TERMINAL:
        worth[BASE], worth[TILT] = state[STACK] - pots.start[0], 0.0
    elif state[PLAYERS] == 2:
        worth[BASE], worth[TILT] = pair_line(pots, tree.called, worth[SCALE])
    else:
        for player in range(state[PLAYERS]):
            tree.net[node, player] = tree.called[STACK + player] - pots.start[player]
        if state[ACTOR] == TERMINAL:
            worth[AMOUNT], worth[MASK] = 0.0, 1.0
        else:
            count = side_pots(tree.called, tree.called[ACTIVE], pots.amounts, pots.winners)
            worth[AMOUNT], worth[MASK] = pots.amounts[0], pots.winners[0] if count == 1 else 0.0


@lean
def _fit(agent_tables: AgentTables, tree: LookTree, node: int) -> None:
    """Note which blueprints' trees stand where the table of a node does."""
    form, table = tree.form[node], tree.table[tree.form[node, TABLE]]
    form[FITS] = form[FITS + 1] = NONE
    if form[WHO] >= 0:
        if agent_tables.used[0] and in_step(agent_tables.one, int(form[BLUEPRINT_NODE]), table[1], table[0]):
            form[FITS] = form[BLUEPRINT_NODE]
        if agent_tables.used[1] and in_step(
            agent_tables.two, int(form[BLUEPRINT_NODE + 1]), table[2], table[0]
        ):
            form[FITS + 1] = form[BLUEPRINT_NODE + 1]


@lean
def start_tree(agent_tables: AgentTables, tree: LookTree, pots: Pots, root: Any) -> None:
    """Empty the tree but for the first decision of every rotation; root: [SIZE] int64, cards dealt."""
    players = root[PLAYERS]
    tree.used[0] = tree.used[1] = players
    for node in range(players):
        tree.form[node] = 0
        _value(agent_tables, tree, pots, node, root, root[STREET])
        tree.form[node, TABLE] = node
        copy(root, tree.table[node, 0])
        if agent_tables.used[0]:
            copy(agent_tables.one.root, tree.table[node, 1])
        if agent_tables.used[1]:
            copy(agent_tables.two.root, tree.table[node, 2])
        _fit(agent_tables, tree, node)


@lean
def has_space(tree: LookTree) -> bool:
    """Return whether another hand is sure to find room."""
    return bool(4 * tree.used[0] < 3 * len(tree.form) and 4 * tree.used[1] < 3 * len(tree.table))


@lean
def add_state(agent_tables: AgentTables, tree: LookTree, node: int, u: float) -> bool:
    """Give a node its table; return False where there is no room for one.

    u: how a bet that a blueprint does not have is mapped.
    """
    form = tree.form[node]
    if form[TABLE] != NONE:
        return True
    if tree.used[1] == len(tree.table):
        return False
    form[TABLE] = tree.used[1]
    tree.used[1] += 1
    above = tree.form[form[PARENT]]
    action = int(form[ACTION])
    old, new = tree.table[above[TABLE]], tree.table[form[TABLE]]
    if agent_tables.used[0]:
        copy(old[1], new[1])
        reached, mapped = advance(agent_tables.one, int(above[BLUEPRINT_NODE]), new[1], old[0], action, u)
        form[BLUEPRINT_NODE] = reached
        form[MAPPED] |= mapped
    if agent_tables.used[1]:
        copy(old[2], new[2])
        reached, mapped = advance(agent_tables.two, int(above[BLUEPRINT_NODE + 1]), new[2], old[0], action, u)
        form[BLUEPRINT_NODE + 1] = reached
        form[MAPPED] |= mapped
    copy(old[0], new[0])
    apply(new[0], action)
    _fit(agent_tables, tree, node)
    return True


@lean
def _grow(agent_tables: AgentTables, tree: LookTree, pots: Pots, parent: int, action: int) -> int:
    """Add a node for an action, without a table of its own."""
    node = tree.used[0]
    tree.used[0] += 1
    state = tree.table[tree.form[parent, TABLE], 0]
    copy(state, tree.scratch)
    apply(tree.scratch, action)
    _value(agent_tables, tree, pots, node, tree.scratch, state[STREET])
    tree.form[node, ACTION], tree.form[node, PARENT] = action, parent
    return int(node)


@lean
def open_list(agent_tables: AgentTables, tree: LookTree, pots: Pots, node: int, kind: int) -> bool:
    """Give a node the children of one of its lists; return False where the tree has no room for them."""
    if tree.used[0] + MOST_CHOICES + 2 > len(tree.form):
        return False
    form, table = tree.form[node], tree.table[tree.form[node, TABLE]]
    state = table[0]
    row = agent_tables.rows[agent_tables.agents[form[WHO]]]
    if kind == 0 and row[KIND] == BLUEPRINT and row[BLUEPRINT_NUMBER] == 0.0:
        count = blueprint_actions(agent_tables.one, int(form[FITS]), table[1], state, tree.actions)
    elif kind == 0 and row[KIND] == BLUEPRINT:
        count = blueprint_actions(agent_tables.two, int(form[FITS + 1]), table[2], state, tree.actions)
    else:
        count = menu(state, int(form[WHO]), agent_tables.fallback if kind == 1 else row, tree.actions)
    form[FIRST + kind], form[WIDTH + kind] = tree.used[0], count
    for place in range(count):
        _grow(agent_tables, tree, pots, node, tree.actions[place])
    return True


@lean_inlined
def _same(agent_tables: AgentTables, tree: LookTree, one: int, two: int) -> bool:
    """Return whether two children for the same action are one: blueprints mapped it the same way."""
    for number in range(BLUEPRINTS):
        if (
            agent_tables.used[number]
            and tree.form[one, BLUEPRINT_NODE + number] != tree.form[two, BLUEPRINT_NODE + number]
        ):
            return False
    return True


@lean_inlined
def _instead(tree: LookTree, node: int) -> int:
    """Give up the last node and its table for one that was there before."""
    tree.used[0] -= 1
    tree.used[1] -= 1
    return int(node)


@lean
def step(agent_tables: AgentTables, tree: LookTree, pots: Pots, node: int, action: int, u: float) -> int:
    """Return the node after an action that was played, u the number that mapped it, or NONE without room."""
    form = tree.form
    if tree.used[0] + 2 > len(form) or tree.used[1] + 2 > len(tree.table):
        return NONE
    for kind in range(2):
        for child in range(form[node, FIRST + kind], form[node, FIRST + kind] + form[node, WIDTH + kind]):
            if (
                form[child, ACTION] == action
                and add_state(agent_tables, tree, child, MIDDLE)
                and not form[child, MAPPED]
            ):
                return int(child)
    # made at the end of the tree, and kept there if it is new
    made = _grow(agent_tables, tree, pots, node, action)
    if not add_state(agent_tables, tree, made, u):
        return NONE
    for kind in range(2):
        for child in range(form[node, FIRST + kind], form[node, FIRST + kind] + form[node, WIDTH + kind]):
            if form[child, ACTION] == action and _same(agent_tables, tree, child, made):
                return _instead(tree, child)
    other = int(form[node, MORE])
    while other != NONE:
        if form[other, ACTION] == action and _same(agent_tables, tree, other, made):
            return _instead(tree, other)
        other = int(form[other, BESIDE])
    form[made, BESIDE] = form[node, MORE]
    form[node, MORE] = made
    return made
