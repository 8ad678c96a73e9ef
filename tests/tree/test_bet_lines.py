"""Trees given line by line: the same trees as menus grow, and lines that cannot be played."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import overbet
from overbet.errors import OverbetError
from overbet.tree.bet_lines import Line, check_bet_line, lines_after, read_bet_line, without_line
from overbet.tree.betting import CALL_EDGE, CHANCE, FOLD_EDGE, BettingTree, build_tree
from overbet.tree.spot import IP, OOP, Spot

BASE: dict[str, Any] = {
    "board": "KsTh7s",
    "pot": 100,
    "stacks": 500,
    "ranges": {"oop": "AA,KK,QJs", "ip": "TT,AKs,76s"},
}
MENUS = (
    {"bet": "50%, 100%", "raise": "60%, a", "donk": "33%"},
    {"bet": "a"},
    {"bet": "30c, 200c", "raise": "2.5x"},
)


def bet_lines(tree: BettingTree) -> list[Line]:
    """Return the lines that end in a bet, each once, those within others left out."""
    found = []
    for node in np.flatnonzero(tree.edge > 0).tolist():
        line, at = list[int](), node
        while at:
            above = int(tree.parent[at])
            if tree.kind[above] != CHANCE:
                line.append(int(tree.put[at, tree.kind[above]]))
            at = above
        found.append(tuple(reversed(line)))
    found.sort()
    return [one for one, after in zip(found, [*found[1:], ()]) if after[: len(one)] != one]


@pytest.mark.parametrize("menu", MENUS, ids=("many", "push", "chips"))
@pytest.mark.parametrize("board", ["KsTh7s", "KsTh7s4d", "KsTh7s4d2c"])
def test_the_lines_of_a_tree_grow_the_same_tree(menu: dict[str, str], board: str) -> None:
    grown = build_tree(Spot.parse(BASE | {"board": board, "bets": {"every": menu}}))
    lines = [" ".join(map(str, line)) for line in bet_lines(grown)]
    random.Random(1).shuffle(lines)
    again = build_tree(Spot.parse(BASE | {"board": board, "lines": lines}))
    for name, ours, theirs in zip(grown._fields, again, grown, strict=True):
        np.testing.assert_array_equal(ours, theirs, err_msg=name)


def test_what_is_there_without_being_named() -> None:
    tree = build_tree(Spot.parse(BASE | {"board": "KsTh7s4d2c", "lines": ["0 20 60"]}))
    by_edge = {node: tree.edge[list(tree.children(node))].tolist() for node in range(tree.size)}
    assert by_edge[0] == [CALL_EDGE]
    [check] = tree.children(0)
    assert by_edge[check] == [CALL_EDGE, 20]
    bet = tree.children(check)[1]
    assert by_edge[bet] == [FOLD_EDGE, CALL_EDGE, 60]
    assert by_edge[tree.children(bet)[2]] == [FOLD_EDGE, CALL_EDGE]
    assert tree.kind[0] == OOP
    assert tree.kind[check] == IP


def test_a_tree_without_a_bet_is_one() -> None:
    assert set(build_tree(Spot.parse(BASE | {"lines": [[0, 0]]})).edge.tolist()) == {CALL_EDGE}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("75 50", "number 2, 50"),
        ("501", "number 1, 501"),
        ("75 75 75 75 75 75 75", "nobody is to act"),
        ("500 500 500", "nobody is to act"),
        ("-5", "not a whole number"),
        ("1.5", "not a whole number"),
        ("", "no line of bets"),
        ([True], "not a whole number"),
        (["5", None], "not a whole number"),
        ({"a": 1}, "no line of bets"),
        ("1 " * 200, "no line of bets"),
        (7, "no line of bets"),
    ],
)
def test_lines_that_cannot_be_played(line: Any, said: str) -> None:
    with pytest.raises(OverbetError, match=said):
        Spot.parse(BASE | {"board": "KsTh7s4d", "lines": [line]})
    with pytest.raises(OverbetError):
        Spot.parse(BASE | {"lines": line if isinstance(line, str) else "x"})


def test_lines_or_bets_and_not_both() -> None:
    with pytest.raises(OverbetError, match="not by both"):
        Spot.parse(BASE | {"lines": ["0 20"], "bets": {"every": {"bet": "50%"}}})


def test_digests_of_spots_without_lines_are_what_they_were() -> None:
    plain = BASE | {"bets": {"every": {"bet": "50%"}}}
    assert Spot.parse(plain).digest() == Spot.parse(plain | {"lines": []}).digest()
    digests = {Spot.parse(BASE | {"lines": [line]}).digest() for line in ("0 20", "0 30", "20")}
    assert len(digests) == 3


def test_lines_are_taken_away() -> None:
    lines = tuple(map(read_bet_line, ("24 59 122", "24 80", "0 30")))
    assert without_line(lines, (24, 59)) == ((24,), (24, 80), (0, 30))
    assert without_line(lines, (0,)) == ((24, 59, 122), (24, 80))
    assert lines_after(lines, (24, 59, 59), 59) == ((0,),)
    check_bet_line((24, 24, 50), 100, 2)
    assert lines_after([(24, 24, 50), (24, 24, 24, 60)], (24, 24), 24) == ((0, 36), (26,))


def test_streets_that_were_not_saved_have_their_lines(tmp_path: Path) -> None:
    spot = BASE | {
        "board": "KsTh7s4d",
        "lines": ["50 50 200", "0 0 100", "0 50 50 0 90".replace(" 0 90", " 50 150")],
    }
    solution = overbet.solve(spot, iterations=40, target=0.0, threads=1)
    solution.save(tmp_path / "turn.h5", streets=1)
    kept = overbet.load(tmp_path / "turn.h5")
    for line in ("r:0:b50:c:2c", "r:0:c:c:2c", "r:0:c:b50:c:2c:c"):
        whole, again = solution.node(line), kept.node(line)
        assert [action.token for action in again.actions] == [action.token for action in whole.actions]
        assert any(action.token.startswith("b") for action in again.actions)
