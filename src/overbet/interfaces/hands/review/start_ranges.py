"""Both ranges when a street begins with two players, before anything of that street was solved.

By the user's own ranges where the file has both lines, else by following the hand in a blueprint: every
action multiplies the weight of each hand by how often it takes it (`search.beliefs`). An action that the
strategy never takes tells nothing, and the range stays as it was. Where neither is there, a line that the
user's file lacks is taken from common ranges, and the source says which were assumed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.agents.protocol import PublicState, StrategicAgent
from overbet.cards.combos import COMBOS
from overbet.errors import OverbetError
from overbet.interfaces.hands.review.by_strategy import StrategyPricer, plain_state, source_words
from overbet.interfaces.hands.review.preflop_line import preflop_lines
from overbet.interfaces.hands.review.ranges_file import LineRanges
from overbet.interfaces.hands.review.verdict import NotPricedError
from overbet.interfaces.hands.review.walk import HandWalk
from overbet.interfaces.hands.reviews import ASSUMED
from overbet.search.beliefs import HandShares, after_action, likelihood, on_board

Floats = npt.NDArray[np.float64]
_CARDS = (0, 3, 4, 5)


class StartRanges(NamedTuple):
    """Two ranges, [2, 1326] float64, of the players out of and in position; source: where from, in words."""

    ranges: Floats
    source: str


def start_ranges(
    walk: HandWalk,
    street: int,
    own: LineRanges | None,
    pricer: StrategyPricer,
    common: LineRanges | None = None,
) -> StartRanges:
    """Return the ranges of the two players when street 1 (flop) to 3 (river) begins.

    own: the user's; common: what is assumed on a flop where neither the user nor a strategy has ranges.
    """
    missing = ""
    if own is not None and street == 1:
        found, missing = _by_lines(walk, own, None)
        if found is not None:
            return found
    try:
        return _followed(walk, street, pricer)
    except NotPricedError as error:
        if common is not None and street == 1:
            found, lacking = _by_lines(walk, own, common)
            if found is not None:
                return found
            missing = missing or lacking
        if own is not None and street > 1:
            raise NotPricedError("more than two players were in on the street before: no ranges") from error
        if missing:
            raise NotPricedError(missing) from error
        players = walk.final.num_players
        if players > 3 and not pricer.has_table(walk.final.game):
            raise NotPricedError(
                f"no ranges for {players} players: give yours with --ranges, or a --blueprint"
            ) from error
        raise


def _by_lines(
    walk: HandWalk, own: LineRanges | None, common: LineRanges | None
) -> tuple[StartRanges | None, str]:
    """Return the ranges of both lines, the user's before common ones, or what is missing."""
    lines, rows = preflop_lines(walk.on(0)), []
    yours: list[str] = []
    assumed: list[str] = []
    for player in walk.players_at(1):
        line = lines.get(player)
        if line is None:
            return None, f"{walk.final.game.position(player)} did nothing before the flop: no range"
        held = own.find(line) if own is not None else None
        (assumed if held is None else yours).append(str(line))
        if held is None and common is not None:
            held = common.find(line)
        if held is None:
            lacking = own or common
            assert lacking is not None
            return None, f"{lacking.source} has no range for `{line}`"
        rows.append(np.asarray(held.weights, np.float64))
    parts = [f"your range{'s' * (len(yours) > 1)} {', '.join(yours)}"] if yours else []
    parts += [f"range{'s' * (len(assumed) > 1)} {ASSUMED}: {', '.join(assumed)}"] if assumed else []
    return StartRanges(np.stack(rows), "; ".join(parts)), ""


def _followed(walk: HandWalk, street: int, pricer: StrategyPricer) -> StartRanges:
    first = walk.on(street)[0].state
    plain = plain_state(first)
    seated = pricer.seated(plain.game)
    if not isinstance(seated.agent, StrategicAgent):
        raise NotPricedError("this blueprint cannot say how every hand is played; name another")
    found = np.ones((plain.num_players, COMBOS))
    now = plain.game.initial_state().with_cards([None] * plain.num_players, plain.board)
    try:
        for _, player, action in plain.history:
            strategy = pricer.table.strategy_for_all_hands(PublicState.of(now))
            found[player] = after_action(found[player], likelihood(HandShares(*strategy), now, action))
            now = now.apply(action)
    except OverbetError as error:
        raise NotPricedError(f"the blueprint cannot follow the hand: {error}") from error
    two = found[list(walk.players_at(street))]
    words = f"ranges by the {source_words(seated, plain.game)}"
    return StartRanges(on_board(two, first.board[: _CARDS[street]]), words)
