"""Series of whole Expressos: every deal in all seatings, sums that come out, faults, the command."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from overbet.agents.protocol import Observation
from overbet.agents.registry import make_agent
from overbet.errors import ConfigError, OverbetError
from overbet.evaluation.expresso_games import deal_seed, play_expressos, seatings
from overbet.games.multipliers import draw_multiplier
from overbet.interfaces.cli.app import build


class Broken:
    """An agent whose actions are not legal."""

    name = "broken"

    def act(self, observation: Observation) -> int:
        return 10**9


def test_seatings() -> None:
    tag, lag, random = (make_agent(name) for name in ("tag", "lag", "random"))
    assert len(seatings([tag, lag, random])) == 6
    assert len(seatings([tag, lag, lag])) == 3
    assert len(seatings([tag, tag, tag])) == 1
    for seat in range(3):  # the odd one out sits everywhere once
        assert sum(order[seat] == 0 for order in seatings([tag, lag, lag])) == 1


@pytest.mark.parametrize("multiplier", [3.0, 25.0, None])
def test_wins_and_buy_ins_add_up(multiplier: float | None) -> None:
    raiser, caller = make_agent("always-raise"), make_agent("always-call")
    found = play_expressos([raiser, caller, caller], 30, multiplier=multiplier, seed=4)
    assert found.games == 30
    assert found.wins.shape == (10, 3)
    np.testing.assert_allclose(found.wins.sum(1), 1.0)
    paid = [multiplier or draw_multiplier(deal_seed(4, deal)) for deal in range(10)]
    np.testing.assert_allclose(found.buy_ins.sum(1), np.array(paid) - 3)
    again = play_expressos([raiser, caller, caller], 30, multiplier=multiplier, seed=4)
    np.testing.assert_array_equal(again.buy_ins, found.buy_ins)
    assert found.win_share(0).groups == 10


def test_one_agent_on_all_seats_is_even() -> None:
    agent = make_agent("tag")
    found = play_expressos([agent] * 3, 12, seed=1)
    assert found.games == 12
    assert found.result(0).mean + found.result(1).mean + found.result(2).mean == pytest.approx(0.0)


def test_faults_and_refusals() -> None:
    tag = make_agent("tag")
    with pytest.raises(OverbetError, match="broken"):
        play_expressos([Broken(), tag, tag], 3)
    found = play_expressos([Broken(), tag, tag], 3, on_error="fold")
    assert found.faults
    assert found.games == 3
    with pytest.raises(ConfigError, match="3 agents"):
        play_expressos([tag, tag], 3)
    with pytest.raises(ConfigError, match="at least one"):
        play_expressos([tag] * 3, 0)


def test_the_command() -> None:
    def run(*words: str) -> str:
        result = CliRunner().invoke(build("expresso"), ["expresso", *words])
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result.stdout

    facts = json.loads(run("blueprint:expresso", "tag", "tag", "--games", "3", "--json"))
    assert [one["agent"] for one in facts["agents"]] == ["blueprint:expresso", "tag", "tag"]
    assert facts["games"] == 3
    assert "by a strategy of another depth" in facts["reports"][0]
    assert sum(one["wins"]["mean"] for one in facts["agents"]) == pytest.approx(1.0)
    text = run("tag", "lag", "random", "--games", "12", "--multiplier", "draw")
    assert "12 Expressos" in text
    assert "drawn as PokerStars published" in text
    for wrong in (["tag", "lag"], ["tag"] * 3 + ["--multiplier", "x"], ["tag"] * 3 + ["--on-error", "x"]):
        with pytest.raises(ConfigError):
            run(*wrong)
