"""A blueprint as an agent: its strategy at a real table, with bets it does not know mapped to those it does.

How the hand is followed through the tree and how actions come back is said in
`overbet.kernels.agents.blueprint`. Where the tree has nothing to say (`off tree`: the two hands drifted
apart) or training never reached a row (`untrained`), the agent plays `tag`, and every match counts and
reports how often that was. Chips do not have to be the blueprint's: bets are shares of the pot, so what
has to fit is the table in big blinds. A shipped family plays at any stacks (`agents.family`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from overbet.agents.compiled import NO_CLASSES, NO_TABLE, Buckets, CompiledAgent
from overbet.agents.protocol import Agent, Floats, PublicState
from overbet.betting.mapping import fewer_folds
from overbet.blueprint.cards import BucketedCards, PreflopClasses
from overbet.blueprint.catalogue import FAMILIES, SHIPPED, find_blueprint, shipped_names
from overbet.blueprint.query import Blueprint
from overbet.errors import ConfigError
from overbet.games.holdem import HoldemGame
from overbet.kernels.agents.blueprint import BlueprintArrays, folds_kept_at
from overbet.kernels.agents.scripted import BLUEPRINT, KIND, ROW
from overbet.kernels.betting.mapping import real_action, same_decision
from overbet.kernels.holdem.play import give_cards
from overbet.kernels.match.play import MAPPED
from overbet.kernels.training.record import decision_at

if TYPE_CHECKING:
    from overbet.agents.keyed import KeyedAgent

_OPEN = 48  # blueprints kept open: a whole Expresso asks a family of them

__all__ = [
    "BlueprintAgent",
    "agent_maker",
    "arrays_of",
    "check_table",
    "find_blueprint",
    "load_blueprint_agent",
    "shipped_names",
]


class TreePlace(NamedTuple):
    """Where a real hand stands in a blueprint's tree; actions: what the node's are at the real table.

    mapped: how many bets on the way the tree does not have; kept: the share of its folds that it keeps, fewer
    than all against a bet smaller than the tree's smallest.
    """

    node: int
    actions: tuple[int, ...]
    mapped: int
    kept: float


class BlueprintAgent(CompiledAgent):
    """Plays a blueprint of dense tables. `blueprint.config.game` is the table it was trained for."""

    tables = "dense"

    def __init__(
        self,
        blueprint: Blueprint,
        name: str = "",
        arrays: BlueprintArrays | None = None,
        family: str = "",
        near_bb: float | None = None,
    ) -> None:
        """Take family: whose nearest member plays at other stacks; near_bb: the depth it stands in at."""
        row = np.zeros(ROW)
        row[KIND] = BLUEPRINT
        self.blueprint, self.family, self.near_bb = blueprint, family, near_bb
        super().__init__(name or f"blueprint:{blueprint.config.name}", row, arrays or arrays_of(blueprint))

    @property
    def own_table(self) -> HoldemGame:
        """The table it was trained for."""
        return self.blueprint.game

    @property
    def report(self) -> str:
        """Which blueprint plays, where the table has other stacks."""
        return nearest_words(self.name, self.blueprint, self.near_bb)

    def at_table(self, game: HoldemGame) -> Agent:
        """Return who plays at a table: of a family the member with the nearest stacks."""
        return seated_for(self, game)

    def at_stacks(self, name: str, depth_bb: float) -> BlueprintAgent:
        """Return the same blueprint, to play at other stacks than its own."""
        return BlueprintAgent(self.blueprint, name, self.arrays, near_bb=depth_bb)

    def prepare(self, game: HoldemGame) -> None:
        """Refuse a table that the blueprint was not trained for, and say what would fit."""
        if self.near_bb is None or not same_blinds(self.blueprint.game, game):
            check_table(self.name, self.blueprint.game, game)

    def buckets_of_board(self, board: tuple[int, ...]) -> Buckets:
        if board and isinstance(self.blueprint.cards, PreflopClasses):
            return super().buckets_of_board(board)
        return self.blueprint.cards.of_board(board)

    def place_in_tree(self, public: PublicState) -> TreePlace | None:
        """Return where a hand stands in the tree, None where tree and table do not agree."""
        arrays = self.arrays
        assert arrays is not None
        _, space = self._stand(public)
        node, inner, state = int(space.nodes[0]), space.inner[0], space.state
        if node < 0 or not same_decision(arrays.player[node], arrays.street[node], inner, state):
            return None
        first, count = int(arrays.first[node]), int(arrays.num_children[node])
        actions = (real_action(state, inner, int(action)) for action in arrays.action[first : first + count])
        kept = float(folds_kept_at(arrays, node, inner, state))
        return TreePlace(node, tuple(int(action) for action in actions), int(space.counts[0, MAPPED]), kept)

    def shares_of_combo(self, place: TreePlace, combo: int, board: tuple[int, ...]) -> Floats | None:
        """Return how often a hand takes each action of a place: [action] float64, None where untrained."""
        arrays = self.arrays
        assert arrays is not None
        bucket = int(self.buckets_of_board(board)[combo])
        if bucket < 0:
            return None
        record = decision_at(arrays.record, place.node)
        first = record.first + record.step * bucket
        row: Floats = arrays.strategy[first : first + record.actions].astype(np.float64)
        total = row.sum()
        return fewer_folds(row / total, place.kept) if total > 0.0 else None


def load_blueprint_agent(which: str) -> Agent:
    """Return the agent of a shipped blueprint's name, of a file or of a run's folder."""
    path = find_blueprint(which).resolve()
    status = path.stat()
    agent = _loaded(path, status.st_mtime_ns, status.st_size)(f"blueprint:{which}")
    if path.parent == SHIPPED.resolve() and path.stem in FAMILIES and path.stem == str(which):
        agent.family = path.stem  # type: ignore[attr-defined]  # of both kinds of blueprints
    return agent


def seated_for(agent: BlueprintAgent | KeyedAgent, game: HoldemGame) -> Agent:
    """Return who plays for a blueprint at a table: itself, or the nearest of its family."""
    from overbet.agents.family import member_at

    if not agent.family or fits_table(agent.blueprint.game, game):
        return agent
    return member_at(agent.family, game, agent.name) or agent


def nearest_words(name: str, blueprint: Blueprint, near_bb: float | None) -> str:
    """Return which blueprint plays at other stacks than its own, in words; nothing where they are its own."""
    if near_bb is None:
        return ""
    own = blueprint.config.name
    return f"{name}: at {near_bb:.4g} bb played by {own}, the nearest of its family"


@lru_cache(maxsize=_OPEN)
def _loaded(path: Path, changed: int, size: int) -> Callable[[str], Agent]:
    """Return how agents of a file are made: they share its arrays, and kernels count it once."""
    return agent_maker(Blueprint.load(path))


def agent_maker(blueprint: Blueprint) -> Callable[[str], Agent]:
    """Return how agents of a blueprint are made, by name, whatever its tables."""
    from overbet.agents.keyed import KeyedAgent

    if blueprint.tables == BlueprintAgent.tables:
        return partial(BlueprintAgent, blueprint, arrays=arrays_of(blueprint))
    return partial(KeyedAgent, blueprint)


def arrays_of(blueprint: Blueprint) -> BlueprintArrays:
    """Return the arrays of a blueprint for the kernels; the whole strategy is read."""
    tree, cards = blueprint.tree, blueprint.cards
    if isinstance(cards, BucketedCards):
        buckets = cards.buckets
        flop, turn, river, rule = buckets.flop, buckets.turn, buckets.river, buckets.river_rule
        classes = buckets.river_class
    elif isinstance(cards, PreflopClasses):
        flop = turn = river = rule = NO_TABLE
        classes = NO_CLASSES
    else:
        raise ConfigError(f"an agent needs buckets of a file or the 169 classes, not {type(cards).__name__}")
    root = tree.game.root.copy()
    give_cards(root, np.arange(2 * tree.game.num_players + 5))
    nodes = tree.nodes
    return BlueprintArrays(
        player=nodes.player.copy(),
        street=nodes.street.copy(),
        first=nodes.first.copy(),
        num_children=nodes.num_children.copy(),
        action=nodes.action.copy(),
        record=tree.records(cards.counts)[0],
        strategy=blueprint.rows_of_255ths().copy(),
        root=root,
        flop=flop,
        turn=turn,
        river=river,
        river_rule=rule,
        river_class=classes,
    )


def fits_table(own: HoldemGame, game: HoldemGame) -> bool:
    """Return whether a blueprint was trained for a table, in big blinds."""
    return _in_blinds(game) == _in_blinds(own)


def same_blinds(own: HoldemGame, game: HoldemGame) -> bool:
    """Return whether two tables are alike but for the stacks: players, blinds, antes and rake."""
    return own.num_players == game.num_players and _without_stacks(own) == _without_stacks(game)


def check_table(name: str, own: HoldemGame, game: HoldemGame) -> None:
    """Refuse a table that a blueprint was not trained for, and say what would fit."""
    asked, trained = _in_blinds(game), _in_blinds(own)
    if asked != trained:
        raise ConfigError(
            f"{name} was trained for {trained}; this table is {asked}. "
            f"Use {_options(own)}, or another blueprint"
        )


def _in_blinds(game: HoldemGame) -> str:
    """Return the table in big blinds, in words: what two tables have to share to be played alike."""
    unit = game.big_blind
    stacks = game.start
    if game.num_players == 2:
        stacks = (min(stacks),) * 2  # nobody can lose more
    depth = f"{stacks[0] / unit:g} bb" if len(set(stacks)) == 1 else _listed([s / unit for s in stacks])
    return ", ".join([f"{game.num_players} players", f"stacks of {depth}", *_without_stacks(game)])


def _without_stacks(game: HoldemGame) -> list[str]:
    unit = game.big_blind
    blinds = [b / unit for b in game.blinds]
    while len(blinds) > 2 and not blinds[-1]:  # recorded hands name a blind of nothing for every other seat
        blinds.pop()
    words = [f"blinds {_listed(blinds)}"]
    if any(game.antes):
        words.append(f"antes {_listed([a / unit for a in game.antes])}")
    if game.rake:
        words.append(f"rake {game.rake:g}")
    return words


def _listed(values: list[float]) -> str:
    return "/".join(f"{value:g}" for value in values)


def _options(game: HoldemGame) -> str:
    """Return the options of `overbet match` that make the blueprint's table."""
    stacks = ",".join(map(str, game.start)) if len(set(game.start)) > 1 else str(game.start[0])
    words = [
        f"--seats {game.num_players}",
        f"--stacks {stacks}",
        f"--blinds {','.join(map(str, game.blinds))}",
    ]
    if any(game.antes):
        words.append(f"--ante {max(game.antes)}")
    return " ".join(words)
