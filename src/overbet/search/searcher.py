"""Search at the table: at every decision of the searcher, the subgame of the street, solved with what is
believed.

The ranges at the beginning of a street follow from the actions before it: by the blueprint's strategy on
streets that were not searched, by the searches really made on those that were (Moravcik et al. 2017, Brown &
Sandholm 2017). A bet that the tree of the street's last search does not have is added, and the street is
searched again from its beginning, with the searcher's own decisions on it frozen as they were made.

A searcher keeps nothing of a hand: what it answers is a function of the public line, so asking again, in any
order, gives the same answer. It remembers the latest searches, by all that they depend on.
"""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Hashable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.errors import RulesError
from overbet.games.holdem_state import STREETS, HoldemState
from overbet.search.beliefs import HandShares, Policy, after_action, all_hands, likelihood, on_board, scaled
from overbet.search.gadgets import Promise
from overbet.search.settings import SearchSettings
from overbet.search.street_search import Frozen, StreetSearch, Watch, search_street
from overbet.search.street_start import StreetStart, edges_on, replayed, street_start

Floats = npt.NDArray[np.float64]
_CARDS = (0, 3, 4, 5)
_KEPT_SEARCHES, _KEPT_RANGES = 64, 256


class SearchAnswer(NamedTuple):
    """What search says about a decision. edges: of the tree, from the beginning of the street."""

    strategy: HandShares
    search: StreetSearch
    edges: tuple[int, ...]
    new: bool  # whether a search was made for it


