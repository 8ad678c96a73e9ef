"""The local best response: how much a simple opponent who knows the strategy wins, a lower bound on
exploitability.

    result = run_lbr(make_agent("tag"), HoldemGame(), hands=20_000, bets="fcpa", seed=1)
    result.aivat                 # Estimate(mean=..., half=...), mbb/hand
    result.raw

What the responder does is said in `overbet.kernels.lbr_play`. Agents of the match loop are measured there;
any other agent that has `strategy_for_all_hands` in `overbet.evaluation.lbr_agents`, by the same rules.
Every deal is played twice, the responder in either seat; the two hands are one group. Deals are worked off
in blocks of fixed size and merged in order, so the result is the same for any number of workers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from overbet import machine
from overbet.abstraction.features import deck
from overbet.agents.compiled import CompiledAgent, lore, match_of
from overbet.agents.protocol import Agent, prepare
from overbet.agents.registry import name_of
from overbet.blueprint.cards import pair_table
from overbet.errors import ConfigError, unknown
from overbet.evaluation.statistics import Blocks, Estimate, sd_reduction
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import STREETS
from overbet.kernels.agents_scripted import KIND, RANDOM_CHIPS
from overbet.kernels.buckets import BucketTables
from overbet.kernels.lbr_play import lbr_deals, pages_of
from overbet.kernels.lbr_range import Lbr, Sight, lbr_space

Floats = npt.NDArray[np.float64]
Progress = Callable[[int, Estimate], None]

_MANY = 55
BETS: dict[str, tuple[float, ...]] = {
    "fc": (),
    "fcpa": (1.0, math.inf),
    "56": (*np.geomspace(0.1, 10.0, _MANY).tolist(), math.inf),
}
_BLOCK = 25  # deals of a block
_MILLI = 1000.0


@dataclass(frozen=True, eq=False)
class LbrResult:
    """What the responder won, in thousandths of a big blind a hand.

    raw: as the cards fell; aivat: with the agent's luck and that of the cards taken out, the same mean;
    values: [deal] float64, the AIVAT estimates by deal.
    """

    subject: str
    bets: str
    streets: tuple[str, ...]
    hands: int
    seed: int
    raw: Estimate
    aivat: Estimate
    values: Floats

    @property
    def sd_reduction(self) -> float:
        """By which share AIVAT lowers the standard deviation."""
        return sd_reduction(self.raw, self.aivat)

    @property
    def settings(self) -> str:
        """The responder in one text: what two results have to share to be compared."""
        return f"bets {self.bets}, streets {','.join(self.streets)}"


def run_lbr(
    agent: Agent,
    game: HoldemGame | None = None,
    hands: int = 20_000,
    bets: str | Sequence[float] = "fcpa",
    streets: Sequence[str] = STREETS,
    seed: int = 0,
    workers: int = 0,
    progress: Progress | None = None,
) -> LbrResult:
    """Play the local best response against an agent, heads up.

    bets: `fc` (fold, call), `fcpa` (and raise by the pot, all in), `56` (55 sizes from a tenth of the pot
    to ten pots, and all in), or shares of the pot, infinite for all in; streets: where it responds,
    elsewhere it checks and calls; workers: 0 is all cores; progress(hands done, estimate so far).
    """
    table = HoldemGame() if game is None else game
    if table.num_players != 2:
        raise ConfigError(f"the local best response plays heads up, not with {table.num_players} players")
    if hands < 2:
        raise ConfigError(f"at least 2 hands are needed, one in each seat; {hands} asked for")
    name, sizes = _sizes(bets)
    wrong = [street for street in streets if street not in STREETS]
    if wrong or not streets:
        raise ConfigError(unknown("street", wrong[0] if wrong else "", STREETS))
    prepare(agent, table)
    where = np.array([street in streets for street in STREETS])
    play = _player(agent, table, sizes, where, seed)
    deals = (hands + 1) // 2
    raw, aivat, parts = Blocks(), Blocks(), {}
    unit = _MILLI / table.big_blind
    for number, won, estimate in _in_blocks(play, deals, workers or machine.core_count()):
        raw.add(number, unit * won.mean(1))
        parts[number] = unit * estimate.mean(1)
        moments = aivat.add(number, parts[number])
        if progress is not None and moments.count:
            progress(2 * moments.count, moments.estimate())
    return LbrResult(
        subject=name_of(agent),
        bets=name,
        streets=tuple(street for street in STREETS if street in streets),
        hands=2 * deals,
        seed=seed,
        raw=raw.moments.estimate(),
        aivat=aivat.moments.estimate(),
        values=np.concatenate([parts[number] for number in sorted(parts)]),
    )


def _sizes(bets: str | Sequence[float]) -> tuple[str, Floats]:
    """Return the choice of bets in one text, and the sizes ascending."""
    if isinstance(bets, str):
        if bets not in BETS:
            raise ConfigError(unknown("choice of bets", bets, BETS))
        return bets, np.array(BETS[bets], np.float64)
    sizes = sorted(float(size) for size in bets)
    if any(not size > 0.0 for size in sizes):
        raise ConfigError(f"bets are shares of the pot above 0, not {list(bets)}")
    return "fc+" + ",".join("a" if math.isinf(size) else f"{size:g}" for size in sizes), np.array(sizes)


_Play = Callable[[int, Floats, Floats], None]  # first deal, chips won and estimated: [deals, 2] each


def _player(
    agent: Agent, game: HoldemGame, sizes: Floats, streets: npt.NDArray[np.bool_], seed: int
) -> _Play:
    """Return what plays a block of deals against this agent."""
    if isinstance(agent, CompiledAgent):
        if agent.row[KIND] == RANDOM_CHIPS:
            raise ConfigError(
                f"{agent.name} has no table of its strategy, which the responder needs; use random"
            )
        lbr, sight = compiled_lbr(agent, game, sizes, streets, seed)

        def play(first: int, won: Floats, estimate: Floats) -> None:
            lbr_deals(lbr, sight, lbr_space(lbr), first, won, estimate)

        return play
    from overbet.evaluation.lbr_agents import Responder

    return Responder(agent, game, sizes, streets, seed).play


def compiled_lbr(
    agent: CompiledAgent, game: HoldemGame, sizes: Floats, streets: npt.NDArray[np.bool_], seed: int
) -> tuple[Lbr, Sight]:
    """Return what the kernel plays an agent of the match loop with."""
    match = match_of([agent], game, seed)
    book, index = match.one, match.index
    tables = BucketTables(
        index.preflop,
        book.flop,
        book.turn,
        book.river,
        book.river_rule,
        index.preflop_suits,
        index.flop_suits,
        index.turn_suits,
        index.river_suits,
        index.evaluator,
    )
    row, pairs = match.rows[0].copy(), pair_table()
    lbr = Lbr(match.root, row, match.fallback, pages_of(book), index.evaluator, pairs, sizes, streets, seed)
    return lbr, Sight(deck(5), lore(), tables)


def _in_blocks(play: _Play, deals: int, workers: int) -> Any:
    """Yield (block, won, estimate) as they are done; a few blocks wait at most, so that Ctrl-C is quick."""

    def one(number: int) -> tuple[int, Floats, Floats]:
        count = min(_BLOCK, deals - number * _BLOCK)
        won, estimate = np.zeros((count, 2)), np.zeros((count, 2))
        play(number * _BLOCK, won, estimate)
        return number, won, estimate

    blocks = iter(range((deals + _BLOCK - 1) // _BLOCK))
    yield one(next(blocks))  # compiles the kernel, or loads it, once
    with ThreadPoolExecutor(workers) as pool:
        waiting: set[Future[tuple[int, Floats, Floats]]] = set()
        try:
            while True:
                for number in blocks:
                    waiting.add(pool.submit(one, number))
                    if len(waiting) >= 2 * workers:
                        break
                if not waiting:
                    return
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:
            for future in waiting:
                future.cancel()
