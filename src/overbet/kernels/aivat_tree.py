"""The betting ahead as a tree that grows where it is looked at: the value function of AIVAT on hold'em.

From a place in a hand, with all hole cards open, the betting of the street is followed through every action
that the strategies take (`evaluate`). What a line is worth: chips at the end of a hand; the share of the pot
when the street or the betting ends; and where a line is rarer than `RARE`, the share of the pot as if the
bet were called. Betting does not depend on cards, so its tree is kept and shared by all boards, hands and
deals: a look at another board asks strategies and adds up, nothing more. Heads up the worth of an end is a
line in the equity, base + tilt * equity of player 0.

Nothing here has to be right for AIVAT to be unbiased: it has to be near for AIVAT to be good, and it has to
be the same function for cards that came and for cards that did not.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.kernels.agents_blueprint import advance, book_actions, book_shares, in_step
from overbet.kernels.agents_scripted import (
    BLUEPRINT,
    BOOK,
    BY_EQUITY,
    KIND,
    MOST_CHOICES,
    RULES,
    menu,
    shares,
)
from overbet.kernels.aivat_street import DEEPEST, Look, Minds, pots_worth
from overbet.kernels.holdem import apply
from overbet.kernels.holdem_layout import (
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
from overbet.kernels.holdem_pots import side_pots
from overbet.kernels.jit import inlined, kernel
from overbet.kernels.match_play import BOOKS

NODES = 16384
VISITS = 1500  # children that one look weighs at most
RARE = 0.05  # lines that are taken less often are not followed further
NONE = -1


class Tree(NamedTuple):
    """N nodes, P players; node r is the first decision in rotation r. used: [1] int64, how many there are.

    state: [N, SIZE], book: [N, BOOKS], inner: [N, BOOKS, SIZE] int64, the table (any cards) and the
    blueprints' trees there. end: [N] bool, whether the street was over when this was reached; mapped: [N]
    bool, whether a blueprint had to map what led here, action: [N] int64; fits: [N, BOOKS] bool, whether its
    tree stands where the table does. opened: [N, 2] bool; children are first[n, l] .. first[n, l] +
    width[n, l] - 1: [N, 2] int64, of the player's own list (l = 0) or of its fallback's (1). more, beside:
    [N] int64, real actions outside of both, a chain. scale: [N] float64, of leads where betting goes on;
    base, tilt: [N, P] float64, heads up.
    """

    used: npt.NDArray[np.int64]
    state: npt.NDArray[np.int64]
    book: npt.NDArray[np.int64]
    inner: npt.NDArray[np.int64]
    end: npt.NDArray[np.bool_]
    mapped: npt.NDArray[np.bool_]
    fits: npt.NDArray[np.bool_]
    action: npt.NDArray[np.int64]
    opened: npt.NDArray[np.bool_]
    first: npt.NDArray[np.int64]
    width: npt.NDArray[np.int64]
    more: npt.NDArray[np.int64]
    beside: npt.NDArray[np.int64]
    scale: npt.NDArray[np.float64]
    base: npt.NDArray[np.float64]
    tilt: npt.NDArray[np.float64]


def new_tree(players: int) -> Tree:
    """Return an empty tree for a table of `players`."""
    return Tree(
        used=np.zeros(1, np.int64),
        state=np.empty((NODES, SIZE), np.int64),
        book=np.empty((NODES, BOOKS), np.int64),
        inner=np.empty((NODES, BOOKS, SIZE), np.int64),
        end=np.empty(NODES, np.bool_),
        mapped=np.empty(NODES, np.bool_),
        fits=np.empty((NODES, BOOKS), np.bool_),
        action=np.empty(NODES, np.int64),
        opened=np.empty((NODES, 2), np.bool_),
        first=np.empty((NODES, 2), np.int64),
        width=np.empty((NODES, 2), np.int64),
        more=np.empty(NODES, np.int64),
        beside=np.empty(NODES, np.int64),
        scale=np.empty(NODES),
        base=np.empty((NODES, players)),
        tilt=np.empty((NODES, players)),
    )


@kernel
def _worth(look: Look, state: Any, gain: float, base: Any, tilt: Any) -> None:
    """Write what the pots are worth heads up as a line in the equity of player 0: base, tilt: [2] float64."""
    for player in range(2):
        base[player] = state[STACK + player] - look.start[player]
        tilt[player] = 0.0
    if state[ACTOR] == TERMINAL:
        return
    for pot in range(side_pots(state, state[ACTIVE], look.amounts, look.winners)):
        mask, amount = look.winners[pot], look.amounts[pot]
        if mask == 3:
            base[0] += (0.5 - 0.5 * gain) * amount
            base[1] += (0.5 + 0.5 * gain) * amount
            tilt[0] += gain * amount
            tilt[1] -= gain * amount
        else:
            base[0 if mask == 1 else 1] += amount


@inlined
def _call(state: Any) -> None:
    """Put in what the player to act would have to call."""
    player, chips = state[ACTOR], state[TO_CALL]
    state[STACK + player] -= chips
    state[PUT_IN + player] += chips
    state[POT] += chips


@kernel
def _finish(minds: Minds, tree: Tree, look: Look, node: int, street: int) -> None:
    """Work out what a new node is worth by itself; street: of the action that led to it."""
    state = tree.state[node]
    players = state[PLAYERS]
    tree.end[node] = state[ACTOR] < 0 or state[STREET] != street
    tree.opened[node, 0] = tree.opened[node, 1] = False
    tree.width[node, 0] = tree.width[node, 1] = 0
    tree.more[node] = tree.beside[node] = NONE
    tree.fits[node] = False
    if state[ACTOR] >= 0:
        if minds.used[0]:
            tree.fits[node, 0] = in_step(minds.one, tree.book[node, 0], tree.inner[node, 0], state)
        if minds.used[1]:
            tree.fits[node, 1] = in_step(minds.two, tree.book[node, 1], tree.inner[node, 1], state)
    scale = 1.0
    if tree.end[node] and state[ACTOR] >= 0:  # betting goes on: what is behind may follow
        behind = np.int64(0)
        for player in range(players):
            if state[ACTIVE] >> player & 1 and (behind == 0 or state[STACK + player] < behind):
                behind = state[STACK + player]
        scale += minds.gain[street] * min(1.0, behind / np.float64(state[POT]))
    tree.scale[node] = scale
    if players == 2:
        if tree.end[node]:
            _worth(look, state, scale, tree.base[node], tree.tilt[node])
        else:
            look.scratch[:] = state
            _call(look.scratch)
            _worth(look, look.scratch, 1.0, tree.base[node], tree.tilt[node])


@kernel
def plant(minds: Minds, tree: Tree, look: Look, root: Any) -> None:
    """Empty the tree but for the first decision of every rotation; root: [SIZE] int64, cards dealt."""
    players = root[PLAYERS]
    tree.used[0] = players
    for node in range(players):
        tree.state[node] = root
        tree.book[node] = 0
        if minds.used[0]:
            tree.inner[node, 0] = minds.one.root
        if minds.used[1]:
            tree.inner[node, 1] = minds.two.root
        tree.action[node] = 0
        tree.mapped[node] = False
        _finish(minds, tree, look, node, root[STREET])


@kernel
def _grow(minds: Minds, tree: Tree, look: Look, parent: int, action: int, u: float) -> int:
    """Add a node for an action; u: how bets that a blueprint does not have are mapped."""
    node = tree.used[0]
    tree.used[0] += 1
    state, inner = tree.state[parent], tree.inner[node]
    tree.action[node] = action
    tree.mapped[node] = False
    tree.book[node] = tree.book[parent]
    if minds.used[0]:
        inner[0] = tree.inner[parent, 0]
        tree.book[node, 0], mapped = advance(minds.one, tree.book[node, 0], inner[0], state, action, u)
        tree.mapped[node] |= mapped
    if minds.used[1]:
        inner[1] = tree.inner[parent, 1]
        tree.book[node, 1], mapped = advance(minds.two, tree.book[node, 1], inner[1], state, action, u)
        tree.mapped[node] |= mapped
    tree.state[node] = state
    apply(tree.state[node], action)
    _finish(minds, tree, look, node, state[STREET])
    return int(node)


@kernel
def step(minds: Minds, tree: Tree, look: Look, node: int, action: int, u: float) -> int:
    """Return the node after an action that was played, u the number that mapped it, or NONE without room."""
    if tree.used[0] + 2 > len(tree.end):
        return NONE
    for kind in range(2):
        for child in range(tree.first[node, kind], tree.first[node, kind] + tree.width[node, kind]):
            if tree.action[child] == action and not tree.mapped[child]:
                return int(child)
    # made at the end of the tree, and kept there if it is new
    made = _grow(minds, tree, look, node, action, u)
    for kind in range(2):
        for child in range(tree.first[node, kind], tree.first[node, kind] + tree.width[node, kind]):
            if tree.action[child] == action and _same(minds, tree, child, made):
                tree.used[0] -= 1
                return int(child)
    child = tree.more[node]
    while child != NONE:
        if tree.action[child] == action and _same(minds, tree, child, made):
            tree.used[0] -= 1
            return int(child)
        child = tree.beside[child]
    tree.beside[made] = tree.more[node]
    tree.more[node] = made
    return made


@inlined
def _same(minds: Minds, tree: Tree, one: int, two: int) -> bool:
    for number in range(BOOKS):
        if minds.used[number] and tree.book[one, number] != tree.book[two, number]:
            return False
    return True


@kernel
def _open(minds: Minds, tree: Tree, look: Look, node: int, kind: int) -> None:
    """Give a node the children of one of its lists."""
    state = tree.state[node]
    row = minds.rows[look.agents[state[ACTOR]]]
    if row[KIND] == BLUEPRINT and kind == 0:
        number = np.int64(row[BOOK])
        place, inner = tree.book[node, number], tree.inner[node, number]
        if number == 0:
            count = book_actions(minds.one, place, inner, state, look.actions)
        else:
            count = book_actions(minds.two, place, inner, state, look.actions)
    else:
        count = menu(state, state[ACTOR], minds.fallback if kind == 1 else row, look.actions)
    tree.opened[node, kind] = True
    tree.first[node, kind], tree.width[node, kind] = tree.used[0], count
    for place in range(count):
        _grow(minds, tree, look, node, look.actions[place], 0.5)


@kernel
def worth_of(tree: Tree, look: Look, node: int, out: Any) -> None:
    """Write what a node is worth by itself to out: [P] float64."""
    state = tree.state[node]
    players = state[PLAYERS]
    if players == 2:
        for player in range(2):
            out[player] = tree.base[node, player] + tree.tilt[node, player] * look.equity[0]
    elif state[ACTOR] == TERMINAL:
        for player in range(players):
            out[player] = state[STACK + player] - look.start[player]
    elif tree.end[node]:
        pots_worth(look, state, tree.scale[node], out)
    else:
        look.scratch[:] = state
        _call(look.scratch)
        pots_worth(look, look.scratch, 1.0, out)


@kernel
def evaluate(minds: Minds, tree: Tree, look: Look, root: int, sight: int) -> int:
    """Look ahead from a decision to the end of the street with the cards of `sight`.

    look.value[0]: [P] float64 receives the worth of the place, look.after[i] that of the i-th child of the
    list, whose number is returned (look.weights[0] are the strategy). Or NONE where the tree has no room, or
    -2 - player where the features of that hand are needed and not there.
    """
    # bundles are opened once: this is the inner loop of it all
    rows, one, two = minds.rows, minds.one, minds.two
    states, books, fits, ends, opened = tree.state, tree.book, tree.fits, tree.end, tree.opened
    first, width, base, tilt = tree.first, tree.width, tree.base, tree.tilt
    agents, buckets, seen, features = look.agents, look.buckets, look.seen, look.features
    nodes, kinds, nexts, reaches = look.node, look.kind, look.next, look.reach
    weights, value, after, worth = look.weights, look.value, look.after, look.worth
    players, equity = len(look.start), look.equity[0]
    room = len(ends) - MOST_CHOICES - 2
    entering, reach, depth, visits = root, 1.0, 0, 0
    while True:
        if entering >= 0:  # ask the player to act there
            player = states[entering, ACTOR]
            row, kind = rows[agents[player]], 1
            if row[KIND] == BLUEPRINT:
                number = np.int64(row[BOOK])
                if fits[entering, number]:
                    place, bucket = books[entering, number], buckets[sight, number, player]
                    out = weights[depth]
                    if number == 0:
                        good = book_shares(one, place, bucket, out)
                    else:
                        good = book_shares(two, place, bucket, out)
                    kind = 0 if good else 1
                if kind == 1:
                    row = minds.fallback
            else:
                kind = 0
            looked = row[KIND] == RULES or row[KIND] == BY_EQUITY
            if row[KIND] != BLUEPRINT and looked and not seen[sight, player]:
                return int(-2 - player)
            if not opened[entering, kind]:
                if tree.used[0] > room:
                    return NONE
                _open(minds, tree, look, entering, kind)
            if row[KIND] != BLUEPRINT:
                count = width[entering, kind]
                shares(states[entering], row, features[sight, player], count, weights[depth])
            nodes[depth], kinds[depth], nexts[depth], reaches[depth] = entering, kind, 0, reach
            for player in range(players):
                value[depth, player] = 0.0
            visits += width[entering, kind]
            entering = NONE
        node, kind, place = nodes[depth], kinds[depth], nexts[depth]
        if place == width[node, kind]:
            if depth == 0:
                return int(kind)
            depth -= 1
            place = nexts[depth] - 1
            for player in range(players):
                value[depth, player] += weights[depth, place] * value[depth + 1, player]
                if depth == 0:
                    after[place, player] = value[1, player]
            continue
        nexts[depth] += 1
        weight = weights[depth, place]
        if weight <= 0.0:
            continue
        child, reach = first[node, kind] + place, reaches[depth] * weight
        if not ends[child] and reach >= RARE and depth + 2 < DEEPEST and visits < VISITS:
            depth += 1
            entering = child
            continue
        if players == 2:
            for player in range(2):
                worth[player] = base[child, player] + tilt[child, player] * equity
        else:
            worth_of(tree, look, child, worth)
        for player in range(players):
            value[depth, player] += weight * worth[player]
            if depth == 0:
                after[place, player] = worth[player]
