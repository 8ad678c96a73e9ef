"""The local best response: how much a simple opponent who knows the strategy wins, a lower bound on
exploitability.

    result = run_lbr(make_agent("tag"), HoldemGame(), hands=20_000, bets="fcpa", seed=1)
    result.aivat                 # Estimate(mean=..., half=...), mbb/hand
    result.raw

One responder is one lower bound; `overbet.evaluation.lbr_family` measures the whole family and names the
largest. What a responder does is said in `overbet.kernels.lbr.play`. Agents of the match loop are measured
there; any other agent that has `strategy_for_all_hands` in `overbet.evaluation.lbr_agents`, by the same
rules. Every deal is played twice, the responder in either seat; the two hands are one group.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from overbet import machine
from overbet.agents.compiled import CompiledAgent
from overbet.agents.protocol import Agent, prepare
from overbet.agents.registry import name_of
from overbet.errors import ConfigError, unknown
from overbet.evaluation.lbr_blocks import COMPILED_BLOCK, PYTHON_BLOCK, in_blocks, player
from overbet.evaluation.statistics import Blocks, Estimate, Moments, sd_reduction
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import STREETS

if TYPE_CHECKING:
    from collections.abc import Generator

    from overbet.cluster import Cluster
    from overbet.evaluation.lbr_agents import Guess
    from overbet.evaluation.lbr_blocks import Played

Floats = npt.NDArray[np.float64]
Progress = Callable[[int, Estimate], None]  # hands done, estimate so far
PaceOfAll = Callable[[list[Moments]], None]  # by responder: its deals up to the first that is not yet done

_MANY = 55
BETS: dict[str, tuple[float, ...]] = {
    "fc": (),
    "fcpa": (1.0, math.inf),
    "56": (*np.geomspace(0.1, 10.0, _MANY).tolist(), math.inf),
}
_IN_WORDS = {"fc": "fold and call", "fcpa": "fold, call, pot and all-in", "56": "56 sizes"}
SEEDS = 2**63  # seeds are from 0 to one less
_MILLI = 1000.0


@dataclass(frozen=True)
class LbrSettings:
    """What a responder may do. sizes: raises as shares of the pot, ascending, infinite for all in; streets:
    where it responds, elsewhere it checks and calls."""

    bets: str
    sizes: tuple[float, ...]
    streets: tuple[str, ...]

    @classmethod
    def of(cls, bets: str | Sequence[float] = "fcpa", streets: Sequence[str] = STREETS) -> LbrSettings:
        """Return the settings of a choice of bets, or of shares of the pot."""
        name, sizes = _sizes(bets)
        wrong = [street for street in streets if street not in STREETS]
        if wrong or not streets:
            raise ConfigError(unknown("street", wrong[0] if wrong else "", STREETS))
        return cls(name, sizes, tuple(street for street in STREETS if street in streets))

    def __str__(self) -> str:
        return f"bets {self.bets}, streets {','.join(self.streets)}"

    @property
    def in_words(self) -> str:
        """Such as `56 sizes on turn and river`."""
        where = "all streets" if self.streets == STREETS else " and ".join(self.streets)
        return f"{_IN_WORDS.get(self.bets, self.bets)} on {where}"


@dataclass(frozen=True, eq=False)
class LbrResult:
    """What the responder won, in thousandths of a big blind a hand.

    raw: as the cards fell; aivat: with the agent's luck and that of the cards taken out, the same mean;
    values: [deal] float64, the AIVAT estimates by deal; stopped: Ctrl-C ended it before the last hand.
    """

    subject: str
    responder: LbrSettings
    hands: int
    seed: int
    raw: Estimate
    aivat: Estimate
    values: Floats
    stopped: bool = False

    @property
    def bets(self) -> str:
        """The responder's bets in one text."""
        return self.responder.bets

    @property
    def streets(self) -> tuple[str, ...]:
        """Where it responds."""
        return self.responder.streets

    @property
    def sd_reduction(self) -> float:
        """By which share AIVAT lowers the standard deviation."""
        return sd_reduction(self.raw, self.aivat)

    @property
    def settings(self) -> str:
        """The responder in one text: what two results have to share to be compared."""
        return str(self.responder)


def run_lbr(
    agent: Agent,
    game: HoldemGame | None = None,
    hands: int = 20_000,
    bets: str | Sequence[float] = "fcpa",
    streets: Sequence[str] = STREETS,
    seed: int = 0,
    workers: int = 0,
    progress: Progress | None = None,
    guess: Guess | None = None,
    cluster: Cluster | None = None,
    specs: tuple[str, str] | None = None,
) -> LbrResult:
    """Play the local best response against an agent, heads up.

    bets: `fc` (fold, call), `fcpa` (and raise by the pot, all in), `56` (55 sizes from a tenth of the pot
    to ten pots, and all in), or shares of the pot, infinite for all in; streets: where it responds,
    elsewhere it checks and calls; workers: 0 is all cores; progress(hands done, estimate so far). guess:
    for an agent that thinks long, how bets that are only considered are judged (`lbr_agents`). Ctrl-C ends
    it; the result is then what was played and `stopped` is true. cluster: plays there, with the same result;
    specs: the words that named the agent and the guess, where those have to be made again on other machines.
    """

    def pace(moments: list[Moments]) -> None:
        if progress is not None and moments[0].count:
            progress(2 * moments[0].count, moments[0].estimate())

    responder = LbrSettings.of(bets, streets)
    found = run_responders(agent, game, hands, [responder], seed, workers, pace, guess, cluster, specs)
    return found[0]


