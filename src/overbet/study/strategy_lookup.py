"""What a strategy does at a decision of a real hand: shares by kind of action, or why there are none.

    lookup = StrategyLookup()                  # or of blueprints that are named
    lookup.at(state, combo, hand)              # of the hand that is held
    lookup.at(state, None, hand)               # the mean of what may be held after this line

Who answers is chosen as `agents.any_stacks` chooses: a blueprint that was trained for the table, exact push
or fold where it is short, else the blueprint of the nearest depth, which heads up is shown the hand at its
own stacks where it is deeper. Bets that a blueprint does not have are mapped at random to those it has; the
mean over some draws stands for the strategy, because one draw would add its own luck to what is compared.
Unlike the agent, nothing stands in where the blueprint has no answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from overbet.agents.any_stacks import SHORT_BB, AnyStacksAgent, Seated
from overbet.agents.blueprint import BlueprintAgent, load_blueprint_agent
from overbet.agents.deeper import brought_back, deeper
from overbet.agents.family import depth_bb
from overbet.agents.keyed import KeyedAgent
from overbet.agents.protocol import Agent, PublicState, own_table
from overbet.agents.push_or_fold import push_decision, push_strategy
from overbet.betting.following import moves_of
from overbet.betting.mapping import fewer_folds
from overbet.cards.combos import combo_table
from overbet.errors import ArtefactError, ConfigError
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import STREETS, HoldemState
from overbet.kernels.betting.mapping import real_action
from overbet.study.blueprint_lines import reach
from overbet.study.decision_lines import KINDS, kind_of

Floats = npt.NDArray[np.float64]

OFF_TREE = "the blueprint does not have this line"
UNTRAINED = "training never reached this hand there"
NEVER = "the blueprint never plays to there"
NO_CARDS = "cards not seen in every hand, and a blueprint without a tree"
TOO_FAR = "no blueprint near this depth"
DRAWS = 8  # of the mapping, where a bet had to be mapped


class StrategyShares(NamedTuple):
    """How often a strategy does each kind of action: [5] float64 in the order of `KINDS`, or None.

    source: what answered (`trained`, `push or fold`, `nearest depth`); why: where nothing did, the reason.
    """

    shares: Floats | None
    source: str = ""
    why: str = ""


class _Answer(NamedTuple):
    """Actions at the table that was asked about, and shares: [action] float64; None where there are none.

    mapped: whether a bet before was mapped at random, so that another draw may answer otherwise.
    """

    actions: tuple[int, ...]
    shares: Floats | None
    why: str = ""
    mapped: bool = False


class StrategyLookup:
    """Looks decisions up. blueprints: names or files, before the shipped ones for as many players.

    depth_ratio: how many times deeper or shallower a blueprint's table may be; any where it is None.
    """

    def __init__(
        self, blueprints: Sequence[str] = (), *, depth_ratio: float | None = None, short_bb: float = SHORT_BB
    ) -> None:
        if depth_ratio is not None and depth_ratio < 1.0:
            raise ConfigError(f"a ratio of depths is at least 1, not {depth_ratio:g}")
        agents = [load_blueprint_agent(name) for name in blueprints]
        self._agent, self.short_bb, self.depth_ratio = AnyStacksAgent(agents), short_bb, depth_ratio
        self._ranges = lru_cache(4096)(_range_of)

    def why_not(self, players: int) -> str:
        """Return why no decision of a table with so many players can be looked up; "" where some can."""
        try:
            self._agent.seated(HoldemGame(players))
        except ConfigError:
            return f"no blueprint for {players} players"
        return ""

    def at(self, state: HoldemState, combo: int | None, hand: int = 0) -> StrategyShares:
        """Return what the strategy does at a decision.

        combo: the hand that is held, None for the mean over the range the blueprint has after its own
        actions. hand: a number that names the draws of the mapping.
        """
        try:
            seated = self._agent.seated(state.game)
        except ConfigError:
            return StrategyShares(None, why=f"no blueprint for {state.num_players} players")
        found = self._pushes(state, combo, seated)
        if found is not None:
            return StrategyShares(_by_kind(state, found), "push or fold")
        table = own_table(seated.agent)
        if self.depth_ratio is not None and table is not None:
            ratio = depth_bb(table) / depth_bb(state.game)
            if max(ratio, 1.0 / ratio) > self.depth_ratio:
                return StrategyShares(None, why=TOO_FAR)
        return self._of_blueprint(state, combo, hand, seated)

    def _pushes(self, state: HoldemState, combo: int | None, seated: Seated) -> _Answer | None:
        decision = push_decision(state) if seated.source != "trained" else None
        if decision is None or decision.stack_bb > self.short_bb:
            return None
        found = push_strategy(PublicState(state), decision)  # nobody has acted before: the range is all hands
        return _Answer(found.actions, found.shares.mean(0) if combo is None else found.shares[combo])

    def _of_blueprint(
        self, state: HoldemState, combo: int | None, hand: int, seated: Seated
    ) -> StrategyShares:
        deep = deeper(state, seated.deep) if seated.deep is not None else None
        total, answers, draws, why = np.zeros(len(KINDS)), 0, 0, ""
        for draw in range(DRAWS):
            found = self._answer(seated.agent, state if deep is None else deep, combo, DRAWS * hand + draw)
            draws += 1
            if found.shares is None:
                why = found.why
            else:
                actions = found.actions
                if deep is not None:
                    actions = tuple(brought_back(state, action) for action in actions)
                total += _by_kind(state, found._replace(actions=actions))
                answers += 1
            if not found.mapped:
                break
        if 2 * answers < draws:
            return StrategyShares(None, why=why)
        return StrategyShares(total / answers, seated.source)

    def _answer(self, agent: Agent, state: HoldemState, combo: int | None, hand: int) -> _Answer:
        if isinstance(agent, BlueprintAgent):
            place = agent.place_in_tree(PublicState(state, 0, hand))
            if place is None:
                return _Answer((), None, OFF_TREE, True)
            if combo is None:
                shares, why = self._ranges(agent, place.node, state.board), NEVER
                shares = None if shares is None else fewer_folds(shares, place.kept)
            else:
                shares, why = agent.shares_of_combo(place, combo, state.board), UNTRAINED
            return _Answer(place.actions, shares, "" if shares is not None else why, place.mapped > 0)
        if isinstance(agent, KeyedAgent):
            return _keyed(agent, state, combo, hand)
        raise ConfigError(f"{agent!r} has no table of a strategy to look decisions up in")


def _by_kind(state: HoldemState, found: _Answer) -> Floats:
    """Return shares by kind of action: [5] float64."""
    street, facing = STREETS.index(state.street), state.to_call > 0
    shares = np.zeros(len(KINDS))
    assert found.shares is not None
    for action, share in zip(found.actions, found.shares.tolist()):
        shares[KINDS.index(kind_of(action, facing, street))] += share
    return shares


def _keyed(agent: KeyedAgent, state: HoldemState, combo: int | None, hand: int) -> _Answer:
    """Ask a blueprint that has no tree."""
    followed = agent.blueprint.followed(state, 0, hand)
    mapped = followed.mapped > 0
    if followed.fault:
        return _Answer((), None, OFF_TREE, mapped)
    if combo is None:
        return _Answer((), None, NO_CARDS)
    line = moves_of(followed.state)
    try:
        row = agent.blueprint.strategy(line, combo_table()[combo].tolist(), state.board)
    except ArtefactError:
        return _Answer((), None, UNTRAINED, mapped)
    table, own = state.vector, followed.state.vector
    actions = [int(real_action(table, own, action)) for action in agent.blueprint.actions(line)]
    return _Answer(tuple(actions), fewer_folds(row, followed.kept), mapped=mapped)


def _range_of(agent: BlueprintAgent, node: int, board: tuple[int, ...]) -> Floats | None:
    """Return the mean strategy of a node over what the blueprint holds there: [action], None for nothing.

    A hand counts as often as the blueprint takes the player's own actions before with it.
    """
    blueprint = agent.blueprint
    shares = blueprint.strategy_for_all_hands(blueprint.tree.line(node), board, allow_missing=True)
    weights = np.where(np.isnan(shares[:, 0]), 0.0, reach(blueprint, node, board))
    total = float(weights.sum())
    return np.nan_to_num(shares).T @ weights / total if total > 0.0 else None
