"""The vector engine against the plain reference: every update, every average, every value, on all boards.

The two run side by side. The reference plays the engine's strategies (where regrets are zero up to rounding
any strategy is right, and the two would part), but works out regrets, averages and values by itself; that
the engine's strategies are what the regrets say is checked apart. In `test_alone` they run apart.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from overbet.cards.cards import cards_name
from overbet.cards.combos import combo_cards, combo_name
from overbet.kernels.vector.response import BEST, FOLLOW, OBEY
from overbet.solvers.rules import make_rule, rule_names
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.layout import chance_scale
from overbet.tree.public import public_tree
from overbet.tree.spot import Spot
from tests.reference.postflop import Array, PlainSolver, betting, matched
from tests.solvers.vector.beside import Beside, same_tree

TIGHT = 1e-5
MODES = {BEST: (True, False), FOLLOW: (False, False), OBEY: (True, True)}
UNHURRIED = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
}


def compare(
    spot: Spot,
    rule_name: str = "dcfr",
    iterations: int = 3,
    order: tuple[int, int] = (0, 1),
    locks: dict[str, Array] | None = None,
) -> None:
    """Run both and compare everything. locks: as the reference takes them, for spots without mirrors.

    Where regrets tie, rounding may make hands that mirror each other play differently (on rivers; before them
    the engine keeps them alike). Its mirrors are then not quite the reference's boards: stop there.
    """
    rule = make_rule(rule_name)
    engine = VectorEngine(public_tree(spot), rule, order=order)
    plain = PlainSolver(spot, order, locks)
    beside = Beside(engine, plain)
    nodes = same_tree(engine.tree.betting, plain.root)
    for line, lock in plain.locks.items():
        for board, strategy in enumerate(lock):
            engine.lock(
                nodes[line], board, np.nan_to_num(strategy).astype(np.float32), ~np.isnan(strategy).any(0)
            )
    scale = spot.pot + 2 * spot.effective_stack  # the most a hand can win

    def told(*players: int) -> dict[str, Array]:
        play = beside.read(engine.play)
        return {line: matched(play[line]) for line, player in beside.player.items() if player in players}

    for t in range(1, iterations + 1):
        plain.told = told(0, 1)
        if beside.lopsided(plain.told) > 1e-4:
            return
        engine.run(1)
        plain.update(order[0], rule.at(t))
        plain.told |= told(order[0])
        if beside.lopsided(plain.told) > 1e-4:
            return
        plain.update(order[1], rule.at(t))

        regret, average, now = beside.read(engine.regret), beside.read(engine.average), told(0, 1)
        for line, point in plain.decisions.items():
            live = beside.live[line]
            free = live & np.isnan(plain.locks[line]) if line in plain.locks else live
            weight = float(plain.deals.weights[1 - beside.player[line]].sum())
            # the engine's values hold the probability of the cards, the reference's are of one board
            ours = regret[line] / chance_scale(spot, point.street)
            assert (np.abs(ours - plain.regret[line]) * free).max() <= TIGHT * scale * weight
            np.testing.assert_allclose(average[line], plain.average[line] * live, rtol=TIGHT, atol=1e-6)
            apart = np.abs(now[line] - plain.strategy(line))
            decided = np.maximum(plain.play[line], 0).sum(1, keepdims=True)
            assert (apart * decided * free).max() <= TIGHT * scale * weight
            assert (apart * (live & ~free)).max() <= TIGHT
    for player in (0, 1):
        for mode, plain_mode in MODES.items():
            judged = engine.judge.value(player, mode).root
            expected = plain.values(player, *plain_mode)[""][0]
            weight = float(plain.deals.weights[1 - player].sum())
            assert np.abs(judged - expected).max() <= TIGHT * spot.pot * weight
            assert engine.judge.expected(player, mode) == pytest.approx(
                plain.expected(player, *plain_mode), abs=TIGHT * spot.pot
            )
    assert engine.exploitability() == pytest.approx(plain.exploitability(), abs=TIGHT * spot.pot)


CLASSES = ["AA", "QQ", "77", "22", "AKs", "A5s", "KQs", "T9s", "76s", "32s", "AKo", "QTo", "83o"]
SIZES = ["50%", "37%", "100%", "a", "e", "2e", "7c", "33%, 120%", "25%, a"]
RAISES = ["", "60%", "2.5x", "a", "45%, a", "3x, 100%"]


@st.composite
def ranges(draw: st.DrawFn, most: int, suits_alike: bool) -> str:
    """Draw a range: classes, which treat suits alike, or combos, with weights."""
    weights = st.sampled_from(["", ":0.5", ":0.123", ":0.999", ":0.0625"])
    if suits_alike:
        parts = draw(st.lists(st.sampled_from(CLASSES), min_size=1, max_size=max(1, most // 5), unique=True))
    else:
        numbers = draw(st.lists(st.integers(0, 1325), min_size=1, max_size=most, unique=True))
        parts = [combo_name(number) for number in numbers]
    return ",".join(part + draw(weights) for part in parts)


@st.composite
def menus(draw: st.DrawFn) -> dict[str, Any]:
    """Draw one street's menus: for both players, or for each apart, sometimes with donk sizes and levels."""
    bets, raises = st.sampled_from(SIZES), st.sampled_from(RAISES)

    def menu() -> dict[str, Any]:
        found: dict[str, Any] = {"bet": draw(bets)}
        found["raise"] = [draw(raises), draw(raises)] if draw(st.booleans()) else draw(raises)
        if draw(st.booleans()):
            found["donk"] = draw(st.sampled_from(["", *SIZES]))
        return found

    return {"oop": menu(), "ip": menu()} if draw(st.booleans()) else menu()


