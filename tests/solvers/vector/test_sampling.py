"""Boards drawn in every iteration: what is drawn, that values are right on average, and where it leads."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from overbet.errors import ConfigError
from overbet.solvers.rules import make_rule
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.sampling import BoardBuckets, BoardSampling, drawn
from overbet.tree.betting import DepthLimit
from overbet.tree.public import PublicTree, public_tree
from overbet.tree.spot import IP, OOP, Spot
from tests.solvers.vector.spots import FLOP
from tests.solvers.vector.test_engine import SPOTS

Ints = npt.NDArray[np.int64]
STILL = np.array([[1, 1, 0, -np.inf, 1, 0, 1, 0]], np.float32)  # a step by which nothing is learnt


def lossless(tree: PublicTree) -> BoardBuckets:
    """Every hand on every board that the tree keeps is a bucket of its own."""
    held = np.union1d(*(hands.combos for hands in tree.hands))
    place = np.zeros(1326, np.int64)
    place[held] = np.arange(len(held))
    first = tree.spot.first_street
    numbers = {
        tuple(cards): number for boards in tree.boards for number, cards in enumerate(boards.cards.tolist())
    }
    counts = {street: tree.board_count(street) * len(held) for street in range(first + 1, 3)}
    return BoardBuckets(lambda board: numbers[board] * len(held) + place, counts)


def coarse(count: int) -> BoardBuckets:
    """Some buckets, the same on every board."""
    return BoardBuckets(lambda board: np.arange(1326) % count, {1: count, 2: count})


@pytest.mark.parametrize("isomorphism", [True, False])
@pytest.mark.parametrize("name", ["turn", "flop"])
def test_what_is_drawn(name: str, isomorphism: bool) -> None:
    """Real boards are drawn equally often, and never twice in an iteration."""
    spot = SPOTS[name] if name == "turn" else FLOP
    tree = public_tree(Spot.parse({**spot, "isomorphism": isomorphism}))
    draws = drawn(tree, BoardSampling(5, 3, seed=9), 1, 4000)
    assert draws.river.shape == (4000, 5 if name == "flop" else 1, 3)
    for street, boards, factors in ((1, draws.turn, draws.turn_factor), (2, draws.river, draws.river_factor)):
        kept = tree.street_boards(street)
        assert kept is not None
        copies = np.diff(kept.mirror_start)
        real = 1 if street == 1 and name == "turn" else 50 - street
        np.testing.assert_allclose((factors * copies[boards]).sum(-1), real)
        if street == 2 and name == "flop":
            continue
        mean = np.bincount(boards.ravel(), factors.ravel(), kept.size) / 4000
        spread = np.sqrt(real / boards[0].size / copies / 4000)  # of a share that is 1 on average
        assert (np.abs(mean - 1) <= 5 * spread).all()
    again = drawn(tree, BoardSampling(5, 3, seed=9), 1001, 7)
    assert np.array_equal(again.river, draws.river[1000:1007])
    assert not np.array_equal(again.river, drawn(tree, BoardSampling(5, 3, seed=8), 1001, 7).river)


def root_values(engine: VectorEngine, player: int, iteration: int) -> npt.NDArray[np.float64]:
    """Return a player's root values in one iteration that teaches nobody anything."""
    engine._runner.run(engine.stores(), [player], STILL, None, iteration)
    return engine._runner.root_values(player).astype(np.float64)


def engines(name: str, sampling: BoardSampling, count: int) -> tuple[VectorEngine, VectorEngine]:
    """Return an engine that plays all boards and one that draws some, with the same tables."""
    spot = SPOTS["turn"] if name == "turn" else FLOP
    tree = public_tree(Spot.parse(spot))
    buckets = coarse(count)
    if name == "turn":
        buckets = buckets._replace(counts={2: count})
    whole = VectorEngine(tree, make_rule("dcfr"), buckets=buckets)
    whole.run(5)
    some = VectorEngine(tree, make_rule("dcfr"), buckets=buckets, sampling=sampling)
    some.restore(5, whole.regret, whole.average)
    return whole, some


