"""How the deals of the local best response are worked off: what plays a block, and blocks on all cores.

Blocks have a fixed size and are numbered, so that results can be merged in order: the same for any number of
workers. Several responders take turns block by block: whenever it is stopped, all have played the same deals
but for the last few blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from overbet.abstraction.features import deck
from overbet.agents.compiled import CompiledAgent, hand_tables, match_of
from overbet.agents.protocol import Agent
from overbet.blueprint.cards import pair_table
from overbet.errors import ConfigError
from overbet.games.holdem import HoldemGame
from overbet.kernels.abstraction.buckets import BucketTables
from overbet.kernels.agents.scripted import KIND, RANDOM_CHIPS
from overbet.kernels.lbr.play import decisions_of_blueprint, lbr_deals
from overbet.kernels.lbr.ranges import BoardTables, Lbr, lbr_space

if TYPE_CHECKING:
    from overbet.evaluation.lbr_agents import Guess

Floats = npt.NDArray[np.float64]
Play = Callable[[int, Floats, Floats], None]  # first deal, chips won and estimated: [deals, 2] each
Played = tuple[int, int, Floats, Floats]  # responder, block, chips won and estimated: [deals, 2] each
COMPILED_BLOCK = 25  # deals of a block
PYTHON_BLOCK = 4  # deals of agents that are asked in Python: some think for seconds


def player(
    agent: Agent,
    game: HoldemGame,
    sizes: Floats,
    streets: npt.NDArray[np.bool_],
    seed: int,
    guess: Guess | None = None,
) -> Play:
    """Return what plays a block of deals against this agent. sizes: [S] float64 shares of the pot."""
    if isinstance(agent, CompiledAgent):
        if guess is not None:
            raise ConfigError(f"{agent.name} answers at once: leave the guess out")
        if agent.row[KIND] == RANDOM_CHIPS:
            raise ConfigError(
                f"{agent.name} has no table of its strategy, which the responder needs; use random"
            )
        lbr, board_tables = compiled_lbr(agent, game, sizes, streets, seed)

        def play(first: int, won: Floats, estimate: Floats) -> None:
            lbr_deals(lbr, board_tables, lbr_space(lbr), first, won, estimate)

        return play
    from overbet.evaluation.lbr_agents import Responder

    return Responder(agent, game, sizes, streets, seed, guess).play


def compiled_lbr(
    agent: CompiledAgent, game: HoldemGame, sizes: Floats, streets: npt.NDArray[np.bool_], seed: int
) -> tuple[Lbr, BoardTables]:
    """Return what the kernel plays an agent of the match loop with."""
    match = match_of([agent], game, seed)
    arrays, index = match.one, match.index
    tables = BucketTables(
        index.preflop,
        arrays.flop,
        arrays.turn,
        arrays.river,
        arrays.river_rule,
        arrays.river_class,
        index.preflop_suits,
        index.flop_suits,
        index.turn_suits,
        index.river_suits,
        index.board_suits,
        index.evaluator,
    )
    row, pairs = match.rows[0].copy(), pair_table()
    lbr = Lbr(
        match.root,
        row,
        match.fallback,
        decisions_of_blueprint(arrays),
        index.evaluator,
        pairs,
        sizes,
        streets,
        seed,
    )
    return lbr, BoardTables(deck(5), hand_tables(), tables)


def play_block(plays: Sequence[Play], place: int, number: int, deals: int, size: int) -> Played:
    """Play one block of a responder: `size` of all deals, fewer in the last block."""
    count = min(size, deals - number * size)
    won, estimate = np.zeros((count, 2)), np.zeros((count, 2))
    plays[place](number * size, won, estimate)
    return place, number, won, estimate


def in_blocks(
    plays: Sequence[Play], deals: int, workers: int, size: int = COMPILED_BLOCK
) -> Generator[Played, None, None]:
    """Yield what was played as it is done; a few blocks wait at most, so that Ctrl-C is quick.

    size: deals in a block.
    """

    def one(place: int, number: int) -> Played:
        return play_block(plays, place, number, deals, size)

    blocks = (deals + size - 1) // size
    jobs = ((place, number) for number in range(blocks) for place in range(len(plays)))
    yield one(*next(jobs))  # compiles the kernel, or loads it, once
    with ThreadPoolExecutor(workers) as pool:
        waiting: set[Future[Played]] = set()
        try:
            while True:
                for job in jobs:
                    waiting.add(pool.submit(one, *job))
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
