"""A made-up player with three leaks: they come out on top; a player who plays the blueprint has none."""

from __future__ import annotations

import numpy as np
import pytest

from overbet.agents.blueprint import BlueprintAgent, load_blueprint_agent
from overbet.agents.protocol import PublicState
from overbet.cards.combos import combo_index
from overbet.errors import ConfigError
from overbet.evaluation.match_blocks import PlayedBlock
from overbet.evaluation.matches import play_match
from overbet.study.blueprint_decisions import BlueprintReference
from overbet.study.decision_lines import KINDS
from overbet.study.leaks import LeakReport, find_leaks
from overbet.study.planted import THREE_LEAKS, PlantedLeak, planted_agent

PLANTED = {(leak.street, leak.line) for leak in THREE_LEAKS}


@pytest.fixture(scope="module")
def blueprint() -> BlueprintAgent:
    agent = load_blueprint_agent("heads-up")
    assert isinstance(agent, BlueprintAgent)
    return agent


@pytest.fixture(scope="module")
def leaky(blueprint: BlueprintAgent) -> BlueprintAgent:
    return planted_agent(blueprint, THREE_LEAKS)


@pytest.fixture(scope="module")
def reference(blueprint: BlueprintAgent) -> BlueprintReference:
    return BlueprintReference(blueprint)


def played(reference: BlueprintReference, player: BlueprintAgent, hands: int, seed: int) -> list[PlayedBlock]:
    blocks: list[PlayedBlock] = []
    agents = [player, reference.agent]
    play_match(agents, reference.agent.own_table, hands, seed=seed, workers=1, on_block=blocks.append)
    return blocks


def leaks_of(reference: BlueprintReference, player: BlueprintAgent, hands: int, seed: int) -> LeakReport:
    return find_leaks(reference.decisions(played(reference, player, hands, seed)), hands=hands)


def test_decisions_are_told_beside_the_blueprints_own_strategy(reference: BlueprintReference) -> None:
    """Every row is what replaying the hand and asking the agent gives."""
    [block] = played(reference, reference.agent, 12, 5)
    rows = iter(reference.decisions([block]).iter_rows(named=True))
    for hand in range(block.hands):
        state = block.dealt(hand)
        for action in block.moves[block.starts[hand] : block.starts[hand + 1]].tolist():
            player = state.current_player()
            if block.slot(hand, player) == 0:
                row = next(rows)
                strategy = reference.agent.strategy_for_all_hands(PublicState.of(state))
                own = strategy.of_hand(combo_index(*state.hole[player]))
                wanted = dict.fromkeys(KINDS, 0.0)
                facing = state.legal_actions().fold
                for choice, share in zip(strategy.actions, own.tolist()):
                    passive, active = (
                        ("call", "raise") if facing else ("check", "bet" if state.board else "raise")
                    )
                    wanted["fold" if choice < 0 else passive if choice == 0 else active] += share
                assert np.allclose(
                    [row[f"p_{kind}"] for kind in KINDS], [wanted[kind] for kind in KINDS], atol=0.005
                )
                assert row["street"] == state.street
                assert (row["position"], row["hand"]) == (block.game.position(player), hand)
                assert row["action"] in (
                    ("fold",) if action < 0 else ("check", "call") if action == 0 else ("bet", "raise")
                )
            state = state.apply(action)
    assert next(rows, None) is None


def test_three_planted_leaks_come_out_on_top(reference: BlueprintReference, leaky: BlueprintAgent) -> None:
    report = leaks_of(reference, leaky, 4_000, 1)
    assert {(leak.test.street, leak.test.line) for leak in report.leaks} == PLANTED
    assert {leak.test.action for leak in report.leaks} == {leak.action for leak in THREE_LEAKS}
    assert all(leak.test.too_often for leak in report.leaks)


def test_who_plays_the_blueprint_has_no_leak(reference: BlueprintReference) -> None:
    for seed in range(3):
        assert not leaks_of(reference, reference.agent, 4_000, seed).leaks


def test_a_line_that_the_blueprint_does_not_have_is_refused(blueprint: BlueprintAgent) -> None:
    with pytest.raises(ConfigError, match="no bet at river, facing bet"):
        planted_agent(blueprint, [PlantedLeak("river", "facing bet", "bet", 0.5)])


@pytest.mark.slow
def test_the_whole_figure(reference: BlueprintReference, leaky: BlueprintAgent) -> None:
    """20,000 hands: three leaks and nothing else; no leak of the blueprint in at least 95 of 100 seeds."""
    clean = sum(not leaks_of(reference, reference.agent, 20_000, seed).leaks for seed in range(100))
    assert clean >= 95
    report = leaks_of(reference, leaky, 20_000, 0)
    assert {(leak.test.street, leak.test.line) for leak in report.leaks} == PLANTED