class Searcher:
    """Answers public states of heads-up hands by searching."""

    def __init__(self, settings: SearchSettings | None = None) -> None:
        self.settings = settings or SearchSettings()
        self.made = 0  # searches
        self.watch: Watch | None = None  # is told of every look of a search under way
        self._searches: OrderedDict[bytes, StreetSearch] = OrderedDict()
        self._ranges: OrderedDict[Hashable, Floats] = OrderedDict()
        self._digest = self.settings.digest().encode()

    def covers(self, state: HoldemState) -> bool:
        """Return whether a decision is one that is searched."""
        street = STREETS.index(state.street) - 1
        return state.num_players == 2 and street >= 0 and self.settings.searches(street)

    def answer(self, state: HoldemState, policy: Policy, name: Hashable = None) -> SearchAnswer:
        """Search the street of a decision. policy: the strategy of streets that are not searched.

        name: what the policy depends on beside the state; the ranges of a line are remembered by it.
        """
        if not self.covers(state):
            raise RulesError(f"the {state.street} is not searched")
        before = self.made
        search = self._search(state, policy, name)
        edges = edges_on(state, search.start.stack)
        node = search.strategy.node(edges)
        assert node is not None
        strategy = _real(search, node, state)
        return SearchAnswer(strategy, search, edges, self.made > before)

    def ranges(self, state: HoldemState, policy: Policy, name: Hashable = None) -> Floats:
        """Return the ranges at the beginning of the street of a state: [2, 1326] float64, by player.

        They are those of the player to act, who knows which searches it has made.
        """
        key = (name, state.game, state.current_player(), street_start(state).line, state.board)
        if key not in self._ranges:
            street = STREETS.index(state.street)
            self._ranges[key] = self._ranges_at(state, street, state.current_player(), policy, name)
            if len(self._ranges) > _KEPT_RANGES:
                self._ranges.popitem(last=False)
        return self._ranges[key]

    def _ranges_at(self, state: HoldemState, street: int, me: int, policy: Policy, name: Hashable) -> Floats:
        """Return the ranges at the beginning of street 0 (preflop) to 3 (river) of a hand."""
        if street == 0:
            return all_hands()
        before = self._last_search(state, street - 1, me, policy, name)
        if before is not None:
            search, edges = before
            found = np.stack([scaled(row) for row in search.reach(edges)])
        else:
            found = self._ranges_at(state, street - 1, me, policy, name).copy()
            for now, action in replayed(state):
                if _street(now) == street - 1:
                    player = now.current_player()
                    found[player] = after_action(found[player], likelihood(policy(now), now, action))
        return on_board(found, state.board[: _CARDS[street]])

    def _search(self, state: HoldemState, policy: Policy, name: Hashable) -> StreetSearch:
        """Return the search by which the player to act decides here."""
        clock = time.perf_counter()
        start, ranges, me = street_start(state), self.ranges(state, policy, name), state.current_player()
        taken, frozen = edges_on(state, start.stack), list[Frozen]()
        safe = self._promise(state, me, policy, name) if self.settings.gadget != "none" else None
        here = [now for now, _ in replayed(state) if _street(now) == _street(state)]
        turns = [place for place, now in enumerate(here) if now.current_player() == me]
        search: StreetSearch | None = None
        for place in [*turns, len(taken)]:
            edges = taken[:place]
            if search is None or search.strategy.node(edges) is None:
                search = self._made(start, ranges, edges, tuple(frozen), safe, clock)
            if place < len(taken) and search.strategy.node(taken[: place + 1]) is not None:
                node = search.strategy.node(edges)
                assert node is not None
                frozen.append(Frozen(edges, search.strategy.at(node)))
        assert search is not None
        return search

    def _last_search(
        self, state: HoldemState, street: int, me: int, policy: Policy, name: Hashable
    ) -> tuple[StreetSearch, tuple[int, ...]] | None:
        """Return the search by which `me` decided last on a street that is over, and all its actions.

        street: 0 (preflop) to 3 (river). None where the street was not searched.
        """
        past = [(now, action) for now, action in replayed(state) if _street(now) == street]
        mine = [now for now, _ in past if now.current_player() == me]
        if not mine or not self.covers(mine[-1]):
            return None
        search = self._search(mine[-1], policy, name)
        edges = tuple(min(action, search.start.stack) for _, action in past)
        return (search, edges) if search.strategy.node(edges) is not None else None

    def _promise(self, state: HoldemState, me: int, policy: Policy, name: Hashable) -> Promise | None:
        """Return what the opponent could expect when the street began, by the last street's search."""
        before = self._last_search(state, _street(state) - 1, me, policy, name)
        if before is None:
            return None
        search, edges = before
        return Promise(1 - me, search.values_after(1 - me, edges, state.board[-1]))

    def _made(
        self,
        start: StreetStart,
        ranges: Floats,
        played: tuple[int, ...],
        frozen: tuple[Frozen, ...],
        safe: Promise | None,
        clock: float,
    ) -> StreetSearch:
        key = self._key(start, ranges, played, frozen, safe)
        if key in self._searches:
            self._searches.move_to_end(key)
            return self._searches[key]
        found = search_street(start, ranges, played, self.settings, frozen, safe, clock, self.watch)
        self.made += 1
        self._searches[key] = found
        if len(self._searches) > _KEPT_SEARCHES:
            self._searches.popitem(last=False)
        return found

    def _key(
        self,
        start: StreetStart,
        ranges: Floats,
        played: tuple[int, ...],
        frozen: tuple[Frozen, ...],
        safe: Promise | None,
    ) -> bytes:
        digest = hashlib.blake2b(self._digest, digest_size=20)
        digest.update(repr((start.board, start.pot, start.stack, played, start.game)).encode())
        digest.update(ranges.tobytes())
        for decision in frozen:
            digest.update(repr(decision.edges).encode())
            digest.update(decision.shares.tobytes())
        if safe is not None:
            digest.update(safe.values.tobytes())
        return digest.digest()


def _street(state: HoldemState) -> int:
    return STREETS.index(state.street)


def _real(search: StreetSearch, node: int, state: HoldemState) -> HandShares:
    """Return the strategy of a node in actions of the table."""
    street, legal = search.strategy, state.legal_actions()
    actions = []
    for child in street.children(node):
        edge = int(street.edge[child])
        if edge > 0:
            if legal.raise_min is None or legal.raise_max is None:
                raise AssertionError(f"the tree bets {edge} where the table allows no bet: {legal}")
            most = legal.raise_max if edge >= search.start.stack else edge
            edge = min(max(most, legal.raise_min), legal.raise_max)
        actions.append(edge)
    known = tuple(sorted(set(actions)))
    shares = street.at(node)
    merged = np.zeros((len(shares), len(known)))
    for place, action in enumerate(actions):
        merged[:, known.index(action)] += shares[:, place]
    return HandShares(known, merged)
