"""Spots as users write them: what is read, what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from overbet.betting.sizes import Size, Thresholds
from overbet.cards.range import Range
from overbet.errors import ConfigError
from overbet.tree.betting import build_tree
from overbet.tree.spot import IP, MOST_CHIPS, MOST_SHARE, OOP, MenuConfig, Spot

PLAIN: dict[str, Any] = {
    "board": "KsTh7s4d2c",
    "pot": 100,
    "stacks": 500,
    "ranges": {"oop": "AA,KQs", "ip": "QQ"},
    "bets": {"every": {"bet": "75%", "raise": "60%"}},
}


def spot(**changes: Any) -> Spot:
    return Spot.parse(PLAIN | changes, "spot")


@pytest.mark.parametrize(
    ("board", "street"), [("KsTh7s", 0), ("Ks Th 7s 4d", 1), ("Ks,Th,7s,4d,2c", 2), ([47, 34, 23], 0)]
)
def test_boards(board: Any, street: int) -> None:
    found = spot(board=board)
    assert found.first_street == street
    assert len(found.cards) == 3 + street


def test_stacks() -> None:
    assert spot().effective_stack == 500
    assert spot(stacks=[300, 200]).effective_stack == 200


def test_ranges_may_be_objects() -> None:
    wanted = Range.parse("AA:0.25,AsKs:0.1")
    found = spot(ranges={"oop": wanted, "ip": "QQ"})
    assert found.range_of(OOP) == wanted
    assert found.range_of(IP) == Range.parse("QQ")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"board": "KsTh"}, "3, 4 or 5 cards"),
        ({"board": "KsThKs"}, "twice"),
        ({"board": "KsThXx"}, "not a card"),
        ({"pot": 0}, "pot"),
        ({"pot": -5}, "pot"),
        ({"stacks": 0}, "positive"),
        ({"stacks": [100, -1]}, "positive"),
        ({"ranges": {"oop": "AA,XX", "ip": "QQ"}}, "ranges.oop"),
        ({"ranges": {"oop": "AA"}}, "ranges.ip"),
        ({"bets": {"every": {"bet": "7"}}}, "7"),
        ({"bets": {"every": {"bet": "2x"}}}, "needs a bet to raise"),
        ({"bets": {"river": {"oop": {"raise": "1x"}}}}, "above 1x"),
        ({"rake": {"share": 1.0}}, "rake.share"),
        ({"rake": {"share": 0.05, "cap": -1}}, "rake.cap"),
        ({"thresholds": {"merge": -0.1}}, "thresholds.merge"),
        ({"min_bet": 0}, "min_bet"),
    ],
)
def test_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words) as caught:
        spot(**changes)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "wrong", "near"),
    [
        ({"stack": 500}, "stack", "stacks"),
        ({"bets": {"evry": {"bet": "75%"}}}, "bets.evry", "every"),
        ({"bets": {"every": {"bets": "75%"}}}, "bets.every.bets", "bet"),
        ({"rake": {"shre": 0.1}}, "rake.shre", "share"),
    ],
)
def test_unknown_keys_are_named_with_the_nearest(changes: dict[str, Any], wrong: str, near: str) -> None:
    with pytest.raises(ConfigError, match=f"unknown key '{wrong}'.*did you mean '{near}'"):
        spot(**changes)


def test_the_closest_menu_wins() -> None:
    found = spot(
        bets={
            "every": {"bet": "10%"},
            "turn": {"bet": "20%", "raise": "2x", "donk": "25%"},
            "river": {"oop": {"bet": "30%", "donk": "35%"}, "ip": {"bet": "40%", "raise": ["2x", "3x"]}},
        }
    ).bets
    assert found.menu(0, OOP).bet == found.menu(0, IP).bet == "10%"
    assert found.menu(1, OOP).donk == "25%"
    assert found.menu(1, IP).donk is None  # only the player out of position can donk
    assert found.menu(2, OOP) == MenuConfig.model_validate({"bet": "30%", "donk": "35%"})
    assert found.menu(2, IP).raise_levels == ("2x", "3x")
    assert spot(bets={"river": {"bet": "5%"}}).bets.menu(0, OOP) == MenuConfig()


def test_raises_by_level() -> None:
    menu = MenuConfig.model_validate({"raise": ["2x", "50%, a"]})
    assert menu.raises(0) == (Size("x", 2.0),)
    assert menu.raises(1) == menu.raises(7) == (Size("%", 0.5), Size("a", 0.0))
    assert MenuConfig.model_validate({"raise": "60%"}).raises(4) == (Size("%", 0.6),)
    assert MenuConfig().raises(0) == ()


def test_lists_stand_for_commas() -> None:
    assert spot(bets={"every": {"bet": ["33%", "75%"]}}).bets.menu(2, OOP).bet == "33%, 75%"


def test_rake() -> None:
    assert spot().rake.of(1000) == 0
    assert spot(rake={"share": 0.05}).rake.of(1000) == 50
    assert spot(rake={"share": 0.05, "cap": 30}).rake.of(1000) == 30
    assert spot(rake={"share": 0.05, "cap": 30}).rake.of(100) == 5
    assert spot(thresholds={"merge": 0.1}).thresholds.value() == Thresholds(0, 0, 0.1)


def test_read_from_yaml(tmp_path: Path) -> None:
    path = tmp_path / "spot.yaml"
    path.write_text(
        "board: KsTh7s4d2c\npot: 100\nstacks: 500\nranges: {oop: 'AA,KQs', ip: QQ}\n"
        "bets: {every: {bet: 75%, raise: 60%}}\n",
        encoding="utf-8",
    )
    assert Spot.load(path) == spot()
    assert Spot.load(path).digest() == spot().digest()
    assert Spot.load(path, ["pot=120"]).pot == 120
    assert Spot.load(path, ["pot=120"]).digest() != spot().digest()


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"pot": MOST_CHIPS + 1}, "pot"),
        ({"stacks": MOST_CHIPS + 1}, "stacks"),
        ({"stacks": [500, 2**31]}, "stacks"),
        ({"stacks": 2**80}, "stacks"),
        ({"min_bet": 2**31}, "min_bet"),
        ({"big_blind": 2**31}, "big_blind"),
        ({"rake": {"share": 0.05, "cap": 1e300}}, "rake.cap"),
        ({"rake": {"share": 0.05, "cap": float("inf")}}, "rake.cap"),
    ],
)
def test_more_chips_than_trees_can_count_are_refused(changes: dict[str, Any], where: str) -> None:
    with pytest.raises(ConfigError, match=rf"{where}.* more than 1,000,000,000; count in a larger unit$"):
        spot(**changes)


def test_the_most_chips_there_can_be() -> None:
    tree = build_tree(spot(pot=MOST_CHIPS, stacks=MOST_CHIPS, min_bet=MOST_CHIPS))
    assert tree.put.max() == MOST_CHIPS
    assert tree.edge.max() == MOST_CHIPS


@pytest.mark.parametrize("name", ["add_all_in", "force_all_in", "merge"])
@pytest.mark.parametrize("value", [float("inf"), float("nan"), 1e300])
def test_thresholds_are_numbers_that_a_pot_can_be_multiplied_by(name: str, value: float) -> None:
    with pytest.raises(ConfigError, match=f"thresholds.{name}"):
        spot(thresholds={name: value})
    build_tree(spot(pot=MOST_CHIPS, stacks=MOST_CHIPS, thresholds={name: MOST_SHARE}))


@pytest.mark.parametrize("board", [5, 5.0, None, True, {"a": 1}])
def test_a_board_that_is_no_cards(board: Any) -> None:
    with pytest.raises(ConfigError, match=r"board: write 3, 4 or 5 cards, such as Td9d6h, not "):
        spot(board=board)
