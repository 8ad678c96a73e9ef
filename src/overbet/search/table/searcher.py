"""Search at a table of three and more: what everybody is believed to hold, and which search answers.

Where two players are left when a street begins, their subgame is solved exactly, as heads up (the chips of
those who folded are in the pot). Where there are more it is sampled. Beliefs are about all players: those who
folded have ranges too, and sampled searches deal them their cards.
"""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict

import numpy as np
import numpy.typing as npt

from overbet.cards.combos import COMBOS
from overbet.errors import ConfigError, RulesError
from overbet.games.holdem_state import STREETS, HoldemState
from overbet.search.beliefs import Baseline, HandShares, after_action, likelihood, on_board
from overbet.search.cache.search_cache import SearchCache
from overbet.search.question import Frozen, SearchQuestion
from overbet.search.searcher import SearchAnswer, Searcher
from overbet.search.settings import SearchSettings
from overbet.search.street_answer import StreetAnswer
from overbet.search.street_start import StreetStart, before_street, edges_on, replayed
from overbet.search.table.followed import FollowedBlueprint
from overbet.search.table.sampled_search import SampledSearch
from overbet.search.table.street_table import TableQuestion

Floats = npt.NDArray[np.float64]
_CARDS = (0, 3, 4, 5)
_MOST_BYTES = 256 << 20  # of the sampled searches that are remembered
_KEPT_RANGES = 256


class TableSearcher(Searcher):
    """Answers public states of hands of three players and more."""

    def __init__(
        self,
        followed: FollowedBlueprint,
        settings: SearchSettings | None = None,
        cache: SearchCache | None = None,
        identity: str = "",
    ) -> None:
        super().__init__(settings, cache, identity)
        self.followed = followed
        self._sampled: OrderedDict[bytes, SampledSearch] = OrderedDict()

    def covers(self, state: HoldemState) -> bool:
        street = _street(state) - 1
        return street >= 0 and self.settings.searches(street)

    def answer(self, state: HoldemState, baseline: Baseline) -> SearchAnswer:
        if not self.covers(state):
            raise RulesError(
                f"{state.street} is not searched: settings name {', '.join(self.settings.searched())}; ask "
                "the blueprint, or add the street"
            )
        found = super().answer(state, baseline)
        if not isinstance(found.search, SampledSearch):
            return found
        played = found.search.played  # which is not what is believed where the last iteration plays
        node = played.node(found.edges)
        assert node is not None
        actions = tuple(int(played.edge[child]) for child in played.children(node))
        return found._replace(strategy=HandShares(actions, played.at(node)))

    def ranges(self, state: HoldemState, baseline: Baseline) -> Floats:
        """Return the ranges at the beginning of the street of a state: [P, 1326] float64, by player."""
        street = _street(state)
        begun = before_street(state, street)
        key = (baseline.name, state.game, state.current_player(), begun.line, state.board)
        if key not in self._ranges:
            self._ranges[key] = self._ranges_at(state, street, state.current_player(), baseline)
            if len(self._ranges) > _KEPT_RANGES:
                self._ranges.popitem(last=False)
        return self._ranges[key]

    def action_values(self, answer: SearchAnswer, state: HoldemState, baseline: Baseline) -> Floats:
        """Return what each action of an answer by sampling is worth to every hand: [1326, action] float64.

        In big blinds from the decision on, folding 0; see `SampledSearch.walked_values`.
        """
        search = answer.search
        if not isinstance(search, SampledSearch):
            raise ConfigError("the search was not sampled: its solution knows what actions are worth")
        now = after_edges(search, self.ranges(state, baseline), seats_of(state), answer.edges)
        return search.walked_values(answer.edges, now)

    def _ranges_at(self, state: HoldemState, street: int, me: int, baseline: Baseline) -> Floats:
        if street == 0:
            return np.ones((state.num_players, COMBOS))
        found = self._ranges_at(state, street - 1, me, baseline).copy()
        before = self._last_search(state, street - 1, me, baseline)
        if before is not None:
            search, edges = before
            last = next(now for now, _ in replayed(state) if _street(now) == street - 1)
            found = after_edges(search, found, seats_of(last), edges)
        else:
            for now, action in replayed(state):
                if _street(now) == street - 1:
                    player = now.current_player()
                    found[player] = after_action(found[player], likelihood(baseline.shares(now), now, action))
        return on_board(found, state.board[: _CARDS[street]])

    def _search(self, state: HoldemState, baseline: Baseline) -> StreetAnswer:
        ranges, me, seats = self.ranges(state, baseline), state.current_player(), seats_of(state)
        clock = time.perf_counter()  # searches of earlier streets had times of their own
        begun = before_street(state, _street(state))
        exact = len(seats) == 2 and state.street in self.settings.table.exact
        pair = _pair_start(state, begun, seats) if exact else None
        here = [(now, action) for now, action in replayed(state) if _street(now) == _street(state)]
        taken = tuple(action for _, action in here) if pair is None else edges_on(state, pair.stack)
        turns = [place for place, (now, _) in enumerate(here) if now.current_player() == me]
        frozen, search = list[Frozen](), None
        for place in [*turns, len(taken)]:
            edges = taken[:place]
            if search is None or search.strategy.node(edges) is None:
                played = edges if any(edges) else ()  # checks are in every tree
                if pair is not None:
                    both = ranges[list(seats)]
                    question = SearchQuestion(pair, both, played, tuple(frozen), None, baseline.buckets)
                    search = self._made(question, clock)
                else:
                    seed, hand = _numbers(baseline)
                    asked = TableQuestion(begun, ranges, played, tuple(frozen), seed, hand)
                    search = self._sampled_search(asked, clock)
            if place < len(taken) and search.strategy.node(taken[: place + 1]) is not None:
                node = search.strategy.node(edges)
                assert node is not None
                decided = search.played if isinstance(search, SampledSearch) else search.strategy
                frozen.append(Frozen(edges, decided.at(node)))
        assert search is not None
        return search

    def _sampled_search(self, question: TableQuestion, clock: float) -> SampledSearch:
        """Return a sampled search: remembered, or made."""
        name = _digest(question, self._digest)
        if name not in self._sampled:
            found = SampledSearch(
                question, self.followed, self.settings.table, self.settings.seconds, clock, self.watch
            )
            self.made += 1
            self.seconds += found.cost.seconds
            self._sampled[name] = found
            while len(self._sampled) > 1 and sum(one.nbytes for one in self._sampled.values()) > _MOST_BYTES:
                self._sampled.popitem(last=False)
        self._sampled.move_to_end(name)
        return self._sampled[name]


