"""Equity: each player's share of the pot when all cards come, ties split.

Two to nine players hold combos or ranges on any board, with dead cards. Deals are weighted by the product
of the ranges' weights over hands that share no card. Exact wherever that is feasible: heads-up before the
flop from the shipped table (`preflop`), heads-up after it by one sweep a board (`kernels.cards.equity`),
several players by enumeration (`kernels.cards.equity_multiway`) up to `EXACT_LIMIT`; beyond it sampled
(`kernels.cards.equity_sampled`), with a 95 % confidence interval. The same seed gives the same sample on
any number of threads.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from overbet.cards import preflop
from overbet.cards.cards import cards_name
from overbet.cards.combos import COMBOS, live_combos
from overbet.cards.equity_field import (
    Cards,
    EquityQuestion,
    PlayerHand,
    read_cards,
    read_player,
    read_question,
)
from overbet.errors import ConfigError, RangeError, TooLargeError, unknown

Progress = Callable[[int, int], None]
Method = Literal["auto", "exact", "sampled"]
_METHODS = ("auto", "exact", "sampled")

EXACT_LIMIT = 200_000_000  # hands ranked and deals compared up to which `auto` enumerates: seconds
FORCED_LIMIT = 200_000_000_000  # and up to which `exact` does when it is asked to: tens of minutes
SAMPLES = 1_000_000
_CANONICAL_BOARDS = 134_459
_FEW_PAIRS = 64  # pairs of combos up to which dealing them one by one is quicker than sorting


@dataclass(frozen=True)
class EquityResult:
    """Equities of all players, in the order given.

    combos: what each may hold, counted by weight, once the board, the dead cards and certain cards are out;
    equity: share of the pot; win: probability of taking it alone; tie: of sharing it; ci95: half-width of
    the 95 % confidence interval of the equity, 0 when exact. `boards` are the run-outs enumerated when
    exact, `trials` the deals sampled when not; the other one is 0.
    """

    players: tuple[str, ...]
    combos: tuple[float, ...]
    equity: tuple[float, ...]
    win: tuple[float, ...]
    tie: tuple[float, ...]
    ci95: tuple[float, ...]
    exact: bool
    boards: int
    trials: int
    board: str
    dead: str

    def to_dict(self) -> dict[str, object]:
        """Return plain values for JSON."""
        rows = zip(self.players, self.combos, self.equity, self.win, self.tie, self.ci95)
        return {
            "board": self.board,
            "dead": self.dead,
            "exact": self.exact,
            "boards": self.boards,
            "trials": self.trials,
            "players": [
                {"hand": name, "combos": combos, "equity": equity, "win": win, "tie": tie, "ci95": ci95}
                for name, combos, equity, win, tie, ci95 in rows
            ],
        }


def equity(
    *players: PlayerHand,
    board: Cards = "",
    dead: Cards = "",
    method: Method = "auto",
    samples: int = SAMPLES,
    seed: int = 0,
    progress: Progress | None = None,
) -> EquityResult:
    """Return the equities of 2 to 9 players: `equity("AKs,QQ+", "22+", board="Td9d6h")`.

    A player is a range text, a `Range`, or [1326] weights. `method` chooses between exact and sampled;
    `auto` is exact where that takes seconds. `progress(done, total)` counts boards or trials.
    """
    question = read_question(players, board, dead)
    if method not in _METHODS:
        raise ConfigError(unknown("method", method, _METHODS))
    if samples < 1:
        raise ConfigError(f"at least one sample is needed; {samples} asked for")
    if not 0 <= seed < 1 << 63:
        raise ConfigError(f"a seed is 0 to 2^63 - 1; {seed} given")
    if method != "sampled":
        if _in_the_table(question):
            return _from_the_table(question)
        work = _work(question)
        if method == "exact" and work > FORCED_LIMIT:
            raise TooLargeError(
                f"an exact answer needs about {work:.1e} comparisons; narrow the ranges, or let it be sampled"
            )
        if method == "exact" or work <= EXACT_LIMIT:
            return _enumerated(question, progress)
    from overbet.cards.equity_engines import sample

    table, ci95, trials = sample(question, samples, seed, progress)
    return _result(question, table, trials=trials, ci95=tuple(float(width) for width in ci95))


def hand_equities(
    opponent: PlayerHand, *, board: Cards = "", dead: Cards = "", progress: Progress | None = None
) -> npt.NDArray[np.float64]:
    """Return every combo's exact equity against a range: [1326] float64.

    NaN where a combo is dead or leaves the opponent nothing to hold. Before the flop with dead cards all
    two million run-outs are enumerated.
    """
    shown, gone = read_cards(board, dead)
    live = live_combos(shown + gone)
    name, given = read_player(opponent)
    weights = np.where(live, given, 0.0)
    if not weights.any():
        raise RangeError(f"no combo of {name!r} is left on {cards_name(shown + gone)}")
    if not shown and not gone:
        return preflop.hand_equities(weights)
    deck = [card for card in range(52) if card not in shown + gone]
    combos = np.flatnonzero(live)
    from overbet.cards.equity_engines import sweep_runouts

    won, tied, met = sweep_runouts(shown, deck, combos, weights[combos], progress)
    table = np.full(COMBOS, np.nan)
    counted = preflop.leaves_some(weights)[combos]
    table[combos[counted]] = (won[counted] + tied[counted] / 2) / met[counted]
    return table


def _in_the_table(question: EquityQuestion) -> bool:
    return len(question.weights) == 2 and not question.board and not question.dead


def _from_the_table(question: EquityQuestion) -> EquityResult:
    return _result(question, _two_players(*preflop.range_counts(*question.weights)))


def _by_sweeps(question: EquityQuestion) -> bool:
    return len(question.weights) == 2 and math.prod(question.combos) > _FEW_PAIRS


def _work(question: EquityQuestion) -> float:
    """Return the number of ranks and comparisons an exact answer needs."""
    hands = float(sum(question.combos))
    deals = float(math.prod(question.combos))
    if _by_sweeps(question):
        return question.runouts * hands
    boards = _CANONICAL_BOARDS if question.symmetric else question.runouts
    return boards * max(hands, deals)


def _enumerated(question: EquityQuestion, progress: Progress | None) -> EquityResult:
    from overbet.cards.equity_engines import deal_all, showdowns, sweep_runouts

    if max(question.combos) == 1:
        counts = showdowns(question, progress)
        shares = (counts / np.maximum(np.arange(counts.shape[1]), 1)).sum(1)
        table = np.stack((counts[:, 1], counts[:, 2:].sum(1), shares), axis=1) / question.runouts
    elif _by_sweeps(question):
        own, opponent = question.weights
        combos = np.flatnonzero((own > 0) | (opponent > 0))
        sums = sweep_runouts(question.board, question.deck, combos, opponent[combos], progress) @ own[combos]
        table = _two_players(*sums.tolist())
    else:
        table = deal_all(question, progress)
    return _result(question, table)


def _two_players(won: float, tied: float, total: float) -> npt.NDArray[np.float64]:
    """Return win, tie and share of both players: [2, 3] from the first one's weights."""
    if total <= 0.0:
        raise RangeError("the ranges block each other: no deal gives both players a hand")
    win, tie = won / total, tied / total
    lose = max(0.0, 1.0 - win - tie)
    return np.array([[win, tie, win + tie / 2], [lose, tie, lose + tie / 2]])


def _result(
    question: EquityQuestion,
    table: npt.NDArray[np.float64],
    *,
    trials: int = 0,
    ci95: tuple[float, ...] | None = None,
) -> EquityResult:
    """Return the result from rows of win, tie and share: [players, 3]; without `ci95` it is exact."""
    win, tie, share = (tuple(float(value) for value in column) for column in table.T)
    return EquityResult(
        question.names,
        tuple(float(weights.sum()) for weights in question.weights),
        share,
        win,
        tie,
        ci95 or (0.0,) * len(share),
        exact=ci95 is None,
        boards=question.runouts if ci95 is None else 0,
        trials=trials,
        board=cards_name(question.board),
        dead=cards_name(question.dead),
    )
