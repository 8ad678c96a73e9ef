"""`overbet replay`: the table of one hand, the summary of many, JSON, and exit codes."""

import json

from typer.testing import CliRunner

from overbet.interfaces.cli.app import build
from tests.interfaces.test_history import HAND

RUNNER = CliRunner()


def run(*words: object):
    return RUNNER.invoke(build(), ["replay", *(str(word) for word in words)])


def test_one_hand_is_shown_with_its_players(tmp_path):
    path = tmp_path / "one.phh"
    path.write_text(HAND)
    result = run(path)
    assert result.exit_code == 0
    assert "Ann" in result.stdout
    assert "-1,000" in result.stdout
    assert "r:0:f:b300:c:Td6h3s:c:b2000:c:Jc:2h" in result.stdout
    assert "the stacks are the recorded ones" in result.stdout


def test_many_hands_are_counted_and_faults_named(tmp_path):
    path = tmp_path / "many.phhs"
    wrong = HAND.replace("[0, 3000, 3000]", "[1, 2999, 3000]")
    bad = HAND.replace("p3 f", "p3 ff")
    path.write_text(f"[1]\n{HAND}\n[2]\n{wrong}\n[3]\n{bad}\n[4]\n{HAND.replace('NT', 'FB')}")
    result = run(path)
    assert result.exit_code == 1
    assert "1  hands end with the recorded stacks" in result.stdout
    assert "1  hands end with other stacks" in result.stdout
    assert "1  hands of another game" in result.stdout
    line = next(n for n, text in enumerate(path.read_text().split("\n"), 1) if "p3 ff" in text)
    assert f"many.phhs, hand 3, line {line}: 'p3 ff'" in result.stdout
    result = run(path, "--json")
    assert result.exit_code == 1
    facts = json.loads(result.stdout)
    assert (facts["replayed"], facts["agree"], facts["differ"]) == (2, 1, 1)
    assert [fault["hand"] for fault in facts["faults"]] == ["3", "4"]
    assert facts["hands"][0]["final_stacks"] == [0, 3000, 3000]


def test_hands_can_be_written_out(tmp_path):
    (tmp_path / "one.phh").write_text(HAND)
    result = run(tmp_path / "one.phh", "--out", tmp_path / "all.phhs")
    assert result.exit_code == 0
    assert run(tmp_path / "all.phhs").exit_code == 0
