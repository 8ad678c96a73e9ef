"""Keyed tables: the same strategies as dense ones, the same bits after a stop, and clear errors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from overbet.abstraction.bucket_config import BucketsConfig
from overbet.abstraction.buckets import Buckets
from overbet.blueprint import store
from overbet.blueprint.cards import BucketedCards
from overbet.blueprint.checkpoint import checkpoints, resume, save_checkpoint, start_run
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.keyed import KeyedTrainer, chip_edges
from overbet.blueprint.keyed_query import KeyedBlueprint
from overbet.blueprint.query import Blueprint
from overbet.blueprint.run import Run, make_trainer
from overbet.blueprint.store import save_blueprint
from overbet.blueprint.trainer import Trainer
from overbet.cards.combos import class_index, combo
from overbet.errors import ArtefactError, CardError, ConfigError, IllegalActionError, TooLargeError
from overbet.games.holdem import HoldemGame
from overbet.solvers.pushfold import evaluate_pushfold, solve_pushfold
from tests.reference.short_deck import ShortDeck, exploitability

PUSH = {"preflop": {"sizes": "a", "raises": 1, "limp": False}}
SHORT = [card for card in range(52) if card >= 32 and card % 4 < 2]  # T to A in two suits
STREET = {"sizes": ["100%", "a"], "raises": 2}
WHOLE = {"preflop": {"sizes": ["2bb", "a"], "raises": 2}, "flop": STREET, "turn": STREET, "river": STREET}


def config(players: int = 3, menu: object = PUSH, stack: float = 10, **solver: object) -> BlueprintConfig:
    return BlueprintConfig.parse(
        {
            "game": {"players": players, "stack_bb": stack},
            "menu": menu,
            "cards": {"kind": "preflop"},
            "solver": {"tables": "keyed", "capacity": 4000, "discount_every": 1000, **solver},
            "iterations": 6000,
        }
    )


def dense(keyed: BlueprintConfig) -> BlueprintConfig:
    return keyed.model_copy(update={"solver": keyed.solver.model_copy(update={"tables": "dense"})})


@pytest.fixture(scope="module")
def buckets() -> Buckets:
    """Any tables do for what is tested here."""
    rng = np.random.default_rng(11)
    flop = rng.integers(0, 3, 1_286_792).astype(np.uint16)
    turn = rng.integers(0, 3, 13_960_050).astype(np.uint16)
    rule = (np.arange(1981) * 3 // 1981).astype(np.uint16)
    return Buckets(BucketsConfig(flop=3, turn=3, river=3, feature="strength"), flop, turn, rule)


def rows_of(trainer: KeyedTrainer) -> np.ndarray:
    """Return the rows in use: [row, action, 2]."""
    found: np.ndarray = trainer.table.reshape(-1, trainer.shape.width, 2)[trainer.rows.keys != 0]
    return found


@pytest.mark.parametrize("numbers", ["float32", "int32"])
@pytest.mark.parametrize(
    ("players", "mode"), [(2, "shared"), (3, "shared"), (6, "shared"), (3, "deterministic")]
)
def test_the_same_information_sets_get_the_same_bits(players: int, mode: str, numbers: str) -> None:
    """Push or fold, where pot and price tell every line apart."""
    asked = config(players, numbers=numbers, mode=mode, batch=100, average_lines=2, capacity=9000)
    keyed, tree = KeyedTrainer(asked), Trainer(dense(asked))
    keyed.run(6000, workers=1)
    tree.run(6000, workers=1)
    expected = tree.table.reshape(-1, 2, 2)  # [row, action, number]: fold or push everywhere
    expected, found = expected[expected.any((1, 2))], rows_of(keyed)
    assert not found[:, 2].any()
    if players == 6:  # the same pot comes about in several ways: fewer rows
        assert 0 < len(found) < len(expected) / 2
        return
    for column in (0, 1):
        np.testing.assert_array_equal(
            np.sort(found[:, :2, column], axis=None), np.sort(expected[:, :, column], axis=None)
        )
    assert keyed.load == len(found) / 9000
    assert keyed.status().mean_positive_regret_bb == pytest.approx(tree.status().mean_positive_regret_bb)


def test_every_row_is_the_row_of_its_decision(tmp_path: Path) -> None:
    asked = config(3)
    keyed, tree = KeyedTrainer(asked), Trainer(dense(asked))
    for trainer in (keyed, tree):
        trainer.run(60_000, workers=1)
        save_blueprint(trainer, tmp_path / f"{type(trainer).__name__}.h5")
    found, expected = (
        Blueprint.load(tmp_path / "KeyedTrainer.h5"),
        Blueprint.load(tmp_path / "Trainer.h5"),
    )
    for node in np.flatnonzero(tree.tree.nodes.player >= 0).tolist():
        line = tree.tree.line(node)
        assert found.actions(line) == expected.actions(line)
        assert found.action_names(line) == expected.action_names(line)
        assert (found.player(line), found.street(line)) == (expected.player(line), expected.street(line))
        np.testing.assert_array_equal(found.strategy_by_bucket(line), expected.strategy_by_bucket(line))
    every = found.strategy_for_all_hands("r:0:f")
    np.testing.assert_array_equal(every[combo("7h2d")], found.strategy("r:0:f", "7h2d"))
    state = HoldemGame(3, 1000, (50, 100)).deal(4)
    np.testing.assert_array_equal(found.strategy(state, "AhAd"), found.strategy("r:0", "AhAd"))
    assert found.follow(state.apply(430)) == "r:0:b1000" == expected.follow(state.apply(430))


def test_heads_up_push_or_fold_is_solved() -> None:
    trainer = KeyedTrainer(config(2, discount_every=20_000, discounts=1000))
    trainer.run(400_000, workers=1)
    assert rows_of(trainer).shape == (338, 3, 2)
    exact = solve_pushfold(10)
    blueprint = trained(trainer)
    push = blueprint.strategy_by_bucket("r:0")[:, 1]
    call = blueprint.strategy_by_bucket("r:0:b1000")[:, 1]
    assert 0 <= evaluate_pushfold(exact.game, push, call).exploitability_bb < 0.01


def trained(trainer: KeyedTrainer) -> Blueprint:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        found = Blueprint.load(save_blueprint(trainer, Path(folder) / "keyed.h5"), trainer.cards)
        found._keys, found._strategy = np.array(found._keys), np.array(found._strategy)  # type: ignore[attr-defined]
    return found


def test_a_whole_game_becomes_less_exploitable() -> None:
    """Four streets, judged by an exact best response on the tree with what the keys play."""
    cards = ShortDeck(SHORT)
    asked = config(2, WHOLE, stack=8, capacity=100_000, texture=False, discount_every=10_000)
    judge = Trainer(dense(asked), cards)
    keyed = KeyedTrainer(asked, cards)
    curve = []
    for iterations in (2_000, 20_000, 100_000):
        keyed.run(iterations, workers=1)
        blueprint = trained(keyed)
        for node in np.flatnonzero(judge.tree.nodes.player >= 0).tolist():
            shares = blueprint._rows(blueprint._spot(judge.tree.line(node)), ())  # type: ignore[attr-defined]
            judge.table[2 * judge.entries_of(node) + 1] = np.nan_to_num(shares)
        curve.append(exploitability(judge, cards))
    assert curve[0] > 1.5 * curve[1] > 2 * curve[2]
    assert 0 < curve[-1] < 0.2


@pytest.mark.parametrize("mode", ["shared", "deterministic"])
def test_resumed_runs_have_the_same_bits(tmp_path: Path, mode: str) -> None:
    asked = config(3, mode=mode, batch=100)
    straight = KeyedTrainer(asked)
    straight.run(6000, workers=1)
    start_run(tmp_path, asked)
    stopped = KeyedTrainer(asked)
    stopped.run(1700, workers=1)
    save_checkpoint(stopped, tmp_path)
    found = resume(tmp_path).trainer
    assert isinstance(found, KeyedTrainer)
    assert found.load == stopped.load > 0
    found.run(6000, workers=2 if mode == "deterministic" else 1)
    assert found.rows.keys.tobytes() == straight.rows.keys.tobytes()
    assert found.table.tobytes() == straight.table.tobytes()


def test_deterministic_mode_has_the_same_bits_for_any_workers(buckets: Buckets) -> None:
    asked = config(6, WHOLE, capacity=70_000, mode="deterministic", batch=20, coarse=0.5)
    found = []
    for workers in (1, 3):
        trainer = KeyedTrainer(asked, BucketedCards(buckets))
        trainer.run(100, workers=workers)
        assert trainer.shape.segments == 64
        found.append(trainer.rows.keys.tobytes() + trainer.table.tobytes())
    assert found[0] == found[1]


def test_threads_on_one_table_keep_every_row() -> None:
    trainer = KeyedTrainer(config(3))
    trainer.run(20_000, workers=4)
    keys = trainer.rows.keys[trainer.rows.keys != 0]
    assert len(np.unique(keys)) == len(keys) == trainer.rows.taken.sum() == 169 * 6


def test_a_full_table_is_told_and_can_be_enlarged(tmp_path: Path) -> None:
    asked = config(3, capacity=1050, discount_every=100)
    run = Run.start(tmp_path, asked)
    with pytest.raises(TooLargeError, match=r"the table is full: 9\d% of 1,050 rows .*solver.capacity=2100"):
        run.go(workers=1)
    again = Run.resume(tmp_path, config(3, capacity=2100, discount_every=100))
    assert again.trainer.iterations == run.trainer.iterations > 0
    again.go(workers=1)
    straight = KeyedTrainer(config(3, capacity=2100, discount_every=100))
    straight.run(6000, workers=1)
    assert isinstance(again.trainer, KeyedTrainer)
    for trainer in (again.trainer, straight):
        order = trainer.rows.keys[trainer.rows.keys != 0].argsort()
        trainer.sorted_rows = rows_of(trainer)[order]  # type: ignore[attr-defined]
    np.testing.assert_array_equal(again.trainer.sorted_rows, straight.sorted_rows)  # type: ignore[attr-defined]
    with pytest.raises(TooLargeError, match="ran out of rows inside an iteration: 16 are too few"):
        KeyedTrainer(config(3, capacity=16, mode="deterministic", batch=100)).run(6000, workers=1)
    with pytest.raises(ArtefactError, match=r"rows do not fit a solver\.capacity of 500"):
        resume(tmp_path, config(3, capacity=500, discount_every=100))


def test_nine_players_with_mapped_tables(tmp_path: Path, buckets: Buckets) -> None:
    asked = config(9, WHOLE, stack=50, capacity=200_000, coarse=0.5).model_dump(mode="json")
    asked["run"]["storage"] = "mapped"
    run = Run.start(tmp_path, BlueprintConfig.parse(asked), BucketedCards(buckets))
    run.go(60, workers=2)
    assert (tmp_path / "keys.mapped").stat().st_size == 8 * run.trainer.arrays["keys"].size
    assert 0.001 < run.trainer.status().touched < 0.9
    blueprint = Blueprint.load(run.blueprint_path, BucketedCards(buckets))
    found = blueprint.strategy_for_all_hands("r:0", allow_missing=True)
    assert blueprint.game.position(blueprint.player("r:0")) == "UTG"
    seen = ~np.isnan(found[:, 0])
    assert seen.sum() > 100
    np.testing.assert_allclose(found[seen].sum(1), 1)
    assert checkpoints(tmp_path)


def test_six_players_learn_to_raise_aces_and_to_fold_rags(buckets: Buckets) -> None:
    menu = {**WHOLE, "preflop": {"sizes": ["2.5bb", "a"], "raises": 2, "limp": False}}
    asked = config(6, menu, stack=30, capacity=200_000, coarse=0.5, discount_every=500)
    trainer = KeyedTrainer(asked, BucketedCards(buckets))
    trainer.run(12_000, workers=1)
    raised = trained(trainer).strategy_by_bucket("r:0")[:, 1]
    assert raised[class_index("AA")] > 0.8
    assert np.mean([raised[class_index(name)] for name in ("AA", "KK", "QQ", "JJ", "AKs")]) > 0.7
    assert np.mean([raised[class_index(name)] for name in ("72o", "32o", "83o", "94o", "T2o")]) < 0.2


def test_what_cannot_be_answered_is_an_error(tmp_path: Path) -> None:
    trainer = KeyedTrainer(config(3))
    trainer.run(3, workers=1)
    blueprint = trained(trainer)
    with pytest.raises(ArtefactError, match=r"never met the key of r:0:b1000 with 1\d* hands such"):
        blueprint.strategy_for_all_hands("r:0:b1000")
    with pytest.raises(IllegalActionError, match="'b300' is not in the menu after r:0; there is f, b1000"):
        blueprint.strategy("r:0:b300", "AhKh")
    with pytest.raises(IllegalActionError, match="the hand is over"):
        blueprint.strategy("r:0:f:f", "AhKh")
    with pytest.raises(CardError, match="two hole cards"):
        blueprint.strategy("r:0", "Ah")
    with pytest.raises(ArtefactError, match="has no tree: its lines cannot be listed"):
        print(blueprint.tree)
    with pytest.raises(ConfigError, match="keyed goes with method: external"):
        config(3, method="outcome")
    with pytest.raises(ConfigError, match="decisions after the flop and the cards have no buckets"):
        KeyedTrainer(config(3, WHOLE))
    with pytest.raises(TooLargeError, match=r"4,000 rows of 3 actions need .* use a smaller solver.capacity"):
        KeyedTrainer(config(3), memory_limit=1000)
    with pytest.raises(ConfigError, match="asks for keyed tables"):
        Trainer(config(3))
    assert isinstance(make_trainer(tmp_path, config(3)), KeyedTrainer)


def test_chips_fall_into_bins() -> None:
    assert chip_edges(0.0, 1000).size == 0
    edges = chip_edges(0.25, 1000)
    assert edges[:6].tolist() == [1, 2, 3, 4, 5, 6]
    assert (np.diff(edges) <= np.maximum(edges[:-1] * 0.25, 1)).all()
    assert edges[-1] <= 1000 < edges[-1] * 1.25
    with pytest.raises(ConfigError, match="more than 4096 bins"):
        chip_edges(0.0001, 10**9)


def test_few_keys_are_packed_and_many_are_mapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = KeyedTrainer(config())
    trainer.run(2_000, 1)
    packed = Blueprint.load(save_blueprint(trainer, tmp_path / "packed.h5"))
    monkeypatch.setattr(store, "_READ_BYTES", 8)
    mapped = Blueprint.load(save_blueprint(trainer, tmp_path / "mapped.h5"))
    assert isinstance(packed, KeyedBlueprint)
    assert isinstance(mapped, KeyedBlueprint)
    assert not isinstance(packed._keys, np.memmap)
    assert isinstance(mapped._keys, np.memmap)
    assert packed._keys.flags.writeable is mapped._keys.flags.writeable is False
    np.testing.assert_array_equal(packed._keys, mapped._keys)
    assert (tmp_path / "packed.h5").stat().st_size < (tmp_path / "mapped.h5").stat().st_size


def test_a_file_may_keep_the_rows_that_were_met_most_often(tmp_path: Path) -> None:
    whole = KeyedTrainer(config(kept_rows=0))
    whole.run(2_000, 1)
    stored = whole.stored()
    few = KeyedTrainer(config(kept_rows=40))
    few.run(2_000, 1)
    kept = few.stored()
    assert whole.config.solver_digest() == few.config.solver_digest()  # it is not learned otherwise
    assert kept.facts["rows"] == len(kept.arrays["keys"]) == 40
    assert kept.facts["rows_left_out"] == int(np.count_nonzero(whole.rows.keys)) - 40
    places = np.searchsorted(stored.arrays["keys"], kept.arrays["keys"])
    np.testing.assert_array_equal(stored.arrays["strategy"][places], kept.arrays["strategy"])
    averages = dict(
        zip(whole.rows.keys.tolist(), whole.rows.numbers.reshape(-1, whole.shape.width, 2)[:, :, 1].sum(1))
    )
    left = [
        averages[key]
        for key in stored.arrays["keys"].tolist()
        if key not in set(kept.arrays["keys"].tolist())
    ]
    assert min(averages[key] for key in kept.arrays["keys"].tolist()) >= max(left)
