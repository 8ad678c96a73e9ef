"""Best responses within the abstraction: exact against a plain one, sampled against exact."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.exact_response import exact_response, number_of_deals
from overbet.blueprint.keyed import KeyedTrainer
from overbet.blueprint.measure import measure, measured_tables
from overbet.blueprint.query import Blueprint
from overbet.blueprint.sampled_response import sampled_response
from overbet.blueprint.store import open_blueprint, save_blueprint, write_measured
from overbet.blueprint.trainer import Trainer
from overbet.errors import ConfigError, TooLargeError
from overbet.solvers.pushfold import evaluate_pushfold, solve_pushfold
from tests.reference.short_deck import ShortDeck, exploitability

SHORT = [card for card in range(52) if card >= 32 and card % 4 < 2]  # T to A in two suits
PUSH = {"preflop": {"sizes": "a", "raises": 1, "limp": False}}
STREET = {"sizes": ["100%, a", "a"], "raises": 2}
WHOLE = {"preflop": {"sizes": ["2bb", "a"], "raises": 2}, "flop": STREET, "turn": STREET, "river": STREET}


def config(players: int = 2, stack: float = 10, menu: object = PUSH, **solver: object) -> BlueprintConfig:
    values = {
        "game": {"players": players, "stack_bb": stack},
        "menu": menu,
        "cards": {"kind": "preflop"},
        "solver": {"discount_every": 10_000, **solver},
    }
    return BlueprintConfig.parse(values)


@pytest.fixture(scope="module")
def whole() -> Trainer:
    trainer = Trainer(config(stack=8, menu=WHOLE), ShortDeck(SHORT))
    trainer.run(20_000, workers=1)
    return trainer


def test_exact_is_the_plain_best_response(whole: Trainer) -> None:
    cards = whole.cards
    assert isinstance(cards, ShortDeck)
    found = measure(whole)
    assert found.kind == "exact"
    assert found.deals == number_of_deals(10) == 151_200
    assert found.nash_conv_bb / 2 == pytest.approx(exploitability(whole, cards), abs=1e-9)
    assert sum(found.values_bb) == pytest.approx(0, abs=1e-9)
    assert min(found.gains_bb) > 0.1


def test_exact_before_the_flop_is_the_chart_evaluator(tmp_path: Path) -> None:
    trainer = Trainer(config())
    trainer.run(50_000, workers=1)
    exact = solve_pushfold(10)
    push, call = trainer.average(0)[:, 1], trainer.average(trainer.tree.find("b1000"))[:, 1]
    known = evaluate_pushfold(exact.game, push, call)
    found = measure(trainer)
    assert found.kind == "exact"
    assert found.deals == 1326 * 1225
    assert found.values_bb[1] == pytest.approx(known.value_bb, abs=1e-6)
    assert found.nash_conv_bb / 2 == pytest.approx(known.exploitability_bb, abs=1e-6)
    path = save_blueprint(trainer, tmp_path / "push.h5")
    stored = measure(measured_tables(path))  # in 255ths
    assert stored.nash_conv_bb == pytest.approx(found.nash_conv_bb, abs=1e-3)


def test_a_learned_response_is_a_lower_bound_that_comes_near(whole: Trainer) -> None:
    exact = exact_response(whole)
    found = sampled_response(whole, iterations=300_000, deals=100_000, seed=5)
    for player in range(2):
        wide = found.gain_intervals_bb[player]
        assert 0 < wide < 0.05
        # three half widths: this seed is not chosen to please
        assert found.gains_bb[player] < exact.gains_bb[player] + 3 * wide
        assert found.gains_bb[player] > 0.7 * exact.gains_bb[player] - 3 * wide
        assert abs(found.values_bb[player] - exact.values_bb[player]) < 0.05
    again = sampled_response(whole, iterations=300_000, deals=100_000, seed=5)
    assert again == found
    short = sampled_response(whole, iterations=10_000, deals=100_000, seed=5, workers=2)
    assert short.nash_conv_bb < found.nash_conv_bb


def test_keyed_tables_are_measured_as_dense_ones_are(tmp_path: Path) -> None:
    """Push or fold, where both tell the same information sets apart: the same walks, the same figures."""
    keyed, tree = KeyedTrainer(config(3, tables="keyed", capacity=4000)), Trainer(config(3))
    for trainer in (keyed, tree):
        trainer.run(3000, workers=1)
    how = {"iterations": 20_000, "deals": 20_000, "seed": 5}
    found, known = sampled_response(keyed, **how), sampled_response(tree, **how)
    assert known.nash_conv_bb > 3 * known.nash_conv_interval_bb > 0
    for field, other in zip(found, known):
        np.testing.assert_allclose(field, other, atol=2e-5)
    assert measure(keyed, deals=2000, iterations=2000).kind == "sampled"
    path = save_blueprint(keyed, tmp_path / "keyed.h5")
    with pytest.raises(ConfigError, match="has keyed tables: measure the folder of its run"):
        measured_tables(path)


def test_learning_nothing_gains_nothing() -> None:
    """Against players who are all but perfect, a response that starts as their strategy stays near it."""
    trainer = Trainer(config(stack=10, deals="cycled", discount_every=100_000, discounts=100))
    trainer.run(1_000_000, workers=1)
    found = sampled_response(trainer, iterations=50_000, deals=50_000)
    assert abs(found.nash_conv_bb) < 0.02 + 3 * found.nash_conv_interval_bb


def test_three_players_who_act_twice_are_sampled() -> None:
    menu = {"preflop": {"sizes": ["2bb", "a"], "raises": 2, "limp": False}}
    trainer = Trainer(config(3, menu=menu), ShortDeck(range(40, 52)))
    trainer.run(2000, workers=1)
    ticks: list[str] = []
    found = measure(trainer, deals=20_000, iterations=20_000, progress=lambda what, *_: ticks.append(what))
    assert found.kind == "sampled"
    assert found.nash_conv_bb > 3 * found.nash_conv_interval_bb > 0
    assert found.least_nash_conv_bb == found.nash_conv_bb - found.nash_conv_interval_bb
    assert found._replace(nash_conv_bb=-1.0).least_nash_conv_bb == 0.0
    assert sum(found.values_bb) == pytest.approx(0, abs=0.1)
    assert {"SB learns", "BTN is judged"} <= set(ticks)
    pushes = Trainer(config(3))
    pushes.run(2000, workers=1)
    assert measure(pushes, deals=5000).kind == "one decision"


def test_results_go_into_the_manifest(whole: Trainer, tmp_path: Path) -> None:
    path = save_blueprint(whole, tmp_path / "whole.h5", {"lbr_mbb": 3.0})
    found = measure(whole)
    write_measured(path, found.facts())
    with open_blueprint(path) as file:
        measured = file.head["manifest"]["measured"]
    assert measured["lbr_mbb"] == 3.0
    assert measured["best_response_in_the_abstraction"]["nash_conv_bb"] == found.nash_conv_bb
    assert measured["best_response_in_the_abstraction"]["kind"] == "exact"
    again = Blueprint.load(path, whole.cards)
    line = whole.tree.line(int(np.flatnonzero(whole.tree.nodes.player >= 0)[3]))
    np.testing.assert_allclose(
        np.nan_to_num(again.strategy_by_bucket(line)),
        np.nan_to_num(whole.average(whole.tree.find(line))),
        atol=1 / 255,
    )


def test_what_cannot_be_measured() -> None:
    with pytest.raises(TooLargeError, match="too many to be listed; use sampled_response"):
        exact_response(Trainer(config(3)))
    with pytest.raises(ConfigError, match="at least two deals"):
        sampled_response(Trainer(config()), deals=1)
