"""A glance: roughly what search would do against each of several bets, by one search that has them all.

Who looks for the best answer to a searcher asks what it would do against every bet that might be made. Each
answer at the table is a search of its own, since the bet that was made is in its tree. A glance has all of
them in one tree, few iterations, and no betting on the streets after: what a player calls is checked down.
Ranges and decisions already made are those of the searches really made. It is a guess of the answer, and
costs about as much as one search.
"""

from __future__ import annotations

from collections.abc import Sequence

from overbet.errors import RulesError
from overbet.games.holdem_state import HoldemState
from overbet.search.beliefs import Baseline, HandShares
from overbet.search.searcher import Searcher, real_strategy
from overbet.search.settings import SearchSettings, StreetSettings
from overbet.search.street_search import search_street
from overbet.search.street_start import edges_on, street_start
from overbet.tree.spot import STREETS, BetsConfig, StreetBets

ITERATIONS = {"flop": 28, "turn": 20, "river": 40}


def glance(
    searcher: Searcher, state: HoldemState, amounts: Sequence[int], baseline: Baseline
) -> list[HandShares]:
    """Return about how every hand of the searcher answers each of several bets that may be made now.

    state: after the flop, the searcher's opponent to act; amounts: bets or raises of the table.
    """
    after = [state.apply(amount) for amount in amounts]
    if not after or not all(searcher.covers(now) for now in after) or state.street not in STREETS:
        raise RulesError(f"{state.street} is not searched: ask the blueprint")
    now, start = after[0], street_start(after[0])
    played = edges_on(state, start.stack)
    beside = tuple(sorted({edges_on(one, start.stack)[-1] for one in after}))
    made = searcher.decided(now, baseline)
    found = search_street(
        start,
        searcher.ranges(now, baseline),
        played,
        made,
        None,
        baseline.buckets,
        None,
        (),
        (),
        settings_of(searcher.settings),
        beside=beside,
    )
    answers = []
    for one in after:
        node = found.strategy.node(edges_on(one, start.stack))
        assert node is not None
        answers.append(real_strategy(found, node, one))
    return answers


def settings_of(settings: SearchSettings) -> SearchSettings:
    """Return the settings of a glance of a searcher with some settings."""
    changes: dict[str, object] = {"gadget": "unsafe", "seconds": None, "device": "cpu"}
    for street in STREETS:
        changes[street] = _rough(getattr(settings, street), street)
    return settings.model_copy(update=changes)


def _rough(given: StreetSettings, street: str) -> StreetSettings:
    own = getattr(given.bets, street) or given.bets.every
    none = StreetBets.model_validate({"bet": "", "raise": ""})
    later = dict.fromkeys(STREETS[STREETS.index(street) + 1 :], none)
    bets = BetsConfig.model_validate({street: own, **later})
    return given.model_copy(
        update={
            "bets": bets,
            "iterations": ITERATIONS[street],
            "target": 0.0,
            "future": "play",
            "anchor": 0.0,
            "warm": 0,
        }
    )
