"""The best that re-solving could do: a player's strategy outside the subgames fixed, inside free.

`best_below` solves all subgames of a player at once, with its own strategy before them fixed and the opponent
free everywhere. No gadget can be less exploitable with the same trunk; it is the yardstick, not a search, for
it needs the whole game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from overbet.games.protocol import CHANCE
from overbet.search.tabular.augmented import AugmentedGame
from overbet.search.tabular.resolving import Solve, cfr_solve
from overbet.search.tabular.subgames import PublicSubgame, given_subgames
from overbet.search.tabular.walks import Floats, Mask
from overbet.solvers.policy import TabularPolicy
from overbet.tree.flat import FlatGame


def fix_sets(game: FlatGame, strategy: Floats, fixed: Mask) -> AugmentedGame:
    """Return the game in which chance plays `strategy` at some information sets.

    strategy: [slot] float64. fixed: [infoset] bool.
    """
    tree = game.tree
    free = np.flatnonzero(~fixed)
    renamed = np.full(game.num_infosets + 1, -1, dtype=np.int64)
    renamed[free] = np.arange(len(free))
    counts = np.diff(tree.infoset_offset)[free].astype(np.int64)
    offset = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    slots = np.flatnonzero(~fixed[tree.slot_infoset])
    new_slot = np.full(game.num_slots + 1, -1, dtype=np.int64)
    new_slot[slots] = np.arange(len(slots))
    above = tree.infoset_parent.astype(np.int64)
    for i in range(game.num_infosets):  # past the fixed sets, to the player's last free action
        while above[i] >= 0 and fixed[tree.slot_infoset[above[i]]]:
            above[i] = tree.infoset_parent[tree.slot_infoset[above[i]]]
    by_chance = (tree.slot >= 0) & fixed[tree.slot_infoset[np.maximum(tree.slot, 0)]]
    decides_fixed = (tree.infoset >= 0) & fixed[np.maximum(tree.infoset, 0)]
    owner = tree.infoset_player[free]
    flat = replace(
        game,
        name=f"{game.name} with a fixed part",
        tree=tree._replace(
            player=np.where(decides_fixed, CHANCE, tree.player).astype(np.int8),
            probability=np.where(by_chance, strategy[np.maximum(tree.slot, 0)], tree.probability),
            slot=new_slot[tree.slot].astype(np.int32),
            infoset=renamed[tree.infoset].astype(np.int32),
            infoset_player=np.ascontiguousarray(owner),
            infoset_offset=offset.astype(np.int32),
            infoset_parent=new_slot[above[free]].astype(np.int32),
            slot_infoset=np.repeat(np.arange(len(free)), counts).astype(np.int32),
            player_infosets=np.searchsorted(owner, np.arange(game.num_players + 1)).astype(np.int32),
        ),
        infoset_names=tuple(game.infoset_names[i] for i in free.tolist()),
        slot_actions=np.ascontiguousarray(game.slot_actions[slots]),
        slot_names=tuple(game.slot_names[s] for s in slots.tolist()),
    )
    return AugmentedGame(flat, slots.astype(np.int64))


def best_below(
    blueprint: TabularPolicy,
    at: npt.ArrayLike | Sequence[PublicSubgame] | None = None,
    solve: Solve | None = None,
) -> TabularPolicy:
    """Return the least exploitable strategy that keeps to the blueprint outside the subgames."""
    game = blueprint.game
    inside = np.zeros(game.num_infosets, dtype=bool)
    for subgame in given_subgames(game, at):
        inside[game.tree.slot_infoset[subgame.slots]] = True
    strategy = blueprint.probabilities.copy()
    for player in (0, 1):
        fixed = ~inside & (game.tree.infoset_player == player)
        locked = fix_sets(game, blueprint.probabilities, fixed)
        solved = locked.flat.normalise((solve or cfr_solve())(locked.flat))
        locked.into(strategy, solved, player)
    return TabularPolicy(game, strategy, {**blueprint.origin, "subgames": "all at once"})
