"""Decisions before the flop after a bet that the blueprint does not have: searched instead of translated."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import partial

import numpy as np
import numpy.typing as npt

from overbet.betting.following import moves_of
from overbet.cards.combos import COMBOS
from overbet.errors import ArtefactError, ConfigError
from overbet.games.holdem_state import HoldemState
from overbet.search.beliefs import Baseline, HandShares
from overbet.search.cache.key import Key
from overbet.search.cache.record import CachedArray, CacheRecord
from overbet.search.cache.search_cache import SearchCache
from overbet.search.class_shares import ClassShares
from overbet.search.depth_limit import ClassFuture
from overbet.search.guide import mapped_shares
from overbet.search.preflop_search import Doubles, Edges, PreflopSearch
from overbet.search.settings import PreflopSettings
from overbet.search.street_start import edges_on, replayed

Floats = npt.NDArray[np.float32]
OffTree = Callable[[HoldemState], bool]
_KEPT = 64


class PreflopSearcher:
    """Searches before the flop; remembers its searches and keeps what classes are worth."""

    def __init__(self, settings: PreflopSettings, cache: SearchCache | None) -> None:
        self.settings, self.cache = settings, cache
        self.made = 0
        self._searches: OrderedDict[Hashable, PreflopSearch] = OrderedDict()
        self._values: OrderedDict[Hashable, ClassShares] = OrderedDict()

    def search(self, state: HoldemState, baseline: Baseline, off_tree: OffTree) -> PreflopSearch:
        """Return the search by which the player to act decides; the state must be off the tree.

        Its own decisions before are fixed as they were made: by the blueprint, or by searches.
        """
        me, here = state.current_player(), [now for now, _ in replayed(state)]
        begun = here[0] if here else state
        stack = min(stack + bet for stack, bet in zip(begun.stacks, begun.bets))
        taken = edges_on(state, stack)
        frozen = dict[Edges, Callable[[HoldemState, list[int]], Doubles]]()
        search: PreflopSearch | None = None
        for place, now in [*enumerate(here), (len(taken), state)]:
            if now.current_player() != me:
                continue
            edges = taken[:place]
            if off_tree(now) and (search is None or search.strategy.node(edges) is None):
                search = self._made(now, edges, me, dict(frozen), baseline)
            node = None if search is None else search.strategy.node(edges)
            if search is not None and node is not None:
                children = search.strategy.children(node)
                found = HandShares(
                    tuple(int(search.strategy.edge[child]) for child in children), search.strategy.at(node)
                )
            else:
                found = baseline.shares(now)
            frozen[edges] = partial(mapped_shares, found)
        assert search is not None
        return search

    def _made(
        self,
        state: HoldemState,
        edges: Edges,
        me: int,
        frozen: dict[Edges, Callable[[HoldemState, list[int]], Doubles]],
        baseline: Baseline,
    ) -> PreflopSearch:
        if baseline.classes is None:
            raise ConfigError("preflop.search: a search before the flop needs a blueprint's values")
        key = (baseline.name, state.game, moves_of(state), me)
        if key not in self._searches:
            future = baseline.classes()
            any_board = range(5)
            begun = state.game.initial_state().with_cards([None, None], any_board)
            after = partial(self._after, future, 1 - me)
            self._searches[key] = PreflopSearch(begun, edges, me, frozen, after, self.settings)
            self.made += 1
            if len(self._searches) > _KEPT:
                self._searches.popitem(last=False)
        return self._searches[key]

    def _after(self, future: ClassFuture, chooser: int, state: HoldemState) -> ClassShares | None:
        """Return what classes are worth when the flop is dealt: remembered, kept, or worked out."""
        inner, boards = future.stands_for(state), self.settings.boards
        if inner is None:
            return None
        name = (future.identity, moves_of(inner), chooser, boards)
        if name not in self._values:
            known = future.known(inner, chooser, boards)
            after = partial(future.after, inner, chooser, boards)
            found = self._kept(name, after) if known is None else known
            self._values[name] = ClassShares(found[: self.settings.continuations])
            if len(self._values) > _KEPT:
                self._values.popitem(last=False)
        return self._values[name]

    def _kept(self, name: tuple[object, ...], make: Callable[[], Floats]) -> Floats:
        if self.cache is None:
            return make()
        facts = hashlib.blake2b(repr(("classes", *name)).encode(), digest_size=20).hexdigest()
        key = Key.of((), "", np.ones((2, COMBOS)), facts)
        record = self.cache.get(key)
        if record is not None and record.head.get("kind") == "classes":
            try:
                return np.asarray(record["values"], np.float32)
            except (KeyError, ArtefactError):
                pass
        found = make()
        array = CachedArray(("continuation", "row", "column"), found)
        self.cache.put_later(key, CacheRecord({"kind": "classes"}, {"values": array}))
        return found
