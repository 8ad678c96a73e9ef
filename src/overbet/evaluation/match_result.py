"""What a match says: mbb a hand with its 95 % interval, by agent, by position and by street, as frames.

What is independent is the deal: all its rotations together are one number for each agent, and the interval is
over those numbers (`overbet.evaluation.statistics`). mbb: thousandths of a big blind.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from overbet.evaluation.match_blocks import SHOWDOWN_MARK, PlayedBlock
from overbet.evaluation.match_referee import RefereeFault
from overbet.evaluation.statistics import Estimate, Moments, sd_reduction
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import STREETS
from overbet.kernels.match.play import DECISIONS, MAPPED, OFF_TREE, UNTRAINED

if TYPE_CHECKING:
    import polars as pl

Floats = npt.NDArray[np.float64]
RAW = "raw"


@dataclass(eq=False)
class MatchResult:
    """A match, as far as it was played.

    names: of the agents; entry: [slot], which agent sits there; won: [hand, slot] int64 chips;
    estimates: by name, [hand, slot] float64 chips; ended: [hand] int8 and counts: [slot, 4] as in
    `PlayedBlock`.
    """

    names: tuple[str, ...]
    game: HoldemGame
    seed: int
    entry: npt.NDArray[np.int64]
    won: npt.NDArray[np.int64]
    ended: npt.NDArray[np.int8]
    counts: npt.NDArray[np.int64]
    estimates: dict[str, Floats] = field(default_factory=dict)
    faults: list[RefereeFault] = field(default_factory=list)
    stopped: bool = False
    seconds: float = 0.0

    @property
    def hands(self) -> int:
        """Hands played."""
        return len(self.won)

    @property
    def deals(self) -> int:
        """Deals played, each in all rotations."""
        return len(self.won) // self.game.num_players

    def by_deal(self, agent: int, estimate: str = RAW) -> Floats:
        """Return what an agent won on each deal, in mbb a hand: [deal] float64."""
        values = self.won if estimate == RAW else self.estimates[estimate]
        return deal_means(values, self.entry == agent, self.game)

    def mbb(self, agent: int = 0, estimate: str = RAW) -> Estimate:
        """Return an agent's result in mbb a hand with its interval."""
        return Moments.of(self.by_deal(agent, estimate)).estimate()

    def frame(self) -> pl.DataFrame:
        """Return a row for each agent: mbb a hand, interval, standard deviation, and each estimator's.

        `*_hand_sd_reduction` is what an estimator takes off the deviation of a hand, `*_sd_reduction` off
        that of a deal in all rotations: less, since that has lost part of its luck already.
        """
        import polars as pl

        return pl.DataFrame(self.agent_rows())

    def agent_rows(self) -> list[dict[str, Any]]:
        """Return what `frame` has, by name, an agent at a time: quicker, since polars takes long to load."""
        rows = []
        for agent, name in enumerate(self.names):
            raw = self.mbb(agent)
            row: dict[str, Any] = {"agent": name, "hands": self.hands * self._seats(agent)}
            row |= _columns("", raw)
            for estimate in self.estimates:
                better = self.mbb(agent, estimate)
                row |= _columns(f"{estimate}_", better)
                row[f"{estimate}_sd_reduction"] = sd_reduction(raw, better)
                row[f"{estimate}_hand_sd_reduction"] = self._hand_sd_reduction(agent, estimate)
            rows.append(row)
        return rows

    def _hand_sd_reduction(self, agent: int, estimate: str) -> float:
        seats = self.entry == agent
        raw = Moments.of(self.won[:, seats].ravel().astype(np.float64)).estimate()
        return sd_reduction(raw, Moments.of(self.estimates[estimate][:, seats].ravel()).estimate())

    def positions(self, estimate: str = RAW) -> pl.DataFrame:
        """Return a row for each agent and position."""
        import polars as pl

        return pl.DataFrame(self.position_rows(estimate))

    def position_rows(self, estimate: str = RAW) -> list[dict[str, Any]]:
        """Return what `positions` has, by name."""
        values = self.won if estimate == RAW else self.estimates[estimate]
        players = self.game.num_players
        cube = values.reshape(self.deals, players, players) * (1000.0 / self.game.big_blind)
        rows = []
        for agent, name in enumerate(self.names):
            slots = np.flatnonzero(self.entry == agent)
            for player in range(players):
                # in rotation r player p is slot (p + r) mod players
                there = cube[:, (slots - player) % players, slots].mean(1)
                row = {
                    "agent": name,
                    "position": self.game.position(player),
                    "hands": self.deals * len(slots),
                }
                rows.append(row | _columns("", Moments.of(there).estimate()))
        return rows

    def streets(self) -> pl.DataFrame:
        """Return a row for each agent and street on which the betting ended: the hands' share of the result.

        `mbb_of_total` adds up over the rows of an agent to its mbb a hand; `showdowns` is the share of these
        hands that were compared.
        """
        import polars as pl

        return pl.DataFrame(self.street_rows())

    def street_rows(self) -> list[dict[str, Any]]:
        """Return what `streets` has, by name."""
        rows = []
        street = self.ended % SHOWDOWN_MARK
        for agent, name in enumerate(self.names):
            for number, word in enumerate(STREETS):
                there = street == number
                part = deal_means(np.where(there[:, None], self.won, 0), self.entry == agent, self.game)
                hands = int(there.sum())
                result = Moments.of(part).estimate()
                row = {"agent": name, "street": word, "hands": hands, "share": hands / max(self.hands, 1)}
                row["showdowns"] = float((self.ended[there] >= SHOWDOWN_MARK).mean()) if hands else 0.0
                row |= {"mbb_of_total": result.mean, "half": result.half}
                rows.append(row)
        return rows

    def per_hand(self) -> pl.DataFrame:
        """Return a row for each hand and slot: chips won, and every estimate."""
        import polars as pl

        players = self.game.num_players
        hands = np.repeat(np.arange(self.hands), players)
        slots = np.tile(np.arange(players), self.hands)
        seats = [self.game.position(player) for player in range(players)]
        columns: dict[str, Any] = {
            "hand": hands,
            "deal": hands // players,
            "agent": np.array(self.names)[self.entry[slots]],
            "slot": slots,
            "position": np.array(seats)[(slots - hands) % players],
            "ended": np.array(STREETS)[self.ended[hands] % SHOWDOWN_MARK],
            "showdown": self.ended[hands] >= SHOWDOWN_MARK,
            "won": self.won.ravel(),
        }
        for name, values in self.estimates.items():
            columns[name] = values.ravel()
        return pl.DataFrame(columns)

    def notes(self) -> list[str]:
        """Return what has to be known about blueprints and faults: how often there was no strategy."""
        found = []
        for agent, name in enumerate(self.names):
            found += note_of(name, self.counts[self.entry == agent].sum(0))
        for name in dict.fromkeys(fault.agent for fault in self.faults):
            own = [fault for fault in self.faults if fault.agent == name]
            found.append(f"{len(own)} faults of {name}, check or fold instead; the first: {own[0]}")
        return found

    def _seats(self, agent: int) -> int:
        return int((self.entry == agent).sum())


