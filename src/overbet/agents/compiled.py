"""Agents that live in kernels: a row of parameters, and for a blueprint its tree and tables as arrays.

The match loop (`overbet.kernels.match.play`) plays them without a line of Python a hand; `act` and
`strategy_for_all_hands` here call the same kernels, so there is one definition of each agent.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

from overbet.abstraction.features import deck
from overbet.agents.mapped_bets import MappedBets
from overbet.agents.protocol import Floats, Observation, PublicState, Strategy
from overbet.cards.combos import CLASSES, COMBOS, class_of_combos, combo_table
from overbet.cards.evaluator import tables
from overbet.cards.isomorphism import board_isomorphism, hand_isomorphism
from overbet.cards.preflop import equity_169, pair_counts_169
from overbet.errors import ConfigError
from overbet.games.holdem import HoldemGame
from overbet.kernels.agents.blueprint import BlueprintArrays, Index
from overbet.kernels.agents.features import FEATURES, HandTables, board_features
from overbet.kernels.agents.scripted import BLUEPRINT, BLUEPRINT_NUMBER, KIND, MOST_CHOICES, ROW
from overbet.kernels.holdem.layout import SIZE
from overbet.kernels.match.play import (
    BLUEPRINTS,
    COUNTS,
    MAPPED,
    Match,
    Space,
    all_hands,
    choose,
    new_space,
    stand,
)

Buckets = npt.NDArray[np.int32]
NO_TABLE = np.empty(0, np.uint16)
NO_CLASSES = np.empty(0, np.uint8)


class CompiledAgent:
    """An agent of the match loop. row: [ROW] float64; arrays: the arrays of a blueprint, if it is one."""

    def __init__(self, name: str, row: Floats, arrays: BlueprintArrays | None = None) -> None:
        self.name, self.row, self.arrays = name, row, arrays
        self.counted = np.zeros(COUNTS, np.int64)  # of the last `act`, as the match loop counts
        self._mapped = MappedBets()
        self._seat: _Seat | None = None

    def __repr__(self) -> str:
        return f"<agent {self.name}>"

    def __reduce__(self) -> tuple[type[CompiledAgent], tuple[str, Floats, BlueprintArrays | None]]:
        """Travel as what the match loop plays: a blueprint leaves its file behind."""
        return CompiledAgent, (self.name, self.row, self.arrays)

    def act(self, observation: Observation) -> int:
        """Return what the match loop would do here."""
        match, space = self._stand(observation)
        action = int(choose(match, space, 0, observation.hand, observation.place))
        self.counted = space.counts[0].copy()
        mapped = int(self.counted[MAPPED])
        self.counted[MAPPED] = self._mapped.more(observation.seed, observation.hand, mapped)
        return action

    def strategy_for_all_hands(self, public: PublicState) -> Strategy:
        """Return how often every hand takes each action."""
        match, space = self._stand(public)
        board = public.state.board
        shares: Floats = np.empty((COMBOS, 2 * MOST_CHOICES))
        count = int(all_hands(match, space, 0, features_of(board), self.buckets_of_board(board), shares))
        return _merged(space.actions[:count], shares[:, :count])

    def buckets_of_board(self, board: tuple[int, ...]) -> Buckets:
        """Return the blueprint's bucket of every hand: [1326] int32, -1 where dead."""
        return _no_buckets()

    def _stand(self, public: PublicState) -> tuple[Match, Space]:
        """Return match and space standing where the hand does."""
        game = public.state.game
        if self._seat is None or self._seat.game is not game:
            self._seat = _Seat(self, game)
        match = self._seat.match._replace(seed=public.seed)
        actions = np.array([action for _, _, action in public.state.history], np.int64)
        self._seat.space.counts[:] = 0
        stand(match, self._seat.space, public.state.vector, actions, public.hand)
        return match, self._seat.space


class _Seat:
    """An agent's place at one table: what its kernels need, made once."""

    def __init__(self, agent: CompiledAgent, game: HoldemGame) -> None:
        self.game = game
        self.match = match_of([agent], game, 0)
        # all_hands writes two menus side by side
        self.space = new_space(1)._replace(actions=np.zeros(2 * MOST_CHOICES, np.int64))


def blueprint_arrays_of(agents: Sequence[CompiledAgent]) -> list[BlueprintArrays]:
    """Return the different blueprints among agents."""
    found: list[BlueprintArrays] = []
    for agent in agents:
        if agent.arrays is not None and not any(agent.arrays is arrays for arrays in found):
            found.append(agent.arrays)
    return found


