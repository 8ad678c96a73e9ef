"""What the GPU's packed operations have room for, and what is refused before anything is sent there."""

from __future__ import annotations

import pytest

from overbet.cuda.lines import OP
from overbet.errors import TooLargeError
from overbet.solvers.vector.gpu import layout as gpu_layout
from overbet.solvers.vector.gpu.layout import plans_of
from overbet.solvers.vector.layout import Layout, layout_of
from overbet.tree.public import PublicTree, public_tree
from overbet.tree.spot import Spot


def laid_out(board: str, bet: str) -> tuple[PublicTree, Layout]:
    values = {
        "board": board,
        "pot": 1000,
        "stacks": 5000,
        "ranges": {"oop": "AA,QJs", "ip": "KK,QJs"},
        "bets": {"every": {"bet": bet}},
    }
    tree = public_tree(Spot.parse(values))
    return tree, layout_of(tree, ragged=False)


def sizes(count: int) -> str:
    return ", ".join(f"{percent}%" for percent in range(1, count + 1))


def test_the_most_actions_of_a_decision() -> None:
    tree, layout = laid_out("KsTh7s4d2c", sizes(126))
    widest = int(tree.betting.num_children.max())
    assert widest == 127
    for plan in plans_of(tree, layout, threads=32):
        kinds = plan.program.ops.reshape(-1, OP)[:, 0]
        assert (kinds >> 1).max() == widest


def test_more_actions_are_refused() -> None:
    tree, layout = laid_out("KsTh7s4d2c", sizes(127))
    words = r"a decision has 128 actions and a GPU takes 127; use fewer bet sizes, or device: cpu"
    with pytest.raises(TooLargeError, match=words):
        plans_of(tree, layout, threads=32)


@pytest.mark.parametrize(
    ("bound", "words"),
    [
        ("_MOST_ROWS", "the betting tree is too large for a GPU; use fewer bet sizes, or device: cpu"),
        ("_MOST_CHAINED", "the betting tree is too large for a GPU; use fewer bet sizes, or device: cpu"),
        ("_MOST_GROUPS", r"a street has \d+ groups of lines and a GPU takes 3; use fewer bet sizes"),
    ],
)
def test_trees_too_large_for_the_packed_numbers_are_refused(
    monkeypatch: pytest.MonkeyPatch, bound: str, words: str
) -> None:
    tree, layout = laid_out("KsTh7s4d", sizes(6))
    plans_of(tree, layout, threads=32)
    monkeypatch.setattr(gpu_layout, bound, 3)
    with pytest.raises(TooLargeError, match=words):
        plans_of(tree, layout, threads=32)