def deal_means(values: npt.ArrayLike, slots: npt.NDArray[np.bool_], game: HoldemGame) -> Floats:
    """Return chips won, [hand, slot], as mbb a hand of the chosen slots on each deal: [deal] float64."""
    chosen = np.asarray(values, np.float64)[:, slots]
    by_deal: Floats = chosen.reshape(-1, game.num_players * chosen.shape[1]).mean(1)
    return by_deal * (1000.0 / game.big_blind)


def note_of(name: str, counts: npt.NDArray[np.int64]) -> list[str]:
    """Return what has to be known of a blueprint's decisions, counts: [4] int64; nothing of others."""
    decisions, off, untrained, mapped = (
        int(counts[what]) for what in (DECISIONS, OFF_TREE, UNTRAINED, MAPPED)
    )
    if not (off or untrained or mapped):
        return []
    return [
        f"{name}: of {decisions:,} decisions {off:,} off the tree ({off / decisions:.2%}) and {untrained:,} "
        f"in rows training never reached ({untrained / decisions:.2%}) were played as tag; "
        f"{mapped:,} bets were mapped to the tree's"
    ]


def _columns(prefix: str, estimate: Estimate) -> dict[str, float]:
    return {
        f"{prefix}mbb_per_hand": estimate.mean,
        f"{prefix}half": estimate.half,
        f"{prefix}low": estimate.low,
        f"{prefix}high": estimate.high,
        f"{prefix}sd": estimate.sd,
    }


def gathered(blocks: list[PlayedBlock], names: tuple[str, ...], entry: npt.NDArray[np.int64]) -> MatchResult:
    """Return the result of blocks in their order."""
    first = blocks[0]
    return MatchResult(
        names,
        first.game,
        first.seed,
        entry,
        np.concatenate([block.won for block in blocks]),
        np.concatenate([block.ended for block in blocks]),
        np.sum([block.counts for block in blocks], axis=0),
    )
