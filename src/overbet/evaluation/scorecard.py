"""How good an agent is, on one card: its results against every scripted agent, and what LBR wins from it.

    card = scorecard("blueprint:heads-up", hands=100_000, lbr_hands=20_000)
    print(card.markdown())

At a table of more than two seats all the others are copies of the same scripted agent; the local best
response is a heads-up measure and is left out there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from overbet.agents.protocol import Agent, prepare
from overbet.agents.registry import make_agent
from overbet.errors import OverbetError
from overbet.evaluation.aivat import match_estimator
from overbet.evaluation.lbr import LbrResult, run_lbr
from overbet.evaluation.match_result import RAW, MatchResult
from overbet.evaluation.matches import play_match
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
LBR_BETS = ("fc", "fcpa")
_IN_WORDS = {"fc": "LBR, fold and call", "fcpa": "LBR, fold, call, pot and all-in"}
Progress = Callable[[str, int, int], None]  # what is measured, steps done, steps in all


@dataclass(frozen=True)
class Scorecard:
    """What was measured. matches: by opponent; lbr: by the responder's bets, heads up."""

    subject: str
    game: HoldemGame
    agent: Agent
    opponents: dict[str, Agent]
    matches: dict[str, MatchResult]
    lbr: dict[str, LbrResult]

    def rows(self) -> list[tuple[str, ...]]:
        """Return opponent, hands, raw and AIVAT in mbb/hand; LBR's rows say what it wins."""
        found: list[tuple[str, ...]] = []
        for name, result in self.matches.items():
            luckless = [str(result.mbb(0, word)) for word in result.estimates]
            found.append((name, f"{result.hands:,}", str(result.mbb(0, RAW)), *(luckless[:1] or ["-"])))
        for bets, measured in self.lbr.items():
            given = (str(lost.negative()) for lost in (measured.raw, measured.aivat))
            found.append((_IN_WORDS[bets], f"{measured.hands:,}", *given))
        return found

    def facts(self) -> dict[str, dict[str, float]]:
        """Return the card as numbers in mbb/hand, for a blueprint's manifest; LBR's are what it wins."""
        found = {}
        for name, result in self.matches.items():
            word = next(iter(result.estimates), RAW)
            found[f"against {name}"] = _fact(result.mbb(0, word), result.hands)
        for bets, measured in self.lbr.items():
            found[f"lbr {bets}"] = _fact(measured.aivat, measured.hands)
        return found

    def markdown(self) -> str:
        """Return the card as a table of Markdown."""
        lines = [f"| {self.subject} against | hands | mbb/hand | the same by AIVAT |", "|---|---|---|---|"]
        return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in self.rows())])


def _fact(found: Estimate, hands: int) -> dict[str, float]:
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
) -> Scorecard:
    """Measure an agent at its own table (heads up at 100 big blinds where it has none).

    Ctrl-C in a match ends the card with what was played.
    """
    agent = make_agent(spec)
    blueprint = getattr(agent, "blueprint", None)
    game = HoldemGame() if blueprint is None else blueprint.game
    heads_up = game.num_players == 2
    steps = len(opponents) + (len(LBR_BETS) if heads_up else 0)
    others: dict[str, Agent] = {}
    matches: dict[str, MatchResult] = {}
    responses: dict[str, LbrResult] = {}
    for done, name in enumerate(opponents):
        if any(match.stopped for match in matches.values()):
            return Scorecard(spec, game, agent, others, matches, {})
        if progress is not None:
            progress(name, done, steps)
        other = others[name] = make_agent(name)
        seated = [agent, *[other] * (game.num_players - 1)]
        for one in seated[:2]:
            prepare(one, game)
        try:
            estimators = [match_estimator(seated, game)]
        except OverbetError:  # an agent that cannot say how it plays
            estimators = []
        matches[name] = play_match(seated, game, hands, seed=seed, workers=workers, estimators=estimators)
    for done, bets in enumerate(LBR_BETS if heads_up else (), len(opponents)):
        if progress is not None:
            progress(_IN_WORDS[bets], done, steps)
        responses[bets] = run_lbr(agent, game, lbr_hands, bets, seed=seed, workers=workers)
    return Scorecard(spec, game, agent, others, matches, responses)
