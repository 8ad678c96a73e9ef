"""How good an agent is, on one card: its results against every scripted agent, and what LBR wins from it.

    card = scorecard("blueprint:heads-up", hands=100_000, lbr_hands=20_000)
    print(card.markdown())

At a table of more than two seats all the others are copies of the same scripted agent; the local best
response is a heads-up measure and is left out there. Its whole family is measured, and the largest of it
again on fresh deals (`overbet.evaluation.lbr_family`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from overbet.agents.protocol import Agent, own_table, prepare
from overbet.agents.registry import make_agent
from overbet.errors import OverbetError
from overbet.evaluation.aivat import match_estimator
from overbet.evaluation.lbr import LbrResult
from overbet.evaluation.lbr_family import FamilyPace, LbrFamily, run_lbr_family
from overbet.evaluation.match_result import RAW, MatchResult
from overbet.evaluation.matches import MatchPace, play_match
from overbet.evaluation.statistics import Estimate
from overbet.games.holdem import HoldemGame

SCRIPTED = (
    "tag",
    "lag",
    "equity:0.6",
    "random",
    "random-chips",
    "always-call",
    "always-raise",
    "always-fold",
)
Progress = Callable[[str, int, int], None]  # what is measured, steps done, steps in all
Pace = Callable[[MatchPace | FamilyPace], None]
OnMatch = Callable[[str, MatchResult, Sequence[Agent]], None]  # the opponent, the match, who sat there


@dataclass(frozen=True)
class Scorecard:
    """What was measured. matches: by opponent; lbr: heads up, where it was not stopped before."""

    subject: str
    game: HoldemGame
    agent: Agent
    opponents: dict[str, Agent]
    matches: dict[str, MatchResult]
    lbr: LbrFamily | None

    @property
    def stopped(self) -> bool:
        """Whether Ctrl-C ended it before everything was played."""
        if any(match.stopped for match in self.matches.values()):
            return True
        return self.game.num_players == 2 and (self.lbr is None or self.lbr.stopped)

    def rows(self) -> list[tuple[str, ...]]:
        """Return opponent, hands, raw and AIVAT in mbb/hand, bb/100; LBR's rows say what it wins."""
        found: list[tuple[str, ...]] = []
        for name, result in self.matches.items():
            luckless = [result.mbb(0, word) for word in result.estimates][:1]
            raw = result.mbb(0, RAW)
            better = str(luckless[0]) if luckless else "-"
            found.append((name, f"{result.hands:,}", str(raw), better, [*luckless, raw][0].bb100))
        if self.lbr is not None:
            found += [_lbr_row("LBR", member) for member in self.lbr.members]
            if self.lbr.largest is not None:
                found.append(_lbr_row("LBR, the largest on fresh deals", self.lbr.largest))
        return found

    def facts(self) -> dict[str, dict[str, float | str]]:
        """Return the card as numbers in mbb/hand, for a blueprint's manifest; LBR's are what it wins."""
        found: dict[str, dict[str, float | str]] = {}
        for name, result in self.matches.items():
            word = next(iter(result.estimates), RAW)
            found[f"against {name}"] = _fact(result.mbb(0, word), result.hands)
        return found if self.lbr is None else {**found, **self.lbr.facts()}

    def markdown(self) -> str:
        """Return the card as a table of Markdown."""
        lines = [
            f"| {self.subject} against | hands | mbb/hand | the same by AIVAT | in bb/100 |",
            "|---|---|---|---|---|",
        ]
        return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in self.rows())])


def _lbr_row(title: str, found: LbrResult) -> tuple[str, ...]:
    """Return what the agent loses to a responder, as a row of the card."""
    lost = [str(won.negative()) for won in (found.raw, found.aivat)]
    return f"{title}: {found.responder.in_words}", f"{found.hands:,}", *lost, found.aivat.negative().bb100


def _fact(found: Estimate, hands: int) -> dict[str, float | str]:
    return {"mbb_per_hand": round(found.mean, 1), "half_of_95": round(found.half, 1), "hands": hands}


def scorecard(
    spec: str,
    hands: int = 100_000,
    lbr_hands: int = 20_000,
    *,
    opponents: Sequence[str] = SCRIPTED,
    seed: int = 0,
    workers: int = 0,
    progress: Progress | None = None,
    pace: Pace | None = None,
    on_match: OnMatch | None = None,
) -> Scorecard:
    """Measure an agent at its own table (heads up at 100 big blinds where it has none).

    lbr_hands: of each member of LBR's family, and as many fresh ones of the largest. pace: called as the
    match or the family under way goes on; on_match: when a match is over. Ctrl-C ends the card with what was
    played.
    """
    agent = make_agent(spec)
    game = own_table(agent) or HoldemGame()
    heads_up = game.num_players == 2
    steps = len(opponents) + int(heads_up)
    others: dict[str, Agent] = {}
    matches: dict[str, MatchResult] = {}
    for done, name in enumerate(opponents):
        if any(match.stopped for match in matches.values()):
            break
        if progress is not None:
            progress(name, done, steps)
        other = others[name] = make_agent(name)
        seated = [agent, *[other] * (game.num_players - 1)]
        seated = [prepare(one, game) for one in seated]
        try:
            estimators = [match_estimator(seated, game)]
        except OverbetError:  # an agent that cannot say how it plays
            estimators = []
        matches[name] = play_match(
            seated, game, hands, seed=seed, workers=workers, estimators=estimators, progress=pace
        )
        if on_match is not None:
            on_match(name, matches[name], seated[:2])
    card = Scorecard(spec, game, agent, others, matches, None)
    if not heads_up or any(match.stopped for match in matches.values()):
        return card

    def tell(what: FamilyPace | str) -> None:
        if progress is not None:
            progress(f"LBR, {what}", len(opponents), steps)

    def told(found: FamilyPace) -> None:
        tell(found)
        if pace is not None:
            pace(found)

    tell("its whole family")
    try:
        return replace(card, lbr=run_lbr_family(agent, game, lbr_hands, seed, workers, told))
    except KeyboardInterrupt:  # before the first block of it
        return card
