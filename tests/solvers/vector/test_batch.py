"""One spot on many boards: rows, averages, folders that go on, folders that are refused."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pytest

from overbet import artefact
from overbet.errors import ArtefactError, ConfigError, RangeError
from overbet.solvers.vector.api import read_source, solve
from overbet.solvers.vector.batches import batch as module
from overbet.solvers.vector.batches.batch import Batch, BatchProgress, load_batch, solve_batch
from overbet.solvers.vector.batches.flops import board_set
from overbet.solvers.vector.batches.timing import BoardSizes, spent_seconds
from overbet.solvers.vector.solution import Solution

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


@pytest.fixture(scope="module")
def whole() -> Batch:
    """All rivers solved at one go."""
    return solve_batch(SPOT, RIVERS)


def rows_of(found: Batch) -> list[dict[str, Any]]:
    """Return the rows without the times."""
    return [
        {key: value for key, value in row.items() if key not in ("seconds", "spent")} for row in found.rows
    ]


def compare(found: Batch, board: str, alone: Solution) -> None:
    """Check every figure of a board with those of its solution, at every line of the first street."""
    assert set(alone.lines()) <= set(found.lines)
    for line in found.lines:
        node = alone.node(line)
        report = found.at(line)
        (row,) = [row for row in report.rows if row["board"] == board]
        assert row["pot_chips"] == node.pot
        assert report.node.acts == (node.player or "")
        for seat in (node.oop, node.ip):
            for name in ("ev_chips", "equity", "realisation"):
                value = getattr(seat, f"mean_{name}")
                assert row[f"{seat.player}_{name}"] == (
                    None if math.isnan(value) else pytest.approx(value, rel=1e-6, abs=1e-6)
                )
        if node.player:
            assert row["frequencies"] == pytest.approx(node.seat().frequencies(), abs=1e-7)
            assert list(report.node.columns) == [action.label for action in node.actions]


def test_rows_are_what_each_board_gives(whole: Batch) -> None:
    found = whole
    assert found.complete
    assert not found.interrupted
    assert [row["board"] for row in found.rows] == ["KsTh7s4d2c", "AhKd9c5s3h", "QhJd8c8s2d", "9s8s7s6d2h"]
    assert found.lines == ("r:0", "r:0:c", "r:0:b30", "r:0:c:b30", "r:0:b30:b150", "r:0:c:b30:b150")
    for row in found.rows:
        compare(found, row["board"], solve({**SPOT, "board": row["board"]}))
        assert row["exploitability"] <= 0.5
    frame, checked, bet = (found.to_polars(line) for line in ("r:0", "r:0:c", "r:0:b30"))
    assert frame["played"].to_list() == [1] * 4
    assert checked["played"].to_list() == pytest.approx(frame["check"].to_list())
    assert bet["played"].to_list() == pytest.approx(frame["bet 3bb"].to_list())
    assert bet.select("fold", "call", "all-in 15bb").sum_horizontal().to_list() == pytest.approx([1] * 4)


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
    later, after = found.to_polars("r:0:c"), found.averages("r:0:c")
    times = share * later["played"].to_numpy()
    assert after["bet 3bb"] == pytest.approx(times @ later["bet 3bb"].to_numpy() / times.sum())
    assert after["bet 3bb"] + after["check"] == pytest.approx(1)
    assert after["ip_ev_chips"] == pytest.approx(times @ later["ip_ev_chips"].to_numpy() / times.sum())
    assert after["played"] == pytest.approx(means["check"])


def test_every_line_in_one_frame(whole: Batch) -> None:
    frame = whole.every_line()
    assert set(frame["line"]) == set(whole.lines)
    one = frame.row(
        by_predicate=(polars.col("line") == "r:0:c")
        & (polars.col("action") == "bet 3bb")
        & (polars.col("board") == "AhKd9c5s3h"),
        named=True,
    )
    row = whole.to_polars("r:0:c").row(by_predicate=polars.col("board") == "AhKd9c5s3h", named=True)
    assert (one["frequency"], one["ip_ev_chips"]) == (row["bet 3bb"], row["ip_ev_chips"])


def test_groups_filters_and_order(whole: Batch) -> None:
    report = whole.at("r:0:c")
    assert [row["suits"] for row in report.rows] == ["two-tone", "rainbow", "rainbow", "monotone"]
    assert [row["board"] for row in report.only(suits="rainbow", high_card=["A", "K"]).rows] == ["AhKd9c5s3h"]
    groups = report.groups("suits")
    assert list(groups) == ["rainbow", "two-tone", "monotone"]  # the order of the textures, none empty
    assert sum(part.averages()["probability"] for part in groups.values()) == pytest.approx(1)
    # the mean over all is the mean over groups, by how often each gets there
    parts = [part.averages() for part in groups.values()]
    times = [part["probability"] * part["played"] for part in parts]
    mean = sum(time * part["bet 3bb"] for time, part in zip(times, parts)) / sum(times)
    assert report.averages()["bet 3bb"] == pytest.approx(mean)
    assert report.to_polars("suits")["boards"].to_list() == [2, 1, 1]
    evs = [row["ip_ev_chips"] for row in report.sorted("ip_ev_chips").rows]
    assert evs == sorted(evs, reverse=True)
    shares = [row["frequencies"][1] for row in report.sorted("bet 3bb", descending=False).rows]
    assert shares == sorted(shares)
    for action, words in (
        (lambda: report.sorted("colour"), "unknown column"),
        (lambda: report.groups("colour"), "unknown texture"),
        (lambda: report.only(suits="mono"), "unknown suits 'mono'.*monotone"),
        (lambda: report.only(suits="two-tone", high_card="2").to_polars(), "no solved board"),
    ):
        with pytest.raises(ConfigError, match=words):
            action()


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

    first = solve_batch(SPOT, RIVERS, folder, progress=stop_at_two)
    assert first.interrupted
    assert not first.complete
    assert len(first.rows) == 2
    assert solved == ["KsTh7s4d2c", "AhKd9c5s3h"]
    assert states[0] == BatchProgress(0, 4, "KsTh7s4d2c", None, None)
    assert states[-1].seconds_left is not None
    assert any(state.look is not None for state in states)

    second = solve_batch(SPOT, RIVERS, folder)
    assert solved == ["KsTh7s4d2c", "AhKd9c5s3h", "QhJd8c8s2d", "9s8s7s6d2h"]
    assert second.complete
    assert rows_of(second) == rows_of(whole)
    solve_batch(SPOT, RIVERS, folder)
    assert len(solved) == 4  # nothing left to do

    # another set of boards may use what is there; a damaged file is solved again
    (folder / "boards" / "QhJd8c8s2d.json").write_text('{"pairs": 1', encoding="utf-8")
    third = solve_batch(SPOT, [*RIVERS[2:], "2c2d2h2s3c"], folder)
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


def test_lines_that_are_not_there(whole: Batch) -> None:
    for line, words in (
        ("r:0:c:c", r"possible: r:0:c:b30 \(bet 3bb\)"),
        ("r:0:b99", r"possible: r:0:c \(check\), r:0:b30"),
        ("x", "does not begin with r:0"),
    ):
        with pytest.raises(ConfigError, match=words):
            whole.at(line)


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
    assert found.to_polars()["check"].to_list() == pytest.approx([1, 1])
    board = found.rows[0]["board"]
    compare(found, board, solve({**spot, "board": board}))
    assert found.at("r:0:c:c").node.acts == ""  # the turn comes: both players' EV are there all the same
    with pytest.raises(ConfigError, match="where the first street ends"):
        found.at("r:0:c:c:c")
    assert all(0 <= row["exploitability"] <= 2 for row in found.rows)
    assert not math.isnan(found.averages()["oop_realisation"])
    assert np.isclose(sum(found.averages()[f"{p}_equity"] for p in ("oop", "ip")), 1)
    assert read_source(spot).locks


def test_solutions_are_kept_by_choice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    turn = {
        **SPOT,
        "board": "KsTh7s4d",
        "bets": {"every": {"bet": "a"}},
        "solve": {"target": 3, "threads": 1},
    }
    boards, folder = ["KsTh7s4d", "QhJd8c8s"], tmp_path / "kept"
    plain = solve_batch(turn, boards, folder)
    with pytest.raises(ConfigError, match="was not kept"):
        plain.solution("KsTh7s4d")
    solve_batch(turn, boards[:1], folder, keep="street")  # what lacks a solution is solved again
    (row,) = load_batch(folder).rows
    at_most, street_bytes = BoardSizes(read_source(turn)).kept_bytes(boards[:1]), row["bytes"]
    assert row["saved"] == "street"
    assert street_bytes < at_most["street"] < at_most["all"]
    kept = solve_batch(turn, boards, folder, keep="all")
    for row in kept.rows:
        solution = load_batch(folder).solution(row["board"])
        assert solution.streets == ("turn", "river")
        compare(kept, row["board"], solution)
        assert row["bytes"] == (folder / f"solutions/{row['board']}.h5").stat().st_size
        assert street_bytes < row["bytes"] < at_most["all"]
    monkeypatch.setattr(module, "solve", None)
    assert solve_batch(turn, boards, folder, keep="street").complete  # all holds the street
    (folder / "solutions/QhJd8c8s.h5").unlink()
    assert [row["saved"] for row in load_batch(folder).rows] == ["all", "nothing"]
    with pytest.raises(ConfigError, match="name one"):
        solve_batch(turn, boards, keep="all")
    with pytest.raises(ConfigError, match="known: nothing, street, all"):
        solve_batch(turn, boards, folder, keep="everything")  # type: ignore[arg-type]


def test_the_time_is_measured_on_solved_boards(tmp_path: Path) -> None:
    found = solve_batch(SPOT, RIVERS, tmp_path / "kept", most=1)
    assert (len(found.rows), found.interrupted, found.complete) == (1, False, False)
    assert found.seconds_left() == pytest.approx(3 * found.rows[0]["spent"], rel=0.2)
    nothing = solve_batch(SPOT, RIVERS, progress=lambda state: False)
    assert nothing.seconds_left() is None

    sizes = BoardSizes(read_source({**SPOT, "board": "AsKd2c"}))
    rainbow, monotone = (sizes.size(board).action_hands for board in ("AsKd7c", "AsKs7s"))
    assert rainbow > 1.5 * monotone  # boards that mirror each other are kept once
    assert sizes.seconds([("9s8s7s", 2.0)], ["AsKd7c", "QsJs2s"]) == pytest.approx(
        2 * (rainbow + monotone) / monotone
    )
    assert sizes.seconds([], ["AsKd7c"]) is None
    # a trial takes a board of middling size, or the time would be that of an odd one
    assert sizes.typical(["AsKs7s", "AsKd7c", "AsKs7d"]) == ["AsKs7d", "AsKs7s", "AsKd7c"]


def test_compilation_is_no_part_of_the_time() -> None:
    """The first ten iterations took 30 s, the next ten 1 s: a board takes 2 s, and what comes after it."""
    assert spent_seconds([(10, 30.0), (20, 31.0)], 31.5) == pytest.approx(2.5)
    assert spent_seconds([(10, 1.0), (20, 2.0)], 2.5) == pytest.approx(2.5)
    assert spent_seconds([(10, 1.0)], 1.5) == 1.5


def test_a_folder_of_the_version_before_is_refused_in_one_line(tmp_path: Path) -> None:
    artefact.write_json(
        tmp_path / "batch.json", artefact.Kind("batch", 2, ""), {"spot": {}, "solve": {}, "lines": ["r:0"]}
    )
    for action in (lambda: load_batch(tmp_path), lambda: solve_batch(SPOT, RIVERS, tmp_path)):
        with pytest.raises(ArtefactError, match=r"version 2.*reads 3; name another folder") as caught:
            action()
        assert "\n" not in str(caught.value)
