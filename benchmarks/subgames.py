"""How exploitable a whole strategy is whose turns are solved anew: a table like the published ones, exactly.

A flop spot, a "blueprint" whose hands share rows in buckets by equity on the turn and the river, and every
turn subgame solved again with exact hands for the player in position. The judge finds the best response of
the player out of position to the whole strategy. Nothing is drawn at random.

    python benchmarks/subgames.py                    # all three tables
    python benchmarks/subgames.py --parts cards      # all methods, several numbers of buckets
    python benchmarks/subgames.py --parts bet        # a turn bet that the blueprint does not have
    python benchmarks/subgames.py --parts depth      # the flop solved to a depth limit
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from overbet.search.continuations import depth_limited
from overbet.search.equity_buckets import equity_buckets
from overbet.search.off_tree import WiderTree
from overbet.search.whole_strategy import SAFETY, TurnResolver, WholeStrategy
from overbet.solvers.rules import make_rule
from overbet.solvers.vector.engine import VectorEngine
from overbet.solvers.vector.response import FOLLOW
from overbet.tree.public import PublicTree, public_tree
from overbet.tree.spot import IP, OOP, Spot

SPOT: dict[str, Any] = {
    "board": "Ks8s3s",
    "pot": 60,
    "stacks": 300,
    "ranges": {
        "oop": "99-66,AKo:0.5,ATs,KTs,QJs,98s,87s,A5s",
        "ip": "TT-77,AQs,KJs,KQs,JTs,97s,65s,AJs",
    },
    "bets": {"every": {"bet": "75%"}},
}
MENU, MISSING = ("33%", "75%", "150%"), 0.75  # first bets on the turn, and the one that the blueprint lacks
DEEP = 600  # behind, where a bet is missing: nobody is all-in after the largest one
COUNTS = (1, 2, 4, 8)
RULE = make_rule("dcfr")


class Table:
    """Rows printed as they come: what, exploitability in % of the pot, seconds. value: of the player out of
    position in the whole game, in chips.
    """

    def __init__(self, value: float) -> None:
        self.value, self.since = value, time.perf_counter()

    def row(self, what: str, strategy: WholeStrategy) -> None:
        """Print a row."""
        lost = 100 * (strategy.conceded(IP) - self.value) / strategy.tree.spot.pot
        now = time.perf_counter()
        print(f"{what:44s} {lost:7.2f} % {now - self.since:7.1f} s", flush=True)
        self.since = now


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--parts", nargs="+", default=["cards", "bet", "depth"])
    parser.add_argument("--buckets", nargs="+", type=int, default=[4, 12, 40, 400], help="on turn and river")
    parser.add_argument("--train", type=int, default=200, help="iterations of a blueprint")
    parser.add_argument("--iterations", type=int, default=100, help="of a subgame")
    options = parser.parse_args()
    if "bet" in options.parts:
        _missing_bet(options.train, options.iterations)
    if not {"cards", "depth"} & {*options.parts}:
        return
    tree = public_tree(Spot.parse(SPOT))
    exact, value = _exact(tree, options.train)
    if "cards" in options.parts:
        for count in options.buckets:
            blueprint = _blueprint(tree, count, options.train)
            _cards(blueprint, value, f"{count} buckets", options.iterations)
    if "depth" in options.parts:
        _depth(exact, value, options.iterations)


def _exact(tree: PublicTree, iterations: int) -> tuple[WholeStrategy, float]:
    spot, sizes = tree.spot, [hands.size for hands in tree.hands]
    print(f"{spot.board}, pot {spot.pot}, {spot.effective_stack} behind, {sizes[OOP]} and {sizes[IP]} hands")
    engine = VectorEngine(tree, RULE)
    engine.run(2 * iterations)
    value, error = engine.judge.expected(OOP, FOLLOW), engine.judged_exploitability()
    print(f"the game: {value:.3f} chips to OOP, solved to {100 * error / tree.spot.pot:.3f} % of the pot")
    return WholeStrategy(tree, engine.average), value


def _blueprint(tree: PublicTree, count: int, iterations: int) -> WholeStrategy:
    engine = VectorEngine(tree, RULE, buckets=equity_buckets(tree, {1: count, 2: count}))
    engine.run(iterations)
    return WholeStrategy(tree, engine.hand_tables(engine.average))


def _cards(blueprint: WholeStrategy, value: float, name: str, iterations: int) -> None:
    print(f"\n{name} on turn and river, every turn solved anew")
    table = Table(value)
    table.row("blueprint", blueprint)
    resolver = TurnResolver(blueprint.tree, IP, RULE, iterations)
    for method in SAFETY:
        table.row(method, resolver.solved(blueprint, method))


def _missing_bet(train: int, iterations: int) -> None:
    spots = [_with_turn_bets(menu) for menu in (MENU, (MENU[0], MENU[2]))]
    wide, narrow = (public_tree(spot) for spot in spots)
    print(f"\nfirst bets on the turn {', '.join(MENU)}; the blueprint lacks {MISSING:.0%}")
    _, value = _exact(wide, train)
    blueprint, _ = _exact(narrow, train)
    wider = WiderTree(spots[0], wide, blueprint, MISSING)
    table = Table(value)
    table.row("translation", wider.translated())
    for method in SAFETY:
        table.row(method, wider.solved(method, RULE, iterations))


def _with_turn_bets(menu: tuple[str, ...]) -> Spot:
    turn = {"oop": {"bet": ", ".join(menu)}, "ip": {"bet": "75%"}}
    return Spot.parse({**SPOT, "stacks": DEEP, "bets": {**SPOT["bets"], "turn": turn}})


def _depth(blueprint: WholeStrategy, value: float, iterations: int) -> None:
    print("\nthe flop solved to its end, continuations of the solution")
    table, resolver = Table(value), TurnResolver(blueprint.tree, IP, RULE, iterations)
    table.row("no search", blueprint)
    for count in COUNTS:
        found = depth_limited(blueprint, IP, count, RULE)
        table.row(f"k = {count}, then the blueprint", found)
        for method in ("unsafe", "resolve", "maxmargin"):
            table.row(f"k = {count}, then {method}", resolver.solved(found, method))


if __name__ == "__main__":
    main()
