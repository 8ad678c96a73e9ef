"""What is swept, and what follows from it, is worth at every line what the game's own terminals are worth."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.solvers.vector.terminals import slot_owners, swept_at, terminals_of
from overbet.tree.betting import FOLD, SHOWDOWN
from overbet.tree.public import PublicTree, public_tree
from overbet.tree.spot import IP, OOP, Spot

SPOTS = {
    "river": {"board": "Td9d6hQc2s", "bets": {"every": {"bet": "33%, 75%, a", "raise": "60%, a"}}},
    "one size": {"board": "Td9d6hQc2s", "bets": {"every": {"bet": "50%", "raise": "100%"}}},
    "rake": {"board": "Td9d6hQc2s", "rake": {"share": 0.05, "cap": 30}, "bets": {"every": {"bet": "50%, a"}}},
    "half of it is rake": {
        "board": "Td9d6hQc2s",
        "rake": {"share": 0.5},  # a fold to the first bet wins nothing
        "bets": {"every": {"bet": "33%, 75%, a", "raise": "60%, a"}},
    },
    "turn": {"board": "Td9d6hQc", "bets": {"every": {"bet": "33%, 75%, a", "raise": "60%, a"}}},
}


def spot_of(name: str) -> PublicTree:
    ranges = {"oop": "TT+,AQs+", "ip": "99-66,AJs"}
    return public_tree(
        Spot.parse({"pot": 200, "stacks": 900, "big_blind": 10, "ranges": ranges, **SPOTS[name]})
    )


def drawn(tree: PublicTree, own: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return for each node a reach of the opponent, as it shares it out, and what share of it is beaten."""
    betting = tree.betting
    every, won = np.zeros(betting.size), np.zeros(betting.size)
    for node in range(betting.size):
        if node in betting.line_start:
            every[node], won[node] = rng.random(2)
        children = list(betting.children(node)) if betting.kind[node] <= IP else []
        parts = rng.dirichlet(np.ones(len(children))) if betting.kind[node] == 1 - own else np.ones(64)
        for child, part in zip(children, parts):
            every[child], won[child] = part * every[node], part * won[node]
    return every, won


@pytest.mark.parametrize("name", SPOTS)
@pytest.mark.parametrize("own", [OOP, IP])
def test_lines_are_worth_what_the_game_says(name: str, own: int) -> None:
    tree = spot_of(name)
    betting, found, rng = tree.betting, terminals_of(tree, own), np.random.default_rng(own)
    every, won = drawn(tree, own, rng)
    scale = {2: 1.0} if tree.spot.first_street == 2 else {1: 1.0, 2: 1 / 44}
    plain, swept = np.zeros(betting.size), np.zeros(betting.size)
    for node in np.flatnonzero(betting.kind >= FOLD).tolist():
        put = betting.put[node].tolist()
        if betting.kind[node] == SHOWDOWN:
            pot = tree.spot.pot + 2 * put[own]
            pot -= tree.spot.rake.of(pot)
            paid = pot / 2 * won[node] - (put[own] + tree.spot.pot / 2) * every[node]
        else:
            folder = int(betting.kind[betting.parent[node]])
            called = put[folder]
            gets = tree.spot.pot + called - tree.spot.rake.of(tree.spot.pot + 2 * called)
            paid = ((-called if folder == own else gets) - tree.spot.pot / 2) * every[node]
        plain[node] = paid * scale[int(betting.street[node])]
    for reach, fold, show, (half, lost, pays) in zip(found.reach, found.fold, found.show, found.pays):
        if show >= 0:
            swept[show] = half * won[reach] + lost * every[reach]
        if fold >= 0:
            swept[fold] = pays * every[reach]
    for (end, leaf), factor in zip(found.derived, found.factors):
        swept[end] = factor * swept[found.fold[leaf]]
    chosen = rng.random(betting.size)
    for node in reversed(range(betting.size)):
        if betting.kind[node] <= IP:
            children = list(betting.children(node))
            weights = chosen[children] / chosen[children].sum() if betting.kind[node] == own else 1.0
            plain[node], swept[node] = (np.sum(weights * values[children]) for values in (plain, swept))
    lines = betting.line_start[:-1]
    assert np.abs(plain[lines]).max() > 1
    assert swept[lines] == pytest.approx(plain[lines], abs=1e-9)


@pytest.mark.parametrize("own", [OOP, IP])
def test_folds_of_the_opponent_on_the_river_are_not_swept(own: int) -> None:
    tree = spot_of("turn")
    betting, found = tree.betting, terminals_of(tree, own)
    ends = np.flatnonzero(betting.kind >= FOLD)
    folds = (betting.kind[ends] == FOLD) & (betting.kind[betting.parent[ends]] == 1 - own)
    spared = folds & (betting.street[ends] == 2)
    assert spared.sum() > 20
    assert (swept_at(betting, own) != ends).tolist() == spared.tolist()
    by_themselves = len(np.unique(slot_owners(betting, 1 - own)[ends]))
    assert len(found.reach) < 0.85 * by_themselves
    given = np.concatenate([found.fold, found.show, found.derived[:, 0]])
    assert np.array_equal(np.sort(given[given >= 0]), ends)  # every terminal's values come from one place
