"""Saved solutions: the same bits back, resumed runs, first streets only, damage, full disks."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import overbet
from overbet.artefact import writing
from overbet.errors import ArtefactError, ConfigError
from overbet.solvers.vector.api import load, solve
from overbet.solvers.vector.solution import Solution
from overbet.solvers.vector.tables import Table, parts
from tests.solvers.vector.spots import FLOP, RIVER, TURN

resource = pytest.importorskip("resource")


@pytest.fixture(scope="module")
def turn() -> Solution:
    return solve(TURN, iterations=40, target=0.0, threads=1)


@pytest.fixture
def saved(turn: Solution, tmp_path: Path) -> Path:
    turn.save(tmp_path / "turn.h5")
    return tmp_path / "turn.h5"


def bits(tables: list[Table] | None) -> list[bytes]:
    assert tables is not None
    return [array.tobytes() for table in tables for array in parts(table).values()]


def same_nodes(one: Solution, two: Solution, lines: list[str], tolerance: float = 0.0) -> None:
    for line in lines:
        for a, b in zip((one.node(line).oop, one.node(line).ip), (two.node(line).oop, two.node(line).ip)):
            np.testing.assert_array_equal(a.combos, b.combos)
            np.testing.assert_allclose(a.reach, b.reach, rtol=1e-6)
            np.testing.assert_allclose(a.ev_chips, b.ev_chips, atol=tolerance)
            np.testing.assert_allclose(a.equity, b.equity, rtol=1e-6)
            if a.strategy is not None:
                np.testing.assert_array_equal(a.strategy, b.strategy)


def test_a_file_gives_back_what_was_saved(turn: Solution, saved: Path) -> None:
    found = overbet.load(saved)
    assert found.spot == turn.spot
    assert found.settings == turn.settings
    assert found.history == turn.history
    assert found.exploitability == turn.exploitability
    assert found.iteration == 40
    assert bits(found.tables.average) == bits(turn.tables.average)
    same_nodes(found, turn, ["r:0", "r:0:c:b20", "r:0:c:c:2h", "r:0:c:b20:c:Kh:b60"])
    assert found.best_response("ip").gain == turn.best_response("ip").gain


@pytest.mark.parametrize(
    ("spot", "settings"),
    [
        (TURN, {"threads": 2}),
        (TURN, {"precision": "int16"}),
        (RIVER, {"rule": "pdcfr+"}),
        (FLOP, {"rule": "cfr+", "threads": 2}),
    ],
)
def test_a_resumed_run_is_the_run_that_was_never_stopped(
    spot: dict[str, Any], settings: dict[str, Any], tmp_path: Path
) -> None:
    settings = {"threads": 1, "target": 0.0, "check_every": 10} | settings
    whole = solve(spot, iterations=30, **settings)
    solve(spot, iterations=10, **settings).save(tmp_path / "a.h5")
    rest = solve(spot, iterations=30, resume=tmp_path / "a.h5", **settings)
    assert rest.iteration == 30
    for kind in ("average", "regret", "play"):
        assert bits(getattr(rest.tables, kind)) == bits(getattr(whole.tables, kind))
    assert [look.exploitability for look in rest.history] == [look.exploitability for look in whole.history]
    assert rest.seconds > rest.history[0].seconds
    again = solve(spot, iterations=30, resume=whole, **(settings | {"target": 100.0}))
    assert again.iteration == 30  # good enough already: nothing to do


def test_locks_survive(tmp_path: Path) -> None:
    locks = [{"line": "r:0", "hands": {"QQ": {"c": 0.25, "b30": 0.75}}}]
    settings: dict[str, Any] = {"threads": 1, "target": 0.0, "check_every": 10}
    whole = solve(RIVER, iterations=20, locks=locks, **settings)
    solve(RIVER, iterations=10, locks=locks, **settings).save(tmp_path / "a.h5")
    rest = solve(RIVER, iterations=20, resume=tmp_path / "a.h5", **settings)
    assert bits(rest.tables.regret) == bits(whole.tables.regret)
    assert rest.locks == whole.locks
    assert load(tmp_path / "a.h5").node().hand("QQ")["bet 3bb"] == pytest.approx(0.75)
    with pytest.raises(ConfigError, match="made with other locks"):
        solve(RIVER, resume=tmp_path / "a.h5", locks=[{"line": "r:0", "frequencies": {"c": 1}}], **settings)


@pytest.mark.parametrize("how", [{}, {"resumable": False}])
def test_what_is_never_played_is_not_forgotten(tmp_path: Path, how: dict[str, bool]) -> None:
    checks = [{"line": "r:0", "frequencies": {"c": 1}}]
    whole = solve(RIVER, iterations=40, target=0.0, threads=1, locks=checks)
    whole.save(tmp_path / "a.h5", **how)
    found = load(tmp_path / "a.h5")
    assert whole.node("r:0:b30:b150").hand("TsTc")["call"] > 0.99  # a set of tens calls: not half of the time
    same_nodes(found, whole, ["r:0", "r:0:b30:b150", "r:0:c:b30"], tolerance=1e-9)


def test_the_first_street_alone_and_the_rest_solved_again(
    turn: Solution, saved: Path, tmp_path: Path
) -> None:
    path = tmp_path / "first.h5"
    turn.save(path, streets=1)
    assert path.stat().st_size < saved.stat().st_size / 2
    found = load(path)
    assert found.streets == ("turn",)
    same_nodes(found, turn, [*turn.lines("turn"), "r:0:c:c", "r:0:b100:c:2h"], tolerance=1e-4)
    assert found.best_response("oop").gain == pytest.approx(turn.best_response("oop").gain, rel=1e-3)
    found.settings = found.settings.model_copy(update={"target": 0.05, "iterations": 2000})
    for line in ("r:0:c:c:2h", "r:0:c:b20:c:Kc:b60", "r:0:b20:c:4s:c"):
        again, before = found.node(line), turn.node(line)
        assert "The river was not saved: solved again" in again.note
        assert [a.token for a in again.actions] == [a.token for a in before.actions]
        assert (again.line, again.board, again.pot, again.to_call) == (
            before.line,
            before.board,
            before.pot,
            before.to_call,
        )
        np.testing.assert_array_equal(again.oop.combos, before.oop.combos)
    # the first node of a street is reached with the saved ranges
    again, before = found.node("r:0:c:b20:c:Kc"), turn.node("r:0:c:b20:c:Kc")
    np.testing.assert_allclose(again.oop.reach, before.oop.reach, rtol=1e-5)
    np.testing.assert_allclose(again.ip.reach, before.ip.reach, rtol=1e-5)
    assert again.ip.mean_equity == pytest.approx(before.ip.mean_equity, rel=1e-4)
    # the rake of this pot is 3 whatever happens, so the game here has one value: best responses to the old
    # strategies, which need not be good on a line this rare, bracket it
    low = 80 - 3 - turn.best_response("oop", "r:0:c:b20:c:Kc").ev
    high = turn.best_response("ip", "r:0:c:b20:c:Kc").ev
    assert low - 0.1 <= again.ip.mean_ev_chips <= high + 0.1
    assert again.oop.mean_ev_chips + again.ip.mean_ev_chips == pytest.approx(80 - 3)
    assert found.best_response("ip", "r:0:c:c:2h").gain < 0.2
    assert len(found.report("r:0:c:c")) == 48
    found.save(tmp_path / "copy.h5")  # what a partial file holds can be saved again
    assert load(tmp_path / "copy.h5").streets == ("turn",)


def test_the_donk_menu_is_that_of_the_whole_tree(tmp_path: Path) -> None:
    spot = TURN | {"bets": {"every": {"bet": "50%", "raise": "a", "donk": "25%"}}}
    whole = solve(spot, iterations=20, target=0.0, threads=1)
    whole.save(tmp_path / "a.h5", streets=1)
    part = load(tmp_path / "a.h5")
    for line in ("r:0:c:b20:c:2h", "r:0:b20:c:2h", "r:0:c:c:2h"):
        assert part.node(line).actions == whole.node(line).actions
    assert [a.token for a in part.node("r:0:c:b20:c:2h").actions] == ["c", "b40"]  # 25 % of 80


def test_two_streets_of_a_flop(tmp_path: Path) -> None:
    flop = solve(FLOP, target=0.1, threads=1)
    flop.save(tmp_path / "two.h5", streets=2)
    flop.save(tmp_path / "one.h5", streets=1)
    two, one = load(tmp_path / "two.h5"), load(tmp_path / "one.h5")
    same_nodes(two, flop, ["r:0", "r:0:c:c:9h", "r:0:c:c:9h:c"], tolerance=1e-4)
    assert "The turn was not saved" in one.node("r:0:c:c:9h:c:c:8d").note
    assert "The river was not saved" in two.node("r:0:c:c:9h:c:c:8d:b20").note
    near = flop.node("r:0:c:c:9h").oop.mean_ev_chips
    assert one.node("r:0:c:c:9h").oop.mean_ev_chips == pytest.approx(near, abs=0.2)


def test_saving_without_regrets_halves_the_file(turn: Solution, saved: Path, tmp_path: Path) -> None:
    path = tmp_path / "small.h5"
    turn.save(path, resumable=False)
    assert path.stat().st_size < 0.7 * saved.stat().st_size
    same_nodes(load(path), turn, ["r:0:c:c:2h:c"])
    with pytest.raises(ArtefactError, match="holds no regrets to resume from"):
        solve(TURN, resume=path)
    with pytest.raises(ArtefactError, match="hold no regrets"):
        solve(TURN, resume=load(path))


def test_damage_is_found(saved: Path, tmp_path: Path) -> None:
    content = saved.read_bytes()
    size = len(content)

    def damaged(data: bytes) -> Path:
        path = tmp_path / "damaged.h5"
        path.write_bytes(data)
        return path

    with pytest.raises(
        ArtefactError, match=rf"is cut short or too long: [\d,]+ bytes, not {size}; save it again, or"
    ):
        load(damaged(content[:-1000]))
    with pytest.raises(ArtefactError, match="is cut short"):
        load(damaged(content + b"x"))
    for place in (600, size // 3, size // 2, size - 5):
        with pytest.raises(ArtefactError, match="does not match its checksum"):
            load(damaged(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]))
    for other in (b"", b"PK", content[512:], b"\x89HDF" + bytes(5000)):
        with pytest.raises(ArtefactError, match="is not a file of the kind 'overbet solution'"):
            load(damaged(other))
    with pytest.raises(
        ArtefactError, match="has version 9 of the format 'overbet solution' and this program reads 2; use"
    ):
        load(damaged(content.replace(b"overbet solution 2\n", b"overbet solution 9\n", 1)))
    with pytest.raises(ArtefactError, match="there is no solution file"):
        load(tmp_path / "none.h5")


def test_a_full_disk_leaves_the_old_file(
    turn: Solution, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = saved.read_bytes()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(writing, "_write", full)
        with pytest.raises(
            ArtefactError, match="No space left on device; what was there before is untouched"
        ):
            turn.save(saved)
    # the real thing, wherever the disk happens to end
    for end in (100, 2000, len(before) // 4, len(before) // 2, len(before) - 100):
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (end, hard))
        try:
            with pytest.raises(ArtefactError, match="File too large; what was there before is untouched"):
                turn.save(saved)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert saved.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["turn.h5"]


def test_a_file_resumes_its_own_spot_only(saved: Path) -> None:
    with pytest.raises(ConfigError, match=r"made for another spot \(pot, stacks differ\)"):
        solve(TURN | {"pot": 50, "stacks": 90}, resume=saved)
    with pytest.raises(ConfigError, match="resume with the same rule"):
        solve(TURN, rule="cfr+", resume=saved)
    with pytest.raises(ConfigError, match="precision float32; resume with the same"):
        solve(TURN, precision="int16", resume=saved)


def test_names_and_streets_are_checked(turn: Solution, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"end '.*a\.pickle' in \.h5 or \.hdf5"):
        turn.save(tmp_path / "a.pickle")
    with pytest.raises(ConfigError, match="streets=3: KsTs7s4d has turn, river: 1 to 2"):
        turn.save(tmp_path / "a.h5", streets=3)
    turn.save(tmp_path / "a.h5", streets=1)
    with pytest.raises(ConfigError, match=r"holds 1 street\(s\) only \(turn\)"):
        load(tmp_path / "a.h5").save(tmp_path / "b.h5", streets=2)
    with pytest.raises(ConfigError, match="later streets need the whole tree"):
        load(tmp_path / "a.h5").export(tmp_path / "b.csv", ("river",))


def test_a_file_cannot_bring_in_another_one(saved: Path, tmp_path: Path) -> None:
    """A table in HDF5's external storage, under the right checksum: the other file's bytes never appear."""
    import hashlib

    import h5py

    secret = np.full(1 << 20, 0.123, np.float32)
    secret.tofile(tmp_path / "secret")
    with h5py.File(saved, "r+") as file:
        for name in ("average/oop/values", "average/ip/values"):
            shape, kind = file[name].shape, file[name].dtype
            del file[name]
            file.create_dataset(
                name, shape, kind, external=[(str(tmp_path / "secret"), 0, shape[0] * kind.itemsize)]
            )
    data = saved.read_bytes()
    lines = data[:512].rstrip(b"\0").decode().splitlines()
    lines[1], lines[2] = str(len(data)), hashlib.sha256(data[512:]).hexdigest()
    saved.write_bytes(("\n".join(lines) + "\n").encode().ljust(512, b"\0") + data[512:])
    try:
        found = overbet.load(saved).tables.average
    except ArtefactError:
        return
    assert not any((array == np.float32(0.123)).any() for table in found for array in parts(table).values())


def test_first_streets_without_their_values_are_damaged(turn: Solution, tmp_path: Path) -> None:
    from overbet import artefact
    from overbet.solvers.vector.store import KIND

    path = tmp_path / "turn.h5"
    turn.save(path, streets=1)
    with artefact.opened(path, KIND) as file:
        head, arrays = file.head, {name: file[name].whole() for name in file.names}
    name = "values/follow/oop/turn"
    for changed in (arrays.keys() - {name}, arrays.keys()):
        artefact.write(path, KIND, head, {k: arrays[k][:0] if k == name else arrays[k] for k in changed})
        with pytest.raises(ArtefactError, match="is damaged"):
            load(path)