@st.composite
def spots(draw: st.DrawFn, street: int, most_points: int, most_hands: int) -> Spot:
    """Draw a spot whose betting has at most so many points."""
    board = draw(st.lists(st.integers(0, 51), min_size=3 + street, max_size=3 + street, unique=True))
    alike = draw(st.booleans())
    pot = draw(st.integers(2, 150))
    share = draw(st.sampled_from([0.0, 0.0, 0.03, 0.1]))
    spot = Spot.parse(
        {
            "board": cards_name(board),
            "pot": pot,
            "stacks": draw(st.integers(1, 3 * pot)),
            "ranges": {name: draw(ranges(most_hands, alike)) for name in ("oop", "ip")},
            "bets": {name: draw(menus()) for name in ("flop", "turn", "river")[street:]},
            "thresholds": {
                "add_all_in": draw(st.sampled_from([0.0, 0.8, 1.5])),
                "force_all_in": draw(st.sampled_from([0.0, 0.15, 0.4])),
                "merge": draw(st.sampled_from([0.0, 0.1, 0.25])),
            },
            "rake": {"share": share, "cap": draw(st.sampled_from([0, 2, 1.5])) if share else 0},
            "min_bet": draw(st.integers(1, 10)),
            "isomorphism": draw(st.sampled_from([True, True, False])),
        }
    )
    held = [[set(combo_cards(int(i))) for i in np.flatnonzero(spot.range_of(p).weights)] for p in (0, 1)]
    live = [[hand for hand in own if not hand & set(board)] for own in held]
    assume(any(not a & b for a in live[0] for b in live[1]))
    assume(sum(1 for _ in betting(spot).walk()) <= most_points)
    return spot


RULES = st.sampled_from(rule_names())
ORDERS = st.sampled_from([(0, 1), (1, 0)])


@settings(max_examples=25, **UNHURRIED)
@given(spots(street=2, most_points=400, most_hands=30), RULES, ORDERS)
def test_rivers(spot: Spot, rule: str, order: tuple[int, int]) -> None:
    compare(spot, rule, 4, order)


@settings(max_examples=15, **UNHURRIED)
@given(spots(street=1, most_points=300, most_hands=15), RULES, ORDERS)
def test_turns(spot: Spot, rule: str, order: tuple[int, int]) -> None:
    compare(spot, rule, 3, order)


@settings(max_examples=6, **UNHURRIED)
@given(spots(street=0, most_points=60, most_hands=5), RULES, ORDERS)
def test_flops(spot: Spot, rule: str, order: tuple[int, int]) -> None:
    compare(spot, rule, 3, order)


