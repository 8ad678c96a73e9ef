"""`overbet hands`: importing, listing, replaying on keys and on paper, results, export, deleting."""

from __future__ import annotations

import io
import json
from pathlib import Path

import polars as pl
import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from overbet.evaluation.statistics import interval_of
from overbet.hands import HandDatabase, import_hands
from overbet.interfaces.cli.app import build
from overbet.interfaces.cli.hand_replayer import browse_hand, print_hand
from overbet.interfaces.history.phh_writer import write_hand, write_hands
from overbet.interfaces.history.sources import read_hands
from tests.interfaces.hands.corpus import random_records, random_text, written

RUNNER = CliRunner()
DEAL = "d dh p1 AsAd, d dh p2 KsKd, d dh p3 QsQd, d dh p4 ????, "
SHOWN = written(
    DEAL + "p3 cbr 25, p4 f, p1 cbr 90, p2 f, p3 cc, d db 9s8s2s, p1 cbr 95, p3 cc, d db 3c, p1 cc, p3 cc, "
    "d db 4d, p1 cc, p3 cc, p1 sm AsAd, p3 sm QsQd",
    year=2024,
    month=1,
    day=31,
)


def run(data: Path, *words: object, stdin: str | None = None) -> Result:
    command = ["hands", *(str(word) for word in words), "--data", str(data)]
    return RUNNER.invoke(build("hands"), command, input=stdin)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The data folder of a database with thirty random hands and one that is known, number 31."""
    (tmp_path / "hands.phhs").write_text(write_hands([*random_records(30), SHOWN]), encoding="utf-8")
    folder = tmp_path / "data"
    with HandDatabase(folder) as database:
        import_hands(database, tmp_path / "hands.phhs")
    return folder


def test_import_reports_what_came_of_it(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    text = random_text(4) + "\n[5]\n" + write_hand(SHOWN).replace('"NT"', '"FT"', 1)
    text += "\n[6]\n" + write_hand(SHOWN).replace("p4 f", "p4 ff")
    (tmp_path / "in" / "a.phhs").write_text(text, encoding="utf-8")
    result = run(tmp_path / "data", "import", tmp_path / "in")
    assert result.exit_code == 0, result.stdout
    line = next(number for number, words in enumerate(text.split("\n"), 1) if "p4 ff" in words)
    assert [" ".join(words.split()) for words in result.stdout.splitlines()] == [
        "6 hands in 1 file (1 read)",
        "4 new",
        "0 duplicates",
        "1 of another game: fixed-limit hold'em",
        "1 error",
        f"a.phhs, hand 6, line {line}: 'p4 ff' is not an action of no-limit hold'em",
    ]
    facts = json.loads(run(tmp_path / "data", "import", tmp_path / "in", "--json").stdout)
    assert (facts["total"], facts["new"], facts["duplicates"], facts["errors"]) == (6, 0, 4, 1)
    assert facts["other_games"] == {"fixed-limit hold'em": 1}
    assert facts["faults"][0]["line"] == line


def test_lists_are_filtered_sorted_and_limited(data: Path, tmp_path: Path) -> None:
    result = run(data, "list", "--filter", "3bet and flop=monotone and hand=AA", "--player", "*")
    assert result.exit_code == 0
    assert "Ann" in result.stdout
    assert "9s8s2s3c4d" in result.stdout
    assert "+19.50" in result.stdout
    assert result.stdout.endswith("\n1 row\n")
    rows = json.loads(run(data, "list", "--sort", "-won", "--limit", "5", "--json").stdout)
    won = [row["won_bb"] for row in rows]
    assert len(won) == 5
    assert won == sorted(won, reverse=True)
    for name in ("all.csv", "all.parquet"):
        out = tmp_path / name
        assert run(data, "list", "--player", "*", "--out", out).exit_code == 0
        frame = pl.read_csv(out) if out.suffix == ".csv" else pl.read_parquet(out)
        assert frame.height > 60
        assert {"id", "played", "position", "hole", "won_bb", "line"} <= {*frame.columns}
    wrong = run(data, "list", "--sort", "luck")
    assert "unknown order of hands 'luck'; known: id, date, won" in str(wrong.exception)
    assert "end the file's name with .csv or .parquet" in str(run(data, "list", "--out", "x.txt").exception)


def test_show_prints_the_whole_hand_where_there_is_no_terminal(data: Path) -> None:
    result = run(data, "show", "31")
    assert result.exit_code == 0
    text = result.stdout
    for street in ("preflop", "flop  9s 8s 2s", "turn  9s 8s 2s 3c", "river  9s 8s 2s 3c 4d"):
        assert street in text
    assert "2024-01-31" in text
    assert text.index("Ann (SB) raises to 9") < text.index("Cleo (CO) calls 6.5") < text.index("flop  9s")
    assert "Ann wins 19.50 bb" in text
    assert "Cleo loses 18.50 bb" in text
    with HandDatabase(data) as database:
        number = database.hand(31).number
    assert run(data, "show", f"phh:{number}").stdout == text
    assert "there is no hand 99" in str(run(data, "show", "99").exception)
    assert "'x:1' is no hand: give the number" in str(run(data, "show", "x:1").exception)


def test_streets_after_an_all_in_are_named_by_their_cards(tmp_path: Path) -> None:
    record = written(
        "d dh p1 AsAd, d dh p2 KsKd, p2 cbr 1000, p1 cc, d db 9s8s2s, d db 3c, d db 4d", (1000,) * 2
    )
    (tmp_path / "a.phh").write_text(write_hand(record), encoding="utf-8")
    with HandDatabase(tmp_path / "data") as database:
        import_hands(database, tmp_path / "a.phh")
    lines = run(tmp_path / "data", "show", "1").stdout.splitlines()
    shown = [line.partition("   pot")[0] for line in lines if "   pot" in line]
    assert shown == ["preflop  no board yet", "flop  9s 8s 2s", "turn  9s 8s 2s 3c", "river  9s 8s 2s 3c 4d"]
    assert len([line for line in lines if "Ann" in line]) == 3  # at the deal, calling, winning


def test_keys_go_on_and_back(data: Path) -> None:
    with HandDatabase(data) as database:
        hand = database.hand(31)
    screens: list[str] = []
    keys = iter(["n", "n", "b", "s", "\x1b[C", "e", "n", "z", "g", "q"])
    out = io.StringIO()
    console = Console(file=out, width=120, highlight=False)

    def read_key() -> str:
        screens.append(out.getvalue())
        out.seek(0)
        out.truncate()
        return next(keys)

    browse_hand(console, hand, read_key)
    places = [screen.partition(" of ")[0].split()[-1] for screen in screens]
    last = screens[0].partition(" of ")[2].split()[0]
    assert places == ["1", "2", "3", "2", "7", "8", last, last, last, "1"]
    assert "Cleo (CO) raises to 2.5" in screens[1]
    assert "the flop" in screens[4]
    assert "Ann wins" in screens[6]
    assert "Ann wins" not in screens[0]


def test_names_are_not_markup(tmp_path: Path) -> None:
    (tmp_path / "a.phh").write_text(write_hand(SHOWN).replace('"Ann"', '"[red]Ann[/x]"'), encoding="utf-8")
    with HandDatabase(tmp_path / "data") as database:
        import_hands(database, tmp_path / "a.phh")
        out = io.StringIO()
        print_hand(Console(file=out, width=120), database.hand(1))
    assert "[red]Ann[/x] (SB) raises to 9" in out.getvalue()
    assert run(tmp_path / "data", "list").exit_code == 0
    assert "[red]Ann[/x]" in run(tmp_path / "data", "stats", "--by", "player").stdout


def test_results_have_the_interval_of_their_hands(data: Path) -> None:
    with HandDatabase(data) as database:
        won = database.frame(player="Bob")["won_bb"] * 100
        estimate = interval_of(won.to_numpy())
        row = database.stats(player="Bob").filter(pl.col("format") == "all").row(0, named=True)
        assert row["hands"] == row["seats"] == len(won)
        assert row["bb_per_100"] == pytest.approx(estimate.mean)
        assert row["half_width"] == pytest.approx(estimate.half)
        assert database.stats(player="*")["half_width"].null_count() > 0  # seats of one hand: no interval
    facts = json.loads(run(data, "stats", "--player", "Bob", "--by", "position", "--json").stdout)
    assert facts["database"]["hands"] == 31
    assert facts["results"][-1]["position"] == "all"
    assert "bb/100" in run(data, "stats").stdout


def test_exported_hands_are_the_same_hands(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.phhs"
    result = run(data, "export", "--phh", out, "--filter", "won>0", "--player", "*")
    assert result.exit_code == 0
    records = list(read_hands(out))
    assert f"wrote {len(records)} hands" in result.stdout
    with HandDatabase(data) as database:
        report = import_hands(database, out)
        assert (report.new, report.duplicates) == (0, len(records))
        before = database.frame("won>0", player="*", sort="id")
    with HandDatabase(tmp_path / "second") as second:
        assert import_hands(second, out).new == len(records)
        after = second.frame("won>0", player="*", sort="id")
    assert after.drop("id").equals(before.drop("id"))


def test_deleting_asks_first(data: Path) -> None:
    assert "name hands by number or by --filter" in str(run(data, "delete").exception)
    assert "nothing is deleted" in run(data, "delete", "3", stdin="n\n").stdout
    assert "deleted 2 hands" in run(data, "delete", "3", "4", "--player", "*", "--yes").stdout
    with HandDatabase(data) as database:
        assert len(database) == 29
    assert "no hand fits" in run(data, "delete", "3", "--yes").stdout


def test_words_are_listed() -> None:
    result = RUNNER.invoke(build("hands"), ["hands", "words"])
    assert "squeeze" in result.stdout
    assert "such as depth<=25" in result.stdout


def test_decisions_have_words_and_big_blinds(data: Path) -> None:
    with HandDatabase(data) as database:
        frame = database.decisions("id=31")
    bet = frame.filter((pl.col("street") == "flop") & (pl.col("action") == "bet")).row(0, named=True)
    want = {"position": "SB", "facing": "first to act", "pot_bb": 19.0, "to_call_bb": 0.0, "stack_bb": 91.0}
    want |= {"share": 0.5, "added_bb": 9.5, "hole": "AsAd", "board": "9s8s2s", "heads_up": True}
    want |= {"initiative": True, "in_position": False, "all_in": False, "players": 2, "name": "Ann"}
    assert {name: bet[name] for name in want} == want
    three_bet = frame.row(2, named=True)
    assert (three_bet["action"], three_bet["facing"]) == ("raise", "facing open")
    assert three_bet["share"] == pytest.approx((85 - 20) / (40 + 20))
    assert three_bet["board"] == ""
    assert frame.filter(pl.col("name") == "Dora")["hole"].to_list() == [None]