def run_responders(
    agent: Agent,
    game: HoldemGame | None,
    hands: int,
    responders: Sequence[LbrSettings],
    seed: int = 0,
    workers: int = 0,
    pace: PaceOfAll | None = None,
    guess: Guess | None = None,
    cluster: Cluster | None = None,
    specs: tuple[str, str] | None = None,
) -> list[LbrResult]:
    """Play several responders on the same deals; return a result for each, in order.

    After Ctrl-C the results are on the deals that all have played; a responder that has played none has no
    result. Where nothing was played at all, the interrupt goes on to the caller.
    """
    table = HoldemGame() if game is None else game
    if table.num_players != 2:
        raise ConfigError(f"the local best response plays heads up, not with {table.num_players} players")
    if hands < 2:
        raise ConfigError(f"at least 2 hands are needed, one in each seat; {hands} asked for")
    if not 0 <= seed < SEEDS:
        raise ConfigError(f"a seed is from 0 to 2**63 - 1, not {seed}")
    agent = prepare(agent, table)
    asked = [(np.array(one.sizes, np.float64), _where(one)) for one in responders]
    deals, compiled = (hands + 1) // 2, isinstance(agent, CompiledAgent)
    size = COMPILED_BLOCK if compiled else PYTHON_BLOCK

    def running_blocks() -> Generator[Played, None, None]:
        plays = [player(agent, table, sizes, streets, seed, guess) for sizes, streets in asked]
        if cluster is not None:
            from overbet.evaluation.lbr_cluster import LbrMaterial, blocks_on
            from overbet.evaluation.sent_agents import sent

            names = [None, None] if specs is None else [[word] for word in specs]
            judge = None
            if guess is not None:
                other = None if guess.agent is None else sent([guess.agent], names[1])[0]
                judge = (other, guess.sizes)
            subject = sent([agent], names[0])[0]
            material = LbrMaterial(subject, table, tuple(asked), seed, judge, deals, size, compiled)
            return blocks_on(cluster, material)
        # an agent that is asked in Python is asked by one thread: it need not be made for several
        return in_blocks(plays, deals, workers or machine.core_count() if compiled else 1, size)

    taken = [_Taken(_MILLI / table.big_blind) for _ in responders]
    stopped = False
    try:
        with closing(running_blocks()) as running:
            for place, number, won, estimate in running:
                taken[place].add(number, won, estimate)
                if pace is not None:
                    pace([one.moments for one in taken])
    except KeyboardInterrupt:
        stopped = True
        if not any(one.blocks for one in taken):
            raise
    common = min(one.blocks for one in taken if one.blocks)
    return [
        played.result(name_of(agent), responder, seed, common, stopped)
        for responder, played in zip(responders, taken)
        if played.blocks
    ]


class _Taken:
    """What one responder won, gathered by blocks. unit: thousandths of a big blind in a chip."""

    def __init__(self, unit: float) -> None:
        self.unit = unit
        self.parts: dict[int, tuple[Floats, Floats]] = {}  # block -> raw and AIVAT by deal, [deals] each
        self._aivat = Blocks()

    @property
    def blocks(self) -> int:
        """How many blocks were delivered up to the first that is missing."""
        return next(number for number in range(len(self.parts) + 1) if number not in self.parts)

    @property
    def moments(self) -> Moments:
        """The AIVAT estimates of those blocks."""
        return self._aivat.moments

    def add(self, number: int, won: Floats, estimate: Floats) -> None:
        """Take a block; won, estimate: [deals, 2] float64 chips."""
        self.parts[number] = self.unit * won.mean(1), self.unit * estimate.mean(1)
        self._aivat.add(number, self.parts[number][1])

    def result(
        self, subject: str, responder: LbrSettings, seed: int, blocks: int, stopped: bool
    ) -> LbrResult:
        """Return the result of the first `blocks` blocks."""
        raw, aivat = (
            np.concatenate([self.parts[number][kind] for number in range(blocks)]) for kind in (0, 1)
        )
        return LbrResult(
            subject, responder, 2 * len(aivat), seed, _estimate(raw), _estimate(aivat), aivat, stopped
        )


def _estimate(values: Floats) -> Estimate:
    """Return the mean over deals, [deal], summed in parts of one size: the same bits in any blocks."""
    parts = (values[first : first + COMPILED_BLOCK] for first in range(0, len(values), COMPILED_BLOCK))
    return reduce(Moments.merged, (Moments.of(part) for part in parts), Moments()).estimate()


def _where(responder: LbrSettings) -> npt.NDArray[np.bool_]:
    return np.array([street in responder.streets for street in STREETS])


def _sizes(bets: str | Sequence[float]) -> tuple[str, tuple[float, ...]]:
    """Return the choice of bets in one text, and the sizes ascending."""
    if isinstance(bets, str):
        if bets == "all":
            raise ConfigError("bets 'all' is a family of responders: run_lbr_family measures it")
        if bets not in BETS:
            raise ConfigError(unknown("choice of bets", bets, BETS))
        return bets, BETS[bets]
    sizes = sorted(float(size) for size in bets)
    if any(not size > 0.0 for size in sizes):
        raise ConfigError(f"bets are shares of the pot above 0, not {list(bets)}")
    return "fc+" + ",".join("a" if math.isinf(size) else f"{size:g}" for size in sizes), tuple(sizes)
