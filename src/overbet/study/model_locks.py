"""A model of an opponent as locks of a whole spot: every decision of the spot's first street.

Which line a decision is about is told by the actions of the spot; who had the initiative before it is not in
a spot, and is given. A line that nobody of the pool was seen at is not locked.
"""

from __future__ import annotations

from overbet.errors import ConfigError
from overbet.solvers.vector.lines import PLAYERS
from overbet.solvers.vector.locking import Lock
from overbet.solvers.vector.solution import Solution
from overbet.study.decision_lines import STREET_NAMES, HandStep, kind_of, line_kind
from overbet.study.opponents import OpponentModel
from overbet.study.responses import model_lock


def opponent_locks(
    equilibrium: Solution, model: OpponentModel, player: str = "ip", *, led: bool = False
) -> list[Lock]:
    """Return the locks of the decisions that an opponent makes on the first street of a spot.

    player: the opponent's seat, `oop` or `ip`. led: whether the opponent made the last bet or raise of the
    street before. Where the strategy's usual frequencies are known the spot's own strategy is moved as the
    opponent is moved from them; else the opponent's frequencies themselves are taken (`model_lock`).
    """
    if player not in PLAYERS:
        raise ConfigError(f"an opponent sits {' or '.join(PLAYERS)}, not {player}")
    street = equilibrium.spot.first_street + 1
    name, own, locks = STREET_NAMES[street], PLAYERS.index(player), list[Lock]()
    for line in equilibrium.lines(name):
        node = equilibrium.node(line)
        if node.kind != player:
            continue
        word = line_kind(
            [HandStep(street - 1, own if led else 1 - own, "raise"), *_steps(line, street)], own, street
        )
        if not any(key[:2] == (name, word) for key in model.pool):
            continue
        mix, usual = model.mix(name, word), model.strategy_mix(name, word)
        if usual is not None and any(mix[kind] > 0.0 and not usual.get(kind, 0.0) > 0.0 for kind in mix):
            usual = None  # the strategy never does what the pool does: there is nothing to multiply
        locks.append(model_lock(equilibrium, line, mix, usual))
    if not locks:
        raise ConfigError(f"the model says nothing of what {player.upper()} does on the {name} of this spot")
    return locks


def _steps(line: str, street: int) -> list[HandStep]:
    """Return the actions of a line on one street; out of position acts first."""
    steps, bet = list[HandStep](), False
    for place, token in enumerate(line.split(":")[2:]):
        action = -1 if token == "f" else 0 if token == "c" else 1
        steps.append(HandStep(street, place % 2, kind_of(action, bet, street)))
        bet = bet or action > 0
    return steps
