"""How trustworthy the grades of a blueprint's decisions are: beside a long run, and how often they abstain.

    python benchmarks/grades.py --decisions 500 --workers 16 --kept grades.jsonl

Decisions come up as the blueprint plays itself; the answer is any of the offered actions, drawn at random.
The verdict is the one of the drill and of the review. The reference is always played on, with other random
numbers, until its loss lies four standard errors from every limit between two words, or `--reference` times;
its word is that of its mean. Where the verdict is an exact sum the two have nothing in common but the
strategies. `best` and `correct` are one verdict here: which of two actions that the strategy takes is worth a
hundredth more is not what is graded. A run that is stopped goes on where it was with the same `--kept`.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from overbet.agents.compiled import CompiledAgent
from overbet.agents.protocol import Observation
from overbet.agents.registry import make_agent
from overbet.evaluation.match_review import Effort, MatchDecision, review_hand
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import HoldemState
from overbet.study.grades import SMALL_POT, estimated_grade
from overbet.study.review import ReviewedDecision, full_effort, how_known, reviewed
from versions import vectors


def main() -> None:
    """Grade and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--agent", default="blueprint:heads-up")
    parser.add_argument("--decisions", type=int, default=500)
    parser.add_argument("--reference", type=int, default=4_096_000, help="0 for none")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="processes, each with decisions of its own")
    parser.add_argument("--kept", type=Path, help="file that gets a line a decision")
    options = parser.parse_args()
    each = -(-options.decisions // options.workers)
    jobs = [
        (options.agent, each, options.reference, options.seed + k, options.kept)
        for k in range(options.workers)
    ]
    if options.workers == 1:
        parts = [_graded(*jobs[0])]
    else:
        with multiprocessing.get_context("spawn").Pool(options.workers) as pool:
            parts = pool.starmap(_graded, jobs)
    rows = [row for part in parts for row in part]
    words = Counter(row.word for row in rows)
    unclear = Counter(row.street for row in rows if row.word == "unclear")
    told = [row for row in rows if row.word != "unclear" and row.reference]
    agreed = sum(row.word == row.reference for row in told)
    seconds = [row.seconds for row in rows]
    print(f"{vectors()}; {options.agent}, {len(rows)} decisions, seeds from {options.seed}: {dict(words)}")
    print(f"unclear {words['unclear'] / len(rows):.1%}, by street {dict(unclear)}")
    print(f"exact sums: {sum(row.exact for row in rows)}")
    if told:
        print(f"with the reference: {agreed} of {len(told)} verdicts agree ({agreed / len(told):.1%})")
    print(f"seconds a verdict: mean {np.mean(seconds):.2f}, slowest tenth {np.quantile(seconds, 0.9):.2f}")


class _Row(NamedTuple):
    """One decision. word, reference: right, inaccuracy, mistake, blunder or unclear; exact: a sum."""

    word: str
    reference: str
    street: str
    exact: bool
    seconds: float


def _graded(name: str, decisions: int, most: int, seed: int, kept: Path | None) -> list[_Row]:
    before = _kept(kept, seed)
    agent = make_agent(name)
    assert isinstance(agent, CompiledAgent)
    table: HoldemGame = agent.own_table
    rng = np.random.default_rng(seed)
    rows: list[_Row] = []
    while len(rows) < decisions:
        deal, hero = int(rng.integers(2**40)), int(rng.integers(table.num_players))
        final, place = _hand(agent, table, deal, hero, rng)
        if final is None:
            continue
        if len(rows) < len(before):
            rows.append(before[len(rows)])
            continue
        begun = time.perf_counter()
        found = _verdict(agent, final, hero, place, deal, full_effort())
        took = time.perf_counter() - begun
        word, reference = _kind(found.grade), ""
        if word != "unclear" and most:
            effort = Effort(min(128_000, most), most, _is_certain, play_on=True)
            long = _verdict(agent, final, hero, place, deal + 1, effort)
            reference = _word_of_mean(long)
            if word != reference:
                print(
                    f"  {found.decision.state.street} {found.grade} ({found.loss_bb:.3f} ± "
                    f"{found.accuracy_bb:.3f} bb, {how_known(found.decision)}), the reference {reference} "
                    f"({long.decision.loss_bb:.3f} ± {long.accuracy_bb:.3f}, {long.decision.runs:,} runs)",
                    flush=True,
                )
        street = found.decision.state.street
        rows.append(_Row(word, reference, street, not found.decision.runs, took))
        if kept is not None:
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps([seed, len(rows) - 1, *rows[-1]]) + "\n")
    return rows


def _kept(file: Path | None, seed: int) -> list[_Row]:
    """Return the decisions of a seed that an earlier run graded."""
    if file is None or not file.exists():
        return []
    lines = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
    found = {number: _Row(*row) for one, number, *row in lines if one == seed}
    return [found[number] for number in range(len(found))]


def _word_of_mean(found: ReviewedDecision) -> str:
    """Return the word as if the mean were certain; right too where nothing is given up."""
    state = found.decision.state
    pot = max(state.pot / state.game.big_blind, SMALL_POT)
    is_best = found.grade == "best"
    return _kind(estimated_grade(found.decision.loss_bb, pot, 0.0, found.share, is_best=is_best))


def _is_certain(decision: MatchDecision) -> bool:
    """Return whether the word of the mean would stay even if it were off by four standard errors."""
    found = reviewed(decision)
    off = 4.0 * decision.loss_error_bb
    sides = (replace(found, decision=replace(decision, loss_bb=decision.loss_bb + by)) for by in (-off, off))
    return len({_word_of_mean(one) for one in sides}) == 1


def _hand(
    agent: CompiledAgent, table: HoldemGame, seed: int, hero: int, rng: np.random.Generator
) -> tuple[HoldemState | None, int]:
    """Return a hand in which one of hero's actions is drawn, and which of its decisions that is."""
    state, met = table.deal(seed, 0), list[HoldemState]()
    while not state.is_terminal():
        if state.current_player() == hero:
            met.append(state)
        state = state.apply(agent.act(Observation.of(state, seed, 0)))
    if not met:
        return None, 0
    place = int(rng.integers(len(met)))
    asked = met[place]
    offered = agent.strategy_for_all_hands(Observation.of(asked, seed, 0).public).actions
    state = asked.apply(int(rng.choice(offered)))
    while not state.is_terminal():
        state = state.apply(agent.act(Observation.of(state, seed, 0)))
    return state, place


def _verdict(
    agent: CompiledAgent, final: HoldemState, hero: int, place: int, seed: int, effort: Effort
) -> ReviewedDecision:
    seats = [agent] * final.game.num_players
    (found,) = review_hand(final, hero, seats, seed=seed, hand=0, adviser=agent, effort=effort, only=place)
    return reviewed(found)


def _kind(word: str) -> str:
    return "right" if word in ("best", "correct") else word


if __name__ == "__main__":
    main()
