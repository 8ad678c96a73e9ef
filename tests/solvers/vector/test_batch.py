"""One spot on many boards: rows, averages, folders that go on, folders that are refused."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from overbet.errors import ArtefactError, ConfigError, OverbetError, RangeError
from overbet.solvers.vector.api import read_source, solve
from overbet.solvers.vector.batches import batch as module
from overbet.solvers.vector.batches.batch import Batch, BatchProgress, solve_batch
from overbet.solvers.vector.batches.flops import board_set

SPOT: dict[str, Any] = {
    "board": "KsTh7s4d2c",
    "pot": 60,
    "stacks": 150,
    "big_blind": 10,
    "ranges": {"oop": "QQ-99,AKs,KQs,T9s,76s:0.5", "ip": "JJ-77,AQs,KJs,QJs,87s"},
    "bets": {"every": {"bet": "50%", "raise": "a"}},
    "solve": {"target": 0.5, "iterations": 300, "threads": 1},
}
RIVERS = ["KsTh7s4d2c", ("AhKd9c5s3h", 2.0), ("QhJd8c8s2d", 0.5), "9s8s7s6d2h"]
LINES = ("r:0", "r:0:c", "r:0:b30")


@pytest.fixture(scope="module")
def whole() -> Batch:
    """All rivers solved at one go."""
    return solve_batch(SPOT, RIVERS, lines=LINES)


def rows_of(found: Batch) -> list[dict[str, Any]]:
    """Return the rows without the times."""
    return [{key: value for key, value in row.items() if key != "seconds"} for row in found.rows]


def test_rows_are_what_each_board_gives(whole: Batch) -> None:
    found = whole
    assert found.complete
    assert not found.interrupted
    assert [row["board"] for row in found.rows] == ["KsTh7s4d2c", "AhKd9c5s3h", "QhJd8c8s2d", "9s8s7s6d2h"]
    for row in found.rows:
        alone = solve({**SPOT, "board": row["board"]})
        assert row["oop_ev_chips"] == alone.ev("oop")
        assert row["ip_ev_chips"] == alone.ev("ip")
        root = alone.node()
        assert row["oop_equity"] == root.oop.mean_equity
        assert row["oop_realisation"] == pytest.approx(row["oop_ev_chips"] / row["oop_equity"] / 60)
        assert [row["r:0 check"], row["r:0 bet 3bb"]] == pytest.approx(root.oop.frequencies())
        assert row["r:0 played"] == 1
        assert row["r:0:c played"] == pytest.approx(row["r:0 check"])
        assert row["r:0:b30 played"] == pytest.approx(row["r:0 bet 3bb"])
        answers = alone.node("r:0:c").ip.frequencies()
        assert [row["r:0:c check"], row["r:0:c bet 3bb"]] == pytest.approx(answers)
        assert row["r:0:b30 fold"] + row["r:0:b30 call"] + row["r:0:b30 all-in 15bb"] == pytest.approx(1)
        assert row["exploitability"] <= 0.5


def test_frame_and_averages(whole: Batch) -> None:
    found = whole
    frame = found.to_polars()
    assert frame.columns[:3] == ["board", "weight", "probability"]
    assert frame["probability"].sum() == pytest.approx(1)
    assert frame["weight"].to_list() == pytest.approx([w / 4.5 for w in (1, 2, 0.5, 1)])
    assert frame["oop_ev_bb"].to_list() == pytest.approx((frame["oop_ev_chips"] / 10).to_list())
    means = found.averages()
    share = frame["probability"].to_numpy()
    assert means["oop_ev_chips"] == pytest.approx(share @ frame["oop_ev_chips"].to_numpy())
    assert means["oop_ev_chips"] + means["ip_ev_chips"] == pytest.approx(60, rel=1e-5)
    assert means["oop_equity"] + means["ip_equity"] == pytest.approx(1)
    assert means["oop_realisation"] == pytest.approx(means["oop_ev_chips"] / means["oop_equity"] / 60)
    # how often a bet follows a check, over all deals
    times = share * frame["r:0:c played"].to_numpy()
    assert means["r:0:c bet 3bb"] == pytest.approx(times @ frame["r:0:c bet 3bb"].to_numpy() / times.sum())
    assert means["r:0:c bet 3bb"] + means["r:0:c check"] == pytest.approx(1)


def test_boards_come_as_often_as_the_ranges_let_them() -> None:
    """A board that holds cards of the ranges leaves fewer pairs of hands, and comes less often."""
    spot = {**SPOT, "ranges": {"oop": "AA", "ip": "KK"}}
    found = solve_batch(spot, ["AhKd9c5s3h", "QhJd8c8s2d"], iterations=5, target=0)
    assert [row["pairs"] for row in found.rows] == [3 * 3, 6 * 6]
    assert found.to_polars()["probability"].to_list() == pytest.approx([0.2, 0.8])


def test_a_stopped_batch_goes_on(whole: Batch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solved: list[str] = []

    def counting(file: Any, **rest: Any) -> Any:
        solved.append(file.board)
        return solve(file, **rest)

    monkeypatch.setattr(module, "solve", counting)
    folder = tmp_path / "kept"
    states: list[BatchProgress] = []

    def stop_at_two(state: BatchProgress) -> bool:
        states.append(state)
        return state.done < 2

    first = solve_batch(SPOT, RIVERS, folder, lines=LINES, progress=stop_at_two)
    assert first.interrupted
    assert not first.complete
    assert len(first.rows) == 2
    assert solved == ["KsTh7s4d2c", "AhKd9c5s3h"]
    assert states[0] == BatchProgress(0, 4, "KsTh7s4d2c", None, None)
    assert states[-1].seconds_left is not None
    assert any(state.look is not None for state in states)

    second = solve_batch(SPOT, RIVERS, folder, lines=LINES)
    assert solved == ["KsTh7s4d2c", "AhKd9c5s3h", "QhJd8c8s2d", "9s8s7s6d2h"]
    assert second.complete
    assert rows_of(second) == rows_of(whole)
    solve_batch(SPOT, RIVERS, folder, lines=LINES)
    assert len(solved) == 4  # nothing left to do

    # another set of boards may use what is there; a damaged file is solved again
    (folder / "boards" / "QhJd8c8s2d.json").write_text('{"pairs": 1', encoding="utf-8")
    third = solve_batch(SPOT, [*RIVERS[2:], "2c2d2h2s3c"], folder, lines=LINES)
    assert solved[4:] == ["QhJd8c8s2d", "2c2d2h2s3c"]
    assert rows_of(third)[0]["oop_ev_chips"] == rows_of(whole)[2]["oop_ev_chips"]


def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    def interrupt(state: BatchProgress) -> None:
        if state.done == 1 and state.look is not None:
            raise KeyboardInterrupt

    found = solve_batch(SPOT, RIVERS, tmp_path / "kept", progress=interrupt)
    assert found.interrupted
    assert len(found.rows) == 1
    assert [path.name for path in (tmp_path / "kept" / "boards").iterdir()] == ["KsTh7s4d2c.json"]


def test_a_folder_of_another_question_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    solve_batch(SPOT, RIVERS[:1], folder)
    for changes, words in (
        ({"pot": 61}, "spot.pot"),
        ({"ranges": {"oop": "AA", "ip": "KK"}}, "spot.ranges"),
        ({"solve": {"target": 0.1, "iterations": 300}}, "solve.target"),
        ({"locks": [{"line": "r:0", "frequencies": {"c": 1.0}}]}, "spot.locks"),
    ):
        with pytest.raises(ArtefactError, match=f"another question .*{words}.*another folder"):
            solve_batch({**SPOT, **changes}, RIVERS[:1], folder)
    with pytest.raises(ArtefactError, match="lines differs"):
        solve_batch(SPOT, RIVERS[:1], folder, lines=("r:0", "r:0:c"))
    # how many threads work on it, and the spot's own board, are no part of the question
    again = {**SPOT, "board": "AsKd2c", "solve": {**SPOT["solve"], "threads": 2}}
    assert solve_batch(again, RIVERS[:1], folder).complete


def test_folders_that_are_no_batch(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(ArtefactError, match="holds other files"):
        solve_batch(SPOT, RIVERS[:1], tmp_path)
    folder = tmp_path / "kept"
    solve_batch(SPOT, RIVERS[:1], folder)
    manifest = folder / "batch.json"
    content = json.loads(manifest.read_text(encoding="utf-8"))
    manifest.write_text(json.dumps({**content, "version": 99}), encoding="utf-8")
    with pytest.raises(ArtefactError, match="version 99"):
        solve_batch(SPOT, RIVERS[:1], folder)
    manifest.write_text("{", encoding="utf-8")
    with pytest.raises(ArtefactError, match="damaged"):
        solve_batch(SPOT, RIVERS[:1], folder)


def test_flops_up_to_suits_need_ranges_without_suits() -> None:
    subset = board_set(25)
    lopsided = {**SPOT, "ranges": {"oop": "AA,KsQs", "ip": "JJ"}}
    with pytest.raises(ConfigError, match="oop range treats suits differently"):
        solve_batch(lopsided, subset)
    one = solve_batch(lopsided, ["AhKd9c5s3h"], iterations=2, target=0)  # a list stands for itself
    assert one.complete


def test_lines_that_cannot_be_compared() -> None:
    turns = ["KsTh7s4d"]
    for line, words in (("r:0:c:c:2c", "deals a card"), ("r:0:c:c", "nobody decides"), ("r:0:b99", "b99")):
        with pytest.raises(OverbetError, match=words):
            solve_batch(SPOT, turns, lines=(line,))


def test_a_board_that_leaves_a_range_nothing() -> None:
    with pytest.raises(RangeError, match="no hand left"):
        solve_batch({**SPOT, "ranges": {"oop": "AsKs", "ip": "QQ"}}, ["AsKd2c7h8h"])


def test_a_few_flops(tmp_path: Path) -> None:
    """Flops of a subset, with locks; the same numbers whatever the settings of the machine."""
    spot = {
        **SPOT,
        "board": "AsKd2c",
        "stacks": 40,
        "ranges": {"oop": "AA,76s", "ip": "KK,QJs"},
        "bets": {"every": {"bet": "a"}},
        "locks": [{"line": "r:0", "frequencies": {"c": 1.0}}],
        "solve": {"target": 2.0, "threads": 1},
    }
    subset = board_set(25)
    some = subset._replace(boards=subset.boards[:2], weights=subset.weights[:2])
    found = solve_batch(spot, some, tmp_path / "kept")
    assert [row["r:0 check"] for row in found.rows] == pytest.approx([1, 1])
    assert all(0 <= row["exploitability"] <= 2 for row in found.rows)
    assert not math.isnan(found.averages()["oop_realisation"])
    assert np.isclose(sum(found.averages()[f"{p}_equity"] for p in ("oop", "ip")), 1)
    assert read_source(spot).locks
