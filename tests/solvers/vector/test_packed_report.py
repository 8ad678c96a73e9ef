"""A report in one file: the same figures within its rounding, and damaged files in one line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import overbet
from overbet.errors import ArtefactError, ConfigError
from overbet.solvers.vector.batches.batch import Batch, load_batch, solve_batch
from overbet.solvers.vector.batches.flops import board_set
from overbet.solvers.vector.batches.packed import SHIPPED, find_report, load_report, read_report
from overbet.solvers.vector.batches.street import FIGURES
from tests.solvers.vector.test_batch import RIVERS, SPOT


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Batch:
    return solve_batch(SPOT, RIVERS, tmp_path_factory.mktemp("batch") / "kept")


def test_a_file_says_what_the_folder_says(kept: Batch, tmp_path: Path) -> None:
    path = kept.save(tmp_path / "rivers.h5", "made in an afternoon")
    found = overbet.load(path, Batch)
    assert found.cost == "made in an afternoon"
    assert (found.lines, found.boards, found.spot) == (kept.lines, kept.boards, kept.spot)
    assert load_batch(path).rows == found.rows
    for ours, theirs in zip(found.rows, kept.rows, strict=True):
        assert (ours["board"], ours["weight"], ours["pairs"]) == (
            theirs["board"],
            theirs["weight"],
            theirs["pairs"],
        )
        for name in FIGURES:
            assert [one is None for one in ours[name]] == [one is None for one in theirs[name]]
            pairs = [(a, b) for a, b in zip(ours[name], theirs[name]) if b is not None]
            np.testing.assert_allclose(*zip(*pairs), rtol=2**-14)
        assert [len(part) for part in ours["frequencies"]] == [len(part) for part in theirs["frequencies"]]
        assert ours["exploitability"] == theirs["exploitability"]
    assert found.averages("r:0:c")["oop_ev_chips"] == pytest.approx(
        kept.averages("r:0:c")["oop_ev_chips"], rel=1e-4
    )
    question = read_report(path)[1]
    assert (question.solve.target, question.board) == (0.5, "KsTh7s4d2c")
    with pytest.raises(ConfigError, match="was not kept"):
        found.solution("KsTh7s4d2c")


def test_what_cannot_be_saved_or_read_is_a_line(kept: Batch, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="a report's name ends in"):
        kept.save(tmp_path / "rivers.json")
    with pytest.raises(ConfigError, match="saved from the folder of a batch"):
        solve_batch(SPOT, RIVERS[:1]).save(tmp_path / "alone.h5")
    with pytest.raises(ArtefactError):
        load_report(tmp_path / "none.h5")
    path = kept.save(tmp_path / "rivers.h5")
    content = path.read_bytes()
    rng = np.random.default_rng(1)
    for number in range(30):
        broken = bytearray(content)
        broken[int(rng.integers(len(broken)))] ^= int(rng.integers(1, 256))
        other = tmp_path / f"{number}.h5"
        other.write_bytes(bytes(broken))
        with pytest.raises(ArtefactError):
            load_report(other)
    assert find_report(Path("somewhere")) == Path("somewhere")


def test_the_shipped_report_has_every_flop() -> None:
    found = load_report(find_report(Path("all-flops")))
    assert find_report(Path("all-flops")) == SHIPPED
    assert found.complete
    assert found.boards.boards == board_set("all").boards
    assert max(row["exploitability"] for row in found.rows) <= 1.0
    assert "two cores" in found.cost
    for line in found.lines:
        report = found.at(line)
        assert sum(row["probability"] for row in report.rows) == pytest.approx(1.0)
        for row in report.rows[::50]:  # both players' EVs are the pot, and an action is taken
            if row["oop_ev_chips"] is not None and row["ip_ev_chips"] is not None:
                assert row["oop_ev_chips"] + row["ip_ev_chips"] == pytest.approx(row["pot_chips"], rel=2e-3)
