"""A finished run as a blueprint: stored in 8 bits, opened, asked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import h5py
import numpy as np
import numpy.typing as npt
import pytest

from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.dense_query import DenseBlueprint
from overbet.blueprint.dense_rows import PackedRows, packed_rows
from overbet.blueprint.exchange import export_json, import_json
from overbet.blueprint.query import Blueprint
from overbet.blueprint.store import open_blueprint, save_blueprint, write_blueprint
from overbet.blueprint.trainer import Trainer
from overbet.cards.combos import class_index, class_of_combos, combo, live_combos
from overbet.errors import ArtefactError, CardError, ConfigError, IllegalActionError
from overbet.games.holdem import HoldemGame
from overbet.kernels.training.deal import Deals, classify_deals
from overbet.kernels.training.record import decision_at

STREET = {"sizes": ["100%"], "raises": 1}
WHOLE = {"preflop": {"sizes": ["3bb"], "raises": 1}, "flop": STREET, "turn": STREET, "river": STREET}


class BoardRanks:
    """Buckets by the highest rank among hole cards and board: no sense at the table, easy to check."""

    counts = (169, 13, 13, 13)
    digest = "board-ranks"
    deck = np.arange(52, dtype=np.int8)

    def fill(self, deals: Deals, players: int) -> None:
        classify_deals(deals, players, class_of_combos())
        for player in range(players):
            hole = deals.cards[:, 2 * player : 2 * player + 2] >> 2
            for street, cards in enumerate((3, 4, 5), 1):
                board = deals.cards[:, 2 * players : 2 * players + cards] >> 2
                deals.bucket[:, player, street] = np.maximum(hole.max(1), board.max(1))

    def of_board(self, board: Sequence[int]) -> npt.NDArray[np.int32]:
        if not board:
            return class_of_combos().astype(np.int32)
        high = np.array([max(i >> 2 for i in (*pair, *board)) for pair in _pairs()], np.int32)
        return np.where(live_combos(board), high, -1).astype(np.int32)


def _pairs() -> list[tuple[int, int]]:
    return [(high, low) for high in range(52) for low in range(high)]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Trainer, Path]:
    config = BlueprintConfig.parse({"name": "small", "game": {"stack_bb": 10}, "menu": WHOLE})
    trainer = Trainer(config, BoardRanks())
    trainer.run(20_000, workers=1)
    path = save_blueprint(trainer, tmp_path_factory.mktemp("blueprint") / "small.h5", {"lbr_mbb": 12.5})
    return trainer, path


@pytest.fixture(scope="module")
def blueprint(trained: tuple[Trainer, Path]) -> Blueprint:
    return Blueprint.load(trained[1], BoardRanks())


def test_rows_are_the_average_in_whole_255ths(trained: tuple[Trainer, Path], blueprint: Blueprint) -> None:
    trainer, _ = trained
    for line in ("r:0", "r:0:b300", "r:0:b300:c:c", "r:0:c:c:b300:c:c:c"):
        rows, exact = blueprint.strategy_by_bucket(line), trainer.average(trainer.tree.find(line))
        assert np.array_equal(np.isnan(rows), np.isnan(exact))
        reached = ~np.isnan(rows[:, 0])
        assert reached.sum() > 5
        np.testing.assert_allclose(rows[reached].sum(1), 1, atol=1e-12)
        np.testing.assert_allclose(rows[reached], exact[reached], atol=1 / 255)


def test_lines_go_on_with_all_that_was_put_in(blueprint: Blueprint) -> None:
    flop = blueprint.game.deal(1).follow("c:c")
    assert blueprint.actions("r:0:c:c") == blueprint.actions(flop)
    assert blueprint.tokens("r:0:c:c") == tuple(flop.token(action) for action in blueprint.actions(flop))
    bet = next(action for action in blueprint.actions(flop) if action > 0)
    assert blueprint.tokens("r:0:c:c")[blueprint.actions(flop).index(bet)] == f"b{100 + bet}"
    assert blueprint.follow(flop.apply(bet)) == f"r:0:c:c:b{100 + bet}"
    with pytest.raises(
        IllegalActionError, match=rf"'b{bet}' is not in the tree after r:0:c:c; there is c, b"
    ):
        blueprint.actions(f"r:0:c:c:b{bet}")


@pytest.mark.parametrize("part", ["B300", ",,", "b3x", "b170²", "b" + "9" * 5000])
def test_a_part_that_cannot_be_read_is_pointed_at(blueprint: Blueprint, part: str) -> None:
    for ask in (blueprint.actions, blueprint.strategy_by_bucket, blueprint.strategy_for_all_hands):
        with pytest.raises(IllegalActionError, match=r"^at token 2, '"):
            ask(f"r:0:c:{part}")


def test_one_hand_and_all_hands_agree(blueprint: Blueprint) -> None:
    every = blueprint.strategy_for_all_hands("r:0:b300")
    assert every.shape == (1326, 2)
    assert blueprint.actions("r:0:b300") == (-1, 0)
    np.testing.assert_array_equal(blueprint.strategy("r:0:b300", "AhKh"), every[combo("AhKh")])
    np.testing.assert_array_equal(
        every[combo("AhKh")], blueprint.strategy_by_bucket("r:0:b300")[class_index("AKs")]
    )
    line = "r:0:b300:c:Td9d6h:c"
    every = blueprint.strategy_for_all_hands(line, allow_missing=True)
    assert np.isnan(every[combo("TdAc")]).all()
    np.testing.assert_array_equal(blueprint.strategy(line, "AhKh"), every[combo("AhKh")])
    np.testing.assert_array_equal(
        blueprint.strategy("r:0:b300:c:c", "AhKh", "Td9d6h"), blueprint.strategy_by_bucket(line)[12]
    )


def test_states_can_be_asked(blueprint: Blueprint) -> None:
    state = HoldemGame(2, 1000, (50, 100)).initial_state().with_cards(["AhKh", "QsQd"], "Td9d6h2c3c")
    after = state.follow("b300:c")
    assert blueprint.player(after) == 0 == after.current_player()
    assert blueprint.action_names(after) == ("check", "bet 6bb")
    np.testing.assert_array_equal(
        blueprint.strategy(after, "AhKh"), blueprint.strategy("b300:c:Td9d6h", "AhKh")
    )


def test_what_cannot_be_answered_is_an_error(blueprint: Blueprint) -> None:
    with pytest.raises(IllegalActionError, match=r"'b250' is not in the tree after r:0; there is f, c, b300"):
        blueprint.strategy("r:0:b250", "AhKh")
    with pytest.raises(IllegalActionError, match="the hand is over"):
        blueprint.strategy("r:0:f", "AhKh")
    with pytest.raises(CardError, match="3 board cards lie at this decision; 0 are given"):
        blueprint.strategy("r:0:b300:c", "AhKh")
    with pytest.raises(CardError, match="is not the line's"):
        blueprint.strategy("r:0:b300:c:Td9d6h", "AhKh", "2c3c4c")
    with pytest.raises(CardError, match="two hole cards"):
        blueprint.strategy("r:0", "Ah")
    with pytest.raises(CardError, match="twice"):
        blueprint.strategy("r:0:b300:c:Td9d6h", "TdKh")
    with pytest.raises(ArtefactError, match=r"training never reached r:0:b300:c with 2d2h, bucket 1"):
        blueprint.strategy("r:0:b300:c:2c3c3d", "2d2h")
    with pytest.raises(ArtefactError, match=r"training never reached r:0:b300:c with \d+ hands such as"):
        blueprint.strategy_for_all_hands("r:0:b300:c:2c3c3d")


def test_the_manifest_says_how_it_came_about(blueprint: Blueprint) -> None:
    manifest = blueprint.manifest
    assert manifest["iterations"] == 20_000
    assert manifest["buckets"] == [169, 13, 13, 13]
    assert manifest["measured"] == {"lbr_mbb": 12.5}
    assert {"hours", "cores", "core_hours", "rule", "seed", "rows", "rows_never_reached"} <= manifest.keys()


def test_other_cards_and_damage_are_refused(trained: tuple[Trainer, Path], tmp_path: Path) -> None:
    _, path = trained

    class Other(BoardRanks):
        digest = "others"

    with pytest.raises(ArtefactError, match="its hash is board-ranks, these have others"):
        Blueprint.load(path, Other())
    with pytest.raises(ArtefactError, match="there is no blueprint"):
        Blueprint.load(tmp_path / "none.h5")
    (tmp_path / "text.h5").write_text("hello")
    with pytest.raises(ArtefactError, match="not a file of the kind 'overbet blueprint'"):
        Blueprint.load(tmp_path / "text.h5")


def test_a_flipped_byte_never_becomes_a_strategy(trained: tuple[Trainer, Path], tmp_path: Path) -> None:
    data, copy = trained[1].read_bytes(), tmp_path / "copy.h5"
    for place in np.random.default_rng(5).integers(0, len(data), 60).tolist():
        damaged = bytearray(data)
        damaged[place] ^= 2
        copy.write_bytes(bytes(damaged))
        with pytest.raises(ArtefactError):
            Blueprint.load(copy, BoardRanks())


def test_a_row_that_does_not_add_up_is_never_shown(blueprint: Blueprint) -> None:
    rows = blueprint.rows_of_255ths()
    made = DenseBlueprint(blueprint.config, blueprint.tree, blueprint.cards, rows, {})
    assert made.strategy("r:0", "AhAc").sum() == pytest.approx(1.0)
    rows += 1
    for ask in (
        lambda: made.strategy("r:0", "AhAc"),
        lambda: made.strategy_for_all_hands("r:0"),
        lambda: made.strategy_by_bucket("r:0"),
        made.rows_of_255ths,
    ):
        with pytest.raises(ArtefactError, match="does not add up to one"):
            ask()


def test_what_is_left_of_a_row_is_never_shown_where_it_grows(blueprint: DenseBlueprint) -> None:
    rows = blueprint.rows_of_255ths()
    made = [blueprint.config, blueprint.tree, blueprint.cards]
    where = (blueprint.tree.nodes, blueprint._record, blueprint.cards.counts)
    packed = packed_rows(*where, rows)
    stored = DenseBlueprint(*made, PackedRows(*where, **packed), {})
    np.testing.assert_array_equal(stored.rows_of_255ths(), rows)
    assert blueprint.node("r:0") == 0  # its numbers come first
    buckets = blueprint.cards.counts[0]
    for row in ((100, 150), (0, 255)):  # more is left than before
        damaged = packed["by_action"].copy()
        damaged[0 : 2 * buckets : buckets] = row
        shown = DenseBlueprint(*made, PackedRows(*where, damaged, packed["reached"]), {})
        with pytest.raises(ArtefactError, match="does not add up to one"):
            shown.strategy_by_bucket("r:0")
        with pytest.raises(ArtefactError, match="does not add up to one"):
            shown.rows_of_255ths()


def test_a_file_with_the_shares_themselves_is_read_too(
    trained: tuple[Trainer, Path], blueprint: DenseBlueprint, tmp_path: Path
) -> None:
    """As blueprints were written before, and with what is left after every action."""
    with open_blueprint(trained[1]) as file:
        head = file.head
    rows = blueprint.rows_of_255ths()
    left = np.full(len(rows), 255, np.uint8)
    for entry in _entries(blueprint):
        left[entry] = 255 - np.cumsum(rows[entry])
    for name, values in (("strategy", rows), ("left", left)):
        path = write_blueprint(tmp_path / "before.h5", head, {name: values})
        before = Blueprint.load(path, BoardRanks())
        np.testing.assert_array_equal(before.rows_of_255ths(), rows)
        for line in ("r:0", "r:0:c"):
            found, wanted = before.strategy_by_bucket(line), blueprint.strategy_by_bucket(line)
            np.testing.assert_array_equal(found, wanted)
        assert before.strategy("r:0", "AhAc").tolist() == blueprint.strategy("r:0", "AhAc").tolist()


def _entries(blueprint: DenseBlueprint) -> Iterator[slice]:
    """Yield where every row lies, decision by decision and bucket by bucket."""
    for node in np.flatnonzero(blueprint.tree.nodes.player >= 0).tolist():
        at = decision_at(blueprint._record, node)
        for bucket in range(blueprint.cards.counts[at.street]):
            first = at.first + at.step * bucket
            yield slice(first, first + at.actions)


def test_packed_rows_plainly(blueprint: DenseBlueprint) -> None:
    """Row by row in plain Python, rows that were never reached too."""
    rows, counts = blueprint.rows_of_255ths(), blueprint.cards.counts
    nodes, record = blueprint.tree.nodes, blueprint._record
    packed = packed_rows(nodes, record, counts, rows)
    numbers, bits = iter(packed["by_action"].tolist()), []
    for node in np.flatnonzero(nodes.player >= 0).tolist():
        at = decision_at(record, node)
        first, step = at.first, at.step
        decision = [
            rows[first + step * b : first + step * b + at.actions].tolist() for b in range(counts[at.street])
        ]
        for action in range(at.actions - 1):
            assert [next(numbers) for _ in decision] == [255 - sum(row[: action + 1]) for row in decision]
        bits += [any(row) for row in decision]
    assert next(numbers, None) is None
    assert np.unpackbits(packed["reached"])[: len(bits)].tolist() == bits
    assert not all(bits)  # the small run of the fixture does not reach all
    read = PackedRows(nodes, record, counts, **packed)
    np.testing.assert_array_equal(read.whole(), rows)
    for node in np.flatnonzero(nodes.player >= 0).tolist():
        at = decision_at(record, node)
        found = read.of_decision(node, at, counts[at.street])
        for bucket in range(0, counts[at.street], 3):
            first = at.first + at.step * bucket
            np.testing.assert_array_equal(found[bucket], rows[first : first + at.actions])
            np.testing.assert_array_equal(read.of_bucket(node, at, bucket), found[bucket])


def test_saving(trained: tuple[Trainer, Path], tmp_path: Path) -> None:
    trainer, path = trained
    with open_blueprint(path) as file:
        rows = sum(trainer.size.rows(trainer.cards.counts))
        assert file["by_action"].dtype == np.uint8
        assert len(file["by_action"]) == trainer.entries - rows
        assert file.head["config"]["name"] == "small"
    with pytest.raises(ConfigError, match=r"ends in \.h5"):
        save_blueprint(trainer, tmp_path / "x.bin")
    with pytest.raises(ConfigError, match="has not begun"):
        save_blueprint(Trainer(trainer.config, BoardRanks()), tmp_path / "x.h5")


def test_json_there_and_back(trained: tuple[Trainer, Path], blueprint: Blueprint, tmp_path: Path) -> None:
    path = tmp_path / "small.json"
    export_json(blueprint, path)
    again = import_json(path, BoardRanks())
    np.testing.assert_array_equal(again.rows_of_255ths(), blueprint.rows_of_255ths())
    again.save(tmp_path / "again.h5")
    with h5py.File(trained[1]) as file, h5py.File(tmp_path / "again.h5") as other:
        np.testing.assert_array_equal(other["by_action"][:], file["by_action"][:])
    assert again.manifest == blueprint.manifest
    facts = json.loads(path.read_text())
    path.write_text(path.read_text().replace("255", "254", 1))
    with pytest.raises(ArtefactError, match="does not match its seal"):
        import_json(path, BoardRanks())
    del facts["seal"]  # as one would who edits by hand
    assert facts["decisions"]["r:0"]["actions"] == [-1, 0, 300]
    facts["decisions"]["r:0"]["strategy"][0][0] += 1
    path.write_text(json.dumps(facts))
    with pytest.raises(ArtefactError, match="is damaged at r:0: rows are 255ths"):
        import_json(path, BoardRanks())
    del facts["decisions"]["r:0"]
    path.write_text(json.dumps(facts))
    with pytest.raises(ArtefactError, match="is damaged at r:0"):
        import_json(path, BoardRanks())
    facts["cards"] = "others"
    path.write_text(json.dumps(facts))
    with pytest.raises(ArtefactError, match="another buckets: its hash is others, here it is board-ranks"):
        import_json(path, BoardRanks())
    path.write_text("{")
    with pytest.raises(ArtefactError, match="damaged or not JSON"):
        import_json(path)
