"""A scorecard says what matches and the local best response say, in one table."""

from __future__ import annotations

import pytest

from overbet.agents.registry import make_agent
from overbet.evaluation.lbr_family import FAMILY, run_lbr_family
from overbet.evaluation.matches import play_match
from overbet.evaluation.scorecard import SCRIPTED, scorecard
from overbet.games.holdem import HoldemGame


def test_the_card_holds_the_matches_and_the_responses() -> None:
    seen: list[tuple[str, int, int]] = []
    card = scorecard(
        "always-fold",
        400,
        60,
        opponents=("tag", "always-call"),
        seed=3,
        workers=1,
        progress=lambda what, done, steps: seen.append((what, done, steps)),
    )
    agents = [make_agent("always-fold"), make_agent("tag")]
    alone = play_match(agents, HoldemGame(), 400, seed=3, workers=2)
    assert card.matches["tag"].mbb(0, "raw") == alone.mbb(0, "raw")
    assert card.lbr is not None
    family = run_lbr_family(agents[0], HoldemGame(), 60, seed=3)
    assert [member.aivat for member in card.lbr.members] == [member.aivat for member in family.members]
    steps = [step[1:] for step in seen]
    assert sorted(set(steps)) == [(0, 3), (1, 3), (2, 3)]
    assert steps == sorted(steps)
    assert "leads with" in seen[-2][0] or "on fresh deals wins" in seen[-2][0]
    rows = card.rows()
    assert [row[0] for row in rows] == [
        "tag",
        "always-call",
        *(f"LBR: {member.in_words}" for member in FAMILY),
        f"LBR, the largest on fresh deals: {family.chosen.responder.in_words}",
    ]
    assert rows[3][3] == "-750.0 ± 0.0"  # it folds to every bet
    facts = card.facts()
    assert facts["lbr fcpa"] == {"mbb_per_hand": 750.0, "half_of_95": 0.0, "hands": 60}
    assert card.lbr.largest is not None
    assert facts["lbr largest"] == {
        "mbb_per_hand": round(card.lbr.largest.aivat.mean, 1),
        "half_of_95": round(card.lbr.largest.aivat.half, 1),
        "hands": 60,
        "which": family.chosen.responder.in_words,
    }
    assert len(facts) == 2 + len(FAMILY) + 1
    assert not card.stopped
    assert card.markdown().splitlines()[2].startswith("| tag | 400 | ")


def test_three_seats_have_no_local_best_response() -> None:
    card = scorecard("blueprint:expresso", 60, 60, opponents=("always-fold",), workers=1)
    assert card.game.num_players == 3
    assert card.lbr is None
    assert not card.stopped
    assert card.matches["always-fold"].mbb(0, "raw").mean > 0


def test_every_scripted_agent_is_on_the_card() -> None:
    for spec in SCRIPTED:
        make_agent(spec)


def test_an_interrupted_response_keeps_the_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("overbet.evaluation.scorecard.run_lbr_family", interrupted)
    card = scorecard("always-fold", 40, 40, opponents=("tag",), workers=1)
    assert card.stopped
    assert card.lbr is None
    assert set(card.facts()) == {"against tag"}


def test_an_interrupt_while_choosing_leaves_no_largest_on_the_card() -> None:
    def stop(what: str, done: int, steps: int) -> None:
        if "leads with" in what:
            raise KeyboardInterrupt

    card = scorecard("always-fold", 40, 400, opponents=("tag",), workers=1, progress=stop)
    assert card.stopped
    assert card.lbr is not None
    assert card.lbr.largest is None
    assert set(card.facts()) == {"against tag"}
    assert any(row[0].startswith("LBR: ") for row in card.rows())
