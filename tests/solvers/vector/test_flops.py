"""Sets of boards: the shipped subsets, lists of one's own, and how flops are chosen."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from overbet.cards.cards import board, cards_name
from overbet.cards.isomorphism import board_isomorphism, canonical_flops
from overbet.errors import ArtefactError, ConfigError
from overbet.solvers.vector.batches import flops
from overbet.solvers.vector.batches.flop_choice import choose, error, fitted, flop_kernel
from overbet.solvers.vector.batches.flop_features import (
    HELD_OUT,
    HELD_OUT_PAIRS,
    PAIRS,
    TYPICAL,
    flop_equities,
    pair_features,
    textures,
)
from overbet.solvers.vector.batches.flops import SUBSETS, board_list, board_set, read_boards


@pytest.mark.parametrize("size", SUBSETS)
def test_shipped_subsets(size: int) -> None:
    found = board_set(size)
    assert found == board_set(str(size))
    assert found.up_to_suits
    assert len(found.boards) == len(found.weights) == size
    assert sum(found.weights) == pytest.approx(1)
    assert min(found.weights) > 0
    index = board_isomorphism(3)
    assert len({index.index(text) for text in found.boards}) == size
    for text in found.boards:  # representatives, so that results of sets can be compared
        assert index.canonical(text)[0] == board(text)


def test_all_flops() -> None:
    found = board_set("all")
    assert len(found.boards) == 1755
    assert sum(found.weights) == pytest.approx(1)
    assert found.weights[0] == pytest.approx(canonical_flops()[0].weight / 22_100)


@pytest.mark.parametrize("size", SUBSETS)
def test_subsets_keep_the_textures(size: int) -> None:
    """Suits, pairs and high cards come about as often as they do over all flops."""
    everything, subset = board_set("all"), board_set(size)
    means = []
    for each in (everything, subset):
        looks = textures(np.array([board(text) for text in each.boards], np.int8))
        means.append(np.array(each.weights) @ looks)
    assert np.abs(means[0] - means[1])[:19].max() < {25: 0.04, 50: 0.02, 100: 0.01, 200: 0.005}[size]
    assert means[0][:6] == pytest.approx([0.3976, 0.5506, 0.0518, 0.8282, 0.1694, 0.0024], abs=1e-4)


def test_a_file_of_boards(tmp_path: Path) -> None:
    path = tmp_path / "boards.txt"
    path.write_text("# mine\nAsKd2c 3\nTh 9h 8h, 0.5\n7c7d2s:0.5 # paired\n\nQsJs4h\t1e0\n", encoding="utf-8")
    found = read_boards(path)
    assert found == board_set(path)
    assert found.boards == ("AsKd2c", "Th9h8h", "7c7d2s", "QsJs4h")
    assert found.weights == pytest.approx((0.6, 0.1, 0.1, 0.2))
    assert not found.up_to_suits
    path.write_text("AsKd2c4h\nThTdTc2s\n", encoding="utf-8")
    assert read_boards(path).weights == (0.5, 0.5)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "holds no board"),
        ("# nothing\n", "holds no board"),
        ("AsKd2c\nAsKd\n", "line 2"),
        ("AsKdXx", "line 1.*not a board"),
        ("AsKdAs", "line 1.*twice"),
        ("AsKd2c 0", "weight 0"),
        ("AsKd2c -1", "weight -1"),
        ("AsKd2c one", "line 1"),
        ("AsKd2c\n2cAsKd\n", "line 2: 2cAsKd is the same board as AsKd2c"),
        ("AsKd2c\nAsKd2c4h\n", "mixes flops, turns and rivers"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "boards.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=words):
        read_boards(path)


def test_unknown_sets(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no subset of 30 flops"):
        board_set(30)
    with pytest.raises(ConfigError, match="cannot read boards"):
        board_set(str(tmp_path / "missing.txt"))
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00\x81")
    with pytest.raises(ConfigError, match="not a text file"):
        board_set(tmp_path / "binary")


def test_lists() -> None:
    assert board_list(["AsKd2c", ("Th9h8h", 3.0)]).weights == (0.25, 0.75)
    with pytest.raises(ConfigError, match="same board"):
        board_list(["AsKd2c", "KdAs2c"])


def test_damaged_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flops, "_DATA", "nothing.json")
    flops._shipped.cache_clear()
    with pytest.raises(ArtefactError, match="reinstall"):
        board_set(25)
    flops._shipped.cache_clear()


def test_held_out_ranges_take_no_part() -> None:
    assert not TYPICAL.keys() & HELD_OUT.keys()
    assert not set(TYPICAL.values()) & set(HELD_OUT.values())
    assert all(name in TYPICAL for pair in PAIRS for name in pair)


def test_textures_of_known_flops() -> None:
    looks = textures(np.array([board(text) for text in ("AsKsQs", "7s7h2d", "5c4d3h")], np.int8))
    assert looks[0, :6].tolist() == [0, 0, 1, 1, 0, 0]
    assert looks[1, :6].tolist() == [1, 0, 0, 0, 1, 0]
    assert looks[0, 6 + 12] == looks[1, 6 + 5] == looks[2, 6 + 3] == 1
    assert looks[:, 21].tolist() == [1, 0, 3]  # broadway; none; A-5, 2-6, 3-7
    assert looks[:, 22].tolist() == [2, 0, 2]


def test_choosing_points() -> None:
    """On points whose answer can be seen: chosen ones spread out, and better than chance."""
    rng = np.random.default_rng(3)
    points = rng.normal(size=(300, 2))
    weights = rng.random(300)
    weights /= weights.sum()
    kernel = flop_kernel([(points, 0.7), (points**2, 0.3)], weights)
    found = choose(kernel, weights, 12)
    assert len(found.flops) == 12
    assert found.weights.sum() == pytest.approx(1)
    assert (found.weights >= 0).all()
    chance = []
    for _ in range(50):
        picked = np.sort(rng.choice(300, 12, replace=False, p=weights))
        chance.append(error(kernel, weights, found._replace(flops=picked, weights=np.full(12, 1 / 12))))
    assert error(kernel, weights, found) < min(chance) / 2
    mean = found.weights @ points[found.flops]
    assert np.abs(mean - weights @ points).max() < 0.03
    everything = fitted(kernel, kernel @ weights, np.arange(300))
    with_all = found._replace(flops=np.arange(300), weights=everything)
    assert error(kernel, weights, with_all) < error(kernel, weights, found) / 10


def test_the_data_is_a_small_file() -> None:
    path = Path(flops.__file__).parent / "data" / "flops.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    assert sorted(map(int, content["subsets"])) == sorted(SUBSETS)
    assert path.stat().st_size < 20_000


@pytest.mark.slow
def test_subsets_give_the_means_of_pairs_that_took_no_part() -> None:
    """Equities of held-out ranges, exact on all flops: means by subset against means over all."""
    data = flop_equities()
    place = {cards_name(cards): number for number, cards in enumerate(data.boards.tolist())}
    features = pair_features(data, HELD_OUT_PAIRS)  # [flop, pair, equity and ten shares of bands]
    whole = np.einsum("f,fpk->pk", data.weights, features)
    rng = np.random.default_rng(1)
    most = {25: (0.0009, 0.0065), 50: (0.0006, 0.0045), 100: (0.0004, 0.0030), 200: (0.0003, 0.0015)}
    for size, (equity, band) in most.items():
        subset = board_set(size)
        numbers = [place[text] for text in subset.boards]
        apart = np.abs(np.einsum("f,fpk->pk", np.array(subset.weights), features[numbers]) - whole)
        assert apart[:, 0].mean() < equity
        assert apart[:, 1:].mean() < band
        drawn = [rng.choice(len(data.weights), size, p=data.weights) for _ in range(100)]
        chance = [np.abs(features[numbers].mean(0) - whole)[:, 0].mean() for numbers in drawn]
        assert apart[:, 0].mean() < np.mean(chance) / 6
