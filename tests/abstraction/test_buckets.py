"""Buckets: every way to look a hand up gives the same bucket; files are refused when something is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from overbet import artefact
from overbet.abstraction.bucket_build import build_buckets, mean_equities
from overbet.abstraction.bucket_config import PRESETS, BucketsConfig, preset
from overbet.abstraction.bucket_files import (
    KIND,
    buckets_folder,
    default_path,
    describe_file,
    find_buckets,
    list_files,
    load_buckets,
    save_buckets,
)
from overbet.abstraction.bucket_view import centre_distances, sample_hands, view_hand
from overbet.abstraction.buckets import Buckets
from overbet.abstraction.clustering import Search, cut_scores, k_medians
from overbet.abstraction.features import cumulative, deck, features_of_hand, score_weights
from overbet.cards.cards import cards
from overbet.cards.combos import class_of_combos, combo, combo_table
from overbet.cards.isomorphism import board_isomorphism, canonical_boards, hand_isomorphism
from overbet.errors import ArtefactError, CardError, ConfigError
from overbet.kernels.abstraction.buckets import deal_buckets, rule_bucket
from overbet.kernels.abstraction.features import FeatureBoards, flop_features, strength_table

BOARDS = ("Td9d6h", "AsAhAd", "Td9d6h2c", "7h6h5h4h", "Td9d6h2c3s", "AsKsQsJsTs")


@pytest.fixture(scope="module")
def some_rivers() -> np.ndarray:
    """Return a few canonical rivers: [60, 5] int8."""
    boards, _ = canonical_boards(5)
    return np.ascontiguousarray(boards[:: len(boards) // 59])  # as the buckets do: one kernel for both


@pytest.fixture(scope="module")
def with_table(tiny: Buckets, some_rivers: np.ndarray) -> Buckets:
    """Return the same buckets with a river table that is filled in for `some_rivers`."""
    scores = np.zeros(hand_isomorphism(5).size, np.uint16)
    ones = np.ones(len(some_rivers), np.int8)
    strength_table(FeatureBoards(some_rivers, ones), deck(5), scores, np.zeros(1981, np.int64))
    river = np.zeros_like(scores)
    for board in some_rivers.tolist():
        places = hand_isomorphism(5).hands_of_board(board)
        river[places[places >= 0]] = tiny.river_rule[scores[places[places >= 0]]]
    return Buckets(tiny.config, tiny.flop, tiny.turn, tiny.river_rule, river, report=tiny.report)


def test_counts_and_ranges(tiny: Buckets) -> None:
    assert tiny.counts == (169, 10, 10, 10)
    for table in (tiny.flop, tiny.turn, tiny.river_rule):
        assert table.dtype == np.uint16
        assert np.unique(table).tolist() == list(range(10))
    assert (np.diff(tiny.river_rule.astype(int)) >= 0).all()
    for street in ("flop", "turn", "river"):
        report = tiny.report[street]
        assert sum(report["share"]) == pytest.approx(1.0, abs=1e-5)
        assert report["mean_equity"] == sorted(report["mean_equity"])
        assert 0.9 < report["kept_variance"] < 1.0
        assert max(report["share"]) < 0.25


def test_before_the_flop_a_bucket_is_a_class(tiny: Buckets) -> None:
    assert (tiny.of_board("") == class_of_combos()).all()
    found = tiny.lookup(combo_table(), np.empty((1326, 0), np.int8))
    assert (found == class_of_combos()).all()


@pytest.mark.parametrize("board", BOARDS)
def test_all_lookups_agree(tiny: Buckets, board: str) -> None:
    lying = cards(board)
    found = tiny.of_board(board)
    live = np.flatnonzero(found >= 0)
    assert len(live) == (52 - len(lying)) * (51 - len(lying)) // 2
    rows = tiny.lookup(combo_table()[live], np.tile(lying, (len(live), 1)))
    assert (rows == found[live]).all()
    renamed = [card - card % 4 + (3, 0, 1, 2)[card % 4] for card in lying]
    for number in live[::101]:
        hole = [card - card % 4 + (3, 0, 1, 2)[card % 4] for card in combo_table()[number].tolist()]
        assert tiny.lookup([hole[::-1]], [renamed[::-1]])[0] == found[number]


def test_the_compact_form_gives_the_buckets_of_the_table(
    tiny: Buckets, with_table: Buckets, some_rivers: np.ndarray
) -> None:
    assert with_table.has_river_table
    assert not tiny.has_river_table
    assert with_table.hash == tiny.hash
    for board in some_rivers.tolist():
        found = with_table.of_board(board)
        assert (found == tiny.of_board(board)).all()
        live = np.flatnonzero(found >= 0)[::53]
        boards = np.tile(np.array(board, np.int8), (len(live), 1))
        assert (tiny.lookup(combo_table()[live], boards) == found[live]).all()
        assert (with_table.lookup(combo_table()[live], boards) == found[live]).all()
    assert rule_bucket(combo_table()[live[0]], boards[0], tiny.tables) == found[live[0]]
    assert (with_table.without_river_table().of_board(board) == found).all()


def test_deals_of_many_players(tiny: Buckets, with_table: Buckets, some_rivers: np.ndarray) -> None:
    generator = np.random.default_rng(0)
    deals = np.empty((len(some_rivers), 11), np.int8)
    for row, board in enumerate(some_rivers):
        rest = np.setdiff1d(np.arange(52), board)
        deals[row] = np.concatenate((generator.permutation(rest)[:6], board))
    for buckets in (tiny, with_table):
        found = np.empty((len(deals), 3, 4), np.int32)
        deal_buckets(deals, buckets.tables, found)
        for player in range(3):
            hole = deals[:, 2 * player : 2 * player + 2]
            for street, board_cards in enumerate((0, 3, 4, 5)):
                expected = tiny.lookup(hole, deals[:, 6 : 6 + board_cards])
                assert (found[:, player, street] == expected).all()


def test_stronger_hands_have_higher_buckets(tiny: Buckets) -> None:
    found = tiny.of_board("Td9d6h")
    assert found[combo("TcTh")] == 9
    assert found[combo("3c2d")] == 0
    assert found[combo("AhTc")] > found[combo("AhKc")] > found[combo("3h2c")]


@pytest.mark.parametrize(
    ("holes", "boards", "message"),
    [
        ([[51, 50]], [[1, 2]], "0, 3, 4 or 5 cards, not 2"),
        ([[51, 51]], [[1, 2, 3]], "row 0: .* are not 5 different cards"),
        ([[51, 50], [51, 3]], [[1, 2, 4], [1, 2, 3]], "row 1"),
        ([[51, 52]], [[1, 2, 3]], "different cards 0..51"),
        ([[-1, 5]], [[1, 2, 3]], "different cards 0..51"),
        ([[51, 50]], [[1, 2, 300]], "different cards 0..51"),
        ([[51, 50]], [[1, 2, 3], [1, 2, 3]], r"holes \[n, 2\] and boards"),
    ],
)
def test_bad_cards(tiny: Buckets, holes: list[list[int]], boards: list[list[int]], message: str) -> None:
    with pytest.raises(CardError, match=message):
        tiny.lookup(holes, boards)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"flop": 0}, "flop: 0 buckets; a street needs at least one"),
        ({"turn": -5}, "turn: -5 buckets"),
        ({"flop": 70_000}, "more than the 65,535"),
        ({"river": 1982}, "river: 1,982 buckets are more than the 1,981 strengths"),
        ({"feature": "strength", "flop": 3000}, "flop: 3,000 buckets are more than the 2,163 strengths"),
        ({"flop": 5000, "sample": 2000}, "2,000 hands cannot make 5,000 buckets"),
        ({"flopp": 5}, "unknown key 'flopp' .did you mean 'flop'"),
    ],
)
def test_impossible_configs(values: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        BucketsConfig.parse(values, "buckets")


def test_more_buckets_than_strengths_there_are() -> None:
    weights = score_weights(3)
    with pytest.raises(ConfigError, match=r"2,163 buckets are more than the [\d,]+ strengths there are"):
        cut_scores(weights, 2163)


def test_presets() -> None:
    assert PRESETS["standard"].counts == (169, 50, 100, 200)
    assert PRESETS["large"].counts == (169, 200, 200, 200)
    assert min(PRESETS["fine"].counts[1:]) >= 1000
    with pytest.raises(ConfigError, match="did you mean 'standard'"):
        preset("standart")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OVERBET_HOME", str(tmp_path))
    return tmp_path / "buckets"


def test_files_bring_back_the_same_buckets(tiny: Buckets, with_table: Buckets, folder: Path) -> None:
    assert buckets_folder() == folder
    path = save_buckets(with_table, default_path(tiny.config))
    assert path == folder / "tiny.h5"
    small = save_buckets(with_table, folder / "small.h5", compact=True)
    assert list_files() == [small, path]
    assert small.stat().st_size < 20e6
    full, compact, skipped = load_buckets("tiny"), load_buckets(small), load_buckets(path, river_table=False)
    assert full.hash == compact.hash == skipped.hash == tiny.hash
    assert full.has_river_table
    assert not compact.has_river_table
    assert not skipped.has_river_table
    assert (full.river == with_table.river).all()
    for name in ("flop", "turn", "river_rule"):
        assert (getattr(compact, name) == getattr(tiny, name)).all()
        assert getattr(compact, name).dtype == np.uint16
    assert compact.report == tiny.report
    assert describe_file(small).compact
    assert describe_file(path).config == tiny.config


def test_bad_files(tiny: Buckets, folder: Path) -> None:
    path = save_buckets(tiny, folder / "tiny.h5")
    sound = path.read_bytes()
    with artefact.opened(path, KIND) as file:
        kept, tables = file.head, {name: file[name].whole() for name in file.names}

    def refused(message: str) -> None:
        with pytest.raises(ArtefactError, match=message):
            load_buckets(path)

    def written(head: dict[str, Any], **changes: Any) -> None:
        """Write the file anew, under the right checksum, with another head or other tables."""
        artefact.write(path, KIND, kept | head, tables | changes)

    other = tiny.flop.astype(np.uint8)
    other[12345] = (other[12345] + 1) % 10
    written({}, flop=other)
    refused("is damaged: its contents do not give its hash")
    other[12345] = 200  # a kernel would read beyond its rows
    written({}, flop=other)
    refused("'flop' names buckets beyond the 10 there are")
    written({}, flop=other[:-1])
    refused("'flop' is uint8 .* not what it should be")
    path.write_bytes(sound.replace(b"overbet buckets 2", b"overbet buckets 9", 1))
    refused("has version 9 .* build them again")
    path.write_bytes(sound[:100_000])
    refused("cut short")
    path.write_text("hello")
    refused("not a file of the kind 'overbet buckets'")
    with pytest.raises(ArtefactError, match="overbet buckets build --preset large"):
        find_buckets("large")
    with pytest.raises(ConfigError, match=r"end the name in .h5"):
        save_buckets(tiny, folder / "tiny.pkl")


def test_names_of_files(folder: Path) -> None:
    assert default_path(preset("large")).name == "large.h5"
    own = default_path(BucketsConfig(flop=7, seed=3))
    assert own.name.startswith("7-100-200-")
    assert own != default_path(BucketsConfig(flop=7, seed=4))


def test_interrupted_builds_leave_nothing(folder: Path) -> None:
    def stop(stage: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save_buckets(build_buckets(preset("tiny"), stop, river_table=False), folder / "tiny.h5")
    assert not folder.exists()


def test_histograms_keep_two_futures_apart() -> None:
    """Two flop hands of one equity (0.683 and 0.679) whose equity is spread differently: not one bucket."""
    index = hand_isomorphism(3)
    boards, weights = canonical_boards(3)
    chosen = np.unique([*range(7, len(boards), 90), *map(board_isomorphism(3).index, ("7h9hQh", "3d5d7d"))])
    table, counts = np.zeros((index.size, 128), np.uint16), np.zeros(index.size, np.uint8)
    flop_features(FeatureBoards(boards[chosen], weights[chosen]), deck(3), table, counts)
    places = np.flatnonzero(counts)
    groups = k_medians(table[places], counts[places], 50, Search(restarts=2, sample=5000))
    label = dict(zip(places.tolist(), groups.labels.tolist()))
    first, second = (index.index(board, hole) for board, hole in (("7h9hQh", "TcQd"), ("3d5d7d", "5c9d")))
    assert label[first] != label[second]
    assert (table[first] == cumulative(features_of_hand("TcQd", "7h9hQh"))).all()
    equities = mean_equities(table[places], 64)
    assert abs(equities[places.searchsorted(first)] - equities[places.searchsorted(second)]) < 0.01
    assert equities[places.searchsorted(first)] == pytest.approx(0.6826, abs=1 / 64)


def test_views(tiny: Buckets, with_table: Buckets) -> None:
    view = view_hand(tiny, "AhKh", "Td9d6h")
    assert (view.street, view.buckets) == ("flop", 10)
    assert view.bucket == tiny.of_board("Td9d6h")[combo("AhKh")]
    assert view.bucket in [row.bucket for row in view.neighbours]
    assert len(view.neighbours) == 5
    assert len(view.histograms) == 2
    assert len(view_hand(tiny, "AhKh", "Td9d6h2c").histograms) == 1
    river = view_hand(tiny, "AhKh", "Td9d6h2c3s")
    assert river.histograms == {}
    for street, board_cards in (("flop", 3), ("turn", 4), ("river", 5)):
        for text in sample_hands(tiny, street, 6, 3):
            hole, lying = text.split(" on ")
            assert tiny.of_board(lying)[combo(hole)] == 6
            assert len(cards(lying)) == board_cards
    distances = centre_distances(tiny, "turn", 4)
    assert distances[4] == 0.0
    assert (np.delete(distances, 4) > 0.0).all()
    with pytest.raises(CardError, match="169 classes"):
        view_hand(tiny, "AhKh", "")
    with pytest.raises(CardError, match="not two hole cards"):
        view_hand(tiny, "AhKhQh", "Td9d6c")
    with pytest.raises(CardError, match="twice"):
        view_hand(tiny, "AhTd", "Td9d6h")


def test_buckets_by_opponents_keep_their_river_table(tiny: Buckets, folder: Path) -> None:
    config = tiny.config.model_copy(update={"opponents": 8})
    river = np.zeros(1, np.uint16)
    buckets = Buckets(config, tiny.flop, tiny.turn, np.empty(0, np.uint16), river, report=tiny.report)
    other = Buckets(config, tiny.flop, tiny.turn, np.empty(0, np.uint16), river + np.uint16(1))
    assert buckets.hash != other.hash
    for refused in (
        buckets.without_river_table,
        lambda: save_buckets(buckets, folder / "o.h5", compact=True),
        lambda: build_buckets(config, river_table=False),
    ):
        with pytest.raises(ConfigError, match="need their river table"):
            refused()
    assert BucketsConfig(river=3000, opponents=8).counts[3] == 3000


@pytest.mark.slow
def test_standard_buckets_are_the_nearest_middles() -> None:
    """Build the standard preset; every hand looked at lies in the bucket whose middle is nearest to it."""
    buckets = build_buckets(preset("standard"), river_table=False)
    assert buckets.centres is not None
    generator = np.random.default_rng(5)
    for board_cards, middles in zip((3, 4), buckets.centres):
        assert len(np.unique(buckets.table(board_cards))) == len(middles)
        for _ in range(200):
            deal = generator.permutation(52)[: 2 + board_cards].tolist()
            row = cumulative(features_of_hand(deal[:2], deal[2:]))
            distances = np.abs(middles.astype(int) - row).sum(1)
            assert distances[buckets.lookup([deal[:2]], [deal[2:]])[0]] == distances.min()
    pair = (("TcQd", "7h9hQh"), ("5c9d", "3d5d7d"))
    first, second = (buckets.of_board(board)[combo(hole)] for hole, board in pair)
    assert first != second
    for street in ("flop", "turn"):
        assert buckets.report[street]["mean_emd"] < 0.03


@pytest.mark.parametrize("street", ["flop", "turn", "river_rule", "river"])
def test_a_bucket_that_there_is_no_room_for_is_refused(tiny: Buckets, street: str) -> None:
    """Kernels write where a bucket leads: tables of ten buckets have no place for an eleventh."""
    tables = {name: getattr(tiny, name).copy() for name in ("flop", "turn", "river_rule", "river")}
    if street == "river":
        tables["river"] = np.zeros(3, np.uint16)
    tables[street][2] = 10
    with pytest.raises(
        ArtefactError, match=r"hand is in bucket 10 and there are 10; build the buckets again"
    ):
        Buckets(tiny.config, **tables)


def test_a_rule_for_too_few_scores_is_refused(tiny: Buckets) -> None:
    with pytest.raises(ArtefactError, match=r"has 1,980 scores, not 1,981"):
        Buckets(tiny.config, tiny.flop, tiny.turn, tiny.river_rule[:-1])


def test_a_file_based_on_another_leaves_flop_and_turn_to_it(
    tiny: Buckets, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = save_buckets(tiny, tmp_path / "whole.h5", compact=True)
    again = build_buckets(tiny.config, river_table=False, base=tiny)
    assert again.hash == tiny.hash
    monkeypatch.chdir(tmp_path)
    based = save_buckets(again, tmp_path / "based.h5", compact=True, base="whole.h5")
    assert based.stat().st_size < whole.stat().st_size / 2
    monkeypatch.chdir("/")  # a path is kept in full
    back = load_buckets(based)
    assert back.hash == tiny.hash
    np.testing.assert_array_equal(back.turn, tiny.turn)
    with pytest.raises(ConfigError, match="name those instead"):
        save_buckets(tiny, tmp_path / "third.h5", base=str(based))
    other = BucketsConfig.parse({**tiny.config.model_dump(), "flop": tiny.config.flop + 1}, "buckets")
    with pytest.raises(ConfigError, match="another flop or turn"):
        build_buckets(other, river_table=False, base=tiny)
    whole.unlink()
    with pytest.raises(ArtefactError, match="there are no buckets"):
        load_buckets(based)
