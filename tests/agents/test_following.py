"""What `blueprint.follow` says is where the blueprint plays from, over hands with all kinds of bets."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from overbet.agents.blueprint import BlueprintAgent
from overbet.agents.keyed import KeyedAgent
from overbet.agents.protocol import Observation, PublicState
from overbet.blueprint.dense_query import DenseBlueprint
from overbet.blueprint.keyed_query import KeyedBlueprint
from overbet.cards.combos import COMBOS
from overbet.errors import IllegalActionError
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.kernels.match.play import MAPPED
from tests.agents.blueprints import MENU, SMALL, even_blueprint
from tests.agents.test_blueprint_agent import node_of

NO_LIMP = {**SMALL, "preflop": {"sizes": ["2bb, 3bb, a", "3x, a"], "raises": 2, "limp": False}}
STREET = {"sizes": ["50%, 120%", "a"], "raises": 2}
SHORT = {"preflop": {"sizes": ["2bb, 5bb", "a"], "raises": 2, "limp": False}, "flop": STREET}

# a menu, the table it is for, and the tables that are really played at: other chips, shorter stacks
TABLES = [
    (MENU, 2, 100.0, (HoldemGame(2, 10_000, (50, 100)), HoldemGame(2, 200, (1, 2)))),
    (NO_LIMP, 2, 100.0, (HoldemGame(2, 10_000, (50, 100)), HoldemGame(2, [3_000, 10_000], (50, 100)))),
    (SHORT, 3, 20.0, (HoldemGame(3, 2_000, (50, 100)), HoldemGame(3, [2_000, 730, 1_510], (50, 100)))),
]


def keyed_agent(dense: DenseBlueprint) -> KeyedAgent:
    """Return the same blueprint with its rows found by keys."""
    solver = dense.config.solver.model_copy(update={"tables": "keyed", "texture": False, "coarse": 0.0})
    config = dense.config.model_copy(update={"solver": solver})
    empty = KeyedBlueprint(config, dense.cards, np.zeros(0, np.uint64), np.zeros((0, 8), np.uint8), {})
    rows: dict[int, list[int]] = {}
    for node in np.flatnonzero(dense.tree.nodes.player >= 0).tolist():
        line = dense.tree.line(node)
        shares = np.rint(255 * dense.strategy_by_bucket(line)).astype(int).tolist()
        for key, row in zip(empty._keys_of(empty._spot(line), ()).tolist(), shares):
            rows[key] = [*row, *[0] * (8 - len(row))]
    keys = np.array(sorted(rows), np.uint64)
    strategy = np.array([rows[key] for key in sorted(rows)], np.uint8)
    return KeyedAgent(KeyedBlueprint(config, dense.cards, keys, strategy, {}))


def real_hands(game: HoldemGame, hands: int) -> Iterator[tuple[int, HoldemState]]:
    """Yield every decision of hands with limps, small raises, odd sizes and players all in."""
    rng = np.random.default_rng(game.start[0])
    for hand in range(hands):
        state = game.deal(7, hand)
        while not state.is_terminal():
            yield hand, state
            legal = state.legal_actions()
            choices = [0, 0] + [-1] * (legal.fold and rng.random() < 0.3)
            if legal.raise_min is not None and legal.raise_max is not None:
                odd = int(rng.integers(legal.raise_min, legal.raise_max + 1))
                near = int(min(legal.raise_max, legal.raise_min * rng.uniform(1.0, 3.0)))
                choices += [legal.raise_min, near, odd, legal.raise_max]
            state = state.apply(int(rng.choice(choices)))


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_a_hand_is_followed_to_where_the_agent_plays_from(number: int) -> None:
    menu, players, stack_bb, games = TABLES[number]
    dense = BlueprintAgent(even_blueprint(menu, players, stack_bb))
    keyed = keyed_agent(dense.blueprint)
    limps = in_tree = lost = mapped = 0
    for game in games:
        for hand, state in real_hands(game, 150):
            limps += len(state.history) > 0 and state.history[0][2] == 0
            for seed, of_match in ((hand, 0), (3, hand)):
                expected, stands = node_of(dense, state, seed, of_match)
                where = (seed, of_match) if of_match else (seed,)
                public = PublicState.of(state, seed, of_match)
                for blueprint in (dense.blueprint, keyed.blueprint):
                    if stands:
                        assert blueprint.follow(state, *where) == expected
                    else:
                        with pytest.raises(IllegalActionError, match="cannot be followed"):
                            blueprint.follow(state, *where)
                in_tree += stands
                lost += not stands
                if seed == 3 and hand < 20:
                    observation = Observation.of(state, seed, of_match)
                    assert dense.act(observation) == keyed.act(observation)
                    assert dense.counted.tolist() == keyed.counted.tolist()
                    mapped += int(keyed.counted[MAPPED])
                    one, two = dense.strategy_for_all_hands(public), keyed.strategy_for_all_hands(public)
                    assert one.actions == two.actions
                    assert one.shares.shape == two.shares.shape == (COMBOS, len(one.actions))
                    np.testing.assert_allclose(one.shares, two.shares, atol=1e-12)
    assert min(limps, lost) > 40
    assert in_tree > 500
    assert mapped > 20
