from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner, Result

from overbet.errors import ConfigError, RulesError
from overbet.interfaces.cli.app import build
from overbet.interfaces.history.record import HandRecord
from overbet.interfaces.history.replay import replay
from overbet.interfaces.history.sources import read_hands


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OVERBET_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def overbet(*arguments: object) -> Result:
    result = CliRunner().invoke(build(), [str(argument) for argument in arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_a_match_with_everything(tmp_path: Path, home: Path) -> None:
    histories, out = tmp_path / "hands.phhs", tmp_path / "hands.csv"
    found = overbet(
        *(
            "match",
            "tag",
            "lag",
            "random",
            "-n",
            600,
            "--seed",
            3,
            "--stacks",
            "40bb,100bb,5bb",
            "--no-aivat",
        ),
        *("--histories", histories, "--sample", 20, "--out", out, "--json"),
    )
    facts = json.loads(found.stdout)
    assert facts["hands"] == 600
    assert [row["agent"] for row in facts["agents"]] == ["tag", "lag", "random"]
    frame = pl.read_csv(out)
    assert frame.height == 1_800
    assert frame["won"].sum() == 0
    hands = [hand for hand in read_hands(histories) if isinstance(hand, HandRecord)]
    assert len(hands) == 20
    for hand in hands:
        again = replay(hand)
        assert again.agrees
        won = {
            name: end - start
            for name, start, end in zip(hand.other["players"], hand.starting_stacks, again.stacks)  # type: ignore[call-overload]
        }
        rows = frame.filter(frame["hand"] == hand.other["hand"])
        assert dict(zip(rows["agent"], rows["won"])) == won
    from overbet.evaluation.ledger import rows as ledger_rows

    (row,) = ledger_rows(path=home / "ledger.sqlite")
    assert (row.kind, row.subject, row.against, row.seed) == ("match", "tag", "lag random", 3)
    assert row.estimate.mean == pytest.approx(facts["agents"][0]["mbb_per_hand"])


def test_what_a_match_prints() -> None:
    text = overbet("match", "always-raise", "always-fold", "-n", 200, "--no-aivat", "--no-ledger").stdout
    assert "+750 ± 0" in text
    assert "-750 ± 0" in text
    assert "200 hands, 100 deals" in text
    assert "100% of hands" in text


def test_a_match_of_search_is_noted_with_the_blueprint_it_follows(home: Path) -> None:
    from overbet.evaluation.ledger import rows as ledger_rows

    for agent in ("search:heads-up,turn.iterations=2,river.iterations=2", "blueprint:heads-up"):
        assert overbet("match", agent, "tag", "--hands", 2, "--no-aivat").exit_code == 0
    noted = {(row.config, row.abstraction) for row in ledger_rows(path=home / "ledger.sqlite")}
    assert len(noted) == 1
    assert all(noted.pop())


def test_what_a_match_refuses(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="did you mean 'lag'"):
        overbet("match", "tag", "lagg")
    with pytest.raises(ConfigError, match=r"end the name in \.csv"):
        overbet("match", "tag", "lag", "--out", tmp_path / "x.txt")
    with pytest.raises(ConfigError, match=r"end in \.phhs"):
        overbet("match", "tag", "lag", "--histories", tmp_path / "x.phh")
    with pytest.raises(ConfigError, match="neither chips"):
        overbet("match", "tag", "lag", "--stacks", "many")
    with pytest.raises(ConfigError, match="whole chips"):
        overbet("match", "tag", "lag", "--blinds", "a,b")
    with pytest.raises(ConfigError, match="small and big blind"):
        overbet("match", "tag", "lag", "--blinds", "50")
    with pytest.raises(RulesError, match="stacks: 3 given for 2 players"):
        overbet("match", "tag", "lag", "--stacks", "1000,1000,1000")
    with pytest.raises(ConfigError, match="stop or fold"):
        overbet("match", "tag", "lag", "--on-error", "shrug")


def test_a_tournament(tmp_path: Path) -> None:
    picture = tmp_path / "t.svg"
    arguments = ("tournament", "tag", "always-fold", "always-raise", "-n", 400)
    facts = json.loads(overbet(*arguments, "--plot", picture, "--json").stdout)
    assert len(facts["agents"]) == 3
    assert picture.read_text().startswith("<?xml")
    text = overbet(*arguments).stdout
    assert "mbb/hand (raw), row against column" in text
    assert "-750 ± 0" in text
    only = overbet(*arguments, "--first").stdout
    assert only.count("±") == 4  # the average, the same in bb/100, and two opponents
