from __future__ import annotations

from pathlib import Path

import pytest

from overbet.agents.registry import make_agent
from overbet.errors import ConfigError
from overbet.evaluation.matches import MatchPace
from overbet.evaluation.round_robin import round_robin

SPECS = ("always-fold", "tag", "always-raise")


def test_everybody_plays_everybody(tmp_path: Path) -> None:
    result = round_robin([make_agent(spec) for spec in SPECS], hands=4_000, seed=3)
    assert set(result.matches) == {(0, 1), (0, 2), (1, 2)}
    against = result.against(0, 2)
    assert against is not None
    assert against.mean == -750
    back = result.against(2, 0)
    assert back is not None
    assert back.mean == 750
    assert result.against(1, 1) is None
    frame = result.frame()
    assert frame["mbb_per_hand"].is_sorted(descending=True)
    averages = [result.average(agent) for agent in range(3)]
    assert sum(found.mean for found in averages if found) == pytest.approx(0, abs=1e-9)
    expected = result.matches[0, 1].mbb(0).mean / 2 - 375
    assert averages[0] is not None
    assert averages[0].mean == pytest.approx(expected)
    picture = tmp_path / "table.png"
    result.plot(picture)
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_stopped_in_the_second_match() -> None:
    def stop(first: str, second: str, pace: MatchPace) -> None:
        if second == "always-raise":
            raise KeyboardInterrupt

    result = round_robin([make_agent(spec) for spec in SPECS], hands=4_000, progress=stop)
    assert result.stopped
    assert (1, 2) not in result.matches
    assert result.frame().height >= 2


def test_one_alone() -> None:
    with pytest.raises(ConfigError, match="two agents or more"):
        round_robin([make_agent("tag")])
