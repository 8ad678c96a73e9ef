"""Training against what is known exactly: push or fold, a short deck, three players."""

from __future__ import annotations

import threading
from itertools import pairwise

import numpy as np
import pytest

from overbet.blueprint import trainer as kernels_of
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.response import measure_response, sampled_deals
from overbet.blueprint.trainer import Trainer
from overbet.errors import ConfigError
from overbet.kernels.training.deal import Deals
from overbet.solvers.pushfold import PushFold, evaluate_pushfold, solve_pushfold
from tests.reference.short_deck import ShortDeck, all_deals, exploitability

CYCLE = 1326 * 1225
PUSH = {"preflop": {"sizes": "a", "raises": 1, "limp": False}}
SHORT = [card for card in range(52) if card >= 32 and card % 4 < 2]  # T to A in two suits


def config(players: int = 2, stack: float = 10, menu: object = PUSH, **solver: object) -> BlueprintConfig:
    values = {
        "game": {"players": players, "stack_bb": stack},
        "menu": menu,
        "cards": {"kind": "preflop"},
        "solver": {"discount_every": 100_000, "discounts": 1000, **solver},
    }
    return BlueprintConfig.parse(values)


def charts(trainer: Trainer, stack: float) -> tuple[np.ndarray, np.ndarray]:
    call = trainer.average(trainer.tree.find(f"b{round(stack * 100)}"))
    return trainer.average(0)[:, 1], call[:, 1]


def assert_same_chart(found: np.ndarray, exact: np.ndarray, gap_bb: np.ndarray) -> None:
    """Hands further than 0.005 bb from indifference are played the same way."""
    clear = np.abs(gap_bb) > 0.005
    assert clear.sum() > 150
    np.testing.assert_array_equal((found > 0.5)[clear], (exact > 0.5)[clear])


@pytest.mark.parametrize(
    ("stack", "numbers"),
    [
        (5, "float32"),
        (10, "float32"),
        (10, "int32"),
        (15, "int32"),
        pytest.param(15, "float32", marks=pytest.mark.slow),
        pytest.param(5, "int32", marks=pytest.mark.slow),
    ],
)
def test_push_or_fold_is_the_exact_solution(stack: int, numbers: str) -> None:
    trainer = Trainer(config(stack=stack, deals="cycled", numbers=numbers))
    assert trainer.table.dtype == numbers
    trainer.run(3 * CYCLE, workers=1)
    exact: PushFold = solve_pushfold(stack)
    push, call = charts(trainer, stack)
    found = evaluate_pushfold(exact.game, push, call)
    if stack == 10:
        assert exact.value_bb == pytest.approx(-0.0454, abs=5e-5)
    assert found.value_bb == pytest.approx(exact.value_bb, abs=0.0005)
    assert 0 <= found.exploitability_bb < 0.0005
    assert_same_chart(push, exact.push, exact.push_ev_bb - exact.fold_ev_bb[0])
    assert_same_chart(call, exact.call, exact.call_ev_bb - exact.fold_ev_bb[1])


@pytest.mark.parametrize(
    ("solver", "bound"),
    [
        ({"rule": "plain"}, 0.01),
        ({"rule": "dcfr"}, 0.01),
        ({"rule": "cfr+"}, 0.03),
        ({"rule": "linear", "mode": "deterministic", "batch": 100}, 0.01),
        ({"rule": "linear", "numbers": "int32"}, 0.01),
        ({"rule": "dcfr", "numbers": "int32", "mode": "deterministic", "batch": 100}, 0.01),
        ({"rule": "linear", "numbers": "int32", "pruned": 0.95, "threshold_bb": -2000}, 0.01),
        ({"rule": "linear", "method": "outcome"}, 0.01),
        ({"rule": "linear", "method": "outcome", "baseline": 0.0}, 0.01),
        ({"rule": "linear", "pruned": 0.95, "threshold_bb": -2000}, 0.01),
    ],
)
def test_every_rule_and_method_learns(solver: dict[str, object], bound: float) -> None:
    trainer = Trainer(config(discount_every=20_000, **solver))
    trainer.run(400_000, workers=1)
    exact = solve_pushfold(10)
    found = evaluate_pushfold(exact.game, *charts(trainer, 10))
    assert 0 <= found.exploitability_bb < bound


def test_more_training_is_less_exploitable_on_a_short_deck() -> None:
    """A whole game, four streets, judged by an exact best response within the abstraction."""
    cards = ShortDeck(SHORT)
    street = {"sizes": ["100%, a", "a"], "raises": 2}
    menu = {"preflop": {"sizes": ["2bb", "a"], "raises": 2}, "flop": street, "turn": street, "river": street}
    trainer = Trainer(config(stack=8, menu=menu, discount_every=10_000), cards)
    assert trainer.size.decisions == (6, 24, 48, 72)
    curve = []
    for iterations in (2_000, 20_000, 100_000, 400_000):
        trainer.run(iterations, workers=1)
        curve.append(exploitability(trainer, cards))
    assert all(later < 0.7 * earlier for earlier, later in pairwise(curve))
    assert 0 < curve[-1] < 0.06


