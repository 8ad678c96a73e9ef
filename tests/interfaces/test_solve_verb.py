"""`overbet tree`, `overbet solve` and `overbet show` from the command line."""

from __future__ import annotations

import errno
import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import polars
import pytest
from typer.testing import CliRunner, Result

from overbet.artefact import writing
from overbet.errors import (
    ArtefactError,
    ConfigError,
    IllegalActionError,
    OverbetError,
    RangeError,
    TooLargeError,
)
from overbet.interfaces.cli.app import build
from overbet.solvers.vector.engine import VectorEngine

EXAMPLES = Path(__file__).parents[2] / "examples"
SPOT = """
board: KsTh7s4d2c
pot: 60
stacks: 150
big_blind: 10
ranges:
  oop: QQ-99,AKs,KQs,T9s,76s
  ip: JJ-77,AQs,KJs,QJs,87s
bets:
  every: {bet: 50%, raise: a}
solve:
  target: 0.3
  threads: 1
"""


def invoke(*arguments: str) -> Result:
    result = CliRunner().invoke(build(), list(arguments))
    if isinstance(result.exception, OverbetError):
        raise result.exception
    return result


def run(*arguments: str) -> str:
    result = invoke(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def spot(tmp_path: Path) -> Path:
    path = tmp_path / "spot.yaml"
    path.write_text(SPOT)
    return path


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("saved")
    path = folder / "spot.yaml"
    text = SPOT.replace("KsTh7s4d2c", "KsTh7s4d").replace("bet: 50%, raise: a", "bet: a").replace("150", "60")
    path.write_text(text)
    run("solve", str(path), "--iterations", "30", "--target", "0", "--save", str(folder / "turn.h5"))
    return folder / "turn.h5"


def test_the_tree_is_measured_before_it_is_built() -> None:
    text = run("tree", str(EXAMPLES / "flop.yaml"))
    assert "439,447" in text
    assert "82,064,240" in text
    assert "OOP begins with check, bet 120, all-in 900" in text
    assert "MB of it tables  (as set)" in text
    facts = json.loads(run("tree", str(EXAMPLES / "turn.yaml"), "--json"))
    assert facts["nodes"] == 27_501
    assert facts["action_hands"] == 16_218_482
    assert facts["bytes"]["int16"] < 0.7 * facts["bytes"]["float32"]
    assert [street["boards"] for street in facts["streets"]] == [1, 48]
    fewer = json.loads(run("tree", str(EXAMPLES / "turn.yaml"), "--set", "bets.every.bet=50%", "--json"))
    assert fewer["nodes"] < 8_000


def test_too_large_is_refused_with_the_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("overbet.machine.available_bytes", lambda: 100 << 20)
    for verb in ("tree", "solve"):
        with pytest.raises(
            TooLargeError, match=r"needs about [67]\d\d\.\d MB .* and 104\.9 MB are free; use precision"
        ):
            run(verb, str(EXAMPLES / "flop.yaml"))


def test_a_solve_shows_grid_totals_and_exploitability(spot: Path, tmp_path: Path) -> None:
    picture = tmp_path / "root.png"
    text = run("solve", str(spot), "--target", "0.2", "--plot", str(picture))
    lines = text.splitlines()
    assert "KsTh7s4d2c  r:0   pot 6 bb, SPR 2.50, OOP to act" in lines
    assert {"OOP strategy", "OOP EV, bb", "OOP equity, %"} <= set(lines)
    (bet,) = [line.split() for line in lines if ":b30" in line and "%" in line]
    assert bet[:4] == ["bet", "3bb", ":b30", bet[3]]
    assert bet[3].endswith("%")
    assert bet[-1] == "50%"
    assert any(line.split()[:2] == ["OOP", "(acts)"] for line in lines)
    last = next(line for line in lines if line.startswith("exploitability "))
    assert float(last.split()[1].removesuffix("%")) <= 0.2
    assert "of the pot after" in last
    assert picture.read_bytes().startswith(b"\x89PNG")
    short = run("solve", str(spot), "--grid", "strategy", "--node", "r:0:c:b30")
    assert "OOP EV, bb" not in short
    assert "3 bb to call, pot odds 25.0%, OOP to act" in short


def test_json_is_clean_and_complete(spot: Path) -> None:
    found = json.loads(
        run("solve", str(spot), "--node", "r:0:c", "--set", "pot=80", "--iterations", "50", "--json")
    )
    assert found["spot"]["pot"] == 80
    assert found["exploitability_percent_of_pot"] == found["history"][-1][1]
    assert sum(found["ev_chips"].values()) == pytest.approx(80)
    node = found["node"]
    assert node["kind"] == "ip"
    assert sum(action["frequency"] for action in node["actions"]) == pytest.approx(1)
    assert node["actions"][0]["action"] == "check"
    assert {"hand", "equity", "ev_bb", "realisation", "check"} <= set(node["hands"][0])
    assert "NaN" not in json.dumps(found)


def test_save_resume_and_show(spot: Path, tmp_path: Path) -> None:
    first, second, whole = (str(tmp_path / f"{name}.h5") for name in ("first", "second", "whole"))
    fixed = ("--target", "0", "--grid", "none")
    assert f"saved to {first}" in run("solve", str(spot), *fixed, "-n", "20", "--save", first)
    run("solve", str(spot), *fixed, "-n", "60", "--resume", first, "--save", second)
    run("solve", str(spot), *fixed, "-n", "60", "--save", whole)
    one, two = (json.loads(run("show", path, "--node", "r:0:b30", "--json")) for path in (second, whole))
    assert one["iterations"] == two["iterations"] == 60
    assert one["node"] == two["node"]
    assert "after 60 iterations" in run("show", whole)
    assert "IP to act" in run("show", whole, "--node", "r:0:b30")
    assert "IP range" in run("show", whole, "--player", "ip")


def test_reports_best_responses_and_exports(saved: Path, tmp_path: Path) -> None:
    cards = json.loads(run("show", str(saved), "--node", "r:0:c:c", "--report", "--json"))["cards"]
    assert len(cards) == 48
    assert sum(card["probability"] for card in cards) == pytest.approx(1)
    table = run("show", str(saved), "--node", "r:0:c:c", "--report", "--then", "c")
    assert len([line for line in table.splitlines() if line.split()[3:4] == ["ip"]]) == 48
    gains = json.loads(run("show", str(saved), "--exploit", "ip", "--json"))
    assert gains["gain_percent_of_pot"] > 0
    assert gains["hands"][0]["gain_chips"] >= gains["hands"][-1]["gain_chips"]
    assert "best response of IP at r:0" in run("show", str(saved), "--exploit", "ip")
    path = tmp_path / "all.parquet"
    words = run("show", str(saved), "--export", str(path), "--streets", "turn,river")
    assert f"wrote {len(polars.read_parquet(path)):,} rows to {path}" in words


def test_categories_and_tables_as_csv(saved: Path, tmp_path: Path) -> None:
    found = json.loads(run("show", str(saved), "--categories", "--json"))
    row = next(row for row in found["made"] if row["key"] == "set")
    assert sum(row["frequencies"]) == pytest.approx(1)
    words = run("show", str(saved), "--categories")
    assert "OOP made hands at r:0" in words
    assert f"{100 * row['share']:.1f}%" in next(line for line in words.splitlines() if "set " in line)
    parts, cards = tmp_path / "parts.csv", tmp_path / "cards.csv"
    run("show", str(saved), "--categories", "--player", "ip", "--csv", str(parts))
    assert polars.read_csv(parts)["share"].len() > 3
    run("show", str(saved), "--node", "r:0:c:c", "--report", "--csv", str(cards))
    frame = polars.read_csv(cards)
    assert len(frame) == 48
    assert frame["probability"].sum() == pytest.approx(1)
    with pytest.raises(ConfigError, match="--report or --categories"):
        run("show", str(saved), "--csv", str(cards))


def test_first_streets_are_saved_and_the_rest_solved_again(saved: Path, tmp_path: Path) -> None:
    part = str(tmp_path / "part.h5")
    spot = str(saved.parent / "spot.yaml")
    run("solve", spot, "--iterations", "30", "--save", part, "--streets", "1", "--grid", "none")
    text = " ".join(run("show", part, "--node", "r:0:c:c:2h").split())
    assert "The river was not saved: solved again" in text
    assert "holds turn only" in text


def test_ctrl_c_keeps_what_there_is(spot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = VectorEngine.run

    def cut_short(engine: VectorEngine, iterations: int) -> None:
        whole(engine, iterations)
        if engine.iteration >= 30:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(VectorEngine, "run", cut_short)
    path = tmp_path / "stopped.h5"
    result = invoke(
        "solve", str(spot), "--target", "0", "--save", str(path), "--set", "solve.check_every=10", "--json"
    )
    assert result.exit_code == 130
    found = json.loads(result.stdout)
    assert found["stopped"]
    assert found["iterations"] == 30
    assert "stopped early" in run("show", str(path))


def changed(old: str, new: str) -> Callable[[Path], None]:
    return lambda path: path.write_text(SPOT.replace(old, new)) and None


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (changed("stacks", "stakcs"), ConfigError, r"unknown key 'stakcs' \(did you mean 'stacks'\?\)"),
        (changed("bet: 50%", "bets: 50%"), ConfigError, r"'bets.every.bets' \(did you mean 'bet'\?\)"),
        (changed("target: 0.3", "tagret: 0.3"), ConfigError, r"'solve.tagret' \(did you mean 'target'\?\)"),
        (changed("QQ-99,AKs,KQs,T9s,76s", "KsTs"), RangeError, "the oop range has no hand left on Ks"),
        (changed("QQ-99,AKs,KQs,T9s,76s", "AhKh"), None, ""),
        (changed("pot: 60", "pot: 0"), ConfigError, "pot: Input should be greater than 0"),
        (changed("stacks: 150", "stacks: -5"), ConfigError, "a stack must be positive, not -5"),
        (changed("{bet: 50%, raise: a}", "{}"), ConfigError, "the bet menus yield no bet anywhere; give"),
        (changed("bet: 50%", "bet: half"), ConfigError, "bet size 'half' in 'half' is not one of 33%, 2.5x"),
        (changed("KsTh7s4d2c", "KsTh7s4d2"), ConfigError, "is not a list of cards"),
        (changed("QQ-99", "QQ-9"), ConfigError, "ranges.oop: range: 'QQ-9'"),
        (changed("pot: 60", "pot: [60"), ConfigError, "at line"),
    ],
)  # fmt: skip
def test_bad_spots_are_one_line_errors(
    spot: Path, change: Callable[[Path], None], error: type[OverbetError] | None, message: str
) -> None:
    change(spot)
    if error is None:
        run("solve", str(spot), "--iterations", "1", "--grid", "none")
        return
    for verb in ("tree", "solve"):
        with pytest.raises(error, match=message) as caught:
            run(verb, str(spot))
        assert "\n" not in str(caught.value)


