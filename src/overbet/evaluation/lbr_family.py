"""A lower bound on exploitability is the largest that any responder wins: the family of local best responses.

    found = run_lbr_family(make_agent("blueprint:heads-up"), hands=20_000, seed=1)
    found.members                # fc, fcpa and 56 sizes, each on all streets and on turn and river only
    found.largest                # the one that won most, measured again
    found.largest.responder.in_words, found.largest.aivat

Which member is the largest is decided on the deals that all of them played. The largest of several noisy
figures is too large on average: the member that was lucky is chosen more often. So the chosen member then
plays as many fresh deals, which had no part in the choice, and what it wins there is what is stated: a plain
mean of independent deals, whose 95 % interval means what it says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from overbet.agents.protocol import Agent
from overbet.evaluation.lbr import BETS, SEEDS, LbrResult, LbrSettings, run_responders
from overbet.evaluation.statistics import Estimate, Moments
from overbet.games.holdem import HoldemGame
from overbet.games.holdem_state import STREETS

if TYPE_CHECKING:
    from overbet.cluster import Cluster

FAMILY = tuple(LbrSettings.of(bets, streets) for streets in (STREETS, ("turn", "river")) for bets in BETS)
FRESH_SEED = 1_000_000  # this much above the seed of the members: far from seeds that people count up


class FamilyPace(NamedTuple):
    """How far it is. leader: who won most so far, or who was chosen; fresh: on deals after the choice."""

    hands: int
    total: int
    leader: LbrSettings
    estimate: Estimate
    fresh: bool

    def __str__(self) -> str:
        """Such as `56 sizes on all streets leads with +2,243.1 ± 113.0 mbb/hand`."""
        does = "on fresh deals wins" if self.fresh else "leads with"
        return f"{self.leader.in_words} {does} {self.estimate} mbb/hand"


Progress = Callable[[FamilyPace], None]


@dataclass(frozen=True, eq=False)
class LbrFamily:
    """What every member won on the same deals, and what the chosen one won on fresh deals.

    largest is None where Ctrl-C came before any fresh deal was played; members then has those that had begun.
    """

    members: tuple[LbrResult, ...]
    largest: LbrResult | None

    @property
    def chosen(self) -> LbrResult:
        """The member that won most. Its own figure is too large on average; `largest` is the honest one."""
        return max(self.members, key=lambda member: member.aivat.mean)

    @property
    def stopped(self) -> bool:
        """Whether Ctrl-C ended it before all hands were played."""
        return self.largest is None or self.largest.stopped

    @property
    def results(self) -> tuple[LbrResult, ...]:
        """All that was measured, the largest on fresh deals last."""
        return self.members if self.largest is None else (*self.members, self.largest)

    def facts(self) -> dict[str, dict[str, float | str]]:
        """Return the family as numbers in mbb/hand, for a manifest; nothing where there is no largest."""
        if self.largest is None:
            return {}
        found = {_key(member.responder): _fact(member) for member in self.members}
        largest = {**_fact(self.largest), "which": self.largest.responder.in_words}
        return {**found, "lbr largest": largest}


def run_lbr_family(
    agent: Agent,
    game: HoldemGame | None = None,
    hands: int = 20_000,
    seed: int = 0,
    workers: int = 0,
    progress: Progress | None = None,
    family: Sequence[LbrSettings] = FAMILY,
    cluster: Cluster | None = None,
    specs: tuple[str, str] | None = None,
) -> LbrFamily:
    """Measure every member of the family, and the one that wins most again on fresh deals.

    hands: of each member, and as many fresh ones; workers: 0 is all cores. Ctrl-C ends it; the result is then
    what was played. cluster, specs: as for `run_lbr`.
    """
    deals = (hands + 1) // 2
    total = 2 * deals * (len(family) + 1)

    def choosing(moments: list[Moments]) -> None:
        begun = [place for place, one in enumerate(moments) if one.count]
        if progress is not None and begun:
            first = max(begun, key=lambda place: moments[place].mean)
            done = 2 * sum(one.count for one in moments)
            progress(FamilyPace(done, total, family[first], moments[first].estimate(), False))

    where: dict[str, Any] = {} if cluster is None else {"cluster": cluster, "specs": specs}
    members = tuple(run_responders(agent, game, hands, family, seed, workers, choosing, **where))
    found = LbrFamily(members, None)
    if any(member.stopped for member in members):
        return found
    chosen = found.chosen.responder

    def measuring(moments: list[Moments]) -> None:
        if progress is not None and moments[0].count:
            done = 2 * (deals * len(family) + moments[0].count)
            progress(FamilyPace(done, total, chosen, moments[0].estimate(), True))

    fresh = (seed + FRESH_SEED) % SEEDS
    try:
        largest = run_responders(agent, game, hands, [chosen], fresh, workers, measuring, **where)[0]
    except KeyboardInterrupt:
        return found
    return LbrFamily(members, largest)


def _key(responder: LbrSettings) -> str:
    """Return what a manifest calls a member: `lbr fc`, `lbr fc turn,river`."""
    where = "" if responder.streets == STREETS else " " + ",".join(responder.streets)
    return f"lbr {responder.bets}{where}"


def _fact(found: LbrResult) -> dict[str, float | str]:
    mean, half = round(found.aivat.mean, 1), round(found.aivat.half, 1)
    return {"mbb_per_hand": mean, "half_of_95": half, "hands": found.hands}
