"""Turns solved anew within a whole strategy: put back where they belong, and safe where they should be."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from overbet.errors import ConfigError
from overbet.search import off_tree
from overbet.search.continuations import LEANS, TabulatedLeaves, depth_limited, leaning
from overbet.search.equity_buckets import equity_buckets
from overbet.search.off_tree import WiderTree
from overbet.search.turn_subgame import RowCopier, same_nodes, turn_roots, turn_subgame
from overbet.search.whole_strategy import (
    SAFETY,
    TurnResolver,
    WholeStrategy,
    alternatives_at,
    ranges_at,
    write_strategy,
)
from overbet.solvers.rules import make_rule
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.leaves import StrategyLeaves
from overbet.solvers.vector.response import BEST, FOLLOW
from overbet.solvers.vector.subgame import LeafBatch, Root, compatible, leaf_places
from overbet.tree.betting import DepthLimit
from overbet.tree.boards import orbits_on
from overbet.tree.public import PublicTree, public_tree
from overbet.tree.spot import IP, OOP, Spot

# three suits alike; the player out of position bets the flop or not, all-in on the turn and the river
SMALL: dict[str, Any] = {
    "board": "Ks8s3s",
    "pot": 60,
    "stacks": 100,
    "ranges": {"oop": "99,77,ATs,QJs,A5s,KTs", "ip": "TT,88,KQs,JTs,65s,AQs"},
    "bets": {
        "flop": {"oop": {"bet": "50%"}, "ip": {}},
        "turn": {"bet": "a"},
        "river": {"bet": "a"},
    },
}
BETS: dict[str, Any] = {
    "flop": {"ip": {}, "oop": {}},
    "turn": {"oop": {"bet": "30%, 75%, 150%"}, "ip": {}},
    "river": {"oop": {"bet": "75%"}, "ip": {}},
}
POT = 60


def tree_of(**changes: Any) -> PublicTree:
    return public_tree(Spot.parse({**SMALL, **changes}))


def solved(tree: PublicTree, iterations: int, buckets: int = 0) -> WholeStrategy:
    maps = equity_buckets(tree, {1: buckets, 2: buckets}) if buckets else None
    engine = VectorEngine(tree, make_rule("dcfr"), buckets=maps)
    engine.run(iterations)
    return WholeStrategy(tree, engine.hand_tables(engine.average))


@cache
def rough() -> tuple[PublicTree, WholeStrategy]:
    tree = tree_of()
    return tree, solved(tree, 40, buckets=3)


@pytest.mark.parametrize(
    ("flop", "turn"),
    [("Ks8s3s", "2c"), ("Ks8s3s", "As"), ("9h9d5h", "5d")],  # after 5d hearts and diamonds look alike
)
def test_what_is_put_back_is_worth_the_same(flop: str, turn: str) -> None:
    """Values of a solved subgame, by best response and as played, are those of the whole tree there."""
    tree = tree_of(board=flop)
    blueprint, tables = solved(tree, 3), []
    boards = tree.street_boards(1)
    assert boards is not None
    [board] = [
        k
        for k, cards in enumerate(boards.cards)
        if cards[-1] % 4 == "cdhs".index(turn[1]) and cards[-1] // 4 == "23456789TJQKA".index(turn[0])
    ]
    for root in turn_roots(tree):
        sub = turn_subgame(tree, board, root)
        ranges = ranges_at(blueprint, sub, IP)
        assert ranges is not None
        engine = VectorEngine(sub.tree, make_rule("dcfr"), root=Root(ranges.weights))
        engine.run(4)
        nodes = same_nodes(sub.tree, 0, tree, root)
        tables = [table.copy() for table in blueprint.tables]
        for player in (OOP, IP):
            RowCopier(sub, tree, blueprint.layout, nodes).copy(player, engine.average[player], tables[player])
        whole = WholeStrategy(tree, tables)
        above = int(tree.betting.parent[root])
        for player in (OOP, IP):
            scale = blueprint.flop_reach[1 - player][above][sub.hands[1 - player]].max()
            met = compatible(sub.tree, player, ranges.weights[1 - player])
            for mode in (BEST, FOLLOW):
                values = whole.values(player, mode).turn
                assert values is not None
                there = values[board, root - tree.betting.street_nodes(1).start][sub.hands[player]]
                here = engine.judge.value(player, mode).root
                np.testing.assert_allclose(there / scale + sub.put * met, here, atol=1e-5 * met.max() * POT)


def test_safe_methods_are_never_worse_than_the_blueprint() -> None:
    """Exploitability of the whole strategy, exactly, some of the turns solved anew."""
    tree, blueprint = rough()
    resolver = TurnResolver(tree, IP, iterations=60)
    boards, before = (0, 5, 11, 22), blueprint.conceded(IP)
    for method in ("resolve", "maxmargin", "reach"):
        after = resolver.solved(blueprint, method, boards).conceded(IP)
        assert after <= before + 0.0005 * POT, method
        if method != "resolve":  # which leaves things as they are where it can
            assert after < before - 0.002 * POT, method
    with pytest.raises(ConfigError, match="method"):
        resolver.solved(blueprint, "nothing")


def test_a_solution_is_left_as_good() -> None:
    tree = tree_of()
    exact = solved(tree, 80)
    after = TurnResolver(tree, IP, iterations=100).solved(exact, "resolve", (0, 5, 11, 22))
    assert after.conceded(IP) < exact.conceded(IP) + 0.001 * POT


def test_gifts_on_the_flop_are_promised_on_the_turn() -> None:
    """Here betting the flop is worse with every hand, so the turn after a bet can promise the difference."""
    tree, blueprint = rough()
    values = blueprint.values(OOP, BEST).flop
    assert values is not None
    check, bet = values[list(tree.betting.children(0))]
    assert (check > bet).all()
    for root, lost in zip(turn_roots(tree), (0 * check, (check - bet) / blueprint.judge.met[OOP])):
        sub = turn_subgame(tree, 3, root)
        ranges = ranges_at(blueprint, sub, IP)
        assert ranges is not None
        promised = [
            alternatives_at(blueprint, sub, IP, SAFETY[name], ranges) for name in ("maxmargin", "reach")
        ]
        met = compatible(sub.tree, OOP, ranges.weights[IP])
        np.testing.assert_allclose(
            (promised[1] - promised[0]) / met, lost[sub.hands[OOP]], rtol=1e-6, atol=1e-6
        )


def test_a_bet_the_blueprint_does_not_have() -> None:
    """Translation is a mixture of two plans to the end of the hand; a safe re-solve loses less than it.

    An unsafe one believes in a range that nobody has to hold, and loses more than either.
    """
    wide = Spot.parse({**SMALL, "stacks": 400, "bets": BETS})
    turn = {"oop": {"bet": "30%, 150%"}, "ip": {}}
    narrow = tree_of(stacks=400, bets={**BETS, "turn": turn})
    tree, blueprint = public_tree(wide), solved(narrow, 60)
    wider = WiderTree(wide, tree, blueprint, 0.75)
    [bet] = wider.bets
    assert bet.share == (0.75, 0.3, 1.5)
    # as played by an opponent who always makes the bet and then does anything
    player = np.ones_like(wider.blueprint_table(OOP))
    rows_of_bet = list(tree.betting.children(bet.root)).index(bet.node)
    worth = []
    for chance in (1.0, 0.0, None):
        with pytest.MonkeyPatch.context() as patch:
            if chance is not None:
                patch.setattr(off_tree, "probability_of_smaller", lambda *_, chance=chance: chance)
            plan = wider.translated()
        always = np.zeros((tree.board_count(1), 4, tree.hands[OOP].size))
        always[:, rows_of_bet] = 1.0
        write_strategy(tree, plan.layout, player, bet.root, always)
        worth.append(plan.with_table(OOP, player).judge.expected(IP, FOLLOW))
    share = off_tree.probability_of_smaller(*bet.share)
    assert worth[2] == pytest.approx(share * worth[0] + (1 - share) * worth[1], abs=1e-4)
    assert abs(worth[0] - worth[1]) > 0.1
    translated, value = plan, solved(tree, 60).judge.expected(OOP, FOLLOW)
    safe, unsafe = (wider.solved(name, iterations=40).conceded(IP) - value for name in ("resolve", "unsafe"))
    assert safe < 0.5 * (translated.conceded(IP) - value)
    assert unsafe > translated.conceded(IP) - value


def test_continuations_of_a_blueprint() -> None:
    """Tabulated leaves are those worked out anew; four continuations make the flop less exploitable."""
    tree = tree_of(bets={**SMALL["bets"], "flop": {"bet": "50%"}})
    blueprint = solved(tree, 60)
    cut = public_tree(tree.spot, DepthLimit(0, 2, OOP))
    judges = [leaning(blueprint, OOP, lean).judge for lean in LEANS[:2]]
    tabulated, anew = TabulatedLeaves(cut, judges), StrategyLeaves(cut, judges)
    places, random = leaf_places(cut), np.random.default_rng(1)
    for player in (OOP, IP):
        orbit = orbits_on(cut.boards[0], cut.hands[1 - player])[0]
        reach = random.random((1, len(places.above), len(orbit))).astype(np.float32)[..., orbit]
        batch = LeafBatch(player, cut.boards[0].cards, places.put, places.continuation, reach, None)
        np.testing.assert_allclose(tabulated.values(batch), anew.values(batch), atol=1e-3, rtol=1e-5)
    lost = [depth_limited(blueprint, IP, count, iterations=100).conceded(IP) for count in (1, 4)]
    assert lost[1] < lost[0]
    with pytest.raises(ConfigError, match="9 continuations"):
        depth_limited(blueprint, IP, 9)


def test_leaning() -> None:
    """Probabilities times the factor, made to sum to 1 again, from the turn on."""
    tree = tree_of()
    blueprint = solved(tree, 20)
    leaned = leaning(blueprint, OOP, LEANS[1])
    node = turn_roots(tree)[0]
    before, after = blueprint.strategy(node)[0], leaned.strategy(node)[0]
    np.testing.assert_allclose(after[1], 10 * before[1] / (before[0] + 10 * before[1]), atol=1e-6)
    np.testing.assert_allclose(leaned.strategy(0), blueprint.strategy(0))


def test_buckets_by_equity() -> None:
    """Stronger hands have higher buckets; mirror hands share one; all buckets are used alike."""
    tree = tree_of()
    maps = equity_buckets(tree, {1: 4, 2: 5}).checked(tree)
    for player in (OOP, IP):
        shown = tree.showdowns[player]
        for board in (0, 300):
            order = maps[2][player][board][shown.hand[board, : shown.alive[board]]]
            assert (np.diff(order) >= -1).all()  # equity also counts which hands are blocked
            assert order[-1] > order[0]
        orbits = orbits_on(tree.boards[1], tree.hands[player])
        assert (np.take_along_axis(maps[1][player], orbits.astype(np.int64), 1) == maps[1][player]).all()
        counts = np.bincount(maps[1][player].ravel())
        assert len(counts) == 4
        assert counts.min() > 0.1 * counts.sum()
    with pytest.raises(ConfigError, match="street 1 or 2"):
        equity_buckets(tree, {0: 4})
