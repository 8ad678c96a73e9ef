"""The card side of a run: buckets of whole deals against lookups one by one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from overbet.abstraction.bucket_config import PRESETS, BucketsConfig
from overbet.abstraction.bucket_files import save_buckets
from overbet.abstraction.buckets import Buckets
from overbet.blueprint.cards import BucketedCards, PreflopClasses, bucket_counts, load_cards
from overbet.blueprint.config import BlueprintConfig, CardsConfig
from overbet.blueprint.query import Blueprint
from overbet.blueprint.run import Run
from overbet.blueprint.trainer import Trainer
from overbet.cards.combos import combo
from overbet.errors import CardError

STREET = {"sizes": ["100%"], "raises": 1}
MENU = {"preflop": {"sizes": ["3bb"], "raises": 1}, "flop": STREET, "turn": STREET, "river": STREET}


@pytest.fixture(scope="module")
def buckets() -> Buckets:
    """Any tables do: what counts is that they are read at the right place."""
    rng = np.random.default_rng(11)
    config = BucketsConfig(flop=5, turn=6, river=7, feature="strength")
    flop = rng.integers(0, 5, 1_286_792).astype(np.uint16)
    turn = rng.integers(0, 6, 13_960_050).astype(np.uint16)
    return Buckets(config, flop, turn, (np.arange(1981) * 7 // 1981).astype(np.uint16))


@pytest.fixture(scope="module")
def file(buckets: Buckets, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same as a file, which takes seconds to compress."""
    path = tmp_path_factory.mktemp("buckets") / "own.h5"
    save_buckets(buckets, path, compact=True)
    return path


def blueprint_config(path: str) -> BlueprintConfig:
    return BlueprintConfig.parse(
        {"game": {"players": 3, "stack_bb": 10}, "menu": MENU, "cards": {"path": path}, "iterations": 300}
    )


def test_deals_have_the_buckets_of_lookups(buckets: Buckets) -> None:
    trainer = Trainer(blueprint_config("unused"), BucketedCards(buckets))
    deals = trainer.deals(seed=3, first=0, count=200)
    for player in range(3):
        hole, board = deals.cards[:, 2 * player : 2 * player + 2], deals.cards[:, 6:]
        for street, cards in enumerate((0, 3, 4, 5)):
            found = buckets.lookup(np.ascontiguousarray(hole), np.ascontiguousarray(board[:, :cards]))
            np.testing.assert_array_equal(deals.bucket[:, player, street], found)


def test_a_run_on_a_file_of_buckets_is_asked_by_cards(buckets: Buckets, file: Path, tmp_path: Path) -> None:
    config = blueprint_config(str(file))
    run = Run.start(tmp_path / "run", config, BucketedCards(buckets))
    run.go(workers=1)
    blueprint = Blueprint.load(run.blueprint_path)
    assert blueprint.cards.digest == buckets.hash
    every = blueprint.strategy_for_all_hands("r:0:c:c:c:Td9d6h", allow_missing=True)
    bucket = buckets.of_board("Td9d6h")[combo("AhKh")]
    node = run.trainer.tree.find("c:c:c")
    np.testing.assert_allclose(every[combo("AhKh")], run.trainer.average(node)[bucket], atol=1 / 255)


def test_counts_are_known_without_reading_tables(file: Path) -> None:
    assert bucket_counts(CardsConfig(path="standard")) == (169, 50, 100, 200)
    assert bucket_counts(CardsConfig(kind="preflop")) == (169, 0, 0, 0)
    assert bucket_counts(CardsConfig(), "1/2/3") == (169, 1, 2, 3)
    assert bucket_counts(CardsConfig(path=str(file))) == (169, 5, 6, 7)
    assert "standard" in PRESETS


def test_preflop_classes_end_before_the_flop() -> None:
    cards = load_cards(CardsConfig(kind="preflop"))
    assert isinstance(cards, PreflopClasses)
    assert cards.of_board(())[combo("AsAh")] == 0
    with pytest.raises(CardError, match="no decisions after the flop"):
        cards.of_board((1, 2, 3))