def test_three_players_against_every_deal_of_a_short_deck() -> None:
    deck = [card for card in range(52) if card >= 40]  # Q, K, A
    cards = ShortDeck(deck, streets=False)
    trainer = Trainer(config(players=3, stack=8, discount_every=10_000), cards)
    rows = all_deals(deck, 3, False)
    curve = []
    for iterations in (1_000, 20_000, 400_000):
        trainer.run(iterations, workers=1)
        deals = Deals(
            rows,
            np.zeros((len(rows), 3, 4), np.int32),
            np.zeros((len(rows), 3), np.int32),
            np.zeros((len(rows), 3, 3), np.float32),
        )
        found = measure_response(trainer, [trainer.read(deals)])
        assert found.deals == 66 * 45 * 28 * 6
        assert min(found.gains_bb) > -1e-9
        assert sum(found.values_bb) == pytest.approx(0, abs=1e-6)
        curve.append(found.nash_conv_bb)
    assert curve[0] > 2 * curve[1] > 4 * curve[2]
    assert curve[-1] < 0.02


def test_three_handed_push_or_fold_with_all_cards() -> None:
    trainer = Trainer(config(players=3))
    trainer.run(20_000, workers=1)
    early = measure_response(trainer, sampled_deals(trainer, 200_000, seed=99))
    trainer.run(1_000_000, workers=1)
    late = measure_response(trainer, sampled_deals(trainer, 200_000, seed=99))
    assert early.nash_conv_bb > early.checked_gain_bb > 0.1
    assert late.checked_gain_bb < late.nash_conv_bb < 0.1
    assert late.checked_gain_bb < early.checked_gain_bb / 4


def test_the_measure_refuses_players_who_act_twice() -> None:
    menu = {"preflop": {"sizes": ["2bb", "a"], "raises": 2, "limp": False}}
    trainer = Trainer(config(menu=menu, stack=8), ShortDeck(SHORT))
    with pytest.raises(ConfigError, match="acts twice"):
        measure_response(trainer, [])


@pytest.mark.parametrize("numbers", ["float32", "int32"])
def test_deterministic_mode_has_the_same_bits_for_any_workers(numbers: str) -> None:
    tables = []
    for workers, pieces in ((1, 1), (2, 1), (3, 4)):
        solver = {"mode": "deterministic", "batch": 50, "discount_every": 1000, "numbers": numbers}
        trainer = Trainer(config(players=3, **solver))
        for piece in range(1, pieces + 1):
            trainer.run(4000 * piece // pieces, workers=workers)
        assert trainer.iterations == 4000
        tables.append(trainer.table.tobytes())
    assert tables[0] == tables[1] == tables[2]
    assert np.frombuffer(tables[0], numbers).any()


def test_fixed_point_tables_follow_floating_ones_at_first() -> None:
    whole, fixed = (Trainer(config(numbers=numbers)) for numbers in ("float32", "int32"))
    for trainer in (whole, fixed):
        trainer.run(2000, workers=1)
    np.testing.assert_allclose(fixed.table / 512, whole.table, atol=0.2)
    assert fixed.status().mean_positive_regret_bb == pytest.approx(
        whole.status().mean_positive_regret_bb, rel=0.02
    )
    with pytest.raises(ConfigError, match="int32 goes with method: external"):
        config(numbers="int32", method="outcome")


def test_one_worker_has_the_same_bits_however_it_is_split() -> None:
    once, twice = (Trainer(config(discount_every=700)) for _ in range(2))
    once.run(5000, workers=1)
    for iterations in (1, 699, 701, 3000, 5000):
        twice.run(iterations, workers=1)
    assert once.table.tobytes() == twice.table.tobytes()


@pytest.mark.parametrize("solver", [{}, {"mode": "deterministic", "batch": 50}])
def test_an_interrupted_run_goes_on_to_the_same_bits(solver: dict[str, object]) -> None:
    """Interrupts wherever they come, also where an epoch begins and its discount is still to be made."""
    once, often = (Trainer(config(discount_every=1000, **solver)) for _ in range(2))
    once.run(20_000, workers=1)
    while often.iterations < 20_000:
        asked = threading.Event()

        def report(done: int, asked: threading.Event = asked) -> None:
            if done % 1000 == 0:
                asked.set()

        before = often.iterations
        often.run(20_000, 1, report, asked)
        assert often.iterations > before
        assert not often.torn
    assert once.table.tobytes() == often.table.tobytes()


def test_threads_on_shared_tables_learn_as_well() -> None:
    trainer = Trainer(config(discount_every=20_000))
    trainer.run(400_000, workers=2)
    exact = solve_pushfold(10)
    assert evaluate_pushfold(exact.game, *charts(trainer, 10)).exploitability_bb < 0.01


def test_status_tells_how_far_it_is() -> None:
    trainer = Trainer(config())
    assert trainer.status()[:3] == (0, 0.0, 0.0)
    trainer.run(20_000, workers=1)
    status = trainer.status()
    assert status.iterations == 20_000
    assert status.touched > 0.99
    assert 0 < status.mean_positive_regret_bb < 1


def test_a_deck_too_small_for_the_table_is_refused() -> None:
    Trainer(config(3), ShortDeck(list(range(41, 52)), streets=False))
    with pytest.raises(ConfigError, match=r"a deck of 10 cards is too small for 3 players and a board"):
        Trainer(config(3), ShortDeck(list(range(42, 52)), streets=False))


@pytest.mark.parametrize(
    ("mode", "unused"), [("shared", ("walk_block", "merge")), ("deterministic", ("train_block",))]
)
def test_kernels_of_the_other_mode_are_not_compiled(
    mode: str, unused: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("not a kernel of this mode")

    for name in unused:
        monkeypatch.setattr(kernels_of, name, refuse)
    run = Trainer(config(mode=mode, batch=100))
    run.run(200, workers=1)
    assert run.iterations == 200