@pytest.mark.parametrize("name", ["turn", "flop"])
def test_all_boards_drawn_are_all_boards(name: str) -> None:
    whole, some = engines(name, BoardSampling(49, 48), 7)
    for player in (OOP, IP):
        values = [root_values(engine, player, 6) for engine in (whole, some)]
        assert np.abs(values[0] - values[1]).max() <= 1e-5 * np.abs(values[0]).max()
    for engine in (whole, some):
        engine.run(1)
    for player in (OOP, IP):
        for kind in ("regret", "average"):
            one, two = (getattr(engine, kind)[player] for engine in (whole, some))
            assert np.abs(one - two).max() <= 1e-5 * np.abs(one).max()


@pytest.mark.parametrize("name", ["turn", "flop"])
def test_values_are_right_on_average(name: str) -> None:
    whole, some = engines(name, BoardSampling(4, 2, seed=3), 7)
    for player in (OOP, IP):
        exact = root_values(whole, player, 0)
        found = np.stack([root_values(some, player, iteration) for iteration in range(600)])
        error = found.std(0) / np.sqrt(len(found))
        assert (np.abs(found.mean(0) - exact) <= 4 * error + 1e-5 * np.abs(exact).max()).all()
        assert error.max() < 0.1 * np.abs(exact).max()


@pytest.mark.parametrize("name", ["turn", "flop"])
def test_the_same_bits_however_it_is_run(name: str) -> None:
    """On three threads, in single iterations, with orders made as boards are drawn."""
    spot = Spot.parse(SPOTS["turn"] if name == "turn" else FLOP)
    buckets = coarse(5) if name == "flop" else coarse(5)._replace(counts={2: 5})

    def engine(threads: int = 1, *, orders: bool = True) -> VectorEngine:
        tree = public_tree(spot, orders=orders)
        return VectorEngine(
            tree, make_rule("dcfr"), threads, buckets=buckets, sampling=BoardSampling(3, 2, seed=1)
        )

    one, others = engine(), [engine(3), engine(orders=False)]
    one.run(20)
    for other in others:
        for _ in range(10):
            other.run(2)
        for player in (OOP, IP):
            assert one.regret[player].any()
            assert np.array_equal(one.regret[player], other.regret[player])
            assert np.array_equal(one.average[player], other.average[player])


def test_drawn_boards_lead_where_all_boards_do() -> None:
    """With a bucket for each hand of each board nothing is lost: the judge sees a small flop solved."""
    tree = public_tree(Spot.parse(FLOP))
    engine = VectorEngine(
        tree, make_rule("dcfr"), buckets=lossless(tree), sampling=BoardSampling(6, 12, seed=2)
    )
    engine.run(30)
    early = engine.exploitability()
    engine.run(270)
    assert 0 <= engine.exploitability() < 0.02 * tree.spot.pot
    assert engine.exploitability() < early / 3


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda tree: {"buckets": None}, "give buckets"),
        (lambda tree: {"buckets": BoardBuckets(lambda board: np.zeros(1326, int), {1: 4})}, "give buckets"),
        (lambda tree: {"sampling": BoardSampling(0, 1)}, "at least one turn card"),
        (lambda tree: {"sampling": None}, "takes a tree without orders"),
        (lambda tree: {"tree": public_tree(tree.spot, DepthLimit(1))}, "needs leaves"),
    ],
)
def test_what_drawing_needs(change: Callable[[PublicTree], dict[str, object]], why: str) -> None:
    tree = public_tree(Spot.parse(FLOP), orders=False)
    given = {"tree": tree, "buckets": coarse(4), "sampling": BoardSampling(), **change(tree)}
    with pytest.raises(ConfigError, match=why):
        VectorEngine(rule=make_rule("dcfr"), **given)  # type: ignore[arg-type]


def test_buckets_beyond_their_count_are_refused() -> None:
    tree = public_tree(Spot.parse(FLOP), orders=False)
    wrong = BoardBuckets(lambda board: np.arange(1326), {1: 4, 2: 4})
    with pytest.raises(ConfigError, match="below 4 on street 1"):
        VectorEngine(tree, make_rule("dcfr"), buckets=wrong, sampling=BoardSampling()).run(1)
    with pytest.raises(ConfigError, match="needs the orders"):
        VectorEngine(tree, make_rule("dcfr"), buckets=coarse(4), sampling=BoardSampling()).exploitability()
