"""What playing for prizes is worth: a strategy trained for paid places against two that play for chips.

    python benchmarks/prizes.py expresso-8bb-two-paid --hands 120000 --seed 7
    python benchmarks/prizes.py two-paid three-paid

Every deal is played in three seatings. What a hand changes is priced by the independent chip model, in big
blinds of all chips: 1,000 mbb are as much of the prizes as one big blind is of all chips. Beside it what the
same hands won in chips. The intervals (95 %) are over deals. `two-paid` stands for all that end so.
"""

from __future__ import annotations

import argparse

import numpy as np

from overbet.agents.registry import make_agent
from overbet.blueprint.catalogue import find_blueprint, shipped_names
from overbet.blueprint.query import Blueprint
from overbet.evaluation.match_blocks import compiled_match, play_compiled
from overbet.evaluation.statistics import interval_of
from overbet.games.icm import prize_ev
from versions import vectors

PLAYERS = 3


def main() -> None:
    """Play and print a row a strategy."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="+")
    parser.add_argument("--hands", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    print(f"{vectors()}; {options.hands:,} hands each, seed {options.seed}")
    for name in [one for given in options.names for one in shipped_names() if one.endswith(given)]:
        _row(name, options.hands, options.seed)


def _row(name: str, hands: int, seed: int) -> None:
    blueprint = Blueprint.load(find_blueprint(name))
    game, prizes = blueprint.game, blueprint.config.game.prizes
    assert prizes is not None
    other = f"blueprint:{name.rsplit('bb-', 1)[0]}bb"
    agents = [make_agent(f"blueprint:{name}"), make_agent(other), make_agent(other)]
    match = compiled_match(agents, game, seed)
    assert match is not None
    block = play_compiled(match, game, tuple(agents), 0, hands // PLAYERS)
    start, paid, every = list(game.start), [*prizes, 0.0][:PLAYERS], sum(game.start)
    before = prize_ev(start, paid)
    known: dict[tuple[int, ...], tuple[float, ...]] = {}
    prize, chips = np.zeros(block.hands), np.zeros(block.hands)
    for hand, result in enumerate(block.won.tolist()):
        slots = [block.slot(hand, player) for player in range(PLAYERS)]
        player = slots.index(0)
        after = tuple(stack + result[slot] for stack, slot in zip(start, slots))
        if after not in known:
            known[after] = _placed(after, start, paid)
        prize[hand] = (known[after][player] - before[player]) * every
        chips[hand] = result[0]
    scale = 1000.0 / game.big_blind
    one, two = (interval_of(scale * values.reshape(-1, PLAYERS).mean(1)) for values in (prize, chips))
    worth = f"prizes {one.mean:+7.1f} ± {one.half:.1f}   chips {two.mean:+7.1f} ± {two.half:.1f}"
    print(f"{name:32s} {worth}", flush=True)


def _placed(after: tuple[int, ...], before: list[int], paid: list[float]) -> tuple[float, ...]:
    """Return the prizes; of two who are out who had more before the hand has the better place."""
    out = [player for player in range(PLAYERS) if not after[player]]
    if len(out) == 2 and before[out[0]] != before[out[1]]:
        order = sorted(range(PLAYERS), key=lambda player: (after[player] == 0, -before[player]))
        return tuple(paid[order.index(player)] for player in range(PLAYERS))
    return prize_ev(after, paid)


if __name__ == "__main__":
    main()
