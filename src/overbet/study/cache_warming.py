"""Which searches are worth making before anybody asks: common lines before the flop, in all readings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from overbet.agents.protocol import PublicState
from overbet.agents.searcher import SearchAgent
from overbet.evaluation.pluribus import PluribusDecision
from overbet.games import lines
from overbet.games.holdem_state import HoldemState

_TRIED = 16  # hands in which a line is followed, to find its readings


def common_lines(asked: Iterable[PluribusDecision], most: int) -> list[str]:
    """Return the lines before the flop that most hands took, the most frequent first.

    asked: decisions after the flop of hands that are heads up.
    """
    first = {decision.hand: decision.state for decision in reversed(list(asked))}
    counted = Counter(before_flop(state) for state in first.values())
    ordered = sorted(counted, key=lambda line: (-counted[line], line))
    return ordered[:most]


def before_flop(state: HoldemState) -> str:
    """Return the line of a hand up to the flop, without cards."""
    taken = [action for street, _, action in state.history if street == 0]
    tokens = [lines.Token(lines.BET, chips) if chips > 0 else lines.Token(lines.CALL) for chips in taken]
    return lines.text(tokens)


def readings(agent: SearchAgent, state: HoldemState) -> list[PublicState]:
    """Return a public state as hands of a match may see it.

    A bet that the blueprint does not have is taken for one of its two neighbours, at random from hand to
    hand: what is believed, and so the search, depends on which. Each reading is returned once.
    """
    found: dict[bytes, PublicState] = {}
    for hand in range(_TRIED):
        public = PublicState(state, 0, hand)
        believed = agent.searcher.ranges(state, agent.baseline(0, hand))
        found.setdefault(believed.tobytes(), public)
    return list(found.values())
