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

import time
from collections import OrderedDict
from collections.abc import Hashable
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.betting.following import moves_of
from overbet.cards.combos import COMBOS
from overbet.errors import ConfigError, RulesError, TooLargeError
from overbet.games.holdem_state import STREETS, HoldemState
from overbet.machine import give_memory_back
from overbet.search.beliefs import Baseline, HandShares, after_action, all_hands, likelihood, on_board, scaled
from overbet.search.cache.search_cache import SearchCache
from overbet.search.depth_limit import Limit, with_later_cards
from overbet.search.gadgets import Promise
from overbet.search.guide import guide_of
from overbet.search.preflop_searcher import OffTree, PreflopSearcher
from overbet.search.question import Frozen, SearchQuestion
from overbet.search.settings import SearchSettings
from overbet.search.street_answer import StreetAnswer, remembered
from overbet.search.street_search import StreetSearch, Watch, search_street
from overbet.search.street_start import before_street, edges_on, real_action, replayed, street_start
from overbet.search.subgame import root_ranges, spot_of
from overbet.solvers.vector.devices import has_gpu
from overbet.tree.betting import build_tree

Floats = npt.NDArray[np.float64]
_CARDS = (0, 3, 4, 5)
_MOST_BYTES = 256 << 20  # of the searches that are remembered
_KEPT_RANGES = 256
_FORGOTTEN_BYTES = 64 << 20  # of searches, after which the memory they had is given back


class SearchAnswer(NamedTuple):
    """What search says about a decision. edges: of the tree, from the beginning of the street."""

    strategy: HandShares
    search: StreetAnswer
    edges: tuple[int, ...]
    new: bool  # whether a search was made for it