def test_ranges_that_block_each_other(spot: Path) -> None:
    text = SPOT.replace("QQ-99,AKs,KQs,T9s,76s", "AhKh").replace("JJ-77,AQs,KJs,QJs,87s", "AhQh,AhJh")
    spot.write_text(text)
    with pytest.raises(RangeError, match="the two ranges block each other out"):
        run("solve", str(spot))


def test_bad_requests_fail_before_the_solve(
    spot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("the solve began")

    monkeypatch.setattr(VectorEngine, "run", never)
    with pytest.raises(IllegalActionError, match=r"'b31' is not possible after r:0 \(did you mean 'b30'\?\)"):
        run("solve", str(spot), "--node", "r:0:b31")
    with pytest.raises(ConfigError, match=r"end '.*x\.pkl' in \.h5"):
        run("solve", str(spot), "--save", str(tmp_path / "x.pkl"))
    with pytest.raises(ConfigError, match="add --save"):
        run("solve", str(spot), "--streets", "1")
    with pytest.raises(ConfigError, match="streets=2: KsTh7s4d2c has river: 1 to 1"):
        run("solve", str(spot), "--save", str(tmp_path / "x.h5"), "--streets", "2")
    with pytest.raises(ArtefactError, match="cannot draw"):
        run("solve", str(spot), "--plot", str(tmp_path / "x.txt"))
    with pytest.raises(ConfigError, match="unknown grid 'evs'"):
        run("solve", str(spot), "--grid", "evs")
    with pytest.raises(ConfigError, match=r"solve\.device: Input should be 'auto', 'cpu' or 'cuda'"):
        run("solve", str(spot), "--device", "tpu")
    with pytest.raises(ConfigError, match="cannot read"):
        run("solve", str(tmp_path / "none.yaml"))
    with pytest.raises(ArtefactError, match="there is no solution file"):
        run("solve", str(spot), "--resume", str(tmp_path / "none.h5"))


def test_truncated_files_and_full_disks(
    spot: Path, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut = tmp_path / "cut.h5"
    cut.write_bytes(saved.read_bytes()[:5000])
    with pytest.raises(ArtefactError, match="is cut short or too long: 5,000 bytes") as caught:
        run("show", str(cut))
    assert "save it again, or solve" in str(caught.value)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(writing, "_write", full)
    with pytest.raises(ArtefactError, match="No space left on device; what was there before is untouched"):
        run("solve", str(spot), "--iterations", "10", "--save", str(cut))
    assert len(cut.read_bytes()) == 5000


def test_the_program_itself_prints_one_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(SPOT.replace("stacks", "stakcs"))
    result = subprocess.run(
        [sys.executable, "-m", "overbet", "tree", str(path)], capture_output=True, text=True, check=False
    )
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