def after_edges(
    search: StreetAnswer, ranges: Floats, seats: tuple[int, ...], edges: tuple[int, ...]
) -> Floats:
    """Return all ranges after some actions of a street that was searched; never empty: [P, 1326] float64.

    seats: who was in the hand when the street began; a search of two counts those two.
    """
    strategy, found, node = search.strategy, ranges.copy(), 0
    for edge in edges:
        kind = int(strategy.kind[node])
        seat = kind if isinstance(search, SampledSearch) else seats[kind]
        place = next(k for k, child in enumerate(strategy.children(node)) if strategy.edge[child] == edge)
        chances = np.nan_to_num(strategy.shares[strategy.row[node] + place].astype(np.float64))
        found[seat] = after_action(found[seat], chances)
        node = int(strategy.first_child[node]) + place
    return found


def seats_of(state: HoldemState) -> tuple[int, ...]:
    """Return who was in the hand when the street of a state began."""
    begun = before_street(state, _street(state))
    return tuple(player for player, there in enumerate(begun.in_hand) if there)


def _pair_start(state: HoldemState, begun: HoldemState, seats: tuple[int, ...]) -> StreetStart:
    """Return the street of two players who are left as that of a heads-up hand."""
    stack = min(begun.stacks[seat] for seat in seats)
    if stack <= 0:
        raise RulesError("nobody can bet any more: there is nothing to search")
    return StreetStart(state.game, _street(state) - 1, state.board, begun.pot, stack, begun.line)


def _numbers(baseline: Baseline) -> tuple[int, int]:
    """Return the seed and the number of the hand by which the baseline takes bets for its own."""
    name = baseline.name
    if isinstance(name, tuple) and len(name) == 2:
        return int(name[0]), int(name[1])
    return 0, 0


def _digest(question: TableQuestion, settings: str) -> bytes:
    """Return the name of a question within a process, by every bit."""
    begun = question.begun
    where = [decision.edges for decision in question.frozen]
    facts = (settings, begun.game, begun.history, begun.board, question.played, where, *question[4:])
    found = hashlib.blake2b(repr(facts).encode(), digest_size=20)
    for array in (question.ranges, *(decision.shares for decision in question.frozen)):
        found.update(np.ascontiguousarray(array).tobytes())
    return found.digest()


def _street(state: HoldemState) -> int:
    return STREETS.index(state.street)