@st.composite
def locked_spots(
    draw: st.DrawFn, street: int, most_points: int, most_hands: int
) -> tuple[Spot, dict[str, Array]]:
    """Draw a spot with fixed strategies for some hands at some decisions, the same on all its boards."""
    spot = draw(spots(street, most_points, most_hands))
    spot = spot.model_copy(update={"isomorphism": False})
    plain = PlainSolver(spot)
    lines = draw(st.lists(st.sampled_from(sorted(plain.decisions)), min_size=1, max_size=3, unique=True))
    random = np.random.default_rng(draw(st.integers(0, 1000)))
    locks = {}
    for line in lines:
        boards, actions, hands = plain.regret[line].shape
        mix = random.dirichlet(np.full(actions, 0.5), size=(1, hands)).transpose(0, 2, 1)
        mix = np.float64(np.float32(mix))
        mix[:, :, random.random(hands) < draw(st.sampled_from([0.0, 0.5]))] = np.nan
        locks[line] = np.repeat(mix, boards, 0)
    return spot, locks


@settings(max_examples=15, **UNHURRIED)
@given(locked_spots(street=2, most_points=200, most_hands=25), RULES)
def test_locked_rivers(locked: tuple[Spot, dict[str, Array]], rule: str) -> None:
    compare(locked[0], rule, 3, locks=locked[1])


@settings(max_examples=8, **UNHURRIED)
@given(locked_spots(street=1, most_points=100, most_hands=12), RULES)
def test_locked_turns(locked: tuple[Spot, dict[str, Array]], rule: str) -> None:
    compare(locked[0], rule, 3, locks=locked[1])


def test_locked_flop() -> None:
    spot = Spot.parse(
        {
            "board": "Ks7d7c",
            "pot": 30,
            "stacks": 40,
            "ranges": {"oop": "AhAd,Qh9h:0.4,5h4h", "ip": "KhQs,6c5c,JsTs:0.7"},
            "bets": {"every": {"bet": "80%"}},
            "isomorphism": False,
        }
    )
    random = np.random.default_rng(5)
    locks = {}
    for line in ("", "cc/c", "cc/cc/b24"):
        shape = PlainSolver(spot).regret[line].shape  # a strategy of its own on every board
        mix = random.dirichlet(np.ones(shape[1]), size=(shape[0], shape[2])).transpose(0, 2, 1)
        mix[:, :, 1] = np.nan
        locks[line] = np.float64(np.float32(mix))
    compare(spot, "dcfr", 3, locks=locks)


ALONE = {
    "river": {
        "board": "Ks7d2c9h4s",
        "stacks": 300,
        "bets": {"every": {"bet": "37%, 83%", "raise": "71%, a"}},
    },
    "turn": {"board": "Ks7d2c9h", "stacks": 300, "bets": {"every": {"bet": "37%", "raise": "71%"}}},
    "flop": {"board": "Ks7d7c", "stacks": 120, "bets": {"every": {"bet": "83%"}}},
}


@pytest.mark.parametrize("street", ALONE)
@pytest.mark.parametrize("rake", [0.0, 0.05])
def test_alone(street: str, rake: float) -> None:
    """Left to itself the reference comes to the same values."""
    ranges = {"oop": "77:0.3,A2s,K9s:0.7,QJs,54s", "ip": "99,AKo:.5,KQs,T8s,65s"}
    if street == "flop":
        ranges = {"oop": "A2s,K9s:0.7,54s", "ip": "AKs:.5,KQs,65s"}
    spot = Spot.parse({**ALONE[street], "pot": 97, "ranges": ranges, "rake": {"share": rake, "cap": 7}})
    rule = make_rule("dcfr")
    plain, engine = PlainSolver(spot), VectorEngine(public_tree(spot), rule)
    plain.run([rule.at(t) for t in range(1, 4)])
    engine.run(3)
    for player in (0, 1):
        for mode, plain_mode in MODES.items():
            found = engine.judge.expected(player, mode)
            assert found == pytest.approx(plain.expected(player, *plain_mode), abs=TIGHT * spot.pot)


@pytest.mark.parametrize("sizes", [63, 69, 150])
def test_any_number_of_bet_sizes_at_a_decision(sizes: int) -> None:
    """More than 62 bets beside check or fold and call once wrote beyond the judge's scratch."""
    every = ", ".join(f"{percent}%" for percent in range(1, sizes + 1))
    compare(
        Spot.parse(
            {
                "board": "KsTh7s4d2c",
                "pot": 1000,
                "stacks": 5000,
                "ranges": {"oop": "AA,QJs", "ip": "KK,T9s"},
                "bets": {"every": {"bet": every}},
            }
        ),
        iterations=2,
    )
