"""Leaks that were planted are found, and none where none is.

    python benchmarks/leaks.py --hands 20000 --seeds 100 --cost 1000000

A made-up player plays the shipped heads-up blueprint but for three leaks (folds too much to 3-bets, c-bets
always, calls rivers too wide) against the blueprint, and so does one without leaks. For every seed the leaks
that are found are counted. The cost of each leak is measured by itself: the player with that leak alone and
the blueprint play the same deals with the same random numbers, and the difference is what it loses.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

import numpy as np
import polars

from overbet.agents.blueprint import BlueprintAgent, load_blueprint_agent
from overbet.evaluation.match_blocks import PlayedBlock
from overbet.evaluation.matches import play_match
from overbet.evaluation.statistics import Estimate, interval_of
from overbet.study.blueprint_decisions import BlueprintReference
from overbet.study.leak_report import LeakReport
from overbet.study.leaks import TOLERANCE, find_leaks
from overbet.study.planted import THREE_LEAKS, planted_agent

PLANTED = {(leak.street, leak.line) for leak in THREE_LEAKS}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--cost", type=int, default=1_000_000, help="hands that measure what a leak loses")
    options = parser.parse_args()
    agent = load_blueprint_agent("heads-up")
    assert isinstance(agent, BlueprintAgent)
    leaky, reference, begun = (
        planted_agent(agent, THREE_LEAKS),
        BlueprintReference(agent),
        time.perf_counter(),
    )
    for leak in find_leaks(_decisions(reference, leaky, options.hands, 0), hands=options.hands).leaks:
        print(f"{leak}; {leak.per_100:+.2f} a hundred hands, p {leak.p_value:.1e}")
        for test in leak.also:
            print(f"    {test}")
    for name, player in (("planted", leaky), ("blueprint", agent)):
        exactly, none, without = 0, 0, 0
        false: Counter[tuple[str, str]] = Counter()
        for seed in range(options.seeds):
            decisions = _decisions(reference, player, options.hands, seed)
            report = find_leaks(decisions, hands=options.hands)
            exactly += _lines(report) == PLANTED
            none += not report.leaks
            without += not find_leaks(decisions, hands=options.hands, tolerance=0.0).leaks
            false.update(_lines(report) - (PLANTED if player is leaky else set()))
        print(
            f"{name}, {options.seeds} seeds of {options.hands:,} hands: exactly the three {exactly}, "
            f"none {none}, none at tolerance 0 instead of {TOLERANCE}: {without}; false {dict(false)}; "
            f"{len(report.lines)} lines, {len(report.tests)} tests of {report.compared:,} decisions"
        )
    print(f"{time.perf_counter() - begun:.0f} s")
    for leak in THREE_LEAKS:
        lost = _lost(agent, planted_agent(agent, [leak]), options.cost)
        print(f"{leak.street}, {leak.line}, {leak.action} alone loses {lost.bb100} bb/100")


def _decisions(
    reference: BlueprintReference, player: BlueprintAgent, hands: int, seed: int
) -> polars.DataFrame:
    blocks: list[PlayedBlock] = []
    agents = [player, reference.agent]
    play_match(agents, reference.agent.own_table, hands, seed=seed, workers=1, on_block=blocks.append)
    return reference.decisions(blocks)


def _lines(report: LeakReport) -> set[tuple[str, str]]:
    return {(leak.test.street, leak.test.line) for leak in report.leaks}


def _lost(agent: BlueprintAgent, leaky: BlueprintAgent, hands: int) -> Estimate:
    """Return what a leak loses, in mbb a hand: the same deals with and without it."""
    won = []
    for player in (agent, leaky):
        blocks: list[PlayedBlock] = []
        play_match([player, agent], agent.own_table, hands, seed=1, workers=1, on_block=blocks.append)
        won.append(np.concatenate([block.won[:, 0] for block in blocks]).reshape(-1, 2).mean(1))
    return interval_of(1000.0 * (won[0] - won[1]) / agent.own_table.big_blind)


if __name__ == "__main__":
    main()
