"""The command line of measuring: lbr, ledger, exploitability, pluribus."""

import json

import pytest
from typer.testing import CliRunner

from overbet.errors import ArtefactError, ConfigError
from overbet.interfaces.cli.app import build
from overbet.solvers.policy import TabularPolicy
from tests.shared_data import shared

RUN = CliRunner()


@pytest.fixture(autouse=True)
def own_ledger(tmp_path, monkeypatch):
    monkeypatch.setenv("OVERBET_HOME", str(tmp_path))


def ask(*words):
    result = RUN.invoke(build(), list(words))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def test_lbr_notes_what_it_measured_and_the_ledger_compares():
    first = json.loads(ask("lbr", "always-fold", "--hands", "40", "--json"))
    assert first["mbb_per_hand"] == 750.0
    assert first["ledger"] == 1
    ask("lbr", "always-call", "--hands", "40", "--json")
    ask("lbr", "always-call", "--hands", "40", "--bets", "fc", "--json")
    listed = json.loads(ask("ledger", "--json"))
    assert [row["subject"] for row in listed] == ["always-fold", "always-call", "always-call"]
    assert listed[0]["settings"] == "bets fcpa, streets preflop,flop,turn,river"
    assert len(json.loads(ask("ledger", "--subject", "fold", "--json"))) == 1
    found = json.loads(ask("ledger", "compare", "2", "1", "--json"))
    assert found["paired"]
    assert "always-call" in ask("ledger", "compare", "2", "1")
    with pytest.raises(ConfigError, match="their settings differs"):
        ask("ledger", "compare", "2", "3")
    assert "always-fold" in ask("ledger")
    assert "seed" in ask("ledger", "show", "1")


def test_lbr_can_leave_the_ledger_alone():
    assert "750.0" in ask("lbr", "always-fold", "--hands", "10", "--no-ledger")
    with pytest.raises(ArtefactError, match="there is no ledger yet"):
        ask("ledger")


def test_exploitability_of_a_policy_file(tmp_path):
    file = tmp_path / "uniform.json"
    TabularPolicy.uniform("kuhn").save(file)
    found = json.loads(ask("exploitability", str(file), "--json"))
    assert found["exploitability"] == pytest.approx(11 / 24, abs=1e-9)  # OpenSpiel
    assert "NashConv" in ask("exploitability", str(file), "--no-ledger")
    assert len(json.loads(ask("ledger", "--kind", "exploitability", "--json"))) == 1


def test_pluribus_of_some_hands():
    path = str(shared("pluribus-hands.tar.gz"))
    found = json.loads(ask("pluribus", path, "--hands", "150", "--agents", "tag", "--json"))
    assert found["hands"] == 150
    assert found["results"]["Pluribus"]["hands"] == 150
    assert {row["players"] for row in found["agreement"]} <= {"Pluribus", "people"}
    assert "mbb/hand" in ask("pluribus", path, "--hands", "20")
    with pytest.raises(ArtefactError, match="no hand of 9 players"):
        ask("pluribus", path, "--players", "9")
