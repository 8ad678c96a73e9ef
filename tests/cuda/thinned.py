"""Public trees with most boards left out: small enough for the CUDA simulator, with every street and mirrors.

Such a tree is no poker game (few cards can come), but both engines must play the same one alike.
"""

from __future__ import annotations

import numpy as np

from overbet.tree.boards import Boards, Showdowns
from overbet.tree.public import PublicTree


def thinned(tree: PublicTree, keep: int) -> PublicTree:
    """Keep about `keep` boards after each board: those that stand for most mirrors, then the first ones."""
    boards = [tree.boards[0]]
    kept = np.zeros(1, np.int64)
    for street in tree.boards[1:]:
        chosen: list[int] = []
        parents: list[int] = []
        starts = [0]
        for new, old in enumerate(kept):
            below = np.arange(street.child_start[old], street.child_start[old + 1])
            mirrors = np.diff(street.mirror_start)[below]
            picked = np.sort(below[np.argsort(-mirrors, kind="stable")[:keep]])
            chosen += picked.tolist()
            parents += [new] * len(picked)
            starts.append(len(chosen))
        kept = np.array(chosen)
        parts = [street.mirrors[street.mirror_start[b] : street.mirror_start[b + 1]] for b in kept]
        boards.append(
            Boards(
                street.cards[kept],
                np.array(parents, np.int32),
                np.array(starts, np.int32),
                np.cumsum([0, *map(len, parts)]).astype(np.int32),
                np.concatenate(parts).astype(np.int32),
                tuple(street.fixing[b] for b in kept),
            )
        )
    if len(boards) == 1:
        return tree
    if tree.is_cut:
        return tree._replace(boards=boards)
    shown = [Showdowns(*(np.ascontiguousarray(array[kept]) for array in s)) for s in tree.showdowns]
    return tree._replace(boards=boards, showdowns=(shown[0], shown[1]))
