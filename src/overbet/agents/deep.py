"""A network as an agent: `deep:FILE`, a trained network for a whole heads-up game at a real table.

It follows the hand in its own betting tree by the mapper that blueprints use, comes back to legal actions the
same way, and plays `tag` where tree and table do not agree; bets that were mapped and decisions off the tree
are counted and printed with every match. PyTorch is not needed: the weights are read, and asked in numpy.
What cards make of the first layer is kept for the boards of the last hands, so that all 1,326 hands of a
decision cost three matrix products.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from overbet.agents.blueprint import check_table
from overbet.agents.compiled import CompiledAgent, no_blueprint
from overbet.agents.mapped_bets import MappedBets
from overbet.agents.protocol import Floats, Observation, PublicState, Strategy, pick
from overbet.agents.scripted import rules_agent
from overbet.artefact import kind_of
from overbet.betting.mapping import fewer_folds
from overbet.blueprint.network.encoder import HoldemEncoder
from overbet.blueprint.network.files import HoldemNetFile, find_network, load_network, shipped_networks
from overbet.blueprint.network.net import EncodedHands, hands_of_street, one_hand
from overbet.cards.combos import COMBOS
from overbet.errors import ArtefactError, ConfigError
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.kernels.agents.blueprint import BlueprintArrays, folds_kept_at
from overbet.kernels.agents.scripted import BLUEPRINT, KIND, ROW
from overbet.kernels.betting.mapping import real_action, same_decision
from overbet.kernels.holdem.play import give_cards
from overbet.kernels.match.play import COUNTS, DECISIONS, MAPPED, OFF_TREE

_BOARDS = 64  # whose hands are remembered
_CARDS = (0, 3, 4, 5)
_Kept = TypeVar("_Kept")


class _Place(NamedTuple):
    """Where a hand stands in the tree: node, -1 for nowhere; inner: the tree's table; mapped: bets on the
    way; kept: as in `TreePlace`.
    """

    node: int
    inner: npt.NDArray[np.int64]
    mapped: int
    kept: float


class DeepAgent:
    """Plays a network. `file` says how it was made."""

    def __init__(self, file: HoldemNetFile, name: str = "") -> None:
        self.file, self.net = file, file.net
        self.tree = file.net.encoder.tree
        self.name = name or f"deep:{file.config.name}"
        row = np.zeros(ROW)
        row[KIND] = BLUEPRINT
        # follows hands in the kernels, as a blueprint does; its strategy is not there to be read
        self.follower = CompiledAgent(self.name, row, _tree_arrays(file.net.encoder))
        self.counted = np.zeros(COUNTS, np.int64)
        self._mapped = MappedBets()
        self._fallback = rules_agent("tag")
        self._hands: OrderedDict[tuple[int, ...], EncodedHands] = OrderedDict()
        self._firsts: OrderedDict[tuple[int, ...], npt.NDArray[np.float32]] = OrderedDict()

    def __repr__(self) -> str:
        return f"<agent {self.name}: {self.net.parameters:,} parameters, {self.tree.size.describe()}>"

    @property
    def own_table(self) -> HoldemGame:
        """The table it was trained for."""
        return self.tree.game

    def prepare(self, game: HoldemGame) -> None:
        """Refuse a table that the network was not trained for, and say what would fit."""
        check_table(self.name, self.tree.game, game)

    def act(self, observation: Observation) -> int:
        """Return the action that the random number of the decision falls on."""
        place = self._followed(observation)
        self.counted[:] = 0
        self.counted[DECISIONS] = 1
        self.counted[MAPPED] = self._mapped.more(observation.seed, observation.hand, place.mapped)
        if place.node < 0:
            self.counted[OFF_TREE] = 1
            return self._fallback.act(observation)
        hand = one_hand(self._rows(observation.state.board), observation.combo)
        shares = self.net.shares(place.node, self.net.of_hands(observation.street, hand))
        strategy = self._at_table(place, observation.state, shares)
        return strategy.actions[pick(strategy.shares[0], observation.uniform())]

    def strategy_for_all_hands(self, public: PublicState) -> Strategy:
        """Return how often every hand takes each action."""
        place = self._followed(public)
        if place.node < 0:
            return self._fallback.strategy_for_all_hands(public)
        board = public.state.board
        shares = self.net.shares(place.node, self._first(public.street, board))
        found = self._at_table(place, public.state, shares)
        found.shares[self._rows(board).bucket < 0] = np.nan
        return found

    def _followed(self, public: PublicState) -> _Place:
        """Return where the network's own hand stands."""
        _, space = self.follower._stand(public)
        node, inner, nodes = int(space.nodes[0]), space.inner[0], self.tree.nodes
        if node < 0 or not same_decision(nodes.player[node], nodes.street[node], inner, space.state):
            node = -1
        arrays = self.follower.arrays
        assert arrays is not None
        kept = float(folds_kept_at(arrays, node, inner, space.state)) if node >= 0 else 1.0
        return _Place(node, inner, int(space.counts[0, MAPPED]), kept)

    def _at_table(self, place: _Place, state: HoldemState, shares: Floats) -> Strategy:
        """Return shares of the node's actions as a strategy at the real table, each legal action once."""
        table = state.vector
        legal = [int(real_action(table, place.inner, action)) for action in self.tree.actions(place.node)]
        actions = tuple(sorted(set(legal)))
        found: Floats = np.zeros((len(shares), len(actions)))
        for action, column in zip(legal, fewer_folds(shares, place.kept).T):
            found[:, actions.index(action)] += column
        return Strategy(actions, found)

    def _rows(self, board: tuple[int, ...]) -> EncodedHands:
        """Return the rows of all hands on a board."""
        if board not in self._hands:
            street = _CARDS.index(len(board))
            boards = np.zeros((1, 5), np.int8)
            boards[0, : len(board)] = board
            rows = self.net.encoder.rows(boards, np.arange(4) == street)
            _keep(self._hands, board, hands_of_street(rows, 0, street))
        return self._hands[board]

    def _first(self, street: int, board: tuple[int, ...]) -> npt.NDArray[np.float32]:
        """Return what cards make of the first layer for all hands of a board: [1326, H]."""
        if board not in self._firsts:
            _keep(self._firsts, board, self.net.of_hands(street, self._rows(board)))
        found = self._firsts[board]
        assert len(found) == COMBOS
        return found


