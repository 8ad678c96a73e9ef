from __future__ import annotations

import sys
from pathlib import Path

import pytest

from overbet.agents.protocol import Observation
from overbet.agents.registry import agent_names, make_agent, name_of
from overbet.errors import ConfigError
from overbet.games.holdem import HoldemGame

MODULE = """
class Station:
    def __init__(self, patience: str = "endless") -> None:
        self.patience = patience

    def act(self, observation) -> int:
        return 0

class Mute:
    pass

def broken() -> None:
    raise RuntimeError("no model file")
"""
ENTRY_POINTS = """[overbet.agents]
station = their_bots:Station
mute = their_bots:Mute
broken = their_bots:broken
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package with entry points, as pip would lay it out."""
    (tmp_path / "their_bots.py").write_text(MODULE)
    info = tmp_path / "their_bots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-bots\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "their_bots", raising=False)


@pytest.mark.usefixtures("installed")
def test_agents_of_other_packages() -> None:
    from overbet.evaluation.matches import play_match

    assert {"station", "mute", "broken"} <= set(agent_names())
    agent = make_agent("station")
    assert name_of(agent) == "station"
    assert agent.act(Observation.of(HoldemGame(2).deal(1))) == 0
    assert make_agent("station:short").patience == "short"  # type: ignore[attr-defined]
    theirs = play_match([agent, make_agent("tag")], hands=40, seed=2)
    ours = play_match([make_agent("always-call"), make_agent("tag")], hands=40, seed=2)
    assert theirs.names == ("station", "tag")
    assert theirs.won.tolist() == ours.won.tolist()
    with pytest.raises(ConfigError, match=r"mute \(their_bots:Mute\) has no act"):
        make_agent("mute")
    with pytest.raises(ConfigError, match="cannot be made: RuntimeError: no model file"):
        make_agent("broken")


def test_names() -> None:
    for spec in ("random", "random-chips", "always-fold", "always-call", "tag", "lag", "equity:0.7"):
        assert name_of(make_agent(spec)) == spec
    assert name_of(make_agent("equity")) == "equity:0.6"
    assert name_of(make_agent("always-raise:0.5")) == "always-raise:0.5"
    with pytest.raises(ConfigError, match=r"unknown agent 'tgg' \(did you mean 'tag'\?\)"):
        make_agent("tgg")
    with pytest.raises(ConfigError, match="'x' is not a number"):
        make_agent("equity:x")
    with pytest.raises(ConfigError, match="tag takes nothing after a colon"):
        make_agent("tag:1")
    with pytest.raises(ConfigError, match="overbet play"):
        make_agent("human")