def match_of(agents: Sequence[CompiledAgent], game: HoldemGame, seed: int) -> Match:
    """Return what the kernels play `agents` with; there may be at most two different blueprints."""
    from overbet.agents.scripted import FALLBACK

    blueprints = blueprint_arrays_of(agents)
    if len(blueprints) > BLUEPRINTS:
        raise ConfigError(
            f"{len(blueprints)} different blueprints at a table; AIVAT can know {BLUEPRINTS}: leave it out"
        )
    rows = np.zeros((len(agents), ROW))
    for place, agent in enumerate(agents):
        rows[place] = agent.row
        if agent.arrays is not None:
            rows[place, KIND] = BLUEPRINT
            rows[place, BLUEPRINT_NUMBER] = next(
                number for number, arrays in enumerate(blueprints) if arrays is agent.arrays
            )
    one, two = [*blueprints, no_blueprint(), no_blueprint()][:BLUEPRINTS]
    used = np.array([number < len(blueprints) for number in range(BLUEPRINTS)])
    return Match(game.root.copy(), rows, FALLBACK, one, two, used, index(), hand_tables().preflop, seed)


def blank_match() -> Match:
    """Return what nobody can play with, of the types of any match: kernels are compiled by it early."""
    from overbet.agents.scripted import FALLBACK

    tree = no_blueprint()
    order = _index(np.empty(CLASSES, np.uint16))
    rows, used = np.zeros((1, ROW)), np.zeros(BLUEPRINTS, np.bool_)
    return Match(np.zeros(SIZE, np.int64), rows, FALLBACK, tree, tree, used, order, hand_tables().preflop, 0)


@cache
def hand_tables() -> HandTables:
    """Return what scripted agents know of hands."""
    pairs = pair_counts_169().astype(np.float64)
    equities = (equity_169() * pairs).sum(1) / pairs.sum(1)  # against a random hand
    combos = np.bincount(class_of_combos(), minlength=CLASSES).astype(np.float64)
    order = np.argsort(equities, kind="stable")
    below = np.cumsum(combos[order]) - combos[order] / 2.0
    ranks = np.empty(CLASSES)
    ranks[order] = below / COMBOS
    return HandTables(tables(), np.stack([ranks[class_of_combos()], equities[class_of_combos()]]))


@lru_cache(maxsize=64)
def features_of(board: tuple[int, ...]) -> Floats:
    """Return the features of all hands on a board: [1326, FEATURES] float64, NaN where dead; read only."""
    found: Floats = np.empty((COMBOS, FEATURES))
    board_features(np.array(board, np.int8), deck(5), hand_tables(), found)
    found.setflags(write=False)
    return found


@cache
def _no_buckets() -> Buckets:
    return np.full(COMBOS, -1, np.int32)


@cache
def index() -> Index:
    """Return what every table of buckets is read with."""
    preflop = np.empty(CLASSES, np.uint16)
    preflop[hand_isomorphism(0).indices(np.empty((COMBOS, 0), np.int8), combo_table())] = class_of_combos()
    return _index(preflop)


def _index(preflop: npt.NDArray[np.uint16]) -> Index:
    none, flop, turn, river = (hand_isomorphism(cards).tables for cards in (0, 3, 4, 5))
    return Index(preflop, none, flop, turn, river, board_isomorphism(5).tables, tables())


@cache
def no_blueprint() -> BlueprintArrays:
    """Return arrays that nobody reads, of the same types as real ones."""
    return BlueprintArrays(
        player=np.zeros(1, np.int8),
        street=np.zeros(1, np.int8),
        first=np.zeros(1, np.int32),
        num_children=np.zeros(1, np.int8),
        action=np.zeros(1, np.int32),
        record=np.zeros((1, 4), np.int64),
        strategy=np.zeros(1, np.uint8),
        root=np.zeros(SIZE, np.int64),
        flop=NO_TABLE,
        turn=NO_TABLE,
        river=NO_TABLE,
        river_rule=NO_TABLE,
        river_class=NO_CLASSES,
    )


def _merged(actions: npt.NDArray[np.int64], shares: Floats) -> Strategy:
    """Return the strategy with each action once, ascending."""
    known, places = np.unique(actions, return_inverse=True)
    merged: Floats = np.zeros((COMBOS, len(known)))
    for column, place in enumerate(places):
        merged[:, place] += shares[:, column]
    return Strategy(tuple(known.tolist()), merged)
