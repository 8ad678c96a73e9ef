"""What AIVAT's kernel is called with, and which kernels a match needs: to have them compiled early.

`overbet.kernels.aivat.hand.work` takes longer to compile than all else of a match together. Its types are the
same for every table and all agents, so it can be begun before anything is known of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet.agents.compiled import blank_match
from overbet.ahead import Call, share_out
from overbet.blueprint.cards import pair_table
from overbet.cards.combos import CLASSES, class_of_combos
from overbet.evaluation.match_blocks import call_of_play
from overbet.kernels.aivat.deal_boards import DRAWN, new_deal_boards
from overbet.kernels.aivat.hand import START, Plan, Played, Workspace, deal_block, work
from overbet.kernels.aivat.look import new_walk
from overbet.kernels.aivat.pots import new_pots
from overbet.kernels.aivat.tree import AgentTables, new_tree
from overbet.kernels.holdem import layout as at
from overbet.kernels.lbr.play import decisions_of_blueprint
from overbet.kernels.match.play import Match

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def compile_early() -> None:
    """Have the kernels of a match with AIVAT compiled where they are not on disk, before anything is read."""
    share_out(*calls_of_match(blank_match(), 2))


def calls_of_match(match: Match, players: int) -> list[Call]:
    """Return the kernels of a match with AIVAT that take long, the longest first, with arguments."""
    tables, plan = tables_of(match, np.zeros(4), players), plan_of(np.ones(players, np.bool_))
    given = arguments(START, match, tables, plan, space_of(match, players, 1), match.root, players, 1)
    cards = np.zeros((0, 2 * players + 5), np.int64)
    return [(work, given), call_of_play(match, players), (deal_block, (0, 0, players, cards))]


def tables_of(match: Match, gains: Sequence[float] | Floats, players: int) -> AgentTables:
    """Return who plays, and what a better hand is worth by street."""
    return AgentTables(
        match.rows,
        match.fallback,
        decisions_of_blueprint(match.one),
        decisions_of_blueprint(match.two),
        match.used,
        np.array(gains, np.float64),
        np.zeros(players, np.int64),
    )


def plan_of(
    known: npt.NDArray[np.bool_],
    rate: float | Sequence[float] = 0.0,
    samples: int = 1,
    slopes: Sequence[float] = (0.0, 0.0, 0.0, 0.0),
) -> Plan:
    """Return how hands are looked at, without the values of deals."""
    return Plan(
        known=known,
        model=len(known),
        rate=np.broadcast_to(np.asarray(rate, np.float64), 4).copy(),
        samples=samples,
        least=0 if len(known) == 2 else 1,
        slope=np.array(slopes, np.float64),
        pairs=pair_table(),
        classes=class_of_combos().copy(),
        base=np.zeros((2, CLASSES, CLASSES)),
        tilt=np.zeros((2, CLASSES, CLASSES)),
        mean=np.zeros(2),
    )


def space_of(match: Match, players: int, samples: int) -> Workspace:
    """Return what a thread works in."""
    start = match.root[at.STACK : at.STACK + players] + match.root[at.PUT_IN : at.PUT_IN + players]
    return Workspace(
        new_tree(players, int(match.used.sum())),
        new_deal_boards(players, samples),
        new_pots(start),
        new_walk(players, samples + DRAWN),
        np.zeros(players, np.int64),
        np.zeros(players),
        np.zeros(4, np.int64),
        np.full(4, -1.0),
    )


def arguments(
    what: int,
    match: Match,
    tables: AgentTables,
    plan: Plan,
    space: Workspace,
    root: Ints,
    players: int,
    num_terms: int,
    *,
    hands: Ints | None = None,
    out: Floats | None = None,
    played: Played | None = None,
    begin: int = 0,
    terms: Floats | None = None,
) -> tuple[Any, ...]:
    """Return what `work` is called with: arrays of nothing for what a work does not need."""
    none = np.zeros(0, np.int64)
    nothing = Played(
        np.zeros((0, 2 * players + 5), np.int64),
        none,
        none,
        np.zeros((0, players), np.int64),
        np.zeros(1, np.int64),
        none,
    )
    return (
        what,
        match,
        tables,
        plan,
        space,
        root,
        np.zeros((0, 1, 2), np.int64) if hands is None else hands,
        np.zeros((2, 2, 0, 0)) if out is None else out,
        played or nothing,
        begin,
        np.zeros((0, num_terms, players)) if terms is None else terms,
    )
