"""A scorecard says what matches and the local best response say, in one table."""

from __future__ import annotations

from overbet.agents.registry import make_agent
from overbet.evaluation.lbr import run_lbr
from overbet.evaluation.matches import play_match
from overbet.evaluation.scorecard import SCRIPTED, scorecard
from overbet.games.holdem import HoldemGame


def test_the_card_holds_the_matches_and_the_responses() -> None:
    seen: list[tuple[str, int, int]] = []
    card = scorecard(
        "always-fold",
        400,
        200,
        opponents=("tag", "always-call"),
        seed=3,
        workers=1,
        progress=lambda what, done, steps: seen.append((what, done, steps)),
    )
    agents = [make_agent("always-fold"), make_agent("tag")]
    alone = play_match(agents, HoldemGame(), 400, seed=3, workers=2)
    assert card.matches["tag"].mbb(0, "raw") == alone.mbb(0, "raw")
    assert card.lbr["fc"].aivat == run_lbr(agents[0], HoldemGame(), 200, "fc", seed=3).aivat
    assert [step[1:] for step in seen] == [(0, 4), (1, 4), (2, 4), (3, 4)]
    rows = card.rows()
    assert [row[0] for row in rows[:2]] == ["tag", "always-call"]
    assert rows[3][3] == "-750.0 ± 0.0"  # it folds to every bet
    assert card.facts()["lbr fcpa"] == {"mbb_per_hand": 750.0, "half_of_95": 0.0, "hands": 200}
    assert set(card.facts()) == {"against tag", "against always-call", "lbr fc", "lbr fcpa"}
    assert card.markdown().splitlines()[2].startswith("| tag | 400 | ")


def test_three_seats_have_no_local_best_response() -> None:
    card = scorecard("blueprint:expresso", 60, 60, opponents=("always-fold",), workers=1)
    assert card.game.num_players == 3
    assert not card.lbr
    assert card.matches["always-fold"].mbb(0, "raw").mean > 0


def test_every_scripted_agent_is_on_the_card() -> None:
    for spec in SCRIPTED:
        make_agent(spec)