def _tree_arrays(encoder: HoldemEncoder) -> BlueprintArrays:
    """Return the tree of an encoder as kernels follow it, with no strategy."""
    tree = encoder.tree
    root = tree.game.root.copy()
    give_cards(root, np.arange(9))
    nodes = tree.nodes
    return no_blueprint()._replace(
        player=nodes.player.copy(),
        street=nodes.street.copy(),
        first=nodes.first.copy(),
        num_children=nodes.num_children.copy(),
        action=nodes.action.copy(),
        root=root,
    )


def _keep(kept: OrderedDict[tuple[int, ...], _Kept], board: tuple[int, ...], value: _Kept) -> None:
    kept[board] = value
    while len(kept) > _BOARDS:
        kept.popitem(last=False)


def load_deep_agent(which: str) -> DeepAgent:
    """Return the agent of a network's file, or of one that comes with the package."""
    if not which:
        names = ", ".join(f"deep:{name}" for name in shipped_networks()) or "deep:network.h5"
        raise ConfigError(f"say which network: {names}")
    path = find_network(which).resolve()
    status = path.stat()
    return DeepAgent(_loaded(path, status.st_mtime_ns, status.st_size), f"deep:{which}")


@lru_cache(maxsize=4)
def _loaded(path: Path, changed: int, size: int) -> HoldemNetFile:
    if kind_of(path) == "deep network":
        raise ArtefactError(
            f"{path} has networks of a small game, which plays at no hold'em table; overbet policy shows "
            "what they play"
        )
    return load_network(path)
