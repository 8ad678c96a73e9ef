"""Samples of traversals: their means are counterfactual regrets, whatever the baseline and the threads."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from overbet.games.registry import make_game
from overbet.kernels.deep.samples import add_to_average
from overbet.solvers.deep.memory import Seen
from overbet.solvers.deep.traversal import Found, Walkers
from overbet.tree.flat import FlatGame, flatten
from tests.reference.counterfactual import counterfactual_regrets, history_values, own_reach

Floats = npt.NDArray[np.float64]
WALKS = 40_000


@pytest.fixture(scope="module")
def leduc() -> FlatGame:
    return flatten(make_game("leduc-one-bet"))


def some_strategy(flat: FlatGame, seed: int = 5) -> Floats:
    return flat.normalise(np.random.default_rng(seed).random(flat.num_slots) ** 2 + 0.02)


def summed(flat: FlatGame, seen: Seen, by: Floats | None = None) -> tuple[Floats, Floats]:
    """Return sums and sums of squares of weight * number, by slot."""
    sums, squares = np.zeros(flat.num_slots), np.zeros(flat.num_slots)
    counts = np.diff(flat.tree.infoset_offset)[flat.tree.slot_infoset[seen.row]]
    for a in range(seen.numbers.shape[1]):
        here = counts > a
        amount = (seen.scale * seen.numbers[:, a]).astype(np.float64)[here]
        np.add.at(sums, seen.row[here] + a, amount)
        np.add.at(squares, seen.row[here] + a, amount**2)
    return sums, squares


def found_by(flat: FlatGame, strategy: Floats, player: int, baseline: Floats | None, outcome: bool) -> Found:
    walkers = Walkers(flat, outcome, 1)
    baselines = None if not outcome else (np.zeros(flat.num_nodes) if baseline is None else baseline)[None]
    return walkers.walk(strategy[None], baselines, [3], (1, player, WALKS, 0.6))[0]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("kind", ["external", "outcome", "outcome, baseline"])
def test_means_are_counterfactual_regrets(leduc: FlatGame, player: int, kind: str) -> None:
    strategy = some_strategy(leduc)
    guess = np.random.default_rng(1).normal(size=leduc.num_nodes) if "baseline" in kind else None
    found = found_by(leduc, strategy, player, guess, "outcome" in kind)
    sums, squares = summed(leduc, found.regrets)
    exact = np.array(counterfactual_regrets(leduc, strategy.tolist(), player))
    mean = sums / WALKS
    error = np.sqrt(np.maximum(squares / WALKS - mean**2, 0.0) / WALKS)
    own = leduc.tree.infoset_player[leduc.tree.slot_infoset] == player
    assert not mean[~own].any()
    # a set that is met a few times in all has an error that its own samples do not show
    often = own & (np.bincount(found.regrets.row, minlength=leduc.num_slots)[_first(leduc)] >= 50)
    assert often.sum() > own.sum() / 2
    assert (np.abs(mean - exact)[often] <= 5.5 * error[often] + 1e-6).all()


def _first(flat: FlatGame) -> npt.NDArray[np.int64]:
    return flat.tree.infoset_offset[flat.tree.slot_infoset].astype(np.int64)


@pytest.mark.parametrize("outcome", [False, True])
def test_plays_are_met_as_often_as_their_owner_plays_there(leduc: FlatGame, outcome: bool) -> None:
    strategy = some_strategy(leduc)
    found = found_by(leduc, strategy, 0, None, outcome)
    weights = np.bincount(found.plays.row, found.plays.scale, leduc.num_slots) / WALKS
    owners = leduc.tree.infoset_player[leduc.tree.slot_infoset[found.plays.row]]
    assert (owners == 1).all()
    # the first decisions of player 1: the cards fall evenly, and player 0's bets and checks count once each
    reach = own_reach(leduc, strategy)
    above = leduc.tree.infoset_parent
    first = [s for s in range(leduc.num_infosets) if leduc.tree.infoset_player[s] == 1 and above[s] < 0]
    for infoset in first:
        slot = int(leduc.tree.infoset_offset[infoset])
        assert weights[slot] == pytest.approx(1 / 6, rel=0.12)
        assert reach[leduc.slots(infoset)].sum() == pytest.approx(1.0)


def test_a_true_baseline_takes_the_luck_out(leduc: FlatGame) -> None:
    strategy = some_strategy(leduc)
    true = np.array(history_values(leduc, strategy.tolist(), 0))
    _, without = summed(leduc, found_by(leduc, strategy, 0, None, True).regrets)
    _, with_it = summed(leduc, found_by(leduc, strategy, 0, true, True).regrets)
    assert with_it.sum() < 0.5 * without.sum()


def test_edges_are_the_decisions_of_the_lines(leduc: FlatGame) -> None:
    found = found_by(leduc, some_strategy(leduc), 0, None, True)
    parents = leduc.tree.parent[found.edges]
    assert (leduc.tree.player[parents] >= 0).all()
    ends = leduc.tree.terminal[found.edges] >= 0
    assert ends.sum() == WALKS  # every line ends once
    paid = leduc.tree.returns[leduc.tree.terminal[found.edges[ends]], 0]
    assert found.edge_values[ends] == pytest.approx(paid)


@pytest.mark.parametrize("outcome", [False, True])
def test_threads_change_nothing(leduc: FlatGame, outcome: bool) -> None:
    strategies = np.stack([some_strategy(leduc, seed) for seed in (1, 2)])
    baselines = np.zeros((2, leduc.num_nodes)) if outcome else None
    what = (7, 1, 3_500, 0.3)
    one, four = (Walkers(leduc, outcome, n).walk(strategies, baselines, [8, 9], what) for n in (1, 4))
    for here, there in zip(one, four):
        assert (here.regrets.row == there.regrets.row).all()
        assert (here.regrets.numbers == there.regrets.numbers).all()
        assert (here.plays.scale == there.plays.scale).all()
    assert len(one[0].regrets.row) != len(one[1].regrets.row)  # seeds have their own


def test_the_kept_average_is_that_of_reach(leduc: FlatGame) -> None:
    average, work = np.zeros(leduc.num_slots), np.empty(leduc.num_slots)
    one, two = some_strategy(leduc, 1), some_strategy(leduc, 2)
    add_to_average(leduc.tree, one, average, work, 0.0, 1.0)
    add_to_average(leduc.tree, two, average, work, 0.5, 3.0)
    assert average == pytest.approx(0.5 * own_reach(leduc, one) + 3.0 * own_reach(leduc, two))
