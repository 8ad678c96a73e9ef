"""The command line of measuring: lbr, ledger, exploitability, pluribus."""

import json
from functools import partial

import pytest
from typer.testing import CliRunner

from overbet.agents.registry import make_agent
from overbet.blueprint.config import BlueprintConfig
from overbet.blueprint.factory import make_trainer
from overbet.blueprint.store import save_blueprint
from overbet.errors import ArtefactError, ConfigError
from overbet.evaluation import scorecard
from overbet.evaluation.lbr_family import FAMILY, FamilyPace, run_lbr_family
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


def random_trainer(tables="dense"):
    """Push or fold at ten big blinds, barely trained."""
    game = {"game": {"players": 2, "stack_bb": 10}, "cards": {"kind": "preflop"}}
    menu = {"preflop": {"sizes": "a", "raises": 1, "limp": False}}
    solver = {"tables": tables, **({"capacity": 4000} if tables == "keyed" else {})}
    trainer = make_trainer(None, BlueprintConfig.parse({**game, "menu": menu, "solver": solver}))
    trainer.run(1000, workers=1)
    return trainer


@pytest.mark.parametrize("tables", ["dense", "keyed"])
def test_lbr_and_match_sit_at_the_blueprints_own_table(tables, tmp_path):
    spec = f"blueprint:{save_blueprint(random_trainer(tables), tmp_path / 'own.h5')}"
    ask("lbr", spec, "--hands", "4", "--bets", "fc")
    played = ask("match", spec, "always-fold", "--hands", "4")
    assert "2 seats, 10 bb" in played
    assert json.loads(ask("ledger", "--json"))[0]["game"].startswith("2 players, stacks 1000/1000")


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


def test_the_family_of_responses_prints_every_member_and_names_the_largest():
    words = ("lbr", "tag", "--bets", "all", "--hands", "60", "--seed", "3")
    printed = ask(*words).splitlines()
    found = run_lbr_family(make_agent("tag"), hands=60, seed=3)
    assert printed[0] == "what the local best response wins from tag, mbb/hand, 60 hands each (seed 3)"
    for line, member in zip(printed[2:8], found.members, strict=True):
        assert line.split("  ")[1] == member.responder.in_words
        assert f" {member.aivat} " in line
    assert printed[8].startswith(
        f"the largest: {found.chosen.responder.in_words}, wins {found.largest.aivat} mbb/hand "
        f"({found.largest.aivat.bb100} bb/100) in 60 hands of "
        "fresh deals (seed 1000003)"
    )
    assert printed[9] == "measurements 1 to 7 in the ledger"
    listed = json.loads(ask("ledger", "--kind", "lbr", "--json"))
    assert [row["settings"] for row in listed] == [*map(str, FAMILY), found.chosen.settings]
    assert [row["extra"]["family"] for row in listed] == ["member"] * 6 + ["largest"]
    assert [row["seed"] for row in listed] == [3] * 6 + [1_000_003]


def test_the_family_as_json():
    words = ("lbr", "always-fold", "--bets", "all", "--hands", "40", "--json")
    found = json.loads(ask(*words))
    assert [member["bets"] for member in found["members"]] == ["fc", "fcpa", "56"] * 2
    assert [member["ledger"] for member in found["members"]] == [1, 2, 3, 4, 5, 6]
    assert found["chosen"] == found["measured"]["lbr largest"]["which"]
    assert round(found["largest"]["mbb_per_hand"], 1) == found["measured"]["lbr largest"]["mbb_per_hand"]
    assert found["measured"]["lbr fcpa"] == {"mbb_per_hand": 750.0, "half_of_95": 0.0, "hands": 40}
    assert found["largest"]["ledger"] == 7
    assert not found["stopped"]
    assert json.loads(ask(*words, "--no-ledger"))["largest"]["ledger"] is None


def test_the_family_has_streets_of_its_own():
    with pytest.raises(ConfigError, match=r"--bets all has its own streets .*leave --streets out"):
        ask("lbr", "always-fold", "--bets", "all", "--streets", "river")
    with pytest.raises(ConfigError, match=r"unknown choice of bets 'al' \(did you mean 'all'\?\)"):
        ask("lbr", "always-fold", "--bets", "al")


def test_an_interrupted_family_prints_what_was_finished(monkeypatch):
    def tell(pace):
        if pace.hands >= 2400:
            raise KeyboardInterrupt
        return "on the way"

    monkeypatch.setattr(FamilyPace, "__str__", tell)
    printed = ask("lbr", "always-fold", "--bets", "all", "--hands", "2000", "--workers", "2")
    assert "stopped early" in printed
    assert "56 sizes on turn and river" in printed
    assert "; it was not measured again on fresh deals" in printed
    listed = json.loads(ask("ledger", "--json"))
    assert len(listed) == 6
    assert all(row["extra"]["stopped"] for row in listed)


def test_a_scorecard_writes_the_largest_into_the_manifest(tmp_path, monkeypatch):
    quick = partial(scorecard.scorecard, opponents=("always-fold",))
    monkeypatch.setattr(scorecard, "scorecard", quick)
    path = save_blueprint(random_trainer(), tmp_path / "push.h5")
    before = path.read_bytes()

    def interrupted(*given):
        raise KeyboardInterrupt

    words = (
        "scorecard",
        f"blueprint:{path}",
        "--hands",
        "20",
        "--lbr-hands",
        "20",
        "--write",
        "--workers",
        "1",
    )
    with monkeypatch.context() as patch:
        patch.setattr(scorecard, "run_lbr_family", interrupted)
        ask(*words)
    assert path.read_bytes() == before  # half a card is no measurement
    assert "LBR, the largest on fresh deals: " in ask(*words, "--markdown")
    manifest = json.loads(ask("blueprint", "info", str(path)))
    largest = manifest["measured"]["lbr largest"]
    assert largest["hands"] == 20
    assert largest["which"] in {member.in_words for member in FAMILY}
    assert len(json.loads(ask("ledger", "--kind", "lbr", "--json"))) == 7


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
