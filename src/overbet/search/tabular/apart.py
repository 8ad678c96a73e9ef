"""Future cards: inside one solve, and the wrong way, one solve for each card.

Solving a subgame once for every card that can still come, and averaging the strategies, looks like sampling
the card. It is not: in each of these solves both players know the card before it is dealt. `solve_apart` does
it, so that what it costs can be measured; `sampled_solve` draws cards anew inside one solve, which is right.
"""

from __future__ import annotations

import numpy as np

from overbet.errors import RulesError
from overbet.games.protocol import CHANCE
from overbet.search.tabular.augmented import Beginning, deal
from overbet.search.tabular.resolving import Solve, cfr_solve
from overbet.search.tabular.subgames import PublicSubgame, owners
from overbet.search.tabular.walks import Floats, Ints, Mask, levels, reaches, sums
from overbet.solvers.policy import TabularPolicy
from overbet.solvers.sampling import SamplingSolver
from overbet.tree.flat import FlatGame


def sampled_solve(iterations: int, seed: int = 0) -> Solve:
    """Return a function that solves a small game with chance and the other player sampled anew each time."""

    def solve(game: FlatGame) -> Floats:
        solver = SamplingSolver(game, seed=seed)
        solver.run(iterations)
        return solver.average_strategy()

    return solve


def solve_apart(
    blueprint: TabularPolicy, subgame: PublicSubgame, solve: Solve | None = None
) -> TabularPolicy:
    """Return the blueprint with a subgame solved for each outcome of its next chance move, and averaged.

    Histories are dealt as the blueprint believes, as in the unsafe gadget. An information set before the
    chance move gets the mean of its strategies over the outcomes, by how likely each is there.
    """
    game, tree = blueprint.game, blueprint.game.tree
    owner = owners(game, subgame.roots)
    deals = _next_deals(game, owner)
    belief = reaches(game, blueprint.probabilities).prod(axis=0)[subgame.roots]
    chances = {card: _chance_of(game, owner, deals, card) for card in _cards(game, deals)}
    total, weight = np.zeros(game.num_slots), np.zeros(game.num_slots)
    for card, chance in chances.items():
        weights = belief * chance
        here = weights > 0.0
        if not here.any():
            continue
        keep = np.ones(game.num_nodes, dtype=bool)
        keep[1:] = ~deals[tree.parent[1:]] | (tree.action[1:] == card)
        start = Beginning(1, subgame.roots[here], weights[here], np.zeros(int(here.sum()), dtype=np.int64))
        known = deal(game, start, keep)
        solved = (solve or cfr_solve())(known.flat)
        mass = _mass(game, owner, np.where(here, weights, 0.0))[known.slots]
        total[known.slots] += mass * solved
        weight[known.slots] += mass
    mixed = np.divide(total, weight, out=blueprint.probabilities.copy(), where=weight > 0.0)
    return TabularPolicy.from_weights(game, mixed, {**blueprint.origin, "outcomes": len(chances)})


def _next_deals(game: FlatGame, owner: Ints) -> Mask:
    """Return [node] bool: the first chance move after each root history."""
    tree = game.tree
    found = (tree.player == CHANCE) & (owner >= 0)
    dealt = np.zeros(game.num_nodes, dtype=bool)
    for level in levels(tree)[1:]:
        above = tree.parent[level]
        dealt[level] = dealt[above] | found[above]
    found &= ~dealt
    if not found.any():
        raise RulesError(f"no chance move follows in this subgame of {game.name}; there is nothing to part")
    return np.asarray(found)


def _cards(game: FlatGame, deals: Mask) -> list[int]:
    """Return the outcomes, by the game's action ids."""
    after = np.flatnonzero(deals[game.tree.parent[1:]]) + 1
    return [int(card) for card in np.unique(game.tree.action[after])]


def _chance_of(game: FlatGame, owner: Ints, deals: Mask, card: int) -> Floats:
    """Return how likely `card` is after each root history, [root] float64; it must not depend on the line."""
    tree = game.tree
    places = np.flatnonzero(deals)
    after = np.flatnonzero(deals[tree.parent[1:]] & (tree.action[1:] == card)) + 1
    chance = np.zeros(game.num_nodes)
    chance[tree.parent[after]] = tree.probability[after]
    found = np.full(int(owner.max()) + 1, np.nan)
    found[owner[places]] = chance[places]
    if np.isnan(found).any():
        raise RulesError(f"in {game.name} no chance move follows some histories of this subgame")
    if not np.allclose(found[owner[places]], chance[places], rtol=0.0, atol=1e-12):
        raise RulesError(f"in {game.name} the chance of outcome {card} depends on what the players do before")
    return found


def _mass(game: FlatGame, owner: Ints, weights: Floats) -> Floats:
    """Return how much weight the root histories of each slot's set have, [slot] float64."""
    tree = game.tree
    inside = (owner >= 0) & (tree.infoset >= 0)
    found = sums(tree.infoset[inside], weights[owner[inside]], game.num_infosets)
    return np.asarray(found[tree.slot_infoset])
