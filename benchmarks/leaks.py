"""Leaks that were planted are found, and none where none is.

    python benchmarks/leaks.py --hands 20000 --seeds 100 --cost 1000000 --runs 64

A made-up player plays the shipped heads-up blueprint but for three leaks (folds too much to 3-bets, c-bets
always, calls rivers too wide) against the blueprint, and so does one without leaks. For every seed the leaks
that are found are counted. The cost of each leak is measured by itself: the player with that leak alone and
the blueprint play the same deals with the same random numbers, and the difference is what it loses. Beside it
stands what the report makes of priced decisions: every decision of the lines that were found is priced by
playing it on against the opponent's exact range, where that cannot be summed; its loss is the mean of the
blueprint's own mix less the action taken, which is free of the luck of the runs on average.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

import numpy as np
import polars

from overbet.agents.blueprint import BlueprintAgent, load_blueprint_agent
from overbet.evaluation.match_blocks import PlayedBlock
from overbet.evaluation.match_review import review_hand
from overbet.evaluation.matches import play_match
from overbet.evaluation.statistics import Estimate, interval_of
from overbet.study.blueprint_decisions import BlueprintReference
from overbet.study.leak_report import LeakReport
from overbet.study.leaks import TOLERANCE, find_leaks
from overbet.study.planted import THREE_LEAKS, planted_agent

PLANTED = {(leak.street, leak.line) for leak in THREE_LEAKS}
SMALLER = (0.02, 0.05, 0.1)  # how small a leak is found: shares of the first of the three


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--small", type=int, default=10, help="seeds of each smaller leak")
    parser.add_argument("--cost", type=int, default=1_000_000, help="hands that measure what a leak loses")
    parser.add_argument("--runs", type=int, default=64, help="of each action that is priced; 0 for no prices")
    options = parser.parse_args()
    agent = load_blueprint_agent("heads-up")
    assert isinstance(agent, BlueprintAgent)
    leaky, reference, begun = (
        planted_agent(agent, THREE_LEAKS),
        BlueprintReference(agent),
        time.perf_counter(),
    )
    blocks = _blocks(reference, leaky, options.hands, 0)
    decisions = reference.decisions(blocks)
    report = find_leaks(decisions, hands=options.hands)
    for leak in report.leaks:
        print(f"{leak}; {leak.per_100:+.2f} a hundred hands, p {leak.p_value:.1e}")
        for test in leak.also:
            print(f"    {test}")
    if options.runs:
        priced = _priced(decisions, blocks, agent, _lines(report), options.runs)
        print("priced:", *find_leaks(priced, hands=options.hands).leaks, sep="\n    ")
        print(f"{time.perf_counter() - begun:.0f} s")
    for name, player in (("planted", leaky), ("blueprint", agent)):
        exactly, none, without = 0, 0, 0
        false: Counter[tuple[str, str]] = Counter()
        for seed in range(options.seeds):
            decisions = reference.decisions(_blocks(reference, player, options.hands, seed))
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
    for share in SMALLER:
        small = planted_agent(agent, [THREE_LEAKS[0]._replace(share=share)])
        found = sum(
            THREE_LEAKS[0].line
            in {line for _, line in _lines(_report(reference, small, options.hands, seed))}
            for seed in range(options.small)
        )
        print(f"folds {share:.0%} of what should go on against 3-bets: found in {found} of {options.small}")
    print(f"{time.perf_counter() - begun:.0f} s")
    for planted in THREE_LEAKS:
        lost = _lost(agent, planted_agent(agent, [planted]), options.cost)
        print(f"{planted.street}, {planted.line}, {planted.action} alone loses {lost.bb100} bb/100")


def _blocks(
    reference: BlueprintReference, player: BlueprintAgent, hands: int, seed: int
) -> list[PlayedBlock]:
    blocks: list[PlayedBlock] = []
    agents = [player, reference.agent]
    play_match(agents, reference.agent.own_table, hands, seed=seed, workers=1, on_block=blocks.append)
    return blocks


def _report(reference: BlueprintReference, player: BlueprintAgent, hands: int, seed: int) -> LeakReport:
    return find_leaks(reference.decisions(_blocks(reference, player, hands, seed)), hands=hands)


def _priced(
    decisions: polars.DataFrame,
    blocks: list[PlayedBlock],
    agent: BlueprintAgent,
    lines: set[tuple[str, str]],
    runs: int,
) -> polars.DataFrame:
    """Return the decisions with prices at some lines. Blocks are of one size but for the last."""
    losses: list[float | None] = []
    table = decisions.with_columns(polars.int_range(polars.len()).over("hand").alias("number"))
    for row in table.iter_rows(named=True):
        if (row["street"], row["line"]) not in lines:
            losses.append(None)
            continue
        block = blocks[row["hand"] // blocks[0].hands]
        hand = row["hand"] % blocks[0].hands
        player = next(player for player in (0, 1) if block.slot(hand, player) == 0)
        [found] = review_hand(
            block.state(hand),
            player,
            [agent, agent],
            seed=block.seed,
            hand=row["hand"],
            adviser=agent,
            runs=runs,
            only=row["number"],
        )
        mean = sum(choice.share * choice.ev_bb for choice in found.choices)
        losses.append(mean - next(choice.ev_bb for choice in found.choices if choice.action == found.taken))
    return decisions.with_columns(polars.Series("ev_loss_bb", losses, polars.Float64))


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