class Searcher:
    """Answers public states of heads-up hands by searching."""

    def __init__(
        self,
        settings: SearchSettings | None = None,
        cache: SearchCache | None = None,
        identity: str = "",
        off_tree: OffTree | None = None,
    ) -> None:
        """Take settings and a cache; identity: of the baseline's buckets, where the cache outlives it.

        off_tree: whether the baseline does not have all bets of a hand; asked for before the flop.
        """
        asked = settings or SearchSettings()
        self.asked, self.cache = asked, cache  # asked: what may be left open is still open in it
        self.settings = asked.settled(asked.flop.drawn is None and has_gpu())
        self._on_cpu = asked.settled(False).model_copy(update={"device": "cpu"})
        self.moved, self.note = 0, ""  # searches that another device made than was asked for, and why
        self._preflop = PreflopSearcher(self.settings.preflop, cache)
        self._off_tree = off_tree if self.settings.preflop.search else None
        self.made = self.recalled = 0  # searches made, and answers that the cache had
        self.seconds = 0.0  # that searches took
        self.watch: Watch | None = None  # is told of every look of a search under way
        self._searches: OrderedDict[bytes, StreetSearch] = OrderedDict()
        self._bytes, self._forgotten = 0, 0
        self._ranges: OrderedDict[Hashable, Floats] = OrderedDict()
        same = {"threads": 0, "cache": True}  # what makes no difference to an answer
        self._digest = f"{self.settings.model_copy(update=same).digest()} {identity}"

    def covers(self, state: HoldemState) -> bool:
        """Return whether a decision is one that is searched."""
        street = STREETS.index(state.street) - 1
        if street < 0:
            return state.num_players == 2 and self._off_tree is not None and self._off_tree(state)
        return state.num_players == 2 and street >= 0 and self.settings.searches(street)

    def answer(self, state: HoldemState, baseline: Baseline) -> SearchAnswer:
        """Search the street of a decision; `baseline` is what is played where nothing is searched."""
        if not self.covers(state):
            raise RulesError(
                f"{state.street} is not searched: settings name {', '.join(self.settings.searched())}, for "
                "two players; ask the blueprint, or add the street"
            )
        before = self.made
        search = self._search(state, baseline)
        edges = edges_on(state, search.start.stack)
        node = search.strategy.node(edges)
        assert node is not None
        strategy = real_strategy(search, node, state)
        return SearchAnswer(strategy, search, edges, self.made > before)

    def decided(self, state: HoldemState, baseline: Baseline) -> tuple[Frozen, ...]:
        """Return the decisions that the player to act has made on the street of a state."""
        return tuple(self._searches_here(state, baseline, decide=False)[1])

    def ranges(self, state: HoldemState, baseline: Baseline) -> Floats:
        """Return the ranges at the beginning of the street of a state: [2, 1326] float64, by player.

        They are those of the player to act, who knows which searches it has made.
        """
        key = (baseline.name, state.game, state.current_player(), street_start(state).line, state.board)
        if key not in self._ranges:
            street = STREETS.index(state.street)
            self._ranges[key] = self._ranges_at(state, street, state.current_player(), baseline)
            if len(self._ranges) > _KEPT_RANGES:
                self._ranges.popitem(last=False)
        return self._ranges[key]

    def _ranges_at(self, state: HoldemState, street: int, me: int, baseline: Baseline) -> Floats:
        """Return the ranges at the beginning of street 0 (preflop) to 3 (river) of a hand."""
        if street == 0:
            return all_hands()
        before = self._last_search(state, street - 1, me, baseline)
        if before is not None:
            search, edges = before
            found = np.stack([scaled(row) for row in search.reach(edges)])
        else:
            found = self._ranges_at(state, street - 1, me, baseline).copy()
            for now, action in replayed(state):
                if _street(now) == street - 1:
                    player = now.current_player()
                    found[player] = after_action(found[player], likelihood(baseline.shares(now), now, action))
        return on_board(found, state.board[: _CARDS[street]])

    def _search(self, state: HoldemState, baseline: Baseline) -> StreetAnswer:
        """Return the search by which the player to act decides here."""
        if _street(state) == 0:
            assert self._off_tree is not None
            before = self._preflop.made
            found = self._preflop.search(state, baseline, self._off_tree)
            if self._preflop.made > before:
                self.made += self._preflop.made - before
                self.seconds += found.cost.seconds
            return found
        search = self._searches_here(state, baseline)[0]
        assert search is not None
        return search

    def _searches_here(
        self, state: HoldemState, baseline: Baseline, *, decide: bool = True
    ) -> tuple[StreetAnswer | None, list[Frozen]]:
        """Return the last search of a street after the flop, and the decisions made on it, by the player to
        act. decide: search the decision of the state too, where that needs another one."""
        start, ranges, me = street_start(state), self.ranges(state, baseline), state.current_player()
        clock = time.perf_counter()  # searches of earlier streets had times of their own
        taken, frozen = edges_on(state, start.stack), list[Frozen]()
        here = [now for now, _ in replayed(state) if _street(now) == _street(state)]
        turns = [place for place, now in enumerate(here) if now.current_player() == me]
        places = [*turns, len(taken)] if decide else turns
        safe = self._promise(state, me, baseline) if places and self.settings.gadget != "unsafe" else None
        limit = self._limit(state, me, baseline) if places else None
        search: StreetAnswer | None = None
        for place in places:
            edges = taken[:place]
            if search is None or search.strategy.node(edges) is None:
                played = edges if any(edges) else ()  # checks are in every tree
                question = SearchQuestion(start, ranges, played, tuple(frozen), safe, baseline.buckets, limit)
                question = self._guided(question, state, baseline, search)
                search = self._made(question, clock)
            if place < len(taken) and search.strategy.node(taken[: place + 1]) is not None:
                node = search.strategy.node(edges)
                assert node is not None
                frozen.append(Frozen(edges, search.strategy.at(node)))
        return search, frozen

    def _last_search(
        self, state: HoldemState, street: int, me: int, baseline: Baseline
    ) -> tuple[StreetAnswer, tuple[int, ...]] | None:
        """Return the search by which `me` decided last on a street that is over, and all its actions.

        street: 0 (preflop) to 3 (river). None where the street was not searched.
        """
        past = [(now, action) for now, action in replayed(state) if _street(now) == street]
        mine = [now for now, _ in past if now.current_player() == me]
        if not mine or not self.covers(mine[-1]):
            return None
        search = self._search(mine[-1], baseline)
        edges = tuple(min(action, search.start.stack) for _, action in past)
        return (search, edges) if search.strategy.node(edges) is not None else None

    def _promise(self, state: HoldemState, me: int, baseline: Baseline) -> Promise | None:
        """Return what the opponent could get when the street began: by the last street's search, or by the
        baseline where there was none."""
        before = self._last_search(state, _street(state) - 1, me, baseline)
        if before is not None and before[0].values_are_known:
            search, edges = before
            reach = self.settings.gadget in ("reach", "reach-estimates")
            gifts = search.gifts(1 - me, edges) if reach else np.zeros(COMBOS)
            return Promise(1 - me, search.values_after(1 - me, edges, state.board[-1]), gifts)
        if baseline.values is None:
            return None
        begun = before_street(state, _street(state))
        found = baseline.values(begun, self.ranges(state, baseline))
        return None if found is None else Promise(1 - me, np.nan_to_num(found[1 - me]), np.zeros(COMBOS))

    def _guided(
        self, question: SearchQuestion, state: HoldemState, baseline: Baseline, last: StreetAnswer | None
    ) -> SearchQuestion:
        """Return a question with the strategies of its street that the settings ask to go by."""
        start, settings = question.start, self.settings.on(question.start.street)
        if not settings.anchor and not settings.warm:
            return question
        betting = build_tree(spot_of(start, self.settings), played=question.played)
        begun = before_street(state, _street(state))
        if settings.anchor:
            return question._replace(anchor=guide_of(betting, begun, start.stack, baseline.shares))
        return question._replace(warm=guide_of(betting, begun, start.stack, baseline.shares, last))

    def _limit(self, state: HoldemState, me: int, baseline: Baseline) -> Limit | None:
        """Return the depth limit of the street's search, None where it goes to the end of the hand."""
        if self.settings.on(_street(state) - 1).future != "limit":
            return None
        if baseline.future is None:
            raise ConfigError(
                "flop.future=limit: a depth limit needs a blueprint's values; use flop.future=play"
            )
        begun = with_later_cards(before_street(state, _street(state)))
        return Limit(1 - me, begun, moves_of(begun), baseline.future())

    def _made(self, question: SearchQuestion, clock: float) -> StreetAnswer:
        """Return the answer to a question: remembered, kept in the cache, or searched for."""
        name = question.digest(self._digest)
        if name in self._searches:
            self._searches.move_to_end(name)
            return self._searches[name]
        ranges = root_ranges(question.ranges, question.start.board)[0]
        key = question.key(self._digest) if self.cache is not None else None
        if self.cache is not None and key is not None:
            record = self.cache.get(key)
            again = partial(self._searched, name, question)
            known = None if record is None else remembered(record, question.start, ranges, again)
            if known is not None:
                self.recalled += 1
                return known
        found = self._searched(name, question, clock)
        if self.cache is not None and key is not None and found.as_asked:
            self.cache.put_later(key, found.record())  # the answer does not wait for the disk
        return found

    def _searched(self, name: bytes, question: SearchQuestion, clock: float | None = None) -> StreetSearch:
        """Make a search, or return it where it is remembered whole."""
        if name in self._searches:
            return self._searches[name]
        try:
            found = search_street(*question, self.settings, clock, self.watch)
        except TooLargeError as error:
            if self.settings.device != "auto":
                raise
            found = search_street(*question, self._on_cpu, clock, self.watch)
            found.as_asked = False
            found.note = f"device auto: {str(error).split('; ')[0]}; the CPU serves"
        if found.note:
            self.moved, self.note = self.moved + 1, found.note
        self.made += 1
        self.seconds += found.cost.seconds
        self._searches[name] = found
        self._bytes += found.nbytes
        while self._bytes > _MOST_BYTES and len(self._searches) > 1:
            gone = self._searches.popitem(last=False)[1].nbytes
            self._bytes, self._forgotten = self._bytes - gone, self._forgotten + gone
        if self._forgotten > _FORGOTTEN_BYTES:
            self._forgotten = 0
            give_memory_back()
        return found


def _street(state: HoldemState) -> int:
    return STREETS.index(state.street)


def real_strategy(search: StreetAnswer, node: int, state: HoldemState) -> HandShares:
    """Return the strategy of a node in actions of the table."""
    street, stack = search.strategy, search.start.stack
    actions = [real_action(state, int(street.edge[child]), stack) for child in street.children(node)]
    known = tuple(sorted(set(actions)))
    shares = street.at(node)
    merged = np.zeros((len(shares), len(known)))
    for place, action in enumerate(actions):
        merged[:, known.index(action)] += shares[:, place]
    return HandShares(known, merged)
